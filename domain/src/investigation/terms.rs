//! Terms of an investigation: which documents it reads, of which time, and how deep it goes.

use crate::{PartialDate, PublicationDate, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Terms that a person sets for a question, beside its collections and web access.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Terms {
    pub reading: Reading,
    #[serde(skip_serializing_if = "Period::is_open")]
    pub period: Period,
    pub depth: Depth,
}

crate::words! {
    /// Choice of collections.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Reading {
        /// The whole library that the person sees, without the sample.
        #[default]
        Library = "library",
        /// Chosen collections.
        Chosen = "chosen",
        /// The files and pages given with the question, and what its agents find.
        Added = "added",
    }

    /// Effort of an investigation; its numbers are in `[engine.depth]`.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Depth {
        Quick = "quick",
        #[default]
        Standard = "standard",
        Thorough = "thorough",
    }
}

/// Days of publication that count, both included. A document without a date is in no period but the open one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Period {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<PartialDate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<PartialDate>,
}

impl Period {
    /// Reads two fields; none where one is not a date or the end is before the beginning.
    pub fn parse(from: &str, until: &str) -> Option<Self> {
        let read = |text: &str| match text.trim() {
            "" => Some(None),
            text => PartialDate::parse(text).map(Some),
        };
        let period = Self { from: read(from)?, until: read(until)? };
        let bounds = period.from.zip(period.until);
        bounds.is_none_or(|(from, until)| from.first_moment() <= until.last_moment()).then_some(period)
    }

    pub fn is_open(&self) -> bool {
        self.from.is_none() && self.until.is_none()
    }

    /// First moment of the period.
    pub fn after(&self) -> Option<Timestamp> {
        self.from.map(PartialDate::first_moment)
    }

    /// First moment beyond the period.
    pub fn before(&self) -> Option<Timestamp> {
        self.until.map(|until| Timestamp::from_micros(until.last_moment().as_micros() + 1))
    }

    /// Whether something published then is in the period.
    pub fn contains(&self, published: Option<PublicationDate>) -> bool {
        let is_in = |date: PublicationDate| {
            self.after().is_none_or(|after| after <= date.value) && self.before().is_none_or(|before| date.value < before)
        };
        self.is_open() || published.is_some_and(is_in)
    }

    /// The later of this beginning and another.
    pub fn after_or(&self, other: Option<Timestamp>) -> Option<Timestamp> {
        self.after().max(other)
    }

    /// The earlier of this end and another.
    pub fn before_or(&self, other: Option<Timestamp>) -> Option<Timestamp> {
        [self.before(), other].into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Precision, PublishedBasis};

    fn published(day: &str) -> Option<PublicationDate> {
        let value = Timestamp::parse(day)?;
        Some(PublicationDate { value, precision: Precision::Day, basis: PublishedBasis::Stated })
    }

    #[test]
    fn a_period_includes_both_its_days_and_nothing_undated() {
        let period = Period::parse("2031-03-04", "2031-03").unwrap();
        let contained =
            ["2031-03-03", "2031-03-04", "2031-03-31T23:59:59Z", "2031-04-01"].map(|day| period.contains(published(day)));
        assert_eq!(contained, [false, true, true, false]);
        assert!(!period.contains(None) && Period::default().contains(None));
        assert_eq!(period.after_or(Timestamp::parse("2031-03-10")), Timestamp::parse("2031-03-10"));
        assert_eq!(period.before_or(Timestamp::parse("2031-03-10")), Timestamp::parse("2031-03-10"));
        assert_eq!(Period::default().before_or(None), None);
    }

    #[test]
    fn a_period_that_ends_before_its_start_is_invalid() {
        assert_eq!(Period::parse("2031-03-04", "2031-03-03"), None);
        assert_eq!(Period::parse("yesterday", ""), None);
        assert_eq!(Period::parse(" ", ""), Some(Period::default()));
        assert!(Period::parse("2031", "2031").is_some());
    }

    #[test]
    fn terms_survive_json_and_begin_as_the_whole_library() {
        assert_eq!(serde_json::from_str::<Terms>("{}").unwrap(), Terms::default());
        let terms = Terms { reading: Reading::Added, period: Period::parse("2031-03-04", "").unwrap(), depth: Depth::Thorough };
        let json = serde_json::to_string(&terms).unwrap();
        assert_eq!(json, r#"{"reading":"added","period":{"from":"2031-03-04"},"depth":"thorough"}"#);
        assert_eq!(serde_json::from_str::<Terms>(&json).unwrap(), terms);
    }
}
