//! Errors of sources.

use domain::fetch::SourceFailure;

/// Error of a source, with the remedy. Messages of providers are shortened and never contain a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    #[error("unknown source `{0}`; see the list of sources")]
    Unknown(String),
    #[error("the response has no list at `{0}`; correct `hits` of this search in `fetch.sources.searches`")]
    NoList(String),
    #[error("this source needs a key; store one on the page of sources")]
    NeedsKey,
    #[error("the terms of this source require a contact; set `fetch.contact` to an e-mail address or a web page")]
    NeedsContact,
    #[error("this source is self-hosted; set its address in `fetch.sources.addresses`")]
    NeedsAddress,
    #[error("the address of this source is not a web address; correct `fetch.sources`")]
    Address,
    #[error("this page number is not one that the source returned; start again at the first page")]
    Page,
    #[error("the source rejected the query: {0}")]
    Query(String),
    #[error("the source rejected the key; check the key and its plan")]
    Key,
    #[error("the source refused the request; it may require `fetch.contact`, or block this network")]
    Refused,
    #[error("the key contains invalid characters; copy it from the provider and store it again")]
    BadKey,
    #[error("{}", wait(*retry_after_s))]
    Busy { retry_after_s: Option<u64> },
    #[error("the source has a server error (status {0}); try again later")]
    Broken(u16),
    #[error("the address of the source does not exist (status {0}); it may have moved: correct it in `fetch.sources`")]
    Gone(u16),
    #[error("the source returned an empty response; try again later")]
    Empty,
    #[error(
        "the source returned a web page instead of data; it may require a login, block programs, or have moved: open its \
         address in a browser, and correct it in `fetch.sources` if it has moved"
    )]
    WebPage,
    #[error("the response of the source exceeds `fetch.sources.max_answer_bytes`; raise the limit, or disable the source")]
    TooLarge,
    #[error(
        "the response of the source has an unknown format; its API may have changed: disable the source until an update supports it, \
         or correct its fields if it is one of `fetch.sources.searches`"
    )]
    Unreadable,
    #[error("the source could not be reached: {0}")]
    Unreachable(String),
    /// Not an outage: limits of ours, or addresses that no longer work.
    #[error("the source could not be queried: {0}")]
    NotQueried(String),
}

impl SourceError {
    /// Whether the source does not answer.
    pub fn is_outage(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::Broken(_))
    }
}

impl From<SourceError> for SourceFailure {
    fn from(error: SourceError) -> Self {
        let is_of_query = matches!(error, SourceError::Query(_) | SourceError::Page | SourceError::Unknown(_));
        Self { is_of_query, is_outage: error.is_outage(), message: error.to_string() }
    }
}

fn wait(retry_after_s: Option<u64>) -> String {
    match retry_after_s {
        Some(seconds) => format!("the source asks to wait for {seconds} s"),
        None => "the source asks to wait; try again later, or check the limits of your plan".to_owned(),
    }
}
