//! Opening a store that is there already.

use super::bench::Bench;
use engine::{accounts::Accounts, investigations::Investigations};

pub async fn what_is_stored_is_there_after_opening_again(bench: &Bench) {
    let investigation = bench.any_investigation().await;
    bench.store.ping().await.unwrap();
    let again = bench.other_process().await;
    assert!(again.investigation(investigation).await.unwrap().is_some());
    assert_eq!(again.users().await.unwrap(), bench.store.users().await.unwrap());
    again.close().await;
}
