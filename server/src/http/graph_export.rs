//! Download of the explorer's subgraph as JSON, CSV or GraphML. The picture in the browser is drawn from the JSON.

use super::prelude::*;
use crate::features;
use app::lay_over;
use axum::{Json, extract::RawQuery};
use domain::{EntityId, subgraph::Subgraph};
use engine::graph::layout;
use quick_xml::{Writer, events::BytesText};
use std::{
    collections::{HashMap, HashSet},
    io,
};
use views::graph::{ExplorerQuery, ExplorerView, PictureEdge, PictureGraph, PictureNode, Position};

/// Most nodes whose layout the browser computes (fcose).
const BROWSER_LAYOUT_NODES: usize = 300;

pub(super) async fn json(caller: Caller, RawQuery(query): RawQuery) -> Response<Body> {
    let view = match load(&caller, "json", query).await {
        Ok(view) => view,
        Err(error) => return error.into_response(),
    };
    Json(graph_json(view)).into_response()
}

/// The same for the picture of the explorer, whose page is no export.
pub(super) async fn picture(caller: Caller, RawQuery(query): RawQuery) -> Response<Body> {
    match read_picture(&caller, query.as_deref()).await {
        Ok(view) => Json(graph_json(view)).into_response(),
        Err(error) => error.into_response(),
    }
}

/// Loads the subgraph of an address, with the objects of features over it.
async fn read_picture(caller: &Caller, query: Option<&str>) -> Result<ExplorerView, ApiError> {
    let mut view = read_view(caller, query).await?;
    let state = caller.web.features.clone();
    lay_over(&features::added_nodes(move || Some(state.clone())), &caller.user, &mut view).await?;
    Ok(view)
}

fn graph_json(view: ExplorerView) -> PictureGraph {
    let notices = view.notices();
    let ExplorerView { graph, communities, is_cut, paths, query, added, .. } = view;
    let paths = paths.unwrap_or_default();
    let steps = || paths.iter().flat_map(|path| &path.steps);
    let on_path: HashSet<EntityId> = steps().flat_map(|step| [step.edge.source, step.edge.target]).collect();
    let steps: HashSet<_> = steps().map(|step| step.edge.id).collect();
    let mut positions = places(&graph, &communities).into_iter();
    let nodes = graph.nodes.into_iter().zip(communities);
    let nodes = nodes.map(|(node, community)| {
        let is_on_path = on_path.contains(&node.id);
        PictureNode { node, community, is_on_path, position: positions.next() }
    });
    let edges = graph.edges.into_iter().map(|edge| PictureEdge { is_on_path: steps.contains(&edge.id), edge });
    PictureGraph { nodes: nodes.collect(), edges: edges.collect(), is_cut, seeds: query.seeds, notices, added }
}

/// Returns the places of the nodes; none for a graph that the browser lays out.
fn places(graph: &Subgraph, communities: &[u32]) -> Vec<Position> {
    if graph.nodes.len() <= BROWSER_LAYOUT_NODES {
        return vec![];
    }
    layout::positions(graph, communities).into_iter().map(|(x, y)| Position { x, y }).collect()
}

pub(super) async fn csv(caller: Caller, RawQuery(query): RawQuery) -> Response<Body> {
    match load(&caller, "csv", query).await {
        Ok(view) => download(write_csv(&view.graph), "text/csv; charset=utf-8", "csv"),
        Err(error) => error.into_response(),
    }
}

pub(super) async fn graphml(caller: Caller, RawQuery(query): RawQuery) -> Response<Body> {
    match load(&caller, "graphml", query).await {
        Ok(view) => download(write_graphml(&view), "application/xml", "graphml"),
        Err(error) => error.into_response(),
    }
}

/// Loads the subgraph of an address, with an audit entry.
async fn load(caller: &Caller, format: &str, query: Option<String>) -> Result<ExplorerView, ApiError> {
    let object = format!("{format} {}", query.as_deref().unwrap_or_default());
    caller.audit("export_graph", &object).await?;
    read_view(caller, query.as_deref()).await
}

async fn read_view(caller: &Caller, query: Option<&str>) -> Result<ExplorerView, ApiError> {
    let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned();
    Ok(caller.web.program.engine.explorer_view(&caller.user, ExplorerQuery::from_pairs(pairs)).await?)
}

