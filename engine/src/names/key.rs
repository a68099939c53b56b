//! Comparable form of a name: words classified, legal forms and generations separated.

use super::NameConfig;
use super::bracket::without_own_acronym;
use super::compound::unify;
use super::fold::{FoldedWord, fold};
use super::sound::{skeleton, spelling};
use super::words::{LegalForm, WordLists};

/// Kind of a word in a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    Word,
    Initial,
    Number,
    /// "bin", "van", "al", with its group of spellings.
    Particle(u16),
    /// "of", "the", "and".
    Link,
    /// "Dr", "President", at the edge of the name.
    Title,
}

/// One word of a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token {
    pub text: String,
    /// The first letter as written: an acronym takes the T of "Three".
    pub initial: char,
    pub kind: TokenKind,
    pub spelling: String,
    /// Spelling with umlauts as two letters, empty without any.
    pub expanded: String,
    pub skeleton: String,
    /// Spelling without common beginnings and endings: "hamid" of "Abdulhamid".
    pub stem: String,
    /// Whether a common beginning, and a common ending, was taken off.
    pub affixes: (bool, bool),
    /// Rows of `told_apart` of which the word has a part, with the part.
    pub told_apart: Vec<(u16, u16)>,
    /// Frequent as a name, so it tells little.
    pub common: bool,
    /// "Haji": a title also inside a name.
    pub honorific: bool,
    /// Opens a compound name: "Abdul".
    pub opens_name: bool,
    /// Surname by its ending.
    pub surname: bool,
    /// "Ministry": stands before or after what it is for.
    pub office: bool,
    /// Group of equal spellings, 0 for none.
    pub variant: u16,
    pub nicknames: Vec<u16>,
    pub patronymic: bool,
    pub foreign: bool,
    pub ideographic: bool,
    pub caps: bool,
    /// Letters before transliteration, empty for Latin ones.
    pub native: String,
}

/// Comparable form of a name. Made by [`super::NameMatcher::normalise`].
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameKey {
    /// Whole name in lower-case Latin letters with single spaces. Equal for names differing only in form.
    pub folded: String,
    pub(super) tokens: Vec<Token>,
    /// The words of `tokens` without spaces.
    pub(super) joined: String,
    /// Has words that `tokens` spells otherwise: the acronym of a state, "Abd al-Rahman".
    pub(super) is_spelt_out: bool,
    pub(super) legal: Vec<(u16, u16)>,
    /// Initials of the legal form at the end: the C of "BBC".
    pub(super) legal_initials: Vec<char>,
    /// 0 none, 1 the younger, 2 the elder.
    pub(super) generation: u8,
    /// Tokens before the first comma.
    pub(super) comma: Option<usize>,
    /// Contrary words, with their row in the list.
    pub(super) contraries: Vec<(u16, String)>,
    /// Digits of all words, sorted.
    pub(super) digits: Vec<String>,
}

impl NameKey {
    /// Returns the words in order, without legal forms and generations.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().map(|token| token.text.as_str())
    }

    /// Returns the original letters of transliterated words.
    pub(super) fn native_letters(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().map(|token| token.native.as_str())
    }

    /// Returns whether the name has nothing to compare.
    pub fn is_empty(&self) -> bool {
        self.folded.is_empty()
    }
}

/// Maximum length of a legal form, in words.
const FORM_WORDS: usize = 9;
/// Maximum length of a legal form, in letters.
const MAX_FORM: usize = 64;

pub fn normalise(name: &str, words: &WordLists, config: &NameConfig) -> NameKey {
    let (mut parts, mut comma) = fold(without_own_acronym(name, words), config.max_chars, config.max_words);
    let folded = join(&parts, " ");
    split_hump(&mut parts, words);
    let mut key = NameKey { folded, ..NameKey::default() };
    let country = spell_out(&mut parts, words);
    let before = parts.len();
    key.legal_initials = take_legal_forms(&mut parts, words, &mut key.legal);
    take_generation(&mut parts, words, &mut key.generation);
    if parts.len() != before {
        // "Acme, Ltd." and "Smith, Jr.": the comma did not turn the name around.
        comma = comma.filter(|&at| at < parts.len());
    }
    key.is_spelt_out = unify(&mut parts, country, words) || country > 0;
    key.comma = comma;
    key.tokens = tokens(&parts, country, words);
    key.joined = key.tokens.iter().map(|token| token.text.as_str()).collect();
    key.digits = key.tokens.iter().filter_map(|token| digits(&token.text)).collect();
    key.digits.sort_unstable();
    let contrary = |token: &Token| Some((*words.contraries.get(&token.text)?, token.text.clone()));
    key.contraries = key.tokens.iter().filter_map(contrary).collect();
    key.contraries.sort_unstable();
    key
}

