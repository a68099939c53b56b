//! The catalogue of sources: where things can be found, one small adapter each, behind one way to ask.
//!
//! Invariant: an adapter turns a query into a request and an answer into hits, and does no I/O. Words of a query go into values of
//! an address or a body, encoded; what a source answers never becomes an address that is asked.

mod adapter;
mod arxiv;
mod catalogue;
mod config;
mod court_listener;
mod edgar;
mod error;
mod federal_register;
mod gdelt;
mod get;
mod github;
mod hacker_news;
mod json_search;
mod news_api;
mod openalex;
mod outlets;
mod reddit;
mod reliefweb;
mod searxng;
mod status;
mod values;
mod web_search;
mod wikimedia;

pub use catalogue::{Catalogue, SourceAccess};
pub use config::{JsonSearch, Paging, SourcesConfig};
pub use error::SourceError;
pub use get::{Get, SourceRequest, SourceResponse};

use adapter::Adapter;

/// Those that are built in, then those of the configuration.
fn adapters(config: &SourcesConfig) -> Vec<Box<dyn Adapter>> {
    let mut all = shipped();
    all.extend(config.searches.iter().map(|search| Box::new(json_search::Search(search.clone())) as Box<dyn Adapter>));
    all
}

/// The ids of all sources, groups of feeds first.
pub(crate) fn ids(config: &SourcesConfig) -> Vec<String> {
    let mut ids = shipped_ids();
    ids.extend(config.searches.iter().map(|search| search.id.clone()));
    ids
}

/// The ids of those that every installation has.
pub(crate) fn shipped_ids() -> Vec<String> {
    let groups = outlets::GROUPS.iter().map(|group| group.group.source().to_owned());
    groups.chain(shipped().iter().map(|adapter| adapter.card().id.to_owned())).collect()
}

fn shipped() -> Vec<Box<dyn Adapter>> {
    vec![
        Box::new(gdelt::Gdelt),
        Box::new(wikimedia::Wikipedia),
        Box::new(wikimedia::Wikidata),
        Box::new(hacker_news::HackerNews),
        Box::new(edgar::Edgar),
        Box::new(federal_register::FederalRegister),
        Box::new(arxiv::Arxiv),
        Box::new(court_listener::CourtListener),
        Box::new(github::GitHub),
        Box::new(searxng::Searxng),
        Box::new(openalex::OpenAlex),
        Box::new(reliefweb::ReliefWeb),
        Box::new(web_search::Brave),
        Box::new(web_search::Tavily),
        Box::new(news_api::NewsApi),
        Box::new(reddit::Reddit),
    ]
}
