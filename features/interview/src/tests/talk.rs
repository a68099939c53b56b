//! Interviews with a scripted model.

use super::{SCHEMAS, store};
use crate::{
    agent::{INTERVIEW, INTERVIEWER},
    drafts::{Drafts, question_so_far},
    guide::Guide,
    interview::{InterviewId, InterviewState, SignalKind, Transcript, TransitionReason},
    pages::actions::{ActForm, ActOutcome, new_interview, take_action},
    rounds::run_round,
};
use async_trait::async_trait;
use domain::{UserId, agent::SessionOwner};
use engine::{Engine, Parts, sessions::Sessions};
use feature::{Web, testing::TestSite};
use protocol::model::{CallDraft, Model, ModelError, ModelReply, ModelRequest, ReplyProgress};
use serde_json::{Value, json};
use std::sync::Arc;
use testkit::{ScriptedModel, ScriptedTurn, TestBackend};

/// A backend with an interview of a person, at its first card.
pub struct Stage {
    pub backend: TestBackend,
    user: UserId,
    id: InterviewId,
}

impl Stage {
    pub async fn new() -> Self {
        let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
        let user = backend.user("ada").await;
        let web = scripted_web(&backend, &ScriptedModel::new(vec![]));
        let guide = Guide::load(&web.agents.prompts).unwrap();
        let begun = new_interview(&web, user, guide.set("habits").unwrap());
        assert!(store(&backend).add(&begun, 1).await.unwrap());
        Self { backend, user, id: begun.interview.id }
    }

    async fn transcript(&self) -> Transcript {
        store(&self.backend).transcript(self.user, self.id).await.unwrap().unwrap()
    }

    /// Does something at the open turn.
    async fn act(&self, form: ActForm) {
        let turn = self.transcript().await.open_turn().unwrap().number;
        assert_eq!(self.send(ActForm { turn, ..form }).await, ActOutcome::Done);
    }

    /// Sends the form of a page.
    async fn send(&self, form: ActForm) -> ActOutcome {
        let web = scripted_web(&self.backend, &ScriptedModel::new(vec![]));
        take_action(&web, self.user, self.id, &form).await.unwrap()
    }

    pub async fn choose(&self, choice: usize) {
        self.act(ActForm { choice: Some(choice), ..ActForm::default() }).await;
    }

    pub async fn answer(&self, text: &str) {
        self.act(ActForm { action: "answer".into(), text: text.into(), ..ActForm::default() }).await;
    }

    async fn press(&self, action: &str) {
        self.act(ActForm { action: action.into(), ..ActForm::default() }).await;
    }

    /// Checks the signals and the transition at the end of the worked example.
    pub async fn assert_worked_example(&self) {
        let transcript = self.transcript().await;
        let found: Vec<_> = transcript.signals.iter().filter(|one| !one.is_initial).collect();
        let figures: Vec<_> = found.iter().map(|one| (one.kind, one.confidence, one.source.as_str())).collect();
        assert_eq!(
            figures,
            [
                (SignalKind::Value, 0.7, "friend from college, haven't seen in months"),
                (SignalKind::Defense, 0.8, "we'd reschedule"),
                (SignalKind::Pattern, 0.9, "I meant to but"),
            ]
        );
        assert_eq!(transcript.turns[3].reason, Some(TransitionReason::SignalsExtracted));
        let open = transcript.open_turn().unwrap();
        assert_eq!((open.card, open.is_card, transcript.interview.card), (1, true, 1));
        assert_eq!(open.remark, "That's a pattern worth noticing. Let's keep going.");
    }

    /// Runs a round of the interviewer with these replies; returns the last request.
    async fn round(&self, replies: Vec<ScriptedTurn>) -> String {
        let model = ScriptedModel::new(replies);
        run_round(&scripted_web(&self.backend, &model)).await.unwrap();
        let last = model.requests().pop();
        last.map(|request| serde_json::to_string(&request.messages).unwrap()).unwrap_or_default()
    }

    /// Runs a round that is killed at the call of the model after `replies`.
    async fn killed_round(&self, mut replies: Vec<ScriptedTurn>) {
        let calls = replies.len() + 1;
        replies.push(ScriptedTurn::Hang);
        let model = ScriptedModel::new(replies);
        let web = scripted_web(&self.backend, &model);
        tokio::select! {
            ended = run_round(&web) => panic!("{ended:?}"),
            () = model.until_called(calls) => {}
        }
        self.backend.clock.forward_ms(180_001);
    }
}

