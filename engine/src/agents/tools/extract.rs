//! `batch_extract`: everything that documents say, one atomic write per document, with ids or errors per item.

pub(super) mod fields;
mod plan;

use super::{
    ToolContext, ToolError, ToolReply,
    wire::{BatchExtract, BatchExtracted, DocumentExtract, DocumentExtracted, ItemError, NewItems},
};
use crate::{
    StoreError,
    agents::{
        gateway::Pass,
        machine::{ExtractedDocument, ToolEffect},
        names,
        registry::Tool,
    },
    graph::{GraphWrite, Written},
    library::CreditedDocument,
};
use async_trait::async_trait;
use domain::{DocumentId, EntityId, document::DocumentText, event::Happening};
use std::collections::{BTreeMap, BTreeSet};

pub struct BatchExtractTool;

#[async_trait]
impl Tool for BatchExtractTool {
    type Input = BatchExtract;
    const NAME: &'static str = "batch_extract";
    const TAINTED: bool = false;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, input: BatchExtract) -> Result<ToolReply, ToolError> {
        let ids: Vec<DocumentId> = input.documents.iter().map(|extract| extract.document_id).collect();
        let texts = context.engine.documents.texts(&context.investigation.scope, &ids).await?;
        let texts: BTreeMap<DocumentId, DocumentText> = texts.into_iter().map(|text| (text.document.id, text)).collect();
        let mut documents = vec![];
        for extract in &input.documents {
            let id = extract.document_id;
            documents.push(match texts.get(&id) {
                _ if context.writable.is_some_and(|writable| !writable.documents.contains(&id)) => {
                    nothing_written(id, vec![not_in_pack(id)])
                }
                Some(document) => write_one(context, extract, document).await?,
                None => nothing_written(id, vec![no_document(id)]),
            });
        }
        report(context, &documents).await?;
        let extracted = documents
            .iter()
            .map(|document| ExtractedDocument { document_id: document.document_id, errors: document.errors.clone() });
        let effect = ToolEffect::Extracted { documents: extracted.collect() };
        Ok(ToolReply::json(&BatchExtracted { documents })?.with(effect))
    }
}

async fn write_one(
    context: &ToolContext<'_>,
    extract: &DocumentExtract,
    document: &DocumentText,
) -> Result<DocumentExtracted, ToolError> {
    let engine = context.engine;
    let within = context.resolve_within(document.document.collection_id).await?;
    let completes_document = context.writable.is_none_or(|writable| writable.completes);
    let known = known_entities(context, extract).await?;
    let mut write = match plan::plan(engine, extract, document, within, &known) {
        Ok(write) => GraphWrite { completes_document, ..write },
        Err(errors) => return Ok(nothing_written(extract.document_id, errors)),
    };
    for proposal in &mut write.entities {
        let verdicts = context.writable.map_or(&[][..], |writable| writable.verdicts);
        proposal.verdicts =
            names::judged(proposal, document.document.collection_id, verdicts, engine.config.judge.max_reason_chars);
    }
    match engine.graph.write(&write, engine.resolve.as_ref()).await {
        Ok(written) => {
            count_new(&written);
            engine.source_log.document_yielded(extract.document_id, new_items(&written).claims).await?;
            if let Some(credits) = fields::credits(extract.credits.as_ref()) {
                let credited = CreditedDocument::new(&document.document, credits, &*engine.resolve);
                engine.documents.add_credits(&[credited]).await?;
            }
            Ok(everything_written(extract.document_id, &written))
        }
        Err(StoreError::Invalid(error)) => {
            Ok(nothing_written(extract.document_id, vec![ItemError { item: "document".into(), error }]))
        }
        Err(error) => Err(error.into()),
    }
}

/// Those entities named by id that the investigation sees. One by one: a merged id gives its survivor, which has another.
async fn known_entities(context: &ToolContext<'_>, extract: &DocumentExtract) -> Result<BTreeSet<EntityId>, ToolError> {
    let mut known = BTreeSet::new();
    for id in plan::known_entities(extract) {
        if !context.engine.graph.entities(&context.investigation.scope, &[id]).await?.is_empty() {
            known.insert(id);
        }
    }
    Ok(known)
}

fn count_new(written: &Written) {
    let new = new_items(written);
    for (kind, many) in [("claim", new.claims), ("entity", new.entities), ("relationship", new.relationships)] {
        metrics::counter!("autosint_graph_written_total", "kind" => kind).increment(many);
    }
}

fn new_items(written: &Written) -> NewItems {
    let count = |flags: &mut dyn Iterator<Item = bool>| flags.filter(|is_new| *is_new).count() as u64;
    NewItems {
        claims: count(&mut written.claims.iter().map(|claim| claim.is_new)),
        entities: count(&mut written.entities.iter().map(|entity| entity.is_new)),
        relationships: count(&mut written.relationships.iter().map(|relationship| relationship.is_new)),
    }
}

fn everything_written(document_id: DocumentId, written: &Written) -> DocumentExtracted {
    DocumentExtracted {
        document_id,
        entity_ids: written.entities.iter().map(|entity| entity.id).collect(),
        claim_ids: written.claims.iter().map(|claim| claim.id).collect(),
        relationship_ids: written.relationships.iter().map(|relationship| relationship.id).collect(),
        new: new_items(written),
        errors: vec![],
    }
}

fn nothing_written(document_id: DocumentId, errors: Vec<ItemError>) -> DocumentExtracted {
    DocumentExtracted {
        document_id,
        entity_ids: vec![],
        claim_ids: vec![],
        relationship_ids: vec![],
        new: NewItems::default(),
        errors,
    }
}

fn not_in_pack(id: DocumentId) -> ItemError {
    ItemError {
        item: "document_id".into(),
        error: format!("document {id} is not among those given: nothing may be written of it"),
    }
}

fn no_document(id: DocumentId) -> ItemError {
    ItemError { item: "document_id".into(), error: format!("there is no document {id} that this investigation may read") }
}

/// Notes what the order has dealt with, and tells who watches how much the graph holds now.
async fn report(context: &ToolContext<'_>, documents: &[DocumentExtracted]) -> Result<(), ToolError> {
    let engine = context.engine;
    let done: Vec<DocumentId> =
        documents.iter().filter(|document| document.errors.is_empty()).map(|document| document.document_id).collect();
    if done.is_empty() {
        return Ok(());
    }
    if let Some(order) = context.work_order {
        engine.work_orders.note_documents(order.id, &done).await?;
    }
    let (claims, entities, relationships) = engine.graph.counts(&context.investigation.scope).await?;
    let happening = Happening::GraphGrew { claims, entities, relationships };
    engine.events.append(context.investigation.id, engine.clock.now(), happening).await?;
    metrics::counter!("autosint_documents_extracted_total").increment(done.len() as u64);
    Ok(())
}
