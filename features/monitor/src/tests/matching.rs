//! Matching on SQLite, with an embedder by words.

use super::{SCHEMAS, interest, report, store};
use crate::{
    dates::DAY_MS,
    interest::{Feedback, InterestDraft, tests::draft},
    interests::{answer_match, preview, propose},
    matching::{embedding_failed_at, run_round},
    score::TermKind,
};
use async_trait::async_trait;
use domain::{
    CollectionKind, Timestamp, UserId,
    assessment::{Indicator, Resolution},
};
use engine::{
    Engine, Parts,
    accounts::Accounts,
    assessments::Assessments,
    embeddings::{EmbedError, Embedder},
};
use feature::{ProposedInterest, Web, testing::TestSite};
use std::sync::Arc;
use testkit::{TestBackend, stored_assessment};

/// Embedder of two dimensions: texts on locks, and all others.
struct LockEmbedder;

#[async_trait]
impl Embedder for LockEmbedder {
    fn model(&self) -> &str {
        "locks"
    }

    fn dimensions(&self) -> usize {
        2
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let vector = |text: &String| match text.to_lowercase().contains("lock") {
            true => vec![1.0, 0.0],
            false => vec![0.0, 1.0],
        };
        Ok(texts.iter().map(vector).collect())
    }
}

/// Embedder that fails.
struct FailingEmbedder;

#[async_trait]
impl Embedder for FailingEmbedder {
    fn model(&self) -> &str {
        "locks"
    }

    fn dimensions(&self) -> usize {
        2
    }

    async fn embed(&self, _: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Err(EmbedError("out of memory".into()))
    }
}

async fn backend() -> TestBackend {
    testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server")
}

/// State of the handlers with an embedder.
pub fn embedding_web(backend: &TestBackend) -> Web {
    web_with(backend, Arc::new(LockEmbedder))
}

fn web_with(backend: &TestBackend, embedder: Arc<dyn Embedder>) -> Web {
    // Few at once, so that there are several batches.
    let settings = serde_json::json!({"interests_per_step": 2});
    let mut web = TestSite::with_settings(crate::feature(), backend, settings).web;
    let mut parts: Parts = (*web.engine).clone();
    parts.embedder = Some(embedder);
    web.engine = Engine::new(parts);
    web
}

async fn matched(web: &Web, backend: &TestBackend, user: UserId) -> Vec<String> {
    let found = store(backend).matches(user, web.engine.clock.now(), Timestamp::from_micros(0), 9).await.unwrap();
    found.into_iter().map(|one| one.sentence).collect()
}

