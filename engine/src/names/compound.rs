//! Names of several words that are one: "Abd al-Rahman" is "Abdul Rahman", and "Tse-tung" a listed spelling.

use super::fold::FoldedWord;
use super::words::WordLists;

/// Articles after "Abd", whose l takes the sound of the next word.
const ARTICLES: [&str; 13] = ["al", "el", "ul", "il", "ur", "ar", "er", "us", "as", "es", "an", "ad", "ed"];
/// Spellings of "Abdul" at the beginning of a longer word.
const OPENINGS: [&str; 3] = ["abdel", "abdal", "abdoul"];
/// Minimum letters after an opening: "Abdallah" and "Abdella" are names of their own.
const REST_LETTERS: usize = 4;
/// Minimum letters of each word of a listed spelling.
const PART_LETTERS: usize = 3;

/// Writes compound names in one way, from the word at `from`. Returns whether any word has changed.
pub fn unify(parts: &mut Vec<FoldedWord>, from: usize, words: &WordLists) -> bool {
    let mut has_changed = false;
    for i in (from..parts.len().saturating_sub(2)).rev() {
        if parts[i].text == "abd" && !parts[i].foreign && ARTICLES.contains(&parts[i + 1].text.as_str()) {
            parts.remove(i + 1);
            "abdul".clone_into(&mut parts[i].text);
            has_changed = true;
        }
    }
    for part in parts.iter_mut().skip(from).filter(|part| !part.foreign) {
        let rest = OPENINGS.iter().find_map(|opening| part.text.strip_prefix(*opening));
        if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.len() >= REST_LETTERS) {
            part.text = format!("abdul{rest}");
            has_changed = true;
        }
    }
    let mut i = from;
    while i + 1 < parts.len() {
        if is_listed(&parts[i], &parts[i + 1], words) {
            let second = parts.remove(i + 1);
            parts[i].text.push_str(&second.text);
            parts[i].caps &= second.caps;
            has_changed = true;
        }
        i += 1;
    }
    has_changed
}

/// Returns whether two words are a listed spelling of one, and neither is listed alone.
fn is_listed(one: &FoldedWord, other: &FoldedWord, words: &WordLists) -> bool {
    let is_part =
        |word: &FoldedWord| word.text.len() >= PART_LETTERS && !word.foreign && !words.variants.contains_key(&word.text);
    is_part(one) && is_part(other) && words.variants.contains_key(&format!("{}{}", one.text, other.text))
}
