//! Web captures: how the page of a document was reached.

use super::Hop;
use crate::{DocumentId, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Web capture of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebCapture {
    pub document_id: DocumentId,
    /// Requested address.
    pub url: String,
    /// Address after redirects.
    pub final_url: String,
    /// Canonical address stated by the page.
    pub canonical_url: Option<String>,
    pub status: u16,
    pub hops: Vec<Hop>,
    /// Headers that describe the content.
    pub headers: BTreeMap<String, String>,
    pub reached: RetrievalMethod,
    pub fetched_at: Timestamp,
}

crate::words! {
    /// Retrieval method of a page.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum RetrievalMethod {
        /// Fetched by address.
        Fetched = "fetched",
        /// Rendered by address, with scripts.
        Rendered = "rendered",
        /// Reached by clicks and forms in the browser; its address alone may lead elsewhere.
        Walked = "walked",
    }
}
