//! Documents, blobs and texts.

use super::backends::{TestBackend, as_text, capture, id, sha256};
use domain::{
    CollectionKind, DocumentId, InvestigationId, Precision, PublicationDate, PublishedBasis, Scope, Timestamp,
    document::{Credits, Document, DocumentDetails, RejectedFile},
    fetch::Table,
    investigation::Period,
};
use engine::{
    StoreError,
    accounts::{Accounts, AuditEntry},
    fetch::Captures,
    graph::resolve::Cascade,
    library::{Capture, CreditedDocument, DocumentOrder, DocumentQuery, Documents, RejectedQuery},
};
use std::slice::from_ref;

async fn paths(backend: &TestBackend, scope: &Scope, text: Option<&str>) -> Vec<String> {
    let query = DocumentQuery { text: text.map(Into::into), limit: 100, ..DocumentQuery::default() };
    let page = backend.store.list(scope, &query).await.unwrap();
    assert_eq!(page.total, page.documents.len() as u64);
    page.documents.into_iter().map(|document| document.path).collect()
}

pub async fn adding_again_gives_the_stored_documents(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let mut dated = capture(collection, "a.txt", "one");
    let value = Timestamp::parse("2031-03-14").unwrap();
    dated.document.published = Some(PublicationDate { value, precision: Precision::Day, basis: PublishedBasis::Stated });
    let batch = [dated.clone(), capture(collection, "b.txt", "two"), capture(collection, "a.txt", "one")];
    let (stored, new) = backend.store.add_documents(&batch).await.unwrap();
    assert_eq!(new, 2);
    assert_eq!(stored[0], dated.document);
    assert_eq!(stored[2].id, stored[0].id);
    let (again, new) = backend.store.add_documents(&[capture(collection, "b.txt", "two")]).await.unwrap();
    assert_eq!((again[0].id, new), (stored[1].id, 0));
    // The same path with other bytes is another capture.
    let (_, new) = backend.store.add_documents(&[capture(collection, "b.txt", "three")]).await.unwrap();
    assert_eq!(new, 1);
    assert_eq!(backend.store.add_documents(&[]).await.unwrap(), (vec![], 0));
}

pub async fn bytes_and_texts_are_kept_once(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let batch = [capture(collection, "a.txt", "same"), capture(collection, "b.txt", "same")];
    let (stored, new) = backend.store.add_documents(&batch).await.unwrap();
    assert_eq!(new, 2);
    let found = backend.store.with_relatives(&scope, stored[1].id).await.unwrap().unwrap();
    let same = &found.text;
    assert_eq!((same.text.as_str(), &same.document, &found.relatives[..]), ("same", &stored[1], &stored[..1]));
    assert_eq!(backend.store.with_relatives(&scope, DocumentId(id())).await.unwrap(), None);
    for document in stored {
        assert_eq!(backend.store.bytes(&scope, document.id).await.unwrap().unwrap(), "same");
    }
    // Another text of the same bytes stands beside the first, into which citations point.
    let (other, new) = backend.store.add_documents(&[as_text(capture(collection, "c.txt", "same"), "other")]).await.unwrap();
    assert_eq!(new, 1);
    let texts = backend.store.texts(&scope, &[other[0].id, found.text.document.id]).await.unwrap();
    assert_eq!(texts.iter().map(|text| text.text.as_str()).collect::<Vec<_>>(), ["other", "same"]);
}

pub async fn a_wrong_hash_refuses_the_whole_batch(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let spoil: [fn(&mut Capture); 4] = [
        |capture| capture.document.sha256 = sha256(b"x"),
        |capture| capture.document.text_bytes += 1,
        |capture| capture.text.push('!'),
        |capture| *capture = super::backends::capture(capture.document.collection_id, "nul.txt", "a\0b"),
    ];
    for spoil in spoil {
        let mut bad = capture(collection, "bad.txt", "bad");
        spoil(&mut bad);
        let refused = backend.store.add_documents(&[capture(collection, "good.txt", "good"), bad]).await;
        assert!(matches!(refused, Err(StoreError::Invalid(_))), "{refused:?}");
    }
    assert!(paths(backend, &Scope::from(collection), None).await.is_empty());
}

