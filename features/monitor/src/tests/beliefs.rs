//! Changes of belief as products, on SQLite.

use super::{
    SCHEMAS, interest,
    matching::{embedding_web, round},
    store,
};
use crate::{beliefs::moved_answers, for_you::load_items};
use domain::{
    ClaimId, CollectionId, CollectionKind, DocumentId, Timestamp, UserId,
    assessment::{Citation, Hypothesis},
    claim::{Attribution, Span},
    event::EventKind,
};
use engine::{
    accounts::Accounts,
    assessments::{Assessments, StoredAssessment, compare},
    events::Events,
};
use testkit::{TestBackend, id, stored_assessment};

fn hypothesis(id: &str, statement: &str, probability: f64, supporting: Vec<u32>) -> Hypothesis {
    Hypothesis {
        id: id.into(),
        question: None,
        statement: statement.into(),
        is_none: false,
        position: None,
        probability: Some(probability),
        reasoning: String::new(),
        supporting,
        against: vec![],
        weaknesses: String::new(),
    }
}

/// A version of a question with the likelihood of its first answer, not stored yet.
async fn version(backend: &TestBackend, owner: UserId, collection: CollectionId, likelihood: f64) -> StoredAssessment {
    let investigation = backend.investigation(owner, collection).await;
    let mut stored = stored_assessment(backend, investigation, &[collection], "The lock may open.");
    stored.assessment.body.hypotheses = vec![
        hypothesis("H1", "The northern gate opens in spring.", likelihood, vec![]),
        hypothesis("H2", "Repairs last until autumn.", 1.0 - likelihood, vec![]),
    ];
    stored
}

fn citation(quote: &str) -> Citation {
    Citation {
        marker: 1,
        claim_id: ClaimId(id()),
        content: None,
        speaker: None,
        speaker_entity: None,
        document_id: DocumentId(id()),
        document_sha256: "9f".repeat(32),
        text_sha256: "3c".repeat(32),
        document_title: "Cover withdrawn".into(),
        document_path: "cover.txt".into(),
        origin: None,
        quote: quote.into(),
        span: Span { start: 0, end: quote.len() as u64 },
        outlet: Some("Harbour Post".into()),
        published_at: None,
        attribution: Attribution::Secondhand,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_belief_is_matched_with_its_reason_for_those_who_read_both_versions() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let web = embedding_web(&backend);
    let (ada, bob) = (backend.user("ada").await, backend.user("bob").await);
    for user in [ada, bob] {
        assert!(store(&backend).add_interest(&interest(&backend, user, "Who controls the lock"), 9).await.unwrap());
    }
    round(&web, &backend).await;
    let own = backend.collection(ada, CollectionKind::Private).await;
    let shared = backend.collection(ada, CollectionKind::Shared).await;
    let earlier = version(&backend, ada, own, 0.12).await;
    let mut later = version(&backend, ada, shared, 0.31).await;
    later.assessment.citations = vec![citation("Two insurers returned.")];
    later.assessment.body.hypotheses[0].supporting = vec![1];
    let change = compare(&earlier.assessment, &later.assessment).belief_change();
    assert!(change.is_notable());
    let earlier_id = backend.store.put(&earlier).await.unwrap();
    let assessment_id = backend.store.put(&later).await.unwrap();
    let event = EventKind::BeliefChanged { assessment_id, earlier_id, change };
    backend.store.append(later.assessment.investigation_id, backend.now(), event).await.unwrap();
    round(&web, &backend).await;

    let lines = async |user: UserId| {
        let user = backend.store.user(user).await.unwrap().expect("an account");
        let items = load_items(&web, &user, Timestamp::from_micros(0)).await.unwrap();
        let mut lines: Vec<String> =
            items.into_iter().map(|item| format!("{}: {} {}", item.kind, item.product.title, item.product.summary)).collect();
        lines.sort_unstable();
        lines
    };
    let moved = "Change of belief: Likelihood of “The northern gate opens in spring” 12 → 31\u{a0}% \
                 New evidence for it: Harbour Post says “Two insurers returned”. Who opened it?";
    assert_eq!(lines(ada).await, [moved, "Report: Who opened it? The lock may open."], "the newer report is not listed twice");
    assert_eq!(lines(bob).await, ["Report: Who opened it? The lock may open."], "the earlier version is private");
    let moves = async |user: UserId| {
        let user = backend.store.user(user).await.unwrap().expect("an account");
        let moved = moved_answers(&web, &user, Timestamp::from_micros(0), 1).await.unwrap();
        moved.into_iter().map(|one| format!("{} {}", one.statement, one.shares)).collect::<Vec<_>>()
    };
    assert_eq!(moves(ada).await, ["The northern gate opens in spring. 12 → 31\u{a0}%"]);
    assert!(moves(bob).await.is_empty(), "the earlier version is private");

    backend.clock.forward_ms(1_000);
    let same = version(&backend, ada, shared, 0.31).await;
    let change = compare(&later.assessment, &same.assessment).belief_change();
    let same_id = backend.store.put(&same).await.unwrap();
    let event = EventKind::BeliefChanged { assessment_id: same_id, earlier_id: assessment_id, change };
    backend.store.append(same.assessment.investigation_id, backend.now(), event).await.unwrap();
    assert_eq!(moves(ada).await.len(), 1, "a version that moved nothing takes no place");
    backend.close().await;
}
