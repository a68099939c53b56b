//! The explorer: a picture of a subgraph where the browser can draw one, and the same as tables.

use super::{Visit, period, render_page, strength, support};
use crate::{
    AppError, format,
    parts::{Frame, NavItem, SavedViews},
};
use domain::{
    EntityId, PartialDate,
    notification::ViewPage,
    subgraph::{GraphNode, Subgraph},
    user::User,
};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use std::collections::HashMap;
use views::graph::{ExplorerQuery, ExplorerView, GraphPath, PathStep};

/// Libraries of the picture, in the order in which they need one another. `copy_vendor` in `scripts/lib.sh` puts them there.
const LIBRARIES: [&str; 4] = ["cytoscape", "layout-base", "cose-base", "cytoscape-fcose"];

#[server]
async fn load_explorer(query: ExplorerQuery) -> Result<Visit<ExplorerView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.explorer_view(&viewer, query).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn ExplorerPage() -> impl IntoView {
    let held = use_query_map().with_untracked(|query| query.clone());
    let asked = ExplorerQuery::from_pairs(held.into_iter().map(|(key, value)| (key.to_string(), value)));
    render_page(load_explorer(asked), |Visit { viewer, page }| view! { <PageBody viewer page /> }.into_any())
}

/// Returns the query of the address for these seeds, with the filters of `query`.
fn address(query: &ExplorerQuery, seeds: &[EntityId], to: Option<EntityId>) -> String {
    let wanted = ExplorerQuery { seeds: seeds.to_vec(), to, ..query.clone() };
    let pairs = wanted.pairs().into_iter().map(|(key, value)| format!("{key}={}", format::percent_encoded(&value)));
    pairs.collect::<Vec<_>>().join("&")
}

#[component]
fn PageBody(viewer: User, page: ExplorerView) -> impl IntoView {
    let ExplorerView { query, graph, communities, is_cut, paths, max_hops, views } = page;
    let myself = viewer.id;
    let has_seeds = !query.seeds.is_empty();
    let source = address(&query, &query.seeds, None);
    let nothing = (!query.search.is_empty() || query.assessment.is_some()).then_some("No entity was found. ");
    view! {
        <Title text="Graph" />
        <Frame viewer nav=NavItem::Graph>
            <h1>"Graph"</h1>
            <p class="muted"><a href="/entities">"All entities"</a> " · " <a href="/reviews">"Probable duplicates"</a></p>
            <Start words=query.search.clone() />
            <SavedViews page=ViewPage::Graph viewer=myself views query=source.clone() may_save=has_seeds />
            {has_seeds.then(|| view! {
                <Filters query=query.clone() nodes=graph.nodes.clone() />
                <div id="graph-canvas" class="graph-canvas" hidden></div>
                <div id="graph-twin">
                    {paths.map(|paths| view! { <Paths paths max_hops /> })}
                    <Twin query graph communities is_cut />
                </div>
                <Exports source />
                // Cytoscape adds this style element itself unless it is there, which the content security policy forbids.
                <span id="__________cytoscape_stylesheet" hidden></span>
                {LIBRARIES.map(|name| view! { <script defer src=format!("/vendor/{name}.js")></script> }).into_iter().collect_view()}
                <script type="module" src="/graph.js"></script>
            })}
            {(!has_seeds).then(|| view! {
                <p>{nothing} "Choose entities to start from: search above, or open one from " <a href="/entities">"the list"</a> "."</p>
            })}
        </Frame>
    }
    .into_any()
}

/// Search whose best entities the explorer starts from.
#[component]
fn Start(words: String) -> impl IntoView {
    view! {
        <form method="get" action="/graph" class="search" role="search">
            <label for="q" class="hidden">"Start from the entities of a search"</label>
            <input id="q" name="search" type="search" value=words placeholder="Names to start from" maxlength="300" />
            <button type="submit" class="outline">"Explore"</button>
        </form>
    }
}

