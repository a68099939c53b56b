//! Values that models write in more than one way: numbers as text, a period as one date.

use super::extract::{GivenPeriod, PeriodExtract};
use domain::claim::Information;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error};

/// A number, or a text that holds one.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum GivenNumber {
    Number(f64),
    Text(String),
}

/// Reads `0.8`, `"0.8"` and null; an empty text is null.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    match Option::deserialize(deserializer)? {
        None => Ok(None),
        Some(GivenNumber::Number(number)) => Ok(Some(number)),
        Some(GivenNumber::Text(text)) if text.trim().is_empty() => Ok(None),
        Some(GivenNumber::Text(text)) => match text.trim().parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(D::Error::custom(format!("'{text}' is not a number"))),
        },
    }
}

/// Returns the kind of a claim that names none.
pub(super) const fn assertion() -> Information {
    Information::Assertion
}

/// Reads a period, one date, and null.
pub(super) fn period<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PeriodExtract>, D::Error> {
    Ok(Option::<GivenPeriod>::deserialize(deserializer)?.map(PeriodExtract::from))
}
