//! HTTP API of Fetch: health, sources, pages and the browser. `GET /openapi.json` describes it.
//!
//! Invariant: a caller can reach everything that Fetch can reach. Listening beyond loopback requires a token, and every request with
//! an `Origin` header is rejected.

mod browse;
mod openapi;

use crate::{
    browser::Browser,
    sources::{Catalogue, SourceAccess},
    web::Web,
};
use axum::{
    Json, Router,
    extract::{FromRef, Path, Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use bytes::Bytes;
use domain::fetch::{
    DiscoverRequest, FetchError, FetchFailure, FetchRequest, PageMetadata, PageOptions, PageRequest, PageResponse,
    SOURCE_KEY_HEADER, SourceFailure, SourceRequest, WEB,
};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Renderer of the metrics of this process, in the Prometheus text format.
pub type MetricsRenderer = Arc<dyn Fn() -> String + Send + Sync>;
/// Lookup of a source's key in the environment of this process.
pub type KeyLookup = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// State shared by all handlers. A cheap clone.
#[derive(Clone)]
pub struct FetchApi {
    pub web: Web,
    pub catalogue: Catalogue,
    pub browser: Browser,
    pub key_of: KeyLookup,
    /// `None`: there is no `/metrics`.
    pub metrics: Option<MetricsRenderer>,
    /// Bearer token that callers must send; `None` accepts every caller.
    pub token: Option<Arc<str>>,
}

impl FromRef<FetchApi> for Browser {
    fn from_ref(service: &FetchApi) -> Self {
        service.browser.clone()
    }
}

/// Router with all routes. Health and OpenAPI need no token, so that probes work without one.
pub fn router(service: FetchApi) -> Router {
    let guarded = Router::new()
        .route("/sources", get(sources))
        .route("/sources/{id}/query", post(query))
        .route("/feeds", get(feeds))
        .route("/feeds/discover", post(discover))
        .route("/fetch", post(page))
        .route("/browse", post(browse::render))
        .route("/browse/session", get(browse::session))
        .route("/metrics", get(metrics))
        .layer(middleware::from_fn_with_state(service.clone(), authorize));
    let open = Router::new().route("/health", get(health)).route("/openapi.json", get(|| async { Json(openapi::document()) }));
    guarded.merge(open).with_state(service)
}

async fn authorize(State(service): State<FetchApi>, request: Request, next: Next) -> Response {
    let refuse = |status: StatusCode, words: &str| (status, Json(json!({ "message": words }))).into_response();
    if request.headers().contains_key(header::ORIGIN) {
        return refuse(
            StatusCode::FORBIDDEN,
            "Requests with an Origin header are not accepted: this API is for programs, not for web pages.",
        );
    }
    match &service.token {
        Some(token) if !has_token(request.headers(), token) => {
            refuse(StatusCode::UNAUTHORIZED, "A token is required: send Authorization: Bearer TOKEN.")
        }
        _ => next.run(request).await,
    }
}

/// Token check on digests, so that timing reveals nothing about the token.
fn has_token(headers: &HeaderMap, token: &str) -> bool {
    let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let sent = sent.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    Sha256::digest(sent) == Sha256::digest(token)
}

async fn health(State(service): State<FetchApi>) -> Response {
    let browser = service.browser.unavailable();
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION"), "browser": browser })).into_response()
}

async fn metrics(State(service): State<FetchApi>) -> Response {
    match &service.metrics {
        Some(render) => ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], render()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn sources(State(service): State<FetchApi>) -> Response {
    Json(service.catalogue.entries(|id| (service.key_of)(id).is_some())).into_response()
}

async fn query(
    State(service): State<FetchApi>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<SourceRequest>,
) -> Response {
    let sent = headers.get(SOURCE_KEY_HEADER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let key = sent.or_else(|| (service.key_of)(&id));
    let access = SourceAccess { key: key.as_deref(), feeds: &body.feeds };
    match service.catalogue.query(&id, &body.query, access).await {
        Ok(page) => Json(page).into_response(),
        Err(error) => source_failure(error.into()),
    }
}

async fn feeds(State(service): State<FetchApi>) -> Response {
    Json(service.catalogue.feeds()).into_response()
}

async fn discover(State(service): State<FetchApi>, Json(body): Json<DiscoverRequest>) -> Response {
    match service.catalogue.discover(&body.address).await {
        Ok(found) => Json(found).into_response(),
        Err(error) => source_failure(error.into()),
    }
}

async fn page(State(service): State<FetchApi>, Json(body): Json<PageRequest>) -> Response {
    let PageRequest { url, options } = body;
    let PageOptions { source, max_age_ms, bytes } = options;
    let request = FetchRequest { source: source.unwrap_or_else(|| WEB.to_owned()), max_age_ms, url };
    match service.web.page(&request).await {
        Ok(found) => {
            let texts: Vec<&str> = found.page.documents.iter().map(|document| document.text.as_str()).collect();
            let metadata = PageMetadata {
                status: found.page.status,
                content_type: found.page.content_type.clone(),
                title: found.page.documents.first().map(|document| document.title.clone()),
                final_url: found.page.final_url.clone(),
            };
            let bytes = bytes.then(|| encode_base64(&found.bytes));
            Json(PageResponse { content: texts.join("\n\n"), metadata, page: found.page.clone(), bytes }).into_response()
        }
        Err(error) => (status_of(&error), Json(error)).into_response(),
    }
}

fn source_failure(failure: SourceFailure) -> Response {
    let status = if failure.is_of_query { StatusCode::BAD_REQUEST } else { StatusCode::BAD_GATEWAY };
    (status, Json(failure)).into_response()
}

fn encode_base64(bytes: &[Bytes]) -> Vec<String> {
    bytes.iter().map(|bytes| BASE64_STANDARD.encode(bytes)).collect()
}

/// HTTP status for a fetch error.
fn status_of(error: &FetchError) -> StatusCode {
    match error.reason {
        FetchFailure::BadAddress => StatusCode::BAD_REQUEST,
        FetchFailure::Refused | FetchFailure::Robots => StatusCode::FORBIDDEN,
        FetchFailure::Busy | FetchFailure::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        FetchFailure::TimedOut => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::BAD_GATEWAY,
    }
}
