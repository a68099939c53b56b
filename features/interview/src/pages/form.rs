//! The interview without a model: the same cards as one form, with the parts of the profile in the person's own words.

use super::{
    InterviewNotice,
    actions::{BAD_ANSWER, TOO_MANY, address, new_interview},
    home,
};
use crate::{
    guide::{Card, CardSet, Guide},
    interview::{InterviewState, Profile, Proposal, Transcript, Turn, TurnAction},
    settings::InterviewSettings,
    store::InterviewStore,
};
use app::{
    AppError, Notice, format,
    parts::{Breadcrumbs, Frame, NavItem},
};
use axum::{body::Body, http::Response};
use domain::user::User;
use engine::StoreResult;
use feature::{FormPost, KeptForm, PageVisit, Web, redirect};
use leptos::prelude::*;
use leptos_meta::Title;
use std::collections::BTreeMap;

pub const PAGE: &str = "/interview/form";

/// Fields of the form by their names.
type Fields = BTreeMap<String, String>;

/// Handler of `GET /interview/form`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let (error, key) = (visit.query("error"), visit.query("set").unwrap_or_default());
    let loaded = load(&visit.web, &key);
    visit.show(loaded, |viewer, set| view! { <PageBody viewer set error /> }.into_any()).await
}

fn load(web: &Web, key: &str) -> Result<CardSet, AppError> {
    let guide = Guide::load(&web.agents.prompts)?;
    guide.set(key).cloned().ok_or_else(|| AppError::not_found("set of cards"))
}

