//! A database that an earlier release made: it opens, and says what it said.

use super::{backends, graph::fixture::noon};
use adapters::{
    graph::{GraphConfig, SqliteGraph},
    sql::{SqlConfig, Store},
};
use domain::{ClaimId, DateRange, DocumentId, EntityId, PartialDate, RelationshipId, Scope, document::Credits};
use engine::{
    graph::{ClaimQuery, EntityRef, Graph, resolve::Cascade},
    library::{CreditedDocument, Documents},
};
use sqlx::{Connection, PgConnection, SqliteConnection, migrate::Migrator};
use std::path::Path;
use uuid::Uuid;

/// The last migration of the release before the first that this module knows nothing of.
const LAST_RELEASED: i64 = 31;

/// Ids of what the statements below insert.
const COLLECTION: u128 = 0x0a;
const DOCUMENT: u128 = 0x0d;
const FIRST_ENTITY: u128 = 0xe1;
const FIRST_CLAIM: u128 = 0xc1;
const LINK: u128 = 0xf1;

/// The migrations that the release had.
async fn released(database: &str) -> Migrator {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations").join(database);
    let mut migrator = Migrator::new(folder).await.unwrap();
    migrator.migrations.to_mut().retain(|migration| migration.version <= LAST_RELEASED);
    migrator
}

const LIBRARY: &str = "
    insert into users (id, name, name_key, role, disabled, created_at) values (ID(b0), 'ada', 'ada', 'analyst', FALSE, MOMENT);
    insert into collections (id, kind, name, owner, created_at) values (ID(0a), 'private', 'papers', ID(b0), MOMENT);
    insert into blobs (sha256, bytes) values ('h', BYTES);
    insert into texts (sha256, extractor, text_sha256, body) values ('h', 'plain-1', 't', 'They met.');
    insert into documents (id, collection_id, path, title, media_type, sha256, size_bytes, text_sha256, text_bytes, extractor, captured_at)
        values (ID(0d), ID(0a), 'a.txt', 'A', 'text/plain', 'h', 9, 't', 9, 'plain-1', MOMENT);";

/// One entity with two names, as many claims behind the one as behind the other; the first of the claims is the older.
const GRAPH: &str = "
    insert into graph_collections (n, id) values (1, ID(0a));
    insert into graph_documents (n, id, collection, document_order) values (1, ID(0d), 1, 't a.txt');
    insert into entities (n, id, root) values (1, ID(e1), 1), (2, ID(e2), 2);
    insert into claims (n, id, document, collection, content, quote, span_start, span_end, published_value, published_precision,
            published_basis, ingested_at, attribution, information, mode, content_hash)
        values (1, ID(c1), 1, 1, 'They met.', 'They met.', 0, 9, 1000000, 'day', 'stated', 5, 'primary', 'assertion', 'asserted', '1'),
            (2, ID(c2), 1, 1, 'They met again.', 'They met.', 0, 9, 9000000, 'day', 'stated', 5, 'primary', 'assertion', 'asserted', '2');
    insert into claim_entities (entity, claim, position) values (1, 1, 0), (1, 2, 0);
    insert into entity_facts (n, entity, facet, key, value, collection, at)
        values (1, 1, 'name', '', 'Zoë Quist', 1, 5), (2, 1, 'name', '', 'Zoe Quist', 1, 5), (3, 2, 'name', '', 'Orrin Wire', 1, 5);
    insert into fact_claims (fact, claim) values (1, 1), (2, 2), (3, 1);
    insert into relationships (n, id, source, target, description, description_hash) values (1, ID(f1), 1, 2, 'met', 'x');
    insert into relationship_views (relationship, collection, weight, bidirectional) values (1, 1, 0.5, 0);
    insert into relationship_claims (relationship, claim) values (1, 1);
    insert into reviews (n, id, left_entity, right_entity, score, why, created_at)
        values (1, ID(51), 1, 2, 1.0, 'a document says so: “ORCHID.”', 5);
    insert into review_views (review, left_collection, right_collection) values (1, 1, 1);
    create virtual table terms_1 using fts5 (terms, content = '', contentless_delete = 1,
        tokenize = 'unicode61 remove_diacritics 0');
    create virtual table term_counts_1 using fts5vocab (terms_1, 'row');
    insert into terms_1 (rowid, terms) values (4, 'meet'), (8, 'meet again');";

