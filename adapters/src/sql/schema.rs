//! Tables that a feature adds to the state store, with their migrations.

use super::{
    Store,
    archive::{TABLES, Table},
};
use engine::{StoreError, StoreResult, archive::RecordKind};
use sqlx::migrate::Migrator;
use std::borrow::Cow;

/// Tables of one feature. Its migrations are numbered by themselves and recorded in a table of their own.
#[derive(Debug)]
pub struct Schema {
    /// Name of the feature.
    pub name: &'static str,
    pub sqlite: &'static Migrator,
    pub postgres: &'static Migrator,
    /// In insertion order: a table comes after those that it refers to.
    pub tables: &'static [Table],
}

impl Schema {
    /// Returns the migrator that records its versions in `_sqlx_migrations_NAME`.
    pub(super) fn named(&self, migrator: &Migrator) -> Migrator {
        Migrator {
            migrations: migrator.migrations.clone(),
            table_name: Cow::Owned(format!("_sqlx_migrations_{}", self.name)),
            ..Migrator::DEFAULT
        }
    }
}

impl Store {
    /// Returns the archived tables: those of the kernel, then those of the features.
    pub fn tables(&self) -> impl Iterator<Item = &'static Table> {
        TABLES.iter().chain(self.inner.schemas.iter().flat_map(|schema| schema.tables))
    }

    /// Returns the archived table of a kind of record.
    pub(crate) fn archived_table(&self, kind: RecordKind) -> StoreResult<&'static Table> {
        let table = self.tables().find(|table| table.name == kind.0);
        table.ok_or_else(|| StoreError::Invalid(format!("the state store has no records of kind {kind}")))
    }

    /// Returns the kinds of records of the state, in insertion order.
    pub(crate) fn record_kinds(&self) -> Vec<RecordKind> {
        self.tables().map(|table| RecordKind(table.name)).collect()
    }
}