pub async fn texts_come_in_the_order_asked_for(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let batch: Vec<Capture> = (0..5).map(|n| capture(collection, &format!("{n}.txt"), &format!("text {n}"))).collect();
    let (stored, _) = backend.store.add_documents(&batch).await.unwrap();
    let ids = [stored[3].id, domain::DocumentId(id()), stored[0].id, stored[3].id];
    let texts = backend.store.texts(&scope, &ids).await.unwrap();
    assert_eq!(texts.iter().map(|text| text.text.as_str()).collect::<Vec<_>>(), ["text 3", "text 0", "text 3"]);
    let documents = backend.store.documents(&scope, &ids).await.unwrap();
    assert_eq!(documents, [stored[3].clone(), stored[0].clone(), stored[3].clone()]);
}

pub async fn two_people_see_nothing_of_each_others_documents(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, hers) = backend.person("ada").await;
    let (bob, his) = backend.person("bob").await;
    let batch = [capture(hers, "ada.txt", "one text"), capture(his, "bob.txt", "one text")];
    let (stored, _) = store.add_documents(&batch).await.unwrap();
    store.add_rejected(his, None, &[RejectedFile { path: "x".into(), reason: "empty".into() }]).await.unwrap();
    let (hers, his) = (store.scope_of(ada).await.unwrap(), store.scope_of(bob).await.unwrap());
    for (scope, own, foreign) in [(&hers, &stored[0], &stored[1]), (&his, &stored[1], &stored[0])] {
        let ids = [own.id, foreign.id];
        assert_eq!(store.document(scope, own.id).await.unwrap().as_ref(), Some(own));
        assert_eq!(store.document(scope, foreign.id).await.unwrap(), None);
        assert_eq!(store.documents(scope, &ids).await.unwrap(), from_ref(own));
        assert_eq!(store.texts(scope, &ids).await.unwrap().len(), 1);
        assert_eq!(store.bytes(scope, foreign.id).await.unwrap(), None);
        assert!(store.with_relatives(scope, own.id).await.unwrap().unwrap().relatives.is_empty());
        assert_eq!(store.with_relatives(scope, foreign.id).await.unwrap(), None);
        assert_eq!(paths(backend, scope, None).await, from_ref(&own.path));
        assert_eq!(paths(backend, scope, Some("text")).await, from_ref(&own.path));
    }
    assert!(rejected(backend, &hers, None).await.is_empty());
    assert_eq!(rejected(backend, &his, None).await.len(), 1);
    assert!(paths(backend, &Scope::default(), None).await.is_empty());
}

pub async fn pages_are_in_the_stable_order_and_say_how_many_match(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let mut batch: Vec<Capture> =
        (0..9).map(|n| capture(collection, &format!("{n}.txt"), &format!("text {}", n / 2))).collect();
    batch.reverse();
    backend.store.add_documents(&batch).await.unwrap();
    let mut expected: Vec<&Document> = batch.iter().map(|capture| &capture.document).collect();
    expected.sort_by_key(|document| (document.text_sha256.clone(), document.path.clone()));
    let mut seen = vec![];
    for offset in [0, 4, 8] {
        let query = DocumentQuery { offset, limit: 4, ..DocumentQuery::default() };
        let page = backend.store.list(&scope, &query).await.unwrap();
        assert_eq!(page.total, 9);
        seen.extend(page.documents);
    }
    assert_eq!(seen.iter().collect::<Vec<_>>(), expected);
}

