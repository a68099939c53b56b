//! View models of reviews: probable duplicates, past merges, and the preview of a merge.

use crate::{
    Engine, StoreResult,
    graph::{SubgraphQuery, reviews},
};
use domain::{EntityId, entity::Entity, user::User};
use std::collections::HashMap;
use views::graph::{MergePreview, MergeSide, MergesView, PairView, ReviewsView};

impl Engine {
    /// Returns pairs of visible entities that are probably the same, best first.
    pub async fn reviews_view(&self, viewer: &User) -> StoreResult<ReviewsView> {
        let visible = self.visible(viewer).await?;
        let limit = self.config.pages.reviews;
        let reviews = self.graph.reviews(&visible.scope, limit).await?;
        let ids: Vec<EntityId> = reviews.iter().flat_map(|review| [review.left, review.right]).collect();
        let entities = if ids.is_empty() { vec![] } else { self.graph.entities(&visible.scope, &ids).await? };
        let entities: HashMap<EntityId, Entity> = entities.into_iter().map(|entity| (entity.id, entity)).collect();
        let pair = |review: domain::entity::Review| {
            let (left, right) = (entities.get(&review.left)?.clone(), entities.get(&review.right)?.clone());
            Some(PairView { review, left, right })
        };
        Ok(ReviewsView { pairs: reviews.into_iter().filter_map(pair).collect(), limit: limit as usize })
    }

    /// Returns the merges that the viewer may undo, or those of one entity, newest first.
    pub async fn merges_view(&self, viewer: &User, entity: Option<EntityId>) -> StoreResult<MergesView> {
        let visible = self.visible(viewer).await?;
        let limit = self.config.pages.reviews;
        let considered = if entity.is_some() { reviews::MAX_LISTED } else { limit };
        let mut merges = self.graph.merges(&visible.scope, considered).await?;
        merges.retain(|merge| entity.is_none_or(|id| merge.survivor == id || merge.merged == id));
        merges.truncate(limit as usize);
        Ok(MergesView { merges, entity })
    }

    /// Returns what a merge of two entities would join; none unless both are visible and are two.
    pub async fn merge_preview(&self, viewer: &User, one: EntityId, other: EntityId) -> StoreResult<Option<MergePreview>> {
        let visible = self.visible(viewer).await?;
        let entities = self.graph.entities(&visible.scope, &[one, other]).await?;
        let Ok([one, other]) = <[Entity; 2]>::try_from(entities) else { return Ok(None) };
        let ids = [one.id, other.id];
        let query = SubgraphQuery { counts_claims: true, ..SubgraphQuery::new(ids.to_vec(), self.config.pages.path_edges) };
        let around = self.graph.subgraph(&visible.scope, &query).await?;
        let side = |entity: Entity| MergeSide {
            claims: around.nodes.iter().find(|node| node.id == entity.id).and_then(|node| node.claims).unwrap_or_default(),
            relationships: around
                .edges
                .iter()
                .filter(|edge| !ids.contains(&edge.other(entity.id)) && (edge.source == entity.id || edge.target == entity.id))
                .count(),
            entity,
        };
        let sides = [side(one), side(other)];
        let found = self.assessments.about(&visible.scope, &ids, self.config.pages.entity_assessments).await?;
        Ok(Some(MergePreview { sides, assessments: super::mentions(&visible, found) }))
    }
}
