//! Suite of web provenance and of the addresses that sessions may open.

use super::prelude::*;
use domain::fetch::{Hop, PageFinding, PageState, RetrievalMethod, WebCapture};
use engine::{
    fetch::{Captures, Provenance},
    library::Documents,
    sessions::Sessions,
};

fn web_capture(backend: &TestBackend, document_id: DocumentId) -> WebCapture {
    WebCapture {
        document_id,
        url: "https://example.org/a".into(),
        final_url: "https://example.org/b".into(),
        canonical_url: None,
        status: 200,
        hops: vec![Hop { url: "https://example.org/a".into(), status: 301 }],
        headers: BTreeMap::from([("etag".into(), "\"é\"".into())]),
        reached: RetrievalMethod::Fetched,
        fetched_at: backend.now(),
    }
}

pub async fn the_latest_capture_is_visible_to_the_readers_of_its_document(backend: &TestBackend) {
    let store = &backend.store;
    let (_, collection) = backend.person("ada").await;
    let (_, other) = backend.person("bob").await;
    let (stored, _) = store.add_documents(&[capture(collection, "https://example.org/b", "words")]).await.unwrap();
    let first = web_capture(backend, stored[0].id);
    assert!(store.has_files(&Scope::from(collection)).await.unwrap());
    store.record_captures(from_ref(&first)).await.unwrap();
    assert!(!store.has_files(&Scope::from(collection)).await.unwrap(), "it is from the web");
    assert!(!store.has_files(&Scope::default()).await.unwrap());
    let last = WebCapture {
        canonical_url: Some("https://example.org/".into()),
        status: 203,
        hops: vec![],
        reached: RetrievalMethod::Walked,
        ..first
    };
    store.record_captures(from_ref(&last)).await.unwrap();
    assert_eq!(store.provenance(&Scope::from(collection), stored[0].id).await.unwrap().capture, Some(last));
    assert_eq!(store.provenance(&Scope::from(other), stored[0].id).await.unwrap(), Provenance::default());
    store.remove_collection(collection).await.unwrap();
    assert_eq!(store.provenance(&Scope::from(collection), stored[0].id).await.unwrap(), Provenance::default());
}

pub async fn an_address_is_open_to_its_session_by_the_shortest_way(backend: &TestBackend) {
    let store = &backend.store;
    let investigation = backend.any_investigation().await;
    let (one, other) = (backend.session(investigation, None), backend.session(investigation, None));
    for session in [&one, &other] {
        store.start(session, "{}").await.unwrap();
    }
    let address = "https://example.org/?q=\"ä\"&x='1'".to_owned();
    for (steps, known) in [(2, 2), (1, 1), (3, 1)] {
        store.allow(one.id, &[address.clone(), address.clone(), "https://b.example/".into()], steps).await.unwrap();
        assert_eq!(store.allowed(one.id, &address).await.unwrap(), Some(known));
    }
    assert_eq!(store.allowed(other.id, &address).await.unwrap(), None);
    assert_eq!(store.allowed(one.id, "https://example.org/").await.unwrap(), None);
    store.allow(one.id, &[], 1).await.unwrap();

    let other = backend.any_investigation().await;
    for _ in 0..2 {
        store.add_listed(investigation, &[address.clone(), address.clone()]).await.unwrap();
    }
    store.add_listed(investigation, &[]).await.unwrap();
    assert!(store.is_listed(investigation, &address).await.unwrap());
    assert!(!store.is_listed(investigation, "https://example.org/").await.unwrap(), "as it stands");
    assert!(!store.is_listed(other, &address).await.unwrap());
}

pub async fn a_cited_page_is_due_after_its_last_check_and_readers_see_the_finding(backend: &TestBackend) {
    let store = &backend.store;
    let (_, collection) = backend.person("ada").await;
    let (_, other) = backend.person("bob").await;
    let captures = [capture(collection, "https://example.org/b", "words"), capture(collection, "of-a-file.txt", "others")];
    let (stored, _) = store.add_documents(&captures).await.unwrap();
    let (page, file) = (&stored[0], &stored[1]);
    let rendered = WebCapture { reached: RetrievalMethod::Rendered, ..web_capture(backend, page.id) };
    store.record_captures(from_ref(&rendered)).await.unwrap();
    for _ in 0..2 {
        store.watch(&[page.id, file.id]).await.unwrap();
    }
    let later = backend.now().plus_ms(1);
    let due = store.due_pages(later, 10).await.unwrap();
    assert_eq!(
        due.iter().map(|due| (due.document.id, due.url.as_str(), due.reached)).collect::<Vec<_>>(),
        [(page.id, "https://example.org/a", RetrievalMethod::Rendered)]
    );
    assert_eq!(store.due_pages(backend.now(), 10).await.unwrap(), []);
    assert_eq!(store.due_pages(later, 0).await.unwrap(), []);

    let finding =
        PageFinding { document_id: page.id, state: PageState::Gone, note: "There is no such page.".into(), at: later };
    store.record_check(page.id, later, Some(&finding)).await.unwrap();
    assert_eq!(store.due_pages(later, 10).await.unwrap(), []);
    let (own, foreign) = (Scope::from(collection), Scope::from(other));
    assert_eq!(store.findings(&own, &[page.id, file.id]).await.unwrap(), [finding]);
    assert_eq!(store.findings(&foreign, &[page.id]).await.unwrap(), []);
    store.record_check(page.id, later, None).await.unwrap();
    assert_eq!(store.findings(&own, &[page.id]).await.unwrap(), []);
}
