//! Statement of sources, computed from the investigation's records.

use super::CitedEvidence;
use crate::{Engine, StoreError, outlets::OutletReader};
use domain::{
    DocumentId, UserId, WorkOrderId,
    agent::ToolCall,
    assessment::{Citation, FruitlessSearch, InformationPeriod, OutletOwner, PlanNote, SourceCount, SourceStatement},
    investigation::Investigation,
    work_order::{PlanChange, WorkOrder, WorkOrderStatus},
};
use protocol::fence::unfenced;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of queries listed per source.
const QUERIES_NAMED: usize = 3;
/// Maximum length of a reason, in characters.
const REASON_CHARS: usize = 300;

/// Returns the statement and the period of the information.
pub(super) async fn statement(
    engine: &Engine,
    investigation: &Investigation,
    evidence: &CitedEvidence,
    citations: &[Citation],
) -> Result<(SourceStatement, InformationPeriod), StoreError> {
    let read = engine.work_orders.documents_read(investigation.id).await?;
    let cited: BTreeSet<DocumentId> = citations.iter().map(|citation| citation.document_id).collect();
    let count = SourceCount::of_citations(citations);
    let known: BTreeSet<DocumentId> = read.iter().map(|(_, document)| *document).chain(cited.iter().copied()).collect();
    let known: Vec<DocumentId> = known.into_iter().collect();
    let documents = engine.documents.documents(&investigation.scope, &known).await?;
    let dates = documents.iter().filter_map(|document| document.published);
    let information = InformationPeriod::spanning(dates.chain(citations.iter().filter_map(|citation| citation.published_at)));
    let first_hand = citations.iter().filter(|citation| evidence.is_first_hand(citation));
    let with_documents: BTreeSet<WorkOrderId> = read.iter().map(|(order, _)| *order).collect();
    let statement = SourceStatement {
        documents_read: documents.len() as u64,
        documents_cited: count.documents,
        origins_cited: count.origins,
        citations: count.citations,
        first_hand: first_hand.count() as u64,
        owners: owners(engine, investigation, evidence, citations).await?,
        searched_in_vain: searched_in_vain(engine, investigation, &with_documents).await?,
        plan_changes: plan_changes(engine, investigation).await?,
    };
    Ok((statement, information))
}

/// Returns what people changed in the plan, with their names.
async fn plan_changes(engine: &Engine, investigation: &Investigation) -> Result<Vec<PlanNote>, StoreError> {
    let changes = engine.work_orders.plan_changes(investigation.id).await?;
    let mut names = BTreeMap::<UserId, String>::new();
    // The owner and a few administrators.
    for by in changes.iter().map(|change| change.by).collect::<BTreeSet<_>>() {
        let name = engine.accounts.user(by).await?.map_or_else(|| "a removed account".to_owned(), |user| user.name);
        names.insert(by, name);
    }
    let note = |change: PlanChange| PlanNote {
        kind: change.kind,
        objective: change.objective,
        by: names.get(&change.by).cloned().unwrap_or_default(),
    };
    Ok(changes.into_iter().map(note).collect())
}

/// Returns owners of the cited outlets, from relationships of the graph.
async fn owners(
    engine: &Engine,
    investigation: &Investigation,
    evidence: &CitedEvidence,
    citations: &[Citation],
) -> Result<Vec<OutletOwner>, StoreError> {
    let reader = OutletReader::within(engine, investigation);
    let mut owners = BTreeSet::new();
    for (entity_id, outlet) in evidence.outlets(citations) {
        let found = reader.owners(entity_id).await?;
        owners.extend(found.into_iter().map(|one| OutletOwner { outlet: outlet.clone(), owner: one.name, link: one.link }));
    }
    Ok(owners.into_iter().collect())
}

/// Queries of one source.
#[derive(Default)]
struct SourceUse {
    queries: BTreeSet<String>,
    error: Option<String>,
    has_found: bool,
}

async fn searched_in_vain(
    engine: &Engine,
    investigation: &Investigation,
    with_documents: &BTreeSet<WorkOrderId>,
) -> Result<Vec<FruitlessSearch>, StoreError> {
    let (mut by_source, mut fruitful) = (BTreeMap::<String, SourceUse>::new(), with_documents.clone());
    for session in engine.sessions.sessions(investigation.id).await? {
        let Some(order) = session.work_order_id() else { continue };
        for call in engine.sessions.calls(session.id).await? {
            let Some(has_found) = has_found(&call) else { continue };
            if has_found {
                fruitful.insert(order);
            }
            if let (FETCH_SOURCE_QUERY, Some(source)) = (call.tool.as_str(), &call.source) {
                let asked = by_source.entry(source.clone()).or_default();
                asked.has_found |= has_found;
                asked.error = call.is_error.then(|| call.result.clone()).or(asked.error.take());
                asked.queries.extend(words_of(&call));
            }
        }
    }
    let orders = engine.work_orders.work_orders(investigation.id).await?;
    let orders = orders.into_iter().filter_map(|order| fruitless_order(order, &fruitful));
    let sources =
        by_source.into_iter().filter(|(_, asked)| !asked.has_found).map(|(source, asked)| fruitless_source(source, asked));
    Ok(orders.chain(sources).collect())
}

const FETCH_SOURCE_QUERY: &str = "fetch_source_query";

/// Returns whether a search returned documents or pages; none for other calls.
fn has_found(call: &ToolCall) -> Option<bool> {
    match call.tool.as_str() {
        "fetch_url" | "browse_url" | "browser_open" => Some(!call.is_error),
        FETCH_SOURCE_QUERY if call.is_error => Some(false),
        FETCH_SOURCE_QUERY => {
            let answer: Option<Value> = serde_json::from_str(unfenced(&call.result)).ok();
            // An unreadable answer does not prove an empty result.
            let listed = answer.as_ref().and_then(|answer| answer.get("documents").or_else(|| answer.get("found"))?.as_array());
            Some(listed.is_none_or(|listed| !listed.is_empty()))
        }
        _ => None,
    }
}

fn words_of(call: &ToolCall) -> Option<String> {
    let words = call.arguments.pointer("/query_params/query")?.as_str()?.trim();
    (!words.is_empty()).then(|| words.to_owned())
}

fn fruitless_order(order: WorkOrder, fruitful: &BTreeSet<WorkOrderId>) -> Option<FruitlessSearch> {
    let why = match order.status {
        WorkOrderStatus::Failed => order.failure.unwrap_or_else(|| "It was not carried out.".to_owned()),
        WorkOrderStatus::Completed if !fruitful.contains(&order.id) => "It found no document.".to_owned(),
        _ => return None,
    };
    Some(FruitlessSearch { what: order.objective, why: why.chars().take(REASON_CHARS).collect() })
}

fn fruitless_source(source: String, asked: SourceUse) -> FruitlessSearch {
    let named: Vec<String> = asked.queries.iter().take(QUERIES_NAMED).map(|words| format!("“{words}”")).collect();
    let why = match (asked.error, named.is_empty()) {
        (Some(error), _) => error.chars().take(REASON_CHARS).collect(),
        (None, true) => "It gave nothing.".to_owned(),
        (None, false) => format!("It gave nothing for {}.", named.join(", ")),
    };
    FruitlessSearch { what: source, why }
}
