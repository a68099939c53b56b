//! Messages of features to addresses that people name, such as webhooks.

use domain::fetch::FetchError;
use futures::future::BoxFuture;
use std::sync::Arc;

/// Port that sends a message once and returns the status of the answer. It follows no redirect, and reaches only what the address rules
/// of the operator allow.
pub type MessagePort = Arc<dyn Fn(WebMessage) -> BoxFuture<'static, Result<u16, FetchError>> + Send + Sync>;

/// Message by POST.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebMessage {
    pub url: String,
    /// Headers besides those of JSON, with names in lower case.
    pub headers: Vec<(&'static str, String)>,
    pub json: String,
}
