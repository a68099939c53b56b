//! Hits in the graph: entities, claims and relationships, by words and by likeness.

use super::{HitQuery, facets};
use crate::{
    Engine, StoreResult,
    graph::{
        ClaimOrder, ClaimQuery, EntityQuery, RelationshipQuery,
        search::{ScoredItem, search_claims, search_entities, search_relationships},
    },
    pages::VisibleScope,
};
use domain::{EntityId, Timestamp, entity::Entity, relationship::Relationship, subgraph::GraphNode};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
};
use views::{SearchFacet, SearchGroup, SearchHit, SearchKind, SearchOrder};

impl Engine {
    /// Returns entities, and how many there are of each kind.
    pub(super) async fn entity_hits(
        &self,
        visible: &VisibleScope,
        wanted: &HitQuery<'_>,
    ) -> StoreResult<(SearchGroup, Option<SearchFacet>)> {
        let kind = Some(wanted.query.entity_kind.clone()).filter(|kind| !kind.is_empty());
        let query =
            EntityQuery { text: Some(wanted.query.words.clone()), kind, vector: wanted.vector.clone(), ..Default::default() };
        let considered = self.search.candidates as usize;
        let found = search_entities(&*self.graph, None, &self.search, &visible.scope, query, considered).await?;
        let (mut exact, related) = self.split(found, wanted, |entity| {
            let summary = entity.summary.iter().map(|summary| summary.value.as_str());
            std::iter::once(entity.canonical_name.as_str())
                .chain(entity.aliases.iter().map(String::as_str))
                .chain(summary)
                .collect::<Vec<_>>()
                .join(" ")
        });
        if wanted.query.order == SearchOrder::Newest {
            exact.sort_by_key(|entity| Reverse(entity.last_updated));
        }
        let facet = facets::entity_kinds(&exact, &wanted.query.entity_kind);
        let hit = |entity: Entity| SearchHit {
            href: format!("/entities/{}", entity.id),
            snippet: self.snippet(wanted, entity.summary.as_ref().map_or("", |summary| summary.value.as_str())),
            title: entity.canonical_name,
            note: entity.kind,
            published: None,
        };
        Ok((self.group(SearchKind::Entities, (exact, related), wanted, hit), facet))
    }

    /// Returns claims, and how many there are by outlet, attribution, mode and year.
    pub(super) async fn claim_hits(
        &self,
        visible: &VisibleScope,
        wanted: &HitQuery<'_>,
    ) -> StoreResult<(SearchGroup, Vec<SearchFacet>)> {
        let asked = wanted.query;
        let after_last = |at: Timestamp| Timestamp::from_micros(at.as_micros() + 1);
        let query = ClaimQuery {
            text: Some(asked.words.clone()),
            vector: wanted.vector.clone(),
            outlet_id: asked.outlet,
            published_after: asked.from.map(|from| from.first_moment()),
            published_before: asked.until.map(|until| after_last(until.last_moment())),
            attribution: asked.attribution,
            mode: asked.mode,
            order: match asked.order {
                SearchOrder::Relevance => ClaimOrder::Relevance,
                SearchOrder::Newest => ClaimOrder::NewestFirst,
            },
            ..Default::default()
        };
        let considered = self.search.candidates as usize;
        let found = search_claims(&*self.graph, None, &self.search, &visible.scope, query, considered).await?;
        let (exact, related) = self.split(found, wanted, |claim| format!("{} {}", claim.content, claim.quote));
        let ids: BTreeSet<_> = exact.iter().chain(&related).map(|claim| claim.document_id).collect();
        let documents = self.documents.documents(&visible.scope, &ids.into_iter().collect::<Vec<_>>()).await?;
        let documents: HashMap<_, _> = documents.into_iter().map(|document| (document.id, document)).collect();
        let outlet = |claim: &domain::claim::Claim| documents.get(&claim.document_id).and_then(|found| found.outlet.clone());
        let facets = facets::of_claims(&exact, asked, outlet);
        let hit = |claim: domain::claim::Claim| SearchHit {
            href: format!("/claims/{}", claim.id),
            snippet: self.snippet(wanted, &claim.quote),
            note: outlet(&claim).unwrap_or_default(),
            title: claim.content,
            published: claim.published,
        };
        Ok((self.group(SearchKind::Claims, (exact, related), wanted, hit), facets))
    }

    pub(super) async fn relationship_hits(&self, visible: &VisibleScope, wanted: &HitQuery<'_>) -> StoreResult<SearchGroup> {
        let query =
            RelationshipQuery { text: Some(wanted.query.words.clone()), vector: wanted.vector.clone(), ..Default::default() };
        let considered = self.search.candidates as usize;
        let found = search_relationships(&*self.graph, None, &self.search, &visible.scope, query, considered).await?;
        let (mut exact, mut related) = self.split(found, wanted, |relationship| relationship.description.clone());
        if wanted.query.order == SearchOrder::Newest {
            exact.sort_by_key(|relationship| Reverse(relationship.timestamp));
        }
        let (total, is_at_least) = (exact.len(), exact.len() >= considered);
        exact.truncate(wanted.limit);
        related.truncate(wanted.limit - exact.len());
        let ends = exact.iter().chain(&related).flat_map(|relationship| [relationship.source_id, relationship.target_id]);
        let names = self.nodes(visible, ends.collect()).await?;
        let names: HashMap<EntityId, GraphNode> = names.into_iter().map(|node| (node.id, node)).collect();
        let hit = |relationship: Relationship| {
            let name = |id: EntityId| names.get(&id).map_or("", |node| node.name.as_str());
            let arrow = if relationship.bidirectional { "↔" } else { "→" };
            SearchHit {
                href: format!("/relationships/{}", relationship.id),
                title: format!("{} {arrow} {}", name(relationship.source_id), name(relationship.target_id)),
                snippet: self.snippet(wanted, &relationship.description),
                ..Default::default()
            }
        };
        Ok(SearchGroup {
            kind: SearchKind::Relationships,
            hits: exact.into_iter().map(hit).collect(),
            total: total as u64,
            is_at_least,
            related: related.into_iter().map(hit).collect(),
        })
    }

    /// Separates the items whose text has every word from those that are only similar or have some of the words.
    fn split<T>(&self, found: Vec<ScoredItem<T>>, wanted: &HitQuery<'_>, text: impl Fn(&T) -> String) -> (Vec<T>, Vec<T>) {
        let (exact, mut related): (Vec<T>, Vec<T>) =
            found.into_iter().map(|scored| scored.item).partition(|item| wanted.words.are_in(&text(item)));
        if wanted.query.is_words_only {
            related.clear();
        }
        (exact, related)
    }

    /// Builds a group: as many hits as are shown, filled up with related ones.
    fn group<T>(
        &self,
        kind: SearchKind,
        (exact, related): (Vec<T>, Vec<T>),
        wanted: &HitQuery<'_>,
        hit: impl Fn(T) -> SearchHit,
    ) -> SearchGroup {
        let (total, is_at_least) = (exact.len() as u64, exact.len() >= self.search.candidates as usize);
        let hits: Vec<SearchHit> = exact.into_iter().take(wanted.limit).map(&hit).collect();
        let related = related.into_iter().take(wanted.limit - hits.len()).map(hit).collect();
        SearchGroup { kind, hits, total, is_at_least, related }
    }
}
