//! Isolation of tenants in the store: texts, and the order of what is found.

use super::{backends::as_text, prelude::*};
use domain::QueryText;
use engine::{
    assessments::{AssessmentOrder, Assessments},
    library::{DocumentOrder, Documents},
};

pub async fn documents_of_others_change_no_stored_text(backend: &TestBackend) {
    let store = &backend.store;
    let (_, hers) = backend.person("ada").await;
    let (_, his) = backend.person("bob").await;
    // The same bytes by the same extractor: a mail states another charset.
    let leak = capture(hers, "leak.txt", "caf\u{e9}");
    let mail = as_text(capture(his, "mail.eml", "caf\u{e9}"), "\u{446}\u{430}\u{444}");
    let (first, _) = store.add_documents(from_ref(&leak)).await.unwrap();
    let (second, new) = store.add_documents(from_ref(&mail)).await.unwrap();
    assert_eq!(new, 1, "nobody learns that the bytes were there, and nobody keeps them out");
    for (home, stored, capture) in [(hers, &first, &leak), (his, &second, &mail)] {
        let text = store.texts(&Scope::from(home), &[stored[0].id]).await.unwrap().remove(0);
        assert_eq!((text.text, text.document.id), (capture.text.clone(), capture.document.id));
        let query = DocumentQuery { text: Some(QueryText::from(capture.text.as_str())), limit: 9, ..DocumentQuery::default() };
        assert_eq!(store.list(&Scope::from(home), &query).await.unwrap().documents.len(), 1, "found by its own words");
    }
    store.remove_documents(&[first[0].id], &entry(backend, "remove")).await.unwrap();
    assert_eq!(store.texts(&Scope::from(his), &[second[0].id]).await.unwrap()[0].text, mail.text);
    assert_eq!(store.bytes(&Scope::from(his), second[0].id).await.unwrap().unwrap(), mail.bytes);
    let (again, _) = store.add_documents(&[as_text(capture(hers, "again.txt", "caf\u{e9}"), "third")]).await.unwrap();
    assert_eq!(store.texts(&Scope::from(hers), &[again[0].id]).await.unwrap()[0].text, "third");
}

/// Texts in which two words stand in turns the more often.
const RANKED: [&str; 3] = ["zirkon zirkon fieber", "zirkon fieber fieber", "zirkon fieber"];

pub async fn documents_of_others_change_no_document_ranking(backend: &TestBackend) {
    let store = &backend.store;
    let (_, hers) = backend.person("ada").await;
    let (_, his) = backend.person("bob").await;
    for (n, text) in RANKED.iter().enumerate() {
        store.add_documents(&[capture(his, &format!("{n}"), text)]).await.unwrap();
    }
    let order = async || {
        let text = Some(QueryText::from("zirkon fieber"));
        let query = DocumentQuery { text, order: DocumentOrder::Relevance, limit: 9, ..DocumentQuery::default() };
        let found = store.list(&Scope::from(his), &query).await.unwrap().documents;
        found.into_iter().map(|document| document.path).collect::<Vec<_>>()
    };
    let before = order().await;
    assert_eq!((before.len(), before[2].as_str()), (3, "2"), "more mentions come first");
    for word in ["zirkon", "fieber"] {
        for n in 0..8 {
            let text = format!("{word} {}", "and more ".repeat(n * 40));
            store.add_documents(&[capture(hers, &format!("{word} {n}"), &text)]).await.unwrap();
            assert_eq!(order().await, before, "{word} {n}");
        }
    }
}

pub async fn questions_of_others_change_no_assessment_ranking(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, hers) = backend.person("ada").await;
    let (bob, his) = backend.person("bob").await;
    let put = async |owner, home: CollectionId, text: &str| {
        let stored = stored_assessment(backend, backend.investigation(owner, home).await, &[home], text);
        store.put(&stored).await.unwrap();
        backend.clock.forward_ms(1);
    };
    for text in RANKED {
        put(bob, his, text).await;
    }
    let order = async || {
        let scope = Scope::from(his);
        let text = Some(QueryText::from("zirkon fieber"));
        let query = AssessmentQuery { text, order: AssessmentOrder::Relevance, limit: 9, ..AssessmentQuery::default() };
        let listed = store.latest(&scope, &query).await.unwrap().assessments.into_iter().map(|found| found.summary.id);
        let listed: Vec<AssessmentId> = listed.collect();
        let found = store.search(&scope, &QueryText::from("zirkon fieber"), 9).await.unwrap();
        (listed, found.into_iter().map(|found| found.assessment.id).collect::<Vec<AssessmentId>>())
    };
    let before = order().await;
    assert_eq!((before.0.len(), before.1.len()), (3, 3));
    for word in ["zirkon", "fieber"] {
        for n in 0..5 {
            put(ada, hers, &format!("{word} {n}")).await;
            assert_eq!(order().await, before, "{word} {n}");
        }
    }
}
