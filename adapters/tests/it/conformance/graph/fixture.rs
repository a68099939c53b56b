//! A backend with an empty graph, and a short way to say what a document states.

use super::{neo4j_only::Server, prelude::*};
pub use crate::conformance::backends::id;
use adapters::{
    graph::{EmbeddedArchive, Neo4jArchive, Neo4jGraph, SqliteGraph},
    sql::Store,
};
use domain::{Precision, PublicationDate, PublishedBasis, RelationshipId};
use engine::{
    Clock, StoreResult,
    archive::ArchiveStore,
    graph::{EntityProposal, EntityUpdate, Graph, GraphWrite, NewClaim, NewRelationship, SameAs, resolve::Cascade},
};
use std::{collections::BTreeMap, slice, sync::Arc};
use tempfile::TempDir;

pub struct GraphFixture {
    pub graph: Box<dyn Graph>,
    pub store: Store,
    pub cascade: Cascade,
    folder: Arc<TempDir>,
    /// None: the graph is in the file of the store.
    neo4j: Option<Arc<Server>>,
}

struct Noon;

impl Clock for Noon {
    fn now(&self) -> Timestamp {
        Timestamp::parse("2031-03-14T12:00:00Z").unwrap()
    }
}

pub fn noon() -> Arc<dyn Clock> {
    Arc::new(Noon)
}

pub async fn sqlite() -> Option<GraphFixture> {
    Some(sqlite_of(unhurried()).await)
}

/// Settings without a limit of reads, whose time depends on what else the machine does.
fn unhurried() -> SqlConfig {
    SqlConfig { read_timeout_ms: 0, ..SqlConfig::default() }
}

pub async fn sqlite_of(config: SqlConfig) -> GraphFixture {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_sqlite(&folder.path().join("graph.db"), config, Arc::new(Noon)).await.unwrap();
    let graph = Box::new(SqliteGraph::new(&store, GraphConfig::default()).unwrap());
    GraphFixture { graph, store, cascade: Cascade::default(), folder: Arc::new(folder), neo4j: None }
}

/// Neo4j has one database: who has a field has it alone. None without a server.
pub async fn neo4j() -> Option<GraphFixture> {
    let server = Arc::new(Server::empty().await?);
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_sqlite(&folder.path().join("state.db"), unhurried(), Arc::new(Noon)).await.unwrap();
    let graph = Box::new(Neo4jGraph::connect(&server.config(), None, &store).await.unwrap());
    Some(GraphFixture { graph, store, cascade: Cascade::default(), folder: Arc::new(folder), neo4j: Some(server) })
}

impl GraphFixture {
    pub fn is_on_neo4j(&self) -> bool {
        self.neo4j.is_some()
    }

    pub async fn write(&self, sheet: &DocumentWrite) -> WriteOutcome {
        self.try_write(sheet).await.unwrap()
    }

    pub async fn try_write(&self, sheet: &DocumentWrite) -> StoreResult<WriteOutcome> {
        Ok(self.graph.write(slice::from_ref(&sheet.write), &self.cascade).await?.remove(0))
    }

    /// The same graph with other settings.
    pub async fn with_config(&self, config: GraphConfig) -> Self {
        let graph = self.open(&self.store, config).await;
        let (store, folder, neo4j) = (self.store.clone(), self.folder.clone(), self.neo4j.clone());
        Self { graph, store, cascade: Cascade::default(), folder, neo4j }
    }

    /// The same graph, as another process has it.
    pub async fn other_process(&self) -> Box<dyn Graph> {
        let path = self.folder.path().join(if self.neo4j.is_some() { "state.db" } else { "graph.db" });
        let store = Store::open_sqlite(&path, unhurried(), Arc::new(Noon)).await.unwrap();
        self.open(&store, GraphConfig::default()).await
    }

    async fn open(&self, store: &Store, config: GraphConfig) -> Box<dyn Graph> {
        match &self.neo4j {
            Some(server) => {
                let config = GraphConfig { neo4j: server.config().neo4j, ..config };
                Box::new(Neo4jGraph::connect(&config, None, store).await.unwrap())
            }
            None => Box::new(SqliteGraph::new(store, config).unwrap()),
        }
    }

