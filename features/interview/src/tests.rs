//! Suite of the tables, on every backend.

mod routes;
mod sharpen;
mod talk;
mod wires;

use crate::{
    interview::{
        Decision, Interview, InterviewId, InterviewState, Profile, Proposal, Signal, SignalId, SignalKind, Transcript,
        TransitionReason, Turn, TurnAction,
    },
    store::{InterviewStore, SCHEMA},
};
use domain::UserId;
use feature::Schema;
use testkit::{TestBackend, assert_no_other_person_reads, assert_rows_go_with_their_objects, assert_transfer, id};

static SCHEMAS: [&Schema; 1] = [&SCHEMA];

testkit::on_every_backend! { crate::tests::SCHEMAS;
    interviews_survive_a_transfer
    no_interview_is_read_by_another_person
    interviews_are_removed_with_their_person
    a_turn_is_answered_once_and_handed_over_by_a_lease
    a_person_stops_at_a_question_or_while_it_is_written
    a_skipped_scenario_gets_no_question_that_was_on_its_way
    a_step_stores_a_signal_once_and_the_person_removes_it
    a_profile_is_stored_with_the_signals_that_it_was_written_from_alone
    only_their_person_decides_on_proposals_and_erases_them
}

fn store(backend: &TestBackend) -> InterviewStore {
    InterviewStore::from(backend.store.clone())
}

fn signal(content: &str, is_initial: bool) -> Signal {
    Signal {
        id: SignalId(id()),
        card: 0,
        is_initial,
        kind: SignalKind::Value,
        domain: "Traits, after HEXACO".into(),
        construct: "openness".into(),
        state: "high".into(),
        content: content.into(),
        source: "I look for what changed".into(),
        confidence: 0.7,
    }
}

/// An interview at its first card, with a signal and a proposal.
fn transcript(backend: &TestBackend, user: UserId) -> Transcript {
    let interview = Interview {
        id: InterviewId(id()),
        user,
        set: "watch".into(),
        state: InterviewState::Person,
        card: 0,
        is_stopped: false,
        note: String::new(),
        profile: Some(Profile { pattern: "I look for what changed".into(), ..Profile::default() }),
        started_at: backend.now(),
        ended_at: None,
    };
    let turn = Turn {
        number: 0,
        card: 0,
        is_card: true,
        remark: String::new(),
        question: "What comes first?".into(),
        action: None,
        reply: String::new(),
        reason: None,
    };
    let proposal = Proposal { number: 1, sentence: "Grain transit".into(), because: "what changed".into(), decision: None };
    Transcript { interview, turns: vec![turn], signals: vec![signal("corrected early", true)], proposals: vec![proposal] }
}

async fn interviews_survive_a_transfer(backend: &TestBackend) {
    let ada = backend.user("ada").await;
    assert!(store(backend).add(&transcript(backend, ada), 1).await.unwrap());
    assert_transfer(backend, &SCHEMAS).await;
}

async fn no_interview_is_read_by_another_person(backend: &TestBackend) {
    assert_no_other_person_reads(backend, &SCHEMA, &[]).await;
    let (store, ada, bob) = (store(backend), backend.user("ada").await, backend.user("bob").await);
    let added = transcript(backend, ada);
    assert!(store.add(&added, 1).await.unwrap());
    assert!(!store.add(&transcript(backend, ada), 1).await.unwrap(), "the limit holds");
    assert_eq!(store.transcript(ada, added.interview.id).await.unwrap(), Some(added.clone()));
    assert_eq!(store.transcript(bob, added.interview.id).await.unwrap(), None);
    assert_eq!((store.interviews(ada).await.unwrap().len(), store.interviews(bob).await.unwrap().len()), (1, 0));
}

async fn interviews_are_removed_with_their_person(backend: &TestBackend) {
    assert_rows_go_with_their_objects(backend, &SCHEMA, &[]).await;
}

