//! Rerun of a question on the same documents with another model, in a temporary folder.

use super::super::{
    Exit, Failure,
    investigate::follow,
    output::{to_json, write_result},
    progress::Progress,
    shutdown::wait_for_stop_signal,
};
use crate::{Program, forwarding_ledger::BillTo};
use adapters::llm::ModelRef;
use domain::{
    CollectionId, CollectionKind, DocumentId,
    assessment::{Comparison, StatementChange},
    document::Document,
    investigation::Investigation,
};
use engine::{
    StoreResult, accounts,
    assessments::compare,
    investigations::{self, InvestigationRequest},
    library::{Capture, DocumentQuery},
};

/// Documents per copied page.
const PAGE: u32 = 100;

pub(super) async fn run(program: &Program, recorded: &Investigation, model: &ModelRef, json: bool) -> Result<Exit, Failure> {
    let stored = program.engine.assessments.of_investigation(&recorded.scope, recorded.id).await?;
    let stored = stored.ok_or_else(|| Failure::new(Exit::Usage, "this investigation has no assessment to compare with"))?;
    let folder =
        tempfile::tempdir().map_err(|error| Failure::new(Exit::Io, format!("cannot create a temporary folder: {error}")))?;
    let config = (*program.config).clone().in_folder(folder.path());
    let config_dir = program.config_dir.clone();
    // The rerun has its own store, but its calls are billed to the original owner's budgets.
    let (ledger, keys) = (program.engine.ledger.clone(), program.keys.clone());
    let bill_to = BillTo { ledger, user: recorded.owner, keys };
    let scratch = Program::open_billed_to(config, config_dir, bill_to).await?;
    let owner = accounts::system_user(&scratch.engine).await?;
    let collection = accounts::own_collection(&scratch.engine, &owner, CollectionKind::Private, "Replay").await?;
    copy(program, recorded, &scratch, collection.id).await?;
    let request = InvestigationRequest {
        model: Some(model.to_string()),
        web: Some(recorded.web),
        ..InvestigationRequest::new(&owner, &recorded.question, collection.id)
    };
    let (started, _) = investigations::start(&scratch.engine, request, |_| {}).await?;
    let (ended, exit) = follow(&scratch, &started, Progress::new(), wait_for_stop_signal()).await?;
    scratch.drain().await;
    scratch.store.close().await;
    let comparison = compare(&stored.assessment, &ended.assessment);
    let text = if json { to_json(&comparison)? } else { format_comparison(&comparison) };
    write_result(text.as_bytes())?;
    Ok(exit)
}

/// Copies the documents that the investigation could read when it ended, with their ids. Some may have been archived since.
async fn copy(from: &Program, recorded: &Investigation, to: &Program, collection: CollectionId) -> StoreResult<()> {
    for is_archived in [false, true] {
        let mut query = DocumentQuery { is_archived, limit: PAGE, ..DocumentQuery::default() };
        while let Some(listed) = copy_page(from, recorded, to, collection, &query).await? {
            query.offset += listed;
        }
    }
    Ok(())
}

/// Copies a page of documents and returns the number of documents on it; none after the last page.
async fn copy_page(
    from: &Program,
    recorded: &Investigation,
    to: &Program,
    collection: CollectionId,
    query: &DocumentQuery,
) -> StoreResult<Option<u64>> {
    let documents = &from.engine.documents;
    let page = documents.list(&recorded.scope, query).await?.documents;
    let Some(listed) = u64::try_from(page.len()).ok().filter(|listed| *listed > 0) else { return Ok(None) };
    let was_there = |document: &&Document| recorded.completed_at.is_none_or(|end| document.captured_at <= end);
    let ids: Vec<DocumentId> = page.iter().filter(was_there).map(|document| document.id).collect();
    let mut captures = vec![];
    for read in documents.texts(&recorded.scope, &ids).await? {
        let bytes = documents.bytes(&recorded.scope, read.document.id).await?.unwrap_or_default();
        let document = Document { collection_id: collection, ..read.document };
        let details = from.engine.captures.provenance(&recorded.scope, document.id).await?.details;
        captures.push(Capture { document, bytes, text: read.text, details });
    }
    to.engine.documents.add_documents(&captures).await?;
    Ok(Some(listed))
}

fn format_comparison(comparison: &Comparison) -> String {
    let (recorded, rerun) = (&comparison.earlier, &comparison.later);
    let mut text = format!("{}\n\n", comparison.question);
    for (when, side) in [("recorded", recorded), ("now", rerun)] {
        let confidence = side.confidence.map(|level| format!(", overall confidence {}", level.as_str()));
        let confidence = confidence.unwrap_or_else(|| ", an evidence brief".to_owned());
        text += &format!("{when}: {} {}{confidence}\n  {}\n", side.provider, side.model, side.bottom_line);
    }
    if comparison.is_same() {
        return text + "\nThe assessments are the same, on the same evidence.\n";
    }
    text += "\nKey judgements\n";
    for judgement in &comparison.judgements {
        text += &change(judgement);
    }
    text += "\nHypotheses\n";
    for hypothesis in &comparison.hypotheses {
        text += &change(&hypothesis.change);
    }
    let (added, removed) = (&comparison.citations_added, &comparison.citations_removed);
    text += &format!("\nCitations: {} kept, {} added, {} removed\n", comparison.citations_kept, added.len(), removed.len());
    for (sign, quotes) in [("+", added), ("-", removed)] {
        for quoted in quotes {
            text += &format!(
                "  {sign} {}: \"{}\"\n",
                quoted.document,
                quoted.quote.split_whitespace().collect::<Vec<_>>().join(" ")
            );
        }
    }
    text
}

/// Formats a statement with its probabilities on both sides.
fn change(StatementChange { earlier, later, probability: (before, after) }: &StatementChange) -> String {
    let percent = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{:.0} %", value * 100.0));
    // Two briefs have no probabilities.
    let has_numbers = before.is_some() || after.is_some();
    let numbers = if has_numbers { format!(" ({} -> {})", percent(*before), percent(*after)) } else { String::new() };
    match (earlier, later) {
        (Some(earlier), Some(later)) if earlier == later => format!("  = {earlier}{numbers}\n"),
        (Some(earlier), Some(later)) => format!("  ~ {earlier}\n    {later}{numbers}\n"),
        (Some(earlier), None) => format!("  - {earlier}{numbers}\n"),
        (None, Some(later)) => format!("  + {later}{numbers}\n"),
        (None, None) => String::new(),
    }
}
