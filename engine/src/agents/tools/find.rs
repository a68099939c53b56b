//! Tools that read the graph: search, get, traverse. They use the investigation's scope.

use super::{GatewayToken, Tool, ToolContext, ToolError, ToolOffer, ToolReply};
use crate::{
    graph::{
        ClaimOrder, ClaimQuery, Direction, EntityQuery, RelationshipQuery, Traversal,
        search::{self, ScoredItem},
        terms::{query_terms, terms},
    },
    investigations::period,
    library::origins,
    outlets::OutletReader,
};
use async_trait::async_trait;
use domain::{
    DocumentId, EntityId,
    claim::Claim,
    document::{Document, DocumentText},
    entity::Entity,
    fetch::PageState,
};
use protocol::{
    fence::unfenced,
    model::Message,
    refs::RefKind,
    tools::{
        CitedClaim, ClaimView, ClaimsFound, DocumentView, EntitiesFound, EntityDetails, EntityName, EntityView, GetEntity,
        OutletView, Passage, ReadPassage, RelationshipFound, RelationshipView, RelationshipsFound, SearchClaims,
        SearchEntities, SearchRelationships, SortBy, TraversalEdge, TraversalResult, TraverseDirection, TraverseRelationships,
    },
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

pub struct SearchEntitiesTool;

#[async_trait]
impl Tool for SearchEntitiesTool {
    type Input = SearchEntities;
    const NAME: &'static str = "search_entities";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: SearchEntities) -> Result<ToolReply, ToolError> {
        let (engine, scope) = (context.engine, &context.investigation.scope);
        let limit = context.items(input.limit) as usize;
        let ranked = ranked_items(context, limit);
        let words = QueryWords::new(Some(&input.query));
        let query =
            EntityQuery { text: Some(engine.search.query.text(&input.query)), kind: input.kind, ..EntityQuery::default() };
        let found = search::search_entities(&*engine.graph, context.embedder(), &engine.search, scope, query, ranked).await?;
        // Those found by likeness alone are strangers, which are shown but not counted.
        let is_named = |entity: &Entity| {
            words.are_in(
                entity
                    .aliases
                    .iter()
                    .chain([&entity.canonical_name])
                    .chain(entity.summary.as_ref().map(|summary| &summary.value)),
            )
        };
        let named = found.iter().filter(|hit| is_named(&hit.item)).count();
        let total = total(found.len(), ranked).map(|_| named as u64);
        let found = found.into_iter().take(limit).map(|hit| hit.item).collect();
        let found = period::entities(engine, context.investigation, found).await?;
        let entities = found.into_iter().map(|entity| EntityView::new(entity, &context.refs)).collect();
        ToolReply::json(&EntitiesFound { entities, total })
    }
}

/// Returns how many results a search ranks, to count those beyond the page.
fn ranked_items(context: &ToolContext<'_>, wanted: usize) -> usize {
    wanted.max(context.engine.search.candidates as usize).saturating_add(1)
}

/// Returns the total number of results; none when more exist than were ranked.
fn total(found: usize, ranked: usize) -> Option<u64> {
    (found < ranked).then_some(found as u64)
}

pub struct GetEntityTool;

#[async_trait]
impl Tool for GetEntityTool {
    type Input = GetEntity;
    const NAME: &'static str = "get_entity";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: GetEntity) -> Result<ToolReply, ToolError> {
        let found = context.engine.graph.entities(&context.investigation.scope, &[input.entity_id]).await?;
        let found = period::entities(context.engine, context.investigation, found).await?;
        let entity = found.into_iter().next().ok_or_else(|| no_entity(input.entity_id))?;
        let profile = OutletReader::within(context.engine, context.investigation).profile(&entity).await?;
        let outlet = profile.map(|profile| OutletView::new(profile, &context.refs));
        ToolReply::json(&EntityDetails { outlet, ..EntityDetails::new(entity, &context.refs) })
    }
}

pub struct TraverseRelationshipsTool;

#[async_trait]
impl Tool for TraverseRelationshipsTool {
    type Input = TraverseRelationships;
    const NAME: &'static str = "traverse_relationships";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const TAINTED: bool = true;

