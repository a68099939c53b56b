//! Load: a thousand pages of fifty hosts, first from the servers, then from the cache.

use super::local_web::{self, header, page, serve, web_fixture};
use crate::prelude::*;
use domain::fetch::CacheUse;
use futures::stream;
use std::time::Instant;

const HOSTS: usize = 50;
const PAGES_PER_HOST: usize = 20;

/// Requests to one host.
#[derive(Default)]
struct HostRequests {
    total: usize,
    open: usize,
    max_open: usize,
}

type Log = Arc<Mutex<HashMap<String, HostRequests>>>;

async fn answer(State(log): State<Log>, headers: HeaderMap, uri: axum::http::Uri) -> axum::response::Response {
    if uri.path() == "/robots.txt" {
        return axum::http::StatusCode::NOT_FOUND.into_response();
    }
    let host = header(&headers, "host").to_owned();
    let change = |change: &dyn Fn(&mut HostRequests)| change(log.lock().unwrap().entry(host.clone()).or_default());
    change(&|host| {
        host.total += 1;
        host.open += 1;
        host.max_open = host.max_open.max(host.open);
    });
    // Other requests may arrive meanwhile.
    tokio::task::yield_now().await;
    change(&|host| host.open -= 1);
    page(&format!("{host} {}", uri.path())).into_response()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_pages_of_fifty_hosts_are_fetched_once_and_two_at_a_time_per_host() {
    let log = Log::default();
    let port = serve(Router::new().fallback(answer).with_state(log.clone())).await;
    let names: Vec<String> = (0..HOSTS).map(|n| format!("h{n}.example.org")).collect();
    let fixture = web_fixture(local_web::config(&names.iter().map(|name| (name.as_str(), port)).collect::<Vec<_>>()));
    let urls: Vec<String> =
        (0..PAGES_PER_HOST).flat_map(|n| names.iter().map(move |name| format!("http://{name}:{port}/page/{n}"))).collect();
    for expected in [CacheUse::None, CacheUse::Fresh] {
        let started = Instant::now();
        let fetched: Vec<CacheUse> = stream::iter(urls.clone())
            .map(|url| {
                let web = fixture.web.clone();
                async move { web.page(&FetchRequest::page(url)).await.unwrap().page.cache }
            })
            .buffer_unordered(200)
            .collect()
            .await;
        assert!(fetched.len() == HOSTS * PAGES_PER_HOST && fetched.iter().all(|used| *used == expected));
        println!("{} pages, cache {expected:?}: {:.2?}, {} dials", fetched.len(), started.elapsed(), fixture.web.dials());
    }
    let log = log.lock().unwrap();
    assert_eq!(log.len(), HOSTS);
    assert!(log.values().all(|host| host.total == PAGES_PER_HOST && host.max_open <= 2));
}
