//! Why a source gave nothing.

use domain::fetch::SourceFailure;

/// Each says what to do. Words of a provider are shortened and never hold a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    #[error("there is no source called `{0}`; see the list of sources")]
    Unknown(String),
    #[error("there is no list at `{0}` of its answer; correct `hits` of this search in `fetch.sources.searches`")]
    NoList(String),
    #[error("this source needs a key; store one on the page of sources")]
    NeedsKey,
    #[error("the terms of this source want to know who asks; set `fetch.contact` to an address of mail or of a page")]
    NeedsContact,
    #[error("this source is a service of your own; set its address under `fetch.sources.addresses`")]
    NeedsAddress,
    #[error("the address of this source is none of the web; correct `fetch.sources`")]
    Address,
    #[error("this is no page that the source gave; ask again from the first one")]
    Page,
    #[error("the source did not take the query: {0}")]
    Query(String),
    #[error("the source did not accept the key; check it, and what its plan allows")]
    Key,
    #[error("the source refused the request; its terms may want `fetch.contact`, or it blocks this network")]
    Refused,
    #[error("the key holds characters that no key has; copy it again from the provider, and store it anew")]
    BadKey,
    #[error("{}", wait(*retry_after_s))]
    Busy { retry_after_s: Option<u64> },
    #[error("the source is out of order at the moment (status {0}); try again later")]
    Broken(u16),
    #[error("there is nothing at the address of the source (status {0}); it may have moved: correct it in `fetch.sources`")]
    Gone(u16),
    #[error("the source gave an empty answer; try again later")]
    Empty,
    #[error(
        "the source answered with a web page instead of data; it may ask people to sign in, keep programs out, or have moved: open its \
         address in a browser, and correct it in `fetch.sources` where it has moved"
    )]
    WebPage,
    #[error("the source answered with more than is read at once; raise `fetch.sources.max_answer_bytes`, or switch it off")]
    TooLarge,
    #[error(
        "the source answered in a form that is not understood; its interface may have changed: switch it off until an update knows it, \
         or correct its fields where it is one of `fetch.sources.searches`"
    )]
    Unreadable,
    #[error("the source could not be reached: {0}")]
    Unreachable(String),
}

impl From<SourceError> for SourceFailure {
    fn from(error: SourceError) -> Self {
        let is_of_query = matches!(error, SourceError::Query(_) | SourceError::Page | SourceError::Unknown(_));
        Self { is_of_query, message: error.to_string() }
    }
}

fn wait(retry_after_s: Option<u64>) -> String {
    match retry_after_s {
        Some(seconds) => format!("the source asks to wait for {seconds} s"),
        None => "the source asks to wait; try again later, or see what your plan with it allows".to_owned(),
    }
}
