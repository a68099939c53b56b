//! Alignment of the words of two names: equal ones first, then glued or split ones, then similar ones.

use super::NameConfig;
use super::distance::edits;
use super::kana::{is_katakana, spells};
use super::key::{Token, TokenKind};
use super::slip::{is_native_slip, is_slip, is_slip_in_part};
use std::borrow::Cow;

/// Grade of a word pair, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    Exact,
    /// Other spelling of the same word.
    Variant,
    Initial,
    /// One slip of spelling in a long word.
    Slip,
    Nickname,
    /// Similar word with differing letters.
    Fuzzy,
    /// Unequal numbers.
    OtherNumber,
}

/// Pair of words `a.0..a.0 + a.1` of one name and `b.0..b.0 + b.1` of the other.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub a: (usize, usize),
    pub b: (usize, usize),
    pub grade: Grade,
    /// Number of differing letters, reduced where they sound alike.
    pub edits: f32,
    pub len: f32,
}

/// Word pairs, and unmatched words.
#[derive(Debug, Default)]
pub struct Alignment {
    pub pairs: Vec<Pair>,
    pub left_a: Vec<usize>,
    pub left_b: Vec<usize>,
}

/// Maximum number of words read as one split word.
const SPLIT_WORDS: usize = 4;
/// Minimum length for similarity by spelling rules alone ("Lee" and "Li").
const SPELLING_LETTERS: usize = 4;
/// Minimum length for similarity by consonants; vowels distinguish short names ("Olga" and "Oleg").
const SOUND_LETTERS: usize = 5;
/// Weight of an ideographic character, which is a syllable.
const IDEOGRAPH_EDITS: f32 = 2.5;
/// Weight of a slip.
const SLIP_EDITS: f32 = 0.4;
/// Minimum number of ideographs that transliterate to one name; shorter names share their sound with many.
const DISTINCT_IDEOGRAPHS: usize = 3;

pub fn align(a: &[Token], b: &[Token], config: &NameConfig) -> Alignment {
    let (used_a, used_b) = (vec![false; a.len()], vec![false; b.len()]);
    let mut state = State { a, b, config, used_a, used_b, pairs: Vec::with_capacity(a.len()) };
    state.pair_where(equal, Grade::Exact);
    if !state.done() {
        state.pair_where(same_word, Grade::Variant);
        state.pair_split_words();
        state.pair_alike();
    }
    let left = |used: &[bool]| (0..used.len()).filter(|&i| !used[i]).collect();
    state.pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
    Alignment { left_a: left(&state.used_a), left_b: left(&state.used_b), pairs: state.pairs }
}

fn equal(a: &Token, b: &Token) -> bool {
    match (a.kind, b.kind) {
        (TokenKind::Particle(x), TokenKind::Particle(y)) => x == y,
        (x, y) => a.text == b.text && (x == TokenKind::Number) == (y == TokenKind::Number),
    }
}

/// Returns whether native spellings differ: transliteration may map different words to one form. Katakana spells sounds.
fn written_otherwise(a: &Token, b: &Token) -> bool {
    let listed = a.variant != 0 && a.variant == b.variant;
    let by_sound = is_katakana(&a.native) || is_katakana(&b.native);
    (a.ideographic != b.ideographic && !by_sound)
        || (!listed && !a.native.is_empty() && !b.native.is_empty() && a.native != b.native)
}

impl Token {
    /// Returns the common form of spelling variants.
    pub(super) fn one_spelling(&self) -> Cow<'_, str> {
        match self.variant {
            0 if self.text.len() >= SPELLING_LETTERS => Cow::Borrowed(&self.spelling),
            0 => Cow::Borrowed(&self.text),
            variant => Cow::Owned(variant.to_string()),
        }
    }
}

fn same_word(a: &Token, b: &Token) -> bool {
    let whole = |t: &Token| matches!(t.kind, TokenKind::Word | TokenKind::Title);
    let long = a.text.len() >= SPELLING_LETTERS && b.text.len() >= SPELLING_LETTERS;
    whole(a)
        && whole(b)
        && ((a.variant != 0 && a.variant == b.variant)
            || (long && !(a.ideographic && b.ideographic) && a.spelling == b.spelling)
            || (long && (is_expanded(a, b) || is_expanded(b, a)))
            || is_spelt_in_katakana(a, b)
            || is_spelt_in_katakana(b, a))
}

