//! Word lists of names: titles, particles, legal forms, spellings. Loaded from `config/locale/names.toml`, which an operator may
//! replace.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use serde::Deserialize;

const BUILT_IN: &str = include_str!("../../../config/locale/names.toml");

/// Error of parsing word lists.
#[derive(Debug, thiserror::Error)]
#[error("invalid name word lists, compare with config/locale/names.toml: {0}")]
pub struct WordsError(#[from] toml::de::Error);

/// Class of a legal form; different classes exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LegalForm {
    pub id: u16,
    /// Class; 0 is compatible with all.
    pub class: u16,
    pub leads: bool,
    pub titled: bool,
}

type WordMap<T> = HashMap<String, T, BuildHasherDefault<WordHash>>;
type WordSet = HashSet<String, BuildHasherDefault<WordHash>>;

/// FNV-1a hash: half the comparison time is look-up of short words, in trusted lists.
#[derive(Clone)]
pub(super) struct WordHash(u64);

impl Default for WordHash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for WordHash {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Word lists, prepared for look-up.
#[derive(Clone, Debug, Default)]
pub struct WordLists {
    pub(super) titles: WordSet,
    /// Titles only valid before a name.
    pub(super) leading_titles: WordSet,
    /// Description words before a name: whole words, or endings after a hyphen.
    pub(super) descriptors: WordSet,
    /// Common key by folded name of a news agency.
    pub(super) agencies: WordMap<String>,
    pub(super) generations: WordMap<u8>,
    pub(super) particles: WordMap<u16>,
    pub(super) links: WordSet,
    pub(super) patronymic_endings: Vec<String>,
    /// Endings that show a surname in any position.
    surname_endings: Vec<String>,
    /// Titles that also stand inside a name.
    pub(super) honorifics: WordSet,
    /// Offices that stand before or after what they are for.
    pub(super) offices: WordSet,
    /// Names so frequent that they tell little.
    pub(super) common: WordSet,
    /// Common beginnings and endings of longer names.
    affixes: Affixes,
    /// Parts that look alike but make two words: a row each.
    told_apart: Vec<Vec<String>>,
    /// Long form by acronym of states and their unions.
    pub(super) countries: WordMap<String>,
    pub(super) contraries: WordMap<u16>,
    pub(super) abbreviations: WordMap<String>,
    pub(super) numbers: WordMap<u64>,
    pub(super) variants: WordMap<u16>,
    pub(super) nicknames: WordMap<Vec<u16>>,
    /// Legal forms by their words without spaces.
    pub(super) legal: WordMap<LegalForm>,
    /// Long legal forms, matched with one slip of spelling.
    pub(super) long_legal: Vec<(String, LegalForm)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    titles: Vec<String>,
    leading_titles: Vec<String>,
    descriptors: Vec<String>,
    agencies: Rows,
    generations: Vec<String>,
    particles: Vec<Vec<String>>,
    links: Vec<String>,
    patronymic_endings: Vec<String>,
    contraries: Vec<Vec<String>>,
    surname_endings: Vec<String>,
    honorifics: Vec<String>,
    offices: Vec<String>,
    common_names: Vec<String>,
    told_apart: Vec<Vec<String>>,
    affixes: Affixes,
    countries: WordMap<String>,
    abbreviations: WordMap<String>,
    numbers: WordMap<u64>,
    variants: Rows,
    nicknames: Rows,
    legal_forms: Vec<LegalRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    rows: Vec<Vec<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Affixes {
    beginnings: Vec<String>,
    endings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LegalRow {
    #[serde(rename = "id")]
    _id: String,
    class: String,
    #[serde(default)]
    leads: bool,
    #[serde(default)]
    titled: bool,
    words: Vec<String>,
}

/// Minimum length of legal forms matched with one slip of spelling.
const LONG_FORM: usize = 12;

impl WordLists {
    /// Returns the built-in lists.
    pub fn built_in() -> Self {
        // A test parses the built-in file, so the fallback is unused.
        Self::from_toml(BUILT_IN).unwrap_or_default()
    }

    /// Parses lists in the format of `config/locale/names.toml`.
    pub fn from_toml(text: &str) -> Result<Self, WordsError> {
        let file: File = toml::from_str(text)?;
        let mut words = Self {
            titles: file.titles.into_iter().collect(),
            leading_titles: file.leading_titles.into_iter().collect(),
            descriptors: file.descriptors.into_iter().collect(),
            agencies: by_first(file.agencies.rows),
            generations: file.generations.into_iter().zip([1, 1, 2, 2, 3, 3]).collect(),
            particles: numbered(file.particles),
            links: file.links.into_iter().collect(),
            patronymic_endings: file.patronymic_endings,
            contraries: numbered(file.contraries),
            surname_endings: file.surname_endings,
            honorifics: file.honorifics.into_iter().collect(),
            offices: file.offices.into_iter().collect(),
            common: file.common_names.into_iter().collect(),
            affixes: file.affixes,
            told_apart: file.told_apart,
            countries: file.countries,
            abbreviations: file.abbreviations,
            numbers: file.numbers,
            variants: numbered(file.variants.rows),
            ..Self::default()
        };
        for (number, row) in (1..).zip(file.nicknames.rows) {
            for word in row {
                words.nicknames.entry(word).or_default().push(number);
            }
        }
        words.add_legal_forms(file.legal_forms);
        Ok(words)
    }

    fn add_legal_forms(&mut self, rows: Vec<LegalRow>) {
        let mut classes = vec!["any".to_owned()];
        for (id, row) in (1..).zip(rows) {
            let class = classes.iter().position(|c| *c == row.class).unwrap_or_else(|| {
                classes.push(row.class.clone());
                classes.len() - 1
            });
            let form = LegalForm { id, class: class as u16, leads: row.leads, titled: row.titled };
            for phrase in row.words {
                let joined = phrase.replace(' ', "");
                if joined.len() >= LONG_FORM {
                    self.long_legal.push((joined.clone(), form));
                }
                self.legal.insert(joined, form);
            }
        }
    }

    /// Returns whether a word is a patronymic.
    pub(super) fn is_patronymic(&self, word: &str) -> bool {
        has_ending(word, &self.patronymic_endings)
    }

    /// Returns whether a word is a surname by its ending.
    pub(super) fn is_surname(&self, word: &str) -> bool {
        has_ending(word, &self.surname_endings)
    }

    /// Returns a word without its common beginning and ending, and whether it had them.
    pub(super) fn stem<'a>(&self, word: &'a str) -> (&'a str, (bool, bool)) {
        let beginning = self.affixes.beginnings.iter().find_map(|beginning| word.strip_prefix(beginning.as_str()));
        let rest = beginning.unwrap_or(word);
        let ending = self.affixes.endings.iter().find_map(|ending| rest.strip_suffix(ending.as_str()));
        (ending.unwrap_or(rest), (beginning.is_some(), ending.is_some()))
    }

    /// Returns whether a word is a common beginning by itself, which opens a compound name.
    pub(super) fn opens_name(&self, word: &str) -> bool {
        self.affixes.beginnings.iter().any(|beginning| beginning == word)
    }

    /// Returns the rows of `told_apart` by beginning and by ending, with the part that the word has.
    pub(super) fn told_apart_parts(&self, word: &str) -> Vec<(u16, u16)> {
        let rows = (0..).step_by(2).zip(&self.told_apart);
        let parts = rows.flat_map(|(row, parts)| (0..).zip(parts).map(move |(at, part)| (row, at, part.as_str())));
        let found = parts.flat_map(|(row, at, part)| {
            let beginning = word.starts_with(part).then_some((row, at));
            beginning.into_iter().chain(word.ends_with(part).then_some((row + 1, at)))
        });
        found.collect()
    }
}

fn has_ending(word: &str, endings: &[String]) -> bool {
    endings.iter().any(|end| word.len() > end.len() + 1 && word.ends_with(end.as_str()))
}

fn numbered(rows: Vec<Vec<String>>) -> WordMap<u16> {
    (1..).zip(rows).flat_map(|(number, row)| row.into_iter().map(move |word| (word, number))).collect()
}

/// Maps every word of a row to its first word.
fn by_first(rows: Vec<Vec<String>>) -> WordMap<String> {
    let row = |row: Vec<String>| {
        let first = row.first().cloned().unwrap_or_default();
        row.into_iter().map(move |word| (word, first.clone()))
    };
    rows.into_iter().flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::WordLists;

    #[test]
    fn the_built_in_lists_can_be_read() {
        let words = WordLists::from_toml(super::BUILT_IN).expect("config/locale/names.toml");
        assert!(words.legal.len() > 100 && words.titles.len() > 80 && words.variants.len() > 100);
    }

    #[test]
    fn an_unknown_list_is_refused() {
        let message = WordLists::from_toml("colours = []").expect_err("unknown key").to_string();
        assert!(message.contains("config/locale/names.toml"), "{message}");
    }
}
