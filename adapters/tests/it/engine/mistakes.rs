//! Mistakes in an assessment: all are reported at once, each with its place, and corrected in one turn.

use super::prelude::*;
use domain::{AssessmentId, assessment::ItemOutcome};

const QUESTION: &str = "Will the Tolm depot be rebuilt, and who pays?";

/// A graph with claims, and the assessment that the built-in provider drew from them.
struct AssessmentFixture {
    folder: Folder,
    previous: Assessment,
}

impl AssessmentFixture {
    async fn lay() -> Self {
        let folder = folder();
        let analyst = Script::new(vec![], After::Extractive);
        let mut world = World::open(&folder, 60, |parts| parts.role_models.analyst = analyst.into()).await;
        let (ended, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
        let previous = world.assessment(&ended).await.assessment;
        world.close().await;
        Self { folder, previous }
    }

    fn claims(&self) -> Vec<ClaimId> {
        self.previous.citations.iter().take(3).map(|citation| citation.claim_id).collect()
    }

    /// A valid draft.
    fn draft(&self) -> Value {
        let claims = self.claims();
        let refs = |(marker, claim_id)| json!({"marker": marker, "claim_id": claim_id});
        let claim_refs: Vec<Value> = (1_u32..).zip(claims).map(refs).collect();
        json!({"content": content(), "claim_refs": claim_refs, "entity_refs": []})
    }

    async fn world(&self, seed: u64, script: &Arc<Script>) -> World {
        World::open(&self.folder, seed, |parts| parts.role_models.analyst = script.clone().into()).await
    }

    /// Asks a question of an Analyst who sends these drafts, and gives what was stored.
    async fn play(&self, seed: u64, question: &str, drafts: Vec<Value>) -> Run {
        let lines: Vec<Line> = drafts.into_iter().map(|draft| calls(vec![("produce_assessment", draft)])).collect();
        let script = Script::new(lines, After::Empty);
        let mut world = self.world(seed, &script).await;
        let investigation = ask(&world, question).await;
        world.start(1);
        let (ended, _) = world.end_of(investigation.id).await;
        let stored = world.assessment(&ended).await;
        let compared_with = compared_with(&world, &ended).await;
        world.close().await;
        Run { ended, stored, script, compared_with }
    }
}

/// Returns the earlier assessment that the one of an investigation was compared with, by the events.
async fn compared_with(world: &World, ended: &Investigation) -> Option<AssessmentId> {
    let events = world.engine.events.after(ended.id, 0, 1_000).await.unwrap();
    events.into_iter().find_map(|event| match event.kind {
        EventKind::BeliefChanged { earlier_id, .. } => Some(earlier_id),
        _ => None,
    })
}

async fn ask(world: &World, question: &str) -> Investigation {
    let person = world.person("ada").await;
    let collection = world.collection(&person).await;
    world.ask(&person, collection, question).await
}

struct Run {
    ended: Investigation,
    stored: StoredAssessment,
    script: Arc<Script>,
    compared_with: Option<AssessmentId>,
}

impl Run {
    /// Response to the first draft.
    fn refusal(&self) -> String {
        let (content, is_error) = self.script.results().remove(0);
        assert!(is_error, "{content}");
        content
    }
}

fn content() -> Value {
    let hypothesis = |id: &str, question: &str, statement: &str, is_none: bool, probability: f64| {
        json!({"id": id, "question": question, "statement": statement, "is_none": is_none, "probability": probability,
               "reasoning": format!("One page says so: {statement}"), "for": [], "against": [], "weaknesses": "Little is known."})
    };
    json!({
        "title": "The depot will be rebuilt",
        "bottom_line": "It is likely (70 %) that the depot is rebuilt [1].",
        "questions": [{"id": "Q1", "text": "Will it be rebuilt?"}, {"id": "Q2", "text": "Who pays?"}],
        "key_judgements": [{
            "id": "J1", "statement": "It is likely (70 %) that the depot is rebuilt.",
            "likelihood": {"term": "likely", "point": 0.7},
            "confidence": {"level": "low", "basis": "It rests on one origin."},
            "horizon": "2032-12-31", "would_change": "A sale of the ground.", "hypotheses": ["H1"], "citations": [1]
        }],
        "analysis": "The fire destroyed two sheds [2][3].",
        "hypotheses": [
            hypothesis("H1", "Q1", "It is rebuilt.", false, 0.7), hypothesis("H2", "Q1", "It is sold.", false, 0.2),
            hypothesis("H3", "Q1", "None of these.", true, 0.1), hypothesis("H4", "Q2", "The owner pays.", false, 0.5),
            hypothesis("H5", "Q2", "The insurer pays.", false, 0.4), hypothesis("H6", "Q2", "None of these.", true, 0.1)
        ],
        "evidence_matrix": [{"citation": 2, "credibility": "moderate", "relevance": "high", "ratings": {"H1": "C", "H2": "N", "H3": "N"}}],
        "assumptions": [{"text": "The ground is not poisoned.", "if_wrong": "It is sold."}],
        "indicators": [{
            "id": "I1", "text": "The owner asks for a permit.", "probability": 0.6, "hypotheses": ["H1"], "judgements": ["J1"],
            "direction": "supports",
            "resolution": {"question": "Has it been asked for?", "criteria": "The register of permits names it.", "by": "2032-05-20"}
        }],
        "gaps": [{"text": "The policy is not known.", "impact": "It parts H4 from H5.", "how_to_close": "Ask the insurer."}],
        "causes": [{"from": "The fire", "to": "Two sheds are lost", "mechanism": "They burned down.", "strength": "strong", "citations": [2]}],
        "impacts": [{"who": "Carters", "effect": "They wait.", "likelihood": {"term": "likely", "point": 0.6}, "when": "2032",
                     "depends_on": ["J1"], "citations": [3]}],
        "outlets": [],
        "change": null,
        "overall_confidence": {"level": "low", "basis": "Three reports."}
    })
}

fn set(draft: &mut Value, pointer: &str, value: Value) {
    *draft.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_mistakes_are_reported_at_once_and_corrected_in_one_turn() {
    let ground = AssessmentFixture::lay().await;
    let mut wrong = ground.draft();
    let unknown: ClaimId = "01890000-0000-7000-8000-00000000000f".parse().unwrap();
    let mistakes = [
        ("/claim_refs/1/claim_id", json!(unknown)),
        ("/content/indicators/0/resolution/by", json!(null)),
        ("/content/hypotheses/0/probability", json!(0.9)),
        ("/content/bottom_line", json!("It is likely (70 %) that the depot is rebuilt [1][9].")),
        ("/content/indicators/0/hypotheses", json!(["H8"])),
        ("/content/evidence_matrix/0/ratings", json!({"H1": "C", "H2": "N"})),
        ("/content/key_judgements/0/likelihood/point", json!(0.9)),
        ("/content/change", json!({"previous_id": unknown, "summary": "Less is known."})),
        ("/content/hypotheses/5/question", json!("Q3")),
        ("/content/impacts/0/depends_on", json!(["J7"])),
        ("/content/analysis", json!("The fire destroyed two sheds [2].")),
        ("/content/impacts/0/citations", json!([])),
        ("/content/key_judgements/0/horizon", json!("next year")),
        ("/content/assumptions", json!([])),
    ];
    for (pointer, value) in mistakes {
        set(&mut wrong, pointer, value);
    }
    let second = json!({"id": "I2", "text": "A fence is put up.", "hypotheses": ["H1"], "direction": "supports",
        "resolution": {"question": "Is there a fence?", "criteria": "A picture shows it.", "by": "2031-10"}});
    wrong["content"]["indicators"].as_array_mut().unwrap().push(second);
    // What is plainly meant is taken: numbers in quotation marks, a month for a day.
    let mut mended = ground.draft();
    set(&mut mended, "/content/key_judgements/0/likelihood/point", json!("0.7"));
    set(&mut mended, "/content/hypotheses/0/probability", json!("70 %"));
    set(&mut mended, "/content/indicators/0/resolution/by", json!("2032-05"));
    set(&mut mended, "/claim_refs/0/marker", json!("1"));
    set(&mut wrong, "/content/impacts/0/likelihood/point", json!("0.6"));

    let played = ground.play(61, QUESTION, vec![wrong, mended]).await;
    let refusal = played.refusal();
    for line in [
        format!("claim_refs[1]: there is no claim {unknown}"),
        "indicators[0].resolution.by: name a day".into(),
        "hypotheses: probabilities of Q1 sum to 1.200".into(),
        "bottom_line: [9] is not a citation".into(),
        "indicators[0].hypotheses: there is no hypothesis 'H8'".into(),
        "evidence_matrix[0].ratings: needs a rating for 'H3'".into(),
        "key_judgements[0].likelihood: 'likely' means 0.55 to 0.8, not 0.9".into(),
        "key_judgements[0].horizon: 'next year' is no day".into(),
        "change.previous_id: there is no assessment".into(),
        "hypotheses[5].question: there is no question 'Q3'".into(),
        "impacts[0].depends_on: there is no judgement or hypothesis 'J7'".into(),
        "assumptions: name at least one: what the judgements take for granted (assumptions_named)".into(),
    ] {
        assert!(refusal.contains(&format!("\n- {line}")), "{line} is not in:\n{refusal}");
    }
    assert_eq!(played.ended.progress.status, Status::Completed);
    assert_eq!(played.script.calls(), 2, "one turn mends all of it");
    let body = &played.stored.assessment.body;
    assert_eq!((body.key_judgements[0].likelihood.unwrap().point, body.hypotheses[0].probability), (0.7, Some(0.7)));
    assert_eq!(body.indicators[0].resolution.by.as_deref(), Some("2032-05-31"));
    let checks = played.stored.assessment.checks.as_ref().unwrap();
    assert_eq!((checks.score(), checks.findings.len()), ("18 of 18 checks passed, 4 had nothing to check".into(), 0));
    assert_eq!(played.stored.assessment.cost.amount, None, "nobody knows what this model costs");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_patch_corrects_an_unknown_reference_and_a_broken_rule_in_one_turn() {
    let ground = AssessmentFixture::lay().await;
    let mut wrong = ground.draft();
    set(&mut wrong, "/claim_refs/1/claim_id", json!("c99"));
    set(&mut wrong, "/content/hypotheses/0/probability", json!(0.9));
    let patch = json!({"hypotheses[0].probability": 0.7, "claim_refs[1].claim_id": ground.claims()[1]});
    let lines = vec![calls(vec![("produce_assessment", wrong)]), calls(vec![("amend_assessment", json!({"patch": patch}))])];
    let script = Script::new(lines, After::Empty);
    let mut world = ground.world(68, &script).await;
    let investigation = ask(&world, QUESTION).await;
    world.start(1);
    let (ended, _) = world.end_of(investigation.id).await;
    let (refusal, _) = script.results().remove(0);
    for line in ["claim_refs[1].claim_id: 'c99' is unknown", "hypotheses: probabilities of Q1 sum to 1.200"] {
        assert!(refusal.contains(&format!("\n- {line}")), "{refusal}");
    }
    assert!(!refusal.contains("there is no claim"), "said once: {refusal}");
    assert_eq!((ended.progress.status, script.calls()), (Status::Completed, 2));
    assert_eq!(world.assessment(&ended).await.assessment.body.hypotheses[0].probability, Some(0.7));
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_faults_of_a_draft_are_found_at_once_and_corrected_by_one_patch() {
    let ground = AssessmentFixture::lay().await;
    let mut good = ground.draft();
    good["content"]["argument"] = json!({"reasons": [{"text": "The owner wants it back.", "citations": [1]}]});
    let faults = [
        (
            "key_judgements/0/hypotheses",
            json!(["H1", "H2"]),
            "key_judgements[0].likelihood: it has 70\u{a0}%, and H1 + H2 have 90",
        ),
        (
            "key_judgements/0/confidence/basis",
            json!("It is well known."),
            "key_judgements[0].confidence.basis: it rests on one",
        ),
        ("argument/reasons/0/citations", json!([]), "argument.reasons[0].citations: it cites nothing"),
        ("impacts/0/citations", json!([]), "impacts[0].citations: it cites nothing"),
        ("causes/0/citations", json!([]), "causes[0].citations: it cites nothing"),
        ("evidence_matrix", json!([]), "evidence_matrix: rate at least the evidence"),
        ("hypotheses/1/reasoning", json!("It may be."), "hypotheses[1].reasoning: say in a sentence or two"),
        ("gaps", json!([]), "gaps: name at least one"),
        ("indicators", json!([]), "indicators: none has a day"),
        ("assumptions", json!([]), "assumptions: name at least one"),
    ];
    let (mut wrong, mut patch) = (good.clone(), json!({}));
    for (place, value, _) in &faults {
        let pointer = format!("/content/{place}");
        patch[*place] = good.pointer(&pointer).unwrap().clone();
        set(&mut wrong, &pointer, value.clone());
    }
    let lines = vec![calls(vec![("produce_assessment", wrong)]), calls(vec![("amend_assessment", json!({"patch": patch}))])];
    let script = Script::new(lines, After::Empty);
    let mut world = ground.world(70, &script).await;
    let investigation = ask(&world, QUESTION).await;
    world.start(1);
    let (ended, _) = world.end_of(investigation.id).await;
    let (refusal, is_error) = script.results().remove(0);
    assert!(is_error && refusal.contains("keeps every rule"), "{refusal}");
    for (_, _, line) in faults {
        assert!(refusal.contains(&format!("\n- {line}")), "{line} is not in:\n{refusal}");
    }
    assert_eq!((ended.progress.status, script.calls()), (Status::Completed, 2), "one patch mends all of them");
    let checks = world.assessment(&ended).await.assessment.checks.unwrap();
    assert_eq!((checks.score(), checks.findings), ("19 of 19 checks passed, 3 had nothing to check".into(), vec![]));
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_that_nothing_cites_is_left_out() {
    let ground = AssessmentFixture::lay().await;
    let mut draft = ground.draft();
    set(&mut draft, "/content/analysis", json!("The fire destroyed two sheds [2]."));
    set(&mut draft, "/content/impacts/0/citations", json!([2]));
    let played = ground.play(79, QUESTION, vec![draft]).await;
    assert_eq!((played.ended.progress.status, played.script.calls()), (Status::Completed, 1));
    assert_eq!(played.stored.assessment.markers(), [1, 2].into(), "[3] costs no turn");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn findings_of_checks_are_returned_once_and_stored_if_they_remain() {
    let ground = AssessmentFixture::lay().await;
    let mut draft = ground.draft();
    set(&mut draft, "/content/indicators/0/resolution/by", json!("2031-06"));
    let played = ground.play(62, QUESTION, vec![draft.clone(), draft]).await;
    assert!(played.refusal().contains("keeps every rule"), "{}", played.refusal());
    assert!(played.refusal().contains("indicators[0].resolution.by: 2031-06-30 has passed"), "{}", played.refusal());
    assert_eq!((played.ended.progress.status, played.script.calls()), (Status::Completed, 2));
    let checks = played.stored.assessment.checks.as_ref().unwrap();
    assert_eq!(checks.score(), "17 of 18 checks passed, 4 had nothing to check");
    assert_eq!((&*checks.findings[0].check, checks.findings.len()), ("indicators_ahead", 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_dies_after_the_findings_does_not_return_them_again() {
    let ground = AssessmentFixture::lay().await;
    let mut draft = ground.draft();
    set(&mut draft, "/content/assumptions", json!([]));
    let produce = || calls(vec![("produce_assessment", draft.clone())]);
    let first = Script::new(vec![produce(), Line::Hang], After::Empty);
    let mut world = ground.world(63, &first).await;
    let investigation = ask(&world, QUESTION).await;
    world.start(1);
    first.until_called(2).await;
    world.kill().await;

    let second = Script::new(vec![produce()], After::Empty);
    let mut world = ground.world(64, &second).await;
    world.forget_the_dead().await;
    world.start(1);
    let (ended, _) = world.end_of(investigation.id).await;
    assert_eq!((ended.progress.status, second.calls()), (Status::Completed, 1));
    let checks = world.assessment(&ended).await.assessment.checks.unwrap();
    assert_eq!(checks.findings.len(), 1, "{checks:?}");
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follow_up_explains_the_change_and_settles_due_items() {
    let ground = AssessmentFixture::lay().await;
    let mut silent = ground.draft();
    set(&mut silent, "/content/title", json!("Silent"));
    let change = |item: &str| {
        json!({"previous_id": ground.previous.id, "summary": "The sheds are counted [1].",
               "settled": [{"previous_item": item, "outcome": "happened", "citations": ["1"]}]})
    };
    let mut wrong = ground.draft();
    set(&mut wrong, "/content/change", change("I9"));
    let mut mended = ground.draft();
    set(&mut mended, "/content/change", change("I1"));
    let played = ground.play(65, FIRE_QUESTION, vec![silent, wrong, mended]).await;
    let expected = format!("assessment {} answers this question", ground.previous.id);
    assert!(played.refusal().contains(&expected), "{}", played.refusal());
    let second = played.script.results().remove(1).0;
    assert!(second.contains("change.settled[0].previous_item: the previous assessment has no 'I9'; it has 'I1'"), "{second}");
    assert_eq!(played.compared_with, Some(ground.previous.id));
    let change = played.stored.assessment.body.change.unwrap();
    assert_eq!(change.settled[0].outcome, ItemOutcome::Happened);
    let indicator = &ground.previous.body.indicators[0];
    assert_eq!(
        (change.settled[0].text.as_deref(), change.settled[0].probability),
        (Some(&*indicator.text), indicator.probability)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follow_up_in_other_words_knows_what_it_follows_and_explains_the_change() {
    let ground = AssessmentFixture::lay().await;
    let lines =
        vec![calls(vec![("produce_assessment", ground.draft())]), calls(vec![("amend_assessment", json!({"patch": {}}))])];
    let script = Script::new(lines, After::Empty);
    let mut world = ground.world(69, &script).await;
    let investigation = ask(&world, QUESTION).await;
    let earlier = ground.previous.investigation_id;
    world.engine.investigations.join_thread(investigation.id, earlier, FollowKind::FollowUp).await.unwrap();
    world.start(1);
    let (ended, _) = world.end_of(investigation.id).await;
    let first = format!("{:?}", script.seen.lock().unwrap()[0].messages);
    for words in [format!("Earlier question: {FIRE_QUESTION}"), "Assessment: a1, of 20".to_owned()] {
        assert!(first.contains(&words), "{words} is not in {first}");
    }
    let (refusal, _) = script.results().remove(0);
    let expected = format!("assessment {} answers this question or the one before it", ground.previous.id);
    assert!(refusal.contains(&expected), "{refusal}");
    assert_eq!((ended.progress.status, script.calls()), (Status::Completed, 2));
    assert_eq!(compared_with(&world, &ended).await, None, "they have no hypothesis in common");
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follow_up_in_other_words_is_compared_by_the_hypotheses_in_common() {
    let ground = AssessmentFixture::lay().await;
    let first = ground.play(70, QUESTION, vec![ground.draft()]).await;
    let mut next = ground.draft();
    set(&mut next, "/content/hypotheses/3/statement", json!("A carter from Tolm pays for all of it."));
    set(&mut next, "/content/hypotheses/3/probability", json!(0.1));
    set(&mut next, "/content/hypotheses/4/probability", json!(0.8));
    let lines = vec![calls(vec![("produce_assessment", next)]), calls(vec![("amend_assessment", json!({"patch": {}}))])];
    let script = Script::new(lines, After::Empty);
    let mut world = ground.world(71, &script).await;
    let investigation = ask(&world, "Does the insurer pay for the Tolm depot?").await;
    let (earlier, earlier_id) = (first.ended.id, first.stored.assessment.id);
    world.engine.investigations.join_thread(investigation.id, earlier, FollowKind::FollowUp).await.unwrap();
    world.start(1);
    let (ended, _) = world.end_of(investigation.id).await;
    let events = world.engine.events.after(ended.id, 0, 1_000).await.unwrap();
    let changes = events.into_iter().filter_map(|event| match event.kind {
        EventKind::BeliefChanged { earlier_id, change, .. } => Some((earlier_id, change)),
        _ => None,
    });
    let changes: Vec<_> = changes.collect();
    let [(compared, change)] = changes[..] else { panic!("{changes:?}") };
    assert_eq!((compared, change.largest_points, change.common_hypotheses), (earlier_id, 40, Some(3)));
    assert!(change.lost_hypotheses == 0 && !change.is_other_leader && change.is_notable());
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_final_session_has_no_turn_to_spare_for_findings() {
    let ground = AssessmentFixture::lay().await;
    let mut draft = ground.draft();
    set(&mut draft, "/content/assumptions", json!([]));
    let script = Script::new(vec![Line::Hang, calls(vec![("produce_assessment", draft)])], After::Empty);
    let mut world = ground.world(66, &script).await;
    let investigation = ask(&world, QUESTION).await;
    world.start(1);
    script.until_called(1).await;
    engine::investigations::stop(&world.engine, &investigation).await.unwrap();
    let (ended, _) = world.end_of(investigation.id).await;
    assert!(ended.progress.final_session);
    assert_eq!((ended.progress.status, script.calls()), (Status::Completed, 2));
    assert_eq!(world.assessment(&ended).await.assessment.checks.unwrap().findings.len(), 1);
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_reads_an_earlier_assessment_without_hashes_and_paths() {
    let ground = AssessmentFixture::lay().await;
    let id: AssessmentId = ground.previous.id;
    let lines = vec![
        calls(vec![
            ("get_assessment", json!({"assessment_id": id, "parts": "all"})),
            ("get_assessment", json!({"assessment_id": id})),
            ("get_assessment", json!({"assessment_id": id, "parts": "citations"})),
        ]),
        calls(vec![("produce_assessment", ground.draft())]),
    ];
    let script = Script::new(lines, After::Empty);
    let mut world = ground.world(67, &script).await;
    let investigation = ask(&world, QUESTION).await;
    world.start(1);
    world.end_of(investigation.id).await;
    let mut results = script.results();
    let (read, is_error) = results.remove(0);
    assert!(!is_error, "{read}");
    let [(report, _), (citations, _)] = &results[..2] else { panic!("{results:?}") };
    assert!(report.contains("\"citations_left_out\":") && !report.contains("\"marker\":1"), "{report}");
    assert!(citations.contains("\"marker\":1") && !citations.contains("\"bottom_line\""), "{citations}");
    for missing in ["sha256", "document_path", "span", "prompts", "claim_id"] {
        assert!(!read.contains(missing), "{missing}: {read}");
    }
    for given in ["\"marker\":1", "\"created_at\":\"2031-10-17", "Inspector Mara Quist said"] {
        assert!(read.contains(given), "{given}: {read}");
    }
    let whole = serde_json::to_string(&ground.previous).unwrap().len();
    assert!(read.len() * 4 < whole * 3, "{} of {whole} characters", read.len());
    world.close().await;
}