    async fn run(
        &self,
        _: GatewayToken,
        context: &ToolContext<'_>,
        input: TraverseRelationships,
    ) -> Result<ToolReply, ToolError> {
        let traversal = Traversal {
            entity_id: input.entity_id,
            direction: match input.direction {
                TraverseDirection::Outgoing => Direction::Outgoing,
                TraverseDirection::Incoming => Direction::Incoming,
                TraverseDirection::Both => Direction::Both,
            },
            description: input.description_query.map(|words| context.engine.search.query.text(&words)),
            min_weight: input.min_weight,
            limit: context.items(input.limit),
        };
        let edges = context.engine.graph.traverse(&context.investigation.scope, &traversal).await?;
        let edges = period::neighbours(context.engine, context.investigation, edges).await?;
        let period = &context.investigation.terms.period;
        let mut named: BTreeSet<EntityId> = BTreeSet::new();
        let edges = edges.into_iter().map(|edge| {
            let is_named = !named.insert(edge.entity.id);
            let entity = EntityView { summary: None, ..EntityView::new(edge.entity, &context.refs) };
            // Other names of an entity stand at its first relationship only.
            let entity = if is_named { EntityView { aliases: vec![], ..entity } } else { entity };
            TraversalEdge {
                direction: match edge.direction {
                    Direction::Outgoing => TraverseDirection::Outgoing,
                    Direction::Incoming => TraverseDirection::Incoming,
                    Direction::Both => TraverseDirection::Both,
                },
                last_confirmed: (edge.relationship.timestamp)
                    .filter(|at| {
                        period.after().is_none_or(|after| after <= *at) && period.before().is_none_or(|before| *at < before)
                    })
                    .map(|at| at.to_datetime().format("%Y-%m-%d").to_string()),
                relationship: RelationshipView::new(edge.relationship, &context.refs),
                entity,
            }
        });
        ToolReply::json(&TraversalResult { relationships: edges.collect() })
    }
}

pub struct SearchRelationshipsTool;

#[async_trait]
impl Tool for SearchRelationshipsTool {
    type Input = SearchRelationships;
    const NAME: &'static str = "search_relationships";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const TAINTED: bool = true;

    async fn run(
        &self,
        _: GatewayToken,
        context: &ToolContext<'_>,
        input: SearchRelationships,
    ) -> Result<ToolReply, ToolError> {
        let (engine, scope) = (context.engine, &context.investigation.scope);
        let limit = context.items(input.limit) as usize;
        let ranked = ranked_items(context, limit);
        let query = RelationshipQuery { text: Some(engine.search.query.text(&input.query)), ..RelationshipQuery::default() };
        let found =
            search::search_relationships(&*engine.graph, context.embedder(), &engine.search, scope, query, ranked).await?;
        let total = total(found.len(), ranked);
        let given = found.into_iter().take(limit).map(|hit| hit.item).collect();
        let given = period::relationships(engine, context.investigation, given).await?;
        let ends = given.iter().flat_map(|relationship| [relationship.source_id, relationship.target_id]);
        let names = Names::load(context, ends).await?;
        let (mut relationships, mut entities): (Vec<RelationshipFound>, Vec<EntityName>) = (vec![], vec![]);
        for relationship in given {
            let ends = [relationship.source_id, relationship.target_id].map(|id| names.get(context, id));
            let [Some(source), Some(target)] = ends else { continue };
            relationships.push(RelationshipFound {
                source: source.reference.clone(),
                target: target.reference.clone(),
                bidirectional: relationship.bidirectional,
                relationship: RelationshipView::new(relationship, &context.refs),
            });
            for name in [source, target] {
                if !entities.contains(&name) {
                    entities.push(name);
                }
            }
        }
        ToolReply::json(&RelationshipsFound { relationships, entities, total })
    }
}

pub struct SearchClaimsTool;

