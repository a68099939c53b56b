//! Partial report of a failed investigation: contents of the graph, without a model or judgement.

use crate::{
    Engine, StoreError,
    agents::Agents,
    assessments::{self, AssessmentDraft, FindingsPolicy, ProduceError},
    events::record_event,
    graph::{ClaimQuery, search},
};
use domain::{
    ConfidenceLevel,
    assessment::{AnalyticConfidence, AssessmentKind, Body, Gap, Hypothesis, escape_markdown},
    event::EventKind,
    investigation::Investigation,
    work_order::{WorkOrder, WorkOrderStatus},
};
use protocol::tools::ClaimRef;

/// Maximum number of quotes.
const QUOTES: usize = 20;

/// Writes the report and records an event. Idempotent.
pub(super) async fn write(
    engine: &Engine,
    agents: &Agents,
    investigation: &Investigation,
    reason: Option<&str>,
) -> Result<(), StoreError> {
    let query = ClaimQuery { text: Some(engine.search.query.text(&investigation.prompt)), ..ClaimQuery::default() };
    let query = query.within(&investigation.terms.period);
    let found = search::search_claims(&*engine.graph, None, &engine.search, &investigation.scope, query, QUOTES).await;
    let claims = match found {
        // The end must not depend on a search that cannot succeed.
        Err(error @ (StoreError::Defect(_) | StoreError::Invalid(_))) => {
            tracing::error!(%error, "search for the partial report failed, writing without quotes");
            vec![]
        }
        found => found?,
    };
    let orders = engine.work_orders.work_orders(investigation.id).await?;
    let quotes: Vec<&str> = claims.iter().map(|hit| hit.item.quote.as_str()).collect();
    let reason = reason.unwrap_or("it could not go on");
    let claims = (1..).zip(&claims).map(|(marker, hit)| ClaimRef { marker, claim_id: hit.item.id }).collect();
    let review = FindingsPolicy::Partial;
    let kind = AssessmentKind::Assessment;
    let quoting =
        AssessmentDraft { kind, body: body(investigation, reason, &quotes, &orders), claims, entities: vec![], review };
    let plain =
        AssessmentDraft { kind, body: body(investigation, reason, &[], &orders), claims: vec![], entities: vec![], review };
    // The end must not depend on the report: with refused quotes it is written without quotes.
    let mut written = assessments::produce(engine, &agents.prompts, investigation, quoting).await;
    if let Err(ProduceError::Refused { problems, .. }) = &written {
        tracing::error!(?problems, "partial report quotes refused, writing without quotes");
        written = assessments::produce(engine, &agents.prompts, investigation, plain).await;
    }
    let stored = match written {
        Ok(stored) => stored,
        Err(ProduceError::Store(error)) => return Err(error),
        Err(ProduceError::Refused { problems, .. }) => {
            tracing::error!(?problems, "partial report refused");
            return Ok(());
        }
    };
    let event =
        EventKind::AssessmentWritten { assessment_id: stored.assessment.id, bottom_line: stored.assessment.body.bottom_line };
    record_event(engine, investigation.id, event).await
}

fn body(investigation: &Investigation, reason: &str, quotes: &[&str], orders: &[WorkOrder]) -> Body {
    let failed = orders.iter().filter(|order| order.status == WorkOrderStatus::Failed);
    let mut gaps = vec![Gap {
        text: "The question was not assessed.".into(),
        impact: Some(format!("The investigation failed: {reason}.")),
        how_to_close: Some("Ask the question again once the cause is mended; what was collected is kept.".into()),
    }];
    gaps.extend(failed.map(|order| Gap {
        text: format!("Not collected: {}", order.objective),
        impact: order.failure.clone().or_else(|| Some("The work order was not carried out.".into())),
        how_to_close: Some("Order it again.".into()),
    }));
    let found = match quotes.len() {
        0 => "Nothing that bears on the question was collected.".to_owned(),
        n => format!("{n} quotes that bear on the question were collected and are listed without judgement."),
    };
    let listed = (1..).zip(quotes).map(|(n, quote)| format!("- “{}” [{n}]", escape_markdown(quote)));
    Body {
        title: format!("Partial report: {}", investigation.prompt.chars().take(120).collect::<String>()),
        bottom_line: format!("We do not know: the investigation failed before an assessment was written. {found}"),
        questions: vec![],
        key_judgements: vec![],
        analysis: listed.collect::<Vec<_>>().join("\n"),
        hypotheses: vec![Hypothesis {
            id: "H1".into(),
            question: None,
            is_none: true,
            statement: "None of the possible answers was assessed.".into(),
            probability: Some(1.0),
            reasoning: "This report was written without analysis.".into(),
            supporting: vec![],
            against: vec![],
            weaknesses: "It separates no explanations.".into(),
        }],
        evidence_matrix: vec![],
        assumptions: vec![],
        indicators: vec![],
        gaps,
        causes: vec![],
        impacts: vec![],
        contradictions: vec![],
        outlets: vec![],
        change: None,
        overall_confidence: Some(AnalyticConfidence {
            level: ConfidenceLevel::Low,
            basis: format!("Partial report: {reason}."),
        }),
    }
}