pub async fn later_documents_shift_no_page(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let add = async |from: u32, to: u32| {
        let batch: Vec<Capture> =
            (from..to).map(|n| capture(collection, &format!("{n:03}.txt"), &format!("report {n}"))).collect();
        backend.store.add_documents(&batch).await.unwrap();
    };
    let page = async |as_of, offset, text: Option<&str>| {
        let text = text.map(Into::into);
        backend.store.list(&scope, &DocumentQuery { text, as_of, offset, limit: 10, ..DocumentQuery::default() }).await.unwrap()
    };
    add(0, 20).await;
    let before = page(None, 0, None).await;
    add(20, 60).await;
    assert_eq!(page(Some(before.as_of), 0, None).await, before);
    let mut all = before.documents;
    all.extend(page(Some(before.as_of), 10, None).await.documents);
    let mut paths: Vec<String> = all.into_iter().map(|document| document.path).collect();
    paths.sort();
    assert_eq!(paths, (0..20).map(|n| format!("{n:03}.txt")).collect::<Vec<_>>(), "each once, and none of the new ones");
    assert_eq!(page(Some(before.as_of), 0, Some("report")).await.total, 20);
    let now = page(None, 0, None).await;
    assert!(now.total == 60 && now.as_of > before.as_of);
}

pub async fn newest_first_puts_undated_last(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let dated = |path: &str, date: Option<&str>| {
        let mut capture = capture(collection, path, path);
        capture.document.published = date.map(|date| PublicationDate {
            value: Timestamp::parse(date).unwrap(),
            precision: Precision::Minute,
            basis: PublishedBasis::Metadata,
        });
        capture
    };
    let batch = [dated("undated", None), dated("old", Some("2030-01-01")), dated("new", Some("2031-01-01"))];
    backend.store.add_documents(&batch).await.unwrap();
    let query = DocumentQuery { order: DocumentOrder::Newest, limit: 10, ..DocumentQuery::default() };
    let page = backend.store.list(&Scope::from(collection), &query).await.unwrap();
    assert_eq!(page.documents.iter().map(|document| document.path.as_str()).collect::<Vec<_>>(), ["new", "old", "undated"]);
}

pub async fn relevance_lists_the_best_match_first(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let filler = "The harbour was quiet and the town slept. ".repeat(20);
    let batch = [
        capture(collection, "once", &format!("{filler} A lock was seen.")),
        capture(collection, "often", "The lock of the lock house: a lock, a lock and a lock."),
        capture(collection, "never", &filler),
    ];
    backend.store.add_documents(&batch).await.unwrap();
    let text = Some("lock".into());
    let query = DocumentQuery { text, order: DocumentOrder::Relevance, limit: 10, ..DocumentQuery::default() };
    let page = backend.store.list(&Scope::from(collection), &query).await.unwrap();
    assert_eq!(page.documents.iter().map(|document| document.path.as_str()).collect::<Vec<_>>(), ["often", "once"]);
    let all = DocumentQuery { order: DocumentOrder::Relevance, limit: 10, ..DocumentQuery::default() };
    assert_eq!(backend.store.list(&Scope::from(collection), &all).await.unwrap().documents.len(), 3);
}

pub async fn full_text_folds_case_and_diacritics_and_takes_any_input(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let batch = [
        capture(collection, "lock.txt", "The Varrow LOCK was opened"),
        capture(collection, "cafe.txt", "O'Neil left the Müller Café"),
        capture(collection, "bridge.txt", "Старый мост"),
    ];
    backend.store.add_documents(&batch).await.unwrap();
    assert_eq!(paths(backend, &scope, Some("varrow lock")).await, ["lock.txt"]);
    assert_eq!(paths(backend, &scope, Some("lock cafe")).await, [""; 0]);
    assert_eq!(paths(backend, &scope, Some("cafe")).await, ["cafe.txt"]);
    for folded in ["CAFÉ muller", "Cafe Müller", "МОСТ"] {
        let expected: &[&str] = if folded == "МОСТ" { &["bridge.txt"] } else { &["cafe.txt"] };
        assert_eq!(paths(backend, &scope, Some(folded)).await, expected, "{folded}");
    }
    for odd in ["o'neil", "\"left\"", "left*", "left\0"] {
        assert_eq!(paths(backend, &scope, Some(odd)).await, ["cafe.txt"], "{odd}");
    }
    for odd in ["", " ", "\"", "NOT", "a OR", "title:lock", "NEAR(", "(", "*", "-", "'", "\\", ":", "&|!"] {
        assert_eq!(paths(backend, &scope, Some(odd)).await, [""; 0], "{odd}");
    }
}

