//! Form posts of an interview: start, answer, skip, stop, decide and erase.

use super::home;
use crate::{
    agent::INTERVIEW,
    guide::{CardSet, Guide},
    interview::{Decision, Interview, InterviewId, InterviewState, SignalId, Transcript, Turn, TurnAction},
    rounds::end_in_crisis,
    settings::InterviewSettings,
    store::InterviewStore,
};
use app::{Notice, NoticeAction};
use axum::{body::Body, extract::Path, http::Response};
use domain::{UserId, user::User};
use engine::StoreResult;
use feature::{AnyFields, FormPost, MAX_INTEREST_CHARS, NoticeText, ProposedInterest, Web, redirect};
use serde::Deserialize;

/// Refusal of an empty or long answer. `InterviewNotice` fills in the limit.
pub const BAD_ANSWER: NoticeText = NoticeText {
    code: "bad_interview_answer",
    message: "Write an answer of at most {limit} characters, choose one of the answers, or skip.",
    action: NoticeAction { text: "See your interviews", href: home::PAGE },
};

/// Refusal of an answer to a question that is closed.
pub const LATE_ANSWER: NoticeText = NoticeText {
    code: "late_interview_answer",
    message: "That question is closed, so your answer was not sent.",
    action: NoticeAction { text: "See your interviews", href: home::PAGE },
};

/// Refusal of an answer to an interview that has ended.
pub const ENDED: NoticeText = NoticeText {
    code: "interview_ended",
    message: "This interview has ended, so your answer was not sent.",
    action: NoticeAction { text: "See your interviews", href: home::PAGE },
};

/// Refusal of one interview more than the limit.
pub const TOO_MANY: NoticeText = NoticeText {
    code: "too_many_interviews",
    message: "You keep as many interviews as this server allows. Erase one, then begin again.",
    action: NoticeAction { text: "See your interviews", href: home::PAGE },
};

/// Refusal of an interest without words, or with too many.
pub const BAD_SENTENCE: NoticeText = NoticeText {
    code: "bad_interest_sentence",
    message: "Write an interest of at most 500 characters.",
    action: NoticeAction { text: "See your interviews", href: home::PAGE },
};

/// Note that an accepted interest is kept here alone.
pub const NO_ROOM: NoticeText = NoticeText {
    code: "no_room_for_interest",
    message: "You have as many interests as this server allows. Delete one, then accept this again.",
    action: NoticeAction { text: "See your interests", href: "/monitor/interests" },
};

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct StartForm {
    set: String,
}

