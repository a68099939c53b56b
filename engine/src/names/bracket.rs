//! Acronym in brackets beside its own long form: "International Atomic Energy Agency (IAEA)".

use super::words::WordLists;
use std::ops::RangeInclusive;

/// Letters of an acronym. Two are a state or a branch: "Bank of China (UK)".
const LETTERS: RangeInclusive<usize> = 3..=10;

/// Returns a name without the acronym that its own words give, in or before brackets. "Harbour Bank (UAE)" stays whole.
pub fn without_own_acronym<'a>(name: &'a str, words: &WordLists) -> &'a str {
    let Some((before, rest)) = name.split_once('(') else { return name };
    let Some((inside, after)) = rest.split_once(')') else { return name };
    let (before, inside) = (before.trim(), inside.trim());
    if !after.trim().is_empty() {
        return name;
    }
    if is_acronym(inside, before, words) {
        return before;
    }
    if is_acronym(before, inside, words) { inside } else { name }
}

/// Returns whether capitals are the initials of a long form, with or without its small words.
fn is_acronym(short: &str, long: &str, words: &WordLists) -> bool {
    let letters: String = short.chars().filter(|&c| c != '.').collect();
    if !LETTERS.contains(&letters.chars().count()) || !letters.chars().all(char::is_uppercase) {
        return false;
    }
    let parts = long.split(|c: char| c.is_whitespace() || matches!(c, '-' | '/'));
    let long: Vec<String> = parts.filter(|word| word.starts_with(char::is_alphanumeric)).map(str::to_lowercase).collect();
    let initials = |with_links: bool| -> String {
        let named = long.iter().filter(|word| with_links || !words.links.contains(*word));
        named.filter_map(|word| word.chars().next()).collect()
    };
    let letters = letters.to_lowercase();
    long.len() > 1 && (letters == initials(true) || letters == initials(false))
}