    /// The graph as something to be carried; on SQLite the state of its file is beside it.
    pub async fn archive_store(&self) -> Box<dyn ArchiveStore> {
        let resolve = Arc::new(Cascade::default());
        match &self.neo4j {
            Some(server) => {
                let graph = Neo4jGraph::connect(&server.config(), None, &self.store).await.unwrap();
                Box::new(Neo4jArchive::new(graph, resolve))
            }
            None => {
                let graph = SqliteGraph::new(&self.store, GraphConfig::default()).unwrap();
                Box::new(EmbeddedArchive::new(self.store.clone(), graph, resolve))
            }
        }
    }

    pub fn server(&self) -> &Server {
        self.neo4j.as_deref().expect("a field on Neo4j")
    }

    pub async fn counts(&self, scope: &Scope) -> (u64, u64, u64) {
        self.graph.counts(scope).await.unwrap()
    }
}

pub fn collection() -> CollectionId {
    CollectionId(id())
}

/// A new collection, and the scope of its readers.
pub fn home() -> (CollectionId, Scope) {
    let home = collection();
    (home, Scope::from(home))
}

pub fn day(date: &str) -> PublicationDate {
    PublicationDate { value: Timestamp::parse(date).unwrap(), precision: Precision::Day, basis: PublishedBasis::Stated }
}

/// Statements of one document. Indices are into its own lists.
#[derive(Clone)]
pub struct DocumentWrite {
    pub write: GraphWrite,
}

impl DocumentWrite {
    pub fn new(collection: CollectionId, path: &str) -> Self {
        let at = Timestamp::parse("2031-03-14T12:00:00Z").unwrap();
        Self { write: GraphWrite::new(DocumentId(id()), collection, path.into(), at) }
    }

    /// Knows entities by what these collections say of them too.
    pub fn beside(mut self, open: &[CollectionId]) -> Self {
        self.write.resolve_within = open.iter().fold(self.write.resolve_within, |scope, id| scope.with(*id));
        self
    }

    /// Speaks of an entity; named by the claims that are made of it.
    pub fn entity(&mut self, name: &str, kind: &str) -> usize {
        self.write.entities.push(EntityProposal {
            id: EntityId(id()),
            review_ids: vec![ReviewId(id()), ReviewId(id())],
            name: name.into(),
            aliases: Vec::new(),
            kind: kind.into(),
            is_stub: true,
            external_ids: BTreeMap::new(),
            verdicts: Vec::new(),
            claims: Vec::new(),
        });
        self.write.entities.len() - 1
    }

    pub fn claim(&mut self, content: &str, entities: &[usize]) -> usize {
        let refs = entities.iter().map(|index| EntityRef::New(*index)).collect();
        self.claim_of(content, refs)
    }

    pub fn claim_of(&mut self, content: &str, entities: Vec<EntityRef>) -> usize {
        let start = self.write.claims.len() as u64 * 100;
        self.write.claims.push(NewClaim::quoted(ClaimId(id()), content, start, entities));
        self.write.claims.len() - 1
    }

    pub fn dated(&mut self, content: &str, date: &str) -> usize {
        let claim = self.claim(content, &[]);
        self.write.claims[claim].published = Some(day(date));
        claim
    }

    pub fn link(&mut self, source: usize, target: usize, description: &str, claims: &[usize]) -> usize {
        let (source, target) = (EntityRef::New(source), EntityRef::New(target));
        let link = NewRelationship::new(RelationshipId(id()), source, target, description, claims.to_vec());
        self.write.relationships.push(link);
        self.write.relationships.len() - 1
    }

    /// Says that an entity of the sheet is the same as another.
    pub fn same(&mut self, one: usize, other: EntityRef, claims: &[usize]) {
        let (id, one) = (ReviewId(id()), EntityRef::New(one));
        self.write.same_as.push(SameAs { id, one, other, claims: claims.to_vec() });
    }

    pub fn update(&mut self, entity: EntityRef, claims: &[usize]) -> &mut EntityUpdate {
        self.write.updates.push(EntityUpdate::new(entity, claims.to_vec()));
        self.write.updates.last_mut().unwrap()
    }
}

/// One entity named by one claim.
pub fn mention(collection: CollectionId, path: &str, name: &str, content: &str) -> DocumentWrite {
    let mut sheet = DocumentWrite::new(collection, path);
    let entity = sheet.entity(name, "organisation");
    sheet.claim(content, &[entity]);
    sheet
}
