//! Comparison of the declared tables with those of the database.

use crate::{TestBackend, postgres, postgres_with, sqlite, sqlite_with};
use adapters::sql::{Schema, Store};
use engine::archive::{ArchiveStore, PageSize, RecordKind};
use std::collections::{BTreeMap, BTreeSet};

/// Tables and columns as the database has them.
pub async fn schema(backend: &TestBackend) -> BTreeMap<String, BTreeSet<String>> {
    use sqlx::Connection;
    let rows: Vec<(String, String)> = match backend.database() {
        Some(url) => {
            let mut conn = sqlx::PgConnection::connect(url).await.unwrap();
            let sql =
                "select table_name::text, column_name::text from information_schema.columns where table_schema = 'public'";
            sqlx::query_as(sql).fetch_all(&mut conn).await.unwrap()
        }
        None => {
            let options = sqlx::sqlite::SqliteConnectOptions::new().filename(backend.file());
            let mut conn = sqlx::SqliteConnection::connect_with(&options).await.unwrap();
            // Full text is of the documents and assessments, and of the collections of the graph.
            let sql = "select t.name, c.name from pragma_table_list t join pragma_table_info(t.name) c
                where t.type = 'table' and t.schema = 'main' and t.name not like '%\\_search' escape '\\'
                    and t.name <> 'sqlite_schema'";
            sqlx::query_as(sql).fetch_all(&mut conn).await.unwrap()
        }
    };
    let mut schema: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (table, column) in rows {
        schema.entry(table).or_default().insert(column);
    }
    schema
}

/// Asserts that every column of the tables that features add is declared for the archive.
async fn assert_added_columns_are_archived(backend: &TestBackend) {
    let kernel = match backend.database() {
        Some(_) => postgres().await,
        None => sqlite().await,
    };
    let kernel = schema(&kernel.expect("a backend of the same kind")).await;
    let mut added = schema(backend).await;
    added.retain(|table, _| !kernel.contains_key(table) && !table.starts_with("_sqlx_migrations"));
    let declared = backend.store.tables().filter(|table| !kernel.contains_key(table.name));
    let declared: BTreeMap<String, BTreeSet<String>> = declared
        .map(|table| {
            let columns = table.columns.iter().map(|(column, _)| *column).chain(table.excluded.iter().copied());
            (table.name.to_owned(), columns.map(str::to_owned).collect())
        })
        .collect();
    assert_eq!(added, declared, "`TABLES` of the feature declares every column");
}

/// Asserts that every column of the tables of `schemas` is declared, and that everything in a store is the same after a transfer to an
/// empty one of the same kind with these tables.
pub async fn assert_transfer(from: &TestBackend, schemas: &'static [&'static Schema]) {
    let other = match from.database() {
        Some(_) => postgres_with(schemas).await,
        None => sqlite_with(schemas).await,
    };
    let other = other.unwrap();
    assert_added_columns_are_archived(&other).await;
    assert_archive_round_trip(from, &other).await;
    other.close().await;
}

/// Asserts that everything in one store is the same after a transfer to another, to the last column.
async fn assert_archive_round_trip(from: &TestBackend, to: &TestBackend) {
    const ALL: PageSize = PageSize { records: 10_000, bytes: usize::MAX };
    let export = async |store: &Store, kind: RecordKind| store.snapshot().await.unwrap().page(kind, None, ALL).await.unwrap();
    for kind in from.store.kinds() {
        to.store.import(kind, &export(&from.store, kind).await).await.unwrap();
    }
    for kind in from.store.kinds() {
        assert_eq!(export(&to.store, kind).await, export(&from.store, kind).await, "{kind}");
    }
}
