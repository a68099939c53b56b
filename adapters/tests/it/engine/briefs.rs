//! Evidence briefs: the models that are offered their tool, the stored product, and refusals.

use super::prelude::*;
use domain::assessment::{Citation, DISCLOSURE};
use engine::{assessments::markdown, replay};

const QUESTION: &str = "Will the Tolm depot be rebuilt?";
const BRIEF: &str = "produce_evidence_brief";

/// A graph with claims, and three of them.
struct ClaimsFixture {
    folder: Folder,
    claims: Vec<Citation>,
}

impl ClaimsFixture {
    async fn lay() -> Self {
        let folder = folder();
        let mut world = World::open(&folder, 80, |_| {}).await;
        let investigation = world.ask_about(&three_reports(), FIRE_QUESTION).await;
        world.start(1);
        let (ended, _) = world.end_of(investigation.id).await;
        let claims = world.assessment(&ended).await.assessment.citations;
        world.close().await;
        Self { folder, claims: claims.into_iter().take(3).collect() }
    }

    /// A brief in which nothing is wrong.
    fn draft(&self) -> Value {
        let quote = |n: usize| format!("“{}”", self.claims[n].quote.replace('*', "\\*"));
        let refs = (1..).zip(&self.claims).map(|(marker, one): (u32, _)| json!({"marker": marker, "claim_id": one.claim_id}));
        json!({
            "content": {
                "title": QUESTION,
                "bottom_line": format!("{} — *{}* [1]", quote(0), self.claims[0].document_title),
                "statements": [{"text": quote(0), "citations": [1]}],
                "analysis": "",
                "answers": [{"statement": "It will be.", "reported_by": [2], "denied_by": [3]}],
                "indicators": [{"text": "The council will vote.", "by": "2032-05-03", "citations": [1]}],
                "gaps": [{"text": "The council has not said when.", "citations": [2]}],
                "impacts": [],
                "contradictions": [{"text": "Two sheds [2], three sheds.", "citations": [2, 3]}]
            },
            "claim_refs": refs.collect::<Vec<_>>(),
            "entity_refs": []
        })
    }

    /// Asks the question of this chain, and gives what came of it.
    async fn play(&self, seed: u64, chain: impl Into<Chain>) -> (World, Investigation, StoredAssessment) {
        let chain = chain.into();
        let mut world = World::open(&self.folder, seed, |parts| parts.role_models.analyst = chain).await;
        let person = world.person("ada").await;
        let collection = world.collection(&person).await;
        let investigation = world.ask(&person, collection, QUESTION).await;
        world.start(1);
        let (ended, _) = world.end_of(investigation.id).await;
        let stored = world.assessment(&ended).await;
        (world, ended, stored)
    }
}

/// A model that writes briefs, with these lines.
fn author(lines: Vec<Line>) -> Arc<Script> {
    Arc::new(Script::named("script-1", lines, After::Empty).writing_briefs())
}

fn sends(draft: &Value) -> Line {
    calls(vec![(BRIEF, draft.clone())])
}

