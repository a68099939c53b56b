//! Tools that write single items into the graph. `batch_extract` is the usual way.

use super::{GatewayToken, Tool, ToolContext, ToolError, ToolReply, extract::fields};
use crate::{
    evidence::{self, Statement},
    graph::{EntityProposal, EntityRef, EntityUpdate, GraphWrite, NewRelationship, WriteOutcome},
};
use async_trait::async_trait;
use domain::{
    ClaimId, DocumentId, EntityId, RelationshipId, Timestamp,
    document::{Document, DocumentText},
    entity::PropertyKey,
    live::GraphCounts,
};
use protocol::tools::{
    ClaimCreated, CreateClaim, CreateEntity, CreateRelationship, EntityCreated, RelationshipCreated, UpdateEntity,
    UpdateRelationship, UpdateResult,
};
use std::collections::{BTreeMap, BTreeSet};

/// Builds an empty write for one document.
async fn write_for(context: &ToolContext<'_>, document: &Document) -> Result<GraphWrite, ToolError> {
    let (order, at) = (evidence::document_order(document), context.engine.clock.now());
    Ok(GraphWrite {
        resolve_within: context.resolve_within(document.collection_id).await?,
        ..GraphWrite::new(document.id, document.collection_id, order, at)
    })
}

async fn send(context: &ToolContext<'_>, write: &GraphWrite) -> Result<WriteOutcome, ToolError> {
    let written = first(context.engine.graph.write(std::slice::from_ref(write), context.engine.resolve.as_ref()).await?)?;
    let added = written.added();
    if added != GraphCounts::default() {
        context.record_added(added).await?;
    }
    Ok(written)
}

fn no_document(id: DocumentId) -> ToolError {
    ToolError::ForModel(format!("there is no document {id} that this investigation may read"))
}

async fn document(context: &ToolContext<'_>, id: DocumentId) -> Result<Document, ToolError> {
    context.engine.documents.document(&context.investigation.scope, id).await?.ok_or_else(|| no_document(id))
}

async fn text(context: &ToolContext<'_>, id: DocumentId) -> Result<DocumentText, ToolError> {
    let texts = context.engine.documents.texts(&context.investigation.scope, &[id]).await?;
    texts.into_iter().next().ok_or_else(|| no_document(id))
}

/// Refuses ids of entities outside the scope, without revealing whether they exist.
async fn check_entities(context: &ToolContext<'_>, ids: impl IntoIterator<Item = EntityId>) -> Result<(), ToolError> {
    for id in ids.into_iter().collect::<BTreeSet<_>>() {
        // One by one: a merged id returns its survivor, which has another id.
        if context.engine.graph.entities(&context.investigation.scope, &[id]).await?.is_empty() {
            return Err(ToolError::ForModel(format!("there is no entity {id}")));
        }
    }
    Ok(())
}

/// Builds a write based on existing claims; it belongs to the document of the first.
async fn write_for_claims(context: &ToolContext<'_>, claims: &[ClaimId]) -> Result<(GraphWrite, Option<Timestamp>), ToolError> {
    let found = context.engine.graph.claims(&context.investigation.scope, claims).await?;
    let Some(first) = found.first() else {
        return Err(ToolError::ForModel("claim_ids names no claim that exists: nothing is written without evidence".into()));
    };
    if let Some(missing) = claims.iter().find(|id| found.iter().all(|claim| claim.id != **id)) {
        return Err(ToolError::ForModel(format!("there is no claim {missing}")));
    }
    let latest = found.iter().filter_map(|claim| claim.published).map(|published| published.value).max();
    Ok((write_for(context, &document(context, first.document_id).await?).await?, latest))
}

pub struct CreateEntityTool;

#[async_trait]
impl Tool for CreateEntityTool {
    type Input = CreateEntity;
    const NAME: &'static str = "create_entity";
    const TAINTED: bool = false;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: CreateEntity) -> Result<ToolReply, ToolError> {
        if input.canonical_name.trim().is_empty() {
            return Err(ToolError::Malformed("canonical_name is empty".into()));
        }
        let document = document(context, input.document_id).await?;
        let mut write = write_for(context, &document).await?;
        write.entities.push(EntityProposal {
            aliases: input.aliases,
            is_stub: input.is_stub,
            external_ids: input.external_ids,
            ..EntityProposal::new(&*context.engine.ids, &input.canonical_name, &input.kind)
        });
        let entity = first(send(context, &write).await?.entities)?;
        ToolReply::json(&EntityCreated { entity_id: entity.id, is_new: entity.is_new })
    }
}

pub struct UpdateEntityTool;