pub async fn a_list_keeps_to_its_period(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let dated = |path: &str, day: Option<&str>| {
        let mut capture = capture(collection, path, path);
        let value = day.map(|day| Timestamp::parse(day).unwrap());
        capture.document.published =
            value.map(|value| PublicationDate { value, precision: Precision::Day, basis: PublishedBasis::Stated });
        capture
    };
    let captures =
        [dated("a", Some("2031-03-04")), dated("b", Some("2031-03-31")), dated("c", Some("2031-04-01")), dated("d", None)];
    backend.store.add_documents(&captures).await.unwrap();
    for (from, until, expected) in [
        ("", "", &["a", "b", "c", "d"][..]),
        ("2031-03-05", "", &["b", "c"]),
        ("", "2031-03", &["a", "b"]),
        ("2031-03-04", "2031-03-04", &["a"]),
        ("2032", "", &[]),
    ] {
        let period = Period::parse(from, until).unwrap();
        for order in [DocumentOrder::Stable, DocumentOrder::Newest, DocumentOrder::Relevance] {
            let query = DocumentQuery { period, limit: 10, order, ..DocumentQuery::default() };
            let page = backend.store.list(&Scope::from(collection), &query).await.unwrap();
            let mut paths: Vec<&str> = page.documents.iter().map(|document| document.path.as_str()).collect();
            paths.sort_unstable();
            assert_eq!((page.total, &paths[..]), (expected.len() as u64, expected), "{from} {until}");
        }
    }
}

pub async fn the_unextracted_filter_leaves_out_extracted_documents(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let (stored, _) = backend.store.add_documents(&[capture(collection, "a.txt", "a")]).await.unwrap();
    let query = DocumentQuery { only_unextracted: true, limit: 10, ..DocumentQuery::default() };
    let page = backend.store.list(&Scope::from(collection), &query).await.unwrap();
    assert_eq!((page.total, page.documents), (1, stored.clone()));
    assert!(backend.store.extracted(&[stored[0].id]).await.unwrap().is_empty());
}

