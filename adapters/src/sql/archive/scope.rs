//! Scope of the tables of features: who reads their rows, and with what the rows go.

use super::Table;
use crate::{
    read_assessment, read_by,
    sql::{Schema, Store, types::count},
};
use domain::UserId;
use engine::{StoreResult, library::DependentRows};
use sqlx::AssertSqlSafe;
use std::collections::BTreeSet;

/// Column that decides who reads a row, and with what the row goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeColumn {
    /// Id of the only person who reads the row.
    Owner(&'static str),
    /// Id of the person who reads the row, and the flag with which everybody else does too.
    OwnerUnless(&'static str, &'static str),
    /// Id of a document, read by those who read its collection.
    Document(&'static str),
    Collection(&'static str),
    Assessment(&'static str),
    /// Table of the same feature, declared before, and the column with the first column of its row.
    Row(&'static str, &'static str),
    /// Rows without a reader of their own, with the reason.
    Unscoped(&'static str),
}

/// Kind of an object with which rows go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    Person,
    Document,
    Collection,
    Assessment,
}

/// Label of the rows of a table, for one and for many.
pub type RowLabel = (&'static str, &'static str);

/// Condition for collections `c` that the person `$1` reads.
const COLLECTION: &str = read_by!("$1");
/// Condition for assessments `a` that the person `$1` reads.
const ASSESSMENT: &str = read_assessment!("$1");

impl ScopeColumn {
    /// Returns the kind of object that the column names, with the column.
    pub const fn object(self) -> Option<(ScopeKind, &'static str)> {
        match self {
            Self::Owner(column) | Self::OwnerUnless(column, _) => Some((ScopeKind::Person, column)),
            Self::Document(column) => Some((ScopeKind::Document, column)),
            Self::Collection(column) => Some((ScopeKind::Collection, column)),
            Self::Assessment(column) => Some((ScopeKind::Assessment, column)),
            Self::Row(..) | Self::Unscoped(_) => None,
        }
    }
}

impl Schema {
    /// Returns the condition for the rows `r` of a table that the person `$1` reads: those that every column of its scope lets them read.
    pub fn readable_rows(&self, table: &Table) -> String {
        self.readable(table, "r")
    }

    /// Returns the condition for the rows `r` of a table that go with the objects whose ids the query `ids` selects; `None` for a table
    /// without such rows.
    pub fn dependent_rows(&self, table: &Table, kind: ScopeKind, ids: &str) -> Option<String> {
        self.dependent(table, "r", kind, ids)
    }

    /// Returns the parent of a table: one that is declared before it.
    fn parent(&self, table: &Table, name: &str) -> Option<&'static Table> {
        self.tables.iter().take_while(|one| one.name != table.name).find(|one| one.name == name)
    }

    fn readable(&self, table: &Table, row: &str) -> String {
        let condition = |scope: &ScopeColumn| match *scope {
            ScopeColumn::Owner(column) => format!("{row}.{column} = $1"),
            ScopeColumn::OwnerUnless(column, flag) => format!("({row}.{flag} or {row}.{column} = $1)"),
            ScopeColumn::Document(column) => format!(
                "exists (select 1 from documents d join collections c on c.id = d.collection_id
                    where d.id = {row}.{column} and {COLLECTION})"
            ),
            ScopeColumn::Collection(column) => {
                format!("exists (select 1 from collections c where c.id = {row}.{column} and {COLLECTION})")
            }
            ScopeColumn::Assessment(column) => {
                format!("exists (select 1 from assessments a where a.id = {row}.{column} and {ASSESSMENT})")
            }
            ScopeColumn::Row(parent, column) => {
                let parent = self.parent(table, parent);
                let inherited =
                    parent.and_then(|parent| in_parent(parent, row, column, |row| Some(self.readable(parent, row))));
                inherited.unwrap_or_else(|| "false".to_owned())
            }
            ScopeColumn::Unscoped(_) => "true".to_owned(),
        };
        // Without a declared scope no row is readable.
        if table.scope.is_empty() {
            return "false".to_owned();
        }
        table.scope.iter().map(condition).collect::<Vec<_>>().join(" and ")
    }

    fn dependent(&self, table: &Table, row: &str, kind: ScopeKind, ids: &str) -> Option<String> {
        let condition = |scope: &ScopeColumn| match *scope {
            ScopeColumn::Row(parent, column) => {
                let parent = self.parent(table, parent)?;
                in_parent(parent, row, column, |row| self.dependent(parent, row, kind, ids))
            }
            other => {
                let (_, column) = other.object().filter(|(named, _)| *named == kind)?;
                Some(format!("{row}.{column} in ({ids})"))
            }
        };
        let conditions: Vec<String> = table.scope.iter().filter_map(condition).collect();
        (!conditions.is_empty()).then(|| format!("({})", conditions.join(" or ")))
    }
}

/// Returns the condition for rows whose row of the parent table meets a condition on it.
fn in_parent(parent: &Table, row: &str, column: &str, condition: impl FnOnce(&str) -> Option<String>) -> Option<String> {
    let (key, _) = parent.columns.first()?;
    let above = format!("{row}p");
    let condition = condition(&above)?;
    Some(format!("exists (select 1 from {} {above} where {above}.{key} = {row}.{column} and {condition})", parent.name))
}

impl Store {
    /// Returns those of the tables that have a row which `viewer` reads, in one statement. Known are `documents`, `assessments` and the
    /// tables of features; other names are left out.
    pub async fn tables_with_rows(&self, viewer: UserId, tables: &[&str]) -> StoreResult<BTreeSet<String>> {
        let parts: Vec<String> = tables.iter().filter_map(|table| self.existence(table)).collect();
        if parts.is_empty() {
            return Ok(BTreeSet::new());
        }
        let statement = parts.join(" union all ");
        let found = read!(self, conn => {
            let finding = sqlx::query_scalar(AssertSqlSafe(statement.clone())).bind(viewer.0);
            let found: Vec<String> = finding.fetch_all(&mut *conn).await?;
            found
        });
        Ok(found?.into_iter().collect())
    }

    /// Returns the statement that selects the name of a table where the person `$1` reads one of its rows.
    fn existence(&self, name: &str) -> Option<String> {
        let rows = match name {
            "assessments" => format!("select 1 from assessments a where {ASSESSMENT}"),
            "documents" => {
                format!("select 1 from documents d join collections c on c.id = d.collection_id where {COLLECTION}")
            }
            _ => {
                let declared = self.inner.schemas.iter().find_map(|schema| {
                    let table = schema.tables.iter().find(|table| table.name == name)?;
                    Some((schema, table))
                });
                let (schema, table) = declared?;
                format!("select 1 from {} r where {}", table.name, schema.readable_rows(table))
            }
        };
        Some(format!("select '{name}' as name where exists ({rows})"))
    }

    /// Counts the rows of features with a label that go with the objects of an id list and that `viewer` reads: how much others have is
    /// theirs to know.
    pub(in crate::sql) async fn count_dependents(
        &self,
        viewer: UserId,
        kind: ScopeKind,
        ids: &str,
    ) -> StoreResult<Vec<DependentRows>> {
        let counts = self.counts_of_dependents(kind);
        if counts.is_empty() {
            return Ok(vec![]);
        }
        read!(self, conn => {
            let mut dependents = vec![];
            for (label, counting) in &counts {
                let counting = sqlx::query_scalar(AssertSqlSafe(counting.clone())).bind(viewer.0).bind(ids);
                let rows: i64 = counting.fetch_one(&mut *conn).await?;
                let (one, many) = *label;
                dependents.push(DependentRows { one, many, rows: count(rows)? });
            }
            dependents.retain(|dependent| dependent.rows > 0);
            dependents
        })
    }

    /// Returns the labels and counts of the rows of features that the person `$1` reads and that go with the objects of the id list `$2`, or
    /// that their feature removes after them.
    fn counts_of_dependents(&self, kind: ScopeKind) -> Vec<(RowLabel, String)> {
        let mut counts = vec![];
        for schema in self.inner.schemas {
            for table in schema.tables {
                let named = schema.dependent_rows(table, kind, "select unhex(value) from json_each($2)");
                let lost = table.lost_with_documents.filter(|_| kind == ScopeKind::Document).map(str::to_owned);
                let conditions: Vec<String> = named.into_iter().chain(lost).collect();
                if let (Some(label), false) = (table.label, conditions.is_empty()) {
                    let (condition, readable) = (conditions.join(" or "), schema.readable_rows(table));
                    counts.push((label, format!("select count(*) from {} r where ({condition}) and {readable}", table.name)));
                }
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::archive::ColumnType::Id;
    use sqlx::migrate::Migrator;

    static NO_MIGRATIONS: Migrator = Migrator::DEFAULT;
    static SCHEMA: Schema = Schema {
        name: "bookmarks",
        sqlite: &NO_MIGRATIONS,
        postgres: &NO_MIGRATIONS,
        tables: &[
            Table::new("folders", 1, &[("id", Id), ("user_id", Id)]).scope(&[ScopeColumn::Owner("user_id")]),
            Table::new("bookmarks", 1, &[("id", Id), ("folder_id", Id), ("document_id", Id)])
                .scope(&[ScopeColumn::Row("folders", "folder_id"), ScopeColumn::Document("document_id")]),
            Table::new("undeclared", 1, &[("id", Id)]),
            Table::new("lost", 1, &[("id", Id), ("bookmark_id", Id)]).scope(&[ScopeColumn::Row("missing", "bookmark_id")]),
        ],
    };

    #[test]
    fn a_row_is_readable_where_every_scope_column_allows_it() {
        let [folders, bookmarks, undeclared, lost] = SCHEMA.tables else { panic!("four tables") };
        assert_eq!(SCHEMA.readable_rows(folders), "r.user_id = $1");
        let condition = SCHEMA.readable_rows(bookmarks);
        let (folder, document) = condition.split_once(" and exists (select 1 from documents d").unwrap();
        assert_eq!(folder, "exists (select 1 from folders rp where rp.id = r.folder_id and rp.user_id = $1)");
        assert!(document.contains("d.id = r.document_id and (c.kind <> 'private'"), "{document}");
        assert_eq!(SCHEMA.readable_rows(undeclared), "false");
        assert_eq!(SCHEMA.readable_rows(lost), "false", "its parent is not declared before it");
    }

    #[test]
    fn a_row_goes_with_any_object_that_its_scope_names() {
        let [folders, bookmarks, ..] = SCHEMA.tables else { panic!("four tables") };
        let dependent = |table, kind| SCHEMA.dependent_rows(table, kind, "select $1");
        assert_eq!(dependent(folders, ScopeKind::Document), None);
        assert_eq!(dependent(bookmarks, ScopeKind::Document).unwrap(), "(r.document_id in (select $1))");
        let owned = "(exists (select 1 from folders rp where rp.id = r.folder_id and (rp.user_id in (select $1))))";
        assert_eq!(dependent(bookmarks, ScopeKind::Person).unwrap(), owned);
    }
}
