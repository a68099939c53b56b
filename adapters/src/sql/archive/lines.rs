//! Record lines: one JSON object per row with a field per declared column, equal on both databases.

use super::tables::{ColumnType, Table};
use crate::sql::{
    Store,
    fault::{Fault, defect},
};
use engine::{
    StoreError, StoreResult,
    archive::{RecordKind, blob_reference, without_nul},
};
use serde_json::{Map, Value};
use uuid::Uuid;

/// Returns the line of a row; `values` are its columns in declared order, null for bytes, which are stored beside it.
pub(super) fn line(table: &Table, values: Vec<Value>, blob: Option<&[u8]>) -> Result<String, Fault> {
    let mut object = Map::new();
    for ((name, kind), value) in table.columns.iter().zip(values) {
        let value = match (kind, blob) {
            (ColumnType::Blob, Some(bytes)) => blob_reference(bytes),
            _ => plain(*kind, value).ok_or_else(|| defect(name, "a value of another type"))?,
        };
        object.insert((*name).to_owned(), value);
    }
    Ok(Value::Object(object).to_string())
}

/// Normalises a value so that both databases give the same.
fn plain(kind: ColumnType, value: Value) -> Option<Value> {
    Some(match (kind, value) {
        (_, Value::Null) => Value::Null,
        (ColumnType::Id, Value::String(text)) => Value::String(Uuid::parse_str(&text).ok()?.to_string()),
        // SQLite has no truth values.
        (ColumnType::Flag, Value::Number(number)) => Value::Bool(number.as_i64()? != 0),
        (ColumnType::Hex, Value::String(text)) => Value::String(text.to_lowercase()),
        (_, mut value) => {
            without_nul(&mut value);
            value
        }
    })
}

/// Fields that older versions name otherwise: table, old name, new name.
const RENAMED: [(&str, &str, &str); 3] = [
    ("tool_calls", "lured_by", "injection_document"),
    ("tool_calls", "lure", "injection"),
    ("investigations", "prompt", "question"),
];

/// Returns the line as this version writes it; a field missing in an older version becomes null.
pub(crate) fn canonical(store: &Store, kind: RecordKind, given: &str) -> StoreResult<String> {
    canonical_row(store.archived_table(kind)?, given)
}

fn canonical_row(table: &Table, given: &str) -> StoreResult<String> {
    let mut object = object(given)?;
    for (_, old, new) in RENAMED.iter().filter(|(renamed, ..)| *renamed == table.name) {
        if let Some(value) = object.remove(*old) {
            object.insert((*new).to_owned(), value);
        }
    }
    let mut fields = Map::new();
    for (name, kind) in table.columns {
        let value = plain(*kind, object.remove(*name).unwrap_or_default());
        let value = value.ok_or_else(|| StoreError::Invalid(format!("{name} has a value of another type")))?;
        fields.insert((*name).to_owned(), value);
    }
    if let Some(unknown) = object.keys().next() {
        return Err(StoreError::Invalid(format!("{} have no {unknown} in this version: update AutOSINT", table.name)));
    }
    Ok(Value::Object(fields).to_string())
}

fn object(line: &str) -> StoreResult<Map<String, Value>> {
    serde_json::from_str(line).map_err(|error| StoreError::Invalid(format!("not a valid record: {error}")))
}

/// Returns the values of a canonical line in declared order, without bytes.
pub(super) fn values(table: &Table, line: &str) -> StoreResult<Value> {
    let mut object = object(line)?;
    let columns = table.columns.iter().filter(|(_, kind)| *kind != ColumnType::Blob);
    Ok(columns.map(|(name, _)| object.remove(*name).unwrap_or_default()).collect())
}

#[cfg(test)]
mod tests {
    use super::{super::TABLES, *};
    use serde_json::json;

    fn table(name: &str) -> &'static Table {
        TABLES.iter().find(|table| table.name == name).unwrap()
    }

    #[test]
    fn both_databases_export_equal_lines() {
        let table = table("users");
        let of = |id: &str, disabled: Value| {
            let values = json!([id, "ada\u{0}", "ada", "admin", null, disabled, 1_900_000_000_000_000_i64]);
            let mut values = values.as_array().unwrap().clone();
            values.resize(table.columns.len(), Value::Null);
            line(table, values, None).unwrap()
        };
        let sqlite = of("0193aabbccdd70008000000000000001", json!(1));
        let postgres = of("0193aabb-ccdd-7000-8000-000000000001", json!(true));
        assert_eq!(sqlite, postgres);
        assert!(sqlite.contains("\"name\":\"ada\""), "{sqlite}");
        assert_eq!(canonical_row(table, &sqlite).unwrap(), sqlite);
    }

    #[test]
    fn a_missing_column_is_null_and_an_unknown_column_is_refused() {
        let line = canonical_row(table("budget_levels"), r#"{"key": "2031-03-14", "level": "day", "micros": 3}"#).unwrap();
        assert_eq!(line, r#"{"key":"2031-03-14","level":"day","micros":3,"tokens":null}"#);
        let call =
            canonical_row(table("tool_calls"), r#"{"lured_by": "0193aabb-ccdd-7000-8000-000000000001", "lure": {}}"#).unwrap();
        assert!(call.contains(r#""injection":{},"injection_document":"0193aabb-ccdd-7000-8000-000000000001""#), "{call}");
        let newer = canonical_row(table("budget_levels"), r#"{"key": "k", "level": "day", "colour": "red"}"#);
        assert!(matches!(&newer, Err(StoreError::Invalid(why)) if why.contains("colour")), "{newer:?}");
    }
}
