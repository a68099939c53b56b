//! Tests of the embedded graph only: a full disk and a missing file.

use super::fixture::{collection, id, mention, sqlite, sqlite_of};
use adapters::sql::SqlConfig;
use domain::{MergeId, Scope};
use engine::StoreError;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_store_that_is_closed_is_not_available() {
    let fixture = sqlite().await.unwrap();
    fixture.store.close().await;
    let result = fixture.graph.counts(&Scope::default()).await;
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
    let result = fixture.try_write(&mention(collection(), "a", "Halvek Front", "They met.")).await;
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_full_disk_is_reported_and_nothing_is_written() {
    let fixture = sqlite_of(SqlConfig { max_mib: Some(2), ..SqlConfig::default() }).await;
    let home = collection();
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    sheet.claim(&"A long statement. ".repeat(200_000), &[0]);
    let refused = fixture.try_write(&sheet).await;
    assert!(matches!(refused, Err(StoreError::Full)), "{refused:?}");
    assert_eq!(fixture.counts(&Scope::from(home)).await, (0, 0, 0));
    fixture.write(&mention(home, "b", "Halvek Front", "They met.")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn changes_of_another_process_invalidate_the_resolution_cache() {
    let fixture = sqlite().await.unwrap();
    let other = fixture.other_process().await;
    let home = collection();
    let press = fixture.write(&mention(home, "a", "Kestra Press", "It printed.")).await.entities[0].id;
    let post = fixture.write(&mention(home, "b", "Valley Post", "It was sold.")).await.entities[0].id;
    // Read again, and so remembered.
    assert_eq!(fixture.write(&mention(home, "c", "Valley Post", "It closed.")).await.entities[0].id, post);
    other.merge(MergeId(id()), press, post, None, mention(home, "d", "Nobody", "No.").write.at).await.unwrap();
    assert_eq!(fixture.write(&mention(home, "e", "Valley Post", "It opened.")).await.entities[0].id, press);
    let radio = other.write(&[mention(home, "f", "Radio Ebrin", "It spoke.").write], &fixture.cascade).await.unwrap();
    assert_eq!(
        fixture.write(&mention(home, "g", "Radio Ebrin", "It fell silent.")).await.entities[0].id,
        radio[0].entities[0].id
    );
    let later = collection();
    let known = mention(later, "h", "Valley Post", "It is read.").beside(&[home]);
    assert!(!other.write(&[known.write], &fixture.cascade).await.unwrap()[0].entities[0].is_new);
    fixture.graph.remove_collection(home).await.unwrap();
    let new = mention(later, "i", "Radio Ebrin", "It is new.").beside(&[home]);
    assert!(other.write(&[new.write], &fixture.cascade).await.unwrap()[0].entities[0].is_new);
}