async fn a_turn_is_answered_once_and_handed_over_by_a_lease(backend: &TestBackend) {
    let (store, ada) = (store(backend), backend.user("ada").await);
    let added = transcript(backend, ada);
    let (key, now) = ((ada, added.interview.id), backend.now());
    assert!(store.add(&added, 5).await.unwrap());
    assert_eq!(store.take_due(now, now.plus_ms(10), 5).await.unwrap(), [], "it is the person's turn");
    let chosen = [signal("a choice", true)];
    assert!(store.act(key, 0, TurnAction::Answer, "Look.", &chosen).await.unwrap());
    assert!(!store.act(key, 0, TurnAction::Skip, "", &[]).await.unwrap(), "it was answered");
    assert_eq!(store.take_due(now, now.plus_ms(10), 5).await.unwrap(), [key]);
    assert_eq!(store.take_due(now.plus_ms(9), now.plus_ms(20), 5).await.unwrap(), [], "another process holds it");
    assert_eq!(store.take_due(now.plus_ms(10), now.plus_ms(20), 5).await.unwrap(), [key], "the lease has expired");
    let question = Turn { number: 1, is_card: false, question: "Why?".into(), ..added.turns[0].clone() };
    for _ in 0..2 {
        store.put_turn(key.1, &question).await.unwrap();
    }
    store.close_card(key.1, 0, TransitionReason::ConversationComplete).await.unwrap();
    let read = store.transcript(ada, key.1).await.unwrap().unwrap();
    let is_stopped = read.interview.is_stopped;
    assert_eq!((read.interview.state, is_stopped, read.turns.len(), read.signals.len()), (InterviewState::Person, false, 2, 2));
    assert_eq!((read.turns[0].reply.as_str(), read.turns[0].reason), ("Look.", None));
    assert_eq!((read.turns[1].action, read.turns[1].reason), (None, Some(TransitionReason::ConversationComplete)));
    assert!(store.stop(ada, key.1).await.unwrap());
    assert!(store.transcript(ada, key.1).await.unwrap().unwrap().interview.is_stopped);
}

async fn a_person_stops_at_a_question_or_while_it_is_written(backend: &TestBackend) {
    let (store, ada, bob) = (store(backend), backend.user("ada").await, backend.user("bob").await);
    let (added, now) = (transcript(backend, ada), backend.now());
    let key = (ada, added.interview.id);
    assert!(store.add(&added, 5).await.unwrap());
    assert!(!store.stop(bob, key.1).await.unwrap());
    assert!(store.act(key, 0, TurnAction::Answer, "Look.", &[]).await.unwrap());
    assert_eq!(store.take_due(now, now.plus_ms(10), 5).await.unwrap(), [key]);
    assert!(store.stop(ada, key.1).await.unwrap());
    let question = Turn { number: 1, is_card: false, question: "Why?".into(), ..added.turns[0].clone() };
    store.put_turn(key.1, &question).await.unwrap();
    let read = store.transcript(ada, key.1).await.unwrap().unwrap();
    assert_eq!((read.interview.state, read.open_turn()), (InterviewState::Interviewer, None), "the person is not asked");
    assert_eq!((read.turns[0].action, read.turns[1].action), (Some(TurnAction::Answer), Some(TurnAction::Stop)));
    assert_eq!(store.take_due(now, now.plus_ms(10), 5).await.unwrap(), [key], "the interviewer goes on at once");
    store.finish(key.1, InterviewState::Review, &[], "", now).await.unwrap();
    assert!(!store.stop(ada, key.1).await.unwrap(), "it has ended");
}

async fn a_skipped_scenario_gets_no_question_that_was_on_its_way(backend: &TestBackend) {
    let (store, ada, bob) = (store(backend), backend.user("ada").await, backend.user("bob").await);
    let added = transcript(backend, ada);
    let key = (ada, added.interview.id);
    assert!(store.add(&added, 5).await.unwrap());
    assert!(!store.skip_scenario(key, 0).await.unwrap(), "it is the person's turn");
    assert!(store.act(key, 0, TurnAction::Answer, "Look.", &[]).await.unwrap());
    assert!(!store.skip_scenario((bob, key.1), 0).await.unwrap());
    assert!(store.skip_scenario(key, 0).await.unwrap());
    let question = Turn { number: 1, is_card: false, question: "Why?".into(), ..added.turns[0].clone() };
    store.put_turn(key.1, &question).await.unwrap();
    store.close_card(key.1, 0, TransitionReason::ConversationComplete).await.unwrap();
    let read = store.transcript(ada, key.1).await.unwrap().unwrap();
    assert_eq!((read.interview.state, read.open_turn()), (InterviewState::Interviewer, None), "the person is not asked");
    let ended = (read.turns[1].action, read.turns[1].reason);
    assert_eq!(ended, (Some(TurnAction::Skip), Some(TransitionReason::UserSkipped)));
    store.put_turn(key.1, &Turn { number: 2, card: 1, is_card: true, ..question }).await.unwrap();
    let read = store.transcript(ada, key.1).await.unwrap().unwrap();
    assert_eq!(read.open_turn().map(|turn| turn.card), Some(1), "the next card is put");
}

