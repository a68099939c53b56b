//! Names that are probably one thing, put before a model over both wires: what it says, what it garbles, and when it is not there.

use super::prelude::*;
use domain::{Collection, entity::Review};
use engine::{
    agents::record::{MachineRequest, RecordedStep},
    replay,
};
use scripted::{Reply, ReplyCondition};

/// Of two documents that name one person, or two.
fn papers() -> Vec<Paper> {
    let first = "Robert Castellan said on Thursday that the Red Anchor group set the fire at the Tolm depot.";
    let second = "Bob Castellan denied on Friday that the Red Anchor group set the fire at the Tolm depot.";
    vec![Paper::new("a.txt", "Harbour Gazette", "2031-05-02", first), Paper::new("b.txt", "Tolm Radio", "2031-05-03", second)]
}

/// The verdict on every pair, if the names are between marks.
fn plays(text: &str) -> Transcript {
    let when = ReplyCondition { role: None, text: Some("Pairs of names, one a line:\n<outside-text nonce=\"".into()) };
    let reply = Reply { when, text: text.into(), ..Reply::default() };
    Transcript { replies: vec![reply; 9], then: Fallback::Empty }
}

fn verdict(verdict: &str) -> Transcript {
    plays(&json!({"verdicts": [{"pair": 1, "verdict": verdict, "reason": "he is called so"}]}).to_string())
}

/// Outcome of an investigation.
#[derive(Debug)]
struct Came {
    castellans: Vec<String>,
    reviews: Vec<Review>,
    claims: u64,
    documents: Vec<DocumentId>,
    judge_requests: u64,
    /// Calls of the judge in the ledger, and what they used.
    judge_calls: Vec<(CallOutcome, u64)>,
    judge_steps: usize,
    said_calls: u64,
}

async fn play(judge: Option<Chain>, server: Option<&Server>, change: impl FnOnce(&mut EngineConfig)) -> Came {
    let mut world = World::open(&folder(), 210, |parts| {
        parts.role_models.judge = judge;
        parts.config.extract.batch_documents = 1;
        change(&mut parts.config);
    })
    .await;
    let (ended, _) = world.investigate(&papers(), FIRE_QUESTION).await;
    world.engine.drain().await;
    assert_eq!(ended.progress.status, Status::Completed);
    let engine = &world.engine;
    let (mut judge_calls, mut judge_steps) = (vec![], 0);
    for session in engine.sessions.sessions(ended.id).await.unwrap() {
        assert_eq!(session.status, SessionStatus::Completed);
        for call in engine.ledger.model_calls(session.id).await.unwrap() {
            if call.model == "scripted" {
                assert_eq!(session.role, AgentRole::Processor);
                judge_calls.push((call.outcome, call.spent.tokens()));
            }
        }
        for step in engine.sessions.steps(session.id).await.unwrap() {
            judge_steps += usize::from(matches!(
                RecordedStep::read(&step).unwrap().asked,
                MachineRequest::Model { phase: engine::agents::machine::Phase::Judge, .. }
            ));
        }
    }
    let mut said_calls = 0;
    for session in replay::replay(engine, &world.agents, ended.id).await.unwrap() {
        assert_eq!(session.difference, None, "{session:#?}");
        assert_eq!(session.steps, session.same_steps);
        if session.role == AgentRole::Processor {
            said_calls += session.said.calls;
        }
    }
    let query = EntityQuery { text: Some("Castellan".into()), candidates: 9, ..EntityQuery::default() };
    let castellans = engine.graph.find_entities(&ended.scope, &query).await.unwrap();
    let query = DocumentQuery { limit: 9, ..DocumentQuery::default() };
    let documents = engine.documents.list(&ended.scope, &query).await.unwrap().documents;
    let documents: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
    let came = Came {
        castellans: castellans.into_iter().map(|found| found.item.canonical_name).collect(),
        reviews: engine.graph.reviews(&ended.scope, 0, 9).await.unwrap(),
        claims: engine.graph.counts(&ended.scope).await.unwrap().0,
        documents: engine.documents.extracted(&documents).await.unwrap().into_iter().collect(),
        judge_requests: server.map_or(0, |server| server.log().requests),
        judge_calls,
        judge_steps,
        said_calls,
    };
    world.close().await;
    came
}

