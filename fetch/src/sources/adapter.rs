//! What an adapter of a source is: a card, the translation of a query, and the reading of an answer. None of them does I/O.

use super::SourceError;
use domain::fetch::{Feed, KeyUse, SourceHit, SourcePage, SourceQuery};
use serde_json::Value;
use std::{fmt::Debug, time::Duration};
use url::Url;

/// What has to be configured before a source can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Contact,
    Address,
}

/// How a source answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    Feed,
}

/// A source as a catalogue shows it.
#[derive(Debug, Clone)]
pub(crate) struct Card<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub description: &'a str,
    pub coverage: &'a str,
    /// Address, and the day on which it was read.
    pub documentation: (&'a str, &'a str),
    pub key: KeyUse,
    pub needs: &'a [Need],
    /// The least time between two requests, by the terms of the provider or below what it tolerates; zero: as with every host.
    pub interval: Duration,
    /// The most that one page can hold.
    pub page_size: u32,
    pub form: Form,
    /// Where it is asked, unless the configuration names another place; `{language}` is replaced.
    pub base: &'a str,
}

/// What a request may use besides the query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access<'a> {
    pub base: &'a Url,
    /// The key, or what was got for it.
    pub key: Option<&'a str>,
    /// Results wanted, not over the page size.
    pub limit: u32,
}

/// One request.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub url: Url,
    pub headers: Vec<(String, String)>,
    pub body: Body,
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// Nothing: GET.
    None,
    Json(Value),
    /// Fields of a form.
    Form(Vec<(&'static str, String)>),
}

impl Ask {
    /// GET of `path` below the base, with a query.
    pub fn get(access: &Access<'_>, path: &str, query: &[(&str, &str)]) -> Result<Self, SourceError> {
        let mut url = access.base.join(path).map_err(|_| SourceError::Address)?;
        let mut fields = query.iter().filter(|(_, value)| !value.is_empty()).peekable();
        if fields.peek().is_some() {
            url.query_pairs_mut().extend_pairs(fields);
        }
        Ok(Self { url, headers: Vec::new(), body: Body::None })
    }

    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub fn with_body(mut self, body: Body) -> Self {
        self.body = body;
        self
    }
}

/// An answer with status 200, read.
#[derive(Debug)]
pub(crate) enum Answer {
    Json(Value),
    Feed(Box<Feed>),
}

impl Answer {
    /// The value of an answer in JSON; null for a feed, where nothing is found.
    pub fn json(&self) -> &Value {
        match self {
            Self::Json(value) => value,
            Self::Feed(_) => &Value::Null,
        }
    }
}

/// One source.
pub(crate) trait Adapter: Debug + Send + Sync {
    fn card(&self) -> Card<'_>;

    /// Whether it lists what is new by the hour.
    fn is_current(&self) -> bool {
        false
    }

    /// The query in the words of the source.
    fn ask(&self, query: &SourceQuery, access: &Access<'_>) -> Result<Ask, SourceError>;

    /// The answer in ours.
    fn read(&self, answer: &Answer, query: &SourceQuery, access: &Access<'_>) -> Result<SourcePage, SourceError>;

    /// What gets a token for the key, where requests carry one that lasts a while.
    fn token(&self, _access: &Access<'_>) -> Option<Result<Ask, SourceError>> {
        None
    }
}

/// The page number that `query.page` names, from `first` on.
pub(crate) fn number(query: &SourceQuery, first: u64) -> Result<u64, SourceError> {
    match &query.page {
        Some(page) => page.parse().ok().filter(|page| *page >= first).ok_or(SourceError::Page),
        None => Ok(first),
    }
}

/// A page of hits by offset: there is a next one while `total` is not reached.
pub(crate) fn by_offset(hits: Vec<SourceHit>, offset: u64, given: usize, total: Option<u64>, most: u64) -> SourcePage {
    let reached = offset + given as u64;
    let has_more = given > 0 && reached < total.unwrap_or(u64::MAX).min(most);
    SourcePage { hits, total, next: has_more.then(|| reached.to_string()) }
}