/// "Müller" and "Mueller".
fn is_expanded(marked: &Token, plain: &Token) -> bool {
    !marked.expanded.is_empty() && marked.expanded == plain.spelling
}

fn is_spelt_in_katakana(syllables: &Token, word: &Token) -> bool {
    !word.ideographic && is_katakana(&syllables.native) && spells(&syllables.text, &word.text)
}

struct State<'a> {
    a: &'a [Token],
    b: &'a [Token],
    config: &'a NameConfig,
    used_a: Vec<bool>,
    used_b: Vec<bool>,
    pairs: Vec<Pair>,
}

impl State<'_> {
    fn done(&self) -> bool {
        self.used_a.iter().all(|&used| used) || self.used_b.iter().all(|&used| used)
    }

    fn take(&mut self, pair: Pair) {
        self.used_a[pair.a.0..pair.a.0 + pair.a.1].fill(true);
        self.used_b[pair.b.0..pair.b.0 + pair.b.1].fill(true);
        self.pairs.push(pair);
    }

    fn pair_where(&mut self, same: fn(&Token, &Token) -> bool, grade: Grade) {
        for i in 0..self.a.len() {
            if self.used_a[i] {
                continue;
            }
            if let Some(j) = (0..self.b.len()).find(|&j| !self.used_b[j] && same(&self.a[i], &self.b[j])) {
                let (one, two) = (&self.a[i], &self.b[j]);
                let len = one.text.len().max(two.text.len()) as f32;
                let (grade, edits) = self.grade_of_writing(one, two).unwrap_or((grade, 0.0));
                self.take(Pair { a: (i, 1), b: (j, 1), grade, edits, len });
            }
        }
    }

    /// Returns the grade of words of equal sound that are written in another way.
    fn grade_of_writing(&self, one: &Token, two: &Token) -> Option<(Grade, f32)> {
        let is_slip = || {
            let is_spelt = !one.ideographic && !two.ideographic && self.config.slip_letters > 0;
            is_spelt && is_native_slip(&one.native, &two.native)
        };
        let fuzzy = || if is_slip() { (Grade::Slip, SLIP_EDITS) } else { (Grade::Fuzzy, 1.0) };
        written_otherwise(one, two).then(fuzzy)
    }

    fn pair_split_words(&mut self) {
        for j in 0..self.b.len() {
            if !self.used_b[j]
                && let Some((from, len, grade, edits)) = find_split(self.a, &self.used_a, &self.b[j], self.config)
            {
                let letters = self.b[j].text.len() as f32;
                self.take(Pair { a: (from, len), b: (j, 1), grade, edits, len: letters });
            }
        }
        for i in 0..self.a.len() {
            if !self.used_a[i]
                && let Some((from, len, grade, edits)) = find_split(self.b, &self.used_b, &self.a[i], self.config)
            {
                let letters = self.a[i].text.len() as f32;
                self.take(Pair { a: (i, 1), b: (from, len), grade, edits, len: letters });
            }
        }
    }

    /// "Karl J. Sommer" is not "Karl Jansen": an initial before the surname is not a surname.
    fn abridges_surname(&self, i: usize, j: usize) -> bool {
        is_surname(self.a, i, self.b, j) || is_surname(self.b, j, self.a, i)
    }

    fn pair_alike(&mut self) {
        let mut found: Vec<(f32, Pair)> = Vec::new();
        for i in (0..self.a.len()).filter(|&i| !self.used_a[i]) {
            for j in (0..self.b.len()).filter(|&j| !self.used_b[j]) {
                if let Some((grade, edits)) = alike(&self.a[i], &self.b[j], self.config)
                    && (grade != Grade::Initial || (!self.abridges_surname(i, j)))
                {
                    let len = self.a[i].text.len().max(self.b[j].text.len()) as f32;
                    found.push((edits / len, Pair { a: (i, 1), b: (j, 1), grade, edits, len }));
                }
            }
        }
        found.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1.a, x.1.b).cmp(&(y.1.a, y.1.b))));
        for (_, pair) in found {
            if !self.used_a[pair.a.0] && !self.used_b[pair.b.0] {
                self.take(pair);
            }
        }
    }
}

