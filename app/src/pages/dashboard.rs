//! The home page: ask, follow what is in progress, read what was assessed.

use super::{
    Visit,
    assessments::{addressed_filter, filter_fields, selected_by_features},
    query, render_page,
};
use crate::{
    parts::{AssessmentFilters, AssessmentRow, InvestigationRow, SinceVisit},
    prelude::*,
};
use domain::assessment::AssessmentState;
use views::{AssessmentCard, Dashboard, InvestigationCard, ListFilter, SetupSteps};

async fn load_dashboard(filter: ListFilter) -> Result<Visit<Dashboard>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let only = selected_by_features(&filter, viewer.id).await?;
    let page = engine.dashboard(&viewer, filter, only).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn DashboardPage() -> impl IntoView {
    let error = query("error");
    let switched = query("switched");
    render_page(load_dashboard(addressed_filter()), move |Visit { viewer, page }| {
        view! { <PageBody viewer page error switched /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(
    viewer: User,
    page: Dashboard,
    error: Option<String>,
    #[prop(optional_no_strip)] switched: Option<String>,
) -> impl IntoView {
    let Dashboard { assessments, total, filter, collections, .. } = page;
    let Dashboard { running, running_total, failed, failed_total, since_visit, has_sample, setup, documents, now, .. } = page;
    let filters_sample = has_sample && !viewer.preferences.hides_sample;
    let may_ask = viewer.role.may(Action::Investigate);
    let is_running = (!running.is_empty()).then_some("yes");
    let may_configure = viewer.role.may(Action::Configure);
    let may_remove = has_sample && viewer.role.may(Action::RemoveSample);
    let home = Slot::Home { viewer: viewer.clone() };
    let first_steps = setup.filter(|steps| may_ask && !steps.is_complete());
    view! {
        <Title text="Home" />
        <Frame viewer nav=NavItem::Dashboard>
            <h1 class="hidden">"Home"</h1>
            <NoticeBanner code=error />
            <SampleNotice change=switched />
            {may_ask.then(|| view! { <Ask /> })}
            {first_steps.map(|setup| view! { <FirstSteps setup has_sample may_configure /> })}
            <div class="home-columns">
                <div class="home-lists" data-running=is_running>
                    <div data-live="since">{since_visit.map(|changes| view! { <SinceVisit changes now /> })}</div>
                    <div data-live="running"><Investigations title="In progress" cards=running total=running_total now /></div>
                    <Assessments cards=assessments total filter collections has_sample=filters_sample may_ask now />
                    <div data-live="failed"><Failed cards=failed total=failed_total now /></div>
                </div>
                <div class="home-beside">
                    <Pieces at=home />
                    <LibraryLine documents has_sample=filters_sample may_remove />
                </div>
            </div>
        </Frame>
    }
    .into_any()
}

/// Notice that the sample was hidden or shown, with its undo.
#[component]
fn SampleNotice(change: Option<String>) -> impl IntoView {
    let (text, undo) = match change.as_deref() {
        Some("hidden") => ("The sample is hidden from home, lists and search.", "show"),
        Some("shown") => ("The sample is shown again.", "hide"),
        _ => return ().into_any(),
    };
    view! {
        <form method="post" action="/account/sample" class="notice notice-undo">
            <p role="status">{text}</p>
            <button class="quiet" type="submit" name="sample" value=undo>"Undo"</button>
        </form>
    }
    .into_any()
}

/// The question field. It leads to the page for a new investigation, where documents can be added.
#[component]
fn Ask() -> impl IntoView {
    view! {
        <form method="post" action="/investigations/draft" class="ask">
            <label for="draft" class="hidden">"Ask a question about the world"</label>
            <div class="ask-line">
                <input id="draft" name="draft" type="text" required autocomplete="off" placeholder="Ask a question about the world" />
                <button type="submit">"Ask"</button>
            </div>
        </form>
    }
}

/// Four steps of a new installation, until they are done or dismissed.
#[component]
fn FirstSteps(setup: SetupSteps, has_sample: bool, may_configure: bool) -> impl IntoView {
    let sample = (!has_sample).then(|| {
        view! {
            <form method="post" action="/sample">
                <button type="submit" class="outline">"Try the sample investigation"</button>
            </form>
        }
    });
    view! {
        <section class="setup" aria-labelledby="setup-title">
            <h2 id="setup-title">"Set up in four steps"</h2>
            <ol>
                <Step is_done=setup.has_model title="Connect a language model" text="Without one, AutOSINT only quotes and counts. Done when a connection test is passed.">
                    {may_configure.then(|| view! { <a class="button outline" href="/settings">"Open settings"</a> })}
                </Step>
                <Step is_done=setup.has_sources title="Turn on sources" text="Searches and feeds that investigations may use.">
                    {may_configure.then(|| view! { <a class="button outline" href="/sources">"Choose sources"</a> })}
                </Step>
                <Step is_done=setup.has_documents title="Add documents" text="Drop them in the library, or add them to a question.">
                    <a class="button outline" href="/documents">"Add files"</a>
                </Step>
                <Step is_done=setup.has_read_sample title="Read the sample" text="An invented case of 2031, answered in a few seconds.">
                    {setup.sample.map(|id| view! { <a class="button outline" href=format!("/assessments/{id}")>"Read it"</a> })}
                    {sample}
                </Step>
            </ol>
            <form method="post" action="/account/setup">
                <button type="submit" class="quiet">"Hide these steps"</button>
            </form>
        </section>
    }
}

/// One step: checked off, or with the way to do it.
#[component]
fn Step(is_done: bool, title: &'static str, text: &'static str, children: Children) -> impl IntoView {
    let state = if is_done { "Done" } else { "To do" };
    view! {
        <li class:done=is_done>
            <span class="setup-mark" aria-hidden="true">{if is_done { "✓" } else { "" }}</span>
            <div>
                <p class="setup-name">{title} <span class="hidden">{format!(" ({state})")}</span></p>
                <p class="hint">{text}</p>
            </div>
            {(!is_done).then(children)}
        </li>
    }
    .into_any()
}

/// Returns the views of the list: filters with a name, and their queries.
fn list_views() -> Vec<(&'static str, String)> {
    let added = Contributions::of_page().filters;
    let added = added.iter().map(|filter| (filter.label, format!("{}=me", filter.field)));
    let kernel = |(text, query): (&'static str, &str)| (text, query.to_owned());
    let contested = (AssessmentState::Contested.words(), "state=contested");
    let [before, after] = [[("All", ""), ("Mine", "owner=me")], [contested, ("Archived", "view=archived")]];
    before.map(kernel).into_iter().chain(added).chain(after.map(kernel)).collect()
}

/// The newest assessments that match the filter of the address, and the way to all of them.
#[component]
fn Assessments(
    cards: Vec<AssessmentCard>,
    total: u64,
    filter: ListFilter,
    collections: Vec<(CollectionId, String)>,
    has_sample: bool,
    may_ask: bool,
    now: Timestamp,
) -> impl IntoView {
    let is_empty = cards.is_empty();
    let has_more = total > cards.len() as u64;
    let chosen = format::query_string(filter_fields(&filter));
    let is_archived = filter.is_archived;
    let is_filtered = !chosen.is_empty();
    let views = list_views();
    let is_view = views.iter().any(|(_, query)| *query == chosen);
    let rows = cards.into_iter().map(|card| view! { <AssessmentRow card now /> }).collect_view();
    let list = match (is_empty, is_filtered) {
        (true, true) => {
            let all = if is_archived { "/?view=archived#assessments" } else { "/" };
            match chosen == "view=archived" {
                true => view! { <EmptyState text="No archived assessments." href="/" button="All assessments" /> }.into_any(),
                false => view! { <EmptyState text="No assessment matches this filter." href=all button="Clear filters" /> }
                    .into_any(),
            }
        }
        (true, false) => {
            let (href, button) = first_step(may_ask);
            view! { <EmptyState text="No assessments yet." href button /> }.into_any()
        }
        (false, _) => view! { <ul class="assessment-rows">{rows}</ul> }.into_any(),
    };
    let views = views.into_iter().map(|(text, query)| {
        let href = if query.is_empty() { "/".to_owned() } else { format!("/?{query}#assessments") };
        view! { <li><a href=href aria-current=(query == chosen).then_some("true")>{text}</a></li> }
    });
    let views = views.collect_view();
    let all = if is_filtered { format!("/assessments?{chosen}") } else { "/assessments".to_owned() };
    view! {
        <section id="assessments" class="home-assessments" aria-labelledby="assessments-title">
            <h2 id="assessments-title">"Assessments"</h2>
            // No live region: what is chosen in the form stays.
            <div id="assessment-filters" data-live-hidden hidden={is_empty && !is_filtered}>
                <nav aria-label="Views of the assessments"><ul class="list-views">{views}</ul></nav>
                <details class="more-filters" open={is_filtered && !is_view}>
                    <summary>"Filter"</summary>
                    <AssessmentFilters action="/#assessments" filter collections has_sample />
                </details>
            </div>
            <div data-live="assessments">
                {list}
                {has_more.then(|| view! { <p><a href=all>{format!("All {}", format::count(total, "assessment", "assessments"))}</a></p> })}
            </div>
        </section>
    }
}

/// Address and text of what leads a person to their first assessment.
pub(super) const fn first_step(may_ask: bool) -> (&'static str, &'static str) {
    match may_ask {
        true => ("/investigations/new", "Ask a question"),
        false => ("/teams", "See your teams"),
    }
}

/// Text of the button that leads a person to the first document.
pub(super) const fn documents_button(may_add: bool) -> &'static str {
    if may_add { "Add documents" } else { "Browse documents" }
}

/// Rows of investigations that stand open.
const OPEN_ROWS: usize = 2;

/// Investigations of one state, those beyond the first rows folded.
#[component]
fn Investigations(title: &'static str, cards: Vec<InvestigationCard>, total: u64, now: Timestamp) -> impl IntoView {
    (!cards.is_empty()).then(|| {
        let mut cards = cards;
        let folded = cards.split_off(cards.len().min(OPEN_ROWS));
        let folded_total = total.saturating_sub(cards.len() as u64);
        let rows = cards.into_iter().map(|card| view! { <InvestigationRow card now /> }).collect_view();
        let rest = (!folded.is_empty())
            .then(|| view! { <Folded summary=format!("{folded_total} more") cards=folded total=folded_total now /> });
        view! {
            <section>
                <h2>{title}</h2>
                <ul class="rows row-lines">{rows}</ul>
                {rest}
            </section>
        }
    })
}

/// A failed investigation, or the number of several, folded: what failed lately stands among the changes since the last visit.
#[component]
fn Failed(cards: Vec<InvestigationCard>, total: u64, now: Timestamp) -> impl IntoView {
    if total < 2 {
        return view! { <Investigations title="Failed" cards total now /> }.into_any();
    }
    view! { <Folded summary=format!("{total} investigations have failed") cards total now /> }.into_any()
}

/// Folded investigations, of which the newest are listed.
#[component]
fn Folded(summary: String, cards: Vec<InvestigationCard>, total: u64, now: Timestamp) -> impl IntoView {
    let listed = cards.len();
    let newest = (total > listed as u64).then(|| view! { <p class="hint">{format!("The newest {listed} are listed.")}</p> });
    let rows = cards.into_iter().map(|card| view! { <InvestigationRow card now /> }).collect_view();
    view! { <details><summary>{summary}</summary>{newest}<ul class="rows row-lines">{rows}</ul></details> }.into_any()
}

#[component]
fn LibraryLine(documents: u64, has_sample: bool, may_remove: bool) -> impl IntoView {
    // The count is without the sample, and so is the list.
    let href = if has_sample { "/documents?sample=hidden" } else { "/documents" };
    view! {
        <footer class="library-line">
            <p>
                <a href=href>{format::count(documents, "document", "documents")}</a>
                " in your library"
            </p>
            {may_remove.then(|| view! {
                <Confirm text="Remove the sample…" warning="Its documents, assessments and notes go, for everybody. It can be investigated again.">
                    <form method="post" action="/sample/remove">
                        <button class="outline" type="submit">"Remove the sample"</button>
                    </form>
                </Confirm>
            })}
        </footer>
    }
}
