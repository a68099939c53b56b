//! Slips of spelling: one letter more, less, other or out of place in a long word.
//!
//! Invariant: the first letter agrees, and so does the last, which tells "Ivanov" from "Ivanova". Words of a row in `told_apart` of the
//! word lists are never one word.

use super::distance::edits;
use super::key::Token;

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
    let len = one.len().min(other.len());
    if a.affixes != b.affixes || len + TRANSPOSED_LETTERS < least || edits(one, other, 1).is_none() {
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
