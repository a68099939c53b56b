//! Search terms of a text on every backend: folded, split, lightly stemmed. Not for comparing names.
//!
//! Backends index exactly these terms, so that matching and scoring agree.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Maximum length of a term, in characters.
const MAX_CHARS: usize = 40;
/// Minimum length of a stemmed word.
const MIN_STEMMED: usize = 4;

/// Calls `see` with each term of a text, in order, with repeats.
pub fn each_term(text: &str, mut see: impl FnMut(&str)) {
    let mut word = String::new();
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            word.push(letter.to_ascii_lowercase());
        } else if letter.is_ascii() {
            close(&mut word, &mut see);
        } else {
            // Marks are dropped, because their order depends on the whole text.
            decompose_compatible(letter, |part| add(part, &mut word, &mut see));
        }
    }
    close(&mut word, &mut see);
}

/// Adds one letter of a decomposed text.
fn add(letter: char, word: &mut String, see: &mut impl FnMut(&str)) {
    if is_combining_mark(letter) {
        return;
    }
    if is_written_without_spaces(letter) {
        close(word, see);
        see(letter.encode_utf8(&mut [0; 4]));
    } else if letter.is_alphanumeric() {
        word.extend(letter.to_lowercase());
    } else if !is_inside_word(letter) {
        close(word, see);
    }
}

/// Returns the terms of a text in order, with repeats.
pub fn terms(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_term(text, |term| found.push(term.to_owned()));
    found
}

/// Returns the distinct terms of a query, in order.
pub fn query_terms(query: &str) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    terms(query).into_iter().filter(|term| seen.insert(term.clone())).collect()
}

fn close(word: &mut String, see: &mut impl FnMut(&str)) {
    if word.is_empty() {
        return;
    }
    let end = word.char_indices().nth(MAX_CHARS).map_or(word.len(), |(end, _)| end);
    let cut = &word[..end];
    see(if cut.is_ascii() { stem(cut) } else { cut });
    word.clear();
}

/// Returns whether a character does not end a word: soft hyphens and zero-width joiners.
const fn is_inside_word(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Returns whether a script has no spaces between words; each sign is a term.
const fn is_written_without_spaces(letter: char) -> bool {
    matches!(letter, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}

/// Strips the commonest English endings: `attacks`, `attacked`, `attacking` are one term.
fn stem(word: &str) -> &str {
    if word.len() < MIN_STEMMED || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word;
    }
    let base = without_plural(word);
    let base = match base.strip_suffix("ing").or_else(|| base.strip_suffix("ed")) {
        Some(rest) if rest.len() >= 3 => undouble(rest),
        _ => base,
    };
    match base.as_bytes() {
        [.., b'e' | b'y' | b'i'] if base.len() >= MIN_STEMMED => &base[..base.len() - 1],
        _ => base,
    }
}

fn without_plural(word: &str) -> &str {
    let keep = ["ss", "us", "is"];
    match word.strip_suffix('s') {
        Some(rest) if !keep.iter().any(|ending| word.ends_with(ending)) && rest.len() >= 3 => match rest.strip_suffix("ie") {
            Some(_) => &rest[..rest.len() - 1],
            None => rest,
        },
        _ => word,
    }
}

/// Removes a doubled consonant: `planned` becomes `plan`, `killed` becomes `kill`.
fn undouble(word: &str) -> &str {
    match word.as_bytes() {
        [.., a, b] if a == b && !matches!(b, b'l' | b's' | b'z' | b'a' | b'e' | b'i' | b'o' | b'u') => &word[..word.len() - 1],
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one_term() {
        for forms in
            ["attack attacks attacked attacking", "fire fires fired firing", "deny denies denied", "plan plans planned"]
        {
            let stems = query_terms(forms);
            assert_eq!(stems.len(), 1, "{forms}: {stems:?}");
        }
    }

    #[test]
    fn case_marks_and_punctuation_do_not_matter() {
        assert_eq!(terms("Café—ZÜRICH, «été»"), terms("cafe zurich ete"));
        assert_eq!(terms("co\u{ad}operate"), terms("cooperate"));
        assert_eq!(terms("e\u{301}te\u{301} ﬁre ½ Ǆ"), ["ete", "fir", "1", "2", "dz"]);
        assert_eq!(terms(&"ü".repeat(50)), ["u".repeat(40)]);
    }

    #[test]
    fn other_scripts_have_terms() {
        assert_eq!(terms("Москва 北京"), ["москва", "北", "京"]);
    }
}
