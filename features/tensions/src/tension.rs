//! Tensions: strains that something could ease, with their evidence.

use domain::{ClaimId, CollectionId, DocumentId, Timestamp, claim::Claim};
use feature::region::Region;

domain::ids! {
    /// One strain that something could ease.
    TensionId = "tension";
}

/// Milliseconds of a day.
pub const DAY_MS: i64 = 86_400_000;
/// Microseconds of a day.
const DAY_MICROS: i64 = DAY_MS * 1_000;

/// Day of a moment, counted from 1970-01-01.
pub const fn day_number(moment: Timestamp) -> i64 {
    moment.as_micros().div_euclid(DAY_MICROS)
}

/// First moment of a day.
pub const fn day_start(day: i64) -> Timestamp {
    Timestamp::from_micros(day.saturating_mul(DAY_MICROS))
}

/// A day as in ISO 8601: `2031-03-14`.
pub fn iso_day(day: i64) -> String {
    day_start(day).to_datetime().format("%Y-%m-%d").to_string()
}

/// Severity of a strain.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Minor,
    Serious,
    Severe,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Minor, Self::Serious, Self::Severe];

    /// The number in the store.
    pub const fn number(self) -> i64 {
        match self {
            Self::Minor => 1,
            Self::Serious => 2,
            Self::Severe => 3,
        }
    }

    pub fn from_number(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.number() == number)
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::Minor => "minor",
            Self::Serious => "serious",
            Self::Severe => "severe",
        }
    }
}

domain::words! {
    /// Origin of a tension.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum TensionOrigin {
        /// Stated in documents.
        Extraction = "extraction",
        /// Named by the model that read a document.
        Extracted = "extracted",
        /// Found by asking why something was stated.
        Curiosity = "curiosity",
        /// Found while looking for responses to another one.
        Scout = "scout",
    }
}

impl TensionOrigin {
    /// Name of the way in which it was found, for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Extraction => "stated in documents",
            Self::Extracted => "named by the model that read the document",
            Self::Curiosity => "inferred by asking why",
            Self::Scout => "found while looking for responses",
        }
    }
}

/// State of a tension. A merged one no longer exists; its id leads to the survivor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TensionState {
    Active,
    /// Not a tension, with the reason of the person who decided.
    Dismissed(String),
}

/// A strain that something could ease.
#[derive(Debug, Clone, PartialEq)]
pub struct Tension {
    pub id: TensionId,
    /// Collection on which title and statement rest. Evidence may be in others.
    pub collection: CollectionId,
    pub origin: TensionOrigin,
    /// Code in the taxonomy.
    pub theme: String,
    /// Kind of strain, a code in the taxonomy.
    pub kind: String,
    pub title: String,
    pub statement: String,
    pub region: Region,
    pub severity: Severity,
    /// 0 to 1.
    pub confidence: f64,
    pub state: TensionState,
    /// Days of the first and the last dated evidence; of undated evidence where none has a date.
    pub first_day: i64,
    pub last_day: i64,
    /// Heat of its last snapshot.
    pub cause_heat: f64,
    pub response_scouted_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// Day for which evidence counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceDay {
    pub day: i64,
    /// Whether neither its event nor its publication has a date. The day is then that of the capture.
    pub is_undated: bool,
}

impl EvidenceDay {
    pub const fn dated(day: i64) -> Self {
        Self { day, is_undated: false }
    }

    /// Day of a capture, for evidence without a date.
    pub const fn captured(at: Timestamp) -> Self {
        Self { day: day_number(at), is_undated: true }
    }

    /// Returns the end of the event that a claim states or the day of its publication, whichever is first; none without either.
    pub fn stated_in(claim: &Claim) -> Option<Self> {
        let published = claim.published.map(|published| day_number(published.value));
        let happened = claim.occurred.map(|occurred| day_number(occurred.to));
        happened.into_iter().chain(published).min().map(Self::dated)
    }

    /// This day, or today in its place where it is to come.
    #[must_use]
    pub fn until(self, today: i64) -> Self {
        Self { day: self.day.min(today), ..self }
    }
}

/// A claim as evidence of a tension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    pub claim: ClaimId,
    pub document: DocumentId,
    /// Hash that leads the texts that repeat this one.
    pub origin: String,
    /// Whether it denies the strain.
    pub is_against: bool,
    pub severity: Severity,
    /// Day for which it counts.
    pub day: EvidenceDay,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_at_midnight() {
        let moment = Timestamp::parse("2031-03-14T23:59:59Z").unwrap();
        assert_eq!(iso_day(day_number(moment)), "2031-03-14");
        assert_eq!(day_number(day_start(-1)), -1, "before 1970, too");
    }
}
