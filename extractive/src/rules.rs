//! Limits and word lists of the provider: limits from `config/extractive.toml`, word lists from `config/locale`.

use crate::{
    text::{Lexicon, LexiconError},
    words::QuestionWords,
};
use serde::Deserialize;

/// The files that hold English words and names.
const LEXICON: [&str; 5] =
    ["locale/en.toml", "locale/en/common.toml", "locale/en/places.toml", "locale/en/people.toml", "locale/en/foreign.toml"];
const QUESTIONS: &str = "locale/question.en.toml";
const LIMITS: &str = "extractive.toml";

/// Word lists and limits.
pub struct Rules {
    pub lexicon: Lexicon,
    pub words: QuestionWords,
    pub limits: Limits,
}

/// Limits; `config/extractive.toml` says what each means.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    pub collection: Collection,
    pub reading: ReadingLimits,
    pub scores: Scores,
    pub deeds: DeedLimits,
    pub answers: AnswerLimits,
    pub figures: FigureLimits,
    pub brief: BriefLimits,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collection {
    pub documents_per_order: u64,
    pub work_orders: u64,
    pub source_words: usize,
    pub pages_opened: usize,
    pub linked_pages: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadingLimits {
    pub claims_per_search: u32,
    pub searches: usize,
    pub origins_read: usize,
    pub documents_per_search: usize,
    pub pages: usize,
    pub passages: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    pub kin: f64,
    pub beside: f64,
    pub title: f64,
    pub elsewhere: f64,
    pub name: f64,
    pub people: f64,
    pub lead: f64,
    pub likeness: f64,
    pub other_deed: f64,
    pub other_side: f64,
    pub leaning: f64,
    pub same: f64,
    pub fitting: f64,
    pub now: f64,
    pub earlier: f64,
    pub reason: f64,
    pub pointing_back: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeedLimits {
    pub in_clause: f64,
    pub elsewhere: f64,
    pub in_sentence: f64,
    pub around: f64,
    pub sentences: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerLimits {
    pub most: usize,
    pub reports: usize,
    pub denials: usize,
    pub responses: usize,
    pub responding: f64,
    pub about: f64,
    pub covered: f64,
    pub described: f64,
    pub specific: f64,
    pub rest: f64,
    pub closeness: f64,
    pub least: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureLimits {
    pub exact_below: f64,
    pub rounding: f64,
    pub before_tokens: usize,
    pub behind_tokens: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BriefLimits {
    pub bottom_line_words: usize,
    pub bottom_line_quotations: usize,
    pub lead_in: usize,
    pub words: usize,
    pub statements: usize,
    pub entries: usize,
    pub settled_coverage: f64,
    pub entry_coverage: f64,
    pub statement_share: f64,
}

/// A file of the configuration that the provider cannot use.
#[derive(Debug, thiserror::Error)]
pub enum BadRules {
    #[error("config/{0} is missing: put it back, or remove the folder to use the built-in files")]
    Missing(&'static str),
    #[error("config/locale: {0}")]
    Lexicon(#[from] LexiconError),
    #[error("config/{0}: {1}")]
    Syntax(&'static str, toml::de::Error),
}

impl Rules {
    /// Reads the files by their paths under `config/`.
    pub fn read<'a>(file: impl Fn(&str) -> Option<&'a str>) -> Result<Self, BadRules> {
        let text = |path: &'static str| file(path).ok_or(BadRules::Missing(path));
        let lists = LEXICON.into_iter().map(text).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            lexicon: Lexicon::parse(&lists)?,
            words: QuestionWords::parse(text(QUESTIONS)?).map_err(|problem| BadRules::Syntax(QUESTIONS, problem))?,
            limits: toml::from_str(text(LIMITS)?).map_err(|problem| BadRules::Syntax(LIMITS, problem))?,
        })
    }
}

/// The files of this repository.
#[cfg(test)]
pub fn shipped() -> Rules {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../config/");
    let read = |path: &str| -> &'static str { std::fs::read_to_string(format!("{root}{path}")).unwrap().leak() };
    Rules::read(|path| Some(read(path))).unwrap()
}
