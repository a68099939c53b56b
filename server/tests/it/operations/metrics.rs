//! Tests of metrics: a real run exports only declared ones, and dashboards and alerts query only exported ones.

use super::{run, scrape::Scrape, tree};
use crate::{app::METRICS_LOCK, prelude::*};
use server::{
    http,
    metrics::{CATALOGUE, MetricKind, is_declared},
};

/// Labels and metrics of Prometheus itself.
const ADDED: [&str; 3] = ["job", "instance", "le"];
const OWN: [&str; 1] = ["up"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_real_run_exports_all_metrics_that_dashboards_and_alerts_query() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = run::to_the_end(folder.path(), &[]).await;
    let text = run.browser.get("/metrics").await.text();
    let scrape = Scrape::read(&text);
    for name in scrape.kinds.keys() {
        assert!(scrape.helped.contains(name), "{name} says nothing of itself");
        let is_declared = is_declared(name) || name.starts_with("process_");
        assert!(is_declared, "{name} is neither in the catalogue (server/src/metrics/catalogue.rs) nor a metric of a feature");
    }
    for (place, query) in queries() {
        let asked = QueriedSeries::read(&query);
        assert!(!asked.names.is_empty(), "{place} asks for nothing: {query}");
        let mut labels: BTreeSet<&str> = ADDED.into();
        for (name, matched) in &asked.names {
            if OWN.contains(&name.as_str()) {
                continue;
            }
            let known = scrape.labels(name).unwrap_or_else(|| panic!("{place}: a run shows no {name}\n{query}\n{text}"));
            for label in matched {
                let is_known = known.contains(label.as_str()) || ADDED.contains(&label.as_str());
                assert!(is_known, "{place}: {name} has no label {label}, only {known:?}");
            }
            labels.extend(known);
        }
        for label in &asked.grouped {
            assert!(labels.contains(label.as_str()), "{place}: nothing here has a label {label}, only {labels:?}\n{query}");
        }
    }

    // The values are those of this run.
    let sum = |name: &str, labels: &[(&str, &str)]| scrape.sum(name, labels);
    assert_eq!(sum("autosint_investigations", &[("status", "completed")]), 1.0);
    assert_eq!(sum("autosint_investigations_ended_total", &[("status", "completed")]), 1.0);
    assert_eq!(sum("autosint_documents_stored_total", &[]), 2.0);
    assert_eq!(sum("autosint_files_rejected_total", &[]), 1.0);
    assert_eq!(sum("autosint_parser_files_total", &[("media_type", "text/html"), ("outcome", "read")]), 1.0);
    assert_eq!(sum("autosint_parser_files_total", &[("media_type", "application/pdf"), ("outcome", "refused")]), 1.0);
    assert_eq!(sum("autosint_model_calls_total", &[("outcome", "unavailable")]), 1.0);
    assert!(sum("autosint_model_calls_total", &[("provider", "local"), ("outcome", "answered")]) >= 3.0);
    assert!(sum("autosint_model_tokens_total", &[("direction", "in")]) > 1_000.0);
    assert_eq!(sum("autosint_budget_day_used_micros", &[]), sum("autosint_model_cost_micros_total", &[]));
    assert_eq!(sum("autosint_budget_day_cap_micros", &[]), 1_000_000_000.0);
    assert!(sum("autosint_graph_written_total", &[("kind", "claim")]) >= 1.0);
    assert_eq!(sum("autosint_circuit_open", &[]), 0.0);
    assert_eq!(sum("autosint_watching_matches", &[]), 0.0, "a gauge of a feature is measured");
    for (store, call, access) in
        [("state", "documents", "write"), ("state", "work_orders", "read"), ("graph", "write", "write")]
    {
        let labels = [("store", store), ("call", call), ("access", access)];
        assert!(sum("autosint_store_seconds_count", &labels) >= 1.0, "{store} {call} {access}");
    }
    assert!(sum("process_resident_memory_bytes", &[]) > 1e6);
    assert!(sum("process_cpu_seconds_total", &[]) > 0.0);
}

/// Metrics of a query with matched labels, and labels grouped by.
struct QueriedSeries {
    names: BTreeMap<String, BTreeSet<String>>,
    grouped: BTreeSet<String>,
}

