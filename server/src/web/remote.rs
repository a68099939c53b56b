//! The engine's way to the web where Fetch is a service of its own (`fetch.url`).

use super::KeyedSources;
use adapters::{Address, tls};
use async_trait::async_trait;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use bytes::Bytes;
use domain::fetch::{
    DiscoverRequest, FeedEntry, FetchError, FetchFailure, FetchRequest, FoundFeed, PageAnswer, PageOptions, PageRequest,
    SOURCE_KEY_HEADER, SourceAsk, SourceEntry, SourceFailure, SourcePage, SourceQuery,
};
use engine::{
    fetch::{Fetch, WebPage},
    models::Secret,
};
use reqwest::{Client, Method, RequestBuilder, header::HeaderValue, redirect::Policy};
use secrecy::ExposeSecret;
use serde::{Serialize, de::DeserializeOwned};
use std::time::Duration;

/// A cheap handle to the service.
#[derive(Clone)]
pub struct Remote {
    client: Client,
    /// Without a slash at the end.
    base: String,
    token: Option<Secret>,
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
        Ok(Self { client, base: url.exposed().trim_end_matches('/').to_owned(), token })
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token.expose_secret()),
            None => request,
        }
    }

    async fn get<A: DeserializeOwned>(&self, path: &str) -> Result<A, FetchError> {
        match answer::<A, FetchError>(self.request(Method::GET, path)).await {
            Ok(answer) => Ok(answer),
            Err(Refusal::Said(error)) => Err(error),
            Err(Refusal::Silent(why)) => Err(FetchError::new(FetchFailure::Unreachable, why)),
        }
    }

    async fn ask_source<A: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        body: &impl Serialize,
    ) -> Result<A, SourceFailure> {
        answer(with(request, body)).await.map_err(|refusal| match refusal {
            Refusal::Said(failure) => failure,
            Refusal::Silent(why) => SourceFailure::of_source(why),
        })
    }
}

fn with(request: RequestBuilder, body: &impl Serialize) -> RequestBuilder {
    let body = serde_json::to_vec(body).unwrap_or_default();
    request.header(reqwest::header::CONTENT_TYPE, "application/json").body(body)
}

async fn answer<A: DeserializeOwned, E: DeserializeOwned>(request: RequestBuilder) -> Result<A, Refusal<E>> {
    let silent = |why: &str| Refusal::Silent(format!("The Fetch service (`fetch.url`) {why}."));
    let sent = request.send().await.map_err(|error| {
        tracing::warn!(%error, "the Fetch service cannot be asked");
        silent("does not answer")
    })?;
    let status = sent.status();
    let body = sent.bytes().await.map_err(|_| silent("broke off"))?;
    if status.is_success() {
        return serde_json::from_slice(&body).map_err(|_| silent("is of another version: its answer is not understood"));
    }
    if status == reqwest::StatusCode::UNAUTHORIZED {
        return Err(silent("does not accept the token; set AUTOSINT_FETCH_TOKEN to the same value for both"));
    }
    Err(match serde_json::from_slice(&body) {
        Ok(error) => Refusal::Said(error),
        Err(_) => silent(&format!("answered with status {status}")),
    })
}

#[async_trait]
impl Fetch for Remote {
    async fn page(&self, request: &FetchRequest) -> Result<WebPage, FetchError> {
        let options = PageOptions { source: Some(request.source.clone()), max_age_ms: request.max_age_ms, bytes: true };
        let body = PageRequest { url: request.url.clone(), options };
        let PageAnswer { page, bytes, .. } =
            answer(with(self.request(Method::POST, "/fetch"), &body)).await.map_err(|refusal| match refusal {
                Refusal::Said(error) => error,
                Refusal::Silent(why) => FetchError::new(FetchFailure::Unreachable, why),
            })?;
        let bytes: Vec<Bytes> =
            bytes.unwrap_or_default().iter().filter_map(|text| BASE64_STANDARD.decode(text).ok()).map(Bytes::from).collect();
        if bytes.len() != page.documents.len() {
            let words = "The Fetch service (`fetch.url`) sent a page without its bytes.";
            return Err(FetchError::new(FetchFailure::Malformed, words));
        }
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
        self.ask_source(request, &SourceAsk { query: query.clone(), feeds: feeds.to_vec() }).await
    }

    async fn feeds(&self) -> Result<Vec<FeedEntry>, FetchError> {
        self.get("/feeds").await
    }

    async fn feeds_at(&self, address: &str) -> Result<Vec<FoundFeed>, SourceFailure> {
        let body = DiscoverRequest { address: address.to_owned() };
        self.ask_source(self.request(Method::POST, "/feeds/discover"), &body).await
    }
}