pub async fn a_rejected_file_is_listed_once(backend: &TestBackend) {
    let investigation = backend.any_investigation().await;
    let (_, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let file = |reason: &str| RejectedFile { path: "broken.pdf".into(), reason: reason.into() };
    backend.store.add_rejected(collection, Some(investigation), &[file("first"), file("encrypted")]).await.unwrap();
    backend.store.add_rejected(collection, None, &[file("encrypted")]).await.unwrap();
    assert_eq!(rejected(backend, &scope, None).await, [file("encrypted")]);
    assert_eq!(rejected(backend, &scope, Some(investigation)).await, [file("encrypted")]);
    let other = backend.any_investigation().await;
    assert!(rejected(backend, &scope, Some(other)).await.is_empty());
    let entry = AuditEntry {
        at: backend.now(),
        user: None,
        act: "dismiss_rejected_files".into(),
        object: collection.to_string(),
        address: None,
    };
    assert!(!backend.store.dismiss_rejected(&Scope::default(), &entry).await.unwrap());
    assert_eq!(rejected(backend, &scope, None).await, [file("encrypted")], "of other collections");
    assert!(backend.store.dismiss_rejected(&scope, &entry).await.unwrap());
    assert!(!backend.store.dismiss_rejected(&scope, &entry).await.unwrap());
    let log = backend.store.audit_log(50).await.unwrap();
    assert_eq!(log.iter().filter(|logged| **logged == entry).count(), 1, "{log:?}");
    assert!(rejected(backend, &scope, None).await.is_empty());
    assert_eq!(rejected(backend, &scope, Some(investigation)).await, [file("encrypted")], "its investigation keeps it");
}

async fn rejected(backend: &TestBackend, scope: &Scope, investigation: Option<InvestigationId>) -> Vec<RejectedFile> {
    let query = RejectedQuery { investigation, limit: 100, ..RejectedQuery::default() };
    let (files, all) = backend.store.rejected(scope, &query).await.unwrap();
    assert_eq!(files.len() as u64, all);
    files
}

pub async fn each_investigation_keeps_its_rejected_files(backend: &TestBackend) {
    let (first, second) = (backend.any_investigation().await, backend.any_investigation().await);
    let (_, collection) = backend.person("ada").await;
    let (_, of_bob) = backend.person("bob").await;
    let scope = Scope::from(collection);
    let file = |n: u32, reason: &str| RejectedFile { path: format!("{n:03}.pdf"), reason: reason.into() };
    let many: Vec<RejectedFile> = (0..600).map(|n| file(n, "damaged")).collect();
    backend.store.add_rejected(collection, Some(first), &many).await.unwrap();
    backend.store.add_rejected(collection, Some(second), &[file(7, "encrypted")]).await.unwrap();
    assert_eq!(rejected(backend, &scope, Some(second)).await, [file(7, "encrypted")]);
    assert!(rejected(backend, &Scope::from(of_bob), Some(first)).await.is_empty());
    for (investigation, seventh) in [(Some(first), "damaged"), (None, "encrypted")] {
        let part = |offset| RejectedQuery { investigation, offset, limit: 4 };
        let expected = [file(5, "damaged"), file(6, "damaged"), file(7, seventh), file(8, "damaged")].to_vec();
        assert_eq!(backend.store.rejected(&scope, &part(5)).await.unwrap(), (expected, 600));
        assert_eq!(backend.store.rejected(&scope, &part(600)).await.unwrap(), (vec![], 600));
    }
}

pub async fn removing_a_collection_keeps_shared_documents(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, hers) = backend.person("ada").await;
    let sample = backend.collection(ada, CollectionKind::Sample).await;
    let batch = [capture(sample, "a.txt", "both"), capture(hers, "b.txt", "both"), capture(sample, "c.txt", "sample only")];
    let (stored, _) = store.add_documents(&batch).await.unwrap();
    backend.investigation(ada, sample).await;
    store.remove_collection(sample).await.unwrap();
    let all = Scope::new(vec![hers, sample]);
    assert_eq!(paths(backend, &all, None).await, ["b.txt"]);
    assert_eq!(paths(backend, &all, Some("sample")).await, [""; 0]);
    assert_eq!(store.bytes(&all, stored[1].id).await.unwrap().unwrap(), "both");
    assert_eq!(store.bytes(&all, stored[2].id).await.unwrap(), None);
    assert_eq!(store.collection(sample).await.unwrap(), None);
    // And it can come back.
    let again = backend.collection(ada, CollectionKind::Sample).await;
    assert_eq!(store.add_documents(&[capture(again, "c.txt", "sample only")]).await.unwrap().1, 1);
}

