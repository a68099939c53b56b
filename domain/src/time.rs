//! Points in time, and dates with their precision.

mod partial;

pub use partial::{DateRange, PartialDate};

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;

/// A moment in UTC with microsecond resolution. RFC 3339 in JSON, `timestamptz` or integer microseconds in databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// This moment moved by a number of milliseconds, saturating.
    pub const fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms.saturating_mul(1000)))
    }

    /// Milliseconds from `earlier` to this moment; negative when `earlier` is later.
    pub const fn ms_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0) / 1000
    }

    pub fn to_datetime(self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0).unwrap_or_default()
    }

    /// Reads RFC 3339 (`2031-03-14T09:30:00Z`) or a date (`2031-03-14`, midnight UTC).
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
            return Some(Self(moment.timestamp_micros()));
        }
        let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
        Some(Self(day.and_hms_opt(0, 0, 0)?.and_utc().timestamp_micros()))
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(moment: DateTime<Utc>) -> Self {
        Self(moment.timestamp_micros())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_datetime().to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom(format!("'{text}' is not a date or an RFC 3339 moment")))
    }
}

impl JsonSchema for Timestamp {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "description": "RFC 3339 moment, or a date"})
    }

    fn inline_schema() -> bool {
        true
    }
}

crate::words! {
    /// How exactly a published date is known.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Precision {
        Year = "year",
        Month = "month",
        Day = "day",
        Minute = "minute",
    }

    /// Where a published date comes from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum PublishedBasis {
        /// Printed in the document for its readers: a dateline, a header line, a byline.
        Stated = "stated",
        /// In the document's metadata only. Never the file's own time.
        Metadata = "metadata",
    }
}

/// When a document was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct PublicationDate {
    pub value: Timestamp,
    pub precision: Precision,
    pub basis: PublishedBasis,
}

/// As exactly as it is known: `2031`, `2031-03`, `2031-03-14`, or the moment.
impl fmt::Display for PublicationDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let day = match self.precision {
            Precision::Year => "%Y",
            Precision::Month => "%Y-%m",
            Precision::Day => "%Y-%m-%d",
            Precision::Minute => return self.value.fmt(f),
        };
        self.value.to_datetime().format(day).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_written_as_exactly_as_it_is_known() {
        let value = Timestamp::parse("2031-03-14T09:30:00Z").unwrap();
        let written = |precision| PublicationDate { value, precision, basis: PublishedBasis::Stated }.to_string();
        assert_eq!(written(Precision::Month), "2031-03");
        assert_eq!(written(Precision::Day), "2031-03-14");
        assert_eq!(written(Precision::Minute), "2031-03-14T09:30:00Z");
    }

    #[test]
    fn a_moment_survives_json() {
        let moment = Timestamp::parse("2031-03-14T09:30:00.25Z").unwrap();
        let json = serde_json::to_string(&moment).unwrap();
        assert_eq!(json, "\"2031-03-14T09:30:00.250Z\"");
        assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), moment);
    }

    #[test]
    fn a_bare_date_is_midnight() {
        assert_eq!(Timestamp::parse("2031-03-14").unwrap().to_string(), "2031-03-14T00:00:00Z");
        assert_eq!(Timestamp::parse("14 March"), None);
    }
}
