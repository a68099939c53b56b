//! View models of reviews: probable duplicates, past merges, and the preview of a merge.

use super::super::VisibleScope;
use crate::{
    Engine, StoreResult,
    graph::{SubgraphQuery, reviews},
};
use domain::{
    ClaimId, EntityId, MergeId, ReviewId, Scope, UserId,
    entity::{Entity, Merge, Review},
    subgraph::GraphNode,
    user::User,
};
use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};
use views::graph::{
    ClaimLine, KeptApartLine, KeptApartView, MergeLine, MergePreview, MergeSide, MergesView, PairView, ReviewsView,
};

/// Claims shown of each side of a pair.
const CLAIMS_OF_SIDE: u32 = 3;

impl Engine {
    /// Returns a page of the pairs of visible entities that are probably the same, best first. Pages count from 1. The pair `chosen`
    /// comes with its newest claims, or the first of the page.
    pub async fn reviews_view(&self, viewer: &User, page: u64, chosen: Option<ReviewId>) -> StoreResult<ReviewsView> {
        let visible = self.visible(viewer).await?;
        let per_page = self.config.pages.reviews;
        let total = self.graph.open_reviews(&visible.scope).await?;
        // The last page may have been decided away.
        let page = page.clamp(1, total.div_ceil(u64::from(per_page.max(1))).max(1));
        let reviews = self.graph.reviews(&visible.scope, (page - 1) * u64::from(per_page), per_page).await?;
        let ids: Vec<EntityId> = reviews.iter().flat_map(|review| [review.left, review.right]).collect();
        let entities = if ids.is_empty() { vec![] } else { self.graph.entities(&visible.scope, &ids).await? };
        let entities: HashMap<EntityId, Entity> = entities.into_iter().map(|entity| (entity.id, entity)).collect();
        let open = reviews.iter().find(|review| Some(review.id) == chosen).or(reviews.first());
        let sides = open.map(|review| vec![review.left, review.right]).unwrap_or_default();
        let open = open.map(|review| review.id);
        let evidence = self.newest_claim_lines(&visible, &sides, CLAIMS_OF_SIDE).await?;
        let claims = |review: ReviewId, id: EntityId| match Some(review) == open {
            true => evidence.get(&id).cloned().unwrap_or_default(),
            false => vec![],
        };
        let pair = |review: Review| {
            let (left, right) = (entities.get(&review.left)?.clone(), entities.get(&review.right)?.clone());
            let (left_claims, right_claims) = (claims(review.id, left.id), claims(review.id, right.id));
            Some(PairView { review, left, right, left_claims, right_claims })
        };
        let pairs = reviews.into_iter().filter_map(pair).collect();
        Ok(ReviewsView { pairs, open, total, page, per_page: u64::from(per_page) })
    }

