//! Opening a store that is there already.

use super::backends::TestBackend;
use engine::{accounts::Accounts, investigations::Investigations};

pub async fn what_is_stored_is_there_after_opening_again(backend: &TestBackend) {
    let investigation = backend.any_investigation().await;
    backend.store.ping().await.unwrap();
    let again = backend.other_process().await;
    assert!(again.investigation(investigation).await.unwrap().is_some());
    assert_eq!(again.users().await.unwrap(), backend.store.users().await.unwrap());
    again.close().await;
}