/// The statements with each `ID(…)` as the database writes it.
fn statements(text: &str, id: impl Fn(Uuid) -> String) -> String {
    let mut parts = text.split("ID(");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(')').unwrap();
        out += &id(Uuid::from_u128(u128::from_str_radix(number, 16).unwrap()));
        out += rest;
    }
    out
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_embedded_database_of_the_last_release_opens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.db");
    let mut conn = SqliteConnection::connect(&format!("sqlite://{}?mode=rwc", path.display())).await.unwrap();
    released("sqlite").await.run(&mut conn).await.unwrap();
    let text = format!("{LIBRARY}{GRAPH}").replace("FALSE", "0").replace("MOMENT", "1").replace("BYTES", "x'00'");
    let text = statements(&text, |id| format!("x'{}'", id.simple()));
    sqlx::raw_sql(sqlx::AssertSqlSafe(text)).execute(&mut conn).await.unwrap();
    conn.close().await.unwrap();

    let store = Store::open_sqlite(&path, SqlConfig::default(), noon()).await.unwrap();
    let graph = SqliteGraph::new(&store, GraphConfig::default()).unwrap();
    let home = domain::CollectionId(Uuid::from_u128(COLLECTION));
    let scope = Scope::from(home);
    let claims = graph.claims(&scope, &[ClaimId(Uuid::from_u128(FIRST_CLAIM))]).await.unwrap();
    assert_eq!((claims[0].content.as_str(), claims[0].occurred), ("They met.", None));
    let quist = EntityId(Uuid::from_u128(FIRST_ENTITY));
    let entity = graph.entities(&scope, &[quist]).await.unwrap().remove(0);
    assert_eq!(entity.canonical_name, "Zoë Quist", "the name with the older evidence");
    let link = graph.relationships(&scope, &[RelationshipId(Uuid::from_u128(LINK))]).await.unwrap().remove(0);
    assert_eq!((link.weight, link.since, link.until), (Some(0.5), None, None));
    let document = store.document(&scope, DocumentId(Uuid::from_u128(DOCUMENT))).await.unwrap().unwrap();
    assert_eq!(document.credits, Credits::default());

    let review = graph.reviews(&scope, 0, 9).await.unwrap().remove(0);
    assert_eq!((review.why.as_str(), review.score), ("", 0.0), "whose words it was is not known");
    assert_eq!(store.texts(&scope, &[document.id]).await.unwrap()[0].text, "They met.");

    // And it goes on from there.
    let mut sheet = super::graph::fixture::DocumentWrite::new(home, "b");
    let again = sheet.claim_of("They met in May.", vec![EntityRef::Existing(quist)]);
    sheet.write.claims[again].occurred = DateRange::new(PartialDate::parse("2031-05").unwrap(), None);
    graph.write(std::slice::from_ref(&sheet.write), &Cascade::default()).await.unwrap();
    let query = ClaimQuery { occurred_after: Some(noon().now()), candidates: 9, ..ClaimQuery::default() };
    assert_eq!(graph.find_claims(&scope, &query).await.unwrap().len(), 1);
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_database_of_the_last_release_opens() {
    let Some(url) = backends::new_database().await else { return };
    let mut conn = PgConnection::connect(&url).await.unwrap();
    released("postgres").await.run(&mut conn).await.unwrap();
    let text = LIBRARY.replace("MOMENT", "now()").replace("BYTES", "'\\x00'");
    let text = statements(&text, |id| format!("'{id}'"));
    sqlx::raw_sql(sqlx::AssertSqlSafe(text)).execute(&mut conn).await.unwrap();
    conn.close().await.unwrap();

    let store = Store::open_postgres(&url, SqlConfig::default(), noon(), None).await.unwrap();
    let scope = Scope::from(domain::CollectionId(Uuid::from_u128(COLLECTION)));
    let document = store.document(&scope, DocumentId(Uuid::from_u128(DOCUMENT))).await.unwrap().unwrap();
    assert_eq!((document.title.as_str(), &document.credits), ("A", &Credits::default()));
    let credits = Credits { agency: Some("Coastal Wire".into()), byline: None };
    let credited = CreditedDocument::new(&document, credits.clone(), &Cascade::default());
    store.add_credits(&[credited]).await.unwrap();
    assert_eq!(store.document(&scope, document.id).await.unwrap().unwrap().credits, credits);
    store.close().await;
}
