//! Figures with 10,000 tensions and 200,000 pieces of evidence, which `docs/benchmarks.md` shows. They need a release build.
//! The two databases are measured one after the other, so that neither slows the other down.

use super::{SCHEMAS, evidence, tension};
use crate::{
    settings::TensionSettings,
    snapshots::record_batch,
    store::{CandidateGroup, StrainBatch, TensionStore},
    taxonomy::Taxonomy,
    tension::{Tension, day_number},
    view::HeatOverview,
};
use domain::{CollectionId, Scope, document::Document};
use engine::{
    embeddings::cosine,
    graph::{GraphWrite, NewClaim},
    library::Documents,
};
use feature::testing::TestSite;
use std::{collections::BTreeMap, hint::black_box, time::Instant};
use tensions_islands::BoardState;
use testkit::{TestBackend, capture};
use tokio::sync::Mutex;

const TENSIONS: usize = 10_000;
const EVIDENCE_PER_TENSION: usize = 20;
const DOCUMENTS: usize = 1_000;
const BATCH: usize = 500;
/// Days over which the evidence is spread.
const DAYS: usize = 60;
const RUNS: usize = 20;
const MODEL: &str = "m";
/// Numbers of a vector, as those of `minilm`.
const DIMENSIONS: usize = 384;
/// Western Africa.
const REGION: &str = "011";
/// Countries on five continents.
const COUNTRIES: [&str; 12] = ["466", "642", "620", "604", "404", "050", "608", "616", "124", "400", "242", "332"];

