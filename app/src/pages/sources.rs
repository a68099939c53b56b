//! Sources: state, health and yield; switches, keys and feeds for administrators.

mod feeds;
mod line;

use super::{Visit, query, query_values, render_page};
use crate::prelude::*;
use domain::fetch::Availability;
use feeds::Feeds;
use line::Line;
use views::sources::{SourceLine, SourceNotice, SourcesView};

async fn load_sources() -> Result<Visit<(SourcesView, Option<SourceNotice>)>, AppError> {
    let (_, viewer) = crate::session::viewer().await?;
    let page = crate::session::settings()?.sources(&viewer).await?;
    Ok(Visit { viewer, page: (page, crate::session::take_source_notice().await) })
}

#[component]
pub fn SourcesPage() -> impl IntoView {
    let (error, found) = (query("error"), query_values("found"));
    render_page(load_sources(), move |Visit { viewer, page: (page, notice) }| {
        view! { <PageBody viewer page error found notice /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(
    viewer: User,
    page: SourcesView,
    error: Option<String>,
    /// Feeds that an address leads to, to choose from.
    found: Vec<String>,
    /// Notice of the last change.
    notice: Option<SourceNotice>,
) -> impl IntoView {
    let SourcesView { may_change, sources, problem, built_in_feeds, feeds, now } = page;
    let on = sources.iter().filter(|line| line.is_on).count();
    let summary = match (on, may_change) {
        (0, true) => "All sources are off. Questions are answered from your documents and the pages you name.",
        (0, false) => {
            "All sources are off. Questions are answered from your documents and the pages you name. An administrator can turn sources on."
        }
        _ => "Search words are sent to the sources that are on, and to no others.",
    };
    let sees_tools = viewer.role.may(Action::Investigate);
    let may_switch_on = may_change && sources.iter().any(|line| !line.is_on && line.entry.availability == Availability::Off);
    let (able, wanting): (Vec<SourceLine>, Vec<SourceLine>) =
        sources.into_iter().partition(|line| matches!(line.entry.availability, Availability::Ready | Availability::Off));
    view! {
        <Title text="Sources" />
        <Frame viewer nav=NavItem::Sources>
            <h1>"Sources"</h1>
            <NoticeBanner code=error />
            <p class="lead">{summary}</p>
            {problem.map(|why| view! { <p class="notice" role="alert">"The list of sources is unavailable: " {why}</p> })}
            {may_change.then(|| view! { <Switches may_switch_on is_any_on={on > 0} /> })}
            {sees_tools.then(|| view! { <p class="hint"><a href="/tools">"See result quality"</a></p> })}
            <Group id="able" title="Available" lines=able is_folded=false may_change now notice=notice.clone() />
            <Group id="wanting" title="Setup needed" lines=wanting is_folded=true may_change now notice=notice.clone() />
            <Feeds built_in=built_in_feeds feeds found notice may_change />
        </Frame>
    }
    .into_any()
}

/// All at once.
#[component]
fn Switches(may_switch_on: bool, is_any_on: bool) -> impl IntoView {
    let button = |is_on: bool, class: &'static str, text: &'static str| {
        view! {
            <form method="post" action="/sources/switch">
                <input type="hidden" name="on" value=is_on.to_string() />
                <button class=class type="submit">{text}</button>
            </form>
        }
    };
    view! {
        <div class="source-switches">
            {may_switch_on.then(|| button(true, "", "Turn on all available"))}
            {is_any_on.then(|| button(false, "quiet", "Turn all off"))}
        </div>
    }
}

/// Sources of one state, with their number. A folded group opens by itself where a notice is about one of them.
#[component]
fn Group(
    id: &'static str,
    title: &'static str,
    lines: Vec<SourceLine>,
    is_folded: bool,
    may_change: bool,
    now: domain::Timestamp,
    notice: Option<SourceNotice>,
) -> impl IntoView {
    let (heading, labelled) = (format!("{id}-title"), format!("{id}-title"));
    let count = lines.len();
    let is_noticed = notice.as_ref().is_some_and(|notice| lines.iter().any(|line| line.entry.id == notice.part));
    let rows = lines.into_iter().map(|line| view! { <Line line may_change now notice=notice.clone() /> }).collect_view();
    (count > 0).then(|| {
        let heading = view! { <h2 id=heading>{title} " " <span class="muted">{count}</span></h2> };
        let rows = view! { <ul class="setting-list source-rows">{rows}</ul> };
        let body = match is_folded {
            true => {
                view! { <details class="source-group" open=is_noticed><summary>{heading}</summary>{rows}</details> }.into_any()
            }
            false => view! { {heading} <Columns /> {rows} }.into_any(),
        };
        view! { <section aria-labelledby=labelled class="settings-part">{body}</section> }.into_any()
    })
}

/// Names of the columns on wide screens. Each row says the same to those who do not see them.
#[component]
fn Columns() -> impl IntoView {
    view! {
        <div class="source-row source-columns" aria-hidden="true">
            <span>"Source"</span>
            <span>"Last use and problem"</span>
            <span>"Test and switch"</span>
        </div>
    }
}

/// Notice of a change beside its form.
#[component]
fn NoticeText(notice: SourceNotice) -> impl IntoView {
    let role = if notice.is_failure { "alert" } else { "status" };
    view! { <p class="notice" role=role>{notice.words}</p> }
}
