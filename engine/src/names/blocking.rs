//! Keys under which a name is filed, so that a database finds the few names worth comparing. Each key opens with its family:
//! `f:` all letters, `n:` the first and the last word as they are spelt, `a:` letters of an acronym, `p:` the sound of two words,
//! `w:` the sound of one.
//!
//! Names that are certainly the same nearly always share an exact key (`f:` or `n:`); the others find names that are merely alike.

use super::key::{NameKey, Token, TokenKind};

/// Pairs of words are made of the first ones only.
const PAIRED_WORDS: usize = 4;
/// A sound is cut here, so that slips at the end of a word do no harm.
const SOUND: usize = 3;
/// A word alone is a key from this many letters on.
const SINGLE_LETTERS: usize = 4;
const EXACT: [&str; 2] = ["f:", "n:"];

/// Whether names that share this key are spelt alike in what counts, not merely alike in sound.
pub fn is_exact(key: &str) -> bool {
    EXACT.iter().any(|family| key.starts_with(family))
}

pub fn keys(name: &NameKey, limit: usize) -> Vec<String> {
    let words: Vec<&Token> =
        name.tokens.iter().filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Initial)).collect();
    let mut keys = Vec::new();
    if !name.joined.is_empty() {
        keys.push(format!("f:{}", name.joined));
    }
    keys.extend(spelt(name));
    keys.extend(acronym(name));
    let alone = |token: &&&Token| token.text.len() >= SINGLE_LETTERS || token.ideographic || words.len() == 1;
    for token in words.first().into_iter().chain(words.last()).filter(alone) {
        keys.push(format!("w:{}", token.skeleton));
    }
    let whole: Vec<&str> = words.iter().map(|token| sound(&token.skeleton)).collect();
    let paired =
        if whole.len() > PAIRED_WORDS { [&whole[..PAIRED_WORDS - 1], &whole[whole.len() - 1..]].concat() } else { whole };
    for (i, one) in paired.iter().enumerate() {
        for two in &paired[i + 1..] {
            keys.push(if one <= two { format!("p:{one}+{two}") } else { format!("p:{two}+{one}") });
        }
    }
    let mut seen = std::collections::HashSet::new();
    keys.retain(|key| seen.insert(key.clone()));
    keys.truncate(limit);
    keys.sort_unstable();
    keys
}

/// First and last word, in the order of the alphabet, because a surname may come first.
fn spelt(name: &NameKey) -> Option<String> {
    let mut words = name.tokens.iter().filter(|token| token.kind == TokenKind::Word);
    let first = words.next()?;
    let (one, two) = (first.one_spelling(), words.next_back().unwrap_or(first).one_spelling());
    Some(if one <= two { format!("n:{one}+{two}") } else { format!("n:{two}+{one}") })
}

fn sound(skeleton: &str) -> &str {
    skeleton.char_indices().nth(SOUND).map_or(skeleton, |(end, _)| &skeleton[..end])
}

/// The letters of an acronym, sorted and without repeats, because other languages order them otherwise.
fn acronym(name: &NameKey) -> Option<String> {
    let mut letters: Vec<char> = match name.tokens.as_slice() {
        [token] if (2..=10).contains(&token.text.len()) => token.text.chars().collect(),
        _ if name.tokens.len() >= 2 => {
            let main = name.tokens.iter().filter(|token| !matches!(token.kind, TokenKind::Link | TokenKind::Particle(_)));
            main.map(|token| token.initial).collect()
        }
        _ => return None,
    };
    letters.sort_unstable();
    letters.dedup();
    Some(format!("a:{}", letters.into_iter().collect::<String>()))
}
