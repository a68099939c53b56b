//! The word lists and limits that the provider works with.

use super::{
    answer::{self, LexiconError},
    text,
};
use serde::Deserialize;

/// Everything that the provider knows of words.
pub struct Settings {
    pub words: &'static text::Lexicon,
    pub answers: answer::Lexicon,
    pub report: Report,
}

/// What goes into an assessment, and how much of it: `config/locale/report.en.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Phrases by which a document addresses whoever, or whatever, reads it to direct its conclusions.
    pub instruction_cues: Vec<String>,
    /// Phrases by which somebody takes back what was said.
    pub correction_cues: Vec<String>,
    /// Words of an ownership or control link, for the notes on outlets.
    pub ownership_words: Vec<String>,
    pub documents_per_order: u64,
    pub orders: u64,
    pub source_words: usize,
    pub pages_opened: usize,
    /// Pages beyond those that an order names.
    pub linked_pages: usize,
    pub claims_per_search: u32,
    pub searches: usize,
    pub origins_read_closely: usize,
    pub documents_per_search: usize,
    pub pages: usize,
    pub judgements: usize,
    pub quotes: usize,
    pub answers_in_words: usize,
    pub quotes_per_side: usize,
    pub corrections: usize,
    pub citations_per_side: usize,
    pub matrix_rows: usize,
    pub contradictions: usize,
    pub indicators: usize,
    pub impacts: usize,
    pub outlets: usize,
}

/// A word list cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadLocale {
    #[error("config/locale/answer.en.toml: {0}")]
    Answer(#[from] LexiconError),
    #[error("config/locale/report.en.toml: {0}")]
    Report(#[from] toml::de::Error),
}

impl Settings {
    pub fn english() -> Result<Self, BadLocale> {
        let mut report: Report = toml::from_str(include_str!("../../../config/locale/report.en.toml"))?;
        for cue in report.instruction_cues.iter_mut().chain(&mut report.correction_cues) {
            *cue = cue.to_lowercase();
        }
        Ok(Self { words: text::Lexicon::english(), answers: answer::Lexicon::english()?, report })
    }
}
