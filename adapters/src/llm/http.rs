//! The HTTP client of a provider: address, key, time-outs and limits. A response is JSON, an event stream, or an error.
//!
//! Invariant: redirects are never followed, so that a key reaches no other host. Secrets that were sent are never shown: every text of a
//! provider comes with the `Redaction` of its call.

use super::{
    config::{ApiKind, BadProvider, ProviderConfig},
    endpoint::{Endpoint, seconds},
    error_response::{ErrorResponse, retry_after_ms},
    redaction::Redaction,
    sse::EventReader,
};
use crate::tls;
use engine::models::{Keys, Secret};
use protocol::model::ModelError;
use reqwest::{
    Client, Method, Proxy, RequestBuilder, Response, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    redirect::Policy,
};
use secrecy::ExposeSecret as _;
use serde_json::Value;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Version of the Messages API.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// The HTTP client of one provider.
pub(super) struct HttpClient {
    inner: Client,
    endpoint: Arc<Endpoint>,
    kind: ApiKind,
    address: String,
    keys: Arc<dyn Keys>,
    redaction: Redaction,
    limits: ReplyLimits,
    connect: Duration,
}

#[derive(Clone, Copy)]
pub(super) struct ReplyLimits {
    pub idle: Duration,
    pub max_bytes: usize,
    /// Time limit of a whole call.
    pub whole: Duration,
}

/// A failed call.
pub(super) enum Failure {
    /// The provider answered with an error.
    Response(ErrorResponse),
    Other(ModelError),
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self::Other(error)
    }
}

impl HttpClient {
    pub fn new(provider: &str, model: &str, config: &ProviderConfig, keys: Arc<dyn Keys>) -> Result<Self, BadProvider> {
        let bad = |problem: String| BadProvider::Unusable { name: provider.to_owned(), problem };
        let (address, shown) = (config.address(), config.shown_address());
        let url =
            reqwest::Url::parse(address).map_err(|error| bad(format!("base_url '{shown}' is not a valid address: {error}")))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(bad(format!("base_url '{shown}' must begin with http:// or https:// and name a host")));
        }
        let tls = tls::client_config().ok_or_else(|| bad("TLS cannot be set up".into()))?;
        let mut builder = Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(Duration::from_millis(config.connect_timeout_ms))
            .default_headers(headers(config).map_err(bad)?);
        if let Some(proxy) = &config.proxy {
            builder = builder.proxy(Proxy::all(proxy).map_err(|_| bad("proxy is not a valid address".into()))?);
        }
        Ok(Self {
            inner: builder.build().map_err(|error| bad(error.to_string()))?,
            endpoint: Arc::new(Endpoint::new(provider, model, config)),
            kind: config.kind,
            address: address.to_owned(),
            keys,
            redaction: Redaction::for_provider(config),
            limits: ReplyLimits {
                idle: Duration::from_millis(config.idle_timeout_ms),
                max_bytes: config.max_reply_bytes,
                whole: Duration::from_millis(config.timeout_ms),
            },
            connect: Duration::from_millis(config.connect_timeout_ms),
        })
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Posts `body` and reads the whole response.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        let url = format!("{}{path}", self.address);
        self.exchange(self.inner.request(Method::POST, url).body(body.to_string())).await
    }

    /// Gets `url`, which may lie outside the configured address.
    pub async fn get(&self, url: &str) -> Result<Value, Failure> {
        self.exchange(self.inner.request(Method::GET, url)).await
    }

    /// Posts to `url`.
    pub async fn ask(&self, url: &str, body: &Value) -> Result<Value, Failure> {
        self.exchange(self.inner.request(Method::POST, url).body(body.to_string())).await
    }

    /// Posts `body` and streams the response.
    pub async fn stream(&self, path: &str, body: &Value) -> Result<EventReader, Failure> {
        let url = format!("{}{path}", self.address);
        let deadline = Instant::now() + self.limits.whole;
        let request = self.inner.request(Method::POST, url).body(body.to_string());
        let sent = tokio::time::timeout(self.limits.whole, self.send(request)).await;
        let (response, redaction) = sent.map_err(|_| self.too_slow())??;
        Ok(EventReader::new(response, self.limits, deadline, redaction, self.endpoint.clone()))
    }

    async fn exchange(&self, request: RequestBuilder) -> Result<Value, Failure> {
        let whole = async {
            let (mut response, redaction) = self.send(request).await?;
            let bytes = read(&mut response, self.limits.max_bytes).await?;
            parse(&bytes, &redaction)
        };
        tokio::time::timeout(self.limits.whole, whole).await.map_err(|_| self.too_slow())?
    }

    /// Sends a request; returns the response with its redaction.
    async fn send(&self, request: RequestBuilder) -> Result<(Response, Redaction), Failure> {
        let key = self.key().await?;
        let request = match &key {
            Some(key) => request.headers(key_header(self.kind, key)?),
            None => request,
        };
        let redaction = self.redaction.with_key(key.as_ref());
        let mut response = request.send().await.map_err(|error| self.unreachable(&error))?;
        let status = response.status();
        if status.is_success() {
            return Ok((response, redaction));
        }
        let retry_after_ms = retry_after_ms(response.headers());
        // The reason of a refusal is short; an unreadable one is left empty.
        let body = read(&mut response, self.limits.max_bytes).await.unwrap_or_default();
        Err(Failure::Response(ErrorResponse::read(status.as_u16(), &body, retry_after_ms, &redaction)))
    }

    async fn key(&self) -> Result<Option<Secret>, ModelError> {
        match self.keys.key(&self.endpoint.provider).await {
            Some(key) => Ok(Some(key)),
            None => self.endpoint.without_key().map_or(Ok(None), |problem| Err(ModelError::Configuration(problem))),
        }
    }

    fn too_slow(&self) -> ModelError {
        self.endpoint.too_slow(self.limits.whole)
    }

    /// Returns the error for an unreachable provider.
    fn unreachable(&self, error: &reqwest::Error) -> ModelError {
        let advice = self.endpoint.address_advice();
        let unavailable = |message: String| ModelError::Unavailable { message, retry_after_ms: None };
        if let Some(problem) = tls_problem(error) {
            let where_to = "put its authority among the certificates of the system";
            return unavailable(format!("cannot be trusted, or speaks no TLS ({problem}): {where_to}, or {advice}"));
        }
        match (error.is_connect(), error.is_timeout()) {
            (true, true) => {
                let (patience, setting) = (seconds(self.connect), self.endpoint.setting("connect_timeout_ms"));
                unavailable(format!("was not reached within {patience}: start it there, {advice}, or raise {setting}"))
            }
            (true, false) => unavailable(format!("cannot be reached ({}): start it there, or {advice}", root(error))),
            (false, true) => self.too_slow(),
            (false, false) => ModelError::Cut(format!("broke the connection ({})", root(error))),
        }
    }
}