/// Handler of `POST /interview/form`.
pub async fn send(post: FormPost<Fields>) -> Response<Body> {
    let key = post.form.get("set").cloned().unwrap_or_default();
    let page = format!("{PAGE}?set={}", app::session::encode(&key));
    match store_form(&post.web, &post.user, &key, &post.form).await {
        Ok(FormOutcome::Stored(address)) => redirect(&address),
        Ok(FormOutcome::Empty) => post.refuse(&page, BAD_ANSWER.code).await,
        Ok(FormOutcome::TooMany) => post.lead_to(home::PAGE, TOO_MANY.code),
        Ok(FormOutcome::NotFound) => post.lead_to(home::PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(&page, &error).await,
    }
}

/// Outcome of a form.
enum FormOutcome {
    /// With the address of the interview.
    Stored(String),
    Empty,
    TooMany,
    NotFound,
}

/// Stores a form as a finished interview. Words of a crisis are not stored; the interview then shows the text for it, also to a person who
/// keeps as many interviews as the server allows.
async fn store_form(web: &Web, user: &User, key: &str, fields: &Fields) -> StoreResult<FormOutcome> {
    let (guide, settings) = (Guide::load(&web.agents.prompts)?, web.settings.get::<InterviewSettings>());
    let Some(set) = guide.set(key) else { return Ok(FormOutcome::NotFound) };
    let mut transcript = new_interview(web, user.id, set);
    transcript.interview.ended_at = Some(web.engine.clock.now());
    let mut limit = settings.per_person;
    if fields.values().any(|text| guide.is_crisis(text)) {
        transcript.interview.state = InterviewState::Crisis;
        transcript.turns.clear();
        limit = u32::MAX;
    } else {
        if fields.values().any(|text| text.chars().count() > settings.max_answer_chars) {
            return Ok(FormOutcome::Empty);
        }
        fill(&mut transcript, &guide, set, fields, settings.proposals, || web.engine.ids.next());
        let has_answer = transcript.turns.iter().any(|turn| turn.action == Some(TurnAction::Answer));
        if !has_answer && transcript.interview.profile.is_none() && transcript.proposals.is_empty() {
            return Ok(FormOutcome::Empty);
        }
    }
    let address = address(transcript.interview.id);
    let is_added = InterviewStore::new(web).add(&transcript, limit).await?;
    Ok(if is_added { FormOutcome::Stored(address) } else { FormOutcome::TooMany })
}

/// Fills an interview from the fields of the form.
fn fill(
    transcript: &mut Transcript,
    guide: &Guide,
    set: &CardSet,
    fields: &Fields,
    max_proposals: usize,
    mut next_id: impl FnMut() -> uuid::Uuid,
) {
    let text = |name: &str| fields.get(name).map(|text| text.trim().to_owned()).unwrap_or_default();
    transcript.interview.state = InterviewState::Review;
    transcript.turns.clear();
    let interests = text("interests");
    let own = interests.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut proposed: Vec<(String, String)> = own.map(|line| (line.to_owned(), line.to_owned())).collect();
    for (number, card) in (0..).zip(&set.cards) {
        let chosen = text(&choice_field(card)).parse::<usize>().ok().and_then(|n| card.choices.get(n));
        let words = text(&words_field(card));
        if let Some(choice) = chosen {
            transcript.signals.extend(choice.initial_signals(guide, number, &mut next_id));
            if !choice.interest.is_empty() {
                proposed.push((choice.interest.clone(), choice.text.clone()));
            }
        }
        let reply = [chosen.map_or("", |choice| choice.text.as_str()), words.as_str()];
        let reply = reply.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let action = if reply.is_empty() { TurnAction::Skip } else { TurnAction::Answer };
        transcript.turns.push(Turn {
            number,
            card: number,
            is_card: true,
            remark: String::new(),
            question: card.situation.clone(),
            action: Some(action),
            reply,
            reason: None,
        });
    }
    let profile = Profile {
        pattern: text("pattern"),
        anti_pattern: text("anti_pattern"),
        vision: text("vision"),
        anti_vision: text("anti_vision"),
        trade_off: text("trade_off"),
    };
    transcript.interview.profile = (profile != Profile::default()).then_some(profile);
    let proposal =
        |(number, (sentence, because)): (u32, (String, String))| Proposal { number, sentence, because, decision: None };
    transcript.proposals = (1..).zip(proposed.into_iter().take(max_proposals)).map(proposal).collect();
}

fn choice_field(card: &Card) -> String {
    format!("choice_{}", card.key)
}

fn words_field(card: &Card) -> String {
    format!("words_{}", card.key)
}

#[component]
fn PageBody(viewer: User, set: CardSet, error: Option<String>) -> impl IntoView {
    let (user, title) = (viewer.id, set.title.clone());
    // No model reads a form.
    let answers = home::answers_note(false);
    let privacy = format!("Private, never in the graph. {answers} Leave out what you like; export or erase any time.");
    view! {
        <Title text="Interview" />
        <Frame viewer nav=NavItem::Page(home::PAGE)>
            <Breadcrumbs above=[("Interview", home::PAGE.to_owned())] here=title.clone() />
            <h1>{title}</h1>
            <p class="hint">{privacy}</p>
            <InterviewNotice code=error />
            {Suspend::new(async move {
                let kept = KeptForm::take_of_page(user).await;
                view! { <CardForm set kept /> }
            })}
        </Frame>
    }
    .into_any()
}

/// Form with all cards of a set.
#[component]
fn CardForm(set: CardSet, kept: KeptForm) -> impl IntoView {
    let cards: Vec<_> = set.cards.iter().map(|card| view! { <CardFields card=card.clone() kept=kept.clone() /> }).collect();
    let profile: Vec<_> = set
        .profile
        .parts()
        .into_iter()
        .map(|(name, question)| {
            let value = format::as_text(&kept.value(name));
            view! { <label for=name>{question.to_owned()}</label> <textarea id=name name=name rows="2">{value}</textarea> }
        })
        .collect();
    view! {
        <form method="post" action=PAGE class="interview-form form-wide">
            <input type="hidden" name="set" value=set.key />
            {cards}
            <h2>"In your own words"</h2>
            {profile}
            <label for="interests">"What do you want to be told about? One interest on each line."</label>
            <textarea id="interests" name="interests" rows="4">{format::as_text(&kept.value("interests"))}</textarea>
            <button type="submit">"Show my profile"</button>
        </form>
    }
}

/// Fields of one card.
#[component]
fn CardFields(card: Card, kept: KeptForm) -> impl IntoView {
    let (choice_name, words_name) = (choice_field(&card), words_field(&card));
    let chosen = kept.value(&choice_name);
    let choices: Vec<_> = card
        .choices
        .into_iter()
        .enumerate()
        .map(|(n, choice)| {
            let is_chosen = chosen == n.to_string();
            view! {
                <label class="interview-choice">
                    <input type="radio" name=choice_name.clone() value=n.to_string() checked=is_chosen />
                    <span>{choice.text}</span>
                </label>
            }
        })
        .collect();
    let words = format::as_text(&kept.value(&words_name));
    view! {
        <fieldset>
            <legend>{card.situation}</legend>
            {choices}
            <label for=words_name.clone()>"Why, or what else? (optional)"</label>
            <textarea id=words_name.clone() name=words_name rows="2">{words}</textarea>
        </fieldset>
    }
}