fn join(parts: &[FoldedWord], by: &str) -> String {
    let mut out = String::with_capacity(parts.iter().map(|part| part.text.len() + 1).sum());
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            out.push_str(by);
        }
        out.push_str(&part.text);
    }
    out
}

fn digits(word: &str) -> Option<String> {
    let digits: String = word.chars().filter(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
}

/// "AutolineAG" -> "Autoline" "AG".
fn split_hump(parts: &mut Vec<FoldedWord>, words: &WordLists) {
    let Some(last) = parts.last_mut() else { return };
    if let Some(at) = last.hump
        && at > 2
        && last.text.get(at..).is_some_and(|end| words.legal.contains_key(end))
    {
        let form = FoldedWord { text: last.text.split_off(at), ..FoldedWord::default() };
        last.expanded.clear();
        parts.push(form);
    }
}

/// "U.S. Army" -> "united states army": one word in capitals, or its letters. Returns the number of words of the state.
fn spell_out(parts: &mut Vec<FoldedWord>, words: &WordLists) -> usize {
    let letters = parts.iter().take_while(|part| part.text.len() == 1 && part.capital).count();
    let (short, used) = match parts.first() {
        Some(first) if first.caps => (first.text.clone(), 1),
        _ => (parts[..letters].iter().map(|part| part.text.as_str()).collect(), letters),
    };
    let Some(long) = words.countries.get(&short) else { return 0 };
    let word = |text: &str| FoldedWord { text: text.to_owned(), capital: true, ..FoldedWord::default() };
    parts.splice(..used, long.split(' ').map(word));
    long.split(' ').count()
}

/// Takes the legal forms off both ends. Returns the initials of those at the end.
fn take_legal_forms(parts: &mut Vec<FoldedWord>, words: &WordLists, found: &mut Vec<(u16, u16)>) -> Vec<char> {
    let joined = join(parts, "");
    // Word boundaries in `joined`.
    let starts: Vec<usize> = std::iter::once(0)
        .chain(parts.iter().scan(0, |at, part| {
            *at += part.text.len();
            Some(*at)
        }))
        .collect();
    let (mut from, mut to) = (0, parts.len());
    let at_end = |to: usize| {
        let first = to.saturating_sub(FORM_WORDS).max(1);
        let form = |from: usize| {
            legal_form(&joined[starts[from]..starts[to]], words).filter(|form| form.titled || !small_word(&parts[from..to]))
        };
        (first..to).find_map(|from| Some((form(from)?, from)))
    };
    while let Some((form, cut)) = at_end(to) {
        found.push((form.id, form.class));
        to = cut;
    }
    let at_start = |from: usize| {
        let longest = (from + FORM_WORDS).min(to.saturating_sub(1));
        let form = |end: usize| legal_form(&joined[starts[from]..starts[end]], words).filter(|form| form.leads);
        (from + 1..=longest).rev().find_map(|end| Some((form(end)?, end)))
    };
    while let Some((form, cut)) = at_start(from) {
        found.push((form.id, form.class));
        from = cut;
    }
    let initials = parts[to..].iter().filter_map(|part| part.text.chars().next()).collect();
    parts.truncate(to);
    parts.drain(..from);
    found.sort_unstable();
    found.dedup();
    initials
}

/// Returns whether a two-letter word is written like a name: the "As" of "van As".
fn small_word(parts: &[FoldedWord]) -> bool {
    matches!(parts, [part] if part.text.len() == 2 && part.capital && !part.caps)
}

fn legal_form(joined: &str, words: &WordLists) -> Option<LegalForm> {
    if joined.len() > MAX_FORM {
        return None;
    }
    words.legal.get(joined).copied().or_else(|| {
        let near = |form: &&(String, LegalForm)| {
            form.0.len().abs_diff(joined.len()) <= 1
                && form.0.as_bytes()[0] == joined.as_bytes()[0]
                && super::distance::edits(&form.0, joined, 1).is_some()
        };
        words.long_legal.iter().find(near).map(|form| form.1)
    })
}

fn take_generation(parts: &mut Vec<FoldedWord>, words: &WordLists, generation: &mut u8) {
    if parts.len() > 2
        && let Some(last) = parts.last()
        && let Some(&found) = words.generations.get(&last.text)
    {
        *generation = found;
        parts.pop();
    }
}

/// Classifies the words of a name that begins with this many words of a state.
fn tokens(parts: &[FoldedWord], country: usize, words: &WordLists) -> Vec<Token> {
    let is_title = |part: &FoldedWord| words.titles.contains(&part.text);
    let leads = |part: &FoldedWord| is_title(part) || words.leading_titles.contains(&part.text);
    // "US President Ana Morel": the state belongs to the title.
    let titles = |from: usize| parts.iter().skip(from).take_while(|part| leads(part)).count();
    let lead = match titles(country) {
        0 => titles(0),
        titles => country + titles,
    };
    let lead = if lead == parts.len() { 0 } else { lead };
    let tail = parts.iter().rev().take_while(|part| is_title(part)).count();
    let tail_from = if tail + lead >= parts.len() { parts.len() } else { parts.len() - tail };
    let all_caps = parts.iter().all(|part| part.caps || part.text.len() < 2);
    let last = parts.len().saturating_sub(1);
    let token = |(i, part): (usize, &FoldedWord)| {
        let title = i < lead || i >= tail_from;
        token(part, words, WordPosition { first: i == 0, last: i == last, title, mixed_case: !all_caps })
    };
    parts.iter().enumerate().map(token).collect()
}

/// Position of a word in the name.
struct WordPosition {
    first: bool,
    last: bool,
    title: bool,
    mixed_case: bool,
}

fn token(part: &FoldedWord, words: &WordLists, place: WordPosition) -> Token {
    let text = words.abbreviations.get(&part.text).unwrap_or(&part.text);
    let number = number(part, text, words, &place);
    let one_letter = text.chars().nth(1).is_none() && !part.ideographic;
    let kind = if number.is_some() {
        TokenKind::Number
    } else if one_letter && (part.capital || place.first) {
        TokenKind::Initial
    } else if let Some(&group) = words.particles.get(text) {
        TokenKind::Particle(group)
    } else if words.links.contains(text) {
        TokenKind::Link
    } else if place.title {
        TokenKind::Title
    } else if one_letter {
        TokenKind::Initial
    } else {
        TokenKind::Word
    };
    let initial = text.chars().next().unwrap_or(' ');
    let text = number.unwrap_or_else(|| text.clone());
    let (stem, affixes) = words.stem(&text);
    Token {
        initial,
        stem: spelling(stem).replace("zh", "j"),
        affixes,
        told_apart: words.told_apart_parts(&text),
        common: words.common.contains(&text),
        honorific: words.honorifics.contains(&text),
        opens_name: words.opens_name(&text),
        surname: words.is_surname(&text),
        office: words.offices.contains(&text),
        spelling: spelling(&text),
        expanded: spelling(&part.expanded),
        skeleton: skeleton(&text),
        variant: words.variants.get(&text).copied().unwrap_or(0),
        nicknames: words.nicknames.get(&text).cloned().unwrap_or_default(),
        patronymic: words.is_patronymic(&text),
        kind,
        foreign: part.foreign,
        ideographic: part.ideographic,
        caps: part.caps && place.mixed_case,
        native: part.native.clone(),
        text,
    }
}

/// Returns the digits of a number word: "007", "2nd", "third", "IV".
fn number(part: &FoldedWord, text: &str, words: &WordLists, place: &WordPosition) -> Option<String> {
    let figures = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ordinal = matches!(&text[figures.len()..], "" | "st" | "nd" | "rd" | "th" | "er" | "re" | "eme");
    if !figures.is_empty() && ordinal && figures.bytes().all(|b| b.is_ascii_digit()) {
        let plain = figures.trim_start_matches('0');
        return Some(if plain.is_empty() { "0" } else { plain }.to_owned());
    }
    if let Some(value) = words.numbers.get(text) {
        return Some(value.to_string());
    }
    let one_letter = text.len() == 1 && place.last;
    (!place.first && (part.caps || one_letter)).then(|| roman(text)).flatten().map(|value| value.to_string())
}

/// Parses Roman numerals up to 39, as used by funds, popes and congresses.
fn roman(text: &str) -> Option<u32> {
    let mut total = 0;
    let mut last = 0;
    for letter in text.bytes().rev() {
        let value = match letter {
            b'i' => 1,
            b'v' => 5,
            b'x' => 10,
            _ => return None,
        };
        total = if value < last { total - value } else { total + value };
        last = last.max(value);
    }
    (total > 0 && total < 40).then_some(total)
}
