//! The graph: cost of writing a document as it grows, the three ways of searching, and what the pages of the graph read. On SQLite, or with `-- --neo4j URL` on a Neo4j
//! without a password, whose graph is deleted. With `--writes` it stops after the writes, with `--searches` it leaves
//! them out, with `--server PID` it prints the CPU time of that process as well.
//!
//! Besides criterion's own figures it prints median and 95th percentile over many different queries, and CPU time per write.

use adapters::{
    Address,
    graph::{GraphConfig, Neo4jConfig, Neo4jGraph, SqliteGraph},
    sql::{SqlConfig, Store},
};
use criterion::{BatchSize, Criterion};
use domain::{
    ClaimId, CollectionId, DocumentId, EntityId, QueryText, RelationshipId, Scope, Timestamp,
    claim::{Attribution, Information, Mode, Span},
};
use engine::{
    Clock,
    embeddings::VectorKind,
    evidence::content_hash,
    graph::{
        ClaimQuery, Direction, EntityProposal, EntityQuery, EntityRef, Graph, GraphWrite, NewClaim, NewRelationship,
        SubgraphQuery, Traversal,
        communities::communities,
        paths::{PathQuery, find_paths},
        resolve::Cascade,
        search::{SearchConfig, search_claims},
    },
};
use std::{collections::BTreeMap, hint::black_box, sync::Arc, time::Instant};
use tokio::runtime::Runtime;
use uuid::Uuid;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const CLAIMS_PER_DOCUMENT: usize = 8;
/// Documents that one write takes, as ingestion does by default.
const DOCUMENTS_PER_PACK: usize = 10;
const ENTITIES_PER_DOCUMENT: usize = 10;
const DIMENSIONS: usize = 384;
const MODEL: &str = "bench";
const QUERIES: usize = 200;
/// Relationships that the pages read, as in the default configuration.
const ENTITY_EDGES: u32 = 200;
const EXPLORER_EDGES: u32 = 1_500;
const PATH_EDGES: u32 = 5_000;

struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(1_900_000_000_000_000)
    }
}

/// Numbers that look like chance and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Small numbers far more often than large ones, as words are used.
    fn rank(&mut self, of: usize) -> usize {
        ((of as f64).powf(self.unit()) - 1.0) as usize
    }

    fn id(&mut self) -> Uuid {
        Uuid::from_u64_pair(self.next(), self.next())
    }
}

fn syllables(mut number: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["ka", "ro", "mi", "ten", "va", "lus", "or", "be", "shi", "dan", "gu", "fel", "no", "pra", "zi", "hek"];
    let mut word = String::new();
    for _ in 0..3 {
        word.push_str(SYLLABLES[number % 16]);
        number /= 16;
    }
    word
}

fn name(number: usize) -> String {
    let capital = |word: String| word[..1].to_uppercase() + &word[1..];
    let kinds = ["", " Group", " Ministry", " Press", " Union"];
    let first = number.wrapping_mul(2_654_435_761) % 4096;
    let second = number.wrapping_mul(40_503).wrapping_add(977) % 4096;
    format!("{} {}{}", capital(syllables(first)), capital(syllables(second)), kinds[number % kinds.len()])
}

fn sentence(numbers: &mut Numbers, words: usize) -> String {
    (0..words).map(|_| syllables(numbers.rank(4096))).collect::<Vec<_>>().join(" ")
}

