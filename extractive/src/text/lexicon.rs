//! Word lists and gazetteers, read from the data files in `config/locale`.
//!
//! Invariant: all knowledge of single words is in those files. Code knows classes, never words.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::class::{Class, ClassSet};

/// A list could not be used.
#[derive(Debug, thiserror::Error)]
pub enum LexiconError {
    #[error("the word list is not valid TOML: {0}")]
    Syntax(#[from] toml::de::Error),
    #[error("the word list has a class `{0}` that this program does not know; remove it or correct its name")]
    UnknownClass(String),
}

/// One file of `config/locale`; every part is optional.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LocaleFile {
    words: HashMap<String, String>,
    abbreviations: HashMap<String, String>,
    numbers: HashMap<String, f64>,
    relative_days: HashMap<String, i64>,
    inflection: toml::Table,
    irregular: HashMap<String, String>,
    irregular_nouns: HashMap<String, String>,
    prefixes: HashMap<String, String>,
    countries: String,
    regions: String,
    cities: String,
}

/// When a full stop after an abbreviation ends no sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abbreviation {
    Always,
    BeforeNumber,
    UnlessSentenceFollows,
}

/// Several words with a meaning of their own.
#[derive(Debug)]
pub struct Phrase {
    pub words: Vec<Box<str>>,
    pub classes: ClassSet,
}

/// Word lists and gazetteers of one language.
#[derive(Default)]
pub struct Lexicon {
    words: HashMap<Box<str>, ClassSet>,
    phrases: HashMap<Box<str>, Vec<Phrase>>,
    places: HashMap<Box<str>, Box<str>>,
    countries: HashMap<Box<str>, Box<str>>,
    abbreviations: HashMap<Box<str>, Abbreviation>,
    numbers: HashMap<Box<str>, f64>,
    relative_days: HashMap<Box<str>, i64>,
    endings: Vec<(Box<str>, Vec<Box<str>>)>,
    prefixes: Vec<Box<str>>,
    demonym_suffixes: Vec<Box<str>>,
    place_suffixes: Vec<Box<str>>,
    past_suffixes: Vec<Box<str>>,
    irregular: HashMap<Box<str>, Box<str>>,
    irregular_verbs: HashSet<Box<str>>,
}

/// A word no longer than this has no ending of a place.
const LONGEST_SUFFIX: usize = 5;
/// The shortest stem that an ending may leave.
const SHORTEST_STEM: usize = 2;

