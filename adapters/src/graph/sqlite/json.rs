//! JSON parameters for `json_each`: many values in one parameter, so that a statement keeps one text for any number of rows.

use serde_json::Value;
use uuid::Uuid;

/// Encodes an id for `unhex`.
pub(super) fn hex(id: Uuid) -> Value {
    Value::String(id.simple().to_string())
}

/// Encodes row numbers as one parameter.
pub(super) fn list(numbers: impl IntoIterator<Item = i64>) -> String {
    Value::from_iter(numbers).to_string()
}
