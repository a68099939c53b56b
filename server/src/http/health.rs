//! For whoever watches the server: is it alive, is it ready, and its figures for Prometheus.

use super::Web;
use axum::{
    body::Body,
    extract::{MatchedPath, Request, State},
    http::{Method, Response, StatusCode, header},
    middleware::Next,
    response::IntoResponse,
};
use domain::{AssessmentId, Scope};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::{sync::OnceLock, time::Instant};

/// Bounds of the histograms of durations, in seconds.
const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// The process has one recorder, however many servers the tests start in it.
pub(super) fn recorder() -> PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER
        .get_or_init(|| {
            let builder = PrometheusBuilder::new();
            let builder = match builder.set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS) {
                Ok(builder) => builder,
                Err(error) => {
                    tracing::warn!(%error, "durations are counted without buckets");
                    PrometheusBuilder::new()
                }
            };
            let recorder = builder.build_recorder();
            let handle = recorder.handle();
            if metrics::set_global_recorder(recorder).is_err() {
                tracing::warn!("figures go to another recorder");
            }
            handle
        })
        .clone()
}

pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// Ready when the store answers.
pub(super) async fn ready(State(web): State<Web>) -> Response<Body> {
    match web.program.store.ping().await {
        Ok(()) => "ready\n".into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n").into_response()
        }
    }
}

pub(super) async fn metrics(State(web): State<Web>) -> Response<Body> {
    let engine = &web.program.engine;
    if let Ok(depth) = engine.queue.depth().await {
        for (priority, count) in ["high", "normal", "low"].into_iter().zip(depth) {
            metrics::gauge!("autosint_queue_depth", "priority" => priority).set(count as f64);
        }
    }
    let began = Instant::now();
    let answers = engine.assessments.assessment(&Scope::default(), AssessmentId(uuid::Uuid::nil())).await.is_ok();
    metrics::gauge!("autosint_database_up").set(if answers { 1.0 } else { 0.0 });
    metrics::histogram!("autosint_database_probe_seconds").record(began.elapsed().as_secs_f64());
    if let Some(embedder) = &engine.embedder
        && let Ok((pending, done)) = engine.graph.vector_progress(embedder.model()).await
    {
        metrics::gauge!("autosint_vectors", "state" => "pending").set(pending as f64);
        metrics::gauge!("autosint_vectors", "state" => "done").set(done as f64);
    }
    web.metrics.run_upkeep();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], web.metrics.render()).into_response()
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
    let method = known_method(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or_else(|| "other".to_owned(), |path| path.as_str().to_owned());
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    metrics::counter!("autosint_http_requests_total", "method" => method, "route" => route.clone(), "status" => status)
        .increment(1);
    metrics::histogram!("autosint_http_request_seconds", "route" => route).record(began.elapsed().as_secs_f64());
    response
}
