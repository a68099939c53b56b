//! Client of a remote Fetch service (`fetch.url`).

mod browser;

use super::KeyedSources;
use crate::{logging, system::SystemIds};
use adapters::{Address, tls};
use async_trait::async_trait;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use browser::BrowserSessions;
use bytes::Bytes;
use domain::fetch::{
    DiscoverRequest, FeedEntry, FetchError, FetchFailure, FetchRequest, FetchedPage, FoundFeed, PageOptions, PageRequest,
    PageResponse, SOURCE_KEY_HEADER, SourceEntry, SourceFailure, SourcePage, SourceQuery, SourceRequest,
};
use engine::{
    fetch::{Fetch, WebPage},
    models::Secret,
    reliability::{
        CircuitOpen, DependencyGuard, RetryConfig,
        retry::{RetryAdvice, retry},
    },
};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, header::HeaderValue, redirect::Policy};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

/// Policy of a client without retries.
const ONCE: RetryConfig = RetryConfig { max_attempts: 1, ..RetryConfig::MODULE };

/// Idle time after which a connection is not used again: below `server.connections.header_timeout_ms` of the service, which ends it
/// then.
const POOL_IDLE: Duration = Duration::from_secs(20);

/// Client of a remote Fetch service. Cheap to clone.
#[derive(Clone)]
pub struct RemoteFetch {
    client: Client,
    /// Without a trailing slash.
    base: String,
    /// Name in messages: the address without its password, and the setting.
    name: Arc<str>,
    token: Option<Secret>,
    timeout: Duration,
    guard: Option<Arc<DependencyGuard>>,
    retry: RetryConfig,
    sessions: Arc<Mutex<BrowserSessions>>,
}

/// Response of `GET /health`.
#[derive(Deserialize)]
struct Health {
    version: String,
    /// Reason why no browser is available, if none is.
    browser: Option<String>,
}

/// Failed request to the service.
enum RequestError<E> {
    /// Error reported by the service.
    Reported(E),
    /// Missing or malformed reply.
    Unusable(String),
}

impl RemoteFetch {
    /// Creates a client. `timeout` covers one request with its reply.
    pub fn new(url: &Address, token: Option<Secret>, timeout: Duration) -> Result<Self, String> {
        let tls = tls::client_config().ok_or("TLS cannot be set up")?;
        let client = Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(Policy::none())
            .no_proxy()
            .timeout(timeout)
            .pool_idle_timeout(POOL_IDLE);
        let client = client.build().map_err(|error| error.to_string())?;
        let name = format!("The Fetch service at {} (`fetch.url`)", url.to_string().trim_end_matches('/'));
        let base = url.exposed().trim_end_matches('/').to_owned();
        Ok(Self { client, base, name: name.into(), token, timeout, guard: None, retry: ONCE, sessions: Arc::default() })
    }

    /// Adds a circuit breaker: while the service does not answer, requests fail at once.
    pub fn guarded_by(self, guard: DependencyGuard) -> Self {
        Self { guard: Some(Arc::new(guard)), ..self }
    }

    /// Repeats requests that the service did not answer. All of them can be repeated: they fetch, render or search.
    pub fn retrying(self, retry: RetryConfig) -> Self {
        Self { retry, ..self }
    }

    /// Describes version and browser of the service in a sentence.
    pub async fn describe(&self) -> Result<String, FetchError> {
        let health: Health = self.get("/health").await?;
        let browser = health.browser.unwrap_or_else(|| "It renders pages.".to_owned());
        Ok(format!("{} works, version {}. {browser}", self.name, health.version))
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        if let Some(traceparent) = logging::current_traceparent() {
            request = request.header("traceparent", traceparent);
        }
        match &self.token {
            Some(token) => request.bearer_auth(token.expose_secret()),
            None => request,
        }
    }

    fn unanswered(&self, error: &reqwest::Error) -> RequestFailure {
        tracing::warn!(%error, "fetch service request failed");
        let name = &self.name;
        match error.is_timeout() {
            true => RequestFailure::new(timeout_message(name), true),
            false => {
                let advice = "start it with `autosint module fetch`, or remove the address";
                RequestFailure::new(format!("{name} does not answer: {advice}."), false)
            }
        }
    }

