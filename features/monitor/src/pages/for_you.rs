//! Page of changes for a person: days of reports that are over, and matches of their interests, packed to a budget of reading.

use super::{Terms, interests as interests_page};
use crate::{
    dates::{AnsweredItem, DATES, DAY_MS, DueAnswer, DueItem},
    for_you::{ForYou, ForYouItem, load_answered, load_due, load_items, pack},
    interest::{Feedback, InterestState, MatchId},
    interests::{answer_match, entity_names},
    matching::embedding_failed_at,
    score::TermKind,
    settings::MonitorSettings,
    store::MonitorStore,
};
use app::{
    Notice,
    atoms::{ActionButton, Age, Badge, Tone},
    format,
    parts::{EmptyState, Frame, NavItem, NoticeBanner, assessment::Tab},
};
use axum::{body::Body, http::Response};
use domain::{
    AssessmentId, EntityId, Timestamp,
    investigation::FollowKind,
    user::{Action, User},
};
use engine::StoreResult;
use feature::{AnyFields, FormPost, PageVisit, Web, redirect};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::Deserialize;
use std::collections::HashMap;

pub const PAGE: &str = "/monitor";
/// Matches from before the last visit on the page.
const EARLIER: usize = 25;
/// Characters of a title and of a summary in a row.
const TITLE_CHARS: usize = 160;
const SUMMARY_CHARS: usize = 300;

/// Loaded page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForYouView {
    pub due: Vec<DueItem>,
    /// The last answer first.
    pub answered: Vec<AnsweredItem>,
    pub new: ForYou,
    /// Newest first.
    pub earlier: Vec<ForYouItem>,
    /// Names of the entities in the scores.
    pub names: HashMap<EntityId, String>,
    pub since: Timestamp,
    /// Last time within a day at which products were matched without likeness.
    pub embedding_failed_at: Option<Timestamp>,
    pub has_interests: bool,
    pub now: Timestamp,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct FeedbackForm {
    id: String,
    answer: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct DueForm {
    assessment: String,
    item: String,
    answer: String,
}

/// Handler of `GET /monitor`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let loaded = load(&visit.web, &visit.viewer).await;
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page error /> }.into_any()).await
}

async fn load(web: &Web, viewer: &User) -> StoreResult<ForYouView> {
    let (store, settings) = (MonitorStore::new(web), web.settings.get::<MonitorSettings>());
    let since = store.seen_at(viewer.id).await?.unwrap_or(viewer.created_at);
    let items = load_items(web, viewer, Timestamp::from_micros(0)).await?;
    let names = names_in(web, viewer, &items).await?;
    let (new, mut earlier): (Vec<_>, Vec<_>) = items.into_iter().partition(|item| item.stored.matched_at > since);
    earlier.truncate(EARLIER);
    Ok(ForYouView {
        due: load_due(web, viewer).await?,
        answered: load_answered(web, viewer).await?,
        new: pack(new, settings.reading_minutes, settings.words_per_minute),
        earlier,
        names,
        since,
        embedding_failed_at: embedding_failed_at(web).await?,
        has_interests: store.interests(viewer.id).await?.iter().any(|one| one.state != InterestState::Proposed),
        now: web.engine.clock.now(),
    })
}

/// Returns the names of the entities in the scores of matches, as far as the person reads them.
async fn names_in(web: &Web, viewer: &User, items: &[ForYouItem]) -> StoreResult<HashMap<EntityId, String>> {
    let terms = items.iter().flat_map(|item| &item.stored.terms).filter(|term| term.kind == TermKind::Entities);
    let mut ids: Vec<EntityId> = terms.flat_map(|term| &term.hits).filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    entity_names(web, viewer, &ids).await
}

