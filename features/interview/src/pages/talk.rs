//! Page of one interview: the card or question that waits, what was found so far, and at the end the profile with proposed interests.

use super::{InterviewNotice, actions::address, form, home};
use crate::{
    agent::INTERVIEWER,
    guide::{CardSet, Guide},
    interview::{Decision, InterviewId, InterviewState, Proposal, Signal, Transcript, Turn, TurnAction},
    settings::InterviewSettings,
    store::InterviewStore,
};
use app::{
    AppError,
    atoms::ActionButton,
    format,
    parts::{Breadcrumbs, Frame, NavItem},
};
use axum::{body::Body, extract::Path, http::Response};
use domain::{UserId, user::User};
use engine::StoreError;
use feature::{KeptForm, MAX_INTEREST_CHARS, PageVisit, Web};
use leptos::prelude::*;
use leptos_meta::Title;

/// Text of the button that stops an interview.
const STOP: &str = "Stop, keep what I said";

/// Loaded page.
#[derive(Debug, Clone)]
pub struct TalkView {
    pub transcript: Transcript,
    pub set: CardSet,
    /// Paragraphs for a crisis, by language.
    pub crisis_texts: Vec<(String, Vec<String>)>,
    /// Longest answer in characters.
    pub max_answer_chars: usize,
    /// Most questions on one card.
    pub follow_ups: u32,
    pub has_model: bool,
}

/// Handler of `GET /interview/{id}`.
pub async fn page(Path(id): Path<String>, visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let loaded = load(&visit.web, visit.viewer.id, &id).await;
    visit.show(loaded, |viewer, talk| view! { <PageBody viewer talk error /> }.into_any()).await
}

async fn load(web: &Web, user: UserId, id: &str) -> Result<TalkView, AppError> {
    let missing = || AppError::not_found("interview");
    let id = id.parse::<InterviewId>().map_err(|_| missing())?;
    let transcript = InterviewStore::new(web).transcript(user, id).await?.ok_or_else(missing)?;
    let guide = Guide::load(&web.agents.prompts)?;
    let set = guide.set(&transcript.interview.set).cloned();
    let set = set.ok_or_else(|| StoreError::Defect("the set of cards of an interview is gone".to_owned()))?;
    let settings = web.settings.get::<InterviewSettings>();
    let (max_answer_chars, follow_ups) = (settings.max_answer_chars, settings.follow_ups);
    let crisis_texts = guide.words.iter().map(|words| (words.language.clone(), words.crisis_text.clone())).collect();
    let has_model = web.engine.has_model(INTERVIEWER.role).await?;
    Ok(TalkView { transcript, set, crisis_texts, max_answer_chars, follow_ups, has_model })
}

#[component]
fn PageBody(viewer: User, talk: TalkView, error: Option<String>) -> impl IntoView {
    let (id, title, user) = (talk.transcript.interview.id, talk.set.title.clone(), viewer.id);
    let findings = talk.transcript.clone();
    // Nothing is answered any more at the end.
    let answers = talk.transcript.interview.state.is_open().then(|| home::answers_note(talk.has_model));
    let privacy = ["Private, never in the graph."].into_iter().chain(answers).chain(["Export or erase any time."]);
    let privacy = privacy.collect::<Vec<_>>().join(" ");
    // The field of a question is filled in with words that were not sent.
    let has_field = talk.transcript.interview.state == InterviewState::Person
        && talk.transcript.open_turn().is_some_and(|turn| !turn.is_card);
    let unsent = (!has_field).then(|| {
        Suspend::new(async move {
            let text = KeptForm::take_of_page(user).await.value("text");
            (!text.is_empty()).then(|| view! { <p>"Not sent: “" {text} "”"</p> })
        })
        .into_any()
    });
    view! {
        <Title text="Interview" />
        <Frame viewer nav=NavItem::Page(home::PAGE)>
            <Breadcrumbs above=[("Interview", home::PAGE.to_owned())] here=title.clone() />
            <h1>{title}</h1>
            <p class="hint">{privacy}</p>
            <InterviewNotice code=error />
            {unsent}
            <div class="interview">
                <section class="interview-stage" data-live="interview-stage" aria-live="polite" aria-label="Now">
                    {stage(user, talk)}
                </section>
                <section class="interview-found" data-live="interview-found" aria-label="Found so far">
                    <Findings transcript=findings />
                </section>
            </div>
            <details>
                <summary>"Erase this interview"</summary>
                <form method="post" action=format!("{}/erase", address(id))>
                    <p>"This erases your answers, the signals, the profile and the proposed interests. Interests in the Monitor stay there until you delete them. It cannot be undone."</p>
                    <button type="submit" class="outline">"Erase"</button>
                </form>
            </details>
        </Frame>
    }
    .into_any()
}