impl QueriedSeries {
    /// Reads metrics, the labels in their braces, and those after `by`. Functions and operators are left to Prometheus.
    fn read(query: &str) -> Self {
        let (mut names, mut rest) = (BTreeMap::<String, BTreeSet<String>>::new(), query);
        while let Some(start) = rest.find(is_word) {
            let word = &rest[start..];
            let (name, after) = word.split_at(word.find(|c: char| !is_word(c)).unwrap_or(word.len()));
            rest = after;
            if !OWN.contains(&name) && !["autosint_", "process_"].iter().any(|prefix| name.starts_with(prefix)) {
                continue;
            }
            let matchers = after.strip_prefix('{').and_then(|matchers| matchers.split('}').next()).unwrap_or_default();
            let labels = matchers.split('"').step_by(2).map(|label| label.trim_matches(|c: char| !is_word(c)).to_owned());
            names.entry(name.to_owned()).or_default().extend(labels.filter(|label| !label.is_empty()));
        }
        let groups = query.split("by (").skip(1).filter_map(|group| group.split(')').next());
        let grouped = groups.flat_map(|labels| labels.split(',')).map(|label| label.trim().to_owned()).collect();
        Self { names, grouped }
    }
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns every query of dashboards and alerts with its location.
fn queries() -> Vec<(String, String)> {
    let mut queries = vec![];
    for entry in fs::read_dir(tree("deploy/grafana/dashboards")).unwrap() {
        let path = entry.unwrap().path();
        let dashboard: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for panel in dashboard["panels"].as_array().unwrap() {
            let place = format!("{}, '{}'", path.file_name().unwrap().display(), panel["title"].as_str().unwrap());
            let of_prometheus = panel["datasource"]["type"] == "prometheus";
            for target in panel["targets"].as_array().unwrap().iter().filter(|_| of_prometheus) {
                let query = target["expr"].as_str().unwrap().replace("$__rate_interval", "5m");
                queries.push((place.clone(), query));
            }
        }
    }
    assert!(queries.len() > 40, "{}", queries.len());
    let rules: Value = serde_norway::from_str(&fs::read_to_string(tree("deploy/prometheus/alerts.yml")).unwrap()).unwrap();
    for rule in rules["groups"][0]["rules"].as_array().unwrap() {
        let (name, query) = (rule["alert"].as_str().unwrap(), rule["expr"].as_str().unwrap());
        assert!(matches!(rule["labels"]["severity"].as_str(), Some("page" | "ticket")), "{name}");
        for text in ["summary", "action"] {
            assert!(rule["annotations"][text].is_string(), "{name} has no {text}");
        }
        queries.push((format!("alerts.yml, {name}"), query.to_owned()));
    }
    queries
}

#[test]
fn recorded_metrics_equal_declared_metrics() {
    let mut recorded = BTreeSet::new();
    for crate_ in ["adapters", "app", "engine", "fetch", "server"] {
        sources(&tree(crate_).join("src"), &mut |text| {
            for (kind, call) in [("counter", "counter!("), ("gauge", "gauge!("), ("histogram", "histogram!(")] {
                let names = text.split(call).skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
                recorded.extend(names.map(|name| (name.to_owned(), kind)));
            }
            let guards = text.split("GaugeGuard::new(\"").skip(1).filter_map(|rest| rest.split('"').next());
            recorded.extend(guards.map(|name| (name.to_owned(), "gauge")));
        });
    }
    let declared: BTreeSet<(String, &str)> = CATALOGUE
        .iter()
        .map(|metric| {
            let kind = match metric.kind {
                MetricKind::Counter => "counter",
                MetricKind::Gauge => "gauge",
                MetricKind::Histogram(_) => "histogram",
            };
            (metric.name.to_owned(), kind)
        })
        .collect();
    assert_eq!(recorded.difference(&declared).collect::<Vec<_>>(), Vec::<&(String, &str)>::new(), "recorded, not declared");
    assert_eq!(declared.difference(&recorded).collect::<Vec<_>>(), Vec::<&(String, &str)>::new(), "declared, never recorded");
    assert_eq!(declared.len(), CATALOGUE.len(), "a name is declared twice");
    for metric in CATALOGUE {
        let is_counter = metric.kind == MetricKind::Counter;
        assert_eq!(metric.name.ends_with("_total"), is_counter, "{}: counters, and they alone, end with _total", metric.name);
    }
}

fn sources(folder: &Path, read: &mut impl FnMut(&str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, read);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            read(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[tokio::test]
async fn health_and_metrics_have_a_separate_address() {
    let _lock = METRICS_LOCK.lock().await;
    let app = spawn_with(|config| config.metrics.listen = Some(([127, 0, 0, 1], 0).into())).await;
    let shutdown = CancellationToken::new();
    let address = http::serve_monitoring(&app.program, shutdown.clone()).await.unwrap().unwrap();
    let mut scraper = Browser::new(address);
    assert_eq!(scraper.get("/healthz").await.text(), "ok\n");
    assert_eq!(scraper.get("/readyz").await.text(), "ready\n");
    assert!(scraper.get("/metrics").await.text().contains("autosint_dependency_up{dependency=\"store\"} 1\n"));
    assert_eq!(scraper.get("/").await.status, 404);
    scraper.host = Some("evil.example".to_owned());
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(scraper.get(path).await.status, 421, "{path} under a foreign name");
    }
    let mut browser = app.browser();
    assert_eq!(browser.get("/readyz").await.text(), "ready\n");
    assert_eq!(browser.get("/metrics").await.status, 404);
    shutdown.cancel();
}
