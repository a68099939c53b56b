//! Form of a standing question: every day, on a weekday, by a pattern, once on a day, or when a document names somebody.

use super::schedule::{PAGE as SCHEDULE, TOO_MANY};
use crate::{
    dates::DAY_MS,
    interests::resolve_names,
    settings::MonitorSettings,
    standing::{BAD_SCHEDULE, StandingId, StandingQuestion, Timing},
    store::MonitorStore,
};
use app::{
    Notice, format,
    parts::{Breadcrumbs, Frame, NavItem, NoticeBanner},
};
use axum::{body::Body, http::Response};
use domain::{
    AssessmentId, InvestigationId, Timestamp,
    budget::OwnCap,
    user::{Action, User},
};
use engine::{StoreResult, investigations::check_question};
use feature::{FormPost, NoticeText, PageVisit, Schedule, Web, redirect, redirect_with};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::Deserialize;

pub const PAGE: &str = "/monitor/schedule/new";
/// Choices of the time, with their days of the week in cron syntax.
pub const RHYTHMS: [(&str, &str); 11] = [
    ("*", "Every day"),
    ("1", "Every Monday"),
    ("2", "Every Tuesday"),
    ("3", "Every Wednesday"),
    ("4", "Every Thursday"),
    ("5", "Every Friday"),
    ("6", "Every Saturday"),
    ("0", "Every Sunday"),
    ("once", "Once, on the day below"),
    ("names", "When a new document names what is below"),
    ("pattern", "By the pattern below"),
];

/// Fields of the form, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct StandingForm {
    question: String,
    /// Investigation that is run again.
    follows: String,
    when: String,
    time: String,
    time_zone: String,
    day: String,
    name: String,
    pattern: String,
    /// Money of 30 days; empty: no limit of its own.
    budget: String,
}

impl StandingForm {
    fn of_address(visit: &PageVisit) -> Self {
        let value = |name: &str| visit.query(name).unwrap_or_default();
        Self {
            question: value("question"),
            follows: value("follows"),
            when: value("when"),
            time: value("time"),
            time_zone: value("time_zone"),
            day: value("day"),
            name: value("name"),
            pattern: value("pattern"),
            budget: value("budget"),
        }
    }

    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("question", self.question.clone()),
            ("follows", self.follows.clone()),
            ("when", self.when.clone()),
            ("time", self.time.clone()),
            ("time_zone", self.time_zone.clone()),
            ("day", self.day.clone()),
            ("name", self.name.clone()),
            ("pattern", self.pattern.clone()),
            ("budget", self.budget.clone()),
        ]
    }

    /// Returns hour and minute of the typed time (`09:30`).
    fn hour_and_minute(&self) -> Option<(u8, u8)> {
        let (hour, minute) = self.time.split_once(':')?;
        let (hour, minute) = (hour.parse().ok()?, minute.parse().ok()?);
        (hour < 24 && minute < 60).then_some((hour, minute))
    }
}

/// Returns the timing of typed fields that needs no name.
fn timing(form: &StandingForm) -> Option<Timing> {
    let time_zone = form.time_zone.trim().to_owned();
    match form.when.as_str() {
        "pattern" => Some(Timing::Cron { pattern: form.pattern.trim().to_owned(), time_zone }),
        "once" => {
            let (hour, minute) = form.hour_and_minute()?;
            let midnight = Timestamp::parse(&form.day)?;
            let day = midnight.to_datetime().format("%-d %-m").to_string();
            let schedule = Schedule::parse(&format!("{minute} {hour} {day} *"), &time_zone).ok()?;
            Some(Timing::Once(schedule.next(midnight.plus_ms(-DAY_MS))?))
        }
        weekday if RHYTHMS.iter().any(|(known, _)| *known == weekday) => {
            let (hour, minute) = form.hour_and_minute()?;
            Some(Timing::Cron { pattern: format!("{minute} {hour} * * {weekday}"), time_zone })
        }
        _ => None,
    }
}

/// Handler of `GET /monitor/schedule/new`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let assessment = visit.query("assessment").and_then(|id| id.parse().ok());
    let loaded = load(&visit.web, &visit.viewer, StandingForm::of_address(&visit), assessment).await;
    visit.show(loaded, |viewer, form| view! { <PageBody viewer form error /> }.into_any()).await
}

/// Fills in the question of a report, and what is not typed yet.
async fn load(web: &Web, viewer: &User, mut form: StandingForm, assessment: Option<AssessmentId>) -> StoreResult<StandingForm> {
    if let Some(assessment) = assessment.filter(|_| form.question.is_empty()) {
        let scope = web.engine.read_scope(viewer).await?;
        if let Some(stored) = web.engine.assessments.assessment(&scope, assessment).await? {
            form.question = stored.assessment.question;
            form.follows = stored.assessment.investigation_id.to_string();
        }
    }
    if form.time_zone.is_empty() {
        form.time_zone = web.settings.get::<MonitorSettings>().time_zone.clone();
    }
    if form.time.is_empty() {
        form.time = "09:00".to_owned();
    }
    Ok(form)
}

/// Returns the investigation that is run again, where `user` may read it.
async fn followed(web: &Web, user: &User, id: &str) -> StoreResult<Option<InvestigationId>> {
    let Ok(id) = id.parse::<InvestigationId>() else { return Ok(None) };
    Ok(web.engine.may_read(user, id).await?.then_some(id))
}

