//! `batch_extract`: records all extracted items, with one atomic write per pack. An invalid item affects only itself.

pub(super) mod fields;
mod plan;
mod record;
mod recorded;
mod salvage;

pub(in crate::agents) use salvage::read_entry;

use super::{GatewayToken, Tool, ToolContext, ToolError, ToolReply};
use crate::agents::{
    added_field::AddedField,
    machine::{EXTRACT_TOOL, ExtractedDocument, NamePair, NameVerdict, ToolEffect},
};
use crate::{
    StoreError,
    graph::{EntityProposal, ResolutionVerdict},
    library::question_key,
    names::PrintedNames,
};
use async_trait::async_trait;
use domain::{CollectionId, DocumentId, EntityId, Scope, assessment::Producer, document::DocumentText, live::GraphCounts};
use protocol::{
    fence::fence,
    tools::{BatchExtract, BatchExtracted, DocumentExtract, DocumentExtracted, ItemError},
};
use record::{PlannedDocument, nothing_written};
use recorded::RecordedWords;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

pub struct BatchExtractTool {
    /// Fields that features add.
    fields: Vec<AddedField>,
}

impl BatchExtractTool {
    pub fn new(fields: &[AddedField]) -> Self {
        Self { fields: fields.to_vec() }
    }

    /// Stores what an answer gives for the added fields. Wrong items are left out and counted; they fail no document.
    async fn store_added(
        &self,
        context: &ToolContext<'_>,
        document: &DocumentText,
        added: &BTreeMap<String, Value>,
    ) -> Result<(), StoreError> {
        for field in &self.fields {
            let Some(given) = added.get(field.name) else { continue };
            let checked = field.check(given, &document.text, context.engine.config.max_quote_chars);
            metrics::counter!("autosint_extract_items_refused_total").increment(checked.refused);
            if !checked.items.is_empty() {
                field.store.add_items(document.document.id, &checked.items).await?;
            }
        }
        Ok(())
    }
}

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
    const NAME: &'static str = EXTRACT_TOOL;
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
        let recorded = RecordedWords::load(context, &ids).await?;
        let (mut planned, mut entries, mut scopes) = (vec![], vec![], BTreeMap::new());
        for (entry, mut extract, errors) in extracts {
            let id = extract.document_id;
            entries.push((entry, id));
            planned.push(match texts.get(&id) {
                _ if context.writable.is_some_and(|writable| !writable.documents.contains(&id)) => {
                    Err(nothing_written(id, vec![not_in_pack(id)]))
                }
                Some(document) => {
                    let added = std::mem::take(&mut extract.added);
                    let mut plan = plan_one(context, extract, errors, document, &mut scopes).await?;
                    if let Ok(planned) = &mut plan {
                        self.store_added(context, document, &added).await?;
                        recorded.keep(&mut planned.write);
                    }
                    plan
                }
                None => Err(nothing_written(id, vec![no_document(id)])),
            });
        }
        let documents = record::record(context, planned).await?;
        let mut extracted = vec![];
        for ((entry, id), outcome) in entries.into_iter().zip(&documents) {
            let note = texts.get(&id).filter(|_| !outcome.errors.is_empty());
            let note = note.map(|document| salvage::describe(entry, &outcome.errors, document));
            extracted.push(ExtractedDocument {
                document_id: id,
                recorded: !outcome.claim_ids.is_empty(),
                errors: outcome.errors.clone(),
                note: note.map_or(String::new(), |note| fence(&note, &context.engine.ids.next().simple().to_string())),
            });
        }
        report(context, &documents).await?;
        Ok(ToolReply::json(&BatchExtracted { documents })?.with(ToolEffect::Extracted { documents: extracted }))
    }
}