fn download(text: io::Result<Vec<u8>>, media_type: &'static str, ending: &str) -> Response<Body> {
    match text {
        Ok(text) => {
            let disposition = format!("attachment; filename=\"graph.{ending}\"");
            ([(header::CONTENT_TYPE, media_type.to_owned()), (header::CONTENT_DISPOSITION, disposition)], text).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "graph export not written");
            ApiError::from(engine::StoreError::Defect("graph export not written".into())).into_response()
        }
    }
}

/// One row per relationship.
fn write_csv(graph: &Subgraph) -> io::Result<Vec<u8>> {
    let names: HashMap<EntityId, &str> = graph.nodes.iter().map(|node| (node.id, node.name.as_str())).collect();
    let name = |id: EntityId| inert(names.get(&id).copied().unwrap_or_default());
    let mut writer = ::csv::Writer::from_writer(vec![]);
    writer.write_record([
        "source",
        "relationship",
        "target",
        "bidirectional",
        "since",
        "until",
        "strength",
        "claims",
        "asserted",
        "source_id",
        "target_id",
        "id",
    ])?;
    for edge in &graph.edges {
        let date = |date: Option<domain::PartialDate>| date.map(|date| date.to_string()).unwrap_or_default();
        writer.write_record([
            name(edge.source),
            inert(&edge.description),
            name(edge.target),
            edge.bidirectional.to_string(),
            date(edge.since),
            date(edge.until),
            edge.weight.map(|weight| weight.to_string()).unwrap_or_default(),
            edge.claims.to_string(),
            edge.asserted.to_string(),
            edge.source.to_string(),
            edge.target.to_string(),
            edge.id.to_string(),
        ])?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// Returns a cell that spreadsheets do not take for a formula.
fn inert(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

/// Keys of GraphML: id, what they belong to, name, type.
const KEYS: [[&str; 4]; 8] = [
    ["name", "node", "name", "string"],
    ["kind", "node", "kind", "string"],
    ["community", "node", "community", "int"],
    ["description", "edge", "description", "string"],
    ["strength", "edge", "strength", "double"],
    ["claims", "edge", "claims", "int"],
    ["asserted", "edge", "asserted", "int"],
    ["bidirectional", "edge", "bidirectional", "boolean"],
];

fn write_graphml(view: &ExplorerView) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(vec![], b' ', 1);
    let data = |writer: &mut Writer<Vec<u8>>, key: &str, value: &str| -> io::Result<()> {
        writer.create_element("data").with_attribute(("key", key)).write_text_content(BytesText::new(value)).map(|_| ())
    };
    writer.create_element("graphml").with_attribute(("xmlns", "http://graphml.graphdrawing.org/xmlns")).write_inner_content(
        |writer| {
            for [id, of, name, kind] in KEYS {
                let attributes = [("id", id), ("for", of), ("attr.name", name), ("attr.type", kind)];
                writer.create_element("key").with_attributes(attributes).write_empty()?;
            }
            let graph = writer.create_element("graph").with_attributes([("id", "graph"), ("edgedefault", "directed")]);
            graph.write_inner_content(|writer| {
                for (node, community) in view.graph.nodes.iter().zip(&view.communities) {
                    let id = node.id.to_string();
                    writer.create_element("node").with_attribute(("id", id.as_str())).write_inner_content(|writer| {
                        data(writer, "name", &node.name)?;
                        data(writer, "kind", &node.kind)?;
                        data(writer, "community", &community.to_string())
                    })?;
                }
                for edge in &view.graph.edges {
                    let [id, source, target] = [edge.id.to_string(), edge.source.to_string(), edge.target.to_string()];
                    let attributes = [("id", id.as_str()), ("source", source.as_str()), ("target", target.as_str())];
                    writer.create_element("edge").with_attributes(attributes).write_inner_content(|writer| {
                        data(writer, "description", &edge.description)?;
                        if let Some(weight) = edge.weight {
                            data(writer, "strength", &weight.to_string())?;
                        }
                        data(writer, "claims", &edge.claims.to_string())?;
                        data(writer, "asserted", &edge.asserted.to_string())?;
                        data(writer, "bidirectional", &edge.bidirectional.to_string())
                    })?;
                }
                Ok(())
            })?;
            Ok(())
        },
    )?;
    Ok(writer.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_no_formula() {
        for formula in ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠x"] {
            assert_eq!(inert(formula), format!("'{formula}"));
        }
        assert_eq!(inert("Halvek Front"), "Halvek Front");
    }
}
