//! Time of searches, pages and traversals over a large generated graph, filled through the port of the graph.

mod world;

use crate::corpus::SeededRandom;
use adapters::{Address, embed::Provider};
use anyhow::Context;
use domain::{
    EntityId, QueryText, Scope,
    collection::CollectionKind,
    user::{Role, User},
};
use engine::{
    Engine,
    accounts::{self, Actor, NewAccount},
    embeddings::VectorKind,
    graph::{
        ClaimQuery, SubgraphQuery,
        communities::communities,
        paths::{PathQuery, find_paths},
        search::search_claims,
    },
};
use serde::Serialize;
use server::{Config, Program};
use std::{collections::HashMap, time::Instant};
use views::{
    SearchQuery,
    graph::{ClaimsFilter, ExplorerQuery},
};
use world::World;

const QUERIES: usize = 100;
const WARM_UP: usize = 5;
/// Documents per write, as ingestion writes them.
const DOCUMENTS_PER_PACK: usize = 10;
const TEXTS_PER_BATCH: u32 = 1_000;
/// Results of a search for claims.
const CLAIMS: usize = 20;
const NAME: &str = "bench";
const PASSWORD: &str = "forty lanterns by the lock";

/// Results over one graph.
#[derive(Debug, Serialize)]
pub struct GraphBenchmark {
    store: String,
    claims: u64,
    entities: u64,
    relationships: u64,
    write_ms_per_document: f64,
    times: Vec<GraphTime>,
}

/// Figures of one kind of query.
#[derive(Debug, Serialize)]
struct GraphTime {
    what: String,
    p50_ms: f64,
    p95_ms: f64,
    /// Size of the largest answer as JSON, of what the browser gets.
    kib: Option<f64>,
}

impl GraphBenchmark {
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{}: {} claims, {} entities, {} relationships; {:.2} ms to write a document\n",
            self.store, self.claims, self.entities, self.relationships, self.write_ms_per_document
        );
        for GraphTime { what, p50_ms, p95_ms, kib } in &self.times {
            let kib = kib.map(|kib| format!(" {kib:>8.1} KiB")).unwrap_or_default();
            text += &format!("{what:<44} {p50_ms:>8.1} ms median {p95_ms:>8.1} ms p95{kib}\n");
        }
        text
    }
}

/// Fills a graph with `claims` claims, a tenth as many entities and three tenths as many relationships, and measures it: in a temporary
/// folder, or in the Neo4j at `neo4j`, where the data stays. Vectors are made if `embed.provider` is `hashing`.
pub async fn run(config: &Config, claims: u32, neo4j: Option<&str>) -> anyhow::Result<GraphBenchmark> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let mut config = config.clone().in_folder(folder.path());
    config.graph.neo4j.url = neo4j.map(|url| Address::try_from(url.to_owned())).transpose().map_err(anyhow::Error::msg)?;
    if config.embed.provider != Provider::Hashing {
        config.embed.provider = Provider::None;
    }
    let program = Program::open(config, None).await?;
    let engine = &program.engine;
    let account = NewAccount { name: NAME, password: PASSWORD, role: Role::Admin, must_change_password: false };
    let user = accounts::create(engine, &program.passwords, account, Actor::default()).await?;
    let own = accounts::own_collection(engine, &user, CollectionKind::Private, NAME).await?;
    let mut world = World::new(own.id, claims);
    let began = Instant::now();
    let entities = fill(engine, &mut world).await?;
    let write_ms_per_document = milliseconds(began) / f64::from(world.documents());
    add_vectors(engine).await?;
    let scope = Scope::from(own.id);
    let times = Probe { engine, user, scope: scope.clone(), entities, random: SeededRandom(31) }.times().await?;
    let (claims, entities, relationships) = engine.graph.counts(&scope).await?;
    let store = engine.graph.describe().await?;
    program.store.close().await;
    Ok(GraphBenchmark { store, claims, entities, relationships, write_ms_per_document, times })
}

