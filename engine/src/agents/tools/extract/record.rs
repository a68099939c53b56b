//! Recording of planned documents: one write per run of documents of one collection, then yields and credits.

use crate::{
    StoreError,
    agents::context::{ToolContext, ToolError},
    graph::{GraphWrite, WriteOutcome},
    library::CreditedDocument,
};
use domain::{
    DocumentId,
    document::{Credits, DocumentText},
    live::GraphCounts,
};
use protocol::tools::{DocumentExtracted, ItemError, NewItems};
use std::slice;

/// A document whose write is planned.
pub(super) struct PlannedDocument<'a> {
    pub document: &'a DocumentText,
    pub write: GraphWrite,
    pub credits: Option<Credits>,
    /// Errors of the items that are left out.
    pub errors: Vec<ItemError>,
}

/// Returns the outcome of a document of which nothing is written.
pub(super) fn nothing_written(document_id: DocumentId, errors: Vec<ItemError>) -> DocumentExtracted {
    DocumentExtracted {
        document_id,
        entity_ids: vec![],
        claim_ids: vec![],
        relationship_ids: vec![],
        new: NewItems::default(),
        errors,
    }
}

/// Records the planned documents and returns the result of each; one that cannot be planned has its result already.
pub(super) async fn record(
    context: &ToolContext<'_>,
    planned: Vec<Result<PlannedDocument<'_>, DocumentExtracted>>,
) -> Result<Vec<DocumentExtracted>, ToolError> {
    let engine = context.engine;
    let (mut writes, mut unwritten) = (vec![], vec![]);
    for planned in planned {
        unwritten.push(match planned {
            Ok(PlannedDocument { document, write, credits, errors }) => {
                writes.push(write);
                Ok((document, credits, errors))
            }
            Err(nothing) => Err(nothing),
        });
    }
    let mut outcomes = Vec::with_capacity(writes.len());
    for run in writes.chunk_by(|one, next| one.collection_id == next.collection_id) {
        outcomes.extend(write(context, run).await?);
    }
    let mut outcomes = outcomes.into_iter();
    let (mut documents, mut yields, mut credited) = (vec![], vec![], vec![]);
    for planned in unwritten {
        let (document, credits, mut errors) = match planned {
            Ok(planned) => planned,
            Err(nothing) => {
                documents.push(nothing);
                continue;
            }
        };
        let id = document.document.id;
        match outcomes.next() {
            Some(Ok(written)) => {
                count_new(&written);
                yields.push((id, new_items(&written).claims));
                credited.extend(credits.map(|credits| CreditedDocument::new(&document.document, credits, &*engine.resolve)));
                documents.push(DocumentExtracted { errors, ..everything_written(id, &written) });
            }
            Some(Err(error)) => {
                errors.push(ItemError { item: "document".into(), error });
                documents.push(nothing_written(id, errors));
            }
            None => return Err(ToolError::Fatal(StoreError::Defect("a write of a pack returned too few results".into()))),
        }
    }
    engine.source_log.documents_yielded(&yields).await?;
    if !credited.is_empty() {
        engine.documents.add_credits(&credited).await?;
    }
    Ok(documents)
}

/// Writes documents of one collection together, or one by one when some are refused. Returns the reason of each refusal.
async fn write(context: &ToolContext<'_>, run: &[GraphWrite]) -> Result<Vec<Result<WriteOutcome, String>>, ToolError> {
    let (graph, resolve) = (&context.engine.graph, &*context.engine.resolve);
    match graph.write(run, resolve).await {
        Ok(written) => return Ok(written.into_iter().map(Ok).collect()),
        Err(StoreError::Invalid(error)) if run.len() == 1 => return Ok(vec![Err(error)]),
        Err(StoreError::Invalid(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let mut outcomes = vec![];
    for one in run.iter().map(slice::from_ref) {
        match graph.write(one, resolve).await {
            Ok(written) => outcomes.extend(written.into_iter().map(Ok)),
            Err(StoreError::Invalid(error)) => outcomes.push(Err(error)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(outcomes)
}

fn count_new(written: &WriteOutcome) {
    let new = new_items(written);
    for (kind, many) in [("claim", new.claims), ("entity", new.entities), ("relationship", new.relationships)] {
        metrics::counter!("autosint_graph_written_total", "kind" => kind).increment(many);
    }
}

fn new_items(written: &WriteOutcome) -> NewItems {
    let GraphCounts { claims, entities, relationships } = written.added();
    NewItems { claims, entities, relationships }
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
