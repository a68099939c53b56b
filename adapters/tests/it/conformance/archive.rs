//! Suite of state archives: every table is archived, between any two databases, also when the schema grows.

use super::{backends::sqlite, prelude::*};
use adapters::sql::archive::{ColumnType, EXCLUDED, TABLES, Table};
use domain::assessment::AssessmentState;
use engine::{
    accounts::Accounts,
    archive::{
        ArchiveRecord, ArchiveStore, Digests, ImportState, PageSize, RecordKind, RecordSource, SnapshotPages, TransferConfig,
        blob_reference, copy,
    },
    assessments::Assessments,
    library::Documents,
};
use serde_json::{Map, Value, json};
use uuid::Uuid;

const ALL: PageSize = PageSize { records: 1_000, bytes: usize::MAX };

/// The tables of the graph in the SQLite file, with every column that `adapters::graph::archive` carries or makes again.
const GRAPH: [(&str, &str); 19] = [
    ("graph_collections", "id n removed"),
    ("graph_documents", "collection document_order id n"),
    ("entities", "id n root"),
    (
        "claims",
        "attribution collection content content_hash document id information ingested_at language mode n occurred_from \
         occurred_precision occurred_to occurred_to_precision outlet published_basis published_precision published_value quote span_end span_start speaker",
    ),
    ("claim_entities", "claim entity position"),
    ("entity_facts", "at claims collection entity facet key n newest oldest value"),
    ("fact_claims", "claim fact"),
    ("name_keys", "collection entity fact key"),
    ("relationships", "description description_hash id n source target"),
    ("relationship_views", "bidirectional collection confidence relationship since timestamp until weight"),
    ("relationship_claims", "bidirectional claim confidence relationship since timestamp until weight"),
    ("merges", "at decided_by id merged survivor undone"),
    ("reviews", "id left_entity n right_entity"),
    (
        "review_views",
        "closed created_at decided_at decided_by document left_collection postponed_at review right_collection score why",
    ),
    ("entity_views", "collection entity id label n words"),
    ("vector_models", "dimensions kind model slot"),
    ("coarse_vectors", "bits chunk collections present slot"),
    ("graph_version", "number"),
    ("sqlite_sequence", "name seq"),
];

pub async fn every_table_and_column_is_archived_or_excluded_by_name(backend: &TestBackend) {
    let mut schema = testkit::schema(backend).await;
    for (name, _) in EXCLUDED {
        assert!(schema.remove(name).is_some(), "{name} is no table any more");
    }
    for (name, known) in GRAPH.iter().filter(|_| backend.database().is_none()) {
        let columns = schema.remove(*name).unwrap_or_default();
        let columns: Vec<String> = columns.into_iter().collect();
        assert_eq!(columns.join(" "), *known, "{name}: say in adapters::graph::archive what becomes of it");
    }
    for table in TABLES {
        let mut columns = schema.remove(table.name).unwrap_or_default();
        for (column, _) in table.columns {
            assert!(columns.remove(*column), "{}.{column} is no column any more", table.name);
        }
        columns.retain(|column| !table.excluded.contains(&column.as_str()));
        assert!(columns.is_empty(), "adapters::sql::archive::TABLES does not say what becomes of {}: {columns:?}", table.name);
    }
    assert!(schema.is_empty(), "adapters::sql::archive does not say what becomes of {:?}", schema.keys());
}

