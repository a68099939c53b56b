//! The Neo4j server for tests, and what only Neo4j can do: be gone, be shared, and be looked into.

use super::fixture::{GraphFixture, collection, id, mention, neo4j};
use crate::{
    conformance::backends::{SequentialIds, backend},
    flaky_proxy::FlakyProxy,
};
use adapters::{
    graph::{GraphConfig, Neo4jConfig, Neo4jGraph},
    sql::{SqlConfig, Store},
};
use domain::{MergeId, Scope, entity::PropertyKey, entity::PropertyValue};
use engine::{
    StoreError,
    graph::{EntityRef, Graph},
    reliability::{BreakerConfig, CircuitState, Circuits, DependencyGuard, RetryConfig},
};
use futures::future::join_all;
use neo4rs::query;
use std::{fs::File, sync::Arc, time::Duration};
use tokio::{
    sync::{Mutex, MutexGuard},
    time::timeout,
};

/// The server that `AUTOSINT_TEST_NEO4J` names (a URL), which has one database. Who holds this has it alone.
pub struct Server {
    url: String,
    _alone: MutexGuard<'static, ()>,
    _alone_on_machine: File,
}

static ALONE: Mutex<()> = Mutex::const_new(());

/// Empties a graph. Indexes stay: whenever one is made or goes, Neo4j plans every statement anew.
const EMPTY: [&str; 3] = [
    "MATCH (n) WHERE NOT n:Graph AND NOT n:VectorModel CALL { WITH n DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS",
    "MATCH (g:Graph) SET g.version = g.version + 1, g.rows = 0",
    "MATCH (m:VectorModel) SET m.filled = 0, m.used = null",
];

impl Server {
    /// The server without data; none where there is no server and none has to be.
    pub async fn empty() -> Option<Self> {
        let url = backend("AUTOSINT_TEST_NEO4J")?;
        let alone = ALONE.lock().await;
        // The tests of `server` share the database with one another; they hold this lock shared.
        let lock = tokio::task::spawn_blocking(|| {
            let file = File::create(std::env::temp_dir().join("autosint-test-neo4j.lock")).unwrap();
            file.lock().unwrap();
            file
        });
        let server = Self { url, _alone: alone, _alone_on_machine: lock.await.unwrap() };
        let graph = server.client();
        for statement in EMPTY {
            graph.run(query(statement)).await.unwrap();
        }
        Some(server)
    }

    pub fn config(&self) -> GraphConfig {
        let neo4j = Neo4jConfig {
            url: Some(self.url.clone().try_into().unwrap()),
            connections: 8,
            removal_portion: 2,
            ..Neo4jConfig::default()
        };
        GraphConfig { neo4j, ..GraphConfig::default() }
    }

    /// A way to the database past the product.
    pub fn client(&self) -> neo4rs::Graph {
        neo4rs::Graph::new(&self.url, "neo4j", "").unwrap()
    }
}

