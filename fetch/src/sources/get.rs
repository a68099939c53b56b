//! What sources need of the web: one request, one answer.

use super::SourceError;
use crate::web::{Manner, Request, Web};
use async_trait::async_trait;
use bytes::Bytes;
use domain::fetch::{FetchError, FetchFailure};
use hyper::{
    HeaderMap, Method,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
};
use std::time::Duration;
use url::Url;

/// One request of a source. Its headers may hold keys.
#[derive(Clone)]
pub struct SourceRequest {
    pub source: String,
    pub url: Url,
    /// The least time between two requests to this host; none: as for every host.
    pub interval: Option<Duration>,
    pub headers: Vec<(String, String)>,
    /// Media type and bytes of what is posted; none: GET.
    pub body: Option<(&'static str, Bytes)>,
    pub max_bytes: u64,
}

impl std::fmt::Debug for SourceRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Neither query nor headers: they may hold a key.
        f.debug_struct("SourceRequest")
            .field("source", &self.source)
            .field("host", &self.url.host_str())
            .finish_non_exhaustive()
    }
}

/// The whole answer.
#[derive(Debug, Clone)]
pub struct SourceResponse {
    /// After redirects.
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

/// The way to the web.
#[async_trait]
pub trait Get: Send + Sync {
    /// Sends a request. A status that tells of a failure is an answer.
    async fn send(&self, request: SourceRequest) -> Result<SourceResponse, SourceError>;
}

#[async_trait]
impl Get for Web {
    async fn send(&self, request: SourceRequest) -> Result<SourceResponse, SourceError> {
        let headers = headers(&request).ok_or(SourceError::BadKey)?;
        let (method, body) = match request.body {
            Some((_, body)) => (Method::POST, body),
            None => (Method::GET, Bytes::new()),
        };
        let asked = Request {
            url: request.url.into(),
            source: request.source,
            manner: Manner::Interface { interval: request.interval },
            method,
            headers,
            body,
            max_bytes: Some(request.max_bytes),
        };
        let response = Self::send(self, asked).await.map_err(error_of)?;
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

fn error_of(error: FetchError) -> SourceError {
    match error.reason {
        FetchFailure::TooLarge => SourceError::TooLarge,
        _ => SourceError::Unreachable(error.message.trim_end_matches('.').to_owned()),
    }
}

/// The headers of a request, marked as not to be shown; `None` where one cannot be a header.
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
