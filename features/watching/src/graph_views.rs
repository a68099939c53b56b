//! Port to the saved graph views, for those that share or export them.

use crate::{
    saved_view::{SavedView, SavedViewId},
    store::WatchingStore,
};
use domain::{ObjectId, Timestamp};
use feature::{GraphViewPort, SavedGraphView};

pub const PORT: GraphViewPort = GraphViewPort {
    find: |web, viewer, ids| {
        Box::pin(async move {
            let ids: Vec<SavedViewId> = ids.into_iter().map(|id| SavedViewId(id.0)).collect();
            let found = WatchingStore::new(&web).graph_views(viewer.id, &ids).await?;
            Ok(found.into_iter().map(named).collect())
        })
    },
    owner: |web, id| Box::pin(async move { WatchingStore::new(&web).owner_of_graph_view(SavedViewId(id.0)).await }),
};

fn named((view, created_at): (SavedView, Timestamp)) -> SavedGraphView {
    let SavedView { id, name, notes, query, .. } = view;
    SavedGraphView { id: ObjectId(id.0), name, notes, query, created_at }
}