/// Draws what the state of the interview asks for.
fn stage(user: UserId, talk: TalkView) -> AnyView {
    let interview = &talk.transcript.interview;
    let id = interview.id;
    match interview.state {
        InterviewState::Person => match talk.transcript.open_turn().cloned() {
            Some(turn) => Suspend::new(async move {
                let kept = KeptForm::take_of_page(user).await;
                view! { <OpenTurn talk turn kept /> }
            })
            .into_any(),
            None => ().into_any(),
        },
        InterviewState::Interviewer => {
            let (note, is_stopped) = (interview.note.clone(), interview.is_stopped);
            let answered = talk.transcript.turns.last().filter(|turn| turn.action == Some(TurnAction::Answer));
            let skippable = answered.filter(|turn| !is_stopped && turn.reason.is_none()).map(|turn| turn.number);
            Suspend::new(async move {
                let has_unsent = !KeptForm::take_of_page(user).await.value("text").is_empty();
                view! { <Thinking id note is_stopped skippable has_unsent /> }
            })
            .into_any()
        }
        InterviewState::Review => view! { <Review transcript=talk.transcript /> }.into_any(),
        InterviewState::Crisis => {
            let text_of = |(language, text): (String, Vec<String>)| {
                let paragraphs: Vec<_> = text.into_iter().map(|text| view! { <p>{text}</p> }).collect();
                view! { <div lang=language>{paragraphs}</div> }
            };
            let texts: Vec<_> = talk.crisis_texts.into_iter().map(text_of).collect();
            view! {
                <div class="interview-crisis">
                    {texts}
                    <p>"If you did not mean it so, you can begin a new interview."</p>
                    <p><a class="button outline" href=home::PAGE>"Start again"</a></p>
                </div>
            }
            .into_any()
        }
        InterviewState::Failed => {
            let as_form = format!("{}?set={}", form::PAGE, interview.set);
            view! {
                <p>"The interviewer could not go on: " {interview.note.clone()} ". What you said is kept."</p>
                <p><a class="button" href=as_form>"Fill in the form"</a></p>
            }
            .into_any()
        }
    }
}

/// Card or question that waits for the person.
#[component]
fn OpenTurn(talk: TalkView, turn: Turn, kept: KeptForm) -> impl IntoView {
    let (id, cards) = (talk.transcript.interview.id, talk.set.count_cards());
    let scenario = format!("Scenario {} of {cards}", turn.card + 1);
    let progress = match turn.is_card {
        true => scenario,
        false => format!("{scenario}, question {} of at most {}", talk.transcript.follow_ups().count(), talk.follow_ups),
    };
    let card = talk.set.card(turn.card).cloned();
    let input = match (turn.is_card, card) {
        (true, Some(card)) => {
            let choices = card.choices.into_iter().enumerate().map(|(n, choice)| {
                view! { <li><button type="submit" class="outline" name="choice" value=n.to_string()>{choice.text}</button></li> }
            });
            let choices: Vec<_> = choices.collect();
            view! { <ul class="interview-choices">{choices}</ul> }.into_any()
        }
        _ => view! {
            <label for="interview-answer" class="hidden">"Your answer"</label>
            <textarea id="interview-answer" name="text" rows="4" maxlength=talk.max_answer_chars.to_string()>{format::as_text(&kept.value("text"))}</textarea>
            <button type="submit" name="action" value="answer">"Answer"</button>
        }
        .into_any(),
    };
    let remark = (!turn.remark.is_empty()).then(|| view! { <p class="interview-remark">{turn.remark.clone()}</p> });
    view! {
        <p class="muted">{progress}</p>
        {remark}
        <h2 class="interview-question">{turn.question.clone()}</h2>
        <form method="post" action=format!("{}/act", address(id)) class="interview-form">
            <input type="hidden" name="turn" value=turn.number.to_string() />
            {input}
            <p class="interview-actions">
                <button type="submit" class="quiet" name="action" value="skip">"Skip"</button>
                <button type="submit" class="quiet" name="action" value="stop">{STOP}</button>
            </p>
        </form>
    }
}

