//! Tests that replay the sample's recordings through the whole program.

use crate::prelude::*;
use domain::assessment::{Assessment, PartState, sharpest_line};
use engine::{
    accounts,
    assessments::{compare, markdown},
    replay,
};
use futures::StreamExt;
use server::sample;

/// Advice if a recording fails.
const GUIDE: &str = "docs/recordings.md says how to record again";

#[tokio::test(flavor = "multi_thread")]
async fn both_recordings_play_back_and_verify_beside_the_built_in_answer() {
    let app = spawn_app().await;
    let mut played = vec![sample::start(&app.program, &system(&app).await, |_| {}).await.unwrap().0];
    loop {
        ended(&app, played.last().unwrap()).await;
        let Some(next) = sample::next_investigation(&app.program).await.unwrap() else { break };
        played.push(next);
    }
    let [who, harvest, built_in] = &played[..] else { panic!("{played:?}") };
    assert_eq!((who.question.as_str(), built_in.model.as_ref()), (built_in.question.as_str(), None), "one question, twice");
    // Counted by hand from the citations and matrices of both.
    let lines = [
        "7 of 97 citations are from one page of ORRIN WIRE [4], among them 4 of 6 cited for “Maxen Korr, then operations \
         director of Grevald, gave the order”.",
        "9 of 37 citations are from one page of Kestravian Freight Review [3], among them 3 of 5 in the bottom line and all \
         cited for “It opens between the middle of July and the end of September”.",
    ];
    // What the bottom lines say: the guards did it, who paid is open, and no barge passes before the harvest.
    let states: [&[&str]; 2] = [
        &["Who placed the charge: answered, 88\u{a0}%", "Who ordered and paid for it: open, no answer above 40\u{a0}%"],
        &["Forecast: No, 72\u{a0}%"],
    ];
    for ((investigation, line), states) in [who, harvest].into_iter().zip(lines).zip(states) {
        let assessment = assessment(&app, investigation).await;
        assert_eq!(assessment.parts().iter().map(PartState::words).collect::<Vec<_>>(), states);
        let checks = assessment.checks.clone().unwrap();
        assert_eq!((checks.run.len(), checks.findings), (22, vec![]), "{}", assessment.question);
        assert_eq!(sharpest_line(&assessment).as_deref(), Some(line));
        assert!(assessment.producer.is_recorded() && assessment.producer.model.contains("by hand"));
        let text = markdown(&assessment, &[]);
        assert!(text.contains("*Recorded with a language model"), "{text}");
        let engine = &app.program.engine;
        for session in replay::replay(engine, &app.program.agents, investigation.id).await.unwrap() {
            assert_eq!(session.difference, None, "{GUIDE}");
            assert_eq!(session.same_steps, session.steps);
        }
    }
    let asked = assessment(&app, built_in).await;
    assert!(!asked.producer.is_recorded() && asked.body.change.is_none(), "it has nothing to say about the recorded answer");
    assert!(sample::next_investigation(&app.program).await.unwrap().is_none(), "nothing runs twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn three_versions_of_the_recorded_answer_name_the_hypothesis_that_one_drops_silently() {
    let app = spawn_app().await;
    let (who, _) = sample::start(&app.program, &system(&app).await, |_| {}).await.unwrap();
    ended(&app, &who).await;
    let first = assessment(&app, &who).await;
    let mut second = first.clone();
    let place = second.body.hypotheses.iter().rposition(|one| !one.is_none).unwrap();
    let dropped = second.body.hypotheses.remove(place).statement;
    second.body.change = None;
    let third = first.clone();
    let lost = compare(&first, &second);
    assert_eq!(lost.losses.hypotheses.iter().map(|one| &one.statement).collect::<Vec<_>>(), [&dropped]);
    assert!(lost.losses.gaps.is_empty() && lost.losses.citations.is_empty(), "{:?}", lost.losses);
    assert!(lost.sentence().contains("Dropped without mention: the hypothesis “"), "{}", lost.sentence());
    let change = lost.belief_change();
    assert!(change.lost_hypotheses == 1 && change.is_notable(), "{change:?}");
    let back = compare(&second, &third);
    assert!(back.losses.hypotheses.is_empty());
    let new: Vec<_> = back.hypotheses.iter().filter(|one| one.change.earlier.is_none()).map(|one| &one.change.later).collect();
    assert_eq!(new, [&Some(dropped)], "it comes back");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_reports_a_changed_request() {
    let app = spawn_app().await;
    let program = &app.program;
    let cast = program.engine.models_named(Some("replay:varrow-lock/harvest"));
    let (who, _) = sample::start(program, &system(&app).await, |_| {}).await.unwrap();
    let calls = {
        ended(&app, &who).await;
        replay::model_calls(&program.engine, &program.agents, &who).await.unwrap().unwrap()
    };
    let of_another = cast.analyst.first().call(&calls[0].0).await.unwrap_err().to_string();
    assert!(of_another.contains("message 1 has changed") && of_another.contains(GUIDE), "{of_another}");
}

async fn system(app: &App) -> User {
    accounts::system_user(&app.program.engine).await.unwrap()
}

async fn ended(app: &App, investigation: &Investigation) {
    let engine = &app.program.engine;
    let mut events = engine.events.follow(investigation.id, 0);
    while let Some(event) = events.next().await {
        if let EventKind::StatusChanged { status, .. } = event.unwrap().kind
            && status.is_terminal()
        {
            break;
        }
    }
    let now = engine.investigations.investigation(investigation.id).await.unwrap().unwrap();
    let name = investigation.model.as_deref().unwrap_or("the built-in provider");
    assert_eq!(now.progress.status, Status::Completed, "{name}: {:?}; {GUIDE}", now.reason);
}

async fn assessment(app: &App, investigation: &Investigation) -> Assessment {
    let stored = app.program.engine.assessments.of_investigation(&investigation.scope, investigation.id).await.unwrap();
    stored.unwrap().assessment
}
