//! The gateway as a session meets it: what is judged by whom, what is kept, and what a model reads of it.

use super::{prelude::*, world::config_files};
use domain::{
    agent::{Quality, ReflectedBy, Reflection, ToolCall},
    fetch::{Availability, FoundFeed, KeyUse, SourceEntry, SourceFailure, SourceHit, SourcePage, SourceQuery},
};
use engine::{
    agents::machine::{ToolEffect, ToolOutcome},
    fetch::{link_distance, sources::Catalogue},
};
use scripted::{Reply, ReplyCondition};
use std::sync::atomic::AtomicBool;

/// Where the paper stands.
const PAPER: &str = "https://gazette.test/depot-fire";

/// A session whose source is asked again, with another gateway than the one that it ran with.
struct RepeatedSession {
    world: World,
    agents: Agents,
    source: Arc<CountingSource>,
    investigation: Investigation,
    order: WorkOrder,
    session: SessionId,
    server: Option<Server>,
    recorded_before: usize,
}

/// A catalogue of two sources: an archive, and a wire of news. Both hold one paper on fires, and nothing else.
#[derive(Default)]
struct CountingSource {
    /// Searches so far.
    asked: AtomicU64,
    is_down: AtomicBool,
}

#[async_trait::async_trait]
impl Catalogue for CountingSource {
    async fn entries(&self) -> Result<Vec<SourceEntry>, FetchError> {
        let entry = |id: &str, is_current| SourceEntry {
            id: id.into(),
            name: id.into(),
            description: "Papers.".into(),
            is_current,
            coverage: "Fires.".into(),
            documentation: None,
            key: KeyUse::None,
            availability: Availability::Ready,
        };
        Ok(vec![entry("archive", false), entry("wire", true)])
    }

    async fn query(&self, _: &str, query: &SourceQuery, _: &[FeedEntry]) -> Result<SourcePage, SourceFailure> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.is_down.load(Ordering::Relaxed) {
            return Err(SourceFailure::outage("the archive does not answer"));
        }
        // Others may ask meanwhile.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        let paper = SourceHit {
            address: PAPER.into(),
            title: "The fire at the depot".into(),
            snippet: None,
            byline: None,
            outlet: Some("Harbour Gazette".into()),
            published: None,
            language: None,
        };
        let hits = if query.words == "fire" { vec![paper] } else { vec![] };
        Ok(SourcePage { total: Some(hits.len() as u64), hits, next: None })
    }

    async fn feeds(&self) -> Result<Vec<FeedEntry>, FetchError> {
        Ok(vec![])
    }

    async fn feeds_at(&self, _: &str) -> Result<Vec<FoundFeed>, SourceFailure> {
        Ok(vec![])
    }
}

/// Agents whose results of `fetch_source_query` are kept for as long as `cache` says.
fn agents(cache: &Value) -> Agents {
    let mut files = config_files();
    let path = "tools/processor/fetch_source_query.json";
    let mut file: Value = serde_json::from_str(files.get(path).unwrap()).unwrap();
    file["handler_config"]["cache"] = cache.clone();
    files.set(path, file.to_string());
    Agents::load(&files, "none").unwrap()
}

