//! Blocking keys of names, by which a database finds candidates. Each key starts with its family: `f:` all letters, `n:` first
//! and last word, `a:` letters of an acronym, `p:` sound of two words, `w:` sound of one, `g:` sound of a short name without spaces.
//!
//! Same names nearly always share an exact key (`f:` or `n:`); the others find similar names.

use super::key::{NameKey, Token, TokenKind};
use super::sound::skeleton;
use std::collections::BTreeSet;

/// Number of leading words that form pairs.
const PAIRED_WORDS: usize = 4;
/// Maximum length of a sound key, so that slips at the end of a word do no harm.
const SOUND: usize = 3;
/// Minimum letters, and maximum words and sounds, of a name that may be written as one word.
const GLUED_LETTERS: usize = 10;
const GLUED_WORDS: usize = 3;
const GLUED_SOUND: usize = 8;
/// Minimum length of a word that is a key alone.
const SINGLE_LETTERS: usize = 4;
const EXACT: [&str; 2] = ["f:", "n:"];

/// Returns whether the key means equal spelling, not merely similar sound.
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
    let folded = name.folded.replace(' ', "");
    if name.is_spelt_out && folded != name.joined {
        keys.push(format!("f:{folded}"));
    }
    keys.extend(spelling_key(name));
    if name.joined.len() >= GLUED_LETTERS && words.len() <= GLUED_WORDS {
        keys.push(format!("g:{}", opening(&skeleton(&name.joined), GLUED_SOUND)));
    }
    keys.extend(acronyms(name));
    let alone = |token: &&&Token| token.text.len() >= SINGLE_LETTERS || token.ideographic || words.len() == 1;
    for token in words.first().into_iter().chain(words.last()).filter(alone) {
        keys.push(format!("w:{}", token.skeleton));
    }
    let whole: Vec<&str> = words.iter().map(|token| opening(&token.skeleton, SOUND)).collect();
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

/// Returns first and last word in alphabetical order, because a surname may come first.
fn spelling_key(name: &NameKey) -> Option<String> {
    let mut words = name.tokens.iter().filter(|token| token.kind == TokenKind::Word);
    let first = words.next()?;
    let (one, two) = (first.one_spelling(), words.next_back().unwrap_or(first).one_spelling());
    Some(if one <= two { format!("n:{one}+{two}") } else { format!("n:{two}+{one}") })
}

fn opening(skeleton: &str, sounds: usize) -> &str {
    skeleton.char_indices().nth(sounds).map_or(skeleton, |(end, _)| &skeleton[..end])
}

/// Returns the letters of an acronym, sorted and unique, because languages order them differently; for a long form without its legal
/// form, and with it.
fn acronyms(name: &NameKey) -> Vec<String> {
    let key = |letters: &mut dyn Iterator<Item = char>| {
        let letters: BTreeSet<char> = letters.collect();
        format!("a:{}", letters.into_iter().collect::<String>())
    };
    match name.tokens.as_slice() {
        [token] if (2..=10).contains(&token.text.len()) => vec![key(&mut token.text.chars())],
        tokens if tokens.len() >= 2 => {
            let main = tokens.iter().filter(|token| !matches!(token.kind, TokenKind::Link | TokenKind::Particle(_)));
            let main = main.map(|token| token.initial);
            let mut keys = vec![key(&mut main.clone())];
            keys.push(key(&mut main.chain(name.legal_initials.iter().copied())));
            keys
        }
        _ => vec![],
    }
}
