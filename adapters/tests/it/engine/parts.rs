//! A large question is divided into parts, which are investigated on their own and merged, within one budget.

use super::{
    kill::{copy, survive_each},
    prelude::*,
    script::reply,
    world::EXTRACTIVE,
};
use domain::live::LiveState;
use engine::{agents::prompts::Additions, investigations, library, replay};
use protocol::fence::unfenced;

const WHOLE: &str = "Who set the fire at the Tolm depot, and what did it burn?";
const BURNT: &str = "What did the fire at the Tolm depot burn?";

/// The built-in provider, which divides the question when it may and merges what came of the parts.
#[derive(Default)]
struct Divider {
    /// Parts whose Analyst says nothing of use.
    silent: Vec<&'static str>,
    /// Parts whose first session never gets an answer.
    hanging: bool,
    /// Counts tokens as a model does.
    is_metered: bool,
    fault_point: Option<Arc<FaultPoint>>,
    /// Every request, with the write points that were passed before it.
    seen: Mutex<Vec<(u64, ModelRequest)>>,
}

impl Divider {
    fn join(self, parts: &mut Parts) -> Arc<Self> {
        parts.config.decomposition.max_parts = 3;
        // Who waits for parts takes no room.
        parts.config.max_investigations = 1;
        let model = Arc::new(self);
        parts.role_models.analyst = (model.clone() as Arc<dyn Model>).into();
        model
    }

    /// The requests that hold `words`.
    fn requests(&self, words: &str) -> Vec<(u64, ModelRequest)> {
        let seen = self.seen.lock().unwrap();
        seen.iter().filter(|(_, request)| request.system.contains(words) || opening(request).contains(words)).cloned().collect()
    }
}

fn opening(request: &ModelRequest) -> &str {
    match request.messages.first() {
        Some(Message::User { text }) => text,
        _ => "",
    }
}

fn offered(request: &ModelRequest) -> Vec<&str> {
    request.tools.iter().map(|tool| tool.name.as_str()).collect()
}

fn decompose(questions: &[&str]) -> (&'static str, Value) {
    let parts: Vec<Value> =
        questions.iter().map(|question| json!({"question": question, "why": "It is half of it."})).collect();
    ("decompose_question", json!({"parts": parts}))
}

/// First the assessments of the parts are read, then one is written that cites the first claim of each.
fn merge(request: &ModelRequest) -> Option<ModelReply> {
    let ids = opening(request).lines().filter_map(|line| line.strip_prefix("Assessment: "));
    let reads: Vec<_> = ids.map(|id| ("get_assessment", json!({"assessment_id": id, "parts": "all"}))).collect();
    if reads.is_empty() {
        return None;
    }
    let Some(Message::Tools { results }) = request.messages.last() else { return Some(reply("", reads)) };
    let read: Vec<Value> = results.iter().filter_map(|result| serde_json::from_str(unfenced(&result.content)).ok()).collect();
    let claims: Vec<&Value> = read.iter().filter_map(|part| part.pointer("/citations/0/ref")).collect();
    let (name, mut arguments) = assessment(1.0);
    let refs = (1..).zip(&claims).map(|(marker, id): (u32, _)| json!({"marker": marker, "claim_id": id}));
    arguments["claim_refs"] = refs.collect();
    let rating = json!({"H1": "C", "H2": "N", "H3": "N"});
    let row = |n| json!({"citation": n, "credibility": "moderate", "relevance": "high", "ratings": rating});
    arguments["content"]["evidence_matrix"] = (1..=claims.len()).map(row).collect();
    arguments["content"]["analysis"] =
        (1..=claims.len()).map(|n| format!("Part {n} says so [{n}].")).collect::<String>().into();
    Some(reply("", vec![(name, arguments)]))
}

