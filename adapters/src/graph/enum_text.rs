//! Stored text of enum values: the same as in JSON.

use domain::{DateRange, PartialDate, PublicationDate, Timestamp};
use engine::{StoreError, StoreResult};
use serde::{Deserialize, Serialize, de::IntoDeserializer};

pub(super) fn to_text<T: Serialize>(value: T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Parses a stored enum value.
pub(super) fn from_text<'de, T: Deserialize<'de>>(word: &'de str) -> StoreResult<T> {
    let deserializer: serde::de::value::StrDeserializer<'de, serde::de::value::Error> = word.into_deserializer();
    T::deserialize(deserializer).map_err(|_| StoreError::Defect(format!("'{word}' is not a known value")))
}

/// Returns a published date from its three columns, if all are set.
pub(super) fn published(
    value: Option<i64>,
    precision: Option<&str>,
    basis: Option<&str>,
) -> StoreResult<Option<PublicationDate>> {
    let (Some(value), Some(precision), Some(basis)) = (value, precision, basis) else { return Ok(None) };
    Ok(Some(PublicationDate {
        value: Timestamp::from_micros(value),
        precision: from_text(precision)?,
        basis: from_text(basis)?,
    }))
}

/// Returns the time of an event from its columns, if all but the last are set.
pub(super) fn occurred(
    from: Option<i64>,
    to: Option<i64>,
    precision: Option<&str>,
    to_precision: Option<&str>,
) -> StoreResult<Option<DateRange>> {
    let (Some(from), Some(to), Some(precision)) = (from, to, precision) else { return Ok(None) };
    let (from, to) = (Timestamp::from_micros(from), Timestamp::from_micros(to));
    let to_precision = to_precision.map(from_text).transpose()?;
    Ok(Some(DateRange { from, to, precision: from_text(precision)?, to_precision }))
}

/// Returns a day, a month or a year from its column.
pub(super) fn partial_date(text: Option<&str>) -> StoreResult<Option<PartialDate>> {
    let date = |text: &str| PartialDate::parse(text).ok_or_else(|| StoreError::Defect(format!("'{text}' is not a date")));
    text.map(date).transpose()
}
