//! Messages to addresses that people name, such as webhooks: one POST each under the address rules, without redirects.

use crate::{
    FetchConfig,
    guard::Guard,
    http::{Exchange, HttpClient, HttpRequest, SystemResolver},
    robots,
};
use bytes::Bytes;
use domain::fetch::{FetchError, FetchFailure, WEBHOOK};
use hyper::{
    HeaderMap, Method,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
};
use std::sync::Arc;

/// Most bytes of an answer, of which only the status counts.
const MAX_ANSWER_BYTES: u64 = 1024 * 1024;

/// Sender of messages. A cheap clone.
#[derive(Debug, Clone)]
pub struct MessageClient {
    client: HttpClient,
}

impl MessageClient {
    /// Creates the client. Exceptions of the address rules hold for it under the source `webhook`.
    pub fn new(config: &FetchConfig) -> Result<Self, FetchError> {
        let (agent, guard) = (robots::agent(&config.contact), Guard::new(&config.http));
        Ok(Self { client: HttpClient::new(config.http.clone(), &agent, guard, Arc::new(SystemResolver))? })
    }

    /// Sends JSON once and returns the status of the answer.
    pub async fn post(&self, url: &str, headers: &[(&'static str, String)], json: String) -> Result<u16, FetchError> {
        let guard = self.client.guard();
        let url = guard.read(url)?;
        let clearance = guard.check(WEBHOOK, &url)?;
        let mut fields = HeaderMap::new();
        fields.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in headers {
            let value = HeaderValue::from_str(value)
                .map_err(|_| FetchError::new(FetchFailure::Malformed, "A header of the message is not valid."))?;
            fields.insert(HeaderName::from_static(name), value);
        }
        let (method, body) = (&Method::POST, Bytes::from(json));
        let outgoing = HttpRequest { url: &url, clearance, method, headers: &fields, body, max_bytes: MAX_ANSWER_BYTES };
        let Exchange { result, .. } = self.client.exchange(outgoing).await;
        Ok(result?.status.as_u16())
    }
}
