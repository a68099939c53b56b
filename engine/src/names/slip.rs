//! Slips of spelling: one letter more, less, other or out of place in a long word.
//!
//! Invariant: the first letter agrees, and so does the last, which tells "Ivanov" from "Ivanova". Words of a row in `told_apart` of the
//! word lists are never one word.

use super::distance::edits;
use super::key::Token;
use super::sound::spelling;

/// Letters beyond `names.slip_letters` from which a consonant may be missing, added or another.
const CONSONANT_LETTERS: usize = 2;
/// Letters fewer than `names.slip_letters` that suffice for transposed letters, which rarely make another name.
const TRANSPOSED_LETTERS: usize = 1;
/// Maximum number of differing letters in common beginnings and endings.
const AFFIX_EDITS: usize = 2;

/// Returns whether two words are one but for a slip. `least` is the minimum length of both; 0 allows no slip.
pub fn is_slip(a: &Token, b: &Token, least: usize) -> bool {
    let (one, other) = (&a.stem, &b.stem);
    let numbers = [one, other].iter().any(|stem| stem.bytes().any(|b| !b.is_ascii_lowercase()));
    if least == 0 || numbers || is_told_apart(a, b) {
        return false;
    }
    if one == other {
        // "Abdulhamid" and "Abdelhamid" differ in the common part only.
        return one.len() >= SHORTEST_STEM && edits(&a.text, &b.text, AFFIX_EDITS).is_some();
    }
    a.affixes == b.affixes && differ_by_slip(one, other, least)
}

/// Returns whether a word is several words in one but for a slip in a long one of them: "FridrichBuchenberg".
pub fn is_slip_in_part(parts: &[Token], whole: &Token, least: usize) -> bool {
    let join = |tokens: &[Token]| tokens.iter().map(|token| token.text.as_str()).collect::<String>();
    let is_slip_at = |(at, part): (usize, &Token)| {
        let (before, after) = (join(&parts[..at]), join(&parts[at + 1..]));
        let rest = whole.text.strip_prefix(before.as_str());
        let Some(written) = rest.and_then(|rest| rest.strip_suffix(after.as_str())) else { return false };
        let is_plain = [written, part.text.as_str()].iter().all(|text| text.bytes().all(|b| b.is_ascii_lowercase()));
        is_plain
            && part.affixes == (false, false)
            && !is_told_apart(part, whole)
            && before.len() + after.len() >= SHORTEST_STEM
            && differ_by_slip(&spelling(written), &part.spelling, least)
    };
    least > 0 && parts.iter().enumerate().any(is_slip_at)
}

/// Returns whether one letter of long words in their original script is more, less or another.
pub fn is_native_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (least, most) = (one.len().min(other.len()), one.len().max(other.len()));
    let before = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let after = one.iter().rev().zip(other.iter().rev()).take(least - before).take_while(|(a, b)| a == b).count();
    least >= SHORTEST_STEM && most - before - after == 1
}

/// Returns whether two words differ in one slip that their length allows.
fn differ_by_slip(one: &str, other: &str, least: usize) -> bool {
    let len = one.len().min(other.len());
    if len + TRANSPOSED_LETTERS < least || edits(one, other, 1).is_none() {
        return false;
    }
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.first() != other.first() || one.last() != other.last() {
        return false;
    }
    let before = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let rest = one.len().min(other.len()) - before;
    let after = one.iter().rev().zip(other.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (mine, theirs) = (&one[before..one.len() - after], &other[before..other.len() - after]);
    let is_one_sound = match (mine, theirs) {
        ([x], [y]) => (is_vowel(*x) && is_vowel(*y)) || is_sibilant(*x, *y),
        ([x], []) | ([], [x]) => is_vowel(*x),
        // "Brian" is not "Brain".
        ([x, _], [y, _]) => return !(is_vowel(*x) && is_vowel(*y)),
        _ => false,
    };
    len >= if is_one_sound { least } else { least + CONSONANT_LETTERS }
}

/// "Andersen" and "Anderson": another part of one row, at the same end.
fn is_told_apart(a: &Token, b: &Token) -> bool {
    a.told_apart.iter().any(|(row, part)| b.told_apart.iter().any(|(other, theirs)| row == other && part != theirs))
}

/// Minimum length of a stem between common beginnings and endings.
const SHORTEST_STEM: usize = 4;

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y' | b'h')
}

fn is_sibilant(a: u8, b: u8) -> bool {
    let all = [b's', b'z', b'c', b'x'];
    all.contains(&a) && all.contains(&b)
}