/// Lets a minute pass and runs a round.
pub async fn round(web: &Web, backend: &TestBackend) {
    backend.clock.forward_ms(60_000);
    run_round(web).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_reports_match_the_interests_of_their_readers_alone() {
    let backend = backend().await;
    let web = embedding_web(&backend);
    let (ada, bob) = (backend.user("ada").await, backend.user("bob").await);
    let store = store(&backend);
    for user in [ada, bob] {
        for sentence in ["Who controls the lock", "Wages of dockers"] {
            assert!(store.add_interest(&interest(&backend, user, sentence), 9).await.unwrap());
        }
    }
    round(&web, &backend).await;
    assert!(matched(&web, &backend, ada).await.is_empty());

    let collection = backend.collection(ada, CollectionKind::Private).await;
    let investigation = backend.investigation(ada, collection).await;
    let stored = stored_assessment(&backend, investigation, &[collection], "Guards of the lock closed it.");
    backend.store.put(&stored).await.unwrap();
    round(&web, &backend).await;
    assert_eq!(matched(&web, &backend, ada).await, ["Who controls the lock"]);
    assert!(matched(&web, &backend, bob).await.is_empty(), "the report is private");
    round(&web, &backend).await;
    let found = store.matches(ada, backend.now(), Timestamp::from_micros(0), 9).await.unwrap();
    assert_eq!(found.len(), 1, "a pair matches once");

    let user = backend.store.user(ada).await.unwrap().expect("an account");
    let before = store.interest(ada, found[0].interest).await.unwrap().unwrap();
    assert!(answer_match(&web, &user, found[0].id, Feedback::Less).await.unwrap());
    let after = store.interest(ada, found[0].interest).await.unwrap().unwrap();
    assert_eq!(after.draft.threshold, before.draft.threshold + 5);
    assert!(after.tuned.starts_with("Less: threshold 35 to 40"), "{}", after.tuned);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_match_while_the_embedder_fails_and_the_time_is_kept() {
    let backend = backend().await;
    let web = web_with(&backend, Arc::new(FailingEmbedder));
    let (ada, collection) = backend.person("ada").await;
    assert!(store(&backend).add_interest(&interest(&backend, ada, "Who controls the lock"), 9).await.unwrap());
    round(&web, &backend).await;
    let investigation = backend.investigation(ada, collection).await;
    let stored = stored_assessment(&backend, investigation, &[collection], "Guards of the lock closed it.");
    backend.store.put(&stored).await.unwrap();
    round(&web, &backend).await;
    let found = store(&backend).matches(ada, backend.now(), Timestamp::from_micros(0), 9).await.unwrap();
    assert_eq!(found.len(), 1);
    assert!(found[0].terms.iter().all(|term| term.kind != TermKind::Likeness));
    assert_eq!(embedding_failed_at(&web).await.unwrap(), Some(backend.now()));
    backend.clock.forward_ms(DAY_MS);
    assert_eq!(embedding_failed_at(&web).await.unwrap(), None);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interest_that_is_changed_or_removed_is_no_longer_matched_as_before() {
    let backend = backend().await;
    let web = embedding_web(&backend);
    let (ada, _) = report(&backend, "ada").await;
    let store = store(&backend);
    let mut kept = interest(&backend, ada, "Who controls the lock");
    let gone = interest(&backend, ada, "The lock and its guards");
    for one in [&kept, &gone] {
        assert!(store.add_interest(one, 9).await.unwrap());
    }
    round(&web, &backend).await;
    kept.draft = draft("Wages of dockers");
    kept.changed_at = backend.now();
    assert!(store.update_interest(&kept).await.unwrap() && store.remove_interest(ada, gone.id).await.unwrap());
    let collection = backend.collection(ada, CollectionKind::Private).await;
    let investigation = backend.investigation(ada, collection).await;
    backend.store.put(&stored_assessment(&backend, investigation, &[collection], "The lock is open.")).await.unwrap();
    round(&web, &backend).await;
    assert!(matched(&web, &backend, ada).await.is_empty());
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preview_shows_what_its_person_reads_and_a_proposal_waits_for_an_answer() {
    let backend = backend().await;
    let web = embedding_web(&backend);
    let (ada, _) = report(&backend, "ada").await;
    let bob = backend.user("bob").await;
    let user = async |id: UserId| backend.store.user(id).await.unwrap().expect("an account");
    let (ada, bob) = (user(ada).await, user(bob).await);
    let lock = draft("Who controls the lock");
    let found = preview(&web, &ada, &lock).await.unwrap();
    assert_eq!((found.products, found.matches.len()), (1, 1));
    assert_eq!(found.matches[0].product.summary, "The lock is closed.");
    assert_eq!(preview(&web, &bob, &lock).await.unwrap().products, 0);
    let tensions = InterestDraft { kinds: vec!["tension".into()], ..lock };
    assert_eq!(preview(&web, &ada, &tensions).await.unwrap().products, 0);

    let proposal =
        ProposedInterest { sentence: "Who controls the lock".into(), reason: "You said so.".into(), ..Default::default() };
    let kept = propose(web.clone(), ada.clone(), vec![proposal, ProposedInterest::default()]).await.unwrap();
    assert_eq!(kept, 1, "one without words is left out");
    assert_eq!(store(&backend).index_state().await.unwrap().active, 0, "a proposal matches nothing");
    let accepted = |sentence: &str| ProposedInterest { sentence: sentence.into(), is_accepted: true, ..Default::default() };
    let brought = vec![accepted("Who controls the lock"), accepted("Grain transit"), accepted("Grain  transit")];
    assert_eq!(propose(web.clone(), ada.clone(), brought).await.unwrap(), 1, "a sentence is kept once");
    assert_eq!(store(&backend).index_state().await.unwrap().active, 1);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_of_a_report_is_asked_about_its_days() {
    let backend = backend().await;
    let web = embedding_web(&backend);
    let (ada, collection) = backend.person("ada").await;
    let investigation = backend.investigation(ada, collection).await;
    let mut stored = stored_assessment(&backend, investigation, &[collection], "Not known.");
    let day = backend.now().plus_ms(DAY_MS).to_datetime().format("%Y-%m-%d").to_string();
    stored.assessment.body.indicators.push(Indicator {
        id: "I1".into(),
        text: "The court decides.".into(),
        probability: None,
        hypotheses: vec![],
        judgements: vec![],
        direction: None,
        effects: vec![],
        resolution: Resolution { question: None, criteria: None, by: Some(day.clone()), no_date_because: None },
    });
    stored.assessment.body.gaps[0].how_to_close = Some(format!("Ask on {day}."));
    backend.store.put(&stored).await.unwrap();
    round(&web, &backend).await;
    let open = async || store(&backend).open_items(ada, backend.now(), 9).await.unwrap();
    assert!(open().await.is_empty(), "the day is not over");
    backend.clock.forward_ms(3 * DAY_MS);
    round(&web, &backend).await;
    let items: Vec<String> = open().await.into_iter().map(|item| item.item).collect();
    assert_eq!(items, ["G1", "I1"]);
    backend.close().await;
}
