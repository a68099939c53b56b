//! Tests of the agent loop with valid and invalid replies.

use super::prelude::*;
use domain::investigation::Depth;
use protocol::{fence::unfenced, tools::ClaimsFound};

/// The end of a scripted investigation.
struct Run {
    world: World,
    investigation: Investigation,
    analyst: Arc<Script>,
}

async fn play(analyst: Arc<Script>, processor: Arc<Script>, limit: impl FnOnce(&mut EngineConfig)) -> Run {
    let mut world = World::open(&folder(), 5, |parts| {
        parts.role_models.analyst = analyst.clone().into();
        parts.role_models.processor = processor.clone().into();
        limit(&mut parts.config);
    })
    .await;
    let (investigation, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    Run { world, investigation, analyst }
}

async fn play_analyst(lines: Vec<Line>, after: After) -> Run {
    play(Script::new(lines, after), Script::new(vec![], After::Extractive), |_| {}).await
}

async fn play_processor(lines: Vec<Line>, after: After) -> Run {
    play(Script::new(vec![], After::Extractive), Script::new(lines, after), |_| {}).await
}

impl Run {
    fn status(&self) -> Status {
        self.investigation.progress.status
    }

    async fn orders(&self) -> Vec<domain::work_order::WorkOrder> {
        self.world.engine.work_orders.work_orders(self.investigation.id).await.unwrap()
    }

    async fn sessions(&self) -> Vec<SessionStatus> {
        let sessions = self.world.engine.sessions.sessions(self.investigation.id).await.unwrap();
        sessions.into_iter().map(|session| session.status).collect()
    }

    /// Whether some tool result was an error with these words.
    fn analyst_was_told(&self, words: &str) -> bool {
        self.analyst.results().iter().any(|(content, is_error)| *is_error && content.contains(words))
    }
}

/// The first message of the first conversation.
fn opening(script: &Script) -> String {
    match script.seen.lock().unwrap()[0].messages.first() {
        Some(Message::User { text }) => text.to_string(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_analyst_knows_the_current_day() {
    let played = play_analyst(vec![says("done")], After::Extractive).await;
    assert!(opening(&played.analyst).contains("\nToday: 2031-10-"), "{}", opening(&played.analyst));
}

#[tokio::test]
async fn a_session_accepts_either_orders_or_an_assessment() {
    let played =
        play_analyst(vec![calls(vec![order("read everything"), assessment(1.0)]), says("done")], After::Extractive).await;
    assert!(played.analyst_was_told("has created work orders"));
    assert_eq!(played.status(), Status::Completed);
    assert_eq!(played.orders().await.len(), 1);
    let stored = played.world.assessment(&played.investigation).await;
    assert_ne!(stored.assessment.body.title, "Nothing known", "the second session wrote it");
}

#[tokio::test]
async fn nothing_comes_after_the_assessment() {
    let played = play_analyst(vec![calls(vec![assessment(1.0), order("read everything")])], After::Extractive).await;
    assert_eq!(played.status(), Status::Completed);
    assert!(played.orders().await.is_empty());
    assert_eq!(
        played.world.assessment(&played.investigation).await.assessment.cost.tokens_in,
        3,
        "the call that wrote it counts"
    );
}

#[tokio::test]
async fn an_unknown_tool_and_arguments_that_do_not_fit_go_back_to_the_model() {
    let lines = vec![calls(vec![("read_minds", json!({}))]), calls(vec![("search_claims", json!({"query": 7}))])];
    let played = play_analyst(lines, After::Extractive).await;
    assert!(played.analyst_was_told("there is no tool 'read_minds'"));
    assert!(played.analyst_was_told("arguments do not fit:\n- '/query'"));
    assert_eq!(played.status(), Status::Completed);
}

#[tokio::test]
async fn a_claim_that_a_result_holds_comes_again_by_reference_alone() {
    let search = || calls(vec![("search_claims", json!({}))]);
    let played = play_analyst(vec![vague_order(), search(), search()], After::Extractive).await;
    let results = played.analyst.results();
    let found = results.iter().filter_map(|(content, _)| serde_json::from_str::<ClaimsFound>(unfenced(content)).ok());
    let found: Vec<ClaimsFound> = found.take(2).collect();
    let [first, again] = &found[..] else { panic!("{results:?}") };
    let refs: Vec<&String> = first.claims.iter().map(|claim| &claim.reference).collect();
    assert!(!refs.is_empty() && first.shown.is_empty());
    assert_eq!(again.shown.iter().collect::<Vec<_>>(), refs, "in the same order");
    assert!(again.claims.is_empty() && again.documents.is_empty() && again.entities.is_empty());
    assert_eq!((first.total, first.next_offset), (again.total, again.next_offset));
}

#[tokio::test]
async fn an_order_for_documents_that_were_read_is_refused() {
    let order_first =
        || calls(vec![("create_work_order", json!({"objective": "read it", "source_guidance": ["documents d1"]}))]);
    let search = || calls(vec![("search_claims", json!({}))]);
    let played = play_analyst(vec![vague_order(), search(), order_first()], After::Extractive).await;
    assert!(played.analyst_was_told("these documents have been read"), "{:?}", played.analyst.results());
    assert_eq!((played.status(), played.orders().await.len()), (Status::Completed, 1));
}

#[tokio::test]
async fn a_final_session_is_not_given_orders() {
    // Two replies to a session, two sessions before the program orders the documents read, and two after it.
    let lines = (0..8).map(|_| says("hm")).chain([calls(vec![order("read everything")])]).collect();
    let played = play_analyst(lines, After::Extractive).await;
    assert!(played.analyst_was_told("'create_work_order' is not available in this session"));
    let seen = played.analyst.seen.lock().unwrap();
    let offered = |n: usize| seen[n].tools.iter().any(|tool| tool.name == "create_work_order");
    assert!((0..8).all(offered) && !offered(8));
    assert_ne!(seen[0].system, seen[8].system, "it is told that it must end with the assessment");
    assert_eq!(played.status(), Status::Completed);
}

#[tokio::test]
async fn empty_sessions_force_the_final_one_and_then_a_partial_report() {
    let analyst = Script::new(vec![], After::Empty);
    let mut world = World::open(&folder(), 5, |parts| parts.role_models.analyst = analyst.clone().into()).await;
    let (investigation, _) = world.investigate(&[], FIRE_QUESTION).await;
    let played = Run { world, investigation, analyst };
    assert_eq!(played.status(), Status::Failed);
    assert_eq!(played.sessions().await, [SessionStatus::Empty; 4], "there is nothing to read");
    let stored = played.world.assessment(&played.investigation).await;
    assert!(stored.is_partial && stored.assessment.body.bottom_line.starts_with("We do not know"));
    assert!(stored.assessment.body.hypotheses.is_empty(), "nothing is certain for want of other answers");
}

#[tokio::test]
async fn a_session_that_calls_too_many_tools_is_ended() {
    let look = || calls(vec![("list_fetch_sources", json!({})), ("list_fetch_sources", json!({}))]);
    let analyst = Script::new(vec![look(), look()], After::Empty);
    let played = play(analyst, Script::new(vec![], After::Extractive), |config| config.analyst_max_tool_calls = 3).await;
    assert_eq!(played.sessions().await[0], SessionStatus::Empty);
    let seen = played.analyst.seen.lock().unwrap();
    assert_eq!(seen[2].messages.len(), 1, "the third call is a new session's first");
}

#[tokio::test]
async fn a_cycle_has_so_many_orders_and_each_once() {
    let orders = vec![order("read the first"), order("Read  the FIRST"), order("read the second"), order("read the third")];
    let analyst = Script::new(vec![calls(orders), says("done")], After::Extractive);
    let played = play(analyst, Script::new(vec![], After::Extractive), |config| config.max_work_orders_per_cycle = 2).await;
    assert!(played.analyst_was_told("this cycle has its 2 work orders"));
    let second = &played.analyst.results()[1];
    assert!(second.0.contains("\"is_new\":false"), "{second:?}");
    let orders = played.orders().await;
    assert_eq!(orders.len(), 2);
    assert_eq!(played.status(), Status::Completed);
}

#[tokio::test]
async fn a_quick_question_has_the_orders_and_cycles_of_its_depth() {
    let orders = vec![order("read the first"), order("read the second"), order("read the third")];
    let analyst = Script::new(vec![calls(orders), says("done")], After::Extractive);
    let mut world = World::open(&folder(), 5, |parts| {
        parts.role_models.analyst = analyst.clone().into();
        let quick = &mut parts.config.depth.quick;
        (quick.max_work_orders_per_cycle, quick.max_cycles) = (2, 1);
    })
    .await;
    world.terms.depth = Depth::Quick;
    let (investigation, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    let played = Run { world, investigation, analyst };
    assert!(played.analyst_was_told("this cycle has its 2 work orders"));
    assert_eq!(played.orders().await.len(), 2);
    let progress = &played.investigation.progress;
    assert_eq!((played.status(), progress.cycle, progress.final_session), (Status::Completed, 1, true));
}

#[tokio::test]
async fn the_last_try_before_two_failed_cycles_is_made_by_the_built_in_provider() {
    let played = play_processor(vec![], After::Nonsense).await;
    assert_eq!(played.status(), Status::Completed);
    let orders: Vec<_> = played.orders().await.iter().map(|order| (order.cycle, order.status, order.attempt)).collect();
    assert_eq!(orders, [(1, WorkOrderStatus::Failed, 2), (2, WorkOrderStatus::Completed, 2)]);
}

#[tokio::test]
async fn two_cycles_of_failed_orders_fail_with_a_partial_report() {
    // The built-in provider fails too.
    let broken = Script::new(vec![], After::Nonsense);
    let mut world = World::open(&folder(), 5, |parts| {
        parts.role_models.processor = broken.clone().into();
        parts.named_models = Arc::new(move |_: &str| broken.clone().into());
    })
    .await;
    let (investigation, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    let played = Run { world, investigation, analyst: Script::new(vec![], After::Empty) };
    assert_eq!(played.status(), Status::Failed);
    let orders = played.orders().await;
    assert!(orders.iter().all(|order| order.status == WorkOrderStatus::Failed && order.attempt == 2), "{orders:#?}");
    assert_eq!(orders.iter().map(|order| order.cycle).max(), Some(2));
    let stored = played.world.assessment(&played.investigation).await;
    assert!(stored.is_partial);
    assert!(stored.assessment.body.gaps.iter().any(|gap| gap.text.starts_with("Not collected")));
}
