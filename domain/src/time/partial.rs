//! Dates as exactly as a text states them: a day, a month or a year.

use super::{Precision, Timestamp};
use chrono::{Days, Months, NaiveDate};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;

/// A day, a month or a year: `2016-12-14`, `2016-12` or `2016`, in JSON too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PartialDate {
    first: NaiveDate,
    /// Never `Minute`.
    precision: Precision,
}

impl PartialDate {
    /// Reads a day, a month or a year of four digits. A moment (`2016-12-14T09:30:00Z`) counts as its day.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let day = text.split_once('T').map_or(text, |(day, _)| day);
        let numbers: Vec<&str> = day.split('-').collect();
        let number = |at: usize, digits: usize| -> Option<u32> {
            let part = numbers.get(at)?;
            (part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| part.parse().ok())?
        };
        let year = i32::try_from(number(0, 4)?).ok().filter(|year| *year > 0)?;
        let (month, day_of_month, precision) = match numbers.len() {
            1 => (1, 1, Precision::Year),
            2 => (number(1, 2)?, 1, Precision::Month),
            3 => (number(1, 2)?, number(2, 2)?, Precision::Day),
            _ => return None,
        };
        Some(Self { first: NaiveDate::from_ymd_opt(year, month, day_of_month)?, precision })
    }

    pub const fn precision(self) -> Precision {
        self.precision
    }

    /// Midnight UTC at which it begins.
    pub fn first_moment(self) -> Timestamp {
        midnight(self.first)
    }

    /// The last microsecond of it.
    pub fn last_moment(self) -> Timestamp {
        let next = match self.precision {
            Precision::Year => self.first.checked_add_months(Months::new(12)),
            Precision::Month => self.first.checked_add_months(Months::new(1)),
            Precision::Day | Precision::Minute => self.first.checked_add_days(Days::new(1)),
        };
        next.map_or(self.first_moment(), |next| Timestamp::from_micros(midnight(next).as_micros() - 1))
    }
}

fn midnight(day: NaiveDate) -> Timestamp {
    Timestamp::from(day.and_time(chrono::NaiveTime::MIN).and_utc())
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.format(form(self.precision)).fmt(f)
    }
}

/// Returns the format of a date with that precision.
const fn form(precision: Precision) -> &'static str {
    match precision {
        Precision::Year => "%Y",
        Precision::Month => "%Y-%m",
        Precision::Day | Precision::Minute => "%Y-%m-%d",
    }
}

impl Serialize for PartialDate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PartialDate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| D::Error::custom(format!("'{text}' is not a day, month or year: 2016-12-14, 2016-12, 2016")))
    }
}

impl JsonSchema for PartialDate {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PartialDate".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "description": "A day, month or year: 2016-12-14, 2016-12 or 2016"})
    }

    fn inline_schema() -> bool {
        true
    }
}

/// Period of an event, from the first to the last moment of the named days, months or years.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DateRange {
    pub from: Timestamp,
    /// The last moment of the last day, month or year.
    pub to: Timestamp,
    /// Of the first day, month or year.
    pub precision: Precision,
    /// Of the last one, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_precision: Option<Precision>,
}

impl DateRange {
    /// Within `from`, or from `from` to `to`, both included. None where `to` lies before `from`.
    pub fn new(from: PartialDate, to: Option<PartialDate>) -> Option<Self> {
        let to = to.unwrap_or(from);
        let to_precision = Some(to.precision).filter(|precision| *precision != from.precision);
        let range = Self { from: from.first_moment(), to: to.last_moment(), precision: from.precision, to_precision };
        (range.from <= range.to).then_some(range)
    }
}

/// `2016-12-14`, `2016-12`, `2016`, `2016-12-14 to 2016-12-16`, or `2015-11 to 2016`.
impl fmt::Display for DateRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = |at: Timestamp, precision| at.to_datetime().format(form(precision)).to_string();
        let to_precision = self.to_precision.unwrap_or(self.precision);
        let (from, to) = (written(self.from, self.precision), written(self.to, to_precision));
        if from == to { f.write_str(&from) } else { write!(f, "{from} to {to}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> PartialDate {
        PartialDate::parse(text).unwrap()
    }

    #[test]
    fn a_date_is_read_as_exactly_as_it_is_written() {
        for text in ["2016", "2016-12", "2016-12-14", "0044-03"] {
            assert_eq!(date(text).to_string(), text);
            assert_eq!(serde_json::from_value::<PartialDate>(text.into()).unwrap(), date(text));
        }
        assert_eq!(date(" 2016-12-14T23:30:00+02:00 ").to_string(), "2016-12-14");
        for text in ["", "16", "2016-13", "2016-1", "2016-02-30", "December 2016", "2016-12-14-1", "+016", "0000"] {
            assert_eq!(PartialDate::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_period_goes_to_the_end_of_its_last_day_month_or_year() {
        let moment = |text| Timestamp::parse(text).unwrap();
        let of = |from, to: Option<&str>| DateRange::new(date(from), to.map(date));
        let february = of("2016-02", None).unwrap();
        assert_eq!((february.from, february.to), (moment("2016-02-01"), moment("2016-02-29T23:59:59.999999Z")));
        assert_eq!(february.to_string(), "2016-02");
        assert_eq!(of("2016-12-14", Some("2016-12-16")).unwrap().to_string(), "2016-12-14 to 2016-12-16");
        assert_eq!(of("2016-12-14", Some("2016-12-13")), None);
    }

    #[test]
    fn each_end_of_a_period_stays_as_exact_as_it_is_written() {
        let cases = [
            ("2015-11", "2016", "2015-11-01", "2016-12-31T23:59:59.999999Z"),
            ("2026-11", "2026-11-26", "2026-11-01", "2026-11-26T23:59:59.999999Z"),
            ("2016-12-14", "2017", "2016-12-14", "2017-12-31T23:59:59.999999Z"),
            ("2016", "2016-04-03", "2016-01-01", "2016-04-03T23:59:59.999999Z"),
            ("2016-12-14", "2016-12", "2016-12-14", "2016-12-31T23:59:59.999999Z"),
        ];
        for (from, to, first, last) in cases {
            let period = DateRange::new(date(from), Some(date(to))).unwrap();
            assert_eq!(period.to_string(), format!("{from} to {to}"));
            let moments = (Timestamp::parse(first).unwrap(), Timestamp::parse(last).unwrap());
            assert_eq!((period.from, period.to), moments, "{from} to {to}");
            let stored = serde_json::to_string(&period).unwrap();
            assert_eq!(serde_json::from_str::<DateRange>(&stored).unwrap(), period);
        }
        let old = r#"{"from": "2016-01-01T00:00:00Z", "to": "2017-12-31T23:59:59.999999Z", "precision": "year"}"#;
        assert_eq!(serde_json::from_str::<DateRange>(old).unwrap().to_string(), "2016 to 2017");
    }
}