async fn a_step_stores_a_signal_once_and_the_person_removes_it(backend: &TestBackend) {
    let (store, ada, bob) = (store(backend), backend.user("ada").await, backend.user("bob").await);
    let added = transcript(backend, ada);
    let interview = added.interview.id;
    assert!(store.add(&added, 5).await.unwrap());
    for _ in 0..2 {
        store.add_signal(interview, 3, &signal("found", false)).await.unwrap();
    }
    let signals = store.transcript(ada, interview).await.unwrap().unwrap().signals;
    assert_eq!(
        signals.iter().map(|one| (one.content.as_str(), one.is_initial)).collect::<Vec<_>>(),
        [("corrected early", true), ("found", false)]
    );
    assert!(!store.remove_signal(bob, interview, signals[1].id).await.unwrap());
    assert!(store.remove_signal(ada, interview, signals[1].id).await.unwrap());
    assert_eq!(store.transcript(ada, interview).await.unwrap().unwrap().signals.len(), 1);
}

async fn a_profile_is_stored_with_the_signals_that_it_was_written_from_alone(backend: &TestBackend) {
    let (store, ada, bob) = (store(backend), backend.user("ada").await, backend.user("bob").await);
    let added = transcript(backend, ada);
    let (interview, kept) = (added.interview.id, added.signals[0].id);
    let found = signal("found", false);
    assert!(store.add(&added, 5).await.unwrap());
    store.add_signal(interview, 3, &found).await.unwrap();
    let profile = Profile { vision: "I hear of it early".into(), ..Profile::default() };
    assert!(!store.set_profile((bob, interview), &profile, 2).await.unwrap());
    assert!(store.remove_signal(ada, interview, found.id).await.unwrap());
    assert!(!store.set_profile((ada, interview), &profile, 2).await.unwrap(), "one was removed meanwhile");
    let read = store.transcript(ada, interview).await.unwrap().unwrap();
    assert_ne!(read.interview.profile, Some(profile.clone()));
    assert_eq!(read.signals.iter().map(|one| one.id).collect::<Vec<_>>(), [kept]);
    assert!(store.set_profile((ada, interview), &profile, 1).await.unwrap());
    assert_eq!(store.transcript(ada, interview).await.unwrap().unwrap().interview.profile, Some(profile));
}

async fn only_their_person_decides_on_proposals_and_erases_them(backend: &TestBackend) {
    let (store, ada, bob) = (store(backend), backend.user("ada").await, backend.user("bob").await);
    let (added, now) = (transcript(backend, ada), backend.now());
    let interview = added.interview.id;
    assert!(store.add(&added, 5).await.unwrap());
    assert!(!store.decide((bob, interview), 1, "Mine", Decision::Accepted, now).await.unwrap());
    assert_eq!(store.accepted(ada).await.unwrap(), []);
    assert!(store.decide((ada, interview), 1, "Grain on the Danube", Decision::Accepted, now).await.unwrap());
    let accepted = store.accepted(ada).await.unwrap();
    assert_eq!((accepted[0].sentence.as_str(), accepted[0].because.as_str()), ("Grain on the Danube", "what changed"));
    let again = store.decide((ada, interview), 1, "Grain on the Danube", Decision::Accepted, now).await.unwrap();
    assert!(again, "the same decision can be sent again");
    assert!(!store.decide((ada, interview), 1, "Grain on the Danube", Decision::Refused, now).await.unwrap());
    assert!(!store.decide((ada, interview), 1, "Grain", Decision::Accepted, now).await.unwrap());
    assert_eq!(store.accepted(ada).await.unwrap().len(), 1);
    assert!(!store.erase(bob, interview).await.unwrap());
    assert!(store.erase(ada, interview).await.unwrap());
    assert_eq!(store.transcript(ada, interview).await.unwrap(), None);
}
