//! Standing questions of a person: when each is asked, what its last run came out at, and what the runs cost.

use super::schedule_form;
use crate::{
    dates::DAY_MS,
    interests::entity_names,
    runs::BUDGET_DAYS,
    settings::MonitorSettings,
    standing::{RunState, StandingId, StandingQuestion, StandingRun, Timing, next_time},
    store::MonitorStore,
};
use app::{
    Notice, NoticeAction,
    atoms::{ActionButton, Badge, Tone},
    format,
    parts::{EmptyState, Frame, NavItem, NoticeBanner},
};
use axum::{body::Body, http::Response};
use domain::{
    EntityId, Timestamp,
    budget::{Spend, decimal},
    user::{Action, User},
};
use engine::StoreResult;
use feature::{FormPost, NoticeText, PageVisit, Web, redirect};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::Deserialize;
use std::collections::HashMap;

pub const PAGE: &str = "/monitor/schedule";

/// Refusal of one standing question more than the limit.
pub const TOO_MANY: NoticeText = NoticeText {
    code: "too_many_standing",
    message: "You have as many standing questions as this server allows. Delete one, then try again.",
    action: NoticeAction { text: "See the schedule", href: PAGE },
};

/// Run with what it cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLine {
    pub run: StandingRun,
    pub question: String,
    /// None where nothing was started.
    pub cost: Option<String>,
}

/// Loaded page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleView {
    pub questions: Vec<StandingQuestion>,
    /// The newest first.
    pub runs: Vec<RunLine>,
    /// Money that the runs of each question cost in the days over which budgets count, in millionths; one that cost nothing is left out.
    pub spent: HashMap<StandingId, u64>,
    /// Names of the entities that questions wait for.
    pub names: HashMap<EntityId, String>,
    pub currency: String,
    pub may_ask: bool,
    pub now: Timestamp,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ChangeForm {
    id: String,
    change: String,
}

/// Handler of `GET /monitor/schedule`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let loaded = load(&visit.web, &visit.viewer).await;
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page error /> }.into_any()).await
}

async fn load(web: &Web, viewer: &User) -> StoreResult<ScheduleView> {
    let (engine, store, settings) = (&web.engine, MonitorStore::new(web), web.settings.get::<MonitorSettings>());
    let questions = store.standing_of(viewer.id).await?;
    let waiting = questions.iter().filter_map(|question| match question.timing {
        Timing::Names(entity) => Some(entity),
        Timing::Cron { .. } | Timing::Once(_) => None,
    });
    let names = entity_names(web, viewer, &waiting.collect::<Vec<_>>()).await?;
    let now = engine.clock.now();
    let ids: Vec<StandingId> = questions.iter().map(|question| question.id).collect();
    let spent = store.spent_since(&ids, now.plus_ms(-i64::from(BUDGET_DAYS) * DAY_MS)).await?;
    let mut runs = vec![];
    for run in store.runs_of(viewer.id, Timestamp::from_micros(0), settings.runs_shown).await? {
        let question = questions.iter().find(|question| question.id == run.standing);
        let question = question.map(|question| question.question.clone()).unwrap_or_default();
        let cost = match run.state {
            RunState::Started => {
                let spent: Spend = engine.ledger.spent(run.investigation).await?;
                Some(format::money_if_priced(&spent, &engine.budget.currency, !spent.is_free()))
            }
            RunState::Due | RunState::Skipped => None,
        };
        runs.push(RunLine { run, question, cost });
    }
    let (currency, may_ask) = (engine.budget.currency.clone(), viewer.role.may(Action::Investigate));
    Ok(ScheduleView { questions, runs, spent, names, currency, may_ask, now })
}

