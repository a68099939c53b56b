//! Lenient deserializers for the replies of models: a number as a string, a month for a day.

use chrono::{DateTime, Days, Months, NaiveDate};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error};

/// A number as it may come.
#[derive(Deserialize)]
#[serde(untagged)]
enum Figure {
    Number(f64),
    Text(String),
}

impl Figure {
    fn number<E: Error>(self) -> Result<f64, E> {
        match self {
            Self::Number(number) => Ok(number),
            Self::Text(text) => parse_number(&text).ok_or_else(|| E::custom(format!("'{text}' is not a number"))),
        }
    }
}

/// `0.7`, and `70 %` as 0.7.
fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let (digits, whole) = text.strip_suffix('%').map_or((text, 1.0), |percent| (percent.trim_end(), 100.0));
    digits.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number / whole)
}

pub(crate) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Figure::deserialize(deserializer)?.number()
}

pub(crate) fn optional_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Option::<Figure>::deserialize(deserializer)?.map(Figure::number).transpose()
}

/// The number of a citation.
pub fn marker<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    count(Figure::deserialize(deserializer)?)
}

pub(crate) fn markers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    Vec::<Figure>::deserialize(deserializer)?.into_iter().map(count).collect()
}

fn count<E: Error>(figure: Figure) -> Result<u32, E> {
    let number: f64 = figure.number()?;
    let is_count = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    if is_count { Ok(number as u32) } else { Err(E::custom(format!("{number} is not the number of a citation"))) }
}

/// A day; a month or a year is read as its last day. Anything else stays as it is, for the rules to name it with its place.
pub(crate) fn last_day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?.filter(|text| !text.trim().is_empty());
    Ok(text.map(|text| last_day_of(&text).map_or(text, |day| day.to_string())))
}

/// The last day of what `text` names: `2031-05-20`, `2031-05`, `2031`, or a moment.
pub fn last_day_of(text: &str) -> Option<NaiveDate> {
    let text = text.trim();
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment.to_utc().date_naive());
    }
    let is_written = |digits: &[usize]| {
        let parts: Vec<&str> = text.split('-').collect();
        let are_digits = |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        parts.len() == digits.len() && parts.iter().zip(digits).all(|(part, length)| are_digits(part, *length))
    };
    let first = |text: &str| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    if is_written(&[4, 2, 2]) {
        first(text)
    } else if is_written(&[4, 2]) {
        first(&format!("{text}-01"))?.checked_add_months(Months::new(1))?.checked_sub_days(Days::new(1))
    } else if is_written(&[4]) {
        first(&format!("{text}-12-31"))
    } else {
        None
    }
}

pub(crate) fn number_schema(generator: &mut SchemaGenerator) -> Schema {
    readable(generator, &["number"])
}

pub(crate) fn optional_number_schema(generator: &mut SchemaGenerator) -> Schema {
    readable(generator, &["number", "null"])
}

/// Returns the schema of a value that models must give and an evidence brief leaves null.
pub(crate) fn asked_for<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    match generator.contract().is_deserialize() {
        true => generator.subschema_for::<T>(),
        false => generator.subschema_for::<Option<T>>(),
    }
}

/// `asked_for` for a number that may come as a string.
pub(crate) fn asked_for_number(generator: &mut SchemaGenerator) -> Schema {
    match generator.contract().is_deserialize() {
        true => number_schema(generator),
        false => optional_number_schema(generator),
    }
}

/// Of the number of a citation.
pub fn marker_schema(generator: &mut SchemaGenerator) -> Schema {
    readable(generator, &["integer"])
}

pub(crate) fn markers_schema(generator: &mut SchemaGenerator) -> Schema {
    let item = marker_schema(generator);
    json_schema!({"type": "array", "items": item})
}

/// Returns the schema of a value that is written with one type and read as a string too.
fn readable(generator: &SchemaGenerator, types: &[&str]) -> Schema {
    let read = generator.contract().is_deserialize().then_some("string");
    let types: Vec<&str> = types.iter().copied().chain(read).collect();
    match types.as_slice() {
        [one] => json_schema!({"type": one}),
        several => json_schema!({"type": several}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_date_is_read_as_its_last_day() {
        let read = |text: &str| last_day_of(text).map(|day| day.to_string());
        let days = ["2031-05-20", " 2031-02 ", "2032-02", "2031-12", "2031", "2031-05-20T23:30:00-02:00"].map(read);
        let expected = ["2031-05-20", "2031-02-28", "2032-02-29", "2031-12-31", "2031-12-31", "2031-05-21"];
        assert_eq!(days, expected.map(|day| Some(day.to_owned())));
        for nothing in ["", "soon", "2031-13", "2031-02-30", "31", "20311", "2031-5", "May 2031", "2031-05-20-1"] {
            assert_eq!(read(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_number_in_quotation_marks_is_that_number() {
        assert_eq!(["0.7", " 70 % ", "70\u{a0}%", "1"].map(parse_number), [Some(0.7), Some(0.7), Some(0.7), Some(1.0)]);
        assert_eq!(["likely", "", "%", "NaN", "inf"].map(parse_number), [None; 5]);
    }
}
