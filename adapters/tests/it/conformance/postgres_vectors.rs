//! Nearest assessments on PostgreSQL: the vector index (pgvector, HNSW) beside a sequential scan.

use super::{backends, prelude::*};
use engine::assessments::Assessments;
use sqlx::{Connection, PgConnection};

const ASSESSMENTS: usize = 300;
const DIMENSIONS: usize = 16;
const NEAREST: u32 = 10;
const QUERIES: u64 = 6;
/// Of `NEAREST` times `QUERIES`: HNSW is approximate, and 300 vectors are few for it.
const MIN_FOUND: usize = 54;

/// A vector with coordinates from -1 to 1 (xorshift), the same for each seed.
fn vector(seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % 2_001) as f32 / 1_000.0 - 1.0
    };
    (0..DIMENSIONS).map(|_| next()).collect()
}

/// Answers of a store whose planner may not use `forbidden`, after which the vector index has been scanned `scans` times.
async fn answers(backend: &TestBackend, scope: &Scope, forbidden: &[&str], scans: i64) -> Vec<Vec<AssessmentId>> {
    let options: Vec<String> = forbidden.iter().map(|one| format!("options[enable_{one}]=off")).collect();
    let url = format!("{}?{}", backend.database().unwrap(), options.join("&"));
    let mut admin = PgConnection::connect(backend.database().unwrap()).await.unwrap();
    let before = index_scans(&mut admin).await;
    let store = Store::open_postgres(&url, SqlConfig::default(), backend.clock.clone(), None).await.unwrap();
    let mut answers = vec![];
    for query in 0..QUERIES {
        let near = store.near(scope, "m", &vector(10_000 + query), NEAREST).await.unwrap();
        answers.push(near.into_iter().map(|near| near.stored.assessment.id).collect());
    }
    // The server publishes the statistics of a connection when it ends it.
    store.close().await;
    let admin = tokio::sync::Mutex::new(admin);
    let is_counted = eventually(async || index_scans(&mut *admin.lock().await).await - before == scans).await;
    assert!(is_counted, "{} scans of the index, not {scans}", index_scans(&mut *admin.lock().await).await - before);
    answers
}

async fn index_scans(admin: &mut PgConnection) -> i64 {
    sqlx::query("select pg_stat_clear_snapshot()").execute(&mut *admin).await.unwrap();
    let scans = "select coalesce(sum(idx_scan), 0)::bigint from pg_stat_user_indexes
                 where relname = 'assessment_vectors' and indexrelname like 'assessment\\_vectors\\______%' and indexrelname not like '%pkey'";
    sqlx::query_scalar(scans).fetch_one(&mut *admin).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_vector_index_finds_what_a_sequential_scan_finds() {
    let Some(backend) = backends::postgres().await else { return };
    let (ada, collection) = backend.person("ada").await;
    let (eve, hidden) = backend.person("eve").await;
    let scope = Scope::from(collection);
    let mut vectors = vec![];
    for n in 0..ASSESSMENTS {
        let (owner, collection) = if n % 3 == 0 { (eve, hidden) } else { (ada, collection) };
        let stored = stored_assessment(&backend, backend.investigation(owner, collection).await, &[collection], "Not known.");
        backend.store.put(&stored).await.unwrap();
        vectors.push((stored.assessment.id.0, vector(n as u64)));
    }
    backend.store.put_vectors("m", &vectors).await.unwrap();

    let exact = answers(&backend, &scope, &["indexscan", "bitmapscan"], 0).await;
    for (query, found) in exact.iter().enumerate() {
        let mut expected: Vec<_> = vectors.iter().enumerate().filter(|(n, _)| n % 3 != 0).map(|(_, one)| one).collect();
        let query = vector(10_000 + query as u64);
        expected.sort_by(|a, b| cosine(&query, &b.1).total_cmp(&cosine(&query, &a.1)));
        let expected: Vec<_> = expected.into_iter().take(NEAREST as usize).map(|(id, _)| AssessmentId(*id)).collect();
        assert_eq!(*found, expected, "nearest by cosine, and nothing of another person");
    }
    let approximate = answers(&backend, &scope, &["seqscan", "bitmapscan", "sort"], QUERIES as i64).await;
    assert!(approximate.iter().all(|found| found.len() == NEAREST as usize), "what others own takes nobody's place");
    let both = exact.iter().zip(&approximate).map(|(exact, found)| found.iter().filter(|id| exact.contains(id)).count());
    let found: usize = both.sum();
    assert!(found >= MIN_FOUND, "{found} of {}", QUERIES * u64::from(NEAREST));
}

fn cosine(one: &[f32], other: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    dot(one, other) / (dot(one, one) * dot(other, other)).sqrt()
}
