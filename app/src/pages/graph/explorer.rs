//! The explorer: a picture of a subgraph where the browser can draw one, and the same as tables.

mod added;
mod filters;
mod paths;
mod twin;

use super::{Visit, query, render_page, strength, support, when};
use crate::{pages::dashboard::documents_button, parts::ExplorerScripts, prelude::*};
use added::AddedTable;
pub use added::{AddedNodes, AddedNodesFuture, lay_over};
use explorer_islands::ExplorerPicture;
use filters::Filters;
use leptos_router::hooks::use_query_map;
use paths::{Paths, Targets};
use twin::Twin;
use views::graph::{ExplorerQuery, ExplorerView};

/// Libraries of the picture, in the order in which they need one another. `copy_vendor` in `scripts/lib.sh` puts them there.
const LIBRARIES: [&str; 4] = ["cytoscape", "layout-base", "cose-base", "cytoscape-fcose"];

async fn load_explorer(query: ExplorerQuery) -> Result<Visit<ExplorerView>, AppError> {
    let sources = Contributions::of_page().nodes;
    let (engine, viewer) = crate::session::viewer().await?;
    let mut page = engine.explorer_view(&viewer, query).await?;
    lay_over(&sources, &viewer, &mut page).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn ExplorerPage() -> impl IntoView {
    let held = use_query_map().with_untracked(|query| query.clone());
    let asked = ExplorerQuery::from_pairs(held.into_iter().map(|(key, value)| (key.to_string(), value)));
    let error = query("error");
    render_page(load_explorer(asked), move |Visit { viewer, page }| view! { <PageBody viewer page error /> }.into_any())
}

/// Returns the query string of the address.
fn address(query: &ExplorerQuery) -> String {
    format::query_string(query.pairs())
}

/// Returns the query with other seeds; paths go, if they would lead to where they start.
fn with_seeds(query: &ExplorerQuery, seeds: Vec<EntityId>) -> ExplorerQuery {
    let to = query.to.filter(|to| seeds.first() != Some(to));
    ExplorerQuery { seeds, to, ..query.clone() }
}

#[component]
fn PageBody(viewer: User, page: ExplorerView, error: Option<String>) -> impl IntoView {
    let notices = page.notices();
    let ExplorerView { query, graph, communities, paths, max_hops, kinds, targets, target, added, .. } = page;
    let has_seeds = !query.seeds.is_empty();
    let source = address(&query);
    let place = Slot::Filters { page: "graph", viewer: viewer.clone(), query: source.clone(), is_chosen: has_seeds };
    let has_start =
        !query.search.is_empty() || query.assessment.is_some() || query.investigation.is_some() || query.report.is_some();
    let may_add = viewer.role.may(Action::Investigate);
    let is_unknown = paths.is_none() && !query.target.is_empty();
    view! {
        <Title text="Graph" />
        <Frame viewer nav=NavItem::Graph>
            <h1>"Graph"</h1>
            <NoticeBanner code=error />
            <Start words=query.search.clone() />
            {has_seeds.then(|| view! {
                {query.report.map(|report| view! { <ReportLine report shows_all=query.shows_all /> })}
                <Filters query=query.clone() kinds target=target.clone() />
                <ExplorerPicture />
                <div id="graph-twin" data-panels="">
                    {is_unknown.then(|| view! { <Targets query=query.clone() target targets /> })}
                    {paths.map(|paths| view! { <Paths paths max_hops /> })}
                    <Twin query graph=graph.clone() communities notices />
                    <AddedTable added graph />
                </div>
                <Exports source />
                // Cytoscape adds this style element itself unless it is there, which the content security policy forbids.
                <span id="__________cytoscape_stylesheet" hidden></span>
                {LIBRARIES.map(|name| view! { <script defer src=format!("/vendor/{name}.js")></script> }).into_iter().collect_view()}
                <script type="module" src="/graph-cytoscape.js"></script>
                // Scripts of modules run in the order of the page: the island finds the one above.
                <ExplorerScripts />
            })}
            // Beneath the picture, which a form above would push down.
            <Pieces at=place />
            {(!has_seeds).then(|| match has_start {
                true => view! { <EmptyState text="No entity was found." href="/entities" button="All entities" /> }.into_any(),
                false => {
                    let (text, button) = ("The graph appears when documents have been read.", documents_button(may_add));
                    view! { <EmptyState text href="/documents" button /> }.into_any()
                }
            })}
        </Frame>
    }
    .into_any()
}

/// The report that the picture belongs to.
#[component]
fn ReportLine(report: AssessmentId, shows_all: bool) -> impl IntoView {
    let text = if shows_all { "What is known of the entities of " } else { "What the citations state of " };
    view! { <p class="muted">{text} <a href=format!("/assessments/{report}")>"the report"</a> "."</p> }
}

/// Search whose best entities the explorer starts from.
#[component]
fn Start(words: String) -> impl IntoView {
    view! {
        <form method="get" action="/graph" class="search" role="search" aria-label="Entities to start from">
            <label for="q" class="hidden">"Start from the entities of a search"</label>
            <input id="q" name="search" type="search" value=words placeholder="Names to start from" maxlength="300" />
            <button type="submit" class="outline">"Explore"</button>
        </form>
    }
}

#[component]
fn Exports(source: String) -> impl IntoView {
    let link = |form: &'static str, text: &'static str| {
        view! { <a href=format!("/graph/export.{form}?{source}") download>{text}</a> }
    };
    view! { <p class="exports">"Export: " {link("csv", "CSV")} " " {link("graphml", "GraphML")} " " {link("json", "JSON")}</p> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_holds_seeds_and_filters() {
        let seed: EntityId = "00000000-0000-0000-0000-000000000007".parse().unwrap();
        let query = ExplorerQuery {
            seeds: vec![seed],
            words: "owns 5 %".into(),
            min_claims: 2,
            is_asserted_only: true,
            ..Default::default()
        };
        let expected = "seed=00000000-0000-0000-0000-000000000007&words=owns%205%20%25&claims=2&asserted=1";
        assert_eq!(address(&query), expected);
        let pairs = query.pairs().into_iter().map(|(key, value)| (key.to_owned(), value));
        assert_eq!(ExplorerQuery::from_pairs(pairs.chain([("seed".to_owned(), "x".to_owned())])), query);
    }
}