#[async_trait]
impl Model for Divider {
    fn provider(&self) -> &'static str {
        "script"
    }

    fn model(&self) -> &'static str {
        "divider-1"
    }

    fn wants_vectors(&self) -> bool {
        false
    }

    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let passed = self.fault_point.as_ref().map_or(0, |fault_point| fault_point.passed());
        self.seen.lock().unwrap().push((passed, request.clone()));
        let task = opening(request).lines().next().unwrap_or_default();
        let (is_final, is_synthesis) = (request.system.contains("# Final session"), request.system.contains("# Synthesis"));
        let reply = match () {
            () if offered(request).contains(&"decompose_question") => reply("", vec![decompose(&[FIRE_QUESTION, BURNT])]),
            () if is_synthesis && !is_final => match merge(request) {
                Some(merged) => merged,
                None => scripted::stand_in::reply(&**EXTRACTIVE, request).await?,
            },
            () if self.silent.iter().any(|part| task.ends_with(part)) => reply("I do not know.", vec![]),
            () if self.hanging && !is_final => std::future::pending().await,
            () => scripted::stand_in::reply(&**EXTRACTIVE, request).await?,
        };
        if !self.is_metered {
            return Ok(reply);
        }
        let tokens_out = serde_json::to_vec(&reply).unwrap().len() as u64 / 3;
        Ok(ModelReply { usage: Usage { tokens_in: prompt_tokens(request, 3.0), tokens_out, ..Usage::default() }, ..reply })
    }
}

/// A world in which `model` is the Analyst, and the whole question in it.
async fn ask_and_wait(seed: u64, model: Divider, change: impl FnOnce(&mut Parts)) -> (World, Arc<Divider>, Investigation) {
    let mut joined = None;
    let mut world = World::open(&folder(), seed, |parts| {
        joined = Some(model.join(parts));
        change(parts);
    })
    .await;
    let whole = world.ask_about(&three_reports(), WHOLE).await;
    world.start(2);
    (world, joined.unwrap(), whole)
}

async fn parts_of(world: &World, whole: &Investigation) -> Vec<Investigation> {
    world.engine.investigations.parts(whole.id).await.unwrap()
}

fn statuses(parts: &[Investigation]) -> Vec<(&str, Status)> {
    parts.iter().map(|part| (part.question.as_str(), part.progress.status)).collect()
}