/// Note that the interviewer thinks, which the script replaces with the next question. The person can skip the rest of the scenario or stop
/// meanwhile.
#[component]
fn Thinking(
    id: InterviewId,
    note: String,
    is_stopped: bool,
    /// Answered turn whose scenario can be skipped.
    skippable: Option<u32>,
    /// Whether the page shows words that were not sent, which reloading drops.
    has_unsent: bool,
) -> impl IntoView {
    let here = address(id);
    let events = format!("{here}/events");
    let why = (!note.is_empty()).then(|| view! { <p class="hint">"It waits: " {note} ". It goes on by itself."</p> });
    let status =
        if is_stopped { "You have stopped. The interviewer writes your profile…" } else { "The interviewer thinks…" };
    let skip = skippable.map(|turn| {
        let fields = vec![("turn", turn.to_string()), ("action", TurnAction::Skip.as_str().to_owned())];
        view! { <ActionButton action=format!("{here}/act") fields text="Skip the rest of this scenario" /> }
    });
    let stop = (!is_stopped).then(|| {
        let fields = vec![("action", TurnAction::Stop.as_str().to_owned())];
        view! { <ActionButton action=format!("{here}/act") fields text=STOP /> }
    });
    let refresh = (!has_unsent).then(|| view! { <meta http-equiv="refresh" content="3" /> });
    let reload = if has_unsent { "" } else { "This page reloads every three seconds. " };
    view! {
        <p role="status" data-running="" data-events=events>{status}</p>
        // The question as it is written; the finished one is announced.
        <p class="interview-question" data-draft="" aria-hidden="true"></p>
        {why}
        {skip}
        {stop}
        <noscript>
            {refresh}
            <p class="hint">{reload}<a href=here>"Reload now"</a></p>
        </noscript>
    }
}

/// Profile and proposed interests at the end.
#[component]
fn Review(transcript: Transcript) -> impl IntoView {
    let (id, note) = (transcript.interview.id, transcript.interview.note);
    let note = (!note.is_empty()).then(|| view! { <p class="hint">{note}</p> });
    let profile = match transcript.interview.profile {
        None => {
            view! { <p class="muted">"There is no profile: too little was said, or the interviewer wrote none."</p> }.into_any()
        }
        Some(profile) => {
            let parts: Vec<_> = profile
                .parts()
                .into_iter()
                .filter(|(.., text)| !text.is_empty())
                .map(|(_, title, text)| view! { <div><dt>{title}</dt><dd>{text.to_owned()}</dd></div> })
                .collect();
            view! { <dl class="interview-profile">{parts}</dl> }.into_any()
        }
    };
    let is_empty = transcript.proposals.is_empty();
    let proposals: Vec<_> = transcript.proposals.into_iter().map(|one| view! { <ProposalItem id one /> }).collect();
    view! {
        {note}
        <h2>"Your profile"</h2>
        {profile}
        <h2 id="interests">"Proposed interests"</h2>
        {match is_empty {
            true => view! { <p class="muted">"No interest follows from what you said."</p> }.into_any(),
            false => view! {
                <p class="hint">"Change the sentence if you like, then accept or refuse. What you accept becomes an interest in the Monitor, which lists what matches it."</p>
                <ul class="rows">{proposals}</ul>
            }.into_any(),
        }}
        <p><a class="button outline" href=home::PAGE>"All interviews and export"</a></p>
    }
}