impl Lexicon {
    /// The English lists of this repository.
    #[cfg(test)]
    pub fn english() -> &'static Lexicon {
        static ENGLISH: std::sync::LazyLock<Lexicon> = std::sync::LazyLock::new(|| crate::rules::shipped().lexicon);
        &ENGLISH
    }

    /// Reads lists from the text of TOML files; later files add to earlier ones.
    pub fn parse(files: &[&str]) -> Result<Lexicon, LexiconError> {
        let mut lexicon = Lexicon::default();
        for file in files {
            lexicon.add(toml::from_str(file)?)?;
        }
        lexicon.endings.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        for phrases in lexicon.phrases.values_mut() {
            phrases.sort_by(|a, b| b.words.len().cmp(&a.words.len()).then_with(|| a.words.cmp(&b.words)));
        }
        Ok(lexicon)
    }

    fn add(&mut self, file: LocaleFile) -> Result<(), LexiconError> {
        for (key, list) in file.words {
            let class = Class::ALL.iter().find(|(_, name)| *name == key).map(|(class, _)| *class);
            let class = class.ok_or(LexiconError::UnknownClass(key))?;
            match class {
                Class::DemonymSuffix => self.demonym_suffixes.extend(list.split_whitespace().map(Into::into)),
                Class::PlaceSuffix => self.place_suffixes.extend(list.split_whitespace().map(Into::into)),
                Class::PastSuffix => self.past_suffixes.extend(list.split_whitespace().map(Into::into)),
                _ => {}
            }
            for word in list.split_whitespace() {
                self.enter(&word.replace('_', " "), class);
            }
        }
        for (key, list) in file.abbreviations {
            let rule = match key.as_str() {
                "always" => Abbreviation::Always,
                "number" => Abbreviation::BeforeNumber,
                "corporate" => Abbreviation::UnlessSentenceFollows,
                _ => return Err(LexiconError::UnknownClass(key)),
            };
            self.abbreviations.extend(list.split_whitespace().map(|word| (fold(word).into(), rule)));
        }
        self.numbers.extend(file.numbers.into_iter().map(|(word, value)| (fold(&word).into(), value)));
        for (words, days) in file.relative_days {
            let words = words.replace('_', " ");
            self.enter(&words, Class::RelativeDay);
            self.relative_days.insert(fold(&words).into(), days);
        }
        for (ending, bases) in file.inflection {
            let bases = bases.as_str().unwrap_or_default();
            self.endings.push((ending.into(), bases.split(' ').map(Into::into).collect()));
        }
        self.prefixes.extend(file.prefixes.values().flat_map(|list| list.split_whitespace()).map(Into::into));
        self.irregular_verbs.extend(file.irregular.keys().map(|form| form.as_str().into()));
        let irregular = file.irregular.into_iter().chain(file.irregular_nouns);
        self.irregular.extend(irregular.map(|(form, base)| (form.into(), base.into())));
        self.add_places(&file.countries, &file.regions, &file.cities);
        Ok(())
    }

    fn add_places(&mut self, countries: &str, regions: &str, cities: &str) {
        for line in countries.lines().filter(|line| !line.trim().is_empty()) {
            let mut fields = line.split('|').map(str::trim);
            let name = fields.next().unwrap_or_default();
            self.enter_place(name, name);
            self.countries.insert(fold(name).into(), name.into());
            for other in list(fields.next()) {
                self.enter_place(other, name);
                self.countries.insert(fold(other).into(), name.into());
            }
            for demonym in list(fields.next()) {
                self.enter_demonym(demonym, name);
            }
            for capital in list(fields.next()) {
                self.enter_place(capital, capital);
            }
        }
        for line in regions.lines().filter(|line| !line.trim().is_empty()) {
            let (name, demonyms) = line.split_once(':').unwrap_or((line, ""));
            self.enter_place(name.trim(), name.trim());
            for demonym in list(Some(demonyms)) {
                self.enter_demonym(demonym, name.trim());
            }
        }
        for city in list(Some(cities)) {
            self.enter_place(city, city);
        }
    }

    fn enter(&mut self, words: &str, class: Class) {
        let folded = fold(words);
        let set = ClassSet::from_classes(&[class]);
        let split: Vec<Box<str>> = folded.split_whitespace().flat_map(as_tokens).map(Into::into).collect();
        let Some(first) = split.first().cloned() else { return };
        if split.len() == 1 {
            let entry = self.words.entry(first).or_default();
            *entry = entry.with(set);
            return;
        }
        let phrases = self.phrases.entry(first).or_default();
        match phrases.iter_mut().find(|phrase| phrase.words == split) {
            Some(phrase) => phrase.classes = phrase.classes.with(set),
            None => phrases.push(Phrase { words: split, classes: set }),
        }
    }

    fn enter_place(&mut self, name: &str, canonical: &str) {
        self.enter(name, Class::Place);
        self.places.entry(fold(name).into()).or_insert_with(|| canonical.into());
    }

    fn enter_demonym(&mut self, demonym: &str, place: &str) {
        for form in [demonym.to_owned(), format!("{demonym}s")] {
            self.enter(&form, Class::Demonym);
            self.countries.entry(fold(&form).into()).or_insert_with(|| place.into());
        }
    }

    /// The classes of a word, inflected forms included; the word must be folded already.
    pub fn classes(&self, folded: &str) -> ClassSet {
        let own = self.words.get(folded).copied().unwrap_or_default();
        if own.has(Class::Common) || own.any(ClassSet::FUNCTION) {
            return own;
        }
        match self.base(folded) {
            Some(base) => own.with(self.words.get(base.as_str()).copied().unwrap_or_default().and(ClassSet::INFLECTED)),
            None if own.is_empty() && self.is_compound(folded) => ClassSet::from_classes(&[Class::Common]),
            None => own,
        }
    }

    /// "long-term", "reopening", "nonmilitary": made of ordinary words.
    fn is_compound(&self, folded: &str) -> bool {
        const SHORTEST_REST: usize = 3;
        let ordinary = |word: &str| {
            let own = self.words.get(word).copied().unwrap_or_default();
            own.any(ClassSet::INFLECTED.with(ClassSet::FUNCTION)) || self.number(word).is_some() || self.base(word).is_some()
        };
        if folded.contains('-') {
            let prefix = |part: &str| self.prefixes.iter().any(|prefix| **prefix == *part);
            return folded.split('-').all(|part| ordinary(part) || prefix(part));
        }
        let rests = self.prefixes.iter().filter_map(|prefix| folded.strip_prefix(&**prefix));
        rests.filter(|rest| rest.len() >= SHORTEST_REST).any(ordinary)
    }

    pub fn is(&self, class: Class, word: &str) -> bool {
        self.classes(&fold(word)).has(class)
    }

    /// The base form of a word: "kidnapped" -> "kidnap"; the folded word itself where no rule fits.
    pub fn lemma(&self, word: &str) -> String {
        let folded = fold(word);
        self.base(&folded).unwrap_or(folded)
    }

    fn base(&self, folded: &str) -> Option<String> {
        if let Some(base) = self.irregular.get(folded) {
            return Some(base.to_string());
        }
        if self.words.get(folded).is_some_and(|classes| classes.has(Class::Common)) {
            return Some(folded.to_owned());
        }
        let ordinary = |word: &str| self.words.get(word).is_some_and(|set| set.any(ClassSet::INFLECTED));
        for (ending, bases) in &self.endings {
            let Some(stem) = folded.strip_suffix(&**ending).filter(|stem| stem.len() >= SHORTEST_STEM) else { continue };
            for base in bases {
                let candidate = format!("{stem}{base}");
                if ordinary(&candidate) {
                    return Some(candidate);
                }
            }
            if let Some(single) = without_doubled_end(stem).filter(|single| ordinary(single)) {
                return Some(single.to_owned());
            }
        }
        None
    }

    /// The country or region that a name, other name or demonym belongs to.
    pub fn country_of(&self, name: &str) -> Option<&str> {
        self.countries.get(fold(name).as_str()).map(|name| &**name)
    }

    /// Whether an unlisted word ends like the adjective of a place: "Kestravian".
    pub(super) fn ends_like_demonym(&self, folded: &str) -> bool {
        folded.len() > LONGEST_SUFFIX && self.demonym_suffixes.iter().any(|suffix| folded.ends_with(&**suffix))
    }

    /// Whether an unlisted word ends like a place: "Kestravia".
    pub(super) fn ends_like_place(&self, folded: &str) -> bool {
        folded.len() > LONGEST_SUFFIX && self.place_suffixes.iter().any(|suffix| folded.ends_with(&**suffix))
    }

    /// The usual name of a place in the gazetteer.
    pub fn place(&self, name: &str) -> Option<&str> {
        self.places.get(fold(name).as_str()).map(|name| &**name)
    }

    pub(super) fn phrases(&self, first: &str) -> &[Phrase] {
        self.phrases.get(first).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn abbreviation(&self, folded: &str) -> Option<Abbreviation> {
        self.abbreviations.get(folded).copied()
    }

    pub(crate) fn number(&self, folded: &str) -> Option<f64> {
        self.numbers.get(folded).copied()
    }

    /// A verb form that only a list gives: "fled", "took".
    pub fn is_irregular_verb(&self, folded: &str) -> bool {
        self.irregular_verbs.contains(folded)
    }

    /// A form of the past, regular or not, by its looks.
    pub fn is_past(&self, folded: &str) -> bool {
        self.is_irregular_verb(folded) || folded.len() > 3 && self.ends_like_past(folded)
    }

    /// Whether a word ends like a regular form of the past: "sailed".
    pub(super) fn ends_like_past(&self, folded: &str) -> bool {
        self.past_suffixes.iter().any(|suffix| folded.ends_with(&**suffix))
    }

    pub(super) fn relative_day(&self, folded: &str) -> Option<i64> {
        self.relative_days.get(folded).copied()
    }
}

