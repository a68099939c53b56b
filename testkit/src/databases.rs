//! Databases of the PostgreSQL server for tests.

use crate::{Location, ManualClock, backend, id, open};
use adapters::sql::Schema;
use sqlx::Connection;
use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicI64},
};
use tokio::sync::Mutex;

/// A database of its own inside the server that `AUTOSINT_TEST_POSTGRES` names (a URL without a database): a copy of one that the first
/// test of these features has migrated.
pub async fn migrated_database(schemas: &'static [&'static Schema]) -> Option<String> {
    static TEMPLATES: Mutex<BTreeMap<Vec<&str>, String>> = Mutex::const_new(BTreeMap::new());
    let server = backend("AUTOSINT_TEST_POSTGRES")?;
    let features: Vec<&str> = schemas.iter().map(|schema| schema.name).collect();
    let mut templates = TEMPLATES.lock().await;
    let template = match templates.get(&features).cloned() {
        Some(template) => template,
        None => {
            let template = create_database(&server, "template1").await;
            let clock = Arc::new(ManualClock(AtomicI64::new(0)));
            open(&Location::Url(format!("{server}/{template}")), clock, schemas).await.0.close().await;
            templates.insert(features, template.clone());
            template
        }
    };
    drop(templates);
    Some(format!("{server}/{}", create_database(&server, &template).await))
}

/// Copies a database that is not in use, and returns the name of the copy.
async fn create_database(server: &str, template: &str) -> String {
    let name = format!("conformance_{}_{}", std::process::id(), id().as_u128());
    let mut admin = sqlx::PgConnection::connect(&format!("{server}/postgres")).await.unwrap();
    let statement = sqlx::AssertSqlSafe(format!("create database {name} template {template}"));
    sqlx::query(statement).execute(&mut admin).await.unwrap();
    name
}