pub async fn removing_documents_keeps_shared_texts(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, hers) = backend.person("ada").await;
    let (_, other) = backend.person("bob").await;
    let batch = [capture(hers, "a.txt", "both"), capture(other, "b.txt", "both"), capture(hers, "c.txt", "hers only")];
    let (stored, _) = store.add_documents(&batch).await.unwrap();
    let all = Scope::new(vec![hers, other]);
    let entry = AuditEntry {
        at: Timestamp::parse("2031-03-15").unwrap(),
        user: Some(ada),
        act: "delete_document".into(),
        object: "two".into(),
        address: None,
    };
    let ids = [stored[0].id, stored[2].id];
    assert_eq!(store.remove_documents(&ids, &entry).await.unwrap(), 2);
    assert_eq!(paths(backend, &all, None).await, ["b.txt"]);
    assert_eq!(paths(backend, &all, Some("hers")).await, [""; 0]);
    assert_eq!(store.bytes(&all, stored[1].id).await.unwrap().unwrap(), "both");
    assert!(store.texts(&all, &ids).await.unwrap().is_empty());
    assert_eq!(store.audit_log(9).await.unwrap().first().unwrap().act, "delete_document");
    // Again it changes nothing and is not noted, and what was removed can come back.
    assert_eq!(store.remove_documents(&ids, &entry).await.unwrap(), 0);
    assert_eq!(store.audit_log(9).await.unwrap().iter().filter(|found| found.act == "delete_document").count(), 1);
    assert_eq!(store.add_documents(&[capture(hers, "c.txt", "hers only")]).await.unwrap().1, 1);
}

pub async fn four_hundred_documents_are_one_call(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let batch: Vec<Capture> = (0..400).map(|n| capture(collection, &format!("{n:03}.txt"), &format!("report {n}"))).collect();
    let (stored, new) = backend.store.add_documents(&batch).await.unwrap();
    assert_eq!(new, 400);
    assert!(stored.iter().zip(&batch).all(|(stored, capture)| *stored == capture.document));
    assert_eq!(backend.store.add_documents(&batch).await.unwrap(), (stored, 0));
    assert_eq!(paths(backend, &Scope::from(collection), Some("report 7")).await, ["007.txt"]);
}

fn credited(document: &Document, agency: Option<&str>, byline: Option<&str>) -> CreditedDocument {
    let credits = Credits { agency: agency.map(str::to_owned), byline: byline.map(str::to_owned) };
    CreditedDocument::new(document, credits, &Cascade::default())
}

pub async fn the_first_credit_of_a_document_is_kept(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let (stored, _) =
        backend.store.add_documents(&[capture(collection, "a.txt", "one"), capture(collection, "b.txt", "two")]).await.unwrap();
    let gone = capture(collection, "c.txt", "three").document;
    let first = [credited(&stored[0], None, Some("Ana Lind")), credited(&gone, Some("AP"), None)];
    backend.store.add_credits(&first).await.unwrap();
    let later = [credited(&stored[0], Some("AP"), Some("Somebody Else")), credited(&stored[1], Some("AP"), None)];
    backend.store.add_credits(&later).await.unwrap();
    backend.store.add_credits(&[credited(&stored[0], Some("Coastal Wire"), None)]).await.unwrap();
    backend.store.add_credits(&[]).await.unwrap();
    let ids = [stored[0].id, stored[1].id];
    let read = backend.store.documents(&scope, &ids).await.unwrap();
    let expected = [(Some("AP"), Some("Ana Lind")), (Some("AP"), None)];
    let credits = |document: &Document| document.credits.clone();
    let seen: Vec<_> = read.iter().map(credits).collect();
    let seen: Vec<_> = seen.iter().map(|credits| (credits.agency.as_deref(), credits.byline.as_deref())).collect();
    assert_eq!(seen, expected);
    // However a document is read.
    assert_eq!(backend.store.document(&scope, ids[0]).await.unwrap().unwrap().credits, read[0].credits);
    assert_eq!(backend.store.texts(&scope, &ids[..1]).await.unwrap()[0].document, read[0]);
    let page = backend.store.list(&scope, &DocumentQuery { limit: 9, ..DocumentQuery::default() }).await.unwrap();
    assert!(page.documents.contains(&read[0]) && page.documents.contains(&read[1]));
    assert_eq!(backend.store.with_relatives(&scope, ids[0]).await.unwrap().unwrap().text.document, read[0]);
    backend.store.remove_collection(collection).await.unwrap();
}