/// Returns whether the word at `word` of `names` is the last of several, and the initial at `initial` of `others` is not.
fn is_surname(names: &[Token], word: usize, others: &[Token], initial: usize) -> bool {
    names[word].kind != TokenKind::Initial && names.len() > 1 && word + 1 == names.len() && initial + 1 < others.len()
}

/// Finds adjacent unmatched words that together equal, or nearly equal, `whole`.
fn find_split(parts: &[Token], used: &[bool], whole: &Token, config: &NameConfig) -> Option<(usize, usize, Grade, f32)> {
    if whole.kind != TokenKind::Word {
        return None;
    }
    let is_short = whole.text.len() < SPELLING_LETTERS;
    for from in 0..parts.len() {
        let mut joined = String::new();
        for to in from..parts.len().min(from + SPLIT_WORDS) {
            if used[to] {
                break;
            }
            joined.push_str(&parts[to].text);
            if to == from || joined.len().abs_diff(whole.text.len()) > 1 {
                continue;
            }
            // "L.X.C." and "LXC"; but "Li A" is not "Lia".
            if is_short && !(joined == whole.text && parts[from..=to].iter().all(|part| part.kind == TokenKind::Initial)) {
                continue;
            }
            let is_spelt = !whole.ideographic && !parts[from].ideographic;
            let ideographs = whole.native.chars().count().max(parts[from].native.chars().count());
            let grade = match edits(&joined, &whole.text, 1) {
                Some(0) if parts[from].ideographic != whole.ideographic && ideographs < DISTINCT_IDEOGRAPHS => {
                    (Grade::Fuzzy, 1.0)
                }
                Some(0) => (Grade::Exact, 0.0),
                Some(_) if is_spelt && is_slip_in_part(&parts[from..=to], whole, config.slip_letters) => {
                    (Grade::Slip, SLIP_EDITS)
                }
                Some(_) => (Grade::Fuzzy, 1.0),
                None => continue,
            };
            return Some((from, to + 1 - from, grade.0, grade.1));
        }
    }
    None
}

fn alike(a: &Token, b: &Token, config: &NameConfig) -> Option<(Grade, f32)> {
    use TokenKind::{Initial, Number, Title, Word};
    let len = a.text.len().max(b.text.len());
    match (a.kind, b.kind) {
        (Number, Number) => Some((Grade::OtherNumber, edits(&a.text, &b.text, len).unwrap_or(len) as f32)),
        (Initial, Word) => b.text.starts_with(&a.text).then_some((Grade::Initial, 0.5)),
        (Word, Initial) => a.text.starts_with(&b.text).then_some((Grade::Initial, 0.5)),
        (Word | Title, Word | Title) => words_alike(a, b, len, config),
        _ => None,
    }
}

fn words_alike(a: &Token, b: &Token, len: usize, config: &NameConfig) -> Option<(Grade, f32)> {
    if a.nicknames.iter().any(|group| b.nicknames.contains(group)) {
        return Some((Grade::Nickname, 1.0));
    }
    if !a.ideographic && !b.ideographic && is_slip(a, b, config.slip_letters) {
        return Some((Grade::Slip, SLIP_EDITS));
    }
    let one_sound = a.skeleton == b.skeleton && a.skeleton.len() > 1;
    let limit = (len as f32 * config.word_distance) as usize;
    if a.foreign != b.foreign {
        if one_sound {
            return Some((Grade::Fuzzy, 0.5));
        }
        if a.skeleton.len() > 2 && edits(&a.skeleton, &b.skeleton, 1).is_some() {
            return Some((Grade::Fuzzy, 2.0));
        }
    }
    let count = edits(&a.text, &b.text, limit)? as f32;
    let factor = match (a.ideographic && b.ideographic, one_sound && len >= SOUND_LETTERS) {
        (true, _) => IDEOGRAPH_EDITS,
        (false, true) => 0.6,
        (false, false) => 1.0,
    };
    Some((Grade::Fuzzy, count * factor))
}
