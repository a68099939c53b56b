//! The words and weights of one language, read from `config/locale/answer.en.toml`.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;

use super::words::{fold, stem};
use file::File;
pub use file::{CauseMark, Causes, Figures, Grades, Limits, Modes, Side, Weights};

mod file;

const ENGLISH: &str = include_str!("../../../../config/locale/answer.en.toml");

/// A language file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LexiconError {
    /// The file is not what this version understands.
    #[error("the language file for answers cannot be read: {0}; compare it with config/locale/answer.en.toml")]
    Format(#[from] toml::de::Error),
}

/// A set of words.
pub type WordSet = HashSet<String>;

/// What sort of body an actor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Guerrillas, rebels, fronts.
    Insurgent,
    /// Cartels, gangs.
    Criminal,
    /// Militias, squads.
    Paramilitary,
    /// Armies and their parts.
    Military,
    /// Police and guards.
    Police,
    /// Governments and their parts.
    Government,
    /// Parties, unions, councils.
    Political,
    /// A group of no stated sort.
    Group,
    /// Companies, institutes.
    Business,
    /// People of no stated sort.
    Unknown,
    /// A word that describes without a class.
    Plain,
}

/// Everything the reasoning knows about one language.
#[derive(Debug)]
pub struct Lexicon {
    pub(super) kinds: Vec<(super::question::Kind, Vec<String>)>,
    pub(super) target_marks: WordSet,
    pub(super) place_marks: WordSet,
    pub(super) filler: WordSet,
    pub(super) openers: WordSet,
    pub(super) conjunctions: WordSet,
    pub(super) of: WordSet,
    pub(super) months: WordSet,
    month_names: Vec<String>,
    demonyms: WordSet,
    demonym_endings: Vec<String>,
    openings: WordSet,
    endings: WordSet,
    pub(super) stop: WordSet,
    pub(super) breaks: WordSet,
    pub(super) not_participles: WordSet,
    pub(super) joints: WordSet,
    pub(super) loose_joints: WordSet,
    pub(super) determiners: WordSet,
    pub(super) heads: HashMap<String, Class>,
    pub(super) members: HashMap<String, Class>,
    pub(super) descriptors: HashMap<String, Class>,
    pub(super) insurgent_marks: WordSet,
    pub(super) pointers: WordSet,
    pub(super) hands: WordSet,
    pub(super) epithets: WordSet,
    pub(super) adjectival: WordSet,
    pub(super) titles: WordSet,
    pub(super) introductions: WordSet,
    pub(super) possessions: WordSet,
    pub(super) acts: Vec<(String, WordSet)>,
    pub(super) of_bodies: WordSet,
    pub(super) roles: HashMap<String, WordSet>,
    pub(super) causes: Causes,
    pub(super) negative: WordSet,
    /// Stems of words that tell of one event.
    pub(super) kin: Vec<WordSet>,
    pub(super) conditional: WordSet,
    pub(super) forward: WordSet,
    pub(super) opposites: Vec<(String, String)>,
    pub(super) figures: Figures,
    pub(super) modes: Modes,
    pub(super) limits: Limits,
    say: BTreeMap<String, String>,
    pub(super) who: Weights,
    pub(super) grades: Grades,
}

impl Lexicon {
    /// The English words that the program carries.
    ///
    /// # Errors
    /// When the carried file does not fit this version, which a test rules out.
    pub fn english() -> Result<Self, LexiconError> {
        Self::parse(ENGLISH)
    }

