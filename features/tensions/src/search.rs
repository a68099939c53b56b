//! Tensions in the search, by the words of title and statement.

use crate::{
    pages::detail::address,
    store::{TensionStore, TensionSummary},
};
use domain::user::User;
use engine::StoreResult;
use feature::{SearchHit, SearchSource, Web};

/// Source of the search.
pub const SOURCE: SearchSource =
    SearchSource { key: "tensions", title: "Tensions", find: |web, user, words, most| Box::pin(find(web, user, words, most)) };

/// Returns the visible tensions with every word, the latest evidence first.
async fn find(web: Web, user: User, words: String, most: usize) -> StoreResult<Vec<SearchHit>> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return Ok(vec![]);
    }
    let scope = web.engine.listed_scope(&user).await?;
    let has_words = |one: &TensionSummary| {
        let text = format!("{} {}", one.tension.title, one.tension.statement).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let found = TensionStore::new(&web).tensions(&scope).await?.into_iter().filter(has_words).take(most);
    let hit = |one: TensionSummary| SearchHit {
        href: address(one.tension.id),
        title: one.tension.title,
        text: one.tension.statement,
    };
    Ok(found.map(hit).collect())
}