#[async_trait]
impl Tool for SearchClaimsTool {
    type Input = SearchClaims;
    const NAME: &'static str = "search_claims";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: SearchClaims) -> Result<ToolReply, ToolError> {
        let limit = context.items(input.limit) as usize;
        let offset = input.offset as usize;
        let words = QueryWords::new(input.query.as_deref());
        let query = ClaimQuery {
            text: input.query.map(|words| context.engine.search.query.text(&words)),
            vector: None,
            entity_id: input.entity_id,
            outlet_id: input.source_entity_id,
            is_without_outlet: false,
            document_ids: input.document_ids,
            published_after: input.published_after,
            published_before: input.published_before,
            occurred_after: input.occurred_after,
            occurred_before: input.occurred_before,
            attribution: input.attribution_depth,
            mode: None,
            order: match input.sort_by {
                SortBy::Relevance => ClaimOrder::Relevance,
                SortBy::NewestFirst => ClaimOrder::NewestFirst,
                SortBy::OldestFirst => ClaimOrder::OldestFirst,
                SortBy::OccurredNewestFirst => ClaimOrder::OccurredNewestFirst,
                SortBy::OccurredOldestFirst => ClaimOrder::OccurredOldestFirst,
                SortBy::DocumentOrder => ClaimOrder::DocumentOrder,
            },
            skip: 0,
            candidates: 0,
        };
        let query = query.within(&context.investigation.terms.period);
        let (engine, scope) = (context.engine, &context.investigation.scope);
        let ranked = ranked_items(context, offset + limit);
        let found = search::search_claims(&*engine.graph, context.embedder(), &engine.search, scope, query, ranked).await?;
        let (count, total) = (found.len(), total(found.len(), ranked));
        let has_word = |hit: &ScoredItem<Claim>| words.are_in([&hit.item.quote, &hit.item.content]);
        let note = (!found.is_empty() && !found.iter().any(has_word)).then(|| words.missing());
        let page: Vec<_> = found.into_iter().skip(offset).take(limit).collect();
        let (mut answer, given) = ClaimsPage::load(context, page).await?.fitting(context)?;
        let next = offset + given;
        answer.total = total;
        answer.note = note;
        answer.next_offset = (next < count).then(|| u32::try_from(next).unwrap_or(u32::MAX));
        Ok(ToolReply::json(&answer)?.uncut())
    }
}

/// Words of a query, which results found by likeness need not have.
struct QueryWords {
    query: String,
    terms: Vec<String>,
}

impl QueryWords {
    fn new(query: Option<&str>) -> Self {
        let query = query.unwrap_or_default().trim().to_owned();
        Self { terms: query_terms(&query), query }
    }

    /// Returns whether a text has one of the words; always without a query.
    fn are_in<'a>(&self, texts: impl IntoIterator<Item = &'a String>) -> bool {
        self.terms.is_empty() || texts.into_iter().any(|text| terms(text).iter().any(|term| self.terms.contains(term)))
    }

    fn missing(&self) -> String {
        let which = if self.terms.len() == 1 { "the word" } else { "a word of" };
        format!("no claim has {which} '{}': these are alike in meaning only", self.query)
    }
}

/// Citations of an earlier assessment in a result.
#[derive(Deserialize)]
struct CitedClaims {
    citations: Vec<CitedClaim>,
}

/// Returns the references of claims, documents and entities that the search results of a conversation hold, and of the claims that
/// an assessment in it cites. A result that was shortened counts for nothing.
fn shown_records(messages: &[Message]) -> BTreeSet<String> {
    let results = messages.iter().filter_map(|message| match message {
        Message::Tools { results } => Some(results),
        _ => None,
    });
    results.flatten().fold(BTreeSet::new(), |mut shown, result| {
        let content = unfenced(&result.content);
        if let Ok(found) = serde_json::from_str::<ClaimsFound>(content) {
            shown.extend(found.claims.into_iter().map(|claim| claim.reference));
            shown.extend(found.documents.into_iter().map(|document| document.reference));
            shown.extend(found.entities.into_iter().map(|entity| entity.reference));
        } else if let Ok(cited) = serde_json::from_str::<CitedClaims>(content) {
            shown.extend(cited.citations.into_iter().map(|claim| claim.reference));
        }
        shown
    })
}

