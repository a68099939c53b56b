//! Paths between two entities, and the choice of their end where a name has several meanings.

use super::{address, support};
use crate::prelude::*;
use domain::subgraph::GraphNode;
use views::graph::{ExplorerQuery, GraphPath, PathStep};

/// Entities whose name matches what was typed as the end of the paths.
#[component]
pub(super) fn Targets(query: ExplorerQuery, target: String, targets: Vec<GraphNode>) -> impl IntoView {
    if targets.is_empty() {
        return view! { <p role="status">{format!("No other entity matches “{target}”.")}</p> }.into_any();
    }
    let choices = targets
        .into_iter()
        .map(|node| {
            let chosen = ExplorerQuery { to: Some(node.id), target: String::new(), ..query.clone() };
            let href = format!("/graph?{}", address(&chosen));
            view! { <li><a href=href>{node.name}</a> " " <span class="muted">{node.kind}</span></li> }
        })
        .collect_view();
    view! {
        <section aria-labelledby="targets-title">
            <h2 id="targets-title">{format!("Which “{target}”?")}</h2>
            <ul class="graph-targets">{choices}</ul>
        </section>
    }
    .into_any()
}

#[component]
pub(super) fn Paths(paths: Vec<GraphPath>, max_hops: u32) -> impl IntoView {
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