/// The tools for products that the first request offered.
fn offered(script: &Script) -> Vec<String> {
    let seen = script.seen.lock().unwrap();
    seen[0].tools.iter().map(|tool| tool.name.clone()).filter(|name| name.starts_with("produce_")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_brief_is_stored_without_any_judgement_and_replays() {
    let ground = ClaimsFixture::lay().await;
    let script = author(vec![sends(&ground.draft())]);
    let (world, ended, stored) = ground.play(81, script.clone()).await;
    assert_eq!((ended.progress.status, offered(&script)), (Status::Completed, vec![BRIEF.to_owned()]));
    let brief = &stored.assessment;
    assert_eq!((brief.kind, brief.disclosure.as_deref()), (AssessmentKind::EvidenceBrief, Some(DISCLOSURE)));
    assert!(brief.checks.is_none() && brief.body.overall_confidence.is_none() && !stored.is_partial);
    assert!(brief.body.key_judgements[0].likelihood.is_none() && brief.body.hypotheses[0].probability.is_none());
    assert_eq!(brief.body.indicators[0].text, "The council will vote. [1]");
    let quotes: Vec<&str> = brief.citations.iter().map(|citation| &*citation.quote).collect();
    assert_eq!(quotes, ground.claims.iter().map(|claim| &*claim.quote).collect::<Vec<_>>());
    let text = markdown(brief, &[]);
    assert!(text.contains(&format!("\n\n{DISCLOSURE} The guide: docs/models.md\n\n")), "{text}");
    let events = world.engine.events.after(ended.id, 0, 1_000).await.unwrap();
    let told = events.into_iter().find_map(|event| match event.kind {
        EventKind::AssessmentWritten { bottom_line, .. } => Some(bottom_line),
        _ => None,
    });
    assert_eq!(told.as_deref(), Some(&*brief.bottom_line_text()), "Markdown is text in the log");
    assert!(!brief.bottom_line_text().contains('*') || ground.claims[0].quote.contains('*'));
    for replayed in replay::replay(&world.engine, &world.agents, ended.id).await.unwrap() {
        assert_eq!((replayed.difference, replayed.changes), (None, vec![]));
    }
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_of_a_brief_without_a_source_are_refused() {
    let ground = ClaimsFixture::lay().await;
    let mut wrong = ground.draft();
    let unknown: ClaimId = "01890000-0000-7000-8000-00000000000f".parse().unwrap();
    for (pointer, value) in [
        ("/claim_refs/2/claim_id", json!(unknown)),
        ("/content/bottom_line", json!("It is so [1][9].")),
        ("/content/statements/0/citations", json!([])),
        ("/content/answers/0/reported_by", json!([])),
        ("/content/answers/0/denied_by", json!([])),
        ("/content/gaps/0/citations", json!([])),
    ] {
        *wrong.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    }
    let script = author(vec![sends(&wrong), sends(&ground.draft())]);
    let (world, ended, stored) = ground.play(82, script.clone()).await;
    let (refusal, is_error) = script.results().remove(0);
    assert!(is_error && refusal.starts_with("the evidence brief is refused"), "{refusal}");
    for told in [
        format!("claim_refs[2]: there is no claim {unknown}"),
        "bottom_line: [9] is not a citation".into(),
        "key_judgements[0]: cites nothing".into(),
        "hypotheses[0]: cites nothing".into(),
        "gaps[0]: cites nothing".into(),
    ] {
        assert!(refusal.contains(&told), "{told}: {refusal}");
    }
    assert_eq!((ended.progress.status, stored.assessment.kind), (Status::Completed, AssessmentKind::EvidenceBrief));
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_orders_or_writes_a_brief_and_not_both() {
    let ground = ClaimsFixture::lay().await;
    let both = calls(vec![order("Read the reports again."), (BRIEF, ground.draft())]);
    let script = author(vec![both, says("That is all."), sends(&ground.draft())]);
    let (world, ended, stored) = ground.play(83, script.clone()).await;
    let refusal = script.results().remove(1);
    assert!(refusal.1 && refusal.0.contains("it cannot write the evidence brief too"), "{refusal:?}");
    assert_eq!((ended.progress.cycle, script.calls()), (1, 3), "the order was carried out before the brief was written");
    assert_eq!(stored.assessment.kind, AssessmentKind::EvidenceBrief);
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_model_writes_only_its_own_product() {
    let ground = ClaimsFixture::lay().await;
    let brief = author(vec![calls(vec![assessment(1.0)]), sends(&ground.draft())]);
    let (world, _, stored) = ground.play(84, brief.clone()).await;
    let refusal = brief.results().remove(0);
    assert!(refusal.1 && refusal.0.contains("'produce_assessment' is not available"), "{refusal:?}");
    assert_eq!(stored.assessment.kind, AssessmentKind::EvidenceBrief);
    world.close().await;

    let model = Script::new(vec![sends(&ground.draft()), calls(vec![assessment(1.0)])], After::Empty);
    let (world, _, stored) = ground.play(85, model.clone()).await;
    let refusal = model.results().remove(0);
    assert!(refusal.1 && refusal.0.contains("'produce_evidence_brief' is not available"), "{refusal:?}");
    assert_eq!((stored.assessment.kind, offered(&model)), (AssessmentKind::Assessment, vec!["produce_assessment".into()]));
    assert_eq!(stored.assessment.body.change, None, "a brief of the same question leaves nothing to explain");
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_built_in_provider_in_place_of_a_model_writes_a_brief() {
    let ground = ClaimsFixture::lay().await;
    let model = Script::named("large", vec![Line::Fails(ModelError::Rejected("not this one".into()))], After::Empty);
    let (model, brief) = (Arc::new(model), author(vec![sends(&ground.draft())]));
    let (world, ended, stored) = ground.play(86, Chain::new(model.clone(), vec![brief.clone()])).await;
    assert_eq!((offered(&model), offered(&brief)), (vec!["produce_assessment".into()], vec![BRIEF.to_owned()]));
    assert_eq!((ended.progress.status, stored.assessment.kind), (Status::Completed, AssessmentKind::EvidenceBrief));
    world.close().await;
}
