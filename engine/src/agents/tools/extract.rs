//! `batch_extract`: records all extracted items, with one atomic write per document. An invalid item affects only itself.

pub(super) mod fields;
mod plan;
mod salvage;

pub(in crate::agents) use salvage::read_entry;

use super::{ToolContext, ToolError, ToolReply};
use crate::{
    StoreError,
    agents::{
        gateway::GatewayToken,
        machine::{ExtractedDocument, ToolEffect},
        names,
        registry::Tool,
    },
    graph::WriteOutcome,
    library::CreditedDocument,
};
use async_trait::async_trait;
use domain::{DocumentId, EntityId, document::DocumentText, event::EventKind};
use protocol::{
    fence::fence,
    tools::{BatchExtract, BatchExtracted, DocumentExtract, DocumentExtracted, ItemError, NewItems},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub struct BatchExtractTool;

/// Document entries of an answer, parsed separately.
#[derive(Debug, Deserialize)]
pub struct Entries {
    #[serde(default)]
    documents: Vec<Value>,
}

/// Output schema for models.
impl JsonSchema for Entries {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        BatchExtract::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        BatchExtract::json_schema(generator)
    }
}

#[async_trait]
impl Tool for BatchExtractTool {
    type Input = Entries;
    const NAME: &'static str = "batch_extract";
    const TAINTED: bool = false;
    const CHECKS_ARGUMENTS: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: Entries) -> Result<ToolReply, ToolError> {
        let mut extracts = vec![];
        for (n, entry) in input.documents.iter().enumerate() {
            let (extract, errors) =
                read_entry(entry).map_err(|error| ToolError::Malformed(format!("documents[{n}] cannot be read: {error}")))?;
            extracts.push((entry, extract, errors));
        }
        let ids: Vec<DocumentId> = extracts.iter().map(|(_, extract, _)| extract.document_id).collect();
        let texts = context.engine.documents.texts(&context.investigation.scope, &ids).await?;
        let texts: BTreeMap<DocumentId, DocumentText> = texts.into_iter().map(|text| (text.document.id, text)).collect();
        let (mut documents, mut extracted) = (vec![], vec![]);
        for (entry, extract, errors) in extracts {
            let id = extract.document_id;
            let outcome = match texts.get(&id) {
                _ if context.writable.is_some_and(|writable| !writable.documents.contains(&id)) => {
                    nothing_written(id, vec![not_in_pack(id)])
                }
                Some(document) => write_one(context, extract, errors, document).await?,
                None => nothing_written(id, vec![no_document(id)]),
            };
            let note = texts.get(&id).filter(|_| !outcome.errors.is_empty());
            let note = note.map(|document| salvage::describe(entry, &outcome.errors, document));
            extracted.push(ExtractedDocument {
                document_id: id,
                recorded: !outcome.claim_ids.is_empty(),
                errors: outcome.errors.clone(),
                note: note.map_or(String::new(), |note| fence(&note, &context.engine.ids.next().simple().to_string())),
            });
            documents.push(outcome);
        }
        report(context, &documents).await?;
        Ok(ToolReply::json(&BatchExtracted { documents })?.with(ToolEffect::Extracted { documents: extracted }))
    }
}

/// Records the valid items of an extract. A document with errors is complete only on the last try with something recorded.
async fn write_one(
    context: &ToolContext<'_>,
    extract: DocumentExtract,
    mut errors: Vec<ItemError>,
    document: &DocumentText,
) -> Result<DocumentExtracted, ToolError> {
    let engine = context.engine;
    let id = extract.document_id;
    let within = context.resolve_within(document.document.collection_id).await?;
    let known = known_entities(context, &extract).await?;
    let credits = fields::credits(extract.credits.as_ref());
    let mut write = match plan::plan(engine, &extract, document, within.clone(), &known) {
        Ok(write) => write,
        Err(wrong) => {
            let (rest, named) = salvage::without(extract, wrong);
            errors.extend(named);
            match plan::plan(engine, &rest, document, within, &known) {
                Ok(write) => write,
                Err(_) => return Ok(nothing_written(id, errors)),
            }
        }
    };
    let is_last_try = context.writable.is_none_or(|writable| writable.is_last_try);
    let is_complete = errors.is_empty() || (is_last_try && !write.claims.is_empty());
    write.completes_document = is_complete && context.writable.is_none_or(|writable| writable.completes);
    for proposal in &mut write.entities {
        let verdicts = context.writable.map_or(&[][..], |writable| writable.verdicts);
        proposal.verdicts =
            names::verdicts_for(proposal, document.document.collection_id, verdicts, engine.config.judge.max_reason_chars);
    }
    match engine.graph.write(&write, engine.resolve.as_ref()).await {
        Ok(written) => {
            count_new(&written);
            engine.source_log.document_yielded(id, new_items(&written).claims).await?;
            if let Some(credits) = credits {
                let credited = CreditedDocument::new(&document.document, credits, &*engine.resolve);
                engine.documents.add_credits(&[credited]).await?;
            }
            Ok(DocumentExtracted { errors, ..everything_written(id, &written) })
        }
        Err(StoreError::Invalid(error)) => {
            errors.push(ItemError { item: "document".into(), error });
            Ok(nothing_written(id, errors))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the entities named by id that the scope sees. Queried one by one, because a merged id returns its survivor.
async fn known_entities(context: &ToolContext<'_>, extract: &DocumentExtract) -> Result<BTreeSet<EntityId>, ToolError> {
    let mut known = BTreeSet::new();
    for id in plan::known_entities(extract) {
        if !context.engine.graph.entities(&context.investigation.scope, &[id]).await?.is_empty() {
            known.insert(id);
        }
    }
    Ok(known)
}

fn count_new(written: &WriteOutcome) {
    let new = new_items(written);
    for (kind, many) in [("claim", new.claims), ("entity", new.entities), ("relationship", new.relationships)] {
        metrics::counter!("autosint_graph_written_total", "kind" => kind).increment(many);
    }
}

fn new_items(written: &WriteOutcome) -> NewItems {
    let count = |flags: &mut dyn Iterator<Item = bool>| flags.filter(|is_new| *is_new).count() as u64;
    NewItems {
        claims: count(&mut written.claims.iter().map(|claim| claim.is_new)),
        entities: count(&mut written.entities.iter().map(|entity| entity.is_new)),
        relationships: count(&mut written.relationships.iter().map(|relationship| relationship.is_new)),
    }
}

fn everything_written(document_id: DocumentId, written: &WriteOutcome) -> DocumentExtracted {
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

/// Records an event with the size of the graph.
async fn report(context: &ToolContext<'_>, documents: &[DocumentExtracted]) -> Result<(), ToolError> {
    let engine = context.engine;
    let done: Vec<DocumentId> = documents
        .iter()
        .filter(|document| !document.claim_ids.is_empty() || document.errors.is_empty())
        .map(|document| document.document_id)
        .collect();
    if done.is_empty() {
        return Ok(());
    }
    let (claims, entities, relationships) = engine.graph.counts(&context.investigation.scope).await?;
    let event = EventKind::GraphGrew { claims, entities, relationships };
    engine.events.append(context.investigation.id, engine.clock.now(), event).await?;
    metrics::counter!("autosint_documents_extracted_total").increment(done.len() as u64);
    Ok(())
}