    async fn get<A: DeserializeOwned>(&self, path: &str) -> Result<A, FetchError> {
        self.send(self.request(Method::GET, path)).await.map_err(into_fetch_error)
    }

    async fn ask_source<A: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        body: &impl Serialize,
    ) -> Result<A, SourceFailure> {
        self.send(with_json(request, body)).await.map_err(|read_error| match read_error {
            RequestError::Reported(failure) => failure,
            RequestError::Unusable(why) => SourceFailure::by_source(why),
        })
    }

    /// Decodes the bytes of a page's documents.
    fn decode_bytes(&self, page: &FetchedPage, sent: Option<Vec<String>>) -> Result<Vec<Bytes>, FetchError> {
        let sent = sent.unwrap_or_default();
        let bytes: Vec<Bytes> = sent.iter().filter_map(|text| BASE64_STANDARD.decode(text).ok()).map(Bytes::from).collect();
        match bytes.len() == page.documents.len() {
            true => Ok(bytes),
            false => Err(FetchError::new(FetchFailure::Malformed, format!("{} sent a page without its bytes.", self.name))),
        }
    }
}

fn with_json(request: RequestBuilder, body: &impl Serialize) -> RequestBuilder {
    let body = serde_json::to_vec(body).unwrap_or_default();
    request.header(reqwest::header::CONTENT_TYPE, "application/json").body(body)
}

impl RemoteFetch {
    async fn send<A: DeserializeOwned, E: DeserializeOwned>(&self, request: RequestBuilder) -> Result<A, RequestError<E>> {
        let sent = self.send_raw(request).await.map_err(RequestError::Unusable)?;
        if !sent.status().is_success() {
            return Err(read_error(&self.name, sent).await);
        }
        let body = sent.bytes().await.map_err(|_| RequestError::Unusable(connection_lost_message(&self.name)))?;
        serde_json::from_slice(&body).map_err(|_| RequestError::Unusable(bad_reply_message(&self.name)))
    }

    /// Sends a request unless the circuit is open; returns the response or a message.
    async fn send_raw(&self, request: RequestBuilder) -> Result<Response, String> {
        let sent = async {
            let attempts = || async {
                // Bodies are in memory, so that each attempt has one.
                let attempt = request.try_clone().ok_or_else(|| RequestFailure::new(bad_reply_message(&self.name), true))?;
                attempt.send().await.map_err(|error| self.unanswered(&error))
            };
            let advice = |failed: &RequestFailure| if failed.is_final { RetryAdvice::Never } else { RetryAdvice::Soon };
            retry(&self.retry, &SystemIds, attempts, advice).await.map_err(|failed| failed.message)
        };
        let Some(guard) = &self.guard else { return sent.await };
        let outage = |sent: &Result<Response, String>| sent.as_ref().err().cloned();
        guard.call(sent, outage).await.unwrap_or_else(|CircuitOpen { reason }| Err(reason))
    }
}

/// Request without an answer.
struct RequestFailure {
    message: String,
    /// Another attempt would take as long again.
    is_final: bool,
}

impl RequestFailure {
    fn new(message: String, is_final: bool) -> Self {
        Self { message, is_final }
    }
}

/// Reads the error from an unsuccessful response.
async fn read_error<E: DeserializeOwned>(name: &str, sent: Response) -> RequestError<E> {
    let status = sent.status();
    if status == StatusCode::UNAUTHORIZED {
        let why = "does not accept the token; set AUTOSINT_FETCH_TOKEN to the same value for both";
        return RequestError::Unusable(format!("{name} {why}."));
    }
    match sent.bytes().await.map(|body| serde_json::from_slice(&body)) {
        Ok(Ok(error)) => RequestError::Reported(error),
        Ok(Err(_)) => RequestError::Unusable(format!("{name} answered with status {status}.")),
        Err(_) => RequestError::Unusable(connection_lost_message(name)),
    }
}

fn into_fetch_error(read_error: RequestError<FetchError>) -> FetchError {
    match read_error {
        RequestError::Reported(error) => error,
        RequestError::Unusable(why) => unreachable_error(why),
    }
}

fn unreachable_error(why: String) -> FetchError {
    FetchError::new(FetchFailure::Unreachable, why)
}