/// Proposed interest with its decision.
#[component]
fn ProposalItem(id: InterviewId, one: Proposal) -> impl IntoView {
    let Proposal { number, sentence, because, decision } = one;
    let field = format!("interest-{number}");
    let decided = decision.map(|decision| match decision {
        Decision::Accepted => "Accepted",
        Decision::Refused => "Refused",
    });
    let label = format!("Interest {number}");
    // A decision is final; an accepted interest can be sent again, for one that found no room.
    if let Some(decided) = decided {
        let again = (decision == Some(Decision::Accepted)).then(|| {
            let accepted = ("decision", Decision::Accepted.as_str().to_owned());
            let fields = vec![("number", number.to_string()), ("sentence", sentence.clone()), accepted];
            let (action, label) = (format!("{}/decide", address(id)), format!("Add again if missing: {label}"));
            view! { <ActionButton action fields text="Add again if missing in the Monitor" label /> }
        });
        return view! {
            <li class="row">
                <p>{sentence}</p>
                <p class="muted">"Because you said: “" {because} "”. " {decided}</p>
                {again}
            </li>
        }
        .into_any();
    }
    view! {
        <li class="row">
            <form method="post" action=format!("{}/decide", address(id)) class="interview-form">
                <input type="hidden" name="number" value=number.to_string() />
                <label for=field.clone()>{label.clone()}</label>
                <input id=field name="sentence" type="text" value=sentence maxlength=MAX_INTEREST_CHARS.to_string() required />
                <p class="muted">"Because you said: “" {because} "”."</p>
                <p class="interview-actions">
                    <button type="submit" name="decision" value="accepted" aria-label=format!("Accept: {label}")>"Accept"</button>
                    <button type="submit" class="outline" name="decision" value="refused" aria-label=format!("Refuse: {label}")>"Refuse"</button>
                </p>
            </form>
        </li>
    }
    .into_any()
}

/// Signals in the person's words, each removable, and what was said.
#[component]
fn Findings(transcript: Transcript) -> impl IntoView {
    let (id, is_empty) = (transcript.interview.id, transcript.signals.is_empty());
    let signals: Vec<_> = transcript.signals.into_iter().map(|signal| view! { <SignalItem id signal /> }).collect();
    let answered = transcript.turns.into_iter().filter(|turn| turn.action.is_some());
    let answered: Vec<_> = answered
        .map(|turn| {
            let reply = match turn.action {
                Some(TurnAction::Answer) | None => turn.reply,
                Some(TurnAction::Skip) => "(skipped)".to_owned(),
                Some(TurnAction::Stop) => "(stopped)".to_owned(),
            };
            view! { <li><p class="muted">{turn.question}</p><p>{reply}</p></li> }
        })
        .collect();
    let said = format::count(answered.len() as u64, "answer", "answers");
    view! {
        <h2>"Found so far"</h2>
        {match is_empty {
            true => view! { <p class="muted">"Nothing yet."</p> }.into_any(),
            false => view! { <ul class="interview-signals">{signals}</ul> }.into_any(),
        }}
        <details>
            <summary>{said}</summary>
            <ol class="interview-turns">{answered}</ol>
        </details>
    }
}

/// One signal with its source.
#[component]
fn SignalItem(id: InterviewId, signal: Signal) -> impl IntoView {
    let (label, percent) = (format!("Remove: {}", signal.content), (signal.confidence * 100.0).round());
    let fields = vec![("signal", signal.id.to_string())];
    let construct = match (signal.construct.is_empty(), signal.state.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!(" · {}", signal.construct),
        (false, false) => format!(" · {}, {}", signal.construct, signal.state),
    };
    view! {
        <li>
            <p>{signal.content}</p>
            <p class="muted">"“" {signal.source} "” · " {signal.kind.as_str().to_lowercase()} {construct} " · " {percent} " %"</p>
            <ActionButton action=format!("{}/signals/remove", address(id)) fields text="Remove" label />
        </li>
    }
}
