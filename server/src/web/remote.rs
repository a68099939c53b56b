//! The engine's way to the web where Fetch is a service of its own (`fetch.url`).

mod browsing;

use super::KeyedSources;
use adapters::{Address, tls};
use async_trait::async_trait;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use browsing::Sessions;
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

/// A cheap handle to the service.
#[derive(Clone)]
pub struct Remote {
    client: Client,
    /// Without a slash at the end.
    base: String,
    /// What it is called in messages: its address, without a password, and where that is configured.
    name: Arc<str>,
    token: Option<Secret>,
    patience: Duration,
    sessions: Arc<Mutex<Sessions>>,
}

/// `GET /health`.
#[derive(Deserialize)]
struct Health {
    version: String,
    /// Why it renders no page, where it does not.
    browser: Option<String>,
}

/// What the service answers where it does not answer what was asked for.
enum Refusal<E> {
    /// In its own words.
    Said(E),
    /// It does not speak as it should, or not at all.
    Silent(String),
}

impl Remote {
    /// `patience` is for one request with its answer.
    pub fn new(url: &Address, token: Option<Secret>, patience: Duration) -> Result<Self, String> {
        let tls = tls::client_config().ok_or("TLS cannot be set up")?;
        let client = Client::builder().tls_backend_preconfigured(tls).redirect(Policy::none()).no_proxy().timeout(patience);
        let client = client.build().map_err(|error| error.to_string())?;
        let name = format!("The Fetch service at {} (`fetch.url`)", url.to_string().trim_end_matches('/'));
        let base = url.exposed().trim_end_matches('/').to_owned();
        Ok(Self { client, base, name: name.into(), token, patience, sessions: Arc::default() })
    }

    /// Whether it works, in a sentence: its version, and whether it can render pages.
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
        answer(&self.name, self.request(Method::GET, path)).await.map_err(refused)
    }

    async fn ask_source<A: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        body: &impl Serialize,
    ) -> Result<A, SourceFailure> {
        answer(&self.name, with(request, body)).await.map_err(|refusal| match refusal {
            Refusal::Said(failure) => failure,
            Refusal::Silent(why) => SourceFailure::by_source(why),
        })
    }

    /// The bytes of a page's documents, as they were sent with it.
    fn bytes_of(&self, page: &FetchedPage, sent: Option<Vec<String>>) -> Result<Vec<Bytes>, FetchError> {
        let sent = sent.unwrap_or_default();
        let bytes: Vec<Bytes> = sent.iter().filter_map(|text| BASE64_STANDARD.decode(text).ok()).map(Bytes::from).collect();
        match bytes.len() == page.documents.len() {
            true => Ok(bytes),
            false => Err(FetchError::new(FetchFailure::Malformed, format!("{} sent a page without its bytes.", self.name))),
        }
    }
}

fn with(request: RequestBuilder, body: &impl Serialize) -> RequestBuilder {
    let body = serde_json::to_vec(body).unwrap_or_default();
    request.header(reqwest::header::CONTENT_TYPE, "application/json").body(body)
}

async fn answer<A: DeserializeOwned, E: DeserializeOwned>(name: &str, request: RequestBuilder) -> Result<A, Refusal<E>> {
    let sent = raw(name, request).await.map_err(Refusal::Silent)?;
    if !sent.status().is_success() {
        return Err(refusal(name, sent).await);
    }
    let body = sent.bytes().await.map_err(|_| Refusal::Silent(cut_off(name)))?;
    serde_json::from_slice(&body).map_err(|_| Refusal::Silent(foreign(name)))
}

/// Whatever it answers; else why it does not, in words.
async fn raw(name: &str, request: RequestBuilder) -> Result<Response, String> {
    request.send().await.map_err(|error| {
        tracing::warn!(%error, "the Fetch service cannot be asked");
        match error.is_timeout() {
            true => too_slow(name),
            false => format!("{name} does not answer: start it with `autosint module fetch`, or take the address out."),
        }
    })
}

/// What an answer means that is not the one asked for.
async fn refusal<E: DeserializeOwned>(name: &str, sent: Response) -> Refusal<E> {
    let status = sent.status();
    if status == StatusCode::UNAUTHORIZED {
        let why = "does not accept the token; set AUTOSINT_FETCH_TOKEN to the same value for both";
        return Refusal::Silent(format!("{name} {why}."));
    }
    match sent.bytes().await.map(|body| serde_json::from_slice(&body)) {
        Ok(Ok(error)) => Refusal::Said(error),
        Ok(Err(_)) => Refusal::Silent(format!("{name} answered with status {status}.")),
        Err(_) => Refusal::Silent(cut_off(name)),
    }
}

fn refused(refusal: Refusal<FetchError>) -> FetchError {
    match refusal {
        Refusal::Said(error) => error,
        Refusal::Silent(why) => unreachable(why),
    }
}

fn unreachable(why: String) -> FetchError {
    FetchError::new(FetchFailure::Unreachable, why)
}

fn too_slow(name: &str) -> String {
    format!("{name} did not answer in time (`fetch.url_timeout_ms`).")
}

fn cut_off(name: &str) -> String {
    format!("{name} broke off; try it again.")
}

fn foreign(name: &str) -> String {
    format!("{name} is of another version: its answer is not understood.")
}

#[async_trait]
impl Fetch for Remote {
    async fn page(&self, request: &FetchRequest) -> Result<WebPage, FetchError> {
        let options = PageOptions { source: Some(request.source.clone()), max_age_ms: request.max_age_ms, bytes: true };
        let body = PageRequest { url: request.url.clone(), options };
        let sent = answer(&self.name, with(self.request(Method::POST, "/fetch"), &body)).await;
        let PageResponse { page, bytes, .. } = sent.map_err(refused)?;
        let bytes = self.bytes_of(&page, bytes)?;
        Ok(WebPage { page, bytes })
    }
}

#[async_trait]
impl KeyedSources for Remote {
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
