//! Health, readiness and metrics endpoints.

use super::{AllowedHosts, prelude::*, restrict_hosts, serve_connections};
use crate::{Program, metrics as exporter};
use axum::{
    Router,
    extract::{FromRef, MatchedPath},
    http::Method,
    routing::get,
};
use std::{io, net::SocketAddr, time::Instant};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Serves health and metrics on `metrics.listen` until `shutdown`, for scrapers without access to the pages and for processes
/// without pages. Returns the bound address, if configured.
pub async fn serve_monitoring(program: &Program, shutdown: CancellationToken) -> io::Result<Option<SocketAddr>> {
    let Some(listen) = program.config.metrics.listen else { return Ok(None) };
    let listener = TcpListener::bind(listen).await?;
    let bound = listener.local_addr()?;
    let hosts = AllowedHosts::new(&program.config.server, bound);
    let router = restrict_hosts(health().merge(metrics_route()).with_state(program.clone()), hosts);
    let server = program.config.server.clone();
    let unlimited = server.unlimited_clients();
    tokio::spawn(async move { serve_connections(listener, router, &server.connections, &unlimited, shutdown).await });
    tracing::info!(address = %bound, "monitoring endpoint started");
    Ok(Some(bound))
}

/// Monitoring routes of the web server.
pub(super) fn routes(program: &Program) -> Router<WebState> {
    if program.config.metrics.on_web { health().merge(metrics_route()) } else { health() }
}

fn health<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Program: FromRef<S>,
{
    Router::new().route("/healthz", get(healthz)).route("/readyz", get(readyz))
}

fn metrics_route<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Program: FromRef<S>,
{
    // Start recording now rather than at the first scrape.
    exporter::recorder();
    Router::new().route("/metrics", get(metrics))
}

async fn healthz() -> &'static str {
    "ok\n"
}

/// Ready if store and graph answer and the clock is right. The queue is not needed to serve pages.
async fn readyz(State(program): State<Program>) -> Response<Body> {
    let not_ready = |what: &str| {
        tracing::error!("not ready, the {what} does not answer");
        (StatusCode::SERVICE_UNAVAILABLE, format!("the {what} does not answer\n")).into_response()
    };
    let (store, graph, queue, clock) = tokio::join!(
        exporter::store(&program),
        exporter::graph(&program),
        exporter::queue(&program),
        exporter::clock(&program)
    );
    if let (true, Some(problem)) = (store, clock) {
        tracing::error!("not ready, {problem}");
        return (StatusCode::SERVICE_UNAVAILABLE, "the clock of this machine is wrong\n").into_response();
    }
    match (store, graph, queue) {
        (false, ..) => not_ready("store"),
        (true, false, _) => not_ready("graph"),
        (true, true, None) => "ready, but the queue does not answer: work orders wait\n".into_response(),
        (true, true, Some(_)) => "ready\n".into_response(),
    }
}

async fn metrics(State(program): State<Program>) -> Response<Body> {
    let text = exporter::render(&program).await;
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

/// Label of a method. Unknown methods share one label, to bound their number.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Counts requests by route rather than path, because ids would create unbounded labels.
pub(super) async fn count_requests(request: Request, next: Next) -> Response<Body> {
    let began = Instant::now();
    let open = exporter::GaugeGuard::new("autosint_http_requests_open");
    let method = known_method(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or_else(|| "other".to_owned(), |path| path.as_str().to_owned());
    let response = next.run(request).await;
    drop(open);
    let status = response.status().as_u16().to_string();
    metrics::counter!("autosint_http_requests_total", "method" => method, "route" => route.clone(), "status" => status)
        .increment(1);
    metrics::histogram!("autosint_http_request_seconds", "route" => route).record(began.elapsed().as_secs_f64());
    response
}
