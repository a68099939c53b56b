//! Client of a remote Fetch service (`fetch.url`).

mod browser;

use super::KeyedSources;
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
};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, header::HeaderValue, redirect::Policy};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

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
        let client = Client::builder().tls_backend_preconfigured(tls).redirect(Policy::none()).no_proxy().timeout(timeout);
        let client = client.build().map_err(|error| error.to_string())?;
        let name = format!("The Fetch service at {} (`fetch.url`)", url.to_string().trim_end_matches('/'));
        let base = url.exposed().trim_end_matches('/').to_owned();
        Ok(Self { client, base, name: name.into(), token, timeout, sessions: Arc::default() })
    }

    /// Describes version and browser of the service in a sentence.
    pub async fn describe(&self) -> Result<String, FetchError> {
        let health: Health = self.get("/health").await?;
        let browser = health.browser.unwrap_or_else(|| "It renders pages.".to_owned());
        Ok(format!("{} works, version {}. {browser}", self.name, health.version))
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token.expose_secret()),
            None => request,
        }
    }

    async fn get<A: DeserializeOwned>(&self, path: &str) -> Result<A, FetchError> {
        send(&self.name, self.request(Method::GET, path)).await.map_err(into_fetch_error)
    }

    async fn ask_source<A: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        body: &impl Serialize,
    ) -> Result<A, SourceFailure> {
        send(&self.name, with_json(request, body)).await.map_err(|read_error| match read_error {
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

async fn send<A: DeserializeOwned, E: DeserializeOwned>(name: &str, request: RequestBuilder) -> Result<A, RequestError<E>> {
    let sent = send_raw(name, request).await.map_err(RequestError::Unusable)?;
    if !sent.status().is_success() {
        return Err(read_error(name, sent).await);
    }
    let body = sent.bytes().await.map_err(|_| RequestError::Unusable(connection_lost_message(name)))?;
    serde_json::from_slice(&body).map_err(|_| RequestError::Unusable(bad_reply_message(name)))
}

/// Sends a request; returns the response or a message.
async fn send_raw(name: &str, request: RequestBuilder) -> Result<Response, String> {
    request.send().await.map_err(|error| {
        tracing::warn!(%error, "fetch service request failed");
        match error.is_timeout() {
            true => timeout_message(name),
            false => format!("{name} does not answer: start it with `autosint module fetch`, or remove the address."),
        }
    })
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
        let sent = send(&self.name, with_json(self.request(Method::POST, "/fetch"), &body)).await;
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
