//! The signing key: one for all processes, and never replaced without a word.

use super::{fixture, key};
use crate::{
    signing::{SigningKey, UNREADABLE_KEY},
    store::{BundleStore, SCHEMA},
};
use adapters::sql::{MasterKey, SealedSecrets};
use domain::ObjectId;
use std::sync::Arc;
use testkit::{TestBackend, assert_no_other_person_reads, assert_transfer, id};

testkit::on_every_backend! { crate::tests::SCHEMAS;
    the_first_key_survives_a_transfer_until_it_is_replaced
    no_row_is_read_by_another_person
}

async fn the_first_key_survives_a_transfer_until_it_is_replaced(backend: &TestBackend) {
    let (store, first, second) = (BundleStore::from(backend.store.clone()), ObjectId(id()), ObjectId(id()));
    assert!(store.add_key(first).await.unwrap());
    assert!(!store.add_key(second).await.unwrap());
    assert_eq!(store.key().await.unwrap(), Some(first));
    assert_transfer(backend, &super::SCHEMAS).await;
    store.put_key(second).await.unwrap();
    assert_eq!(store.key().await.unwrap(), Some(second));
}

async fn no_row_is_read_by_another_person(backend: &TestBackend) {
    assert_no_other_person_reads(backend, &SCHEMA, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_that_make_the_first_key_use_the_same() {
    let fixture = fixture().await;
    let web = &fixture.site.web;
    let (first, second) = tokio::join!(SigningKey::load(web), SigningKey::load(web));
    let later = SigningKey::load(web).await.unwrap().public_key();
    assert_eq!((first.unwrap().public_key(), second.unwrap().public_key()), (later.clone(), later));
    assert_eq!(web.secrets.names().await.unwrap().len(), 1, "the unused key is removed");
    fixture.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_master_key_is_refused_until_a_new_key_is_made() {
    let fixture = fixture().await;
    let before = SigningKey::load(&fixture.site.web).await.unwrap().public_key();
    let mut web = fixture.site.web.clone();
    let other = MasterKey::from_hex(&"6b".repeat(32)).unwrap();
    web.secrets = Arc::new(SealedSecrets::new(fixture.backend.store.clone(), other));
    assert_eq!(SigningKey::load(&web).await.err().unwrap().to_string(), UNREADABLE_KEY);
    assert_eq!(SigningKey::load(&fixture.site.web).await.unwrap().public_key(), before, "the key is as before");
    let after = SigningKey::replace(&web).await.unwrap().public_key();
    assert!(after != before && after != key().public_key());
    assert_eq!(SigningKey::load(&web).await.unwrap().public_key(), after);
    fixture.backend.close().await;
}
