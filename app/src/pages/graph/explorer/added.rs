//! Objects of features over the graph of the explorer: their sources, and their table.

use crate::prelude::*;
use domain::subgraph::Subgraph;
use engine::StoreResult;
use std::{
    collections::{HashMap, HashSet},
    pin::Pin,
    sync::Arc,
};
use views::graph::{AddedNode, ExplorerView};

/// Objects on their way.
pub type AddedNodesFuture = Pin<Box<dyn Future<Output = StoreResult<Vec<AddedNode>>> + Send>>;

/// Source of objects that a feature lays over the graph: finds what a person reads of what some entities take part in.
#[derive(Clone)]
pub struct AddedNodes(pub Arc<dyn Fn(User, Vec<EntityId>) -> AddedNodesFuture + Send + Sync>);

/// Lays the objects of all sources over the graph of a view. Links to what the graph does not show are left out.
pub async fn lay_over(sources: &[AddedNodes], viewer: &User, view: &mut ExplorerView) -> StoreResult<()> {
    let entities: Vec<EntityId> = view.graph.nodes.iter().map(|node| node.id).collect();
    if entities.is_empty() {
        return Ok(());
    }
    for source in sources {
        view.added.extend((source.0)(viewer.clone(), entities.clone()).await?);
    }
    let shown = entities.iter().map(ToString::to_string);
    let known: HashSet<String> = shown.chain(view.added.iter().map(|node| node.id.clone())).collect();
    for node in &mut view.added {
        node.links.retain(|link| known.contains(&link.to));
    }
    view.added.retain(|node| !node.links.is_empty());
    Ok(())
}

/// Table of the objects that are laid over a graph.
#[component]
pub(super) fn AddedTable(added: Vec<AddedNode>, graph: Subgraph) -> impl IntoView {
    if added.is_empty() {
        return ().into_any();
    }
    let entities = graph.nodes.into_iter().map(|node| (node.id.to_string(), (node.name, format!("/entities/{}", node.id))));
    let objects = added.iter().map(|node| (node.id.clone(), (node.name.clone(), node.href.clone())));
    let ends: HashMap<String, (String, String)> = entities.chain(objects).collect();
    let rows = added.into_iter().map(|node| {
        let links = node.links.into_iter().filter_map(|link| {
            let (name, href) = ends.get(&link.to)?.clone();
            Some(view! { <li>{link.text} " " <a href=href>{name}</a></li> })
        });
        let links = links.collect::<Vec<_>>();
        view! {
            <tr role="row" data-node=node.id>
                <th role="rowheader" scope="row"><a href=node.href>{node.name}</a></th>
                <td role="cell" data-label="Kind">{format::capitalised(&node.kind)}</td>
                <td role="cell" data-label="Linked to"><ul>{links}</ul></td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <section aria-labelledby="added-title">
            <h2 id="added-title">"Laid over the graph"</h2>
            <table role="table" class="stacked graph-added">
                <Columns names=&["Name", "Kind", "Linked to"] />
                <tbody role="rowgroup">{rows}</tbody>
            </table>
        </section>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::subgraph::GraphNode;
    use views::graph::NodeLink;

    fn node(id: &str, to: &str) -> AddedNode {
        let links = vec![NodeLink { to: to.to_owned(), text: "rests on".into() }];
        AddedNode { id: id.into(), name: id.to_uppercase(), kind: "ferry".into(), href: format!("/ferries/{id}"), links }
    }

    #[test]
    fn an_object_is_listed_with_the_ends_of_its_links() {
        let id: EntityId = "00000000-0000-0000-0000-000000000007".parse().unwrap();
        let shown = GraphNode { id, name: "Halvek".into(), kind: "company".into(), claims: None };
        let graph = Subgraph { nodes: vec![shown], edges: vec![] };
        let added = vec![node("one", &id.to_string()), node("two", "one")];
        let html = Owner::new().with(|| view! { <AddedTable added graph /> }.to_html());
        for text in ["/ferries/one", "Ferry", "Halvek", "ONE", "data-node=\"two\""] {
            assert!(html.contains(text), "{text}: {html}");
        }
    }
}
