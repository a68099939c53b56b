//! Nearest passage to a quote that was not found, so that its author can copy it.

use std::collections::HashSet;

/// Maximum number of words compared; the excerpt has up to three times as many.
const MAX_WORDS: usize = 60;

/// Returns the passage of `text`, about as long as `quote`, that shares most words with it; none without shared words.
pub fn nearest<'a>(text: &'a str, quote: &str) -> Option<&'a str> {
    let wanted: HashSet<String> = words(quote).map(|(_, word)| fold(word)).collect();
    let all: Vec<(usize, &str)> = words(text).collect();
    let window = words(quote).count().clamp(1, MAX_WORDS).min(all.len());
    if window == 0 {
        return None;
    }
    let is_hit: Vec<bool> = all.iter().map(|(_, word)| wanted.contains(&fold(word))).collect();
    let mut hits = is_hit[..window].iter().filter(|hit| **hit).count();
    let (mut best, mut best_at) = (hits, 0);
    for start in 1..=all.len() - window {
        hits = hits + usize::from(is_hit[start + window - 1]) - usize::from(is_hit[start - 1]);
        if hits > best {
            (best, best_at) = (hits, start);
        }
    }
    if best == 0 {
        return None;
    }
    // Include as much again on both sides: the quote may have been shortened.
    let (first, last) = (best_at.saturating_sub(window), (best_at + 2 * window - 1).min(all.len() - 1));
    Some(&text[all[first].0..all[last].0 + all[last].1.len()])
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

fn fold(word: &str) -> String {
    word.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_words_include_the_omissions_of_a_shortened_quote() {
        let text =
            "The port was busy. On Monday the mayor, who had been ill for weeks, denied that the dam had leaked. It rained.";
        let near = nearest(text, "the mayor denied that the dam had leaked").unwrap();
        assert!(near.contains("the mayor, who had been ill for weeks, denied that the dam had leaked."), "{near}");
        assert_eq!(nearest(text, "xyzzy"), None);
        assert_eq!(nearest("", "a"), None);
    }
}
