//! Tensions in the search, by the words of title and statement.

use crate::{pages::detail::address, store::TensionStore};
use domain::user::User;
use engine::StoreResult;
use feature::{SearchHit, SearchSource, Web};

/// Source of the search.
pub const SOURCE: SearchSource =
    SearchSource { key: "tensions", title: "Tensions", find: |web, user, words, most| Box::pin(find(web, user, words, most)) };

/// Returns the listed active tensions with every word, the latest evidence first.
async fn find(web: Web, user: User, words: String, most: usize) -> StoreResult<Vec<SearchHit>> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return Ok(vec![]);
    }
    let scope = web.engine.listed_scope(&user).await?;
    let found = TensionStore::new(&web).search(&scope, &words, most).await?;
    let hit = |(id, title, text, is_sample)| {
        let note = if is_sample { "Sample" } else { "" };
        SearchHit { href: address(id), title, text, note: note.to_owned() }
    };
    Ok(found.into_iter().map(hit).collect())
}