/// The first row that a statement gives past the product, as one value.
async fn look<T: serde::de::DeserializeOwned>(fixture: &GraphFixture, statement: &str) -> T {
    let graph = fixture.server().client();
    let row = graph.execute(query(statement)).await.unwrap().next().await.unwrap().unwrap();
    row.to().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_is_not_there_is_not_available() {
    let folder = tempfile::tempdir().unwrap();
    let clock = super::fixture::noon();
    let store = Store::open_sqlite(&folder.path().join("state.db"), SqlConfig::default(), clock).await.unwrap();
    let neo4j = Neo4jConfig {
        url: Some("bolt://127.0.0.1:9".to_owned().try_into().unwrap()),
        timeout_ms: 2_000,
        ..Neo4jConfig::default()
    };
    let refused = Neo4jGraph::connect(&GraphConfig { neo4j, ..GraphConfig::default() }, None, &store).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{:?}", refused.err());
    let unset = Neo4jGraph::connect(&GraphConfig::default(), None, &store).await;
    assert!(matches!(unset, Err(StoreError::Invalid(_))), "{:?}", unset.err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_does_not_answer_is_not_asked_again_before_its_probe() {
    let Some(fixture) = neo4j().await else { return };
    let mut config = fixture.server().config();
    let cut = FlakyProxy::before(config.neo4j.url.as_ref().unwrap().exposed()).await;
    config.neo4j.url = Some(cut.address("bolt://").try_into().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let retry = RetryConfig { max_attempts: 1, ..RetryConfig::STORE };
    let sql = SqlConfig { retry, ..SqlConfig::default() };
    let store = Store::open_sqlite(&folder.path().join("state.db"), sql, super::fixture::noon()).await.unwrap();
    let breaker = BreakerConfig::default();
    let circuits = Arc::new(store.clone());
    let guard = DependencyGuard::new("neo4j", circuits, super::fixture::noon(), Arc::new(SequentialIds), breaker);
    let graph = Neo4jGraph::connect(&config, None, &store).await.unwrap().guarded_by(guard);
    let (home, state) = (collection(), async || store.circuit("neo4j").await.unwrap().state);
    assert_eq!((graph.counts(&Scope::from(home)).await.unwrap(), store.circuits().await.unwrap()), ((0, 0, 0), vec![]));
    cut.sever();
    // Idle connections of the pool may each fail once.
    while state().await != CircuitState::Open {
        assert!(matches!(graph.describe().await, Err(StoreError::Unavailable(_))));
    }
    cut.mend();
    let write = mention(home, "a", "Halvek Front", "They met.");
    let written = graph.write(std::slice::from_ref(&write.write), &fixture.cascade).await;
    assert!(matches!(written, Err(StoreError::Unavailable(_))), "it answers again, and nobody asked it: {written:?}");
    assert!(matches!(graph.describe().await, Err(StoreError::Unavailable(_))));
    assert_eq!(fixture.counts(&Scope::from(home)).await, (0, 0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_abandoned_write_blocks_no_other_write() {
    let Some(fixture) = neo4j().await else { return };
    let home = collection();
    let other = fixture.other_process().await;
    fixture.write(&mention(home, "a", "Halvek Front", "They met.")).await;
    for wait_ms in [1, 3, 6, 10, 15, 20, 30, 45] {
        let given_up = mention(home, &format!("given up {wait_ms}"), "Halvek Front", &format!("Statement {wait_ms}."));
        let cut = timeout(
            Duration::from_millis(wait_ms),
            fixture.graph.write(std::slice::from_ref(&given_up.write), &fixture.cascade),
        )
        .await;
        let next = mention(home, &format!("after {wait_ms}"), "Halvek Front", &format!("They met after {wait_ms}."));
        let next = timeout(Duration::from_secs(20), other.write(std::slice::from_ref(&next.write), &fixture.cascade)).await;
        assert!(next.expect("the lock was held on").is_ok());
        // Done again as a whole, it is there once.
        let again = fixture.write(&given_up).await;
        assert!(cut.is_err() || !again.claims[0].is_new);
    }
    assert_eq!(fixture.counts(&Scope::from(home)).await, (17, 1, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_abandoned_removal_is_completed_by_the_next_one() {
    const CLAIMS: usize = 60;
    let Some(fixture) = neo4j().await else { return };
    let (gone, own) = (collection(), collection());
    let mut sheet = mention(gone, "a", "Halvek Front", "They met.");
    for number in 1..CLAIMS {
        let lock = sheet.entity(&format!("Lock {number}"), "place");
        let claim = sheet.claim(&format!("It opened lock {number}."), &[0, lock]);
        sheet.link(0, lock, "opened", &[claim]);
    }
    fixture.write(&sheet).await;
    fixture.write(&mention(own, "b", "Halvek Front", "They met again.").beside(&[gone])).await;
    let (process, other) = (fixture.other_process().await, fixture.other_process().await);
    let removing = tokio::spawn(async move { process.remove_collection(gone).await });
    let tombstones = "OPTIONAL MATCH (k:Collection {removed: true}) RETURN count(k)";
    let begun = async { while look::<i64>(&fixture, tombstones).await == 0 {} };
    timeout(Duration::from_secs(20), begun).await.expect("the removal begins");
    // Others write while it goes on.
    let meanwhile = mention(own, "c", "Halvek Front", "They met meanwhile.");
    timeout(Duration::from_secs(20), other.write(std::slice::from_ref(&meanwhile.write), &fixture.cascade))
        .await
        .unwrap()
        .unwrap();
    removing.abort();
    let _ = removing.await;
    let left: i64 = look(&fixture, "MATCH (c:Claim) RETURN count(c)").await;
    assert!(left > 2, "this is about a removal that was not over");
    let refused = fixture.try_write(&sheet).await;
    assert!(matches!(refused, Err(StoreError::Invalid(_))), "{refused:?}");

    fixture.graph.remove_collection(gone).await.unwrap();
    assert_eq!(fixture.counts(&Scope::from(own)).await, (2, 1, 0));
    assert_eq!(fixture.counts(&Scope::from(gone)).await, (0, 0, 0));
    let left: Vec<(String, i64)> = look(
        &fixture,
        "MATCH (n) WHERE NOT n:Graph AND NOT n:VectorModel AND NOT n:Collection WITH labels(n)[0] AS label, count(n) AS number
         ORDER BY label RETURN collect([label, number])",
    )
    .await;
    let expected = [("Claim", 2), ("Document", 2), ("Entity", 1), ("EntityView", 1)];
    for (label, number) in expected {
        assert!(left.contains(&(label.to_owned(), number)), "{label}: {left:?}");
    }
    let relationships: i64 = look(&fixture, "OPTIONAL MATCH ()-[r:RELATES_TO]->() RETURN count(r)").await;
    assert_eq!(relationships, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_database_holds_the_labels_and_properties_of_the_requirements() {
    let Some(fixture) = neo4j().await else { return };
    let home = collection();
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    sheet.write.entities[0].aliases = vec!["HF".into()];
    sheet.write.claims[0].published = Some(super::fixture::day("1969-07-20"));
    let other = sheet.entity("Radio Ebrin", "outlet");
    sheet.write.outlet = Some(EntityRef::New(other));
    sheet.link(0, other, "speaks on", &[0]);
    let members = PropertyKey::try_from("members".to_owned()).unwrap();
    sheet.update(EntityRef::New(0), &[0]).properties.insert(members, PropertyValue::Integer(200));
    let written = fixture.write(&sheet).await;
    type EntityRow = (String, Vec<String>, String, i64, bool);
    let entity: EntityRow = look(
        &fixture,
        "MATCH (e:Entity {canonical_name: 'Halvek Front'})-[r:RELATES_TO {description: 'speaks on'}]->(o:Entity)-[:PUBLISHED]->(c:Claim)
            -[:REFERENCES]->(e) WHERE c.published_at = datetime('1969-07-20T00:00:00Z')
        RETURN [e.canonical_name, e.aliases, e.kind, e.x_members, e.last_updated = c.ingested_at]",
    )
    .await;
    assert_eq!(entity, ("Halvek Front".into(), vec!["HF".into()], "organisation".into(), 200, true));
    let found = fixture.graph.claims(&Scope::from(home), &[written.claims[0].id]).await.unwrap();
    assert_eq!(found[0].published, sheet.write.claims[0].published);
    fixture.graph.merge(MergeId(id()), written.entities[0].id, written.entities[1].id, None, sheet.write.at).await.unwrap();
    let merged: bool = look(&fixture, "RETURN EXISTS { MATCH (:Entity)-[:MERGED_INTO {undone: false}]->(:Entity) }").await;
    assert!(merged);
    let waiting: i64 = look(&fixture, "SHOW INDEXES YIELD state WHERE state <> 'ONLINE' RETURN count(*)").await;
    assert_eq!(waiting, 0, "every index is there and ready");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_that_start_at_once_on_a_new_database_make_one_schema() {
    const PROCESSES: usize = 6;
    let Some(server) = Server::empty().await else { return };
    let names = |kind: &'static str, of: &'static str| {
        let client = server.client();
        async move {
            let mut rows = client.execute(query(of)).await.unwrap();
            let mut names: Vec<String> = vec![];
            while let Some(row) = rows.next().await.unwrap() {
                names.push(row.get("name").unwrap());
            }
            for name in &names {
                client.run(query(&format!("DROP {kind} `{name}`"))).await.unwrap();
            }
            names.len()
        }
    };
    let constraints = "SHOW CONSTRAINTS YIELD name";
    let indexes = "SHOW INDEXES YIELD name, type WHERE type IN ['RANGE', 'FULLTEXT']";
    let made_before = names("CONSTRAINT", constraints).await + names("INDEX", indexes).await;
    server.client().run(query("MATCH (g:Graph) DELETE g")).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store =
        Store::open_sqlite(&folder.path().join("state.db"), SqlConfig::default(), super::fixture::noon()).await.unwrap();
    let config = server.config();
    let started = join_all((0..PROCESSES).map(|_| Neo4jGraph::connect(&config, None, &store))).await;
    for graph in started {
        graph.unwrap();
    }
    let all =
        "SHOW INDEXES YIELD state, type WHERE type IN ['RANGE', 'FULLTEXT'] AND state = 'ONLINE' RETURN count(*) AS number";
    let row = server.client().execute(query(all)).await.unwrap().next().await.unwrap().unwrap();
    assert_eq!(row.get::<i64>("number").unwrap(), i64::try_from(made_before).unwrap(), "each once, and ready");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_graph_of_an_older_schema_is_brought_up_to_date() {
    let Some(fixture) = neo4j().await else { return };
    let home = collection();
    let sheet = |path: &str, name: &str, published: &str| {
        let mut sheet = mention(home, path, name, &format!("{name} spoke."));
        sheet.write.claims[0].published = Some(super::fixture::day(published));
        sheet
    };
    let quist = fixture.write(&sheet("a", "Zoë Quist", "2031-03-10")).await.entities[0].id;
    fixture.write(&sheet("b", "Zoe Quist", "2031-03-14")).await;
    let graph = fixture.server().client();
    for statement in [
        "MATCH (f:Fact) REMOVE f.oldest",
        "DROP INDEX claim_in_occurrence",
        "CREATE INDEX tension_scouted IF NOT EXISTS FOR (t:Tension) ON (t.response_scouted_at)",
        "CREATE (:Review {id: 'r', left: 1, right: 2, score: 1.0, why: 'a document says so: ORCHID', closed: false, created_at: 5,
            left_collections: [3], right_collections: [3]})",
        "MATCH (g:Graph) SET g.schema = 2",
    ] {
        graph.run(query(statement)).await.unwrap();
    }
    let name = async |graph: &dyn engine::graph::Graph| {
        graph.entities(&Scope::from(home), &[quist]).await.unwrap().remove(0).canonical_name
    };
    assert_eq!(name(&*fixture.graph).await, "Zoe Quist", "nothing says which is older");
    assert_eq!(name(&*fixture.other_process().await).await, "Zoë Quist");
    let indexes: i64 = look(
        &fixture,
        "SHOW INDEXES YIELD name, state WHERE name = 'claim_in_occurrence' AND state = 'ONLINE' RETURN count(*)",
    )
    .await;
    assert_eq!(indexes, 1);
    let review: (String, f64, bool, bool) = look(
        &fixture,
        "MATCH (r:Review)-[:SEEN_IN]->(s:ReviewView) RETURN [s.why, s.score, s.closed, r.left_collections IS NULL AND r.why IS NULL]",
    )
    .await;
    assert_eq!(review, (String::new(), 0.0, false, true), "whose words it was is not known");
    let unused: i64 = look(&fixture, "SHOW INDEXES YIELD name WHERE name = 'tension_scouted' RETURN count(*)").await;
    assert_eq!(unused, 0, "what nothing fills is gone");
}