#[async_trait]
impl Tool for UpdateEntityTool {
    type Input = UpdateEntity;
    const NAME: &'static str = "update_entity";
    const TAINTED: bool = false;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: UpdateEntity) -> Result<ToolReply, ToolError> {
        check_entities(context, [input.entity_id]).await?;
        let (mut write, _) = write_for_claims(context, &input.claim_ids).await?;
        let mut properties = BTreeMap::new();
        for (key, value) in input.properties {
            let key = PropertyKey::try_from(key).map_err(|error| ToolError::ForModel(error.to_string()))?;
            properties.insert(key, value);
        }
        write.updates.push(EntityUpdate {
            entity: EntityRef::Existing(input.entity_id),
            summary: input.summary,
            kind: input.kind,
            aliases: input.aliases,
            properties,
            external_ids: input.external_ids,
            is_stub: input.is_stub,
            claims: vec![],
            existing_claims: input.claim_ids,
        });
        send(context, &write).await?;
        ToolReply::json(&UpdateResult { done: true })
    }
}

pub struct CreateClaimTool;

#[async_trait]
impl Tool for CreateClaimTool {
    type Input = CreateClaim;
    const NAME: &'static str = "create_claim";
    const TAINTED: bool = false;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: CreateClaim) -> Result<ToolReply, ToolError> {
        check_entities(context, input.referenced_entity_ids.iter().copied().chain(input.source_entity_id)).await?;
        let document = text(context, input.document_id).await?;
        let statement = Statement {
            content: input.content,
            quote: input.quote,
            published: input.published,
            occurred: or_malformed(fields::period(input.occurred.as_ref()))?,
            attribution: input.attribution_depth,
            information: input.information,
            speaker: input.speaker,
            mode: input.mode,
            entities: input.referenced_entity_ids.into_iter().map(EntityRef::Existing).collect(),
        };
        let id = ClaimId(context.engine.ids.next());
        let claim = evidence::claim(id, &document.document, &document.text, statement)
            .map_err(|error| ToolError::ForModel(error.to_string()))?;
        let mut write = write_for(context, &document.document).await?;
        write.outlet = input.source_entity_id.map(EntityRef::Existing);
        write.claims.push(claim);
        let claim = first(send(context, &write).await?.claims)?;
        ToolReply::json(&ClaimCreated { claim_id: claim.id, is_new: claim.is_new })
    }
}

pub struct CreateRelationshipTool;

#[async_trait]
impl Tool for CreateRelationshipTool {
    type Input = CreateRelationship;
    const NAME: &'static str = "create_relationship";
    const TAINTED: bool = false;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: CreateRelationship) -> Result<ToolReply, ToolError> {
        if input.description.trim().is_empty() {
            return Err(ToolError::Malformed("description is empty: say in words how the two are linked".into()));
        }
        check_entities(context, [input.source_entity_id, input.target_entity_id]).await?;
        let (mut write, latest) = write_for_claims(context, &input.claim_ids).await?;
        write.relationships.push(NewRelationship {
            id: RelationshipId(context.engine.ids.next()),
            source: EntityRef::Existing(input.source_entity_id),
            target: EntityRef::Existing(input.target_entity_id),
            description: input.description.trim().to_owned(),
            weight: input.weight,
            confidence: input.confidence,
            bidirectional: input.bidirectional,
            timestamp: input.timestamp.or(latest),
            since: input.since,
            until: input.until,
            claims: vec![],
            existing_claims: input.claim_ids,
        });
        let relationship = first(send(context, &write).await?.relationships)?;
        ToolReply::json(&RelationshipCreated { relationship_id: relationship.id, is_new: relationship.is_new })
    }
}

pub struct UpdateRelationshipTool;

#[async_trait]
impl Tool for UpdateRelationshipTool {
    type Input = UpdateRelationship;
    const NAME: &'static str = "update_relationship";
    const TAINTED: bool = false;

    /// Adds evidence to a relationship, which is unique by its ends and description.
    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: UpdateRelationship) -> Result<ToolReply, ToolError> {
        let scope = &context.investigation.scope;
        let found = context.engine.graph.relationships(scope, &[input.relationship_id]).await?;
        let known = found
            .into_iter()
            .next()
            .ok_or_else(|| ToolError::ForModel(format!("there is no relationship {}", input.relationship_id)))?;
        let (mut write, latest) = write_for_claims(context, &input.claim_ids).await?;
        write.relationships.push(NewRelationship {
            id: known.id,
            source: EntityRef::Existing(known.source_id),
            target: EntityRef::Existing(known.target_id),
            description: known.description,
            weight: input.weight.or(known.weight),
            confidence: input.confidence.or(known.confidence),
            bidirectional: known.bidirectional,
            timestamp: input.timestamp.or(latest.max(known.timestamp)),
            since: input.since.or(known.since),
            until: input.until.or(known.until),
            claims: vec![],
            existing_claims: input.claim_ids,
        });
        send(context, &write).await?;
        ToolReply::json(&UpdateResult { done: true })
    }
}

/// Returns the value, or a malformed-call error.
fn or_malformed<T>(value: Result<T, String>) -> Result<T, ToolError> {
    value.map_err(ToolError::Malformed)
}

/// Returns the single item of a write.
fn first<T>(items: Vec<T>) -> Result<T, ToolError> {
    let defect = || ToolError::Fatal(crate::StoreError::Defect("a write of one item gave none back".into()));
    items.into_iter().next().ok_or_else(defect)
}
