//! Weak models over both wires: every question ends with an evidence brief at least.

use super::prelude::*;

async fn play(chain: Chain) -> (World, Investigation, StoredAssessment) {
    let mut world = World::playing(120, chain.clone(), chain).await;
    let (ended, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    let stored = world.assessment(&ended).await;
    (world, ended, stored)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_question_ends_with_an_evidence_brief_at_least() {
    let text = |text: &str| FaultKind::Hostile { text: text.into() };
    let weaknesses = [
        ("prose", text("I think that somebody set the fire, but it cannot be known.")),
        ("a fence around nothing of use", text("Here it is:\n```json\n{\"answer\": \"arson\"}\n```")),
        (
            "an unknown tool in a text",
            text("I look.\n<tool_call>{\"name\":\"google\",\"arguments\":{\"q\":\"fire\"}}</tool_call>"),
        ),
        ("an unknown tool", FaultKind::WrongTool),
        ("cut", FaultKind::MaxTokens),
        ("empty", FaultKind::Empty),
    ];
    for wire in [ApiKind::Anthropic, ApiKind::Openai] {
        for (weakness, kind) in weaknesses.clone() {
            let server = Server::start(Options { plan: FaultPlan::single(kind), ..Options::default() }).await.unwrap();
            let (world, ended, stored) = play(chain(wire, &server)).await;
            let told = format!("{wire:?} {weakness}: {:?}", ended.reason);
            assert_eq!((ended.progress.status, stored.is_partial), (Status::Failed, true), "{told}");
            let brief = &stored.assessment;
            assert_eq!(brief.kind, AssessmentKind::EvidenceBrief, "{told}");
            assert!(!brief.citations.is_empty() && !brief.body.bottom_line.starts_with("We do not know"), "{told}: {brief:#?}");
            assert!(brief.body.hypotheses.iter().all(|one| one.probability.is_none()), "{told}");
            assert!(brief.body.gaps[0].impact.as_deref().unwrap().starts_with("The investigation failed: "), "{told}");
            assert_eq!(brief.producer.provider, "extractive", "{told}");
            world.close().await;
        }
        // Calls in a fence after other words are calls: nothing is lost.
        let server =
            Server::start(Options { plan: FaultPlan::single(FaultKind::FencedCalls), ..Options::default() }).await.unwrap();
        let (world, ended, stored) = play(chain(wire, &server)).await;
        assert_eq!((ended.progress.status, stored.is_partial), (Status::Completed, false), "{wire:?}: {:?}", ended.reason);
        world.close().await;
    }
}

/// The text of the last message of the user.
fn last_words(messages: &[Message]) -> &str {
    match messages.last() {
        Some(Message::User { text }) => text,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_talking_model_is_reminded_of_its_tools_and_the_next_session_gets_the_reason() {
    let script = Script::new(vec![says("Arson."), says("It was arson."), calls(vec![assessment(1.0)])], After::Extractive);
    let (world, ended, stored) = play(script.clone().into()).await;
    let seen = script.seen.lock().unwrap().iter().map(|request| request.messages.clone()).collect::<Vec<_>>();
    let nudge = last_words(&seen[1]);
    assert_eq!(nudge, "Only text came. Order with `create_work_order`.", "there are no claims to write about");
    let opening = last_words(&seen[2]);
    assert!(
        opening.ends_with("The last session ended without a result: only text came, without work orders or an assessment"),
        "{opening}"
    );
    assert_eq!((ended.progress.status, stored.is_partial), (Status::Completed, false));
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_are_read_before_a_final_session_and_by_the_built_in_provider_where_the_model_cannot() {
    let analyst = Script::new(vec![], After::Empty);
    let processor: Arc<Script> = Script::new((0..2).map(|_| says("I cannot read this.")).collect::<Vec<Line>>(), After::Down);
    let mut world = World::playing(121, analyst.clone(), processor.clone()).await;
    let (ended, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    let orders = world.engine.work_orders.work_orders(ended.id).await.unwrap();
    let [order] = &orders[..] else { panic!("one order, once: {orders:#?}") };
    assert_eq!(
        (order.status, order.tries(), &order.source_guidance[..]),
        (WorkOrderStatus::Completed, 2, &["documents unread".to_owned()][..])
    );
    assert_eq!(processor.calls(), 2, "one try of the model, without a plan");
    let sessions = world.engine.sessions.sessions(ended.id).await.unwrap();
    let analysts: Vec<_> =
        sessions.iter().filter(|session| session.role == AgentRole::Analyst).map(|session| session.status).collect();
    assert_eq!(analysts[..6], [SessionStatus::Empty; 6], "two before the reading, two after it, and two final ones");
    assert_eq!(analysts[6..], [SessionStatus::Completed], "the evidence brief");
    world.close().await;
}
