//! The subgraph as tables, with the selection of the picture.

use super::{address, strength, support, when, with_seeds};
use crate::prelude::*;
use domain::subgraph::{GraphEdge, GraphNode, Subgraph};
use std::collections::HashMap;
use views::graph::ExplorerQuery;

#[component]
pub(super) fn Twin(query: ExplorerQuery, graph: Subgraph, communities: Vec<u32>, notices: Vec<String>) -> impl IntoView {
    let names: HashMap<EntityId, String> = graph.nodes.iter().map(|node| (node.id, node.name.clone())).collect();
    let count = format!(
        "{}, {}",
        format::count(graph.nodes.len() as u64, "entity", "entities"),
        format::count(graph.edges.len() as u64, "relationship", "relationships")
    );
    let notices = notices.into_iter().map(|notice| view! { <p role="status">{notice}</p> }).collect_view();
    let nodes = graph.nodes.into_iter().zip(communities);
    let nodes = nodes.map(|(node, community)| view! { <NodeRow query=query.clone() node community /> }).collect_view();
    let name = |id: EntityId| names.get(&id).cloned().unwrap_or_default();
    let edges = graph.edges.into_iter().map(|edge| {
        let (source, target) = (name(edge.source), name(edge.target));
        view! { <EdgeRow edge source target /> }
    });
    let edges = edges.collect_view();
    view! {
        <p class="muted">{count}</p>
        {notices}
        <Hidden query />
        <section aria-labelledby="nodes-title">
            <h2 id="nodes-title">"Entities"</h2>
            <table role="table" class="stacked graph-nodes">
                <Columns names=&["Entity", "Kind", "Group", "Actions"] numbers=&["Group"] />
                <tbody role="rowgroup">{nodes}</tbody>
            </table>
        </section>
        <section aria-labelledby="edges-title">
            <h2 id="edges-title">"Relationships"</h2>
            <table role="table" class="stacked graph-edges">
                <Columns names=&["From", "Relationship", "To", "When", "Strength", "Evidence"] numbers=&["Strength"] />
                <tbody role="rowgroup">{edges}</tbody>
            </table>
        </section>
    }
}

/// Number of hidden entities, with a way back.
#[component]
fn Hidden(query: ExplorerQuery) -> impl IntoView {
    let count = query.hidden.len() as u64;
    let shown = ExplorerQuery { hidden: vec![], ..query };
    (count > 0).then(|| {
        let href = format!("/graph?{}", address(&shown));
        view! { <p>{format::count(count, "entity is hidden", "entities are hidden")} ". " <a href=href>"Show hidden again"</a></p> }
    })
}

#[component]
fn EdgeRow(edge: GraphEdge, source: String, target: String) -> impl IntoView {
    let arrow = if edge.bidirectional { "↔ " } else { "→ " };
    view! {
        <tr role="row" data-edge=edge.id.to_string()>
            <th role="rowheader" scope="row"><a href=format!("/entities/{}", edge.source)>{source}</a></th>
            <td role="cell" data-label="Relationship"><a href=format!("/relationships/{}", edge.id)>{edge.description.clone()}</a></td>
            <td role="cell" data-label="To"><span aria-hidden="true">{arrow}</span><a href=format!("/entities/{}", edge.target)>{target}</a></td>
            <td role="cell" data-label="When">{when(&edge)}</td>
            <td role="cell" data-label="Strength" class="number">{strength(&edge)}</td>
            <td role="cell" data-label="Evidence">{support(&edge)}</td>
        </tr>
    }
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
    let has_seeds = !seeds.is_empty();
    let expanded = format!("/graph?{}", address(&with_seeds(&query, seeds)));
    let mut without = query;
    without.hidden.push(node.id);
    let hidden = format!("/graph?{}", address(&without));
    let (name, also) = (node.name.clone(), node.name.clone());
    view! {
        <tr role="row" data-node=node.id.to_string()>
            <th role="rowheader" scope="row"><a href=format!("/entities/{}", node.id)>{node.name}</a></th>
            <td role="cell" data-label="Kind">{node.kind}</td>
            <td role="cell" data-label="Group" class="number">{community + 1}</td>
            <td role="cell" data-label="Actions">
                {has_seeds.then(|| view! { <a class="quiet" href=expanded>{text} <span class="hidden">" " {name}</span></a> })}
                " " <a class="quiet" href=hidden>"Hide" <span class="hidden">" " {also}</span></a>
            </td>
        </tr>
    }
}