fn list(field: Option<&str>) -> impl Iterator<Item = &str> {
    field.unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty())
}

/// The parts that the tokenizer makes of a listed word: a closing full stop and a possessive stand alone.
fn as_tokens(word: &str) -> impl Iterator<Item = &str> {
    let (stem, ending) = match word.strip_suffix('.').filter(|stem| !stem.contains('.')) {
        Some(stem) => (stem, "."),
        None => word.strip_suffix("'s").map_or((word, ""), |stem| (stem, "'s")),
    };
    [stem, ending].into_iter().filter(|part| !part.is_empty())
}

fn without_doubled_end(stem: &str) -> Option<&str> {
    let mut last = stem.chars().rev();
    let (end, before) = (last.next()?, last.next()?);
    (end == before && end.is_ascii_alphabetic()).then(|| &stem[..stem.len() - 1])
}

/// Lower case without accents, for looking words up; scripts other than Latin only change case.
pub fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for character in word.chars() {
        match character {
            'A'..='Z' => folded.push(character.to_ascii_lowercase()),
            _ if character.is_ascii() => folded.push(character),
            '\u{2019}' | '\u{2018}' | '\u{02bc}' => folded.push('\''),
            '\u{2010}' | '\u{2011}' => folded.push('-'),
            // An accent that stands by itself.
            '\u{300}'..='\u{36f}' => {}
            '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
                folded.push_str(&any_ascii::any_ascii_char(character).to_ascii_lowercase());
            }
            _ => folded.extend(character.to_lowercase()),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_forms_have_the_classes_of_their_base() {
        let check = |word: &str, base: &str, class: Class| {
            let lexicon = Lexicon::english();
            assert_eq!(lexicon.lemma(word), base);
            assert!(lexicon.is(class, word), "{word} is not {class:?}");
        };
        check("KIDNAPPED", "kidnap", Class::Violence);
        check("bombings", "bombing", Class::Violence);
        check("said", "say", Class::Say);
        check("denied", "deny", Class::Deny);
        check("policies", "policy", Class::Common);
    }

    #[test]
    fn demonyms_lead_to_their_country() {
        assert_eq!(Lexicon::english().country_of("SALVADORANS"), Some("El Salvador"));
        assert_eq!(Lexicon::english().place("Medellín"), Some("Medellin"));
    }

    #[test]
    fn an_operators_file_adds_words_and_a_wrong_class_is_refused() {
        let own = Lexicon::parse(&["[words]\norg_acronym = \"zzq\""]).unwrap();
        assert!(own.is(Class::OrgAcronym, "ZZQ"));
        assert!(Lexicon::parse(&["[words]\nverbz = \"x\""]).is_err());
    }
}