fn document(numbers: &mut Numbers, collection: CollectionId, entities: usize) -> GraphWrite {
    let order = hex::encode(numbers.id().as_bytes());
    let proposal = |numbers: &mut Numbers| EntityProposal {
        id: EntityId(numbers.id()),
        review_ids: Vec::new(),
        name: name(numbers.rank(entities)),
        aliases: Vec::new(),
        kind: "organisation".into(),
        is_stub: true,
        external_ids: BTreeMap::new(),
        verdicts: Vec::new(),
        claims: Vec::new(),
    };
    let proposals: Vec<_> = (0..ENTITIES_PER_DOCUMENT).map(|_| proposal(numbers)).collect();
    let claim = |numbers: &mut Numbers, index: usize| {
        let content = sentence(numbers, 18);
        let span = Span { start: index as u64 * 200, end: index as u64 * 200 + content.len() as u64 };
        NewClaim {
            id: ClaimId(numbers.id()),
            quote: content.clone(),
            content_hash: content_hash(&content, span),
            content,
            span,
            published: None,
            occurred: None,
            attribution: Attribution::Primary,
            information: Information::Assertion,
            speaker: None,
            mode: Mode::Asserted,
            language: Some("en".into()),
            entities: vec![EntityRef::New(index % ENTITIES_PER_DOCUMENT), EntityRef::New((index + 3) % ENTITIES_PER_DOCUMENT)],
        }
    };
    let claims: Vec<_> = (0..CLAIMS_PER_DOCUMENT).map(|index| claim(numbers, index)).collect();
    let relationship = |numbers: &mut Numbers, index: usize| NewRelationship {
        id: RelationshipId(numbers.id()),
        source: EntityRef::New(index),
        target: EntityRef::New(index + 4),
        description: sentence(numbers, 4),
        weight: None,
        confidence: None,
        bidirectional: false,
        timestamp: None,
        since: None,
        until: None,
        claims: vec![index],
        existing_claims: Vec::new(),
    };
    GraphWrite {
        resolve_within: Scope::from(collection),
        document_id: DocumentId(numbers.id()),
        collection_id: collection,
        document_order: order,
        at: Still.now(),
        outlet: Some(EntityRef::New(0)),
        relationships: (0..4).map(|index| relationship(numbers, index)).collect(),
        entities: proposals,
        claims,
        updates: Vec::new(),
        same_as: Vec::new(),
        completes_document: false,
    }
}

/// Deletes a graph, all but its indexes.
async fn empty(url: &str) -> Outcome<()> {
    let graph = neo4rs::Graph::new(url, "neo4j", "")?;
    for statement in [
        "MATCH (n) WHERE NOT n:Graph AND NOT n:VectorModel CALL { WITH n DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS",
        "MATCH (g:Graph) SET g.version = g.version + 1, g.rows = 0",
        "MATCH (m:VectorModel) SET m.filled = 0, m.used = null",
    ] {
        graph.run(neo4rs::query(statement)).await?;
    }
    Ok(())
}

struct Field {
    graph: Box<dyn Graph>,
    cascade: Cascade,
    scope: Scope,
    collection: CollectionId,
    numbers: Numbers,
    known: Vec<EntityId>,
    busiest: EntityId,
    _folder: tempfile::TempDir,
}