pub async fn archived_documents_are_listed_apart(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let batch = [capture(collection, "a.txt", "one ferry"), capture(collection, "b.txt", "two ferries and one ferry")];
    let (stored, _) = store.add_documents(&batch).await.unwrap();
    let [first, second] = [stored[0].id, stored[1].id];
    let listed = async |is_archived, text: Option<&str>| {
        let query = DocumentQuery { is_archived, text: text.map(Into::into), limit: 9, ..DocumentQuery::default() };
        let page = store.list(&scope, &query).await.unwrap();
        let counted = store.list(&scope, &DocumentQuery { limit: 0, ..query }).await.unwrap();
        assert_eq!((page.total, counted.total), (page.documents.len() as u64, page.total));
        page.documents.into_iter().map(|document| document.path).collect::<Vec<_>>()
    };
    assert_eq!(store.archive_documents(&[first, DocumentId(id())], ada, backend.now()).await.unwrap(), [first]);
    assert_eq!(store.archive_documents(&[first], ada, backend.now()).await.unwrap(), [], "once is enough");
    for text in [None, Some("ferry")] {
        assert_eq!(listed(false, text).await, ["b.txt"]);
        assert_eq!(listed(true, text).await, ["a.txt"]);
    }
    // Its address and those who cite it still find it.
    assert!(store.with_relatives(&scope, first).await.unwrap().unwrap().is_archived);
    assert!(!store.with_relatives(&scope, second).await.unwrap().unwrap().is_archived);
    assert_eq!(store.documents(&scope, &[first]).await.unwrap(), &stored[..1]);
    assert_eq!(store.unarchive_documents(&[first, second]).await.unwrap(), [first]);
    assert_eq!((listed(false, None).await.len(), listed(true, None).await.len()), (2, 0));
    store.archive_documents(&[first], ada, backend.now()).await.unwrap();
    let entry =
        AuditEntry { at: backend.now(), user: Some(ada), act: "delete_document".into(), object: String::new(), address: None };
    assert_eq!(store.remove_documents(&[first], &entry).await.unwrap(), 1, "an archived document can be deleted");
    store.remove_collection(collection).await.unwrap();
}

pub async fn a_document_keeps_its_byline_its_change_and_its_tables(backend: &TestBackend) {
    let store = &backend.store;
    let (_, collection) = backend.person("ada").await;
    let (_, other) = backend.person("bob").await;
    let scope = Scope::from(collection);
    let value = Timestamp::parse("2031-03-15").unwrap();
    let rows = vec![vec!["Port".to_owned(), "Ships".to_owned()], vec!["Halen".to_owned(), "12".to_owned()]];
    let details = DocumentDetails {
        byline: Some("Ana Lind".into()),
        updated: Some(PublicationDate { value, precision: Precision::Day, basis: PublishedBasis::Metadata }),
        tables: vec![Table { caption: Some("Calls in März".into()), rows }],
    };
    let page = Capture { details: details.clone(), ..capture(collection, "https://a.example/", "one") };
    let batch = [page.clone(), capture(collection, "b.txt", "two"), page];
    let (stored, new) = store.add_documents(&batch).await.unwrap();
    assert_eq!(new, 2);
    assert_eq!(store.provenance(&scope, stored[0].id).await.unwrap().details, details);
    assert_eq!(store.provenance(&scope, stored[1].id).await.unwrap().details, DocumentDetails::default());
    assert_eq!(store.provenance(&Scope::from(other), stored[0].id).await.unwrap().details, DocumentDetails::default());
    // Models get the credits of the extraction, not this one.
    assert_eq!(store.document(&scope, stored[0].id).await.unwrap().unwrap().credits, Credits::default());
    // Once more, with nothing to say: what was recorded stays.
    store.add_documents(&[capture(collection, "https://a.example/", "one")]).await.unwrap();
    assert_eq!(store.provenance(&scope, stored[0].id).await.unwrap().details, details);
    store.remove_collection(collection).await.unwrap();
    assert_eq!(store.provenance(&scope, stored[0].id).await.unwrap().details, DocumentDetails::default());
}