async fn judged(wire: ApiKind, transcript: Transcript, plan: FaultPlan) -> Came {
    let server = Server::start(Options { transcript, plan, ..Options::default() }).await.unwrap();
    play(Some(chain(wire, &server)), Some(&server), |_| {}).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_verdict_of_the_judge_decides_and_an_unsure_one_waits_for_a_person() {
    let alone = play(None, None, |_| {}).await;
    assert_eq!((alone.castellans.len(), alone.reviews.len(), alone.judge_steps), (2, 1, 0), "{alone:#?}");
    for wire in [ApiKind::Anthropic, ApiKind::Openai] {
        let same = judged(wire, verdict("same"), FaultPlan::default()).await;
        assert_eq!((same.castellans.len(), same.reviews.len()), (1, 0), "{wire:?}: {same:#?}");
        let different = judged(wire, verdict("different"), FaultPlan::default()).await;
        assert_eq!((different.castellans.len(), different.reviews.len()), (2, 0), "{wire:?}: {different:#?}");
        let unsure = judged(wire, verdict("unsure"), FaultPlan::default()).await;
        assert_eq!((unsure.castellans.len(), unsure.reviews.len()), (2, 1), "{wire:?}: {unsure:#?}");
        assert!(unsure.reviews[0].why.ends_with("; judged unsure: he is called so"), "{:?}", unsure.reviews);
        for came in [same, different, unsure] {
            assert_eq!((came.claims, came.documents.len()), (alone.claims, 2));
            assert_eq!((came.judge_requests, came.judge_steps), (1, 1), "one call for a pack, none where nothing is open");
            assert!(matches!(came.judge_calls[..], [(CallOutcome::Answered, used)] if used > 0), "{:?}", came.judge_calls);
            assert_eq!(came.said_calls, alone.said_calls + 1, "it counts as what documents cost");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_usable_verdict_both_entities_stay_and_the_pair_waits() {
    let alone = play(None, None, |_| {}).await;
    let broken: [(&str, Transcript, FaultPlan); 7] = [
        ("garbage", plays("I cannot say."), FaultPlan::default()),
        ("another shape", plays(r#"{"verdicts": [{"pair": 1, "verdict": "perhaps", "reason": ""}]}"#), FaultPlan::default()),
        ("another pair", plays(r#"{"verdicts": [{"pair": 7, "verdict": "same", "reason": ""}]}"#), FaultPlan::default()),
        ("down", verdict("same"), FaultPlan::single(FaultKind::Overloaded)),
        ("key refused", verdict("same"), FaultPlan::single(FaultKind::Auth)),
        ("refusal", verdict("same"), FaultPlan::single(FaultKind::Refusal)),
        ("truncated", verdict("same"), FaultPlan::single(FaultKind::TruncatedJson)),
    ];
    for wire in [ApiKind::Anthropic, ApiKind::Openai] {
        for (what, transcript, plan) in &broken {
            let came = judged(wire, transcript.clone(), plan.clone()).await;
            assert_eq!((came.castellans.len(), came.documents.len()), (2, 2), "{wire:?}, {what}: {came:#?}");
            assert_eq!((came.claims, came.reviews.len()), (alone.claims, 1), "{wire:?}, {what}");
            assert_eq!(came.reviews[0].why, alone.reviews[0].why, "{wire:?}, {what}");
            assert!(came.judge_requests > 0, "{wire:?}, {what}");
        }
    }
}

/// Verdicts for one person, on private documents and a shared one.
struct Private {
    /// Names of the entities called Castellan, each with its aliases.
    castellans: Vec<Vec<String>>,
    /// Input of the judge.
    told: String,
    asked: usize,
}

async fn judged_in_private(world: &mut World, shared: CollectionId, name: &str, judge: &Script) -> Private {
    let person = world.person(name).await;
    let own = world.collection(&person).await;
    let text = format!("Bob Castellan told {name} on Friday that the Tolm depot had no guards. The {name} papers are secret.");
    world.ingest(own, &[Paper::new(&format!("{name}.txt"), "Notes", "2031-05-03", &text)]).await;
    let seen = judge.calls();
    let scope = Scope::new(vec![shared, own]);
    let asked = world.ask_within(&person, own, scope.clone(), FIRE_QUESTION, None).await;
    let (ended, _) = world.end_of(asked.id).await;
    assert_eq!(ended.progress.status, Status::Completed);
    let told = judge.seen.lock().unwrap()[seen..].iter().map(|request| format!("{:?}", request.messages)).collect();
    Private { castellans: castellans(world, &scope).await, told, asked: judge.calls() - seen }
}

async fn castellans(world: &World, scope: &Scope) -> Vec<Vec<String>> {
    let query = EntityQuery { text: Some("Castellan".into()), candidates: 9, ..EntityQuery::default() };
    let found = world.engine.graph.find_entities(scope, &query).await.unwrap();
    let names = found.into_iter().map(|found| {
        let mut names = found.item.aliases;
        names.push(found.item.canonical_name);
        names.sort_unstable();
        names.dedup();
        names
    });
    let mut all: Vec<Vec<String>> = names.collect();
    all.sort_unstable();
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_verdict_on_private_documents_counts_only_for_their_readers() {
    let verdict = |verdict: &'static str| match verdict {
        "same" => says(r#"{"verdicts":[{"pair":1,"verdict":"same","reason":"so orla wrote"}]}"#),
        _ => says(r#"{"verdicts":[{"pair":1,"verdict":"different","reason":"so tyl wrote"}]}"#),
    };
    let judge = Script::new(vec![verdict("same"), verdict("different")], After::Empty);
    let asked = judge.clone();
    let mut world = World::open(&folder(), 211, |parts| parts.role_models.judge = Some(asked.into())).await;
    let system = world.person("everybody").await;
    let open = Collection {
        id: CollectionId(world.engine.ids.next()),
        kind: CollectionKind::Shared,
        name: "open".into(),
        owner: system.id,
        created_at: world.engine.clock.now(),
    };
    let shared = world.engine.accounts.ensure_collection(&open).await.unwrap().id;
    world.ingest(shared, &papers()[..1]).await;
    world.start(1);
    let asked = world.ask(&system, shared, FIRE_QUESTION).await;
    world.end_of(asked.id).await;

    let orla = judged_in_private(&mut world, shared, "orla", &judge).await;
    assert_eq!(orla.asked, 1);
    assert_eq!(orla.castellans, [["Bob Castellan", "Robert Castellan"]], "one person, as her judge said");
    // The same name in the documents of somebody else is asked about anew, and what they say decides for them alone.
    let tyl = judged_in_private(&mut world, shared, "tyl", &judge).await;
    assert_eq!(tyl.asked, 1);
    assert!(tyl.told.contains("Bob Castellan"), "{}", tyl.told);
    assert!(!tyl.told.contains("orla"), "{}", tyl.told);
    assert_eq!(tyl.castellans, [["Bob Castellan"], ["Robert Castellan"]]);
    assert_eq!(castellans(&world, &Scope::from(shared)).await, [["Robert Castellan"]], "whoever reads what is open alone");
    let reviews = world.engine.graph.reviews(&Scope::from(shared), 0, 9).await.unwrap();
    assert!(reviews.is_empty(), "{reviews:?}");
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_judge_is_asked_only_if_it_can_judge_and_is_enabled() {
    let extractive: Chain = super::world::EXTRACTIVE.clone().into();
    assert!(extractive.judges().is_none());
    let server = Server::start(Options { transcript: verdict("same"), ..Options::default() }).await.unwrap();
    let model = chain(ApiKind::Openai, &server);
    let mixed = Chain::new(super::world::EXTRACTIVE.clone(), vec![model.first().clone()]).judges().unwrap();
    assert_eq!(mixed.first().model(), "scripted");
    let came = play(Some(mixed), Some(&server), |config| config.judge.max_pairs = 0).await;
    assert_eq!((came.judge_requests, came.judge_steps, came.reviews.len()), (0, 0, 1));
}
