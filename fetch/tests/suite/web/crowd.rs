//! A thousand pages of fifty hosts: how polite, how fast, how large.

use super::world::{self, door_with, header, page, serve};
use axum::{Router, extract::State, http::HeaderMap, response::IntoResponse};
use domain::fetch::{CacheUse, FetchRequest};
use futures::{StreamExt, stream};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

const HOSTS: usize = 50;
const PAGES_PER_HOST: usize = 20;
const INTERVAL_MS: u64 = 120;
/// Of the distances between two requests to one host, in a thousand: a server sees a few requests nearer to each other than they were sent.
const MAX_TOO_NEAR: usize = 10;

#[derive(Default)]
struct Seen {
    times: Vec<Instant>,
    open: usize,
    most_open: usize,
}

type Log = Arc<Mutex<HashMap<String, Seen>>>;

async fn answer(State(log): State<Log>, headers: HeaderMap, uri: axum::http::Uri) -> axum::response::Response {
    if uri.path() == "/robots.txt" {
        return axum::http::StatusCode::NOT_FOUND.into_response();
    }
    let host = header(&headers, "host").to_owned();
    let change = |change: &dyn Fn(&mut Seen)| change(log.lock().unwrap().entry(host.clone()).or_default());
    change(&|seen| {
        seen.times.push(Instant::now());
        seen.open += 1;
        seen.most_open = seen.most_open.max(seen.open);
    });
    tokio::time::sleep(Duration::from_millis(10)).await;
    change(&|seen| seen.open -= 1);
    page(&format!("{host} {}", uri.path())).into_response()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_pages_of_fifty_hosts_are_fetched_politely_and_then_from_the_cache() {
    let log = Log::default();
    let port = serve(Router::new().fallback(answer).with_state(log.clone())).await;
    let names: Vec<String> = (0..HOSTS).map(|n| format!("h{n}.example.org")).collect();
    let mut config = world::config(&names.iter().map(|name| (name.as_str(), port)).collect::<Vec<_>>());
    config.pace.interval_ms = INTERVAL_MS;
    config.pace.burst = 1;
    let door = door_with(config, Arc::new(world::Names::default()));
    let urls: Vec<String> =
        (0..PAGES_PER_HOST).flat_map(|n| names.iter().map(move |name| format!("http://{name}:{port}/page/{n}"))).collect();
    for (round, expected) in [CacheUse::None, CacheUse::Fresh].into_iter().enumerate() {
        let before = resident_kib();
        let started = Instant::now();
        let fetched: Vec<CacheUse> = stream::iter(urls.clone())
            .map(|url| {
                let web = door.web.clone();
                async move { web.page(&FetchRequest::page(url)).await.unwrap().page.cache }
            })
            .buffer_unordered(200)
            .collect()
            .await;
        let took = started.elapsed();
        assert!(fetched.len() == HOSTS * PAGES_PER_HOST && fetched.iter().all(|used| *used == expected));
        println!(
            "round {}: {} pages in {took:.2?}, {:.0} a second, {} KiB more resident, {} dials",
            round + 1,
            fetched.len(),
            fetched.len() as f64 / took.as_secs_f64(),
            resident_kib().saturating_sub(before),
            door.web.dials()
        );
    }
    let log = log.lock().unwrap();
    assert_eq!(log.values().map(|seen| seen.times.len()).sum::<usize>(), HOSTS * PAGES_PER_HOST);
    let distances: Vec<Duration> = log.values().flat_map(|seen| seen.times.windows(2).map(|pair| pair[1] - pair[0])).collect();
    let shortest = distances.iter().min().unwrap();
    let too_near = distances.iter().filter(|distance| **distance < Duration::from_millis(INTERVAL_MS / 2)).count();
    assert!(too_near * 1_000 <= distances.len() * MAX_TOO_NEAR, "{too_near} of {} distances are too short", distances.len());
    let longest_run = log.values().map(|seen| *seen.times.last().unwrap() - seen.times[0]).min().unwrap();
    let least = Duration::from_millis(INTERVAL_MS * (PAGES_PER_HOST as u64 - 1));
    assert!(
        longest_run + Duration::from_millis(INTERVAL_MS) >= least,
        "a host was asked {PAGES_PER_HOST} times in {longest_run:?}"
    );
    assert!(log.values().all(|seen| seen.most_open <= 2), "more than two requests were open at one host");
    println!(
        "shortest distance between two requests to one host: {shortest:?}; a host's {PAGES_PER_HOST} took at least {longest_run:?}"
    );
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}
