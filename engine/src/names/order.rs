//! Order of the words of two names, and what explains another order.

use super::align::{Alignment, Pair};
use super::key::{NameKey, Token, TokenKind};

/// Word order of the matched words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordOrder {
    Straight,
    /// Reversed, and marked by a comma or a surname in capitals.
    Declared,
    Turned,
    Shuffled,
}

pub fn order(a: &NameKey, b: &NameKey, alignment: &Alignment) -> WordOrder {
    let main = |pair: &&Pair| matches!(a.tokens[pair.a.0].kind, TokenKind::Word | TokenKind::Initial | TokenKind::Number);
    let mut first = None;
    let mut last = None;
    let mut descents = 0;
    for pair in alignment.pairs.iter().filter(main) {
        let at = pair.b.0;
        first.get_or_insert(at);
        descents += usize::from(last.is_some_and(|last| last > at));
        last = Some(at);
    }
    let closes = first.zip(last).is_some_and(|(first, last)| last < first);
    let surname_in_capitals = |key: &NameKey| key.tokens.iter().any(|token| token.caps && token.text.len() > 2);
    match descents {
        0 => WordOrder::Straight,
        1 if closes && (a.comma.is_some() != b.comma.is_some() || surname_in_capitals(a) || surname_in_capitals(b)) => {
            WordOrder::Declared
        }
        1 if closes => WordOrder::Turned,
        _ => WordOrder::Shuffled,
    }
}

/// "bin Salman Mohammed" beside "Mohammed bin Salman": a name opens with the surname that closes the other. "Ben" is a given name too.
pub fn leads_with_surname(key: &NameKey, other: &NameKey) -> bool {
    let ([particle, surname, _, ..], [_, .., before, last]) = (key.tokens.as_slice(), other.tokens.as_slice()) else {
        return false;
    };
    opens_with_particle(key)
        && particle.text != "ben"
        && before.kind == particle.kind
        && surname.kind == TokenKind::Word
        && last.kind == TokenKind::Word
        && is_one_spelling(surname, last)
}

/// "Interior Ministry" beside "Ministry of the Interior".
pub fn leads_with_office(key: &NameKey, other: &NameKey) -> bool {
    let ([office, of, _, ..], [.., last]) = (key.tokens.as_slice(), other.tokens.as_slice()) else { return false };
    office.office && of.text == "of" && other.tokens.len() > 1 && last.text == office.text
}

/// "bin Khalid Salman" is not "Khalid bin Salman": a particle at the beginning of one name has its partner inside the other.
pub fn has_moved_particle(a: &NameKey, b: &NameKey, alignment: &Alignment) -> bool {
    let leads = |key: &NameKey, at: usize| at == 0 && opens_with_particle(key);
    let is_moved = |pair: &Pair| leads(a, pair.a.0) != leads(b, pair.b.0);
    let is_particle = |pair: &&Pair| matches!(a.tokens[pair.a.0].kind, TokenKind::Particle(_));
    alignment.pairs.iter().filter(is_particle).any(is_moved)
}

fn opens_with_particle(key: &NameKey) -> bool {
    key.tokens.first().is_some_and(|token| matches!(token.kind, TokenKind::Particle(_)))
}

fn is_one_spelling(a: &Token, b: &Token) -> bool {
    a.text == b.text || a.one_spelling() == b.one_spelling()
}
