//! Short forms: a surname, a part of an organisation's name, or an acronym.

use super::key::{NameKey, TokenKind};
use super::verdict::{acronym, judge};
use super::{NameConfig, NameKind, Verdict};

/// Returns whether `short` names less than `full`. For a person, given name and surname are no short form.
pub fn is_short_form(short: &NameKey, full: &NameKey, kind: Option<NameKind>, config: &NameConfig) -> bool {
    let words = |key: &NameKey| key.tokens.iter().filter(|token| token.kind == TokenKind::Word).count();
    if words(short) > words(full) || (kind == Some(NameKind::Person) && words(short) > 1) {
        return false;
    }
    if judge(short.min(full), short.max(full), kind, config).verdict == Verdict::Same {
        return false;
    }
    is_part(short, full) || acronym(short, full, config, 2).is_some()
}

/// Returns whether the other name has each word of this one, and more.
fn is_part(short: &NameKey, full: &NameKey) -> bool {
    let main = |key: &NameKey| {
        let main = key.tokens.iter().filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Number));
        main.map(|token| token.one_spelling().into_owned()).collect::<Vec<_>>()
    };
    let (words, mut rest) = (main(short), main(full));
    let is_found = |word: &String| rest.iter().position(|other| other == word).map(|at| rest.swap_remove(at)).is_some();
    !words.is_empty() && words.iter().all(is_found) && !rest.is_empty()
}
