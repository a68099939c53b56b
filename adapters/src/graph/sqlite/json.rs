//! Many values as one bound parameter: JSON that `json_each` takes apart, so that statements keep one text however many rows.

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