impl Field {
    /// An empty graph: in Neo4j where an address is given.
    async fn new(neo4j: Option<&str>) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let store = Store::open_sqlite(&folder.path().join("graph.db"), SqlConfig::default(), Arc::new(Still)).await?;
        let graph: Box<dyn Graph> = match neo4j {
            Some(url) => {
                empty(url).await?;
                let neo4j = Neo4jConfig { url: Some(Address::try_from(url.to_owned())?), ..Neo4jConfig::default() };
                Box::new(Neo4jGraph::connect(&GraphConfig { neo4j, ..GraphConfig::default() }, None, &store).await?)
            }
            None => Box::new(SqliteGraph::new(&store, GraphConfig::default())?),
        };
        let mut numbers = Numbers(7);
        let collection = CollectionId(numbers.id());
        let (cascade, scope, known) = (Cascade::default(), Scope::from(collection), Vec::new());
        let busiest = EntityId(numbers.id());
        Ok(Self { graph, cascade, scope, collection, numbers, known, busiest, _folder: folder })
    }

    /// Writes documents out of a world of `entities`; gives milliseconds of CPU here and of time per document.
    async fn grow(&mut self, documents: usize, entities: usize, pack: usize) -> Outcome<(f64, f64)> {
        let writes: Vec<_> = (0..documents).map(|_| document(&mut self.numbers, self.collection, entities)).collect();
        let (before, start) = (cpu_ms(), Instant::now());
        for pack in writes.chunks(pack) {
            let written = self.graph.write(pack, &self.cascade).await?;
            self.known.extend(written.iter().map(|written| written.entities[0].id));
        }
        let each = 1.0 / documents as f64;
        Ok(((cpu_ms() - before) * each, start.elapsed().as_secs_f64() * 1e3 * each))
    }

    async fn fill_vectors(&mut self) -> Outcome<()> {
        for kind in [VectorKind::Claim] {
            loop {
                let waiting = self.graph.without_vector(MODEL, kind, 1_000).await?;
                if waiting.is_empty() {
                    break;
                }
                let vectors: Vec<_> = waiting.into_iter().map(|text| (text.id, self.vector())).collect();
                self.graph.put_vectors(MODEL, kind, &vectors).await?;
            }
        }
        Ok(())
    }

    fn vector(&mut self) -> Vec<f32> {
        let vector: Vec<f32> = (0..DIMENSIONS).map(|_| self.numbers.unit() as f32 - 0.5).collect();
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        vector.into_iter().map(|number| number / length).collect()
    }

    fn query(&mut self, mode: Search) -> Query {
        let text = || ClaimQuery { text: None, ..ClaimQuery::default() };
        match mode {
            Search::Text => Query::Claims(ClaimQuery { text: Some(sentence(&mut self.numbers, 6).as_str().into()), ..text() }),
            Search::Vector => Query::Claims(ClaimQuery { vector: Some((MODEL.into(), self.vector())), ..text() }),
            Search::Entity => Query::Subgraph(self.any_entity(), ENTITY_EDGES),
            Search::Explorer => Query::Subgraph(self.any_entity(), EXPLORER_EDGES),
            Search::Busiest => Query::Subgraph(self.busiest, EXPLORER_EDGES),
            Search::Paths => Query::Paths(self.any_entity(), self.any_entity()),
            Search::Traversal => {
                let entity_id = self.any_entity();
                Query::Traversal(Traversal {
                    entity_id,
                    direction: Direction::Both,
                    description: None,
                    min_weight: None,
                    limit: 25,
                })
            }
        }
    }

    fn any_entity(&mut self) -> EntityId {
        self.known[self.numbers.next() as usize % self.known.len()]
    }

    /// Finds the entity with the most claims and prints the size of the graph.
    async fn survey(&mut self) -> Outcome<()> {
        let (claims, entities, relationships) = self.graph.counts(&self.scope).await?;
        println!("{claims} claims, {entities} entities, {relationships} relationships");
        let most = EntityQuery { candidates: 1, ..EntityQuery::default() };
        let found = self.graph.find_entities(&self.scope, &most).await?;
        self.busiest = found.first().ok_or("no entities")?.item.id;
        Ok(())
    }

    async fn ask(&self, query: Query) -> Outcome<usize> {
        let config = SearchConfig::default();
        Ok(match query {
            Query::Claims(query) => search_claims(&*self.graph, None, &config, &self.scope, query, 20).await?.len(),
            Query::Traversal(traversal) => self.graph.traverse(&self.scope, &traversal).await?.len(),
            Query::Subgraph(entity, max_edges) => {
                let entities = self.graph.entities(&self.scope, &[entity]).await?;
                let graph = self.graph.subgraph(&self.scope, &SubgraphQuery::new(vec![entity], max_edges)).await?;
                entities.len() + communities(&graph).len()
            }
            Query::Paths(from, to) => {
                let query =
                    PathQuery { from, to, max_hops: 4, max_paths: 5, words: QueryText::default(), max_edges: PATH_EDGES };
                find_paths(&*self.graph, &self.scope, &query).await?.len()
            }
        })
    }
}

#[derive(Clone, Copy, Debug)]
enum Search {
    Text,
    Vector,
    Traversal,
    /// Reading of an entity's page: the entity and its strongest relationships.
    Entity,
    /// Reading of the explorer around one entity, with communities.
    Explorer,
    /// The same around the entity with the most claims.
    Busiest,
    /// Shortest paths of at most four relationships between two entities.
    Paths,
}

enum Query {
    Claims(ClaimQuery),
    Traversal(Traversal),
    /// An entity and the number of relationships read.
    Subgraph(EntityId, u32),
    Paths(EntityId, EntityId),
}

