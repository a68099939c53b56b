//! Words of a passage: folded to lower-case ASCII, with their byte spans and shapes. All that is known of a language here is its
//! table of irregular forms.

use any_ascii::any_ascii;

use super::super::text::Lexicon;

/// One word, number or mark of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Byte offset of its first byte.
    pub start: usize,
    /// Byte offset after its last byte, a possessive ending left out.
    pub end: usize,
    /// Lower-case ASCII form; a mark is itself.
    pub norm: String,
    /// What its letters look like.
    pub shape: Shape,
    /// It ended in `'s`.
    pub possessive: bool,
    /// A hyphen joins it to the word before.
    pub glued: bool,
}

/// What the letters of a word look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// All letters small.
    Lower,
    /// First letter large.
    Title,
    /// At least two letters, all large.
    Upper,
    /// Begins with a digit.
    Number,
    /// Punctuation.
    Mark,
}

impl Word {
    /// A word of letters.
    pub fn is_word(&self) -> bool {
        !matches!(self.shape, Shape::Mark | Shape::Number)
    }

    /// A mark that ends a sentence or a clause.
    pub fn ends_clause(&self) -> bool {
        self.shape == Shape::Mark && matches!(self.norm.as_str(), "." | ";" | "!" | "?" | ":")
    }
}

/// The words of a text and whether it is written wholly in capitals.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// In order of the text.
    pub list: Vec<Word>,
    /// Capitals carry no meaning in this text.
    pub capitals: bool,
}

/// Splits a text into words and marks.
pub fn split(text: &str) -> Words {
    let mut list: Vec<Word> = Vec::with_capacity(text.len() / 6 + 1);
    let mut chars = text.char_indices().peekable();
    let mut hyphen_at = None;
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        if !c.is_alphanumeric() {
            let joins = c == '-' && list.last().is_some_and(|w| w.end == start && w.shape != Shape::Mark);
            if joins && chars.peek().is_some_and(|(_, n)| n.is_alphanumeric()) {
                hyphen_at = Some(start + 1);
            } else {
                list.push(mark(start, c));
            }
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some(&(at, next)) = chars.peek() {
            if !continues(text, at, next) {
                break;
            }
            end = at + next.len_utf8();
            chars.next();
        }
        list.push(word(text, start, end, hyphen_at == Some(start)));
    }
    let capitals = in_capitals(text);
    Words { list, capitals }
}

/// The words that a wire puts before its text ("TOWN, 3 MAY 31 (WIRE) -- [TEXT]"); zero where there are none.
pub fn dateline(words: &[Word]) -> usize {
    const REACH: usize = 40;
    let dash = |i: usize| words[i].norm == "-" && words.get(i + 1).is_some_and(|w| w.norm == "-");
    let Some(at) = (0..words.len().min(REACH)).find(|&i| dash(i)) else { return 0 };
    let dated = words[..at].iter().any(|w| w.shape == Shape::Number) || words[..at].iter().any(|w| w.norm == "(");
    if !dated || words[..at].iter().any(|w| w.shape == Shape::Mark && matches!(w.norm.as_str(), "." | ";" | "?")) {
        return 0;
    }
    at + 2
}

/// Whether the letters of a text are nearly all large.
pub fn in_capitals(text: &str) -> bool {
    let (mut large, mut small) = (0usize, 0usize);
    for c in text.chars() {
        large += usize::from(c.is_uppercase());
        small += usize::from(c.is_lowercase());
    }
    large > 3 && small * 12 < large
}

/// The folded words, one space between them and at both ends: a phrase with spaces around it is found whole.
pub fn spaced(words: &[Word]) -> String {
    let mut text = String::from(" ");
    for word in words {
        text.push_str(&word.norm);
        text.push(' ');
    }
    text
}

/// The lower-case ASCII form of a word.
pub fn fold(word: &str) -> String {
    any_ascii(word).to_lowercase()
}

/// A crude common stem, enough to join the forms of one word, irregular ones included.
pub fn stem(norm: &str) -> &str {
    let norm = Lexicon::english().irregular(norm).unwrap_or(norm);
    let endings = ["ations", "ation", "ings", "ing", "ers", "ied", "ies", "ion", "ed", "es", "er", "s", "e", "y"];
    let stripped =
        |word| endings.iter().find_map(|ending| str::strip_suffix(word, ending).filter(|rest| rest.len() >= 4)).unwrap_or(word);
    // Twice: "discovered" and "discover", "explosions" and "explosion".
    let rest = stripped(stripped(norm));
    // "stepped" and "step", "killed" and "kill"
    let last = rest.as_bytes();
    let doubled = last.len() > 3 && last[last.len() - 1] == last[last.len() - 2] && last[last.len() - 1].is_ascii_alphabetic();
    if doubled { &rest[..rest.len() - 1] } else { rest }
}

/// A hash that does not change between builds, for breaking ties.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

fn continues(text: &str, at: usize, c: char) -> bool {
    if c.is_alphanumeric() {
        return true;
    }
    let next = text[at + c.len_utf8()..].chars().next();
    let before = text[..at].chars().next_back();
    match c {
        '\'' | '\u{2019}' => next.is_some_and(char::is_alphabetic),
        // Abbreviations such as U.S. keep their inner full stops; figures keep points and commas.
        '.' => {
            next.is_some_and(char::is_alphanumeric)
                || (before.is_some_and(char::is_uppercase) && text[..at].chars().rev().nth(1) == Some('.'))
        }
        ',' => next.is_some_and(|n| n.is_ascii_digit()) && before.is_some_and(|b| b.is_ascii_digit()),
        _ => false,
    }
}

fn mark(start: usize, c: char) -> Word {
    let norm = match c {
        '\u{201c}' | '\u{201d}' | '\u{ab}' | '\u{bb}' => "\"".to_owned(),
        '\u{2014}' | '\u{2013}' => "-".to_owned(),
        other => other.to_string(),
    };
    Word { start, end: start + c.len_utf8(), norm, shape: Shape::Mark, possessive: false, glued: false }
}

fn word(text: &str, start: usize, end: usize, glued: bool) -> Word {
    let raw = &text[start..end];
    let base = ["'s", "'S", "\u{2019}s", "\u{2019}S"].iter().find_map(|s| raw.strip_suffix(s));
    let kept = base.unwrap_or(raw);
    let first = kept.chars().next().unwrap_or(' ');
    let upper = kept.chars().filter(|c| c.is_uppercase()).count();
    let lower = kept.chars().any(char::is_lowercase);
    let shape = match first {
        c if c.is_numeric() => Shape::Number,
        _ if upper >= 2 && !lower => Shape::Upper,
        c if c.is_uppercase() => Shape::Title,
        _ => Shape::Lower,
    };
    Word { start, end: start + kept.len(), norm: fold(kept), shape, possessive: base.is_some(), glued }
}