fn headers(config: &ProviderConfig) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if config.kind == ApiKind::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static(ANTHROPIC_VERSION));
    }
    for (name, value) in &config.headers {
        let bad = || format!("headers has '{name}', which cannot be sent");
        let header = HeaderName::try_from(name).map_err(|_| bad())?;
        let mut value = HeaderValue::try_from(value).map_err(|_| bad())?;
        value.set_sensitive(true);
        headers.insert(header, value);
    }
    Ok(headers)
}

fn key_header(kind: ApiKind, key: &Secret) -> Result<HeaderMap, ModelError> {
    let (name, text) = match kind {
        ApiKind::Anthropic => (HeaderName::from_static("x-api-key"), key.expose_secret().trim().to_owned()),
        ApiKind::Openai => (AUTHORIZATION, format!("Bearer {}", key.expose_secret().trim())),
    };
    let mut value = HeaderValue::try_from(text)
        .map_err(|_| ModelError::Configuration("has a key with invalid characters: copy it again".into()))?;
    value.set_sensitive(true);
    Ok(HeaderMap::from_iter([(name, value)]))
}

async fn read(response: &mut Response, max_bytes: usize) -> Result<Vec<u8>, ModelError> {
    let mut bytes = vec![];
    while let Some(chunk) = response.chunk().await.map_err(|error| cut(&error))? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > max_bytes {
            return Err(ModelError::Malformed(format!("it is longer than {max_bytes} bytes (max_reply_bytes)")));
        }
    }
    Ok(bytes)
}

/// Parses a response; some servers return errors with a status of success.
fn parse(bytes: &[u8], redaction: &Redaction) -> Result<Value, Failure> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| match error.is_eof() {
        true => ModelError::Cut("cut the reply before its end".into()),
        false => ModelError::Malformed("it is not JSON".into()),
    })?;
    match value.get("error") {
        None | Some(Value::Null) => Ok(value),
        Some(error) => {
            let status = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
            let status = status.filter(|status| StatusCode::from_u16(*status).is_ok()).unwrap_or(500);
            Err(Failure::Response(ErrorResponse::read(status, bytes, None, redaction)))
        }
    }
}

/// Returns the error for a reply that broke off.
pub(super) fn cut(error: &reqwest::Error) -> ModelError {
    ModelError::Cut(format!("cut the reply before its end ({})", root(error)))
}

fn root(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// Returns the problem of a TLS connection or certificate; `None` for other errors.
fn tls_problem(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        // An error of I/O does not count what it wraps among its causes, and may wrap another.
        let mut inner = error;
        while let Some(wrapped) = inner.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
            inner = wrapped;
        }
        if let Some(problem) = inner.downcast_ref::<rustls::Error>() {
            return Some(problem.to_string());
        }
        cause = error.source();
    }
    None
}
