//! What only a file can do: run full and be gone.

use super::field::{collection, mention, sqlite, sqlite_of};
use adapters::sql::SqlConfig;
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

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_full_disk_is_said_and_nothing_is_written() {
    let field = sqlite_of(SqlConfig { max_mib: Some(2), ..SqlConfig::default() }).await;
    let home = collection();
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    sheet.claim(&"A long statement. ".repeat(200_000), &[0]);
    let refused = field.try_write(&sheet).await;
    assert!(matches!(refused, Err(StoreError::Full)), "{refused:?}");
    assert_eq!(field.counts(&Scope::from(home)).await, (0, 0, 0));
    field.write(&mention(home, "b", "Halvek Front", "They met.")).await;
}
