//! Saved graph views: the port between the feature that keeps them and those that share or export them.

use crate::{Web, shareable::PrivateNames};
use domain::{EntityId, ObjectId, Timestamp, UserId, subgraph::Subgraph, user::User};
use engine::StoreResult;
use futures::future::BoxFuture;
use std::collections::{BTreeSet, HashMap};
use views::graph::{ExplorerQuery, ExplorerView};

/// Future of what a port returns.
pub type PortFuture<T> = BoxFuture<'static, StoreResult<T>>;

/// Port of the feature that keeps saved graph views.
#[derive(Clone, Copy)]
pub struct GraphViewPort {
    /// Returns those of some views that a person sees.
    pub find: fn(Web, User, Vec<ObjectId>) -> PortFuture<Vec<SavedGraphView>>,
    /// Returns the person who saved a view.
    pub owner: fn(Web, ObjectId) -> PortFuture<Option<UserId>>,
}

/// Saved state of the explorer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedGraphView {
    pub id: ObjectId,
    pub name: String,
    pub notes: String,
    /// Query of its address, without a question mark.
    pub query: String,
    pub created_at: Timestamp,
}

/// Saved graph view as strangers may read it: without relationships of which the person who shows it may not open every document, and
/// with names of files hidden in the graph.
#[derive(Debug, Clone)]
pub struct PublicGraphView {
    pub view: SavedGraphView,
    pub graph: Subgraph,
    /// Communities of its entities.
    pub communities: HashMap<EntityId, u32>,
    pub hidden: PrivateNames,
}

impl SavedGraphView {
    /// Returns the address of its page.
    pub fn href(&self) -> String {
        format!("/graph?{}", self.query)
    }

    /// Loads a view that a person sees, as that person may show it to strangers now.
    pub async fn load_public(web: &Web, person: &User, id: ObjectId) -> StoreResult<Option<PublicGraphView>> {
        let Some(port) = web.graph_views else { return Ok(None) };
        let Some(view) = (port.find)(web.clone(), person.clone(), vec![id]).await?.pop() else { return Ok(None) };
        let query = ExplorerQuery::from_pairs(form_urlencoded::parse(view.query.as_bytes()).into_owned());
        let ExplorerView { mut graph, communities, .. } = web.engine.explorer_view(person, query).await?;
        let communities = graph.nodes.iter().map(|node| node.id).zip(communities).collect();
        let mut hidden = PrivateNames::default();
        keep_readable(web, person, &mut graph).await?.iter().for_each(|path| hidden.add(path));
        graph.nodes.iter_mut().for_each(|node| node.name = hidden.hide(&node.name));
        graph.edges.iter_mut().for_each(|edge| edge.description = hidden.hide(&edge.description));
        Ok(Some(PublicGraphView { view, graph, communities, hidden }))
    }
}

/// Leaves out relationships without a claim that a person reads, or with one in a document that they may not open, and entities that no
/// relationship is left of. A relationship that rests on documents of others, too, stays by the claims that the person reads. Returns
/// the paths of the documents.
async fn keep_readable(web: &Web, viewer: &User, graph: &mut Subgraph) -> StoreResult<BTreeSet<String>> {
    let (engine, scope) = (&web.engine, web.engine.read_scope(viewer).await?);
    let ids: Vec<_> = graph.edges.iter().map(|edge| edge.id).collect();
    let found = engine.graph.relationships(&scope, &ids).await?;
    let stating: BTreeSet<_> = found.iter().flat_map(|one| &one.claim_ids).copied().collect();
    let claims = engine.graph.claims(&scope, &Vec::from_iter(stating)).await?;
    let cited: BTreeSet<_> = claims.iter().map(|claim| claim.document_id).collect();
    let documents = engine.documents.documents(&scope, &Vec::from_iter(cited)).await?;
    let open: BTreeSet<_> = documents.iter().map(|document| document.id).collect();
    let stated: BTreeSet<_> = claims.iter().filter(|claim| open.contains(&claim.document_id)).map(|claim| claim.id).collect();
    let readable = found.iter().filter(|one| one.claim_ids.iter().all(|claim| stated.contains(claim)));
    let readable: BTreeSet<_> = readable.map(|one| one.id).collect();
    let was_joined = graph.joined();
    graph.edges.retain(|edge| readable.contains(&edge.id));
    let is_joined = graph.joined();
    graph.nodes.retain(|node| is_joined.contains(&node.id) || !was_joined.contains(&node.id));
    Ok(documents.into_iter().map(|document| document.path).collect())
}