/// Form of a card or question: a choice, or an action with words.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ActForm {
    /// Number of the turn that was open.
    pub turn: u32,
    pub action: String,
    /// Number of a choice of the card.
    pub choice: Option<usize>,
    pub text: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct SignalForm {
    signal: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct DecideForm {
    number: u32,
    sentence: String,
    decision: String,
}

/// Returns the address of an interview.
pub fn address(id: InterviewId) -> String {
    format!("{}/{id}", home::PAGE)
}

/// Returns a new interview of a person, at its first card.
pub fn new_interview(web: &Web, user: UserId, set: &CardSet) -> Transcript {
    let interview = Interview {
        id: InterviewId(web.engine.ids.next()),
        user,
        set: set.key.clone(),
        state: InterviewState::Person,
        card: 0,
        is_stopped: false,
        note: String::new(),
        profile: None,
        started_at: web.engine.clock.now(),
        ended_at: None,
    };
    let first = Turn {
        number: 0,
        card: 0,
        is_card: true,
        remark: String::new(),
        question: set.card(0).map(|card| card.situation.clone()).unwrap_or_default(),
        action: None,
        reply: String::new(),
        reason: None,
    };
    Transcript { interview, turns: vec![first], signals: vec![], proposals: vec![] }
}

/// Handler of `POST /interview/start`.
pub async fn start(post: FormPost<StartForm>) -> Response<Body> {
    let web = &post.web;
    let guide = match Guide::load(&web.agents.prompts) {
        Ok(guide) => guide,
        Err(error) => return post.fail(home::PAGE, &error).await,
    };
    let Some(set) = guide.set(&post.form.set) else { return post.lead_to(home::PAGE, Notice::NotFound.code()) };
    let transcript = new_interview(web, post.user.id, set);
    let limit = web.settings.get::<InterviewSettings>().per_person;
    match InterviewStore::new(web).add(&transcript, limit).await {
        Ok(true) => redirect(&address(transcript.interview.id)),
        Ok(false) => post.lead_to(home::PAGE, TOO_MANY.code),
        Err(error) => post.fail(home::PAGE, &error).await,
    }
}

/// Outcome of an action of the person.
#[derive(Debug, PartialEq, Eq)]
pub enum ActOutcome {
    Done,
    BadAnswer,
    /// The question is closed, with another answer or a stop.
    Late,
    Ended,
    NotFound,
}

/// Handler of `POST /interview/{id}/act`.
pub async fn act(Path(id): Path<String>, post: FormPost<ActForm>) -> Response<Body> {
    let Ok(id) = id.parse::<InterviewId>() else { return post.lead_to(home::PAGE, Notice::NotFound.code()) };
    let page = address(id);
    match take_action(&post.web, post.user.id, id, &post.form).await {
        Ok(ActOutcome::Done) => redirect(&page),
        Ok(ActOutcome::BadAnswer) => post.refuse(&page, BAD_ANSWER.code).await,
        Ok(ActOutcome::Late) => post.refuse(&page, LATE_ANSWER.code).await,
        Ok(ActOutcome::Ended) => post.refuse(&page, ENDED.code).await,
        Ok(ActOutcome::NotFound) => post.lead_to(home::PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(&page, &error).await,
    }
}

/// Records what a person did at the open turn, or that they stop at any time. A skip while the interviewer thinks about an answer leaves
/// out the rest of the scenario. Words of a crisis end the interview instead, and are not stored.
pub async fn take_action(web: &Web, user: UserId, id: InterviewId, form: &ActForm) -> StoreResult<ActOutcome> {
    let (store, guide) = (InterviewStore::new(web), Guide::load(&web.agents.prompts)?);
    let Some(transcript) = store.transcript(user, id).await? else { return Ok(ActOutcome::NotFound) };
    if transcript.interview.state.is_open() && guide.is_crisis(&form.text) {
        end_in_crisis(web, user, id).await?;
        return Ok(ActOutcome::Done);
    }
    let action = if form.choice.is_some() { Some(TurnAction::Answer) } else { TurnAction::parse(&form.action) };
    if action == Some(TurnAction::Stop) {
        if store.stop(user, id).await? {
            store.announce();
        }
        return Ok(ActOutcome::Done);
    }
    let Some(turn) = transcript.turns.iter().find(|turn| turn.number == form.turn) else { return Ok(ActOutcome::NotFound) };
    let chosen = match (form.choice, turn.is_card) {
        (Some(number), true) => {
            let card = guide.set(&transcript.interview.set).and_then(|set| set.card(turn.card));
            card.and_then(|card| card.choices.get(number))
        }
        _ => None,
    };
    let text = form.text.trim();
    let is_fit = !text.is_empty() && text.chars().count() <= web.settings.get::<InterviewSettings>().max_answer_chars;
    let (action, reply, signals) = match (action, chosen) {
        (Some(TurnAction::Skip), _) => (TurnAction::Skip, "", vec![]),
        (Some(TurnAction::Answer), Some(choice)) => {
            let signals = choice.initial_signals(&guide, turn.card, || web.engine.ids.next());
            (TurnAction::Answer, choice.text.as_str(), signals)
        }
        (Some(TurnAction::Answer), None) if is_fit && !turn.is_card => (TurnAction::Answer, text, vec![]),
        _ => return Ok(ActOutcome::BadAnswer),
    };
    if store.act((user, id), turn.number, action, reply, &signals).await? {
        store.announce();
        return Ok(ActOutcome::Done);
    }
    let latest = store.transcript(user, id).await?;
    let outcome = latest.map_or(ActOutcome::NotFound, |latest| outcome_when_closed(&latest, turn.number, action, reply));
    let is_late_skip = outcome == ActOutcome::Late && action == TurnAction::Skip;
    Ok(if is_late_skip && store.skip_scenario((user, id), turn.number).await? { ActOutcome::Done } else { outcome })
}

/// Returns the outcome of an action at a turn that is not open. One that was sent twice counts once, and the page of a crisis says enough.
fn outcome_when_closed(transcript: &Transcript, number: u32, action: TurnAction, reply: &str) -> ActOutcome {
    let is_same = |turn: &Turn| turn.number == number && turn.action == Some(action) && turn.reply == reply;
    match transcript.interview.state {
        InterviewState::Crisis => ActOutcome::Done,
        _ if transcript.turns.iter().any(is_same) => ActOutcome::Done,
        state if state.is_open() => ActOutcome::Late,
        _ => ActOutcome::Ended,
    }
}

/// Handler of `POST /interview/{id}/signals/remove`.
pub async fn remove_signal(Path(id): Path<String>, post: FormPost<SignalForm>) -> Response<Body> {
    let (Ok(id), Ok(signal)) = (id.parse::<InterviewId>(), post.form.signal.parse::<SignalId>()) else {
        return post.lead_to(home::PAGE, Notice::NotFound.code());
    };
    match InterviewStore::new(&post.web).remove_signal(post.user.id, id, signal).await {
        Ok(true) => redirect(&address(id)),
        Ok(false) => post.lead_to(home::PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(&address(id), &error).await,
    }
}

/// Handler of `POST /interview/{id}/decide`: accepts or refuses a proposed interest.
pub async fn decide(Path(id): Path<String>, post: FormPost<DecideForm>) -> Response<Body> {
    let (Ok(id), Some(decision)) = (id.parse::<InterviewId>(), Decision::parse(&post.form.decision)) else {
        return post.lead_to(home::PAGE, Notice::NotFound.code());
    };
    let (web, page, sentence) = (&post.web, address(id), post.form.sentence.trim());
    let max_chars = match decision {
        Decision::Accepted => MAX_INTEREST_CHARS,
        Decision::Refused => web.settings.get::<InterviewSettings>().max_answer_chars,
    };
    if !sentence.chars().any(char::is_alphanumeric) || sentence.chars().count() > max_chars {
        return post.lead_to(&page, BAD_SENTENCE.code);
    }
    match record_decision(web, &post.user, (id, post.form.number), sentence, decision).await {
        Ok(Some(true)) => redirect(&format!("{page}#interests")),
        Ok(Some(false)) => post.lead_to(&page, NO_ROOM.code),
        Ok(None) => post.lead_to(home::PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(&page, &error).await,
    }
}

/// Records the decision of a person on a proposed interest, and gives an accepted one to the feature that keeps interests. Returns whether
/// there was room for it; none without the proposal.
async fn record_decision(
    web: &Web,
    user: &User,
    (id, number): (InterviewId, u32),
    sentence: &str,
    decision: Decision,
) -> StoreResult<Option<bool>> {
    let now = web.engine.clock.now();
    if !InterviewStore::new(web).decide((user.id, id), number, sentence, decision, now).await? {
        return Ok(None);
    }
    let (Decision::Accepted, Some(port)) = (decision, web.interests) else { return Ok(Some(true)) };
    let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
    let accepted = ProposedInterest { sentence: sentence.clone(), is_accepted: true, ..ProposedInterest::default() };
    if (port.propose)(web.clone(), user.clone(), vec![accepted]).await? > 0 {
        return Ok(Some(true));
    }
    // One that the person has already needs no room.
    let kept = (port.list)(web.clone(), user.clone()).await?;
    Ok(Some(kept.iter().any(|one| one.sentence == sentence)))
}

/// Handler of `POST /interview/{id}/erase`.
pub async fn erase(Path(id): Path<String>, post: FormPost<AnyFields>) -> Response<Body> {
    let Ok(id) = id.parse::<InterviewId>() else { return post.lead_to(home::PAGE, Notice::NotFound.code()) };
    match erase_one(&post.web, post.user.id, id).await {
        Ok(true) => redirect(home::PAGE),
        Ok(false) => post.lead_to(home::PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(home::PAGE, &error).await,
    }
}

/// Handler of `POST /interview/erase`: erases all interviews of the person.
pub async fn erase_all(post: FormPost<AnyFields>) -> Response<Body> {
    match erase_every(&post.web, post.user.id).await {
        Ok(()) => redirect(home::PAGE),
        Err(error) => post.fail(home::PAGE, &error).await,
    }
}

async fn erase_every(web: &Web, user: UserId) -> StoreResult<()> {
    for interview in InterviewStore::new(web).interviews(user).await? {
        erase_one(web, user, interview.id).await?;
    }
    Ok(())
}

/// Erases an interview and its session; returns whether there was one.
async fn erase_one(web: &Web, user: UserId, id: InterviewId) -> StoreResult<bool> {
    let is_erased = InterviewStore::new(web).erase(user, id).await?;
    if is_erased {
        web.engine.sessions.remove_of_object(INTERVIEW, id.0).await?;
    }
    Ok(is_erased)
}
