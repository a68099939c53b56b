//! Sources: switches, how they fare, what they led to, and feeds.

use super::prelude::*;
use domain::fetch::{FeedEntry, FeedGroup, SourceHealth};
use engine::{
    accounts::Accounts,
    fetch::sources::{SourceLog, SourceRecord},
    library::Documents,
};

async fn record(backend: &TestBackend, source: &str) -> SourceRecord {
    backend.store.source_records().await.unwrap().remove(source).unwrap_or_default()
}

pub async fn a_source_is_switched_and_its_answers_and_failures_are_counted(backend: &TestBackend) {
    let store = &backend.store;
    assert_eq!(record(backend, "gdelt").await, SourceRecord::default());
    for is_on in [true, false] {
        store.switch_source("gdelt", is_on, &entry(backend, "switch")).await.unwrap();
        assert_eq!(record(backend, "gdelt").await.is_on, Some(is_on));
    }
    let at = backend.now();
    store.source_failed("gdelt", at, "it is \"away\"").await.unwrap();
    store.source_failed("arxiv", at, "away").await.unwrap();
    let failed = SourceHealth {
        failures: 1,
        last_error: Some("it is \"away\"".into()),
        last_failure: Some(at),
        ..SourceHealth::default()
    };
    assert_eq!(record(backend, "gdelt").await.health, failed);
    store.source_answered("gdelt", at, &[]).await.unwrap();
    let answered = SourceHealth { answers: 1, last_error: None, last_success: Some(at), ..failed };
    assert_eq!(record(backend, "gdelt").await.health, answered);
    assert_eq!(store.audit_log(10).await.unwrap().len(), 2);
}

pub async fn a_source_is_credited_with_the_documents_of_its_addresses(backend: &TestBackend) {
    let store = &backend.store;
    let (_, collection) = backend.person("ada").await;
    let captures = ["one", "two"].map(|text| capture(collection, text, text));
    let (stored, _) = store.add_documents(&captures).await.unwrap();
    let [one, two] = [stored[0].id, stored[1].id];
    let address = |n: u32| format!("https://a.example/{n}?q=\"ä\"");
    for (source, addresses) in [("gdelt", vec![address(1), address(1), address(2)]), ("feeds", vec![address(2)])] {
        store.source_answered(source, backend.now(), &addresses).await.unwrap();
    }
    for (address, document) in [(address(1), one), (address(2), two), (address(2), two), (address(3), two)] {
        store.address_led_to(&address, &[document]).await.unwrap();
    }
    for (document, claims) in [(one, 3), (two, 4), (two, 1)] {
        store.documents_yielded(&[(document, claims)]).await.unwrap();
    }
    let credit = |record: SourceRecord| (record.documents, record.claims);
    assert_eq!(credit(record(backend, "gdelt").await), (2, 8));
    assert_eq!(credit(record(backend, "feeds").await), (1, 5));
    store.remove_collection(collection).await.unwrap();
    assert_eq!(credit(record(backend, "gdelt").await), (0, 0));
}

pub async fn a_feed_is_added_once_and_removed(backend: &TestBackend) {
    let store = &backend.store;
    let feed = |n: u32| FeedEntry {
        title: format!("Feed {n}"),
        address: format!("https://{n}.example/rss"),
        group: FeedGroup::ALL[n as usize % 4],
        region: "africa".into(),
        language: "en".into(),
    };
    assert_eq!(store.add_feeds(&[feed(1), feed(2)], &entry(backend, "add")).await.unwrap(), 2);
    assert_eq!(store.add_feeds(&[feed(2), feed(3)], &entry(backend, "add")).await.unwrap(), 1);
    assert_eq!(store.add_feeds(&[feed(3)], &entry(backend, "add")).await.unwrap(), 0);
    assert_eq!(store.feeds().await.unwrap(), [feed(1), feed(2), feed(3)]);
    assert!(store.remove_feed(&feed(2).address, &entry(backend, "remove")).await.unwrap());
    assert!(!store.remove_feed(&feed(2).address, &entry(backend, "remove")).await.unwrap());
    assert_eq!(store.feeds().await.unwrap(), [feed(1), feed(3)]);
    assert_eq!(store.audit_log(10).await.unwrap().len(), 3);
}