/// A record of a table in which everything refers to the same things.
fn a_record(backend: &TestBackend, table: &Table, of: Uuid) -> ArchiveRecord {
    let bytes = b"\0bytes\xff".as_slice();
    let value = |name: &str, kind: ColumnType| match kind {
        ColumnType::Id => json!(of),
        ColumnType::Text if table.name == "investigations" && name == "reason" => Value::Null,
        ColumnType::Text => json!("wörd \"1\"\n"),
        ColumnType::Number => json!(i64::MAX),
        ColumnType::Flag => json!(true),
        ColumnType::Moment if name == "ended_at" => Value::Null,
        ColumnType::Moment => json!(1_900_000_000_123_457_i64),
        ColumnType::Json if table.name == "assessments" && name == "body" => {
            let mut drawn = stored_assessment(backend, InvestigationId(of), &[CollectionId(of)], "Nobody knows.").assessment;
            drawn.id = of.into();
            serde_json::to_value(drawn).unwrap()
        }
        ColumnType::Json => json!({"a": [1, null, "é", 0.1, true], "B": {}}),
        ColumnType::Hex => json!("00ff5e"),
        ColumnType::Blob => blob_reference(bytes),
    };
    let fields: Map<String, Value> =
        table.columns.iter().map(|(name, kind)| ((*name).to_owned(), value(name, *kind))).collect();
    let has_bytes = table.columns.iter().any(|(_, kind)| *kind == ColumnType::Blob);
    let blob = has_bytes.then(|| bytes::Bytes::from_static(b"\0bytes\xff"));
    ArchiveRecord { place: String::new(), line: Value::Object(fields).to_string(), blob }
}

async fn exported(store: &Store, kind: RecordKind) -> Vec<ArchiveRecord> {
    store.snapshot().await.unwrap().page(kind, None, ALL).await.unwrap()
}

pub async fn imported_rows_are_exported_with_every_column(backend: &TestBackend) {
    let of = id();
    // Twice: what is there already stays what it is.
    for _ in 0..2 {
        for table in TABLES {
            let record = a_record(backend, table, of);
            backend.store.import(RecordKind(table.name), std::slice::from_ref(&record)).await.unwrap();
            let found = exported(&backend.store, RecordKind(table.name)).await;
            let (lines, blobs): (Vec<_>, Vec<_>) = found.into_iter().map(|found| (found.line, found.blob)).unzip();
            assert_eq!((lines, blobs), (vec![record.line.clone()], vec![record.blob]), "{}", table.name);
            assert_eq!(backend.store.canonical(RecordKind(table.name), &record.line).unwrap(), record.line);
        }
    }
}

/// A small store with something of everything that people see.
async fn furnish(backend: &TestBackend) -> CollectionId {
    let store = &backend.store;
    let (ada, collection) = backend.person("ada").await;
    let papers: Vec<_> =
        (0..7).map(|n| capture(collection, &format!("{n}.txt"), &format!("the keeper's report {n}"))).collect();
    store.add_documents(&papers).await.unwrap();
    backend.queued_order().await;
    let investigation = backend.investigation(ada, collection).await;
    for _ in 0..4 {
        let part = Investigation { parent_id: Some(investigation), ..backend.an_investigation(ada, collection) };
        engine::investigations::Investigations::add(store, &part).await.unwrap();
    }
    store.put(&stored_assessment(backend, investigation, &[collection], "The keeper opened it.")).await.unwrap();
    for act in ["sign_in", "sign_out"] {
        let entry = AuditEntry { at: backend.now(), user: Some(ada), act: act.into(), object: "ada".into(), address: None };
        store.audit(&entry).await.unwrap();
    }
    collection
}

async fn digests(store: &Store, size: PageSize) -> Digests {
    let snapshot = store.snapshot().await.unwrap();
    SnapshotPages::new("a test".into(), store.kinds(), snapshot, size).await.unwrap().digests().await.unwrap()
}

async fn copy_state(backend: &TestBackend, from: &Store, to: &Store) {
    let config = TransferConfig { batch_records: 3, batch_kib: 1 };
    let snapshot = from.snapshot().await.unwrap();
    let mut source = SnapshotPages::new("a test".into(), from.kinds(), snapshot, config.page()).await.unwrap();
    copy(&mut source, to, to, &*backend.clock, &config, &mut |_| {}).await.unwrap();
}

