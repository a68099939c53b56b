//! Phonetic forms of a word: spelling without transliteration habits, and its consonant skeleton.

/// Returns one spelling for the transliterations of a sound ("Sergey", "Sergei"; "Phillip", "Filip").
pub fn spelling(word: &str) -> String {
    let bytes = word.as_bytes();
    let mut out = String::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let rest = &bytes[i..];
        let (to, used) = match rest {
            // "Narender" and "Narendra".
            b"ender" if i >= 2 => ("endra", 5),
            b"inder" if i >= 2 => ("indra", 5),
            // "Lavrovs", "Sergejs": Latvian endings.
            b"ovs" if i >= 2 => ("ov", 3),
            b"evs" if i >= 2 => ("ev", 3),
            b"ejs" | b"ijs" if i >= 2 => ("i", 3),
            // "Gorbatschow" and "Gorbachev".
            b"ov" | b"ow" if i >= 3 && (out.ends_with("ch") || out.ends_with("sh")) => ("ev", 2),
            [b't', b's', b'c', b'h', ..] => ("ch", 4),
            [b's', b'c', b'h', ..] => ("sh", 3),
            [b'p', b'h', ..] => ("f", 2),
            [b'k', b'h', ..] => ("h", 2),
            [b'g', b'h', ..] => ("g", 2),
            [b'd', b'h', ..] => ("d", 2),
            [b'c', b'k', ..] => ("k", 2),
            [b'o', b'u' | b'o', ..] => ("u", 2),
            [b'e', b'e', ..] => ("i", 2),
            [b'e', b'y' | b'i' | b'j'] => ("i", 2),
            [b'i' | b'y', b'j' | b'y' | b'i' | b'e'] => ("i", 2),
            [b'q', ..] => ("k", 1),
            [b'w', ..] => ("v", 1),
            [b'y', ..] => ("i", 1),
            [b'x', ..] => ("ks", 1),
            [b'a' | b'e' | b'o', b'h'] => (&word[i..=i], 2),
            _ => {
                let len = word[i..].chars().next().map_or(1, char::len_utf8);
                (&word[i..i + len], len)
            }
        };
        for c in to.chars() {
            if !out.ends_with(c) {
                out.push(c);
            }
        }
        i += used;
    }
    out
}

/// Returns the consonants in broad classes, with `a` for an initial vowel. Never empty for a word with a letter.
pub fn skeleton(word: &str) -> String {
    let bytes = word.as_bytes();
    let mut out = String::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let (class, used) = class_of(&bytes[i..], i == 0);
        if let Some(class) = class
            && !out.ends_with(class)
        {
            out.push(class);
        }
        i += used;
    }
    if out.is_empty() { word.to_owned() } else { out }
}

fn class_of(rest: &[u8], first: bool) -> (Option<char>, usize) {
    match rest {
        [b's', b'c', b'h', ..] | [b't', b'c', b'h', ..] => (Some('j'), 3),
        [b's' | b'c' | b'z', b'h', ..] | [b'd', b'j' | b'z', ..] => (Some('j'), 2),
        [b't', b's' | b'z', ..] => (Some('s'), 2),
        [b'p', b'h', ..] => (Some('f'), 2),
        [b'c', b'e' | b'i' | b'y', ..] => (Some('s'), 1),
        [b'x', ..] if first => (Some('j'), 1),
        [b'b' | b'p', ..] => (Some('p'), 1),
        [b'd' | b't', ..] => (Some('t'), 1),
        [b'g' | b'k' | b'q' | b'c' | b'x', ..] => (Some('k'), 1),
        [b'f' | b'v' | b'w', ..] => (Some('f'), 1),
        [b's' | b'z', ..] => (Some('s'), 1),
        [b'j', ..] => (Some('j'), 1),
        [c @ (b'm' | b'n' | b'l' | b'r' | b'0'..=b'9'), ..] => (Some(char::from(*c)), 1),
        [b'a' | b'e' | b'i' | b'o' | b'u' | b'y' | b'h', ..] if first => (Some('a'), 1),
        _ => (None, 1),
    }
}
