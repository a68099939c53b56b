//! Word lists of names: titles, particles, legal forms, spellings. Loaded from `config/locale/names.toml`, which an operator may
//! replace.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use serde::{Deserialize, Deserializer};

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
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordLists {
    pub(super) titles: WordSet,
    /// Titles only valid before a name.
    pub(super) leading_titles: WordSet,
    /// Description words before a name: whole words, or endings after a hyphen.
    pub(super) descriptors: WordSet,
    /// Common key by folded name of a news agency.
    #[serde(deserialize_with = "rows_by_first")]
    pub(super) agencies: WordMap<String>,
    #[serde(deserialize_with = "generations")]
    pub(super) generations: WordMap<u8>,
    #[serde(deserialize_with = "numbered")]
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
    #[serde(rename = "common_names")]
    pub(super) common: WordSet,
    /// Common beginnings and endings of longer names.
    affixes: Affixes,
    /// Parts that look alike but make two words: a row each.
    told_apart: Vec<Vec<String>>,
    /// Long form by acronym of states and their unions.
    pub(super) countries: WordMap<String>,
    #[serde(deserialize_with = "numbered")]
    pub(super) contraries: WordMap<u16>,
    pub(super) abbreviations: WordMap<String>,
    pub(super) numbers: WordMap<u64>,
    #[serde(deserialize_with = "numbered_rows")]
    pub(super) variants: WordMap<u16>,
    #[serde(deserialize_with = "nicknames")]
    pub(super) nicknames: WordMap<Vec<u16>>,
    /// Rows of the file, until they are prepared.
    legal_forms: Vec<LegalRow>,
    /// Legal forms by their words without spaces.
    #[serde(skip)]
    pub(super) legal: WordMap<LegalForm>,
    /// Long legal forms, matched with one slip of spelling.
    #[serde(skip)]
    pub(super) long_legal: Vec<(String, LegalForm)>,
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

#[derive(Clone, Debug, Deserialize)]
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
        let mut words: Self = toml::from_str(text)?;
        let rows = std::mem::take(&mut words.legal_forms);
        words.add_legal_forms(rows);
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

fn generations<'de, D: Deserializer<'de>>(file: D) -> Result<WordMap<u8>, D::Error> {
    Ok(Vec::<String>::deserialize(file)?.into_iter().zip([1, 1, 2, 2, 3, 3]).collect())
}

fn numbered<'de, D: Deserializer<'de>>(file: D) -> Result<WordMap<u16>, D::Error> {
    Ok(number(Vec::deserialize(file)?))
}

fn numbered_rows<'de, D: Deserializer<'de>>(file: D) -> Result<WordMap<u16>, D::Error> {
    Ok(number(Rows::deserialize(file)?.rows))
}

fn number(rows: Vec<Vec<String>>) -> WordMap<u16> {
    (1..).zip(rows).flat_map(|(number, row)| row.into_iter().map(move |word| (word, number))).collect()
}

fn nicknames<'de, D: Deserializer<'de>>(file: D) -> Result<WordMap<Vec<u16>>, D::Error> {
    let mut nicknames: WordMap<Vec<u16>> = WordMap::default();
    for (number, row) in (1..).zip(Rows::deserialize(file)?.rows) {
        for word in row {
            nicknames.entry(word).or_default().push(number);
        }
    }
    Ok(nicknames)
}

/// Words of each row with the first one of it.
fn rows_by_first<'de, D: Deserializer<'de>>(file: D) -> Result<WordMap<String>, D::Error> {
    let row = |row: Vec<String>| {
        let first = row.first().cloned().unwrap_or_default();
        row.into_iter().map(move |word| (word, first.clone()))
    };
    Ok(Rows::deserialize(file)?.rows.into_iter().flat_map(row).collect())
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