fn timeout_message(name: &str) -> String {
    format!("{name} did not answer in time (`fetch.url_timeout_ms`).")
}

fn connection_lost_message(name: &str) -> String {
    format!("{name} closed the connection; try again.")
}

fn bad_reply_message(name: &str) -> String {
    format!("{name} sent an unknown reply: install the same version on both sides.")
}

#[async_trait]
impl Fetch for RemoteFetch {
    async fn page(&self, request: &FetchRequest) -> Result<WebPage, FetchError> {
        let options = PageOptions { source: Some(request.source.clone()), max_age_ms: request.max_age_ms, bytes: true };
        let body = PageRequest { url: request.url.clone(), options };
        let sent = self.send(with_json(self.request(Method::POST, "/fetch"), &body)).await;
        let PageResponse { page, bytes, .. } = sent.map_err(into_fetch_error)?;
        let bytes = self.decode_bytes(&page, bytes)?;
        Ok(WebPage { page, bytes })
    }
}

#[async_trait]
impl KeyedSources for RemoteFetch {
    async fn entries(&self) -> Result<Vec<SourceEntry>, FetchError> {
        self.get("/sources").await
    }

    async fn query(
        &self,
        source: &str,
        query: &SourceQuery,
        feeds: &[FeedEntry],
        key: Option<&Secret>,
    ) -> Result<SourcePage, SourceFailure> {
        let mut request = self.request(Method::POST, &format!("/sources/{source}/query"));
        if let Some(mut key) = key.and_then(|key| HeaderValue::from_str(key.expose_secret()).ok()) {
            key.set_sensitive(true);
            request = request.header(SOURCE_KEY_HEADER, key);
        }
        self.ask_source(request, &SourceRequest { query: query.clone(), feeds: feeds.to_vec() }).await
    }

    async fn feeds(&self) -> Result<Vec<FeedEntry>, FetchError> {
        self.get("/feeds").await
    }

    async fn feeds_at(&self, address: &str) -> Result<Vec<FoundFeed>, SourceFailure> {
        let body = DiscoverRequest { address: address.to_owned() };
        self.ask_source(self.request(Method::POST, "/feeds/discover"), &body).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::{Json, Router, routing::get};
    use opentelemetry::trace::TracerProvider;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use serde_json::json;
    use tokio::net::TcpListener;
    use tracing_subscriber::{Registry, layer::SubscriberExt};

    #[tokio::test]
    async fn a_request_without_an_answer_is_repeated() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: Address = format!("http://{}", listener.local_addr().unwrap()).try_into().unwrap();
        tokio::spawn(async move {
            // Each first connection ends without an answer.
            for _ in 0..2 {
                drop(listener.accept().await.unwrap());
            }
            let health = || async { Json(json!({"version": "7", "browser": null})) };
            axum::serve(listener, Router::new().route("/health", get(health))).await
        });
        let once = RemoteFetch::new(&address, None, Duration::from_secs(20)).unwrap();
        let error = once.describe().await.unwrap_err();
        assert!(error.message.contains("does not answer"), "{error}");
        let retry = RetryConfig { initial_backoff_ms: 1, ..RetryConfig::MODULE };
        assert!(once.retrying(retry).describe().await.unwrap().contains("version 7"));
    }

    #[test]
    fn requests_carry_the_trace_of_their_span() {
        let tracer = SdkTracerProvider::builder().build().tracer("test");
        let subscriber = Registry::default().with(tracing_opentelemetry::layer().with_tracer(tracer));
        tracing::subscriber::with_default(subscriber, || {
            let address = "http://127.0.0.1:3010".to_owned().try_into().unwrap();
            let remote = RemoteFetch::new(&address, None, Duration::from_secs(1)).unwrap();
            let sent = || {
                let request = remote.request(Method::GET, "/health").build().unwrap();
                request.headers().get("traceparent").map(|sent| sent.to_str().unwrap().to_owned())
            };
            assert_eq!(sent(), None);
            let span = tracing::error_span!("work_order");
            let _entered = span.enter();
            let traceparent = sent().unwrap();
            assert!(traceparent.starts_with("00-") && traceparent.len() == 55, "{traceparent}");
            assert_eq!(sent(), Some(traceparent));
        });
    }
}
