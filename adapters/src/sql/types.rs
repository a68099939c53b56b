//! Column types of the two databases: moments, ids and enum values.

use super::fault::{Fault, defect};
use domain::Timestamp;
use sqlx::{
    Database, Decode, Encode, Postgres, Sqlite, Type,
    encode::IsNull,
    error::BoxDynError,
    types::chrono::{DateTime, Utc},
};
use uuid::Uuid;

/// A moment: integer microseconds in SQLite, `timestamptz` in PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(pub Timestamp);

impl Type<Sqlite> for Moment {
    fn type_info() -> <Sqlite as Database>::TypeInfo {
        <i64 as Type<Sqlite>>::type_info()
    }

    fn compatible(info: &<Sqlite as Database>::TypeInfo) -> bool {
        <i64 as Type<Sqlite>>::compatible(info)
    }
}

impl Encode<'_, Sqlite> for Moment {
    fn encode_by_ref(&self, buffer: &mut <Sqlite as Database>::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
        <i64 as Encode<'_, Sqlite>>::encode(self.0.as_micros(), buffer)
    }
}

impl<'r> Decode<'r, Sqlite> for Moment {
    fn decode(value: <Sqlite as Database>::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(Timestamp::from_micros(<i64 as Decode<'r, Sqlite>>::decode(value)?)))
    }
}

impl Type<Postgres> for Moment {
    fn type_info() -> <Postgres as Database>::TypeInfo {
        <DateTime<Utc> as Type<Postgres>>::type_info()
    }
}

impl Encode<'_, Postgres> for Moment {
    fn encode_by_ref(&self, buffer: &mut <Postgres as Database>::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
        <DateTime<Utc> as Encode<'_, Postgres>>::encode(self.0.to_datetime(), buffer)
    }
}

impl<'r> Decode<'r, Postgres> for Moment {
    fn decode(value: <Postgres as Database>::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(Timestamp::from(<DateTime<Utc> as Decode<'r, Postgres>>::decode(value)?)))
    }
}

/// Encodes ids as one parameter, for `in (select unhex(value) from json_each($n))`.
pub fn id_list(ids: impl IntoIterator<Item = Uuid>) -> String {
    let mut list = String::from("[");
    for id in ids {
        if list.len() > 1 {
            list.push(',');
        }
        list.push_str(&format!("\"{}\"", id.simple()));
    }
    list.push(']');
    list
}

/// Encodes texts as one parameter, for `in (select value from json_each($n))`.
pub fn text_list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    serde_json::Value::from(words.into_iter().map(serde_json::Value::from).collect::<Vec<_>>()).to_string()
}

/// Parses a stored enum value.
pub fn word<T>(what: &str, text: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, Fault> {
    parse(text).ok_or_else(|| defect(what, text))
}

/// Converts a count or size from a column; they are never negative.
pub fn count<T: TryFrom<i64>>(value: i64) -> Result<T, Fault> {
    T::try_from(value).map_err(|_| defect("count", &value.to_string()))
}
