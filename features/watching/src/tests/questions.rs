//! Questions as watched objects.

use super::SCHEMAS;
use domain::{
    AssessmentId, CollectionId, InvestigationId, ObjectId, Timestamp, UserId,
    assessment::{AnswerLine, Hypothesis},
    investigation::FollowKind,
    user::User,
};
use engine::{accounts::Accounts, assessments::Assessments, investigations::Investigations};
use feature::{QUESTIONS, SignValue, WatchedObject, WatchedSign, testing::TestSite};
use testkit::{TestBackend, id, stored_assessment};

fn hypothesis((statement, probability): (&str, f64)) -> Hypothesis {
    Hypothesis {
        id: statement.into(),
        question: None,
        statement: statement.into(),
        is_none: false,
        position: None,
        probability: Some(probability),
        reasoning: String::new(),
        supporting: vec![],
        against: vec![],
        weaknesses: String::new(),
    }
}

/// Stores the next version of a question, a millisecond later.
async fn version(
    backend: &TestBackend,
    (owner, collection): (UserId, CollectionId),
    follows: Option<InvestigationId>,
    answers: &[(&str, f64)],
) -> (InvestigationId, AssessmentId, Timestamp) {
    backend.clock.forward_ms(1);
    let investigation = backend.investigation(owner, collection).await;
    if let Some(earlier) = follows {
        backend.store.join_thread(investigation, earlier, FollowKind::Rerun).await.unwrap();
    }
    let mut stored = stored_assessment(backend, investigation, &[collection], "Known.");
    stored.assessment.body.hypotheses = answers.iter().copied().map(hypothesis).collect();
    (investigation, backend.store.put(&stored).await.unwrap(), stored.created_at)
}

async fn sign(site: &TestSite, viewer: &User, object: ObjectId) -> Option<WatchedSign> {
    let found = (QUESTIONS.signs)(site.web.clone(), viewer.clone(), vec![object]).await.unwrap();
    found.into_iter().flat_map(|one| one.signs).next()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watcher_of_a_question_is_notified_of_what_a_version_dropped_and_others_see_nothing() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let site = TestSite::new(crate::feature(), &backend);
    let owner = backend.person("ada").await;
    let ada = backend.store.user(owner.0).await.unwrap().unwrap();
    let bob = backend.store.user(backend.user("bob").await).await.unwrap().unwrap();
    let (guards, front) = ("The guards opened the gate", "The Front planned it");

    let (first, _, first_at) = version(&backend, owner, None, &[(guards, 0.6), (front, 0.4)]).await;
    let object = ObjectId(first.0);
    assert_eq!(sign(&site, &ada, object).await.unwrap().value, SignValue::Latest(first_at));
    let (second, _, second_at) = version(&backend, owner, Some(first), &[(guards, 1.0)]).await;
    let dropped = WatchedSign {
        name: "belief",
        value: SignValue::Latest(second_at),
        text: "A new version: leading answer +40 points, dropped without mention: 1 hypothesis.".into(),
    };
    assert_eq!(sign(&site, &ada, object).await.as_ref(), Some(&dropped));
    let (_, third, _) = version(&backend, owner, Some(second), &[(guards, 1.0)]).await;
    assert_eq!(sign(&site, &ada, object).await.as_ref(), Some(&dropped), "the third version changes no belief");

    let history = site.web.engine.question_history(&ada, first).await.unwrap().unwrap();
    let change = history.versions[1].change.as_ref().unwrap();
    assert_eq!(change.losses.hypotheses[0].statement, front);
    let line = |statement: &str, probabilities| AnswerLine { statement: statement.into(), is_none: false, probabilities };
    let lines = [line(guards, vec![Some(0.6), Some(1.0), Some(1.0)]), line(front, vec![Some(0.4), None, None])];
    assert_eq!((history.first, history.answers.as_slice()), (first, &lines[..]));

    let (other, only, other_at) = version(&backend, owner, None, &[(front, 1.0)]).await;
    let both = vec![ObjectId(other.0), object];
    let found = (QUESTIONS.find)(site.web.clone(), ada.clone(), both.clone()).await.unwrap();
    let watched = |id, version: AssessmentId| {
        let href = format!("/assessments/{version}/history");
        WatchedObject { id, title: "Who opened it?".into(), href }
    };
    assert_eq!(found, [watched(both[0], only), watched(object, third)]);
    let signs = (QUESTIONS.signs)(site.web.clone(), ada, both).await.unwrap();
    assert_eq!((&signs[0].signs[0].value, &signs[1].signs[0]), (&SignValue::Latest(other_at), &dropped));
    assert_eq!((QUESTIONS.find)(site.web.clone(), bob.clone(), vec![object]).await.unwrap(), []);
    assert_eq!(sign(&site, &bob, object).await, None);
    let existing = (QUESTIONS.existing)(site.web.clone(), vec![object, ObjectId(id())]).await.unwrap();
    assert_eq!(existing, [(object, object)]);
    backend.close().await;
}