fn scripted_web(backend: &TestBackend, model: &Arc<ScriptedModel>) -> Web {
    web_with(backend, model.clone())
}

/// State of the handlers with a model.
pub fn web_with(backend: &TestBackend, model: Arc<dyn Model>) -> Web {
    let mut web = TestSite::new(crate::feature(), backend).web;
    let mut parts: Parts = (*web.engine).clone();
    parts.role_models.analyst = model.into();
    web.engine = Engine::new(parts);
    web
}

fn reply(text: &str, calls: Vec<(&'static str, Value)>) -> ScriptedTurn {
    ScriptedTurn::Reply(text.into(), calls)
}

pub fn ask(question: &str) -> (&'static str, Value) {
    ("ask_follow_up", json!({"question": question, "intent": "find_root_cause"}))
}

fn extract(kind: &str, content: &str, source: &str, confidence: f64) -> (&'static str, Value) {
    ("extract_signal", json!({"type": kind, "content": content, "source": source, "confidence": confidence}))
}

pub fn move_on(reason: &str) -> (&'static str, Value) {
    ("transition_to_scenario", json!({"reason": reason}))
}

/// The three extractions of the worked example.
pub fn extractions() -> [(&'static str, Value); 3] {
    [
        extract(
            "VALUE",
            "Values old friendships but sacrifices them for work",
            "friend from college, haven't seen in months",
            0.7,
        ),
        extract("DEFENSE", "Uses future promise to justify present sacrifice", "we'd reschedule", 0.8),
        extract("PATTERN", "Good intentions don't translate to action", "I meant to but", 0.9),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_worked_example_gives_three_signals_and_a_transition_also_when_it_is_killed() {
    let stage = Stage::new().await;
    let [first, second, third] = extractions();
    stage.choose(0).await;
    let initial = stage.transcript().await.signals;
    let initial: Vec<_> = initial.iter().map(|one| (one.content.as_str(), one.confidence)).collect();
    assert_eq!(initial, [("people-pleasing", 0.6), ("work-priority", 0.8)]);

    stage.killed_round(vec![]).await;
    let opening = stage.round(vec![reply("", vec![ask("Who was Sarah?")])]).await;
    for slot in [
        "Cancel on Sarah. Work first.",
        "PATTERN work-priority (0.8)",
        "Goal: ",
        "propose in the end: at most 8",
        "intention-gap = ",
    ] {
        assert!(opening.contains(slot), "{slot}: {opening}");
    }
    assert!(opening.contains("anti_vision: What are you running from?") && opening.contains("trade_off: What has to give?"));
    assert_eq!(stage.transcript().await.open_turn().unwrap().question, "Who was Sarah?");
    stage.answer("A friend from college. We haven't seen each other in months.").await;
    stage.round(vec![reply("", vec![first, ask("What did you tell yourself to make it okay to cancel?")])]).await;
    stage.answer("That she'd understand. That work is important. That we'd reschedule.").await;
    stage.round(vec![reply("", vec![second, ask("Did you reschedule?"), ask("Why not?")])]).await;
    assert_eq!(stage.transcript().await.open_turn().unwrap().question, "Did you reschedule?", "one question at a time");
    stage.answer("No. I meant to but...").await;
    stage.killed_round(vec![reply("", vec![third])]).await;
    stage.round(vec![reply("That's a pattern worth noticing. Let's keep going.", vec![move_on("signals_extracted")])]).await;

    stage.assert_worked_example().await;
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signals_without_an_answer_a_quotation_or_confidence_are_refused() {
    let stage = Stage::new().await;
    stage.choose(0).await;
    let [first, ..] = extractions();
    let early = stage.round(vec![reply("", vec![first.clone()]), reply("", vec![ask("Who was Sarah?")])]).await;
    assert!(early.contains("extract after an answer"), "{early}");
    stage.answer("A friend from school.").await;
    let doubtful = extract("VALUE", "Friends", "friend from school", 0.6);
    let refused = stage.round(vec![reply("", vec![first, doubtful]), reply("", vec![ask("What now?")])]).await;
    assert!(refused.contains("exact words") && refused.contains("confidence above 0.6"), "{refused}");
    assert!(stage.transcript().await.signals.iter().all(|one| one.is_initial));
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn single_words_are_noted_and_deflection_ends_the_scenario() {
    let stage = Stage::new().await;
    stage.choose(0).await;
    stage.round(vec![reply("", vec![ask("Who was Sarah?")])]).await;
    stage.answer("Friend").await;
    let one_word = stage.round(vec![reply("", vec![ask("What is underneath that?")])]).await;
    assert!(one_word.contains("a single word"), "{one_word}");
    stage.answer("Weiß ich nicht.").await;
    let avoided = stage.round(vec![reply("", vec![ask("Is it work?")])]).await;
    assert!(avoided.contains("avoids the question"), "{avoided}");
    stage.answer("whatever, next question").await;
    let ended = stage.round(vec![reply("", vec![ask("Really?")]), reply("", vec![move_on("user_deflecting")])]).await;
    assert!(ended.contains("call transition_to_scenario with reason user_deflecting"), "{ended}");
    let transcript = stage.transcript().await;
    assert_eq!(transcript.turns[3].reason, Some(TransitionReason::UserDeflecting));
    assert_eq!(transcript.open_turn().unwrap().card, 1);
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scenario_ends_with_the_third_signal() {
    let stage = Stage::new().await;
    stage.choose(0).await;
    stage.round(vec![reply("", vec![ask("Who was Sarah?")])]).await;
    stage.answer("A friend from college.").await;
    let found =
        ["old friends", "loyalty", "the past", "college"].map(|what| extract("VALUE", what, "friend from college", 0.8));
    let moved = vec![move_on("signals_extracted")];
    let ended = stage.round(vec![reply("", found.into()), reply("", vec![ask("And?")]), reply("", moved)]).await;
    assert_eq!(ended.matches("enough signals on this scenario").count(), 2, "the fourth signal and the question: {ended}");
    let transcript = stage.transcript().await;
    assert_eq!(transcript.signals.iter().filter(|one| !one.is_initial).count(), 3);
    assert_eq!(transcript.open_turn().unwrap().card, 1);
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scenario_ends_for_its_signals_only_with_two_that_are_sure() {
    let stage = Stage::new().await;
    stage.choose(0).await;
    stage.round(vec![reply("", vec![ask("Who was Sarah?")])]).await;
    stage.answer("A friend from college.").await;
    let early = vec![extract("VALUE", "old friends", "friend from college", 0.9), move_on("signals_extracted")];
    let refused = stage.round(vec![reply("", early), reply("", vec![ask("And then?")])]).await;
    assert!(refused.contains("fewer than 2 signals with a confidence above 0.7"), "{refused}");
    stage.answer("We lost touch after college.").await;
    let second = extract("FEAR", "losing touch", "We lost touch", 0.8);
    stage.round(vec![reply("", vec![second, move_on("signals_extracted")])]).await;
    let transcript = stage.transcript().await;
    assert_eq!(transcript.turns[2].reason, Some(TransitionReason::SignalsExtracted));
    assert_eq!(transcript.open_turn().unwrap().card, 1);
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_on_short_answers_is_given_once_in_a_row() {
    let stage = Stage::new().await;
    stage.choose(0).await;
    let mut last = String::new();
    for (question, answer) in
        [("Who was Sarah?", "Friend"), ("What is underneath that?", "Work"), ("Whose work?", "It was mine.")]
    {
        last = stage.round(vec![reply("", vec![ask(question)])]).await;
        stage.answer(answer).await;
    }
    assert!(last.contains("Friend") && last.contains("\\\"Work\\\""), "{last}");
    assert_eq!(last.matches("a single word").count(), 1, "{last}");
    stage.round(vec![reply("", vec![ask("And then?")])]).await;
    stage.answer("Nothing").await;
    let later = stage.round(vec![reply("", vec![move_on("conversation_complete")])]).await;
    assert_eq!(later.matches("a single word").count(), 2, "a longer answer is between: {later}");
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn skipping_every_card_and_stopping_leads_to_a_profile_and_proposals() {
    let stage = Stage::new().await;
    stage.press("skip").await;
    let skipped = stage.round(vec![reply("", vec![ask("Why?")]), reply("", vec![move_on("user_skipped")])]).await;
    assert!(skipped.contains("The person skips this scenario") && skipped.contains("reason user_skipped"), "{skipped}");
    stage.choose(2).await;
    stage.round(vec![reply("", vec![ask("About what?")])]).await;
    stage.answer("Grain transit through the Bosphorus. I want to know early.").await;
    stage.round(vec![reply("", vec![ask("How early?")])]).await;
    stage.press("stop").await;
    let profile = json!({
        "pattern": "I think about it all day.", "anti_pattern": "", "vision": "I want to know early.", "anti_vision": "", "trade_off": "",
    });
    let interests = r#"{"interests": [
        {"sentence": "Grain transit through the Bosphorus", "because": "Grain transit through the Bosphorus"},
        {"sentence": "Football", "because": "I love football"}
    ]}"#;
    let replies =
        vec![reply("", vec![ask("One more?")]), reply("", vec![("synthesize_profile", profile)]), reply("Done.", vec![])];
    let last = stage.round(replies.into_iter().chain([reply(interests, vec![])]).collect()).await;
    assert!(last.contains("The person stops here") && last.contains("the person has stopped"), "{last}");
    let transcript = stage.transcript().await;
    assert_eq!((transcript.interview.state, transcript.interview.note.as_str()), (InterviewState::Review, ""));
    assert_eq!(transcript.interview.profile.unwrap().vision, "I want to know early.");
    let proposed: Vec<_> = transcript.proposals.iter().map(|one| one.sentence.as_str()).collect();
    assert_eq!(proposed, ["Grain transit through the Bosphorus"], "an interest without the person's words is left out");
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_in_prose_is_asked_with_the_tool_and_prose_alone_ends_early_with_a_note() {
    let stage = Stage::new().await;
    let interests = || reply(r#"{"interests": []}"#, vec![]);
    stage.choose(0).await;
    let nudged = stage.round(vec![reply("Who was Sarah?", vec![]), reply("", vec![ask("Who was Sarah?")])]).await;
    assert!(nudged.contains("Only text came") && nudged.contains("`ask_follow_up`"), "{nudged}");
    assert_eq!(stage.transcript().await.open_turn().unwrap().question, "Who was Sarah?");
    stage.answer("A friend from college.").await;
    let prose = || reply("What did you tell yourself?", vec![]);
    let last = stage.round(vec![prose(), prose(), interests()]).await;
    assert!(last.contains("A friend from college.") && !last.contains("Only text came"), "{last}");
    let ended = stage.transcript().await.interview;
    assert_eq!((ended.state, ended.profile, ended.is_stopped), (InterviewState::Review, None, false));
    assert_eq!(ended.note, "The interviewer ended the talk before the last scenario.");
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_that_the_person_removed_is_not_among_those_of_the_profile() {
    let stage = Stage::new().await;
    let [first, ..] = extractions();
    stage.choose(0).await;
    stage.round(vec![reply("", vec![ask("Who was Sarah?")])]).await;
    stage.answer("A friend from college. We haven't seen each other in months.").await;
    stage.round(vec![reply("", vec![first, ask("What did you tell yourself?")])]).await;
    let found = stage.transcript().await.signals.into_iter().find(|one| !one.is_initial).unwrap();
    assert!(store(&stage.backend).remove_signal(stage.user, stage.id, found.id).await.unwrap());
    stage.press("stop").await;
    let profile = json!({"pattern": "Work first.", "anti_pattern": "", "vision": "", "anti_vision": "", "trade_off": ""});
    let replies =
        [reply("", vec![("synthesize_profile", profile)]), reply("Done.", vec![]), reply(r#"{"interests": []}"#, vec![])];
    let last = stage.round(replies.into()).await;
    let kept = last.split("All signals that the person kept: ").nth(1).unwrap().split(". Use no other").next().unwrap();
    assert!(kept.contains("PATTERN work-priority (0.8)") && !kept.contains("old friendships"), "{kept}");
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_that_is_removed_after_the_end_takes_what_rested_on_it_out_of_the_profile() {
    let stage = Stage::new().await;
    let [first, ..] = extractions();
    stage.choose(0).await;
    stage.round(vec![reply("", vec![ask("Who was Sarah?")])]).await;
    stage.answer("A friend from college. We haven't seen each other in months.").await;
    stage.round(vec![reply("", vec![first, ask("What did you tell yourself?")])]).await;
    stage.press("stop").await;
    let profile = json!({
        "pattern": "Work first.", "anti_pattern": "", "vision": "Old friendships.", "anti_vision": "", "trade_off": "",
    });
    let replies =
        [reply("", vec![("synthesize_profile", profile)]), reply("Done.", vec![]), reply(r#"{"interests": []}"#, vec![])];
    stage.round(replies.into()).await;
    let ended = stage.transcript().await;
    assert_eq!(ended.interview.profile.unwrap().vision, "Old friendships.");
    let found = ended.signals.iter().find(|one| !one.is_initial).unwrap();
    assert!(store(&stage.backend).remove_signal(stage.user, stage.id, found.id).await.unwrap());
    let interview = stage.transcript().await.interview;
    let profile = interview.profile.unwrap();
    assert_eq!(
        (profile.pattern.as_str(), profile.vision.as_str()),
        ("Work first.", ""),
        "the pattern rests on the choice, too"
    );
    assert!(interview.note.contains("You removed a line"), "{}", interview.note);
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_that_is_removed_while_the_profile_is_written_is_not_in_it() {
    let stage = Stage::new().await;
    let [first, ..] = extractions();
    stage.choose(0).await;
    stage.round(vec![reply("", vec![ask("Who was Sarah?")])]).await;
    stage.answer("A friend from college. We haven't seen each other in months.").await;
    stage.round(vec![reply("", vec![first, ask("What did you tell yourself?")])]).await;
    stage.press("stop").await;
    // The model has the list of signals when the round is killed.
    stage.killed_round(vec![]).await;
    let found = stage.transcript().await.signals.into_iter().find(|one| !one.is_initial).unwrap();
    assert!(store(&stage.backend).remove_signal(stage.user, stage.id, found.id).await.unwrap());
    let profile = |vision: &str| {
        let parts = json!({"pattern": "Work first.", "anti_pattern": "", "vision": vision, "anti_vision": "", "trade_off": ""});
        reply("", vec![("synthesize_profile", parts)])
    };
    let replies = vec![profile("Old friendships."), profile(""), reply("Done.", vec![]), reply(r#"{"interests": []}"#, vec![])];
    let last = stage.round(replies).await;
    assert!(last.contains("the signals have changed"), "{last}");
    let written = stage.transcript().await.interview.profile.unwrap();
    assert_eq!((written.pattern.as_str(), written.vision.as_str()), ("Work first.", ""));
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_skip_while_the_interviewer_thinks_leaves_out_the_rest_of_the_scenario() {
    let stage = Stage::new().await;
    let skip = |turn: u32| ActForm { turn, action: "skip".into(), ..ActForm::default() };
    stage.choose(0).await;
    stage.round(vec![reply("", vec![ask("Who was Sarah?")])]).await;
    stage.answer("A friend from college.").await;
    assert_eq!(stage.send(skip(0)).await, ActOutcome::Late, "an earlier turn");
    for _ in 0..2 {
        assert_eq!(stage.send(skip(1)).await, ActOutcome::Done);
    }
    let last = stage.round(vec![reply("", vec![ask("Why?")]), reply("", vec![move_on("user_skipped")])]).await;
    assert!(last.contains("the person skips this scenario"), "{last}");
    let transcript = stage.transcript().await;
    let answered = &transcript.turns[1];
    assert_eq!((answered.reply.as_str(), answered.reason), ("A friend from college.", Some(TransitionReason::UserSkipped)));
    assert_eq!((transcript.turns.len(), transcript.open_turn().unwrap().card), (3, 1), "the question is not put");
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_while_the_interviewer_thinks_leads_to_the_profile_and_later_answers_are_refused() {
    let stage = Stage::new().await;
    let answer = |text: &str| ActForm { turn: 1, action: "answer".into(), text: text.into(), ..ActForm::default() };
    stage.choose(2).await;
    stage.round(vec![reply("", vec![ask("About what?")])]).await;
    assert_eq!(stage.send(answer("The port of Odesa.")).await, ActOutcome::Done);
    assert_eq!(stage.send(answer("The port of Odesa.")).await, ActOutcome::Done, "one that is sent twice counts once");
    assert_eq!(stage.send(answer("The port of Varna.")).await, ActOutcome::Late);
    assert_eq!(stage.send(ActForm { action: "stop".into(), ..ActForm::default() }).await, ActOutcome::Done);
    assert!(stage.transcript().await.interview.is_stopped);
    let profile =
        json!({"pattern": "", "anti_pattern": "", "vision": "The port of Odesa.", "anti_vision": "", "trade_off": ""});
    let replies = [
        reply("", vec![ask("One more?")]),
        reply("", vec![("synthesize_profile", profile)]),
        reply("Done.", vec![]),
        reply(r#"{"interests": []}"#, vec![]),
    ];
    let last = stage.round(replies.into()).await;
    for text in ["The port of Odesa.", "The person stops here", "the person has stopped"] {
        assert!(last.contains(text), "{text}: {last}");
    }
    let ended = stage.transcript().await.interview;
    assert_eq!((ended.state, ended.note.as_str()), (InterviewState::Review, ""));
    assert_eq!(ended.profile.unwrap().vision, "The port of Odesa.");
    assert_eq!(stage.send(answer("The port of Varna.")).await, ActOutcome::Ended);
    assert_eq!(stage.send(answer("The port of Odesa.")).await, ActOutcome::Done, "it was stored");
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_of_crisis_end_the_interview_without_a_call_and_leave_no_session() {
    let stage = Stage::new().await;
    stage.choose(0).await;
    stage.round(vec![reply("", vec![ask("What is underneath that?")])]).await;
    let owner = SessionOwner::Feature { kind: INTERVIEW, id: stage.id.0 };
    assert!(stage.backend.store.unfinished(owner, INTERVIEWER.role).await.unwrap().is_some());
    stage.answer("Honestly, I want to die.").await;
    let transcript = stage.transcript().await;
    assert_eq!(transcript.interview.state, InterviewState::Crisis);
    assert!(transcript.turns.iter().all(|turn| !turn.reply.contains("die")), "{:?}", transcript.turns);
    assert!(stage.backend.store.unfinished(owner, INTERVIEWER.role).await.unwrap().is_none());
    assert_eq!(stage.round(vec![]).await, "", "no model is called");
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crisis_that_the_interviewer_notices_ends_the_interview() {
    let stage = Stage::new().await;
    stage.choose(0).await;
    stage.round(vec![reply("", vec![move_on("crisis")])]).await;
    let transcript = stage.transcript().await;
    assert_eq!(transcript.interview.state, InterviewState::Crisis);
    assert_eq!(transcript.turns[0].reason, Some(TransitionReason::Crisis));
    stage.backend.close().await;
}

/// A model that writes half a question, and nothing more.
#[derive(Default)]
struct HalfWritten(tokio::sync::Notify);

#[async_trait]
impl Model for HalfWritten {
    fn provider(&self) -> &'static str {
        "half"
    }

    fn model(&self) -> &'static str {
        "half-1"
    }

    fn streams(&self) -> bool {
        true
    }

    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let call = CallDraft::new("ask_follow_up", r#"{"question": "Who was S"#);
        request.progress.as_ref().unwrap().send_replace(ReplyProgress { bytes: 20, call, ..ReplyProgress::default() });
        self.0.notify_one();
        std::future::pending().await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_seen_while_it_is_written() {
    let stage = Stage::new().await;
    stage.choose(0).await;
    let model = Arc::new(HalfWritten::default());
    let web = web_with(&stage.backend, model.clone());
    tokio::select! {
        ended = run_round(&web) => panic!("{ended:?}"),
        () = model.0.notified() => {}
    }
    // The round was dropped as in a killed process: its last draft stays until the next round.
    let written = Drafts::of_process(&web).await.receiver(stage.id).unwrap();
    assert_eq!(question_so_far(written.borrow().call.as_deref()), "Who was S");
    stage.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_built_in_provider_leads_no_interview() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let web = TestSite::new(crate::feature(), &backend).web;
    assert!(!web.engine.has_model(INTERVIEWER.role).await.unwrap());
    assert!(scripted_web(&backend, &ScriptedModel::new(vec![])).engine.has_model(INTERVIEWER.role).await.unwrap());
    backend.close().await;
}
