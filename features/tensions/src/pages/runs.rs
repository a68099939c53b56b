//! Runs of the cycle with the figures of their stages, and the button that orders one.

mod example;

use super::list;
use crate::{
    cycle::order::{CycleOrder, CycleOrderId, OrderKind, StageRun},
    settings::TensionSettings,
    store::TensionStore,
};
use app::{
    Notice,
    atoms::{Age, Badge, Tone},
    parts::{EmptyState, Frame, NavItem, NoticeBanner},
};
use axum::{body::Body, http};
use domain::{
    Timestamp,
    user::{Action, User},
};
use engine::StoreResult;
use example::{ExampleSteps, ExampleView};
use feature::{FormPost, PageVisit, Web, redirect};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::Deserialize;

pub const PAGE: &str = "/tensions/runs";

/// Loaded page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunsView {
    /// The newest first, each with its stages.
    pub orders: Vec<(CycleOrder, Vec<StageRun>)>,
    /// Schedule in cron syntax; empty: none.
    pub schedule: String,
    /// Example of the sample; none without it.
    pub example: Option<ExampleView>,
    pub may_run: bool,
    /// Whether an embedding model compares texts in meaning.
    pub has_embedder: bool,
    pub now: Timestamp,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct RunForm {
    /// Set where what only this person reads is part of it.
    private: String,
}

/// Handler of `GET /tensions/runs`.
pub async fn page(visit: PageVisit) -> http::Response<Body> {
    let error = visit.query("error");
    let loaded = load(&visit.web, &visit.viewer).await;
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page error /> }.into_any()).await
}

/// Loads the newest runs that `viewer` sees.
pub async fn load(web: &Web, viewer: &User) -> StoreResult<RunsView> {
    let (store, settings) = (TensionStore::new(web), web.settings.get::<TensionSettings>());
    let orders = store.orders(viewer.id, settings.runs_shown).await?;
    let ids: Vec<CycleOrderId> = orders.iter().map(|order| order.id).collect();
    let runs = store.stage_runs(&ids).await?;
    let with_stages = |order: CycleOrder| {
        let stages = runs.iter().filter(|run| run.order == order.id).cloned().collect();
        (order, stages)
    };
    Ok(RunsView {
        orders: orders.into_iter().map(with_stages).collect(),
        schedule: settings.schedule.clone(),
        example: example::load(web, viewer).await?,
        may_run: viewer.role.may(Action::Investigate),
        has_embedder: web.engine.embedder.is_some(),
        now: web.engine.clock.now(),
    })
}

