//! What only a file can do: be gone.

use super::field::{collection, mention, sqlite};
use domain::Scope;
use engine::{StoreError, graph::Graph};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_store_that_is_closed_is_not_available() {
    let field = sqlite().await;
    field.store.close().await;
    let result = field.graph.counts(&Scope::default()).await;
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
    let result = field.try_write(&mention(collection(), "a", "Halvek Front", "They met.")).await;
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
}