pub async fn restored_data_is_searchable_and_usable(backend: &TestBackend) {
    let source = sqlite().await.unwrap();
    let collection = furnish(&source).await;
    copy_state(backend, &source.store, &backend.store).await;
    let scope = Scope::from(collection);
    let query = DocumentQuery { text: Some("keeper 5".into()), limit: 10, ..DocumentQuery::default() };
    assert_eq!(backend.store.list(&scope, &query).await.unwrap().total, 1, "full text is made again");
    assert_eq!(
        backend.store.search(&scope, &"keeper".into(), 5).await.unwrap(),
        source.store.search(&scope, &"keeper".into(), 5).await.unwrap()
    );
    let with_state = AssessmentQuery { states: Some(AssessmentState::ALL.to_vec()), limit: 5, ..AssessmentQuery::default() };
    assert_eq!(backend.store.latest(&scope, &with_state).await.unwrap().total, 1, "states are made again");
    let entry = AuditEntry { at: backend.now(), user: None, act: "later".into(), object: "ada".into(), address: None };
    backend.store.audit(&entry).await.unwrap();
    assert_eq!(backend.store.audit_log(1).await.unwrap(), [entry], "numbers go on after those that were carried");
    let more = [capture(collection, "more.txt", "more")];
    assert_eq!(backend.store.add_documents(&more).await.unwrap().1, 1);
    source.close().await;
}

pub async fn a_snapshot_does_not_change(backend: &TestBackend) {
    backend.user("ada").await;
    let mut snapshot = backend.store.snapshot().await.unwrap();
    backend.user("bob").await;
    assert_eq!(snapshot.count(RecordKind("users")).await.unwrap(), 1);
    assert_eq!(snapshot.page(RecordKind("users"), None, ALL).await.unwrap().len(), 1);
    drop(snapshot);
    assert_eq!(exported(&backend.store, RecordKind("users")).await.len(), 2);
}

pub async fn a_page_has_no_more_bytes_than_were_asked_for(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let papers: Vec<_> = (0..6).map(|n| capture(collection, &format!("{n}.txt"), &n.to_string().repeat(1_000))).collect();
    backend.store.add_documents(&papers).await.unwrap();
    let mut snapshot = backend.store.snapshot().await.unwrap();
    for (bytes, expected) in [(3_500, 3), (10, 1), (usize::MAX, 6)] {
        let page = snapshot.page(RecordKind("blobs"), None, PageSize { records: 100, bytes }).await.unwrap();
        assert_eq!(page.len(), expected, "{bytes}");
    }
    drop(snapshot);
    let (small, large) = (PageSize { records: 1, bytes: 1 }, ALL);
    let (small, large) = (digests(&backend.store, small).await, digests(&backend.store, large).await);
    assert_eq!(small, large, "whatever the pages, everything comes once");
    assert_eq!(small.tally(RecordKind("texts")).records, 6);
}

pub async fn an_import_is_recorded(backend: &TestBackend) {
    let store = &backend.store;
    assert_eq!(store.last_import().await.unwrap(), None);
    let at = Timestamp::from_micros(1_900_000_000_000_000);
    for _ in 0..2 {
        store.begin_import("an archive", at).await.unwrap();
        let arrival = store.last_import().await.unwrap().unwrap();
        assert_eq!((arrival.source.as_str(), arrival.ended_at), ("an archive", None));
    }
    store.cancel_import("an archive").await.unwrap();
    assert_eq!(store.last_import().await.unwrap(), None);
    store.begin_import("an archive", at).await.unwrap();
    store.end_import("an archive", at).await.unwrap();
    store.cancel_import("an archive").await.unwrap();
    assert_eq!(store.last_import().await.unwrap().unwrap().ended_at, Some(at));
}

pub async fn a_store_goes_to_the_other_database_and_back(backend: &TestBackend) {
    furnish(backend).await;
    let other = sqlite().await.unwrap();
    copy_state(backend, &backend.store, &other.store).await;
    assert_eq!(digests(&backend.store, ALL).await, digests(&other.store, ALL).await);
    other.close().await;
}