/// Page of claims with their documents and entities, one query for each.
struct ClaimsPage {
    claims: Vec<ScoredItem<Claim>>,
    documents: BTreeMap<DocumentId, Document>,
    /// Origin of each text, by hash: the text that represents it.
    origins: BTreeMap<String, String>,
    findings: BTreeMap<DocumentId, PageState>,
    names: Names,
}

impl ClaimsPage {
    async fn load(context: &ToolContext<'_>, claims: Vec<ScoredItem<Claim>>) -> Result<Self, ToolError> {
        let (engine, scope) = (context.engine, &context.investigation.scope);
        let ids: BTreeSet<DocumentId> = claims.iter().map(|hit| hit.item.document_id).collect();
        let ids: Vec<DocumentId> = ids.into_iter().collect();
        let documents = engine.documents.documents(scope, &ids).await?;
        let texts: BTreeSet<String> = documents.iter().map(|document| document.text_sha256.clone()).collect();
        let origins = origins::find(&*engine.documents, scope, &engine.config.origins, &texts).await?;
        let findings = engine.captures.findings(scope, &ids).await?;
        let entities = claims.iter().flat_map(|hit| hit.item.entity_ids.iter().copied().chain(hit.item.outlet_id));
        let names = Names::load(context, entities).await?;
        Ok(Self {
            documents: documents.into_iter().map(|document| (document.id, document)).collect(),
            findings: findings.into_iter().map(|found| (found.document_id, found.state)).collect(),
            claims,
            origins,
            names,
        })
    }

    /// Returns as many claims as fit the result limit, at least one, and their number. What the session has shown is not repeated.
    fn fitting(self, context: &ToolContext<'_>) -> Result<(ClaimsFound, usize), ToolError> {
        let mut answer = ClaimsFound {
            claims: vec![],
            shown: vec![],
            documents: vec![],
            entities: vec![],
            total: None,
            next_offset: None,
            note: None,
        };
        let mut shown = shown_records(context.conversation);
        let mut used = 200;
        for hit in &self.claims {
            let claim = &hit.item;
            let reference = context.refs.give(RefKind::Claim, claim.id);
            if shown.contains(&reference) {
                used += reference.len() + 3;
                answer.shown.push(reference);
                continue;
            }
            let is_new_document = !shown.contains(&context.refs.give(RefKind::Document, claim.document_id));
            let document = is_new_document.then(|| self.document(context, claim)).flatten();
            let names: Vec<EntityName> = claim.entity_ids.iter().filter_map(|id| self.names.get(context, *id)).collect();
            let about = names.iter().map(|name| name.reference.clone()).collect();
            let seen = ClaimView::new(claim.clone(), about, hit.score, &context.refs);
            let names: Vec<EntityName> = names.into_iter().filter(|name| !shown.contains(&name.reference)).collect();
            let length = json_length(&seen)? + json_length(&document)? + json_length(&names)?;
            if !answer.claims.is_empty() && used + length > context.max_chars() {
                break;
            }
            used += length;
            shown.insert(reference);
            shown.extend(document.iter().map(|document| document.reference.clone()));
            shown.extend(names.iter().map(|name| name.reference.clone()));
            answer.claims.push(seen);
            answer.documents.extend(document);
            answer.entities.extend(names);
        }
        let given = answer.claims.len() + answer.shown.len();
        Ok((answer, given))
    }

    fn document(&self, context: &ToolContext<'_>, claim: &Claim) -> Option<DocumentView> {
        let document = self.documents.get(&claim.document_id)?.clone();
        let outlet = claim.outlet_id.and_then(|id| self.names.get(context, id));
        let text = document.text_sha256.clone();
        let origin = self.origins.get(&text).unwrap_or(&text);
        let page = self.findings.get(&document.id).copied();
        Some(DocumentView::new(document, outlet.as_ref(), origin, page, &context.refs))
    }
}

fn json_length(value: &impl serde::Serialize) -> Result<usize, ToolError> {
    Ok(serde_json::to_string(value).map_err(|error| crate::StoreError::Defect(error.to_string()))?.len())
}