impl RepeatedSession {
    /// `says` is what the reflector answers; none: there is no reflector.
    async fn open(seed: u64, says: Option<&str>, plan: FaultPlan, cache: Value) -> Self {
        let server = match says {
            None => None,
            Some(text) => {
                let when = ReplyCondition { role: None, text: Some("Result:\n<outside-text nonce=\"".into()) };
                let reply = Reply { when, text: text.into(), ..Reply::default() };
                let transcript = Transcript { replies: vec![reply; 40], then: Fallback::Empty };
                Some(Server::start(Options { transcript, plan, ..Options::default() }).await.unwrap())
            }
        };
        let source = Arc::new(CountingSource::default());
        let reflector = server.as_ref().map(|server| chain(ApiKind::Openai, server));
        let mut world = World::open(&folder(), seed, |parts| {
            parts.role_models.reflector = reflector;
            parts.catalogue = Some(source.clone());
            // Circuits open again by the clock of the test alone.
            (parts.reliability.breaker.cooldown_ms, parts.reliability.breaker.max_cooldown_ms) = (3_600_000, 3_600_000);
            parts.config = EngineConfig {
                reflect: engine::config::ReflectConfig { timeout_ms: 700, ..Default::default() },
                web: engine::fetch::WebConfig { sources: vec!["archive".into(), "wire".into()], ..Default::default() },
                ..parts.config.clone()
            };
        })
        .await;
        let (investigation, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
        let mut order = world.engine.work_orders.work_orders(investigation.id).await.unwrap().remove(0);
        // What results are judged by.
        order.objective = FIRE_QUESTION.into();
        let sessions = world.engine.sessions.sessions(investigation.id).await.unwrap();
        let session = sessions.iter().find(|session| session.work_order_id().is_some()).unwrap().id;
        let recorded_before = world.engine.sessions.calls(session).await.unwrap().len();
        source.asked.store(0, Ordering::Relaxed);
        Self { world, agents: agents(&cache), source, investigation, order, session, server, recorded_before }
    }

    /// Asks the archive, whose answers may be given again.
    async fn ask(&self, query: &str) -> ToolOutcome {
        self.ask_source("archive", query).await
    }

    async fn ask_source(&self, source: &str, query: &str) -> ToolOutcome {
        self.ask_in(self.session, source, query).await
    }

    async fn ask_in(&self, session: SessionId, source: &str, query: &str) -> ToolOutcome {
        let engine = &self.world.engine;
        let (role, order) = (AgentRole::Processor, Some(&self.order));
        let context = ToolContext::new(engine, &self.agents.prompts, &self.investigation, session, role, order, ToolOffer::All);
        let arguments = json!({"source_id": source, "query_params": {"query": query}});
        let request = ToolRequest { id: "1".into(), name: "fetch_source_query".into(), arguments };
        self.agents.gateway.call(&context, &request).await.unwrap()
    }

    /// The calls since the session ended.
    async fn recorded(&self) -> Vec<ToolCall> {
        self.world.engine.sessions.calls(self.session).await.unwrap().split_off(self.recorded_before)
    }

    async fn verdicts(&self) -> Vec<Reflection> {
        self.recorded().await.into_iter().map(|call| call.reflection.unwrap()).collect()
    }

    fn requests(&self) -> u64 {
        self.server.as_ref().map_or(0, |server| server.log().requests)
    }
}

fn verdict(quality: &str, words: &str) -> String {
    json!({"answers": true, "quality": quality, "key_facts": [{"statement": "A paper is listed.", "words": words}],
        "summary": "One paper.", "confidence": 88})
    .to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_model_fixed_rules_judge_a_result() {
    let desk = RepeatedSession::open(300, None, FaultPlan::default(), json!("none")).await;
    let found = desk.ask_source("documents", "fire").await;
    assert!(!found.result.content.contains("[result judged"), "{}", found.result.content);
    assert!(matches!(&found.effect, ToolEffect::Found { .. }));
    let nothing = desk.ask_source("documents", "zeppelin").await;
    assert!(!nothing.result.is_error);
    let verdicts = desk.verdicts().await;
    assert_eq!((verdicts[0].by, verdicts[0].verified), (ReflectedBy::Checks, false), "{verdicts:?}");
    assert!(verdicts[0].confidence <= 60 && verdicts[0].summary.contains("no language model"));
    assert_eq!(verdicts[1], Reflection::nothing());
    let calls = desk.recorded().await;
    assert_eq!(calls[0].source.as_deref(), Some("documents"));
    let lines = desk.world.engine.sessions.tool_quality(desk.investigation.created_at).await.unwrap();
    assert!(lines.iter().any(|line| line.tool == "fetch_source_query" && line.qualities[3] >= 1), "{lines:?}");
    // What the graph says is never judged.
    assert!(lines.iter().filter(|line| line.tool.starts_with("search_")).all(|line| line.judged() == 0), "{lines:?}");
    desk.world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_judges_once_and_its_verdict_is_stored_and_charged() {
    let desk =
        RepeatedSession::open(301, Some(&verdict("good", "Harbour Gazette")), FaultPlan::default(), json!({"ttl_s": 600}))
            .await;
    let (first, second) = (desk.ask("fire").await, desk.ask("fire").await);
    assert!(
        first.result.content.ends_with("[result judged good for the question, confidence 88 of 100, verified]"),
        "{first:?}"
    );
    assert_eq!(protocol::fence::unfenced(&first.result.content), protocol::fence::unfenced(&second.result.content));
    let calls = desk.recorded().await;
    assert_eq!(calls.iter().map(|call| call.from_cache).collect::<Vec<_>>(), [false, true]);
    assert_eq!(desk.verdicts().await[1].key_facts, ["A paper is listed."]);
    assert_eq!(desk.requests(), 1, "the verdict was kept");
    let charged = desk.world.engine.ledger.model_calls(desk.session).await.unwrap();
    assert_eq!(charged.iter().filter(|call| call.model == "scripted").count(), 1);
    desk.world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_poor_result_is_left_out_of_the_conversation_and_kept_in_the_records() {
    let desk = RepeatedSession::open(302, Some(&verdict("poor", "Harbour Gazette")), FaultPlan::default(), json!("none")).await;
    let found = desk.ask("fire").await;
    assert!(found.result.content.contains("it is left out") && !found.result.content.contains("Harbour Gazette"));
    assert_eq!(desk.verdicts().await[0].quality, Quality::Poor);
    // A list of the library is read whole, so that no model is asked about it.
    let listed = desk.ask_source("documents", "fire").await;
    assert!(
        matches!(&listed.effect, ToolEffect::Found { .. }) && !listed.result.content.contains("[result judged"),
        "{listed:?}"
    );
    assert_eq!((desk.verdicts().await[1].by, desk.requests()), (ReflectedBy::Checks, 1));
    desk.world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_poor_result_is_not_cached_and_can_be_read_as_the_tool_gave_it() {
    let poor = verdict("poor", "Harbour Gazette");
    for (seed, says, objective) in [(309, Some(poor.as_str()), FIRE_QUESTION), (310, None, "Timetables of northern zeppelins")]
    {
        let mut desk = RepeatedSession::open(seed, says, FaultPlan::default(), json!({"ttl_s": 600})).await;
        desk.order.objective = objective.into();
        desk.ask("fire").await;
        desk.ask("fire").await;
        assert_eq!(desk.source.asked.load(Ordering::Relaxed), 2, "{says:?}");
        let calls = desk.recorded().await;
        assert!(calls.iter().all(|call| !call.from_cache && call.reflection.as_ref().unwrap().quality == Quality::Poor));
        match says {
            Some(_) => {
                assert!(!calls[0].result.contains("Harbour Gazette"), "left out");
                assert!(calls[0].raw.as_ref().unwrap().contains("Harbour Gazette"), "{:?}", calls[0].raw);
            }
            None => assert!(calls[0].result.contains("Harbour Gazette") && calls[0].raw.is_none(), "shown as it is"),
        }
        desk.world.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreliable_verdict_is_marked_and_not_stored() {
    let invented = verdict("excellent", "words that stand nowhere");
    let slow = FaultPlan::single(FaultKind::Delay { ms: 5_000 });
    for (seed, says, plan, least) in [
        (303, "I cannot say.", FaultPlan::default(), 2),
        (304, invented.as_str(), FaultPlan::default(), 2),
        (305, "{}", slow, 1),
    ] {
        let desk = RepeatedSession::open(seed, Some(says), plan, json!({"ttl_s": 600})).await;
        let (first, _) = (desk.ask("fire").await, desk.ask("fire").await);
        assert!(first.result.content.contains("Harbour Gazette"), "{says}: {first:?}");
        for verdict in desk.verdicts().await {
            assert!(!verdict.verified && verdict.confidence <= 60, "{says}: {verdict:?}");
        }
        assert!(desk.requests() >= least, "{says}: an unverified verdict was kept");
        for call in desk.recorded().await {
            assert!(call.latency.reflection_ms < 4_000, "{says}: {:?}", call.latency);
        }
        desk.world.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_source_that_is_down_is_not_asked_until_its_circuit_lets_a_probe_through() {
    let desk = RepeatedSession::open(311, None, FaultPlan::default(), json!("none")).await;
    let asked = || desk.source.asked.load(Ordering::Relaxed);
    let circuit = async || desk.world.engine.circuits.circuit("source archive").await.unwrap();
    desk.source.is_down.store(true, Ordering::Relaxed);
    for n in 0..5 {
        let refused = desk.ask(&format!("fire {n}")).await.result;
        assert!(refused.is_error && refused.content.contains("the archive does not answer"), "{refused:?}");
    }
    assert_eq!((asked(), circuit().await.state), (3, CircuitState::Open), "an open circuit is not asked");
    desk.source.is_down.store(false, Ordering::Relaxed);
    assert!(desk.ask("fire").await.result.content.contains("it is asked again later"));
    assert!(!desk.ask_source("wire", "fire").await.result.is_error, "other sources answer");
    desk.world.clock.forward_ms(desk.world.engine.reliability.breaker.cooldown_ms.cast_signed());
    assert!(desk.ask("fire").await.result.content.contains("Harbour Gazette"), "the probe");
    assert_eq!(circuit().await.state, CircuitState::Closed);
    desk.world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equal_concurrent_calls_share_one_execution() {
    let desk = RepeatedSession::open(306, None, FaultPlan::default(), json!({"ttl_s": 600})).await;
    let asked = futures::future::join_all((0..12).map(|_| desk.ask("fire"))).await;
    let first = protocol::fence::unfenced(&asked[0].result.content).to_owned();
    assert!(asked.iter().all(|outcome| protocol::fence::unfenced(&outcome.result.content) == first));
    assert!(asked.iter().all(|outcome| outcome.effect == asked[0].effect));
    let executed = desk.recorded().await.iter().filter(|call| !call.from_cache).count();
    assert_eq!((executed, desk.source.asked.load(Ordering::Relaxed)), (1, 1));
    desk.world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_session_may_open_the_links_of_a_cached_result() {
    let desk = RepeatedSession::open(307, None, FaultPlan::default(), json!({"ttl_s": 600})).await;
    let sessions = desk.world.engine.sessions.sessions(desk.investigation.id).await.unwrap();
    let other = sessions.iter().find(|session| session.id != desk.session).unwrap().id;
    desk.ask("fire").await;
    let may_open = async || link_distance(&desk.world.engine, other, &desk.investigation, None, PAPER).await.unwrap().is_some();
    assert!(!may_open().await);
    assert!(desk.world.engine.captures.is_listed(desk.investigation.id, PAPER).await.unwrap(), "an order may name it");
    let given = desk.ask_in(other, "archive", "fire").await;
    assert!(given.result.content.contains(PAPER) && may_open().await, "{given:?}");
    assert_eq!(desk.source.asked.load(Ordering::Relaxed), 1);
    desk.world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_of_news_library_and_disabled_caches_are_not_cached() {
    let desk = RepeatedSession::open(308, None, FaultPlan::default(), json!({"ttl_s": 600})).await;
    for source in ["wire", "documents"] {
        desk.ask_source(source, "fire").await;
        desk.ask_source(source, "fire").await;
    }
    assert!(desk.recorded().await.iter().all(|call| !call.from_cache));
    assert_eq!(desk.source.asked.load(Ordering::Relaxed), 2);
    desk.ask("fire").await;
    let engine = &desk.world.engine;
    let act =
        AuditEntry { at: engine.clock.now(), user: None, act: "switch_source".into(), object: "archive".into(), address: None };
    engine.source_log.switch_source("archive", false, &act).await.unwrap();
    assert!(desk.ask("fire").await.result.is_error);
    desk.world.close().await;
}