    /// Returns the newest claims about each entity, at most `each`.
    pub(super) async fn newest_claim_lines(
        &self,
        visible: &VisibleScope,
        ids: &[EntityId],
        each: u32,
    ) -> StoreResult<HashMap<EntityId, Vec<ClaimLine>>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let found = self.graph.newest_claims(&visible.scope, ids, each).await?;
        let lines = self.claim_lines(visible, found.iter().map(|(_, claim)| claim.clone()).collect()).await?;
        let lines: HashMap<ClaimId, ClaimLine> = lines.into_iter().map(|line| (line.claim.id, line)).collect();
        let mut of: HashMap<EntityId, Vec<ClaimLine>> = HashMap::new();
        for (entity, claim) in found {
            of.entry(entity).or_default().extend(lines.get(&claim.id).cloned());
        }
        Ok(of)
    }

    /// Returns the pairs that are kept apart, with who decided.
    pub async fn kept_apart_view(&self, viewer: &User) -> StoreResult<KeptApartView> {
        let visible = self.visible(viewer).await?;
        let limit = self.config.pages.reviews;
        let reviews = self.graph.kept_apart(&visible.scope, limit).await?;
        let ids = reviews.iter().flat_map(|review| [review.left, review.right]).collect();
        let nodes: HashMap<EntityId, GraphNode> =
            self.nodes(&visible, ids).await?.into_iter().map(|node| (node.id, node)).collect();
        let names = self.account_names(reviews.iter().filter_map(|review| review.decided_by)).await?;
        let line = |review: Review| {
            let (left, right) = (nodes.get(&review.left)?.clone(), nodes.get(&review.right)?.clone());
            let by = review.decided_by.and_then(|id| names.get(&id).cloned());
            Some(KeptApartLine { review, left, right, by })
        };
        Ok(KeptApartView { pairs: reviews.into_iter().filter_map(line).collect(), limit: limit as usize })
    }

    /// Returns the names of accounts.
    async fn account_names(&self, ids: impl Iterator<Item = UserId>) -> StoreResult<HashMap<UserId, String>> {
        let ids: HashSet<UserId> = ids.collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let users = self.accounts.users().await?;
        Ok(users.into_iter().filter(|user| ids.contains(&user.id)).map(|user| (user.id, user.name)).collect())
    }

    /// Returns the merges that the viewer may undo, or those of one entity, newest first.
    pub async fn merges_view(&self, viewer: &User, entity: Option<EntityId>) -> StoreResult<MergesView> {
        let visible = self.visible(viewer).await?;
        let limit = self.config.pages.reviews;
        let considered = if entity.is_some() { reviews::MAX_LISTED } else { limit };
        let mut merges = self.graph.merges(&visible.scope, reviews::listed_for(viewer), considered).await?;
        merges.retain(|merge| entity.is_none_or(|id| merge.survivor == id || merge.merged == id));
        merges.truncate(limit as usize);
        let names = self.account_names(merges.iter().filter_map(|merge| merge.by)).await?;
        let line = |merge: Merge| MergeLine { by: merge.by.and_then(|id| names.get(&id).cloned()), merge };
        Ok(MergesView { merges: merges.into_iter().map(line).collect(), entity })
    }

    /// Returns whether this merge into the entity stands, and the viewer may undo it.
    pub async fn is_merged_by(&self, viewer: &User, survivor: EntityId, merge: MergeId) -> StoreResult<bool> {
        let visible = self.visible(viewer).await?;
        let standing = reviews::standing_merge(self, &visible.scope, viewer, merge).await?;
        Ok(standing.is_some_and(|merge| merge.survivor == survivor))
    }

    /// Returns what a merge of two entities would move; none unless both are visible and are two.
    pub async fn merge_preview(
        &self,
        viewer: &User,
        pair: [EntityId; 2],
        survivor: Option<EntityId>,
    ) -> StoreResult<Option<MergePreview>> {
        let visible = self.visible(viewer).await?;
        let Some(sides) = self.merge_sides(&visible.scope, pair, survivor).await? else { return Ok(None) };
        let ids = [sides[0].entity.id, sides[1].entity.id];
        let found = self.assessments.about(&visible.scope, &ids, self.config.pages.entity_assessments).await?;
        Ok(Some(MergePreview { sides, assessments: super::mentions(&visible, found) }))
    }

    /// Returns the sides of a merge, the survivor first; none unless both are visible and are two. Without a `survivor`, it is the
    /// person whose full name the other has with more words, else the one with more claims, else the older.
    pub(crate) async fn merge_sides(
        &self,
        scope: &Scope,
        pair: [EntityId; 2],
        survivor: Option<EntityId>,
    ) -> StoreResult<Option<[MergeSide; 2]>> {
        let entities = self.graph.entities(scope, &pair).await?;
        let Ok([one, other]) = <[Entity; 2]>::try_from(entities) else { return Ok(None) };
        let ids = [one.id, other.id];
        let query = SubgraphQuery { counts_claims: true, ..SubgraphQuery::new(ids.to_vec(), self.config.pages.path_edges) };
        let around = self.graph.subgraph(scope, &query).await?;
        let side = |entity: Entity| MergeSide {
            claims: around.nodes.iter().find(|node| node.id == entity.id).and_then(|node| node.claims).unwrap_or_default(),
            relationships: around
                .edges
                .iter()
                .filter(|edge| !ids.contains(&edge.other(entity.id)) && (edge.source == entity.id || edge.target == entity.id))
                .count(),
            entity,
        };
        let are_persons = [&one, &other].iter().all(|entity| entity.kind.eq_ignore_ascii_case("person"));
        let is_plainer =
            |entity: &Entity, other: &Entity| are_persons && is_full_name_within(&entity.canonical_name, &other.canonical_name);
        let plainest = match (is_plainer(&one, &other), is_plainer(&other, &one)) {
            (true, _) => Some(one.id),
            (_, true) => Some(other.id),
            _ => None,
        };
        let mut sides = [side(one), side(other)];
        let rank = |side: &MergeSide| {
            (survivor != Some(side.entity.id), plainest != Some(side.entity.id), Reverse(side.claims), side.entity.id)
        };
        sides.sort_by_key(rank);
        // Who sees only one of the two must not lose its address.
        if reviews::survivor_first(self, [sides[0].entity.id, sides[1].entity.id])
            .await?
            .is_some_and(|[first, _]| first != sides[0].entity.id)
        {
            sides.swap(0, 1);
        }
        Ok(Some(sides))
    }
}

/// Returns whether a name of several words is part of a longer one: "Donald Trump" of "US President Donald Trump".
fn is_full_name_within(name: &str, longer: &str) -> bool {
    let words = |name: &str| name.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    let (name, longer) = (words(name), words(longer));
    name.len() > 1 && name.len() < longer.len() && longer.windows(name.len()).any(|part| part == name)
}

#[cfg(test)]
mod tests {
    use super::is_full_name_within;

    #[test]
    fn a_surname_is_no_full_name() {
        for (name, longer, expect) in [
            ("Orrin Vale", "Port Mayor Orrin Vale", true),
            ("orrin vale", "Orrin Vale Junior", true),
            ("Vale", "Orrin Vale", false),
            ("Orrin Vale", "Orrin Vale", false),
            ("Orrin Vale", "Orrin Kestra Vale", false),
        ] {
            assert_eq!(is_full_name_within(name, longer), expect, "{name} in {longer}");
        }
    }
}