#[component]
fn Filters(query: ExplorerQuery, nodes: Vec<GraphNode>) -> impl IntoView {
    let ExplorerQuery { seeds, to, words, min_claims, is_asserted_only, from, until, .. } = query;
    let date = |date: Option<PartialDate>| date.map(|date| date.to_string());
    let hidden = seeds.iter().map(|seed| view! { <input type="hidden" name="seed" value=seed.to_string() /> }).collect_view();
    let first = seeds.first().copied();
    let ends = nodes.into_iter().filter(|node| Some(node.id) != first);
    let ends = ends
        .map(|node| view! { <option value=node.id.to_string() selected=to == Some(node.id)>{node.name}</option> })
        .collect_view();
    view! {
        <form method="get" action="/graph" class="filters" id="graph-filters">
            {hidden}
            <label class="filter">
                <span>"Description contains"</span>
                <input name="words" type="text" value=words maxlength="200" placeholder="owns, stake …" />
            </label>
            <label class="filter">
                <span>"Claims, at least"</span>
                <input name="claims" type="text" inputmode="numeric" pattern="[0-9]*" maxlength="3" size="4" value=(min_claims > 0).then(|| min_claims.to_string()) />
            </label>
            <label class="filter">
                <span>"Stated from"</span>
                <input name="from" type="text" value=date(from) placeholder="2031-03" pattern="[0-9]{4}(-[0-9]{2}){0,2}" size="10" maxlength="10" />
            </label>
            <label class="filter">
                <span>"To"</span>
                <input name="until" type="text" value=date(until) placeholder="2031-04-02" pattern="[0-9]{4}(-[0-9]{2}){0,2}" size="10" maxlength="10" />
            </label>
            <label class="filter">
                <span>"Path to"</span>
                <select name="to"><option value="">"No path"</option>{ends}</select>
            </label>
            <label class="filter-check">
                <input type="checkbox" name="asserted" value="1" checked=is_asserted_only />
                <span>"Asserted only"</span>
            </label>
            <button type="submit" class="outline">"Apply"</button>
        </form>
    }
    .into_any()
}

#[component]
fn Paths(paths: Vec<GraphPath>, max_hops: u32) -> impl IntoView {
    let title = match paths.len() {
        0 => format!("No path of at most {max_hops} relationships"),
        count => format::count(count as u64, "shortest path", "shortest paths"),
    };
    let items = paths.into_iter().map(|path| view! { <PathItem path /> }).collect_view();
    view! {
        <section aria-labelledby="paths-title">
            <h2 id="paths-title">{title}</h2>
            <ol class="paths">{items}</ol>
        </section>
    }
    .into_any()
}

#[component]
fn PathItem(path: GraphPath) -> impl IntoView {
    let GraphPath { start, steps } = path;
    let steps = steps
        .into_iter()
        .map(|PathStep { edge, is_forward, node }| {
            let arrow = match (edge.bidirectional, is_forward) {
                (true, _) => "↔",
                (false, true) => "→",
                (false, false) => "←",
            };
            view! {
                " " <span class="path-step"><span aria-hidden="true">{arrow}</span> " " {edge.description.clone()} " (" {support(&edge)} ") " <span aria-hidden="true">{arrow}</span></span> " "
                <a href=format!("/entities/{}", node.id)>{node.name}</a>
            }
        })
        .collect_view();
    view! { <li><a href=format!("/entities/{}", start.id)>{start.name}</a> {steps}</li> }.into_any()
}