/// Writes the documents and returns the entities by number.
async fn fill(engine: &Engine, world: &mut World) -> anyhow::Result<Vec<EntityId>> {
    let mut known = HashMap::new();
    let numbers: Vec<u32> = (0..world.documents()).collect();
    for pack in numbers.chunks(DOCUMENTS_PER_PACK) {
        let writes: Vec<_> = pack.iter().map(|number| world.document(*number)).collect();
        let written = engine.graph.write(&writes, &*engine.resolve).await?;
        for (write, outcome) in writes.iter().zip(written) {
            known.extend(
                write.entities.iter().map(|entity| entity.name.clone()).zip(outcome.entities.iter().map(|found| found.id)),
            );
        }
    }
    (0..world.entities()).map(|number| known.get(&World::name(number)).copied().context("an entity is missing")).collect()
}

/// Gives every text its vector, where there is an embedder.
async fn add_vectors(engine: &Engine) -> anyhow::Result<()> {
    let Some(embedder) = &engine.embedder else { return Ok(()) };
    for kind in VectorKind::ALL {
        loop {
            let missing = engine.graph.without_vector(embedder.model(), kind, TEXTS_PER_BATCH).await?;
            if missing.is_empty() {
                break;
            }
            let texts: Vec<String> = missing.iter().map(|missing| missing.text.clone()).collect();
            let vectors = embedder.embed(&texts).await?;
            let vectors: Vec<_> = missing.into_iter().map(|missing| missing.id).zip(vectors).collect();
            engine.graph.put_vectors(embedder.model(), kind, &vectors).await?;
        }
    }
    Ok(())
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1_000.0
}

/// A filled graph and what is asked of it.
struct Probe<'a> {
    engine: &'a Engine,
    user: User,
    scope: Scope,
    /// By number; the first is the busiest.
    entities: Vec<EntityId>,
    random: SeededRandom,
}

