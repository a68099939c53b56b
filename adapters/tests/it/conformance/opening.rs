//! Opening a store that is there already.

use super::backends::TestBackend;
use engine::{accounts::Accounts, investigations::Investigations};

pub async fn stored_data_survives_reopening(backend: &TestBackend) {
    let investigation = backend.any_investigation().await;
    backend.store.ping().await.unwrap();
    let again = backend.other_process().await;
    assert!(again.investigation(investigation).await.unwrap().is_some());
    assert_eq!(again.users().await.unwrap(), backend.store.users().await.unwrap());
    again.close().await;
}
