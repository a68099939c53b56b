//! Requests per second for the page of a link from a warm cache, which `docs/benchmarks.md` shows. They need a release build.

use super::routes::{backend, person_with_report, share};
use feature::testing::TestSite;
use std::{sync::Arc, time::Instant};

/// Requests of each of the clients, which run at once.
const REQUESTS: usize = 20_000;
const CLIENTS: usize = 2;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_of_a_warm_page() {
    let backend = backend().await;
    let section = serde_json::json!({ "per_minute": u32::MAX });
    let site = Arc::new(TestSite::with_settings(crate::feature(), &backend, section));
    let (ada, report) = person_with_report(&backend, "ada").await;
    let path = share(&site.signed_in(ada).await, report, "1", "30").await;
    let bytes = site.stranger().get(&path).await.bytes();
    let began = Instant::now();
    let clients = (0..CLIENTS).map(|_| {
        let (site, path) = (site.clone(), path.clone());
        tokio::spawn(async move {
            let stranger = site.stranger();
            for _ in 0..REQUESTS {
                assert_eq!(stranger.get(&path).await.status, 200);
            }
        })
    });
    let clients: Vec<_> = clients.collect();
    for client in clients {
        client.await.unwrap();
    }
    let per_second = (CLIENTS * REQUESTS) as f64 / began.elapsed().as_secs_f64();
    println!("page of a link: {per_second:.0} requests a second, {:.1} KiB", bytes as f64 / 1_024.0);
    backend.close().await;
}