async fn replays_alike(world: &World, investigation: &Investigation) {
    for replayed in replay::replay(&world.engine, &world.agents, investigation.id).await.unwrap() {
        assert_eq!((&replayed.difference, replayed.changes.len()), (&None, 0), "{replayed:#?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_divided_and_a_synthesis_merges_its_parts() {
    let (world, model, whole) = ask_and_wait(300, Divider::default(), |_| {}).await;
    let (whole, events) = world.end_of(whole.id).await;
    assert_eq!(whole.progress.status, Status::Completed, "{:?}", whole.reason);
    assert_eq!((whole.progress.cycle, whole.progress.final_session), (1, false));
    let parts = parts_of(&world, &whole).await;
    assert_eq!(statuses(&parts), [(FIRE_QUESTION, Status::Completed), (BURNT, Status::Completed)]);
    let watch = LiveState::from_events(&events);
    assert_eq!((watch.ended_parts(), watch.orders.len()), ((2, 2), 0));
    let stored = world.assessment(&whole).await;
    assert_eq!(stored.assessment.citations.len(), 2, "claims of the graph, one from each part");
    let told = world
        .agents
        .prompts
        .hashes(Additions { synthesis: true, final_session: false }, engine::agents::machine::JudgeMode::Off);
    assert_eq!(stored.assessment.producer.prompts["analyse"], told["analyse"]);
    let synthesis = &model.requests("# Synthesis")[0].1;
    for part in &parts {
        assert_eq!((part.parent_id, part.owner, &part.scope), (Some(whole.id), whole.owner, &whole.scope));
        assert_eq!((part.collection_id, &part.model), (whole.collection_id, &whole.model));
        let written = world.assessment(part).await.assessment;
        assert!(opening(synthesis).contains(&format!("\nBottom line: {}", written.body.bottom_line)));
        assert!(model.requests(&part.question).iter().any(|(_, request)| offered(request).contains(&"create_work_order")));
        replays_alike(&world, part).await;
    }
    replays_alike(&world, &whole).await;
    // Nothing but the first session of the whole may divide: neither a part nor the synthesis.
    let offers = model.seen.lock().unwrap().iter().filter(|(_, seen)| offered(seen).contains(&"decompose_question")).count();
    assert_eq!(offers, 1);
    library::remove_collection(&world.engine, whole.collection_id).await.unwrap();
    let left = world.engine.investigations.list(&InvestigationFilter { limit: 9, ..Default::default() }).await.unwrap();
    assert!(left.is_empty(), "the parts go with the whole");
}

#[tokio::test]
async fn nothing_is_divided_unless_it_is_switched_on() {
    let (world, model, whole) = ask_and_wait(301, Divider::default(), |parts| parts.config.decomposition.max_parts = 0).await;
    let (whole, _) = world.end_of(whole.id).await;
    assert_eq!(whole.progress.status, Status::Completed);
    assert!(parts_of(&world, &whole).await.is_empty());
    assert!(model.seen.lock().unwrap().iter().all(|(_, seen)| !offered(seen).contains(&"decompose_question")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_built_in_provider_divides_nothing() {
    let mut world = World::open(&folder(), 302, |parts| parts.config.decomposition.max_parts = 3).await;
    let (whole, _) = world.investigate(&three_reports(), WHOLE).await;
    assert_eq!(whole.progress.status, Status::Completed);
    assert!(parts_of(&world, &whole).await.is_empty());
}

#[tokio::test]
async fn a_session_either_orders_or_divides() {
    let both = calls(vec![order("read"), decompose(&[FIRE_QUESTION, BURNT])]);
    let wrong = calls(vec![decompose(&["?", WHOLE, BURNT, "what DID the fire  at the Tolm depot burn?"])]);
    let few = calls(vec![decompose(&[BURNT])]);
    for (seed, lines, is_divided, refusals) in [
        (303, vec![both, says("sent")], false, vec!["this session has created work orders"]),
        (
            304,
            vec![wrong],
            false,
            vec![
                "from 2 to 3",
                "[0].question: the question has no words",
                "[1].question: it is the whole",
                "[3].question: it is asked twice",
            ],
        ),
        (305, vec![few], false, vec!["there are 1, from 2 to 3"]),
        (306, vec![calls(vec![decompose(&[FIRE_QUESTION, BURNT]), order("read"), assessment(1.0)])], true, vec![]),
    ] {
        let script = Script::new(lines, After::Extractive);
        let analyst = script.clone();
        let mut world = World::open(&folder(), seed, |parts| {
            parts.config.decomposition.max_parts = 3;
            parts.role_models.analyst = analyst.into();
        })
        .await;
        let (whole, events) = world.investigate(&three_reports(), WHOLE).await;
        assert_eq!(parts_of(&world, &whole).await.is_empty(), !is_divided, "{seed}");
        let results: Vec<String> =
            script.results().into_iter().filter(|(_, is_error)| *is_error).map(|(text, _)| text).collect();
        assert!(refusals.iter().all(|words| results.iter().any(|text| text.contains(words))), "{seed} {results:#?}");
        let first = world.engine.sessions.sessions(whole.id).await.unwrap().remove(0);
        let made = world.engine.sessions.calls(first.id).await.unwrap();
        assert!(!is_divided || made.len() == 1, "what comes after it is not called");
        assert_eq!(whole.progress.status, Status::Completed, "{:?}", events.last());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_part_that_fails_is_named_and_the_others_are_merged() {
    let (world, model, whole) = ask_and_wait(307, Divider { silent: vec![BURNT], ..Divider::default() }, |_| {}).await;
    let (whole, _) = world.end_of(whole.id).await;
    assert_eq!(whole.progress.status, Status::Completed, "{:?}", whole.reason);
    let parts = parts_of(&world, &whole).await;
    assert_eq!(statuses(&parts), [(FIRE_QUESTION, Status::Completed), (BURNT, Status::Failed)]);
    let synthesis = &model.requests("# Synthesis")[0].1;
    assert!(opening(synthesis).contains(&format!("Part 2: {BURNT}\nStatus: failed (")), "{}", opening(synthesis));
    assert!(opening(synthesis).contains("Partial report: "));
    assert_eq!(world.assessment(&whole).await.assessment.citations.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_whose_parts_all_fail_goes_on_as_any_other() {
    let (world, _, whole) =
        ask_and_wait(308, Divider { silent: vec![FIRE_QUESTION, BURNT], ..Divider::default() }, |_| {}).await;
    let (whole, events) = world.end_of(whole.id).await;
    assert_eq!(whole.progress.status, Status::Completed, "{:?}", whole.reason);
    let orders = world.engine.work_orders.work_orders(whole.id).await.unwrap();
    assert!(!orders.is_empty() && orders.iter().all(|order| order.cycle == 2), "{orders:#?}");
    assert!(!world.assessment(&whole).await.is_partial);
    let told = events.iter().any(|event| match &event.kind {
        EventKind::StatusChanged { reason: Some(reason), .. } => reason == "every part of the question failed",
        _ => false,
    });
    assert!(told);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopping_a_question_finishes_its_parts_and_merges_them() {
    let (world, model, whole) = ask_and_wait(309, Divider { hanging: true, ..Divider::default() }, |parts| {
        parts.config.max_investigations = 10;
    })
    .await;
    let events: Vec<Event> = world
        .engine
        .events
        .follow(whole.id, 0)
        .map(Result::unwrap)
        .take_while(|event| {
            let is_at_work = matches!(event.kind, EventKind::PartChanged { status: Status::AnalystRunning, .. });
            std::future::ready(!is_at_work)
        })
        .collect()
        .await;
    assert_eq!(LiveState::from_events(&events).ended_parts(), (0, 2));
    investigations::stop(&world.engine, &whole).await.unwrap();
    let (whole, _) = world.end_of(whole.id).await;
    assert_eq!((whole.progress.status, whole.progress.final_session), (Status::Completed, true), "{:?}", whole.reason);
    for part in parts_of(&world, &whole).await {
        assert_eq!((part.progress.status, part.progress.final_session), (Status::Completed, true), "{:?}", part.reason);
        let told = model.requests("# Synthesis").iter().any(|(_, request)| {
            request.system.contains("# Final session")
                && opening(request).contains(&format!(": {}\nStatus: completed", part.question))
        });
        assert!(told, "the final session of the whole is told of its parts");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_and_its_parts_share_one_cap_and_leave_the_share_of_the_synthesis() {
    let metered = || Divider { is_metered: true, ..Divider::default() };
    let (world, _, whole) = ask_and_wait(310, metered(), |_| {}).await;
    let (whole, _) = world.end_of(whole.id).await;
    let free = world.engine.ledger.spent(whole.id).await.unwrap();
    let own: u64 =
        world.engine.ledger.spent_by_session(whole.id).await.unwrap().values().map(|(spent, _)| spent.tokens()).sum();
    assert!(own > 0 && free.tokens() > 2 * own, "{own} of {}", free.tokens());
    assert_eq!(world.assessment(&whole).await.assessment.cost.tokens_in, free.tokens_in, "the parts included");
    let models = [("script".into(), "divider-1".into()), (EXTRACTIVE.provider().into(), EXTRACTIVE.model().into())];
    let past = world.engine.ledger.past_investigations(&models, 9).await.unwrap();
    assert_eq!(past.iter().map(|run| run.spend).collect::<Vec<_>>(), [free], "one run, not three");

    // The parts want more than there is.
    let cap = free.tokens() * 6 / 10;
    let (world, _, whole) = ask_and_wait(310, metered(), |parts| {
        parts.budget.investigation.tokens = Some(cap);
        parts.budget.min_output_tokens = 256;
        parts.budget.final_answer_tokens = 2_048;
        parts.config.max_output_tokens = 4_096;
    })
    .await;
    let (whole, _) = world.end_of(whole.id).await;
    assert_eq!(whole.progress.status, Status::Completed, "{:?}", whole.reason);
    let stored = world.assessment(&whole).await;
    assert!(!stored.is_partial && !stored.assessment.citations.is_empty());
    let used = world.engine.ledger.used(BudgetLevel::Investigation, &whole.id.to_string()).await.unwrap();
    let spent = world.engine.ledger.spent(whole.id).await.unwrap();
    assert_eq!(used.tokens, spent.tokens());
    assert!(used.tokens <= cap, "{} of {cap}", used.tokens);
    let parts = parts_of(&world, &whole).await;
    assert!(parts.iter().any(|part| part.progress.final_session), "the cap was felt");
    for part in parts {
        let own = world.engine.ledger.used(BudgetLevel::Investigation, &part.id.to_string()).await.unwrap();
        assert_eq!(own.tokens, 0, "it has no budget of its own");
    }
}

/// Outcome of a divided question, independent of crashes.
#[derive(Debug, PartialEq)]
struct Outcome {
    graph: (u64, u64, u64),
    /// The whole, then its parts, each with what was written on it.
    written: Vec<(String, Status, String)>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_question_killed_while_dividing_or_merging_keeps_each_part_once() {
    let template = folder();
    let world = World::open(&template, 320, |_| {}).await;
    let person = world.person("ada").await;
    let collection = world.collection(&person).await;
    world.ingest(collection, &three_reports()).await;
    world.ask(&person, collection, WHOLE).await;
    world.close().await;

    let fault_point = FaultPoint::never();
    let (left, model) = live(&copy(&template), fault_point.clone(), 321).await;
    let expected = left.expect("nobody kills it");
    // From the first call of the whole to that of a part, and from the last call of a part to the synthesis. Every other point is one of
    // an ordinary investigation.
    let seen = model.seen.lock().unwrap().clone();
    let first = |words: &str| seen.iter().position(|(_, request)| opening(request).contains(words)).unwrap();
    let last = |words: &str| seen.iter().rposition(|(_, request)| opening(request).starts_with(words)).unwrap();
    let divided = seen[0].0.saturating_sub(2)..seen[first(&format!("Question: {FIRE_QUESTION}"))].0;
    let merged = seen[last(&format!("Question: {BURNT}"))].0..seen[first("Parts of the question")].0 + 2;
    let points: Vec<u64> = divided.chain(merged).collect();
    assert!(points.len() > 40, "{points:?}");
    let only_outcome =
        |folder: Folder, fault_point: Arc<FaultPoint>, seed: u64| async move { live(&folder, fault_point, seed).await.0 };
    survive_each(&template, points, expected, only_outcome).await;
}

/// A process from its start to the end of the question, or to its own.
async fn live(folder: &Folder, fault_point: Arc<FaultPoint>, seed: u64) -> (Option<Outcome>, Arc<Divider>) {
    let mut joined = None;
    let mut world = World::open(folder, seed, |parts| {
        guard(parts, &fault_point);
        joined = Some(Divider { fault_point: Some(fault_point.clone()), ..Divider::default() }.join(parts));
    })
    .await;
    let dead = fault_point.dead.clone();
    let left = tokio::select! {
        left = run_investigation(&mut world) => Some(left),
        () = dead.cancelled() => None,
    };
    world.kill().await;
    (left, joined.unwrap())
}

async fn run_investigation(world: &mut World) -> Outcome {
    let stored = world.store.clone();
    engine::investigations::Investigations::forget_holders(&stored).await.unwrap();
    engine::queue::Queue::forget_workers(&stored).await.unwrap();
    let person = world.person("ada").await;
    let filter = InvestigationFilter { owner: Some(person.id), limit: 10, ..InvestigationFilter::default() };
    let listed = engine::investigations::Investigations::list(&stored, &filter).await.unwrap();
    let whole = listed.into_iter().find(|one| one.parent_id.is_none()).unwrap();
    world.start(1);
    let (whole, events) = world.end_of(whole.id).await;
    assert_eq!(LiveState::from_events(&events).ended_parts(), (2, 2));
    let graph = world.engine.graph.counts(&whole.scope).await.unwrap();
    let parts = parts_of(world, &whole).await;
    let all = world.engine.investigations.list(&filter).await.unwrap();
    assert_eq!((all.len(), parts.len()), (3, 2), "no part is lost, and none is there twice");
    let mut written = vec![];
    for one in std::iter::once(whole).chain(parts) {
        let sessions = world.engine.sessions.sessions(one.id).await.unwrap();
        assert!(sessions.iter().all(|session| session.status != SessionStatus::Running), "{sessions:#?}");
        let text = without_cost(&without_ids(&world.assessment(&one).await));
        written.push((one.question, one.progress.status, text));
    }
    Outcome { graph, written }
}