/// Handler of `POST /monitor/schedule`.
pub async fn save(post: FormPost<StandingForm>) -> Response<Body> {
    if !post.user.role.may(Action::Investigate) {
        return post.lead_to(SCHEDULE, Notice::NotAllowed.code());
    }
    match store(&post.web, &post.user, &post.form).await {
        Ok(Ok(())) => redirect(SCHEDULE),
        Ok(Err(refusal)) if refusal == TOO_MANY => post.lead_to(SCHEDULE, refusal.code),
        Ok(Err(refusal)) => {
            let mut pairs = post.form.pairs();
            pairs.push(("error", refusal.code.to_owned()));
            redirect_with(PAGE, &pairs)
        }
        Err(error) => post.fail(SCHEDULE, &error).await,
    }
}

async fn store(web: &Web, user: &User, form: &StandingForm) -> StoreResult<Result<(), NoticeText>> {
    let (engine, settings) = (&web.engine, web.settings.get::<MonitorSettings>());
    let now = engine.clock.now();
    let timing = match form.when.as_str() {
        "names" => {
            let resolved = resolve_names(web, user, std::slice::from_ref(&form.name), &[]).await?;
            resolved.entities.first().copied().map(Timing::Names)
        }
        _ => timing(form),
    };
    let least_ms = i64::from(settings.least_pause_minutes) * 60_000;
    let timing = timing.filter(|timing| timing.is_allowed(now, least_ms));
    let budget = form.budget.trim().replace(',', ".");
    let is_free = budget.is_empty();
    let budget_micros = budget.parse::<f64>().ok().and_then(OwnCap::micros);
    let (Some(timing), Ok(question), true) =
        (timing, check_question(engine, &form.question), is_free || budget_micros.is_some())
    else {
        return Ok(Err(BAD_SCHEDULE));
    };
    let standing = StandingQuestion {
        id: StandingId(engine.ids.next()),
        user: user.id,
        question,
        follows: followed(web, user, &form.follows).await?,
        timing,
        budget_micros,
        is_paused: false,
        counted_from: now,
        created_at: now,
    };
    let is_added = MonitorStore::new(web).add_standing(&standing, settings.standing_per_person).await?;
    Ok(if is_added { Ok(()) } else { Err(TOO_MANY) })
}

#[component]
fn PageBody(viewer: User, form: StandingForm, error: Option<String>) -> impl IntoView {
    let heading = "Ask again on a schedule";
    let options = RHYTHMS.map(|(value, text)| {
        let is_chosen = form.when == value;
        view! { <option value=value selected=is_chosen>{text}</option> }
    });
    let field = |name: &'static str, label: &'static str, kind: &'static str, value: String| {
        view! {
            <div class="field">
                <label for=name>{label}</label>
                <input id=name name=name type=kind value=value />
            </div>
        }
        .into_any()
    };
    let fields = [
        field("time", "Time of day", "time", form.time),
        field("time_zone", "Time zone, such as Europe/Paris", "text", form.time_zone),
        field("day", "Day, for once", "date", form.day),
        field("name", "Name, for new documents", "text", form.name),
        field("pattern", "Pattern (minute, hour, day, month, weekday), such as 0 9 * * 1", "text", form.pattern),
        field("budget", "Most money in 30 days, empty for no limit of its own", "text", form.budget),
    ];
    view! {
        <Title text=heading />
        <Frame viewer nav=NavItem::Page(SCHEDULE)>
            <Breadcrumbs above=[("Schedule", SCHEDULE.to_owned())] here=heading />
            <h1>{heading}</h1>
            <NoticeBanner code=error />
            <form method="post" action=SCHEDULE class="form form-wide">
                <input type="hidden" name="follows" value=form.follows />
                <div class="field">
                    <label for="question">"Question"</label>
                    <textarea id="question" name="question" rows="3" required>{format::as_text(&form.question)}</textarea>
                </div>
                <div class="field">
                    <label for="when">"When"</label>
                    <select id="when" name="when">{options.into_iter().collect_view()}</select>
                </div>
                {fields.into_iter().collect_view()}
                <p class="hint">"Each run is a new version of the question, with your own daily budget. A run that was missed while the server was off is made up once."</p>
                <button type="submit">"Save"</button>
            </form>
        </Frame>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_times_become_patterns_and_moments() {
        let form = |when: &str| StandingForm {
            when: when.into(),
            time: "09:05".into(),
            time_zone: "Europe/Paris".into(),
            day: "2031-05-03".into(),
            ..StandingForm::default()
        };
        let pattern = |pattern: &str| Timing::Cron { pattern: pattern.into(), time_zone: "Europe/Paris".into() };
        assert_eq!(timing(&form("1")), Some(pattern("5 9 * * 1")));
        assert_eq!(timing(&form("*")), Some(pattern("5 9 * * *")));
        assert_eq!(timing(&form("once")), Timestamp::parse("2031-05-03T07:05:00Z").map(Timing::Once));
        assert_eq!(timing(&form("often")), None);
        assert_eq!(timing(&StandingForm { time: "25:00".into(), ..form("1") }), None);
        let now = Timestamp::parse("2031-05-01").unwrap();
        let every_minute = Timing::Cron { pattern: "* 9 * * *".into(), time_zone: "UTC".into() };
        assert!(pattern("5 9 * * 1").is_allowed(now, 3_600_000) && !every_minute.is_allowed(now, 3_600_000));
        assert!(!pattern("often").is_allowed(now, 0) && !Timing::Once(now).is_allowed(now, 0));
    }
}
