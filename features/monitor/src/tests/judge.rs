//! Decisions on borderline matches, with a scripted model.

use super::{SCHEMAS, interest, match_draft, report, store};
use crate::{judge::judge_waiting, store::MatchDraft};
use domain::{AssessmentId, ObjectId, Timestamp};
use engine::{Engine, Parts};
use feature::testing::TestSite;
use serde_json::json;
use testkit::{ScriptedModel, ScriptedTurn, id};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_borderline_match_is_shown_after_the_model_and_a_hidden_one_costs_no_call() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let (ada, assessment) = report(&backend, "ada").await;
    let (_, hidden) = report(&backend, "bob").await;
    let store = store(&backend);
    let kept = interest(&backend, ada, "Grain transit");
    assert!(store.add_interest(&kept, 9).await.unwrap());
    let waiting = |assessment: AssessmentId| MatchDraft {
        product: ObjectId(assessment.0),
        is_borderline: true,
        ..match_draft(&backend, &kept)
    };
    let third = AssessmentId(id());
    store.add_matches("report", &[waiting(hidden), waiting(assessment), waiting(third)], backend.now()).await.unwrap();

    let model = ScriptedModel::new(vec![ScriptedTurn::text(json!({"is_match": true}).to_string())]);
    let mut web = TestSite::with_settings(crate::feature(), &backend, json!({"judged_per_day": 2})).web;
    let mut parts: Parts = (*web.engine).clone();
    parts.role_models.analyst = model.clone().into();
    web.engine = Engine::new(parts);
    judge_waiting(&web).await.unwrap();
    let requests = model.requests();
    assert_eq!(requests.len(), 1);
    let asked = serde_json::to_string(&requests[0].messages).unwrap();
    assert!(asked.contains("Grain transit") && asked.contains("The lock is closed."), "{asked}");
    let start = Timestamp::from_micros(0);
    let shown = store.matches(ada, backend.now(), start, 9).await.unwrap();
    assert_eq!(shown.iter().map(|one| (one.product.0, one.is_judged)).collect::<Vec<_>>(), [(assessment.0, true)]);
    let left = store.borderline(start, 9, 9).await.unwrap();
    assert_eq!(left.iter().map(|one| one.product.0).collect::<Vec<_>>(), [third.0], "two decisions a day");
    backend.close().await;
}
