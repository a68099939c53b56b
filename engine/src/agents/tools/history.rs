//! Analyst tool for the history of the investigation: orders, what was searched for them, and what came of it.

use super::{GatewayToken, Tool, ToolContext, ToolError, ToolOffer, ToolReply};
use crate::{
    agents::{
        machine::{Input, Phase, ToolEffect},
        parts,
        record::{MachineRequest, RecordedStep},
    },
    library::RejectedQuery,
};
use async_trait::async_trait;
use domain::{
    DocumentId, SessionId, WorkOrderId,
    agent::ToolCall,
    document::RejectedFile,
    work_order::{WorkOrder, WorkOrderStatus},
};
use protocol::{
    fence::unfenced,
    model::StopReason,
    tools::{CycleView, InvestigationHistory, NoArguments, SearchView, UnreadFile, WorkOrderView},
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of queries and of addresses listed per order, and the maximum length of a note and of a reason.
const QUERIES: usize = 8;
const ADDRESSES: usize = 5;
const NOTE_CHARS: usize = 400;
const REASON_CHARS: usize = 200;
/// The tool whose results say what was searched.
const QUERY_TOOL: &str = "fetch_source_query";
/// Number of steps read at once.
const STEPS: u32 = 8;

pub struct GetInvestigationHistoryTool;

#[async_trait]
impl Tool for GetInvestigationHistoryTool {
    type Input = NoArguments;
    const NAME: &'static str = "get_investigation_history";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    // File names, server messages and notes on outside texts.
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, _: NoArguments) -> Result<ToolReply, ToolError> {
        let engine = context.engine;
        let investigation = context.investigation;
        let orders = engine.work_orders.work_orders(investigation.id).await?;
        let read = engine.work_orders.documents_read(investigation.id).await?;
        let produced = claims_by_order(context, &read).await?;
        let mut searches = searches_by_order(context).await?;
        let mut cycles: BTreeMap<u32, Vec<WorkOrderView>> = BTreeMap::new();
        for order in orders.iter().filter(|order| order.status != WorkOrderStatus::Staged) {
            let search = searches.remove(&order.id).unwrap_or_default();
            cycles.entry(order.cycle).or_default().push(WorkOrderView {
                claims_produced_count: produced.get(&order.id).copied().unwrap_or(0),
                objective: order.objective.clone(),
                status: order.status.as_str().into(),
                failure: order.failure.clone(),
                left_to: left_to(order, &search, &read, &orders),
                note: search.note,
                searched: search.searched,
                not_opened: search.not_opened,
                warnings: search.warnings,
            });
        }
        let cycles = cycles.into_iter().map(|(cycle, work_orders)| CycleView { cycle, work_orders }).collect();
        let query = RejectedQuery { investigation: Some(investigation.id), offset: 0, limit: context.items(None) };
        let (files, unread_total) = engine.documents.rejected(&investigation.scope, &query).await?;
        let unread = files.into_iter().map(|RejectedFile { path, reason }| UnreadFile { path, reason }).collect();
        ToolReply::json(&InvestigationHistory { cycles, unread, unread_total })
    }
}

/// Counts claims by work order; a document held by several orders counts for the last.
async fn claims_by_order(
    context: &ToolContext<'_>,
    read: &[(WorkOrderId, DocumentId)],
) -> Result<BTreeMap<WorkOrderId, u64>, ToolError> {
    let last: BTreeMap<DocumentId, WorkOrderId> = read.iter().map(|(order, document)| (*document, *order)).collect();
    let documents: Vec<DocumentId> = last.keys().copied().collect();
    let counts = context.engine.graph.claim_counts(&context.investigation.scope, &documents).await?;
    let mut by_order = BTreeMap::new();
    for (order, claims) in last.into_values().zip(counts) {
        *by_order.entry(order).or_default() += claims;
    }
    Ok(by_order)
}

/// Search for one order, in all its sessions.
#[derive(Debug, Default)]
struct OrderSearch {
    note: Option<String>,
    searched: Vec<SearchView>,
    not_opened: Vec<UnreadFile>,
    warnings: Vec<String>,
    /// Documents that sources listed and that were not recorded then.
    found: BTreeSet<DocumentId>,
}

async fn searches_by_order(context: &ToolContext<'_>) -> Result<BTreeMap<WorkOrderId, OrderSearch>, ToolError> {
    let sessions = &context.engine.sessions;
    let mut calls: BTreeMap<SessionId, Vec<ToolCall>> = BTreeMap::new();
    for call in sessions.notable_calls(context.investigation.id, QUERY_TOOL).await? {
        calls.entry(call.session_id).or_default().push(call);
    }
    let mut by_order: BTreeMap<WorkOrderId, OrderSearch> = BTreeMap::new();
    for session in sessions.sessions(context.investigation.id).await? {
        let Some(order) = session.work_order_id() else { continue };
        let search = by_order.entry(order).or_default();
        calls.remove(&session.id).iter().flatten().for_each(|call| search.add_call(call));
        add_steps(context, session.id, search).await?;
    }
    Ok(by_order)
}

