//! Suite of the table, on every backend.

#[cfg(feature = "figures")]
mod figures;
mod routes;

use crate::{
    link::{LinkId, ShareLink, ShownSources, new_token},
    store::{SCHEMA, ShareStore},
};
use domain::UserId;
use feature::Schema;
use testkit::{TestBackend, assert_no_other_person_reads, assert_rows_go_with_their_objects, assert_transfer, id};

static SCHEMAS: [&Schema; 1] = [&SCHEMA];

testkit::on_every_backend! { crate::tests::SCHEMAS;
    links_survive_a_transfer
    no_link_is_read_by_another_person
    links_are_removed_with_their_person
    a_link_is_found_by_the_hash_of_its_token_until_it_expires
    posts_at_once_stay_within_the_limit
}

fn store(backend: &TestBackend) -> ShareStore {
    ShareStore::from(backend.store.clone())
}

fn link(backend: &TestBackend, user: UserId, days: i64) -> ShareLink {
    let now = backend.now();
    ShareLink {
        id: LinkId(id()),
        user,
        token_hash: new_token().1,
        kind: "assessment".into(),
        object: id().to_string(),
        sources: ShownSources::Bundle,
        note: "For Monday".into(),
        created_at: now,
        expires_at: now.plus_ms(days * 86_400_000),
        views: 0,
    }
}

async fn links_survive_a_transfer(backend: &TestBackend) {
    let link = link(backend, backend.user("ada").await, 1);
    assert!(store(backend).add(&link, 5).await.unwrap());
    assert_transfer(backend, &SCHEMAS).await;
}

async fn no_link_is_read_by_another_person(backend: &TestBackend) {
    assert_no_other_person_reads(backend, &SCHEMA, &[]).await;
}

async fn links_are_removed_with_their_person(backend: &TestBackend) {
    assert_rows_go_with_their_objects(backend, &SCHEMA, &[]).await;
}

async fn a_link_is_found_by_the_hash_of_its_token_until_it_expires(backend: &TestBackend) {
    let store = store(backend);
    let (ada, bob) = (backend.user("ada").await, backend.user("bob").await);
    let first = link(backend, ada, 1);
    let second = ShareLink { sources: ShownSources::Quotes, ..link(backend, ada, 2) };
    for one in [&first, &second] {
        assert!(store.add(one, 2).await.unwrap());
    }
    assert!(!store.add(&link(backend, ada, 1), 2).await.unwrap(), "the limit holds");
    store.add_views(&first.token_hash, 2).await.unwrap();
    store.add_views(&first.token_hash, 3).await.unwrap();
    let counted = ShareLink { views: 5, ..first.clone() };
    assert_eq!(store.find(&first.token_hash, backend.now()).await.unwrap(), Some(counted));
    assert_eq!(store.find(&new_token().1, backend.now()).await.unwrap(), None);
    assert_eq!(store.find(&first.token_hash, first.expires_at).await.unwrap(), None, "expired");
    assert_eq!(store.links(ada).await.unwrap().len(), 2, "the list has expired ones, too");
    assert_eq!(store.links(bob).await.unwrap(), []);
    assert_eq!(store.remove(bob, first.id).await.unwrap(), None);
    assert_eq!(store.remove(ada, first.id).await.unwrap(), Some(first.token_hash.clone()));
    assert_eq!(store.find(&first.token_hash, backend.now()).await.unwrap(), None);
    assert_eq!(store.links(ada).await.unwrap(), [second]);
}

async fn posts_at_once_stay_within_the_limit(backend: &TestBackend) {
    let (store, ada) = (&store(backend), backend.user("ada").await);
    let (first, second) = (link(backend, ada, 1), link(backend, ada, 1));
    let added = tokio::join!(store.add(&first, 1), store.add(&second, 1));
    assert!(added.0.unwrap() != added.1.unwrap(), "one of the two");
}