    /// A lexicon from the text of a language file.
    ///
    /// # Errors
    /// When the text is not such a file; the message names the place.
    pub fn parse(text: &str) -> Result<Self, LexiconError> {
        use super::question::Kind;
        let file: File = toml::from_str(text)?;
        let question = file.question;
        Ok(Self {
            kinds: vec![
                (Kind::HowMany, question.how_many),
                (Kind::Why, question.why),
                (Kind::Who, question.who),
                (Kind::When, question.when),
                (Kind::Where, question.r#where),
                (Kind::Whether, question.whether),
                (Kind::How, question.how),
            ],
            target_marks: set(question.target_marks),
            place_marks: set(question.place_marks),
            filler: set(question.filler),
            openers: set(question.openers),
            conjunctions: set(question.conjunctions),
            of: set(file.words.of),
            month_names: file.words.months.iter().take(12).map(|m| fold(m)).collect(),
            months: set(file.words.months),
            demonyms: set(file.words.demonyms),
            demonym_endings: file.words.demonym_endings,
            openings: set(file.words.openings),
            endings: set(file.words.endings),
            stop: set(file.words.stop),
            breaks: set(file.words.breaks),
            not_participles: set(file.words.not_participles),
            joints: set(file.words.joints),
            loose_joints: set(file.words.loose_joints),
            determiners: set(file.words.determiners),
            heads: classes(file.actors.heads),
            members: classes(file.actors.members),
            descriptors: classes(file.actors.descriptors),
            insurgent_marks: set(file.actors.insurgent_marks),
            pointers: set(file.actors.pointers),
            hands: set(file.actors.hands),
            epithets: set(file.actors.epithets),
            adjectival: set(file.actors.adjectival),
            titles: set(file.actors.titles),
            introductions: set(file.actors.introductions),
            possessions: set(file.actors.possessions),
            of_bodies: set(file.acts.of_bodies),
            acts: file.acts.kinds.into_iter().map(|a| (a.name, set(a.words))).collect(),
            roles: file.roles.into_iter().map(|(name, words)| (name, set(words))).collect(),
            causes: file.causes,
            negative: set(file.outcomes.negative),
            kin: file.words.kin.into_iter().map(|words| words.iter().map(|w| stem(&fold(w)).to_owned()).collect()).collect(),
            conditional: set(file.outcomes.conditional),
            forward: set(file.outcomes.forward),
            opposites: file.outcomes.opposites,
            figures: file.figures,
            modes: file.modes,
            limits: file.limits,
            say: file.say,
            who: file.who,
            grades: file.grades.folded(),
        })
    }

    /// Whether a word says of which country or people something is.
    pub(super) fn is_demonym(&self, norm: &str) -> bool {
        let ends = || self.demonym_endings.iter().any(|e| norm.len() > e.len() + 3 && norm.ends_with(e.as_str()));
        self.demonyms.contains(norm) || ends()
    }

    /// The number of a month from its name or its short form.
    pub(super) fn month(&self, norm: &str) -> Option<i32> {
        let opening = norm.get(..3).filter(|_| self.months.contains(norm))?;
        self.month_names.iter().zip(1..).find(|(name, _)| name.starts_with(opening)).map(|(_, number)| number)
    }

    /// Whether a short word could be spoken; one that cannot is an acronym even in a text wholly in capitals.
    pub(super) fn can_be_spoken(&self, norm: &str) -> bool {
        let vowel = |c: char| "aeiouy".contains(c);
        let Some(first) = norm.find(vowel) else { return false };
        let last = norm.rfind(vowel).unwrap_or(first);
        let (opening, ending) = (&norm[..first], norm[last + 1..].trim_end_matches('s'));
        let fits = |part: &str, known: &WordSet| part.len() < 2 || known.contains(part);
        fits(opening, &self.openings) && fits(ending, &self.endings)
    }

    /// A sentence of the `say` section with its gaps filled; a name that is missing says nothing.
    pub(super) fn say(&self, name: &str, gaps: &[(&str, &str)]) -> String {
        let mut text = self.say.get(name).cloned().unwrap_or_default();
        for (gap, value) in gaps {
            text = text.replace(&format!("{{{gap}}}"), value);
        }
        text
    }

    /// A count in words up to twelve, in figures above.
    pub(super) fn count(&self, n: usize) -> String {
        let word = self.figures.numbers.iter().find(|(word, value)| **value == n as f64 && n <= 12 && *word != "dozen");
        word.map_or_else(|| n.to_string(), |(word, _)| word.clone())
    }

    /// An adverb, by its looks or by the list.
    pub(super) fn is_adverb(&self, norm: &str) -> bool {
        self.role("adverbs", norm) || self.ends_like("adverb_endings", norm)
    }

    /// Whether a word has one of the endings in a named list of the `roles` section.
    pub(super) fn ends_like(&self, list: &str, norm: &str) -> bool {
        self.roles.get(list).is_some_and(|endings| endings.iter().any(|ending| norm.ends_with(ending.as_str())))
    }

    /// Whether a word belongs to a named list of the `roles` section.
    pub(super) fn role(&self, list: &str, norm: &str) -> bool {
        self.roles.get(list).is_some_and(|words| words.contains(norm))
    }
}

fn set(words: Vec<String>) -> WordSet {
    words.iter().map(|w| fold(w)).collect()
}

fn classes(lists: BTreeMap<Class, Vec<String>>) -> HashMap<String, Class> {
    let mut map = HashMap::new();
    for (class, words) in lists {
        for word in words {
            map.entry(fold(&word)).or_insert(class);
        }
    }
    map
}
