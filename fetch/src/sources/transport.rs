//! HTTP transport of sources: one request, one response.

use super::SourceError;
use crate::web::{AccessMode, Request, Web};
use async_trait::async_trait;
use bytes::Bytes;
use domain::fetch::{FetchError, FetchFailure};
use hyper::{
    HeaderMap, Method,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
};
use std::time::Duration;
use url::Url;

/// Request of a source. Its headers may hold keys.
#[derive(Clone)]
pub struct SourceRequest {
    pub source: String,
    pub url: Url,
    /// Minimum interval between requests to this host; `None` uses the default.
    pub interval: Option<Duration>,
    pub headers: Vec<(String, String)>,
    /// Media type and body of a POST; `None`: GET.
    pub body: Option<(&'static str, Bytes)>,
    pub max_bytes: u64,
}

impl std::fmt::Debug for SourceRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Query and headers are omitted, because they may contain a key.
        f.debug_struct("SourceRequest")
            .field("source", &self.source)
            .field("host", &self.url.host_str())
            .finish_non_exhaustive()
    }
}

/// Whole response.
#[derive(Debug, Clone)]
pub struct SourceResponse {
    /// Address after redirects.
    pub address: String,
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Bytes,
}

impl SourceResponse {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// Transport to the web.
#[async_trait]
pub trait SourceTransport: Send + Sync {
    /// Sends a request. Error statuses are returned as responses.
    async fn send(&self, request: SourceRequest) -> Result<SourceResponse, SourceError>;
}

#[async_trait]
impl SourceTransport for Web {
    async fn send(&self, request: SourceRequest) -> Result<SourceResponse, SourceError> {
        let headers = headers(&request).ok_or(SourceError::BadKey)?;
        let (method, body) = match request.body {
            Some((_, body)) => (Method::POST, body),
            None => (Method::GET, Bytes::new()),
        };
        let outgoing = Request {
            url: request.url.into(),
            source: request.source,
            mode: AccessMode::Api { interval: request.interval },
            method,
            headers,
            body,
            max_bytes: Some(request.max_bytes),
        };
        let response = Self::send(self, outgoing).await.map_err(source_error)?;
        let header =
            |(name, value): (&HeaderName, &HeaderValue)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()));
        Ok(SourceResponse {
            address: response.url.into(),
            status: response.status.as_u16(),
            headers: response.headers.iter().filter_map(header).collect(),
            body: response.body,
        })
    }
}

fn source_error(error: FetchError) -> SourceError {
    let message = error.message.trim_end_matches('.').to_owned();
    match error.reason {
        FetchFailure::TooLarge => SourceError::TooLarge,
        FetchFailure::Unreachable | FetchFailure::TimedOut => SourceError::Unreachable(message),
        _ => SourceError::NotQueried(message),
    }
}

/// Headers of a request, marked as sensitive; `None` if one is invalid.
fn headers(request: &SourceRequest) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    for (name, value) in &request.headers {
        let mut value = HeaderValue::from_str(value).ok()?;
        value.set_sensitive(true);
        headers.insert(HeaderName::try_from(name.as_str()).ok()?, value);
    }
    if let Some((kind, _)) = &request.body {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    Some(headers)
}
