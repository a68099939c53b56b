//! For whoever watches the process: is it alive, is it ready, and its figures for Prometheus.

use super::Web;
use crate::{Program, metrics as figures};
use axum::{
    Router,
    body::Body,
    extract::{FromRef, MatchedPath, Request, State},
    http::{Method, Response, StatusCode, header},
    middleware::Next,
    response::IntoResponse,
    routing::get,
};
use std::{io, net::SocketAddr, time::Instant};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Serves health and figures alone on `metrics.listen`, until `shutdown`: for scrapers that are not to reach the pages, and for
/// processes that serve none. Gives the address, where one is configured.
pub async fn watch(program: &Program, shutdown: CancellationToken) -> io::Result<Option<SocketAddr>> {
    let Some(listen) = program.config.metrics.listen else { return Ok(None) };
    let listener = TcpListener::bind(listen).await?;
    let bound = listener.local_addr()?;
    let router = health().merge(metrics_route()).with_state(program.clone());
    tokio::spawn(async move {
        let server = axum::serve(listener, router).with_graceful_shutdown(async move { shutdown.cancelled().await });
        if let Err(error) = server.await {
            tracing::error!(%error, "health and figures are not served any more");
        }
    });
    tracing::info!(address = %bound, "health and figures are served");
    Ok(Some(bound))
}

/// What the web server has of it.
pub(super) fn routes(program: &Program) -> Router<Web> {
    if program.config.metrics.on_web { health().merge(metrics_route()) } else { health() }
}

fn health<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Program: FromRef<S>,
{
    Router::new().route("/healthz", get(alive)).route("/readyz", get(ready))
}

fn metrics_route<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Program: FromRef<S>,
{
    // Recorded from now on, not from the first look on.
    figures::recorder();
    Router::new().route("/metrics", get(metrics))
}

async fn alive() -> &'static str {
    "ok\n"
}

/// Ready when the store and the graph answer, and the clock is right: pages are served without the queue, only work orders wait.
async fn ready(State(program): State<Program>) -> Response<Body> {
    let not_ready = |what: &str| {
        tracing::error!("not ready: the {what} does not answer");
        (StatusCode::SERVICE_UNAVAILABLE, format!("the {what} does not answer\n")).into_response()
    };
    let (store, graph, queue, clock) =
        tokio::join!(figures::store(&program), figures::graph(&program), figures::queue(&program), figures::clock(&program));
    if let (true, Some(problem)) = (store, clock) {
        tracing::error!("not ready: {problem}");
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
    let text = figures::render(&program).await;
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

/// The method as a label: strangers may invent others without end.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Counts requests by route, never by address: ids in labels would never end.
pub(super) async fn count_requests(request: Request, next: Next) -> Response<Body> {
    let began = Instant::now();
    let open = figures::Held::new("autosint_http_requests_open");
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