/// Handler of `POST /tensions/run`: orders the cycle, paid by this person.
pub async fn run(post: FormPost<RunForm>) -> http::Response<Body> {
    if !post.user.role.may(Action::Investigate) {
        return post.lead_to(PAGE, Notice::NotAllowed.code());
    }
    let engine = &post.web.engine;
    let order = CycleOrder {
        is_shared: post.form.private.is_empty(),
        max_targets: post.web.settings.get::<TensionSettings>().scout_targets,
        ..CycleOrder::new(CycleOrderId(engine.ids.next()), OrderKind::Cycle, post.user.id, engine.clock.now())
    };
    match TensionStore::new(&post.web).add_order(&order).await {
        Ok(_) => redirect(PAGE),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

#[component]
fn PageBody(viewer: User, page: RunsView, error: Option<String>) -> impl IntoView {
    let RunsView { orders, schedule, example, may_run, has_embedder, now } = page;
    let schedule = match schedule.is_empty() {
        true => "No schedule is set (features.tensions.schedule).".to_owned(),
        false => format!("Schedule: {schedule}."),
    };
    let is_empty = orders.is_empty();
    let items = orders.into_iter().map(|(order, stages)| view! { <Run order stages now /> }).collect_view();
    view! {
        <Title text="Runs" />
        <Frame viewer nav=NavItem::Page(PAGE)>
            <h1>"Runs"</h1>
            <NoticeBanner code=error />
            <p class="muted">
                "Agents group what no tension explains, ask which strain is behind it, and look for what eases neglected tensions. "
                {schedule}
                {(!has_embedder).then_some(WITHOUT_EMBEDDER)}
            </p>
            {match (is_empty, may_run) {
                (true, true) => view! { <div class="empty"><p>"Nothing was run yet."</p> <RunNow /></div> }.into_any(),
                (true, false) => {
                    view! { <EmptyState text="Nothing was run yet." href=list::PAGE button="See the tensions" /> }.into_any()
                }
                (false, _) => view! { {may_run.then(|| view! { <RunNow /> })} <ul class="rows">{items}</ul> }.into_any(),
            }}
            {example.map(|example| view! { <ExampleSteps example /> })}
        </Frame>
    }
    .into_any()
}

/// Reach of a run without an embedding model, for people.
const WITHOUT_EMBEDDER: &str = " No embedding model is set up: a response is linked only to the tension that it was found for, and repeats are \
    known by address and title alone.";

/// Form that orders the cycle.
#[component]
fn RunNow() -> impl IntoView {
    view! {
        <form method="post" action="/tensions/run">
            <label>
                <input type="checkbox" name="private" value="1" />
                " With my private documents: words of them go to the sources that are switched on"
            </label>
            <button type="submit">"Run now"</button>
        </form>
    }
}

/// One order with its stages.
#[component]
fn Run(order: CycleOrder, stages: Vec<StageRun>, now: Timestamp) -> impl IntoView {
    let title = match order.kind {
        OrderKind::Cycle => "Cycle",
        OrderKind::Scout => "Response scout",
    };
    let (tone, state) = match (order.ended_at, order.reason.is_empty()) {
        (Some(_), _) => (Tone::Good, "ended".to_owned()),
        (None, true) if stages.is_empty() => (Tone::Quiet, "waiting".to_owned()),
        (None, true) => (Tone::Live, "running".to_owned()),
        (None, false) => (Tone::Warning, format!("waiting: {}", order.reason)),
    };
    let tension = order.tension.map(|id| view! { <a href=super::detail::address(id)>"tension"</a> });
    let rows = stages.into_iter().map(|run| {
        let state = match (run.ended_at.is_some(), run.error.is_empty()) {
            (false, _) => "not ended".to_owned(),
            (true, true) => String::new(),
            (true, false) => run.error.clone(),
        };
        view! { <tr><th scope="row">{run.stage.label()}</th><td>{run.figures()}</td><td>{state}</td></tr> }
    });
    let rows = rows.collect_view();
    view! {
        <li class="row">
            <p class="row-title">{title}</p>
            <p class="card-facts"><Badge tone text=state /> <Age then=order.ordered_at now /> {tension}</p>
            <table>
                <thead><tr><th scope="col">"Stage"</th><th scope="col">"Figures"</th><th scope="col">"Remark"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycle::order::{Counts, Stage};
    use domain::UserId;
    use testkit::id;

    #[test]
    fn a_run_shows_the_figures_of_its_stages() {
        let now = Timestamp::from_micros(1_900_000_000_000_000);
        let order = CycleOrder::new(CycleOrderId(id()), OrderKind::Cycle, UserId(id()), now);
        let order = CycleOrder { ended_at: Some(now), ..order };
        let run = StageRun {
            order: order.id,
            stage: Stage::Scout,
            started_at: now,
            ended_at: Some(now),
            counts: Counts::from([("responses_new".to_owned(), 3)]),
            error: "the day budget does not reach".into(),
        };
        let (orders, schedule, example) = (vec![(order, vec![run])], String::new(), None);
        let page = RunsView { orders, schedule, example, may_run: true, has_embedder: true, now };
        let render = |page: RunsView| {
            feature::testing::render_page(move |viewer| view! { <PageBody viewer page error=None /> }.into_any())
        };
        let html = render(page.clone());
        for text in ["Response scout", "3 responses new", "the day budget does not reach", "Run now", "No schedule is set"] {
            assert!(html.contains(text), "{text}: {html}");
        }
        assert!(!html.contains("No embedding model"), "{html}");
        let html = render(RunsView { has_embedder: false, ..page });
        assert!(html.contains("No embedding model is set up"), "{html}");
    }
}