impl Probe<'_> {
    async fn times(mut self) -> anyhow::Result<Vec<GraphTime>> {
        let mut times = vec![];
        for (what, words, rarity) in [("two rare words", 2, 1.0), ("six words", 6, 0.6), ("two common words", 2, 0.0)] {
            let texts = self.queries(|probe| World::words(&mut probe.random, words, rarity));
            times.extend(self.searches(what, &texts).await?);
        }
        let names = self.queries(|probe| World::name(probe.random.below(probe.entities.len() as u64) as u32));
        times.extend(self.searches("a name", &names).await?);
        let any = self.queries(Self::any_entity);
        let busiest = self.entities[0];
        times.push(self.entity_pages("entity page", &any).await?);
        times.push(self.entity_pages("entity page, busiest", &[busiest; QUERIES]).await?);
        times.push(self.claims_of_entities("claims of an entity, busiest", &[busiest; QUERIES]).await?);
        let around = |entity: &EntityId| ExplorerQuery { seeds: vec![*entity], ..Default::default() };
        times.push(self.explorer("explorer, first view", any.iter().map(around).collect()).await?);
        times.push(self.explorer("explorer, first view of the busiest", vec![around(&busiest); QUERIES]).await?);
        let grown = any.iter().map(|entity| ExplorerQuery { seeds: vec![*entity, busiest], ..Default::default() });
        times.push(self.explorer("explorer, expansion to the busiest", grown.collect()).await?);
        let ends = self.queries(|probe| (probe.any_entity(), probe.any_entity()));
        times.push(self.paths("paths of at most 4 relationships", &ends).await?);
        times.push(self.communities(busiest).await?);
        Ok(times)
    }

    fn queries<T>(&mut self, mut query: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..QUERIES).map(|_| query(self)).collect()
    }

    fn any_entity(&mut self) -> EntityId {
        self.entities[self.random.below(self.entities.len() as u64) as usize]
    }

    /// Measures a search for claims and the search page, by words and, with an embedder, by likeness.
    async fn searches(&self, what: &str, texts: &[String]) -> anyhow::Result<Vec<GraphTime>> {
        let engine = self.engine;
        let mut times = vec![];
        for with_vectors in [false, true] {
            let embedder = engine.embedder.as_deref().filter(|_| with_vectors);
            if with_vectors && embedder.is_none() {
                break;
            }
            let by = if with_vectors { "by likeness" } else { "by words" };
            let (claims_what, page_what) = (format!("claims {by}, {what}"), format!("search page {by}, {what}"));
            let claims = measure(&claims_what, texts, async |text| {
                let query = ClaimQuery { text: Some(text.as_str().into()), ..ClaimQuery::default() };
                search_claims(&*engine.graph, embedder, &engine.search, &self.scope, query, CLAIMS).await?;
                Ok(None)
            });
            times.push(claims.await?);
            let page = measure(&page_what, texts, async |text| {
                let query = SearchQuery { words: text.clone(), is_words_only: !with_vectors, ..SearchQuery::default() };
                Ok(Some(serde_json::to_vec(&engine.search_view(&self.user, query).await?)?.len()))
            });
            times.push(page.await?);
        }
        Ok(times)
    }

    async fn entity_pages(&self, what: &str, entities: &[EntityId]) -> anyhow::Result<GraphTime> {
        measure(what, entities, async |entity| {
            Ok(Some(serde_json::to_vec(&self.engine.entity_view(&self.user, *entity).await?.context("no entity")?)?.len()))
        })
        .await
    }

    async fn claims_of_entities(&self, what: &str, entities: &[EntityId]) -> anyhow::Result<GraphTime> {
        measure(what, entities, async |entity| {
            let view = self.engine.entity_claims_view(&self.user, *entity, ClaimsFilter::default()).await?;
            Ok(Some(serde_json::to_vec(&view.context("no entity")?)?.len()))
        })
        .await
    }

    async fn explorer(&self, what: &str, queries: Vec<ExplorerQuery>) -> anyhow::Result<GraphTime> {
        measure(what, &queries, async |query| {
            Ok(Some(serde_json::to_vec(&self.engine.explorer_view(&self.user, query.clone()).await?)?.len()))
        })
        .await
    }

    async fn paths(&self, what: &str, ends: &[(EntityId, EntityId)]) -> anyhow::Result<GraphTime> {
        let config = &self.engine.config.pages;
        measure(what, ends, async |(from, to)| {
            let query = PathQuery {
                from: *from,
                to: *to,
                max_hops: config.path_hops,
                max_paths: config.paths,
                words: QueryText::default(),
                max_edges: config.path_edges,
            };
            find_paths(&*self.engine.graph, &self.scope, &query).await?;
            Ok(None)
        })
        .await
    }

    async fn communities(&self, seed: EntityId) -> anyhow::Result<GraphTime> {
        let query = SubgraphQuery::new(vec![seed], self.engine.config.pages.explorer_edges);
        let ends = self.engine.graph.subgraph(&self.scope, &query).await?.nodes.iter().map(|node| node.id).collect();
        let query = SubgraphQuery::new(ends, self.engine.config.pages.explorer_read_edges);
        let graph = self.engine.graph.subgraph(&self.scope, &query).await?;
        let what = format!("communities of {} relationships", graph.edges.len());
        measure(&what, &[(); QUERIES], async |()| {
            std::hint::black_box(communities(&graph));
            Ok(None)
        })
        .await
    }
}

/// Measures a call for each query, which may return the bytes of its answer.
async fn measure<Q>(
    what: &str,
    queries: &[Q],
    call: impl AsyncFn(&Q) -> anyhow::Result<Option<usize>>,
) -> anyhow::Result<GraphTime> {
    for query in queries.iter().take(WARM_UP) {
        call(query).await?;
    }
    let (mut times, mut most) = (vec![], None);
    for query in queries {
        let began = Instant::now();
        let bytes = call(query).await?;
        times.push(milliseconds(began));
        most = most.max(bytes);
    }
    times.sort_by(f64::total_cmp);
    let share = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    let kib = most.map(|bytes| bytes as f64 / 1_024.0);
    Ok(GraphTime { what: what.to_owned(), p50_ms: share(50), p95_ms: share(95), kib })
}
