//! Analyst tool for work orders.

use super::{GatewayToken, Tool, ToolContext, ToolError, ToolReply};
use crate::{
    Engine,
    agents::{machine::ToolEffect, parts},
    fetch::{is_named, order_addresses},
    library::question_key,
};
use async_trait::async_trait;
use domain::{
    EntityId, WorkOrderId,
    work_order::{WorkOrder, WorkOrderStatus},
};
use protocol::{
    refs::RefKind,
    tools::{CreateWorkOrder, WorkOrderCreated},
};
use std::collections::BTreeSet;

pub struct CreateWorkOrderTool;

#[async_trait]
impl Tool for CreateWorkOrderTool {
    type Input = CreateWorkOrder;
    const NAME: &'static str = "create_work_order";
    const TAINTED: bool = false;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: CreateWorkOrder) -> Result<ToolReply, ToolError> {
        let engine = context.engine;
        if input.objective.trim().is_empty() {
            return Err(ToolError::Malformed("objective is empty: say what to find and where to look".into()));
        }
        let investigation = context.investigation;
        let known = engine.graph.entities(&investigation.scope, &input.referenced_entities).await?;
        // A merged id resolves to its survivor, which has another id.
        if known.len() < input.referenced_entities.len() {
            let known: Vec<EntityId> = known.iter().map(|entity| entity.id).collect();
            let unknown = input.referenced_entities.iter().find(|id| !known.contains(id));
            let unknown = unknown.map(ToString::to_string).unwrap_or_default();
            return Err(ToolError::ForModel(format!("there is no entity {unknown}: leave it out, or search for it by name")));
        }
        let id_of = |reference: &str| context.refs.id_of(RefKind::Document, reference);
        let guidance = input.source_guidance.iter().map(|guidance| parts::with_document_ids(guidance, id_of));
        let source_guidance = guidance.collect::<Result<Vec<_>, _>>().map_err(|unknown| {
            ToolError::ForModel(format!("there is no document {unknown}: name those that a tool has shown in this session"))
        })?;
        let input = CreateWorkOrder { source_guidance, ..input };
        refuse_read_documents(engine, &investigation.question, &input.source_guidance).await?;
        let cycle = investigation.progress.cycle + 1;
        let orders = engine.work_orders.work_orders(investigation.id).await?;
        let in_cycle = orders.iter().filter(|order| order.cycle == cycle).count();
        let limit = engine.config.at(investigation.terms.depth).max_work_orders_per_cycle;
        if in_cycle >= limit as usize {
            return Err(ToolError::ForModel(format!("this cycle has its {limit} work orders: end your turn now")));
        }
        let overlaps_with = overlapping(&input, orders.iter().filter(|order| order.cycle == cycle));
        let order = WorkOrder {
            id: WorkOrderId(engine.ids.next()),
            investigation_id: investigation.id,
            cycle,
            objective: input.objective.trim().to_owned(),
            referenced_entities: input.referenced_entities,
            source_guidance: input.source_guidance,
            priority: input.priority,
            status: WorkOrderStatus::Staged,
            attempt: 0,
            returned: 0,
            failure: None,
            traceparent: investigation.traceparent.clone(),
            created_at: engine.clock.now(),
            completed_at: None,
        };
        for address in order_addresses(&order).collect::<Vec<_>>() {
            if !is_named(engine, investigation, address).await? {
                return Err(ToolError::Beyond(unnamed(address)));
            }
        }
        let (work_order_id, is_new) = engine.work_orders.stage(context.session_id, &order).await?;
        let (effect, next) = match input.is_last {
            true => (ToolEffect::LastOrderStaged, "The session ends."),
            false => (ToolEffect::OrderStaged, "Order what else is needed, or end your turn."),
        };
        let created = WorkOrderCreated { work_order_id, is_new, overlaps_with, next: next.into() };
        Ok(ToolReply::json(&created)?.with(effect))
    }
}

/// Returns why an address may not be ordered.
fn unnamed(address: &str) -> String {
    format!(
        "'{address}' may not be ordered: an order may name only addresses, as they stand there, that the question, the person who \
         asked it or a source of this investigation names. Order what to look for instead."
    )
}

/// Returns the objective of a work order that reads some of the same library documents.
fn overlapping<'a>(input: &CreateWorkOrder, mut orders: impl Iterator<Item = &'a WorkOrder>) -> Option<String> {
    let ours: Vec<_> = input.source_guidance.iter().filter_map(|guidance| parts::parse_guidance(guidance)).collect();
    let overlaps = |order: &&WorkOrder| {
        let mut theirs = order.source_guidance.iter().filter_map(|guidance| parts::parse_guidance(guidance));
        order.objective != input.objective.trim() && theirs.any(|their| ours.iter().any(|our| parts::overlap(our, &their)))
    };
    orders.find(overlaps).map(|order| order.objective.clone())
}

/// Refuses a guidance line whose documents have all been read: the order would bring nothing.
async fn refuse_read_documents(engine: &Engine, question: &str, guidance: &[String]) -> Result<(), ToolError> {
    let question = question_key(question);
    for documents in guidance.iter().filter_map(|line| parts::read_documents(line)) {
        if engine.documents.extracted_for(&documents, Some(&question)).await?.len()
            == documents.iter().collect::<BTreeSet<_>>().len()
        {
            return Err(ToolError::ForModel(
                "these documents have been read: find their claims with `search_claims` and `document_ids`".into(),
            ));
        }
    }
    Ok(())
}