/// The subgraph as tables, with the selection of the picture.
#[component]
fn Twin(query: ExplorerQuery, graph: Subgraph, communities: Vec<u32>, is_cut: bool) -> impl IntoView {
    let names: HashMap<EntityId, String> = graph.nodes.iter().map(|node| (node.id, node.name.clone())).collect();
    let count = format!(
        "{}, {}",
        format::count(graph.nodes.len() as u64, "entity", "entities"),
        format::count(graph.edges.len() as u64, "relationship", "relationships")
    );
    let cut = is_cut.then(|| {
        view! { <p role="status">"There are more relationships than are shown: these are the strongest. Narrow them with the filters above."</p> }
    });
    let nodes = graph.nodes.into_iter().zip(communities);
    let nodes = nodes.map(|(node, community)| view! { <NodeRow query=query.clone() node community /> }).collect_view();
    let edges = graph
        .edges
        .into_iter()
        .map(|edge| {
            let name = |id: EntityId| names.get(&id).cloned().unwrap_or_default();
            let arrow = if edge.bidirectional { "↔ " } else { "→ " };
            view! {
                <tr role="row" data-edge=edge.id.to_string()>
                    <th role="rowheader" scope="row"><a href=format!("/entities/{}", edge.source)>{name(edge.source)}</a></th>
                    <td role="cell" data-label="Relationship"><a href=format!("/relationships/{}", edge.id)>{edge.description.clone()}</a></td>
                    <td role="cell" data-label="To"><span aria-hidden="true">{arrow}</span><a href=format!("/entities/{}", edge.target)>{name(edge.target)}</a></td>
                    <td role="cell" data-label="When">{period(&edge)}</td>
                    <td role="cell" data-label="Strength" class="number">{strength(&edge)}</td>
                    <td role="cell" data-label="Evidence">{support(&edge)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <p class="muted">{count}</p>
        {cut}
        <section aria-labelledby="nodes-title">
            <h2 id="nodes-title">"Entities"</h2>
            <table role="table" class="stacked graph-nodes">
                <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">"Entity"</th><th role="columnheader" scope="col">"Kind"</th><th role="columnheader" scope="col" class="number">"Group"</th><th role="columnheader" scope="col">"Actions"</th></tr></thead>
                <tbody role="rowgroup">{nodes}</tbody>
            </table>
        </section>
        <section aria-labelledby="edges-title">
            <h2 id="edges-title">"Relationships"</h2>
            <table role="table" class="stacked graph-edges">
                <thead role="rowgroup">
                    <tr role="row"><th role="columnheader" scope="col">"From"</th><th role="columnheader" scope="col">"Relationship"</th><th role="columnheader" scope="col">"To"</th><th role="columnheader" scope="col">"When"</th><th role="columnheader" scope="col" class="number">"Strength"</th><th role="columnheader" scope="col">"Evidence"</th></tr>
                </thead>
                <tbody role="rowgroup">{edges}</tbody>
            </table>
        </section>
    }
    .into_any()
}

#[component]
fn NodeRow(query: ExplorerQuery, node: GraphNode, community: u32) -> impl IntoView {
    let is_seed = query.seeds.contains(&node.id);
    let mut seeds = query.seeds.clone();
    let text = if is_seed {
        seeds.retain(|seed| *seed != node.id);
        "Collapse"
    } else {
        seeds.push(node.id);
        "Expand"
    };
    let href = format!("/graph?{}", address(&query, &seeds, query.to.filter(|to| seeds.first() != Some(to))));
    let name = node.name.clone();
    view! {
        <tr role="row" data-node=node.id.to_string()>
            <th role="rowheader" scope="row"><a href=format!("/entities/{}", node.id)>{node.name}</a></th>
            <td role="cell" data-label="Kind">{node.kind}</td>
            <td role="cell" data-label="Group" class="number">{community + 1}</td>
            <td role="cell" data-label="Actions">
                {(!seeds.is_empty()).then(|| view! { <a class="quiet" href=href>{text} <span class="hidden">" " {name}</span></a> })}
            </td>
        </tr>
    }
    .into_any()
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
        let query = ExplorerQuery { words: "owns 5 %".into(), min_claims: 2, is_asserted_only: true, ..Default::default() };
        let expected = "seed=00000000-0000-0000-0000-000000000007&words=owns%205%20%25&claims=2&asserted=1";
        assert_eq!(address(&query, &[seed], None), expected);
        let pairs = query.pairs().into_iter().map(|(key, value)| (key.to_owned(), value));
        assert_eq!(ExplorerQuery::from_pairs(pairs.chain([("seed".to_owned(), "x".to_owned())])), query);
    }
}
