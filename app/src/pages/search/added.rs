//! Sources of hits that features add to the search.

use crate::prelude::*;
use engine::StoreResult;
use std::{pin::Pin, sync::Arc};
use views::{AddedGroup, SearchHit, SearchQuery};

/// Hits of a source, the best first.
pub type SourceHits = Pin<Box<dyn Future<Output = StoreResult<Vec<SearchHit>>> + Send>>;

/// Source that a feature adds to the search.
#[derive(Clone)]
pub struct AddedSource {
    /// Value of `kind` in the address.
    pub key: &'static str,
    pub title: &'static str,
    /// Finds what a person may read, by words, up to a number of hits.
    pub find: Arc<dyn Fn(User, String, usize) -> SourceHits + Send + Sync>,
}

/// Returns the hits of the sources that a query covers, each up to `limit`; groups without hits are left out.
pub async fn added_groups(
    sources: &[AddedSource],
    viewer: &User,
    query: &SearchQuery,
    limit: usize,
) -> StoreResult<Vec<AddedGroup>> {
    let mut groups = vec![];
    if !query.words.chars().any(char::is_alphanumeric) {
        return Ok(groups);
    }
    for source in sources {
        if !query.covers_added(source.key) {
            continue;
        }
        let mut hits = (source.find)(viewer.clone(), query.words.clone(), limit).await?;
        hits.truncate(limit);
        if !hits.is_empty() {
            let is_at_least = hits.len() >= limit;
            groups.push(AddedGroup { key: source.key.to_owned(), title: source.title.to_owned(), hits, is_at_least });
        }
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::fixtures;
    use std::{
        pin::pin,
        task::{Context, Poll, Waker},
    };

    /// A source that finds its own title for any words, as often as it may.
    fn source(key: &'static str) -> AddedSource {
        let hit =
            move |words: &str| SearchHit { title: format!("{key}: {words}"), href: format!("/{key}/1"), ..Default::default() };
        let find = move |_: User, words: String, limit: usize| -> SourceHits {
            Box::pin(async move { Ok(vec![hit(&words); limit + 1]) })
        };
        AddedSource { key, title: "Tensions", find: Arc::new(find) }
    }

    /// Returns first title, number of hits, and whether there may be more, of each group.
    fn found(query: SearchQuery) -> Vec<(String, usize, bool)> {
        let (sources, viewer) = ([source("tensions"), source("alerts")], fixtures::viewer());
        let groups = pin!(added_groups(&sources, &viewer, &query, 2));
        // These sources wait for nothing.
        let Poll::Ready(groups) = groups.poll(&mut Context::from_waker(Waker::noop())) else { panic!("a source waits") };
        let groups = groups.unwrap().into_iter();
        groups.map(|group| (group.hits[0].title.clone(), group.hits.len(), group.is_at_least)).collect()
    }

    #[test]
    fn sources_of_features_are_searched_unless_a_kind_or_a_filter_leaves_them_out() {
        let query = |words: &str| SearchQuery { words: words.into(), ..Default::default() };
        let (tensions, alerts) = (("tensions: gate".to_owned(), 2, true), ("alerts: gate".to_owned(), 2, true));
        assert_eq!(found(query("gate")), [tensions.clone(), alerts]);
        assert_eq!(found(SearchQuery { only_added: "tensions".into(), ..query("gate") }), [tensions]);
        assert_eq!(found(SearchQuery { entity_kind: "company".into(), ..query("gate") }), []);
        assert_eq!(found(query("?!")), []);
    }
}
