//! Tests that follow from the declared scope of tables: who reads their rows, and with what the rows go.

use crate::{TestBackend, capture, id, stored_assessment};
use adapters::sql::{
    Schema,
    archive::{ColumnType, ScopeColumn, ScopeKind, Table},
    read,
    types::count,
    write,
};
use domain::{AssessmentId, CollectionId, DocumentId, UserId};
use engine::{
    archive::{ArchiveRecord, ArchiveStore, RecordKind},
    assessments::Assessments,
    library::{DependentRows, Documents},
};
use serde_json::{Map, Value, json};
use sqlx::AssertSqlSafe;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Text of a column that takes only some: table, column, text.
pub type ColumnText = (&'static str, &'static str, &'static str);

/// Objects that the rows of one test belong to.
#[derive(Clone, Copy)]
struct Objects {
    person: UserId,
    collection: CollectionId,
    document: DocumentId,
    assessment: AssessmentId,
}

impl Objects {
    /// A person with a private collection, a document and an assessment in it.
    async fn add(backend: &TestBackend) -> Self {
        let (person, collection) = backend.person(&format!("person {}", id())).await;
        let text = format!("The gate log of {} is published.", id());
        let (documents, _) = backend.store.add_documents(&[capture(collection, "log.txt", &text)]).await.unwrap();
        let investigation = backend.investigation(person, collection).await;
        let stored = stored_assessment(backend, investigation, &[collection], "Not known.");
        let assessment = backend.store.put(&stored).await.unwrap();
        Self { person, collection, document: documents[0].id, assessment }
    }

    fn id(&self, kind: ScopeKind) -> Uuid {
        match kind {
            ScopeKind::Person => self.person.0,
            ScopeKind::Document => self.document.0,
            ScopeKind::Collection => self.collection.0,
            ScopeKind::Assessment => self.assessment.0,
        }
    }
}

/// Asserts that a row of each table is read by the person whose objects its scope names, and by no other person. The rows are made from the
/// declared columns; `texts` are those of columns that take only some.
pub async fn assert_no_other_person_reads(backend: &TestBackend, schema: &Schema, texts: &[ColumnText]) {
    let objects = Objects::add(backend).await;
    let other = Objects::add(backend).await;
    add_rows(backend, schema, objects, texts).await;
    for table in schema.tables {
        assert!(!table.scope.is_empty(), "{} declares no scope", table.name);
        if !is_scoped(schema, table) {
            continue;
        }
        let readable = async |person| count_rows(backend, table, &schema.readable_rows(table), Some(person)).await;
        assert_eq!(readable(objects.person).await, 1, "the person reads their row of {}", table.name);
        assert_eq!(readable(other.person).await, 0, "another person reads a row of {}", table.name);
    }
}

/// Asserts that rows are removed with each object that their scope names, and no others, and that the previews of deleting count those with
/// a label.
pub async fn assert_rows_go_with_their_objects(backend: &TestBackend, schema: &Schema, texts: &[ColumnText]) {
    const REMOVALS: [(ScopeKind, &str); 4] = [
        (ScopeKind::Person, "delete from users where id = $1"),
        (ScopeKind::Document, "delete from documents where id = $1"),
        (ScopeKind::Assessment, "delete from assessments where id = $1"),
        (ScopeKind::Collection, "delete from collections where id = $1"),
    ];
    for (kind, removal) in REMOVALS {
        let (objects, other) = (Objects::add(backend).await, backend.user(&format!("person {}", id())).await);
        // A person who owns nothing else can be removed.
        let objects = if kind == ScopeKind::Person { Objects { person: other, ..objects } } else { objects };
        let before = counts(backend, schema).await;
        add_rows(backend, schema, objects, texts).await;
        if kind == ScopeKind::Document {
            let is_counted = |table: &&Table| goes_with(schema, table, kind) || table.lost_with_documents.is_some();
            let labelled = schema.tables.iter().filter(is_counted);
            let labelled = labelled.filter_map(|table| table.label).map(|(one, many)| DependentRows { one, many, rows: 1 });
            let preview = async |viewer| backend.store.dependents(viewer, &[objects.document]).await.unwrap();
            assert_eq!(preview(objects.person).await, labelled.collect::<Vec<_>>());
            assert_eq!(preview(other).await, [], "the rows of others are not counted");
        }
        let id = objects.id(kind);
        let removed = write!(backend.store, conn => sqlx::query(removal).bind(id).execute(&mut *conn).await?.rows_affected());
        assert_eq!(removed.unwrap(), 1, "{kind:?}");
        let after = counts(backend, schema).await;
        for ((table, before), after) in schema.tables.iter().zip(before).zip(after) {
            let stays = !goes_with(schema, table, kind);
            assert_eq!(after, before + u64::from(stays), "rows of {} after the removal of: {kind:?}", table.name);
        }
    }
}

/// Returns whether rows of a table are removed with an object. Documents and assessments go with their collection.
fn goes_with(schema: &Schema, table: &Table, kind: ScopeKind) -> bool {
    let kinds = match kind {
        ScopeKind::Collection => &[ScopeKind::Collection, ScopeKind::Document, ScopeKind::Assessment][..],
        ScopeKind::Person => &[ScopeKind::Person],
        ScopeKind::Document => &[ScopeKind::Document],
        ScopeKind::Assessment => &[ScopeKind::Assessment],
    };
    kinds.iter().any(|kind| schema.dependent_rows(table, *kind, "").is_some())
}

/// Returns whether the scope of a table names an object of any kind.
fn is_scoped(schema: &Schema, table: &Table) -> bool {
    [ScopeKind::Person, ScopeKind::Collection].into_iter().any(|kind| goes_with(schema, table, kind))
}

/// Adds a row to each table of a schema.
async fn add_rows(backend: &TestBackend, schema: &Schema, objects: Objects, texts: &[ColumnText]) {
    let mut keys: BTreeMap<&str, Uuid> = BTreeMap::new();
    for table in schema.tables {
        let mut line = Map::new();
        for (column, kind) in table.columns {
            let named = table.scope.iter().find_map(|scope| match *scope {
                ScopeColumn::Row(parent, name) if name == *column => keys.get(parent).copied(),
                other => other.object().filter(|(_, name)| name == column).map(|(kind, _)| objects.id(kind)),
            });
            let value = match (named, kind) {
                (Some(id), _) => json!(id.to_string()),
                (None, ColumnType::Id) => json!(id().to_string()),
                (None, ColumnType::Text) => {
                    let given = texts.iter().find(|(name, given, _)| *name == table.name && given == column);
                    given.map_or_else(|| json!(format!("text {}", id())), |(_, _, text)| json!(text))
                }
                (None, ColumnType::Number) => json!(1),
                (None, ColumnType::Flag) => json!(false),
                (None, ColumnType::Moment) => json!(backend.now().as_micros()),
                (None, ColumnType::Json) => json!({}),
                (None, ColumnType::Hex) => json!("00"),
                (None, ColumnType::Blob) => Value::Null,
            };
            if let (ColumnType::Id, Some(id)) = (kind, value.as_str()) {
                // The first id of a table is the key of its row.
                keys.entry(table.name).or_insert_with(|| Uuid::parse_str(id).unwrap());
            }
            line.insert((*column).to_owned(), value);
        }
        let record = ArchiveRecord { place: String::new(), line: Value::Object(line).to_string(), blob: None };
        backend.store.import(RecordKind(table.name), &[record]).await.unwrap();
    }
}

/// Counts the rows of every table of a schema.
async fn counts(backend: &TestBackend, schema: &Schema) -> Vec<u64> {
    let mut counts = vec![];
    for table in schema.tables {
        counts.push(count_rows(backend, table, "1 = 1", None).await);
    }
    counts
}

/// Counts the rows `r` of a table that meet a condition, with a person as its parameter.
async fn count_rows(backend: &TestBackend, table: &Table, condition: &str, person: Option<UserId>) -> u64 {
    let sql = format!("select count(*) from {} r where {condition}", table.name);
    let rows = read!(backend.store, conn => {
        let counting = sqlx::query_scalar(AssertSqlSafe(sql.clone()));
        let counting = match person {
            Some(person) => counting.bind(person.0),
            None => counting,
        };
        let rows: i64 = counting.fetch_one(&mut *conn).await?;
        count(rows)?
    });
    rows.unwrap()
}