/// Names and kinds of entities in the scope. Short references are assigned in display order.
pub(super) struct Names(BTreeMap<EntityId, (String, String)>);

impl Names {
    pub(super) async fn load(context: &ToolContext<'_>, ids: impl Iterator<Item = EntityId>) -> Result<Self, ToolError> {
        let ids: BTreeSet<EntityId> = ids.collect();
        let ids: Vec<EntityId> = ids.into_iter().collect();
        let entities = context.engine.graph.entities(&context.investigation.scope, &ids).await?;
        Ok(Self(entities.into_iter().map(|entity| (entity.id, (entity.canonical_name, entity.kind))).collect()))
    }

    pub(super) fn get(&self, context: &ToolContext<'_>, id: EntityId) -> Option<EntityName> {
        let (name, kind) = self.0.get(&id)?.clone();
        Some(EntityName { reference: context.refs.give(RefKind::Entity, id), name, kind })
    }
}

/// Returns as many items as fit `max_chars` of JSON, at least one, and their number.
pub(super) fn fitting<T: serde::Serialize>(items: Vec<T>, max_chars: usize) -> Result<(Vec<T>, usize), ToolError> {
    let mut used = 200;
    let mut kept = vec![];
    for item in items {
        let length = json_length(&item)?;
        if !kept.is_empty() && used + length > max_chars {
            break;
        }
        used += length + 1;
        kept.push(item);
    }
    let count = kept.len();
    Ok((kept, count))
}

pub struct ReadPassageTool;

#[async_trait]
impl Tool for ReadPassageTool {
    type Input = ReadPassage;
    const NAME: &'static str = "read_passage";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: ReadPassage) -> Result<ToolReply, ToolError> {
        let (engine, scope) = (context.engine, &context.investigation.scope);
        let no_claim =
            || ToolError::ForModel(format!("there is no claim {}: take its reference from search_claims", input.claim_id));
        let found = period::claims(engine, context.investigation, &[input.claim_id]).await?;
        let claim = found.into_iter().next().ok_or_else(no_claim)?;
        let texts = engine.documents.texts(scope, &[claim.document_id]).await?;
        let DocumentText { text, .. } = texts.into_iter().next().ok_or_else(no_claim)?;
        let wanted = input.chars.map_or(engine.config.passage_chars, |chars| chars as usize).min(context.max_chars() / 3);
        claim.span.slice(&text).ok_or_else(no_claim)?;
        let (start, end) = (claim.span.start as usize, claim.span.end as usize);
        let from = text[..start].char_indices().rev().nth(wanted.saturating_sub(1)).map_or(0, |(at, _)| at);
        let to = text[end..].char_indices().nth(wanted).map_or(text.len(), |(at, _)| end + at);
        let page = ClaimsPage::load(context, vec![ScoredItem { item: claim.clone(), score: 0.0 }]).await?;
        let document = page.document(context, &claim).ok_or_else(no_claim)?;
        let passage = Passage { document, text: text[from..to].to_owned(), is_beginning: from == 0, is_end: to == text.len() };
        ToolReply::json(&passage)
    }
}

pub(super) fn no_entity(id: EntityId) -> ToolError {
    ToolError::ForModel(format!("there is no entity {id}: search for it by name"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::ToolResult;

    #[test]
    fn claims_of_searches_and_of_assessments_are_shown() {
        let result = |content: &str| ToolResult { id: "1".into(), content: content.into(), is_error: false };
        let cited = r#"{"ref":"a1","citations":[{"marker":1,"ref":"c7","claim":"It broke.","attribution":"primary"}]}"#;
        let searched = r#"{"claims":[],"documents":[],"entities":[{"ref":"e2","name":"Halla","kind":"thing"}],"total":0,"next_offset":null}"#;
        let results = vec![result(cited), result(searched), result("[cut] {\"citations\"")];
        let shown = shown_records(&[Message::Tools { results }]);
        assert_eq!(shown, ["c7".to_owned(), "e2".to_owned()].into());
    }
}
