//! Hits in the graph: entities, claims and relationships, by words and by likeness.

use super::{HitQuery, facets};
use crate::{
    Engine, StoreResult,
    graph::{
        ClaimOrder, ClaimQuery, EntityQuery, GraphQuery, RelationshipQuery,
        search::{FoundItems, ScoredItem, search_all},
    },
    pages::VisibleScope,
};
use domain::{
    DocumentId, EntityId, Timestamp,
    claim::Claim,
    document::{Document, outlet_name},
    entity::Entity,
    relationship::Relationship,
};
use std::{cmp::Reverse, collections::HashMap};
use views::{SearchFacet, SearchGroup, SearchHit, SearchKind, SearchOrder};

impl Engine {
    /// Returns the entities, claims and relationships that the query covers and finds, best first.
    pub(super) async fn graph_items(&self, visible: &VisibleScope, wanted: &HitQuery<'_>) -> StoreResult<FoundItems> {
        let asked = wanted.query;
        let (text, vector) = (Some(wanted.text.clone()), wanted.vector.clone());
        let entities = asked.covers(SearchKind::Entities).then(|| EntityQuery {
            text: text.clone(),
            kind: Some(asked.entity_kind.clone()).filter(|kind| !kind.is_empty()),
            vector: vector.clone(),
            ..Default::default()
        });
        let claims = asked.covers(SearchKind::Claims).then(|| claim_query(wanted));
        let relationships = asked.covers(SearchKind::Relationships).then(|| RelationshipQuery {
            text: text.clone(),
            vector: vector.clone(),
            ..Default::default()
        });
        if entities.is_none() && claims.is_none() && relationships.is_none() {
            return Ok(FoundItems::default());
        }
        let query = GraphQuery { entities, claims, relationships };
        search_all(&*self.graph, &self.search, &visible.scope, query, self.search.candidates as usize).await
    }

    /// Returns entities, and how many there are of each kind.
    pub(super) fn entity_hits(
        &self,
        wanted: &HitQuery<'_>,
        found: Vec<ScoredItem<Entity>>,
    ) -> (SearchGroup, Option<SearchFacet>) {
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
        (self.group(SearchKind::Entities, (exact, related), wanted, hit), facet)
    }

    /// Returns claims, and how many there are by outlet, attribution, mode and year; `names` has those of outlets in the graph.
    pub(super) fn claim_hits(
        &self,
        wanted: &HitQuery<'_>,
        found: Vec<ScoredItem<Claim>>,
        documents: &HashMap<DocumentId, (Document, Option<String>)>,
        names: &HashMap<EntityId, String>,
    ) -> (SearchGroup, Vec<SearchFacet>) {
        let (exact, related) = self.split(found, wanted, |claim| format!("{} {}", claim.content, claim.quote));
        let outlet = |claim: &Claim| {
            let (document, _) = documents.get(&claim.document_id)?;
            let known = claim.outlet_id.and_then(|id| names.get(&id)).map(String::as_str);
            outlet_name(document.outlet.as_deref(), known).map(str::to_owned)
        };
        let facets = facets::of_claims(&exact, wanted.query, outlet);
        let hit = |claim: Claim| SearchHit {
            href: format!("/claims/{}", claim.id),
            snippet: self.snippet(wanted, &claim.quote),
            note: outlet(&claim).unwrap_or_default(),
            title: claim.content,
            published: claim.published,
        };
        (self.group(SearchKind::Claims, (exact, related), wanted, hit), facets)
    }

    /// Returns relationships; `ends` has the names of the entities at their ends.
    pub(super) fn relationship_hits(
        &self,
        wanted: &HitQuery<'_>,
        found: Vec<ScoredItem<Relationship>>,
        ends: &HashMap<EntityId, String>,
    ) -> SearchGroup {
        let (mut exact, related) = self.split(found, wanted, |relationship| relationship.description.clone());
        if wanted.query.order == SearchOrder::Newest {
            exact.sort_by_key(|relationship| Reverse(relationship.timestamp));
        }
        let hit = |relationship: Relationship| {
            let name = |id: EntityId| ends.get(&id).map_or("", String::as_str);
            let arrow = if relationship.bidirectional { "↔" } else { "→" };
            SearchHit {
                href: format!("/relationships/{}", relationship.id),
                title: format!("{} {arrow} {}", name(relationship.source_id), name(relationship.target_id)),
                snippet: self.snippet(wanted, &relationship.description),
                ..Default::default()
            }
        };
        self.group(SearchKind::Relationships, (exact, related), wanted, hit)
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

fn claim_query(wanted: &HitQuery<'_>) -> ClaimQuery {
    let asked = wanted.query;
    let after_last = |at: Timestamp| Timestamp::from_micros(at.as_micros() + 1);
    ClaimQuery {
        text: Some(wanted.text.clone()),
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
    }
}
