//! Many values as one bound parameter: JSON that `json_each` takes apart, so that statements keep one text however many rows.

use crate::sql::fault::{Fault, defect};
use serde::{Deserialize, Serialize, de::IntoDeserializer};
use serde_json::Value;
use uuid::Uuid;

/// An id inside JSON, for `unhex`.
pub(super) fn hex(id: Uuid) -> Value {
    Value::String(id.simple().to_string())
}

/// Row numbers as one parameter.
pub(super) fn list(numbers: impl IntoIterator<Item = i64>) -> String {
    Value::from_iter(numbers).to_string()
}

/// The word under which a value of a closed list is kept: the same as in JSON.
pub(super) fn word<T: Serialize>(value: T) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Reads such a word.
pub(super) fn of_word<'de, T: Deserialize<'de>>(word: &'de str) -> Result<T, Fault> {
    let deserializer: serde::de::value::StrDeserializer<'de, serde::de::value::Error> = word.into_deserializer();
    T::deserialize(deserializer).map_err(|_| defect("word of this list", word))
}