/// Handler of `POST /monitor/schedule/change`.
pub async fn change(post: FormPost<ChangeForm>) -> Response<Body> {
    let Ok(id) = post.form.id.parse::<StandingId>() else { return post.lead_to(PAGE, Notice::NotFound.code()) };
    let (store, user, now) = (MonitorStore::new(&post.web), post.user.id, post.web.engine.clock.now());
    let changed = match post.form.change.as_str() {
        "pause" => store.pause_standing(user, id, true, now).await,
        "resume" => store.pause_standing(user, id, false, now).await,
        "delete" => store.remove_standing(user, id).await,
        _ => Ok(false),
    };
    match changed {
        Ok(true) => redirect(PAGE),
        Ok(false) => post.lead_to(PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Returns a pattern that the form makes in its words: `Every Monday at 09:00`.
fn rhythm_text(pattern: &str) -> Option<String> {
    let fields: Vec<&str> = pattern.split_whitespace().collect();
    let [minute, hour, "*", "*", weekday] = fields[..] else { return None };
    let (minute, hour) = (minute.parse::<u8>().ok()?, hour.parse::<u8>().ok()?);
    let (_, rhythm) = schedule_form::RHYTHMS.into_iter().find(|(key, _)| *key == weekday)?;
    Some(format!("{rhythm} at {hour:02}:{minute:02}"))
}

/// Returns when a question is asked, in words.
fn timing_text(timing: &Timing, names: &HashMap<EntityId, String>) -> String {
    match timing {
        Timing::Cron { pattern, time_zone } => match rhythm_text(pattern) {
            Some(rhythm) => format!("{rhythm}, {time_zone}"),
            None => format!("Pattern {pattern}, {time_zone}"),
        },
        Timing::Once(at) => format!("Once, {}", format::minute(*at)),
        Timing::Names(entity) => match names.get(entity) {
            Some(name) => format!("When a new document names {name}"),
            None => "When a new document names something that you may read no more".to_owned(),
        },
    }
}

#[component]
fn PageBody(viewer: User, page: ScheduleView, error: Option<String>) -> impl IntoView {
    let ScheduleView { questions, runs, spent, names, currency, may_ask, now } = page;
    let (is_empty, has_runs) = (questions.is_empty(), !runs.is_empty());
    let rows = questions.into_iter().map(|question| {
        let (timing, next) = (timing_text(&question.timing, &names), next_time(&question, now));
        let budget =
            question.budget_micros.map(|micros| format!("at most {currency} {} in {BUDGET_DAYS} days", decimal(micros)));
        let spent =
            spent.get(&question.id).map(|micros| format!("{currency} {} spent in {BUDGET_DAYS} days", decimal(*micros)));
        let money: Vec<String> = spent.into_iter().chain(budget).collect();
        view! { <Row question timing next money /> }
    });
    let rows = rows.collect_view();
    let runs = runs.into_iter().map(|line| view! { <Run line /> }).collect_view();
    view! {
        <Title text="Schedule" />
        <Frame viewer nav=NavItem::Page(PAGE)>
            <h1>"Schedule"</h1>
            <NoticeBanner code=error />
            {(may_ask && !is_empty).then(|| view! {
                <p><a class="button" href=schedule_form::PAGE>"Ask a question again and again"</a></p>
            })}
            {match is_empty {
                true => {
                    let (href, button) = match may_ask {
                        true => (schedule_form::PAGE, "Ask a question again and again"),
                        false => ("/assessments", "Open assessments"),
                    };
                    view! { <EmptyState text="No question is asked by itself." href button /> }.into_any()
                }
                false => view! { <ul class="rows">{rows}</ul> }.into_any(),
            }}
            {has_runs.then(|| view! { <h2>"Runs"</h2> <ul class="rows">{runs}</ul> })}
        </Frame>
    }
    .into_any()
}

#[component]
fn Row(question: StandingQuestion, timing: String, next: Option<Timestamp>, money: Vec<String>) -> impl IntoView {
    let StandingQuestion { id, question, is_paused, .. } = question;
    let button = |change: &'static str, text: &'static str| {
        let fields = vec![("id", id.to_string()), ("change", change.to_owned())];
        let label = format!("{text}: {question}");
        view! { <ActionButton action="/monitor/schedule/change" fields text label /> }.into_any()
    };
    let buttons = match is_paused {
        true => [button("resume", "Resume"), button("delete", "Delete")],
        false => [button("pause", "Pause"), button("delete", "Delete")],
    };
    let next = next.map(|at| {
        view! { <span>"next " <time datetime=at.to_string()>{format::minute(at)}</time></span> }
    });
    view! {
        <li class="row">
            <p class="row-title">{question.clone()}</p>
            <p class="card-facts">
                {is_paused.then(|| view! { <Badge tone=Tone::Quiet text="Paused" /> })}
                <span>{timing}</span>
                {next}
                {money.into_iter().map(|text| view! { <span>{text}</span> }).collect_view()}
            </p>
            <div class="monitor-buttons">{buttons.into_iter().collect_view()}</div>
        </li>
    }
    .into_any()
}

#[component]
fn Run(line: RunLine) -> impl IntoView {
    let RunLine { run, question, cost } = line;
    let title = match run.state {
        RunState::Started => view! { <a href=format::report_address(run.investigation, None)>{question}</a> }.into_any(),
        RunState::Due | RunState::Skipped => question.into_any(),
    };
    let (tone, text) = match run.state {
        RunState::Due if run.attempts > 0 => (Tone::Warning, "Not started yet, trying again".to_owned()),
        RunState::Due => (Tone::Live, "Starting".to_owned()),
        RunState::Started => (Tone::Good, "Asked".to_owned()),
        RunState::Skipped => (Tone::Warning, format!("Not asked: {}", run.note)),
    };
    view! {
        <li class="row">
            <p class="row-title">{title}</p>
            <p class="card-facts">
                <Badge tone text />
                <time datetime=run.due_at.to_string()>{format::minute(run.due_at)}</time>
                {cost.map(|cost| view! { <span>{cost}</span> })}
            </p>
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{InvestigationId, UserId};

    #[test]
    fn a_pattern_of_the_form_is_read_in_words() {
        assert_eq!(rhythm_text("5 9 * * *").as_deref(), Some("Every day at 09:05"));
        assert_eq!(rhythm_text("5 9 * * 0").as_deref(), Some("Every Sunday at 09:05"));
        assert_eq!((rhythm_text("*/5 9 * * 1"), rhythm_text("0 9 1 * *"), rhythm_text("0 9")), (None, None, None));
    }

    #[test]
    fn the_page_says_when_a_question_is_asked_and_why_it_was_not() {
        let now = Timestamp::parse("2031-03-14T08:00:00Z").unwrap();
        let id = StandingId(testkit::id());
        let question = StandingQuestion {
            id,
            user: UserId(Default::default()),
            question: "Is the lock open?".into(),
            follows: None,
            timing: Timing::Cron { pattern: "0 9 * * 1".into(), time_zone: "UTC".into() },
            budget_micros: Some(2_500_000),
            is_paused: false,
            counted_from: now,
            created_at: now,
        };
        let run = StandingRun {
            standing: id,
            due_at: now,
            investigation: InvestigationId(testkit::id()),
            state: RunState::Skipped,
            note: "the budget of 30 days is used up".into(),
            changed_at: now,
            attempts: 0,
        };
        let runs = vec![RunLine { run, question: "Is the lock open?".into(), cost: None }];
        let (names, currency) = (HashMap::new(), "EUR".to_owned());
        let spent = HashMap::from([(id, 1_200_000)]);
        let page = ScheduleView { questions: vec![question], runs, spent, names, currency, may_ask: true, now };
        let html = feature::testing::render_page(move |viewer| view! { <PageBody viewer page error=None /> }.into_any());
        for text in [
            "Every Monday at 09:00, UTC",
            "17 Mar 2031",
            "at most EUR 2.50",
            "EUR 1.20 spent in 30 days",
            "Not asked: the budget",
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
    }
}