/// Adds what the steps of a session say before the first document is read.
async fn add_steps(context: &ToolContext<'_>, session: SessionId, search: &mut OrderSearch) -> Result<(), ToolError> {
    let mut first = 0;
    loop {
        let stored = context.engine.sessions.steps_from(session, first, STEPS).await?;
        for step in &stored {
            // A step of an earlier version may be unreadable; the history goes without it.
            let Ok(RecordedStep { asked, fed }) = RecordedStep::read(step) else { continue };
            let is_research = matches!(asked, MachineRequest::Model { phase: Phase::Research, .. });
            match fed {
                Input::Tools { results } => results.iter().for_each(|outcome| search.add_found(&outcome.effect)),
                Input::Reply { reply } if is_research && reply.tool_calls.is_empty() && reply.stop == StopReason::EndTurn => {
                    search.note = Some(cut(reply.text.trim(), NOTE_CHARS)).filter(|note| !note.is_empty());
                }
                Input::Pack { .. } => return Ok(()),
                _ => {}
            }
        }
        match stored.last() {
            Some(last) if stored.len() == STEPS as usize => first = last.number + 1,
            _ => return Ok(()),
        }
    }
}

impl OrderSearch {
    fn add_call(&mut self, call: &ToolCall) {
        if let Some(finding) = &call.injection {
            self.warnings.push(format!("'{}' told it to call {}, which was refused", finding.title, finding.tool));
            return;
        }
        match call.tool.as_str() {
            QUERY_TOOL => self.add_query(call),
            "fetch_url" | "browse_url" | "browser_open" if call.is_error && self.not_opened.len() < ADDRESSES => {
                if let Some(address) = call.arguments.get("url").and_then(Value::as_str) {
                    self.not_opened.push(UnreadFile { path: address.to_owned(), reason: cut(&call.result, REASON_CHARS) });
                }
            }
            _ => {}
        }
    }

    /// Adds a query in words; further pages of it add nothing.
    fn add_query(&mut self, call: &ToolCall) {
        let words = call.arguments.pointer("/query_params/query").and_then(Value::as_str).unwrap_or_default().trim();
        let source = call.source.as_deref().unwrap_or_default();
        let is_known = self.searched.iter().any(|known| known.source == source && known.query == words);
        if words.is_empty() || is_known || self.searched.len() >= QUERIES {
            return;
        }
        let found = if call.is_error { None } else { hits(call.raw.as_deref().unwrap_or(&call.result)) };
        self.searched.push(SearchView { source: source.to_owned(), query: words.to_owned(), found });
    }

    fn add_found(&mut self, effect: &ToolEffect) {
        if let ToolEffect::Found { documents, .. } = effect {
            self.found.extend(documents.iter().map(|document| document.document_id));
        }
    }
}

/// Returns the number of hits that a source reports, else of those that it lists.
fn hits(result: &str) -> Option<u64> {
    let answer: Value = serde_json::from_str(unfenced(result)).ok()?;
    let listed = || Some(answer.get("documents").or_else(|| answer.get("found"))?.as_array()?.len() as u64);
    answer.get("total").and_then(Value::as_u64).or_else(listed)
}

/// Returns the objective of the order that read the documents of one that read none.
fn left_to(
    order: &WorkOrder,
    search: &OrderSearch,
    read: &[(WorkOrderId, DocumentId)],
    orders: &[WorkOrder],
) -> Option<String> {
    if read.iter().any(|(reader, _)| *reader == order.id) {
        return None;
    }
    let named = order.source_guidance.iter().filter_map(|line| parts::read_documents(line)).flatten();
    let wanted: BTreeSet<DocumentId> = named.chain(search.found.iter().copied()).collect();
    let (reader, _) = read.iter().find(|(_, document)| wanted.contains(document))?;
    orders.iter().find(|other| other.id == *reader).map(|other| other.objective.clone())
}

fn cut(text: &str, chars: usize) -> String {
    text.chars().take(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_those_that_the_source_reports() {
        assert_eq!(hits(r#"{"documents":[{}],"total":7,"as_of":1,"next_offset":1}"#), Some(7));
        assert_eq!(hits(r#"{"found":[{},{}],"total":null,"next_page":null}"#), Some(2));
        assert_eq!(hits("[it is left out]"), None);
    }
}
