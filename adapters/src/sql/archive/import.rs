//! Import of records into their tables, with full text and the summaries of assessments.

use super::{
    lines::values,
    snapshot::{Dialect, value},
    tables::{ColumnType, Table},
};
use crate::sql::{
    Db, Store,
    assessments::{self, put_summary},
    documents,
    fault::{Fault, defect},
    types::id_list,
};
use domain::assessment::Assessment;
use engine::{
    StoreError, StoreResult,
    archive::{ArchiveRecord, RecordKind},
};
use serde_json::Value;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

pub(crate) async fn import(store: &Store, kind: RecordKind, records: &[ArchiveRecord]) -> StoreResult<()> {
    let table = store.archived_table(kind)?;
    if table.columns.iter().any(|(_, kind)| *kind == ColumnType::Blob) {
        return blobs(store, table, records).await;
    }
    let rows = records.iter().map(|record| values(table, &record.line)).collect::<StoreResult<Vec<Value>>>()?;
    let rows = Value::from(rows);
    let sql = insert_sql(table, dialect(store));
    let ids = || rows.as_array().into_iter().flatten().filter_map(|row| Uuid::parse_str(row[0].as_str()?).ok());
    let (documents, assessments) = match table.name {
        "documents" => (Some(id_list(ids())), vec![]),
        "assessments" => (None, searched(records)?),
        _ => (None, vec![]),
    };
    let counted = table.name == "audit_log" && dialect(store) == Dialect::Postgres;
    let (documents_index, assessments_index) = (documents::index(store.db()), assessments::index(store.db()));
    let forget_assessments = assessments::forget(store.db());
    write!(store, conn => {
        execute!(conn, AssertSqlSafe(sql.clone()); rows.to_string());
        if counted {
            // The next entry gets the number after the last of these.
            let sql = "select setval(pg_get_serial_sequence('audit_log', 'sequence'), (select max(sequence) from audit_log))";
            execute!(conn, sql);
        }
        if let Some(documents) = &documents {
            let sql = "select row_id from documents where id in (select unhex(value) from json_each($1))";
            let rows: Vec<i64> = values!(conn.fetch_all, sql; documents);
            let rows = Value::from(rows).to_string();
            for sql in documents_index {
                execute!(conn, *sql; &rows);
            }
        }
        for assessment in &assessments {
            if let Some(forget) = forget_assessments {
                execute!(conn, forget; assessment.id.0);
            }
            execute!(conn, assessments_index; assessment.id.0, &assessment.question, &assessment.body.title,
                assessment.bottom_line_text());
            put_summary!(assessment.id.0, assessment).execute(&mut *conn).await?;
        }
    })
}

fn dialect(store: &Store) -> Dialect {
    match store.db() {
        Db::Sqlite(_) => Dialect::Sqlite,
        Db::Postgres(_) => Dialect::Postgres,
    }
}

/// Returns the assessments to index for full text, and to summarise.
fn searched(records: &[ArchiveRecord]) -> StoreResult<Vec<Assessment>> {
    let read = |record: &ArchiveRecord| {
        let mut line: Value = serde_json::from_str(&record.line).map_err(|_| defect("record", &record.line))?;
        serde_json::from_value(line["body"].take()).map_err(|error| Fault::from(StoreError::Invalid(error.to_string())))
    };
    Ok(records.iter().map(read).collect::<Result<Vec<Assessment>, Fault>>()?)
}

/// Inserts rows with bytes one by one, since bytes are not encoded as text.
async fn blobs(store: &Store, table: &Table, records: &[ArchiveRecord]) -> StoreResult<()> {
    let mut rows = Vec::with_capacity(records.len());
    for record in records {
        let bytes =
            record.blob.as_deref().ok_or_else(|| StoreError::Invalid(format!("a record of {} lacks its bytes", table.name)))?;
        rows.push((values(table, &record.line)?.to_string(), bytes));
    }
    let sql = blob_sql(table, dialect(store));
    write!(store, conn => {
        for (values, bytes) in &rows {
            execute!(conn, AssertSqlSafe(sql.clone()); values, *bytes);
        }
    })
}

/// Builds the statement that inserts a JSON list of rows, `$1`.
fn insert_sql(table: &Table, dialect: Dialect) -> String {
    let values = table.columns.iter().enumerate().map(|(i, (_, kind))| self::value(dialect, "value", i, *kind));
    let values = values.collect::<Vec<_>>().join(", ");
    let (into, conflict) = (into(table), conflict(table));
    match dialect {
        Dialect::Sqlite => format!("{into} select {values} from json_each($1) where true {conflict}"),
        Dialect::Postgres => format!(
            "{into} overriding system value select {values} from jsonb_array_elements($1::jsonb) as given(value) {conflict}"
        ),
    }
}

/// Builds the statement that inserts one row: `$1` is a JSON list of its other columns, `$2` the bytes.
fn blob_sql(table: &Table, dialect: Dialect) -> String {
    let mut given = 0..;
    let values = table.columns.iter().map(|(_, kind)| match kind {
        ColumnType::Blob => "$2".to_owned(),
        kind => self::value(dialect, "$1", given.next().unwrap_or_default(), *kind),
    });
    let values = values.collect::<Vec<_>>().join(", ");
    format!("{} values ({values}) {}", into(table), conflict(table))
}

fn into(table: &Table) -> String {
    let names = table.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    format!("insert into {} ({names})", table.name)
}

fn conflict(table: &Table) -> String {
    let key = table.columns[..table.key].iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let others = &table.columns[table.key..];
    let set = others.iter().map(|(name, _)| format!("{name} = excluded.{name}")).collect::<Vec<_>>().join(", ");
    match others {
        [] => format!("on conflict ({key}) do nothing"),
        _ => format!("on conflict ({key}) do update set {set}"),
    }
}