/// Handler of `POST /monitor/seen`.
pub async fn mark_seen(post: FormPost<AnyFields>) -> Response<Body> {
    match MonitorStore::new(&post.web).mark_seen(post.user.id, post.web.engine.clock.now()).await {
        Ok(()) => redirect(PAGE),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Handler of `POST /monitor/feedback`.
pub async fn give_feedback(post: FormPost<FeedbackForm>) -> Response<Body> {
    let (id, answer) = (post.form.id.parse::<MatchId>(), Feedback::parse(&post.form.answer));
    let (Ok(id), Some(answer)) = (id, answer) else { return post.lead_to(PAGE, Notice::NotFound.code()) };
    match answer_match(&post.web, &post.user, id, answer).await {
        Ok(true) => redirect(PAGE),
        Ok(false) => post.lead_to(PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Handler of `POST /monitor/dates`.
pub async fn answer_date(post: FormPost<DueForm>) -> Response<Body> {
    let (id, answer) = (post.form.assessment.parse::<AssessmentId>(), DueAnswer::parse(&post.form.answer));
    let (Ok(id), Some(answer)) = (id, answer) else { return post.lead_to(PAGE, Notice::NotFound.code()) };
    let now = post.web.engine.clock.now();
    let later = now.plus_ms(i64::from(post.web.settings.get::<MonitorSettings>().later_days) * DAY_MS);
    let item = (id, post.form.item.as_str());
    match MonitorStore::new(&post.web).answer_item(post.user.id, item, answer, now, later).await {
        Ok(true) => redirect(PAGE),
        Ok(false) => post.lead_to(PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Returns the sentence on what is new: `4 things changed since Friday, 5 minutes. 23 folded.`
pub fn finding(new: &ForYou, since: Timestamp, now: Timestamp) -> String {
    let since = format::since(since, now);
    let shown = new.shown.len() as u64;
    if shown == 0 {
        return format!("Nothing changed since {since}.");
    }
    let folded = match new.folded.len() {
        0 => String::new(),
        number => format!(" {number} folded."),
    };
    let minutes = format::count(u64::from(new.minutes), "minute", "minutes");
    format!("{} changed since {since}, {minutes}.{folded}", format::count(shown, "thing", "things"))
}

#[component]
fn PageBody(viewer: User, page: ForYouView, error: Option<String>) -> impl IntoView {
    let ForYouView { due, answered, new, earlier, names, since, embedding_failed_at, has_interests, now } = page;
    let finding = finding(&new, since, now);
    let (has_new, has_due) = (!new.shown.is_empty(), !due.is_empty());
    let rows = move |items: Vec<ForYouItem>, is_new: bool| {
        let rows = items.into_iter().map(|item| view! { <MatchRow item names=names.clone() is_new now /> }).collect_view();
        view! { <ul class="rows">{rows}</ul> }
    };
    let folded_text = format!("{} more", new.folded.len());
    let folded = (!new.folded.is_empty()).then(|| {
        view! { <details><summary>{folded_text}</summary> {rows(new.folded.clone(), true)}</details> }
    });
    let earlier = (!earlier.is_empty()).then(|| {
        view! { <details><summary>"Earlier"</summary> {rows(earlier.clone(), false)}</details> }
    });
    let failed = embedding_failed_at.filter(|_| has_interests).map(|at| {
        view! {
            <p class="muted">
                {format!("Likeness of meaning could not be computed at {}. What came in then was matched by words and names alone.", format::minute(at))}
            </p>
        }
    });
    let may_ask = viewer.role.may(Action::Investigate);
    let answered = (!answered.is_empty()).then(|| {
        let rows = answered.into_iter().map(|answered| view! { <AnsweredRow answered may_ask /> }).collect_view();
        view! { <details><summary>"Answered days"</summary> <ul class="rows">{rows}</ul></details> }
    });
    let due = due.into_iter().map(|item| view! { <DueRow item now /> }).collect_view();
    view! {
        <Title text="Monitor" />
        <Frame viewer nav=NavItem::Page(PAGE)>
            <h1>"Monitor"</h1>
            <NoticeBanner code=error />
            {has_due.then(|| view! {
                <section aria-labelledby="due">
                    <h2 id="due">"Due"</h2>
                    <ul class="rows">{due}</ul>
                </section>
            })}
            {answered}
            {failed}
            {match has_interests {
                true => view! { <p role="status">{finding}</p> }.into_any(),
                false => view! {
                    <EmptyState
                        text="Write what you care about, and new reports, tensions and documents that match are listed here."
                        href=interests_page::NEW
                        button="Write an interest"
                    />
                }.into_any(),
            }}
            {has_new.then(|| view! {
                <ActionButton action="/monitor/seen" fields=vec![] text="Mark all seen" />
                {rows(new.shown.clone(), true)}
            })}
            {folded}
            {earlier}
        </Frame>
    }
    .into_any()
}

#[component]
fn DueRow(item: DueItem, now: Timestamp) -> impl IntoView {
    let href = Tab::Analysis.address(item.assessment);
    let day = item.due_at.plus_ms(-DAY_MS);
    let kind = if item.is_gap() { "Gap" } else { "Indicator" };
    let buttons = item.actions().into_iter().map(|action| {
        let label = format!("{}: {}", action.label, item.text);
        view! { <ActionButton action=DATES fields=action.fields text=action.label label /> }
    });
    let buttons = buttons.collect_view();
    view! {
        <li class="row">
            <a class="row-title" href=href>{format::abridged(&item.text, TITLE_CHARS)}</a>
            <p class="card-facts">
                <Badge tone=Tone::Warning text="Due" />
                <span>{kind} " for " <time datetime=day.to_string()>{format::day(day)}</time> ", " <Age then=item.due_at now /></span>
            </p>
            <div class="monitor-buttons">{buttons}</div>
        </li>
    }
    .into_any()
}

#[component]
fn AnsweredRow(answered: AnsweredItem, may_ask: bool) -> impl IntoView {
    let again = may_ask.then(|| {
        let fields = [
            ("follows", answered.investigation.to_string()),
            ("kind", FollowKind::Rerun.as_str().to_owned()),
            ("draft", answered.next_question()),
        ];
        let href = format!("/investigations/new?{}", format::query_string(fields));
        view! { <a class="button quiet" href=href>"Ask again"</a> }
    });
    let fields = answered.item.fields(DueAnswer::Open);
    let AnsweredItem { item, answer, answered_at, .. } = answered;
    let href = Tab::Analysis.address(item.assessment);
    let label = format!("Take back: {}", item.text);
    view! {
        <li class="row">
            <a class="row-title" href=href>{format::abridged(&item.text, TITLE_CHARS)}</a>
            <p class="card-facts">
                <span>"answered: " {answer.text()} ", " <time datetime=answered_at.to_string()>{format::day(answered_at)}</time></span>
            </p>
            <div class="monitor-buttons">
                <ActionButton action=DATES fields text="Take back" label />
                {again}
            </div>
        </li>
    }
    .into_any()
}

#[component]
fn MatchRow(item: ForYouItem, names: HashMap<EntityId, String>, is_new: bool, now: Timestamp) -> impl IntoView {
    let ForYouItem { kind, stored, product } = item;
    let id = stored.id;
    let answers = match stored.feedback {
        Some(answer) => {
            let text = match answer {
                Feedback::More => "You asked for more like this.",
                Feedback::Less | Feedback::Wrong => "You asked for less like this.",
            };
            view! { <p class="muted">{text}</p> }.into_any()
        }
        None => {
            let button = |answer: Feedback, text: &'static str| {
                let fields = vec![("id", id.to_string()), ("answer", answer.as_str().to_owned())];
                let label = format!("{text}: {}", product.title);
                view! { <ActionButton action="/monitor/feedback" fields text label /> }
            };
            view! {
                <div class="monitor-buttons">
                    {button(Feedback::More, "More")}
                    {button(Feedback::Less, "Less")}
                    {button(Feedback::Wrong, "Not this")}
                </div>
            }
            .into_any()
        }
    };
    view! {
        <li class="row" id=format!("m{id}")>
            <a class="row-title" href=product.href.clone()>{format::abridged(&product.title, TITLE_CHARS)}</a>
            <p>{format::abridged(&product.summary, SUMMARY_CHARS)}</p>
            <p class="card-facts">
                {is_new.then(|| view! { <Badge tone=Tone::Warning text="New" /> })}
                <span>{kind}</span>
                <span>"you watch “" {stored.sentence} "”"</span>
                <Age then=stored.matched_at now />
            </p>
            {stored.is_edited.then(|| view! {
                <p class="muted">"You have changed this interest since. The row says what matched then."</p>
            })}
            <Terms score=stored.score terms=stored.terms names />
            {stored.is_judged.then(|| view! {
                <p class="muted">"The score is just below your threshold. A language model judged that it matches."</p>
            })}
            {answers}
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::for_you::tests::item;

    fn draw(page: ForYouView) -> String {
        feature::testing::render_page(move |viewer| view! { <PageBody viewer page error=None /> }.into_any())
    }

    #[test]
    fn the_page_says_what_changed_and_what_to_do_without_an_interest() {
        let now = Timestamp::from_micros(1_900_000_000_000_000);
        let new = pack(vec![item("Strike in Constanţa", 70, 450), item("Long report", 50, 2_000)], 5, 230);
        let page = ForYouView {
            due: vec![],
            answered: vec![],
            new,
            earlier: vec![],
            names: HashMap::new(),
            since: now.plus_ms(-DAY_MS),
            embedding_failed_at: Some(now),
            has_interests: true,
            now,
        };
        let html = draw(page.clone());
        for text in [
            "1 thing changed since",
            "2 minutes",
            "1 folded",
            "Strike in Constanţa",
            "Why this?",
            "Not this",
            "by words and names alone",
        ] {
            assert!(html.replace("<!>", "").contains(text), "{text}: {html}");
        }
        let html = draw(ForYouView { new: ForYou::default(), has_interests: false, ..page });
        assert!(html.contains("Write an interest") && !html.contains("Mark all seen"), "{html}");
    }
}
