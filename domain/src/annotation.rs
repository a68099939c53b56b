//! Annotations of people on an assessment, kept beside it: excluded evidence, contested ratings, tags and notes.
//! Documents have tags and notes.
//!
//! Invariant: an annotation never changes the assessment or the document.

use crate::{
    AssessmentId, ConfidenceLevel, ContestId, DocumentId, NoteId, Timestamp, UserId,
    assessment::{Assessment, Marker},
    likelihood::percent,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt};

/// Maximum length of a reason, in characters.
pub const MAX_REASON_CHARS: usize = 1_000;

/// Object that readers tag and write notes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnnotationSubject {
    Assessment(AssessmentId),
    Document(DocumentId),
}

impl From<AssessmentId> for AnnotationSubject {
    fn from(id: AssessmentId) -> Self {
        Self::Assessment(id)
    }
}

impl From<DocumentId> for AnnotationSubject {
    fn from(id: DocumentId) -> Self {
        Self::Document(id)
    }
}

/// Annotations of one subject that a person sees: everybody's exclusions, contests, tags and notes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotations {
    pub exclusions: Vec<Exclusion>,
    /// Oldest first.
    pub contests: Vec<Contest>,
    /// In the order of the alphabet.
    pub tags: Vec<Tag>,
    /// Those of them that the person added.
    pub own_tags: Vec<Tag>,
    /// Oldest first.
    pub notes: Vec<Note>,
}

/// Most characters of a tag, and of a note.
pub const MAX_TAG_CHARS: usize = 40;
pub const MAX_NOTE_CHARS: usize = 4_000;
/// Notes of a subject, and ratings contested of one item, that a page shows at once.
pub const NOTES_PER_PAGE: usize = 20;

/// Short word by which assessments and documents are found again: lower case, without commas and line breaks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tag(String);

impl Tag {
    /// Returns a tag in lower case with single spaces; none where the text is empty, too long or has a comma.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let is_good = (1..=MAX_TAG_CHARS).contains(&text.chars().count()) && !text.contains(',');
        is_good.then_some(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Remark of a reader beside an assessment or a document, for everybody who may read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    pub id: NoteId,
    pub text: String,
    pub by: UserId,
    /// Name of that person.
    pub name: String,
    pub at: Timestamp,
}

/// Evidence that the owner of an assessment leaves out of the recount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exclusion {
    pub marker: Marker,
    pub reason: String,
    pub by: UserId,
    /// Name of that person.
    pub name: String,
    pub at: Timestamp,
}

/// A rating that a reader contests, with an own value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contest {
    pub id: ContestId,
    pub item: ContestedItem,
    pub value: ContestedValue,
    pub reason: String,
    pub by: UserId,
    /// Name of that person.
    pub name: String,
    pub at: Timestamp,
}

/// Rating that can be contested.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ContestedItem {
    /// Likelihood of a judgement or probability of a hypothesis, by its id (`J1`, `H2`).
    Likelihood(String),
    /// Credibility of the source of a citation.
    Credibility(Marker),
}

/// Value of a rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContestedValue {
    /// 0 to 100.
    Percent(u8),
    Level(ConfidenceLevel),
}

impl Annotations {
    pub fn excluded(&self) -> BTreeSet<Marker> {
        self.exclusions.iter().map(|exclusion| exclusion.marker).collect()
    }

    /// Returns the contests of one rating.
    pub fn contests_of(&self, item: &ContestedItem) -> Vec<Contest> {
        self.contests.iter().filter(|contest| contest.item == *item).cloned().collect()
    }
}

impl ContestedItem {
    /// Parses `J1`, `H2` and `c8`.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, number) = (text.get(..1)?, text.get(1..)?);
        let number: Marker = number.parse().ok()?;
        match kind {
            "J" | "H" => Some(Self::Likelihood(format!("{kind}{number}"))),
            "c" => Some(Self::Credibility(number)),
            _ => None,
        }
    }

    /// Returns the author's value; none where the assessment has no such rating.
    pub fn original(&self, assessment: &Assessment) -> Option<ContestedValue> {
        let body = &assessment.body;
        match self {
            Self::Likelihood(id) => {
                let judgements = body.key_judgements.iter().map(|one| (&one.id, one.likelihood.map(|one| one.point)));
                let hypotheses = body.hypotheses.iter().map(|one| (&one.id, one.probability));
                let point = judgements.chain(hypotheses).find(|(other, _)| *other == id)?.1?;
                Some(ContestedValue::Percent((point * 100.0).round().clamp(0.0, 100.0) as u8))
            }
            Self::Credibility(marker) => {
                let row = body.evidence_matrix.iter().find(|row| row.citation == *marker)?;
                Some(ContestedValue::Level(row.credibility))
            }
        }
    }
}

impl fmt::Display for ContestedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Likelihood(id) => f.write_str(id),
            Self::Credibility(marker) => write!(f, "c{marker}"),
        }
    }
}

impl ContestedValue {
    /// Parses a whole number of percent or a level, whichever `like` is.
    pub fn parse(text: &str, like: Self) -> Option<Self> {
        let text = text.trim().trim_end_matches('%').trim_end();
        match like {
            Self::Percent(_) => text.parse().ok().filter(|percent| *percent <= 100).map(Self::Percent),
            Self::Level(_) => ConfidenceLevel::ALL.into_iter().find(|level| level.as_str() == text).map(Self::Level),
        }
    }

    /// The stored form: `35`, `low`.
    pub fn stored(self) -> String {
        match self {
            Self::Percent(percent) => percent.to_string(),
            Self::Level(level) => level.as_str().to_owned(),
        }
    }

    /// Reads the stored form.
    pub fn read(text: &str) -> Option<Self> {
        Self::parse(text, Self::Percent(0)).or_else(|| Self::parse(text, Self::Level(ConfidenceLevel::Low)))
    }

    /// The value as people read it: `35 %`, `low`.
    pub fn words(self) -> String {
        match self {
            Self::Percent(value) => percent(f64::from(value) / 100.0),
            Self::Level(level) => level.as_str().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_values_survive_their_stored_form() {
        for item in ["J1", "H12", "c8"] {
            assert_eq!(ContestedItem::parse(item).unwrap().to_string(), item);
        }
        for refused in ["", "J", "x1", "J1; drop", "é1", "c-1"] {
            assert_eq!(ContestedItem::parse(refused), None, "{refused}");
        }
        for value in [ContestedValue::Percent(0), ContestedValue::Percent(100), ContestedValue::Level(ConfidenceLevel::High)] {
            assert_eq!(ContestedValue::read(&value.stored()), Some(value));
        }
        assert_eq!(ContestedValue::parse("35 %", ContestedValue::Percent(0)), Some(ContestedValue::Percent(35)));
        assert_eq!(ContestedValue::parse("101", ContestedValue::Percent(0)), None);
        assert_eq!(ContestedValue::parse("35", ContestedValue::Level(ConfidenceLevel::Low)), None);
    }

    #[test]
    fn only_ratings_that_the_author_gave_can_be_contested() {
        let assessment: Assessment = serde_json::from_str(include_str!("assessment/tests/complete.json")).unwrap();
        let original = |item: &str| ContestedItem::parse(item).unwrap().original(&assessment);
        assert_eq!(original("J1"), Some(ContestedValue::Percent(86)));
        assert_eq!(original("H2"), Some(ContestedValue::Percent(30)));
        assert_eq!(original("c3"), Some(ContestedValue::Level(ConfidenceLevel::Moderate)));
        assert_eq!([original("J9"), original("c2")], [None, None]);
    }
}