/// Held by the test that measures.
static MEASURING: Mutex<()> = Mutex::const_new(());

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_on_sqlite() {
    let _measuring = MEASURING.lock().await;
    println!("\nSQLite");
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let (ada, collection) = backend.person("ada").await;
    let (first, documents) = fill(&backend, collection).await;
    measure_statements(&backend, collection, &first).await;

    let site = TestSite::new(crate::feature(), &backend);
    let engine = &site.web.engine;
    // The page of the first tension reads its claims from the graph.
    let store = TensionStore::new(&site.web);
    let claims: BTreeMap<_, _> = store
        .evidence(&Scope::from(collection), first.id, 0, EVIDENCE_PER_TENSION)
        .await
        .unwrap()
        .0
        .into_iter()
        .map(|one| (one.document, one.claim))
        .collect();
    let write = |document: &Document| {
        let claim = NewClaim::quoted(*claims.get(&document.id)?, "text", 0, vec![]);
        let write = GraphWrite::new(document.id, collection, document.path.clone(), backend.now());
        Some(GraphWrite { claims: vec![claim], ..write })
    };
    let writes: Vec<GraphWrite> = documents.iter().filter_map(write).collect();
    assert_eq!(writes.len(), EVIDENCE_PER_TENSION);
    engine.graph.write(&writes, &*engine.resolve).await.unwrap();
    let browser = site.signed_in(ada).await;
    let detail = crate::api::TENSION.replace("{id}", &first.id.to_string());
    let pages = [
        "/tensions".to_owned(),
        format!("/tensions?view=map&region={REGION}"),
        format!("/tensions/{}", first.id),
        "/tensions/responses".to_owned(),
        "/tensions/runs".to_owned(),
        crate::api::TENSIONS.to_owned(),
        detail,
    ];
    for path in pages {
        let mut bytes = 0;
        let times = measure(async || {
            let answer = browser.get(&path).await;
            assert_eq!(answer.status, 200, "{path}");
            bytes = answer.bytes();
        })
        .await;
        println!("{path}: {times}, {:.1} KiB", bytes as f64 / 1_024.0);
    }
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_on_postgresql() {
    let _measuring = MEASURING.lock().await;
    println!("\nPostgreSQL");
    let Some(backend) = testkit::postgres_with(&SCHEMAS).await else { return };
    let (_, collection) = backend.person("ada").await;
    let (first, _) = fill(&backend, collection).await;
    measure_statements(&backend, collection, &first).await;
    backend.close().await;
}

/// Stores the tensions with their evidence, snapshots and vectors; returns the first of them, and the documents.
async fn fill(backend: &TestBackend, collection: CollectionId) -> (Tension, Vec<Document>) {
    let (store, themes) = (super::store(backend), &Taxonomy::shared().themes);
    let mut documents = vec![];
    for numbers in (0..DOCUMENTS).collect::<Vec<_>>().chunks(BATCH) {
        let captures: Vec<_> =
            numbers.iter().map(|n| capture(collection, &format!("report {n}"), &format!("text of report {n}"))).collect();
        documents.extend(backend.store.add_documents(&captures).await.unwrap().0);
    }
    let today = day_number(backend.now());
    let mut tensions = vec![];
    for n in 0..TENSIONS {
        let mut one = tension(backend, collection, &format!("Strike {n}"));
        one.theme = themes[n % themes.len()].code.clone();
        one.region.code = COUNTRIES[(n / themes.len()) % COUNTRIES.len()].to_owned();
        tensions.push(one);
    }
    let numbered: Vec<(usize, &Tension)> = tensions.iter().enumerate().collect();
    for rows in numbered.chunks(BATCH) {
        let mut batch =
            StrainBatch { tensions: rows.iter().map(|(_, one)| (*one).clone()).collect(), ..StrainBatch::default() };
        for (n, one) in rows {
            for k in 0..EVIDENCE_PER_TENSION {
                let ago = i64::try_from((n * 7 + k * 11) % DAYS).unwrap();
                batch.evidence.push((one.id, evidence(&documents[(n * 31 + k * 37) % DOCUMENTS], today - ago)));
            }
        }
        store.record(&batch, backend.now()).await.unwrap();
        let vectors: Vec<_> = rows.iter().map(|(n, one)| (one.id, vector(*n))).collect();
        store.put_vectors(MODEL, &vectors).await.unwrap();
    }
    let began = Instant::now();
    while record_batch(&store, &TensionSettings::default(), backend.now()).await.unwrap() > 0 {}
    println!("snapshots of 30 days of all: {:.1} s", began.elapsed().as_secs_f64());
    (tensions[0].clone(), documents)
}

/// A unit vector that depends on the number.
fn vector(number: usize) -> Vec<f32> {
    let raw: Vec<f32> = (0..DIMENSIONS).map(|at| (((number + 1) * (at + 7)) as f32).sin()).collect();
    let length = raw.iter().map(|one| one * one).sum::<f32>().sqrt();
    raw.into_iter().map(|one| one / length).collect()
}

/// Measures what the pages and the search for strain ask of the tables.
async fn measure_statements(backend: &TestBackend, collection: CollectionId, first: &Tension) {
    let (store, settings, scope) = (super::store(backend), TensionSettings::default(), Scope::from(collection));
    let load = async || HeatOverview::load(&store, &settings, &scope, 30, backend.now()).await.unwrap();
    let times = measure(async || {
        black_box(load().await);
    })
    .await;
    println!("heat of all tensions: {times}");
    let overview = load().await;
    assert_eq!(overview.tensions.len(), TENSIONS);
    for (name, region) in [("matrix and map", None), ("matrix, and map with the countries of a region", Some(REGION))] {
        let state = BoardState { region: region.map(str::to_owned), ..BoardState::default() };
        let times = measure(async || {
            black_box(overview.board(&state));
        })
        .await;
        println!("data of {name}: {times}");
    }
    let (wanted, theme) = (vector(TENSIONS), CandidateGroup::Theme(first.theme.clone()));
    let times = measure(async || {
        let known = store.alike_candidates(&scope, &theme, MODEL).await.unwrap();
        black_box(known.iter().map(|one| cosine(&wanted, &one.vector)).fold(0.0, f64::max));
    })
    .await;
    println!("likeness to the tensions of a theme: {times}");
}

/// Runs an action many times and returns its median and its 95th percentile.
async fn measure(mut action: impl AsyncFnMut()) -> String {
    let mut times = vec![];
    for _ in 0..RUNS {
        let began = Instant::now();
        action().await;
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    times.sort_by(f64::total_cmp);
    format!("{:.1} ms median, {:.1} ms p95", times[RUNS / 2], times[(RUNS * 95).div_ceil(100) - 1])
}
