//! Rounds of the interviewer: each goes on with the interviews that wait for it, up to the next question to the person.
//!
//! Invariant: a round that is killed is repeated from the last stored step of its session; nothing is asked or stored twice.

use crate::{
    agent::{HandOver, INTERVIEW, INTERVIEWER, ProposedInterests, limits, message, opening},
    drafts::Drafts,
    guide::{CardSet, Guide},
    interview::{Interview, InterviewId, InterviewState, Transcript, Turn},
    settings::InterviewSettings,
    sharpen::SHARPENING,
    store::InterviewStore,
};
use domain::{CollectionId, Scope, UserId, investigation::WebAccess};
use engine::{
    StoreError, StoreResult,
    agents::{FeatureRun, PersonReply, RunOutcome, machine::PersonQuestion, run_role_watched},
};
use feature::Web;
use futures::future::join_all;

/// Age in milliseconds from which the session of a question that was not sharpened to the end is removed.
const SHARPENING_MS: i64 = 24 * 60 * 60 * 1_000;

/// Note on an interview that the interviewer ended before its last scenario.
const ENDED_EARLY: &str = "The interviewer ended the talk before the last scenario.";

/// Runs one round: goes on with the interviews that wait for the interviewer.
pub async fn run_round(web: &Web) -> StoreResult<()> {
    let (store, settings) = (InterviewStore::new(web), web.settings.get::<InterviewSettings>());
    for object in store.stray_sessions().await? {
        web.engine.sessions.remove_of_object(INTERVIEW, object).await?;
    }
    let now = web.engine.clock.now();
    for object in store.abandoned_sharpenings(now.plus_ms(-SHARPENING_MS)).await? {
        web.engine.sessions.remove_of_object(SHARPENING, object).await?;
    }
    let due = store.take_due(now, now.plus_ms(settings.lease_ms.cast_signed()), settings.per_round).await?;
    let runs = due.into_iter().map(|(user, id)| go_on(web, &store, &settings, user, id));
    let results: StoreResult<Vec<()>> = join_all(runs).await.into_iter().collect();
    results.map(drop)
}

/// Goes on with one interview.
async fn go_on(
    web: &Web,
    store: &InterviewStore,
    settings: &InterviewSettings,
    user: UserId,
    id: InterviewId,
) -> StoreResult<()> {
    let guide = Guide::load(&web.agents.prompts)?;
    let Some(transcript) = store.transcript(user, id).await? else { return Ok(()) };
    let missing = || StoreError::Defect(format!("config has no set of cards '{}'", transcript.interview.set));
    let set = guide.set(&transcript.interview.set).ok_or_else(missing)?;
    let opening = opening(&guide, set, &transcript, settings.proposals).unwrap_or_default();
    let reply = last_reply(&guide, set, &transcript);
    let run = FeatureRun {
        role: INTERVIEWER.role,
        kind: INTERVIEW,
        id: id.0,
        user,
        // The interviewer reads and stores no documents: its collection is one that does not exist.
        scope: Scope::from(CollectionId(id.0)),
        collection: CollectionId(id.0),
        question: set.title.clone(),
        opening,
        addresses: vec![],
        web: WebAccess::Off,
        limits: limits(set, settings),
        tool_limits: vec![],
    };
    let now = || web.engine.clock.now();
    let retry_at = || now().plus_ms(settings.retry_ms.cast_signed());
    let drafts = Drafts::of_process(web).await;
    let written = drafts.begin(id);
    let outcome = run_role_watched(&web.engine, &web.agents, &run, reply.as_ref(), Some(&written)).await;
    drafts.remove(id);
    match outcome? {
        RunOutcome::Waiting(question) => hand_over(web, store, set, &transcript.interview, question).await?,
        RunOutcome::Answered(answer) => {
            let proposals = match serde_json::from_value::<ProposedInterests>(answer) {
                Ok(proposed) => proposed.into_proposals(&transcript, settings.proposals),
                Err(error) => return Err(StoreError::Defect(error.to_string())),
            };
            let Some(ended) = store.transcript(user, id).await? else { return Ok(()) };
            let is_complete = ended.interview.is_stopped || ended.is_past_last_card(set.count_cards());
            let note = if is_complete { "" } else { ENDED_EARLY };
            store.finish(id, InterviewState::Review, &proposals, note, now()).await?;
        }
        RunOutcome::Suspended(outage) => store.pause(id, retry_at(), &outage.reason).await?,
        RunOutcome::OutOfBudget(cap) => store.pause(id, retry_at(), &cap.to_string()).await?,
        RunOutcome::Failed(why) => store.finish(id, InterviewState::Failed, &[], &why, now()).await?,
    }
    store.announce();
    Ok(())
}

/// Returns what the person did at the last turn as the reply to the question at which the session waits; none at the first card, which
/// the opening has.
fn last_reply(guide: &Guide, set: &CardSet, transcript: &Transcript) -> Option<PersonReply> {
    let last = transcript.turns.iter().rev().find(|turn| turn.action.is_some() && turn.number > 0)?;
    Some(PersonReply { number: last.number, text: Some(message(guide, set, transcript, last)) })
}

/// Puts what the interviewer hands over to the person.
async fn hand_over(
    web: &Web,
    store: &InterviewStore,
    set: &CardSet,
    interview: &Interview,
    question: PersonQuestion,
) -> StoreResult<()> {
    let unreadable = || StoreError::Defect("the question of the session is unreadable".to_owned());
    let turn = |card: u32, is_card: bool, remark: String, text: String| Turn {
        number: question.number,
        card,
        is_card,
        remark,
        question: text,
        action: None,
        reply: String::new(),
        reason: None,
    };
    match HandOver::parse(&question.text).ok_or_else(unreadable)? {
        HandOver::Question { remark, question } => {
            store.put_turn(interview.id, &turn(interview.card, false, remark, question)).await
        }
        HandOver::NextCard { remark } => {
            let card = interview.card + 1;
            let situation = set.card(card).map(|card| card.situation.clone()).unwrap_or_default();
            store.put_turn(interview.id, &turn(card, true, remark, situation)).await
        }
        HandOver::Crisis => end_in_crisis(web, interview.user, interview.id).await,
    }
}

/// Ends an interview in a crisis, and removes its session.
pub async fn end_in_crisis(web: &Web, user: UserId, id: InterviewId) -> StoreResult<()> {
    InterviewStore::new(web).end_in_crisis(user, id, web.engine.clock.now()).await?;
    web.engine.sessions.remove_of_object(INTERVIEW, id.0).await
}