/// Plans the write of the valid items of an extract, or returns why nothing can be written. A document with errors is complete only on
/// the last try with something to record. `scopes`: the scope of resolution by collection.
async fn plan_one<'a>(
    context: &ToolContext<'_>,
    mut extract: DocumentExtract,
    mut errors: Vec<ItemError>,
    document: &'a DocumentText,
    scopes: &mut BTreeMap<CollectionId, Scope>,
) -> Result<Result<PlannedDocument<'a>, DocumentExtracted>, ToolError> {
    let engine = context.engine;
    let (id, collection) = (extract.document_id, document.document.collection_id);
    let is_in_view_only = extract.in_view_only.unwrap_or(false);
    let within = match scopes.get(&collection) {
        Some(within) => within.clone(),
        None => scopes.entry(collection).or_insert(context.resolve_within(collection).await?).clone(),
    };
    let known = known_entities(context, &extract).await?;
    let DocumentText { document: header, text } = document;
    let header_lines = [Some(&header.title), header.outlet.as_ref(), header.credits.byline.as_ref(), Some(&header.path)];
    let printed = match is_played_back(context) {
        true => PrintedNames::accepting_all(),
        false => PrintedNames::new(header_lines.into_iter().flatten().map(String::as_str).chain([text.as_str()])),
    };
    plan::keep_printed_names(&mut extract, &printed);
    let credits = fields::credits(extract.credits.as_ref(), &printed);
    let mut write = match plan::plan(engine, &extract, document, &printed, within.clone(), &known) {
        Ok(write) => write,
        Err(wrong) => {
            let (rest, named) = salvage::without(extract, wrong);
            errors.extend(named);
            match plan::plan(engine, &rest, document, &printed, within, &known) {
                Ok(write) => write,
                Err(_) => return Ok(Err(nothing_written(id, errors))),
            }
        }
    };
    let is_last_try = context.writable.is_none_or(|writable| writable.is_last_try);
    let is_complete = errors.is_empty() || (is_last_try && !write.claims.is_empty());
    write.in_view_of = is_in_view_only.then(|| question_key(&context.investigation.question));
    write.completes_document = is_complete && context.writable.is_none_or(|writable| writable.completes);
    for proposal in &mut write.entities {
        let verdicts = context.writable.map_or(&[][..], |writable| writable.verdicts);
        proposal.verdicts = verdicts_for(proposal, collection, verdicts, engine.config.judge.max_reason_chars);
    }
    Ok(Ok(PlannedDocument { document, write, credits, errors }))
}

/// Returns the verdicts on the names of a proposal for a collection.
fn verdicts_for(
    proposal: &EntityProposal,
    collection_id: CollectionId,
    verdicts: &[NameVerdict],
    max_reason_chars: usize,
) -> Vec<ResolutionVerdict> {
    let is_ours =
        |pair: &NamePair| pair.collection_id == collection_id && (&pair.name, &pair.kind) == (&proposal.name, &proposal.kind);
    let ours = verdicts.iter().filter(|verdict| is_ours(&verdict.pair));
    let judged = ours.map(|NameVerdict { pair, verdict, reason }| {
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        ResolutionVerdict {
            entity_id: pair.entity_id,
            verdict: *verdict,
            reason: reason.chars().take(max_reason_chars).collect(),
        }
    });
    judged.collect()
}

/// Returns whether recorded answers are played back.
fn is_played_back(context: &ToolContext<'_>) -> bool {
    context.engine.models_for(context.investigation).model(context.role).provider() == Producer::REPLAY
}

/// Returns the names of the entities named by id that the scope sees. Queried one by one, because a merged id returns its survivor.
async fn known_entities(
    context: &ToolContext<'_>,
    extract: &DocumentExtract,
) -> Result<BTreeMap<EntityId, Vec<String>>, ToolError> {
    let mut known = BTreeMap::new();
    for id in plan::known_entities(extract) {
        for entity in context.engine.graph.entities(&context.investigation.scope, &[id]).await? {
            known.insert(id, entity.aliases.into_iter().chain([entity.canonical_name]).collect());
        }
    }
    Ok(known)
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

/// Records an event with what was added to the graph.
async fn report(context: &ToolContext<'_>, documents: &[DocumentExtracted]) -> Result<(), ToolError> {
    let done: Vec<DocumentId> = documents
        .iter()
        .filter(|document| !document.claim_ids.is_empty() || document.errors.is_empty())
        .map(|document| document.document_id)
        .collect();
    if done.is_empty() {
        return Ok(());
    }
    let mut added = GraphCounts::default();
    for DocumentExtracted { new, .. } in documents {
        added += GraphCounts { claims: new.claims, entities: new.entities, relationships: new.relationships };
    }
    context.record_added(added).await?;
    metrics::counter!("autosint_documents_extracted_total").increment(done.len() as u64);
    Ok(())
}