/// CPU time of this process, all threads.
fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let own = stat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or_default();
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let all: f64 = threads
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("schedstat")).ok())
        .filter_map(|stat| stat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()))
        .sum();
    all.max(own) / 1e6
}

fn percentiles(runtime: &Runtime, field: &mut Field, mode: Search, claims: usize, server: Option<&str>) -> Outcome<()> {
    let mut took = Vec::with_capacity(QUERIES);
    let (own, before) = (cpu_ms(), server.map(server_cpu_ms));
    for _ in 0..QUERIES {
        let query = field.query(mode);
        let start = Instant::now();
        black_box(runtime.block_on(field.ask(query))?);
        took.push(start.elapsed().as_secs_f64() * 1e3);
    }
    took.sort_by(f64::total_cmp);
    print!(
        "{mode:?} over {claims} claims: median {:.2} ms, 95th percentile {:.2} ms, {:.2} ms CPU in this process",
        took[QUERIES / 2],
        took[QUERIES * 95 / 100],
        (cpu_ms() - own) / QUERIES as f64
    );
    print_server_cpu(server, before, QUERIES);
    Ok(())
}

/// CPU time of another process, all threads. The kernel counts it in hundredths of a second.
fn server_cpu_ms(pid: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * 10.0
}

/// Ends a line with the CPU time per call of the server, where there is one.
fn print_server_cpu(server: Option<&str>, before: Option<f64>, calls: usize) {
    match server.zip(before) {
        Some((pid, before)) => println!(", {:.1} ms in the server", (server_cpu_ms(pid) - before) / calls as f64),
        None => println!(),
    }
}

fn writes(runtime: &Runtime, neo4j: Option<&str>, server: Option<&str>, pack: usize) -> Outcome<()> {
    let mut field = runtime.block_on(Field::new(neo4j))?;
    let mut written = 0;
    for until in [10, 50, 350, 400, 1_000, 1_050] {
        let documents = until - written;
        let before = server.map(server_cpu_ms);
        let (cpu_ms, ms) = runtime.block_on(field.grow(documents, 2_000, pack))?;
        print!("write in packs of {pack}, documents {written} to {until}: {ms:.2} ms each, {cpu_ms:.2} ms CPU in this process");
        print_server_cpu(server, before, documents);
        written = until;
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let runtime = Runtime::new()?;
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1).map(String::as_str);
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let neo4j = value("--neo4j");
    let packs: &[usize] = if has("--searches") { &[] } else { &[DOCUMENTS_PER_PACK, 1] };
    for pack in packs.iter().copied() {
        writes(&runtime, neo4j, value("--server"), pack)?;
    }
    if has("--writes") {
        return Ok(());
    }
    let is_small = has("--small");
    let sizes = if is_small { vec![10_000] } else { vec![10_000, 100_000] };
    let mut criterion = Criterion::default().sample_size(20);
    let mut field = runtime.block_on(Field::new(neo4j))?;
    let mut claims = 0;
    for size in sizes {
        runtime.block_on(field.grow((size - claims) / CLAIMS_PER_DOCUMENT, size / 4, DOCUMENTS_PER_PACK))?;
        claims = size;
        runtime.block_on(field.fill_vectors())?;
        runtime.block_on(field.survey())?;
        for mode in [Search::Entity, Search::Explorer, Search::Busiest, Search::Paths] {
            percentiles(&runtime, &mut field, mode, size, value("--server"))?;
        }
        for mode in [Search::Text, Search::Vector, Search::Traversal] {
            percentiles(&runtime, &mut field, mode, size, value("--server"))?;
            criterion.bench_function(&format!("{mode:?} {size}"), |bench| {
                let queries: std::cell::RefCell<&mut Field> = std::cell::RefCell::new(&mut field);
                bench.iter_batched(
                    || queries.borrow_mut().query(mode),
                    |query| runtime.block_on(queries.borrow().ask(query)).ok(),
                    BatchSize::SmallInput,
                );
            });
        }
    }
    criterion.final_summary();
    Ok(())
}
