//! Catalogue of sources: one small adapter each behind a common query interface.
//!
//! Invariant: adapters do no I/O; they map a query to a request and a response to hits. Query words are always encoded, and
//! nothing from a response becomes an address to request.

mod adapter;
mod arxiv;
mod catalogue;
mod config;
mod court_listener;
mod edgar;
mod error;
mod federal_register;
mod feed_groups;
mod gdelt;
mod github;
mod hacker_news;
mod json_search;
mod news_api;
mod openalex;
mod reddit;
mod reliefweb;
mod searxng;
mod status;
mod transport;
mod values;
mod web_search;
mod wikimedia;

pub use catalogue::{Catalogue, SourceAccess};
pub use config::{JsonSearch, Paging, SourcesConfig};
pub use error::SourceError;
pub use transport::{SourceRequest, SourceResponse, SourceTransport};

use adapter::Adapter;

/// Built-in adapters, then those of the configuration.
fn adapters(config: &SourcesConfig) -> Vec<Box<dyn Adapter>> {
    let mut all = shipped();
    all.extend(config.searches.iter().map(|search| Box::new(json_search::Search(search.clone())) as Box<dyn Adapter>));
    all
}

/// Ids of all sources, feed groups first.
pub(crate) fn ids(config: &SourcesConfig) -> Vec<String> {
    let mut ids = shipped_ids();
    ids.extend(config.searches.iter().map(|search| search.id.clone()));
    ids
}

/// Ids of the sources that every installation has.
pub(crate) fn shipped_ids() -> Vec<String> {
    let groups = feed_groups::GROUPS.iter().map(|group| group.group.source().to_owned());
    groups.chain(shipped().iter().map(|adapter| adapter.info().id.to_owned())).collect()
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
