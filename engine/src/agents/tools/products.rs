//! Tools for the products: earlier assessments, and the one that this investigation produces.

use super::{
    ToolContext, ToolError, ToolReply,
    wire::{AssessmentProduced, AssessmentSeen, AssessmentsFound, GetAssessment, ProduceAssessment, SearchAssessments},
};
use crate::{
    agents::{gateway::Pass, machine::ToolEffect, registry::Tool},
    assessments::{self, Draft},
};
use async_trait::async_trait;
use domain::{event::Happening, work_order::WorkOrderStatus};

pub struct SearchAssessmentsTool;

#[async_trait]
impl Tool for SearchAssessmentsTool {
    type Input = SearchAssessments;
    const NAME: &'static str = "search_assessments";
    const TAINTED: bool = true;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, input: SearchAssessments) -> Result<ToolReply, ToolError> {
        let scope = &context.investigation.scope;
        let (embedder, limit) = (context.embedder(), context.items(input.limit));
        let found = assessments::find(context.engine, embedder, scope, &input.query, limit).await?;
        let assessments = found
            .into_iter()
            .map(|stored| AssessmentSeen {
                id: stored.assessment.id,
                question: stored.assessment.question,
                confidence: stored.assessment.body.overall_confidence.level.as_str().into(),
                summary: stored.assessment.body.bottom_line,
                created_at: stored.created_at.to_string(),
            })
            .collect();
        ToolReply::json(&AssessmentsFound { assessments })
    }
}

pub struct GetAssessmentTool;

#[async_trait]
impl Tool for GetAssessmentTool {
    type Input = GetAssessment;
    const NAME: &'static str = "get_assessment";
    const TAINTED: bool = true;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, input: GetAssessment) -> Result<ToolReply, ToolError> {
        let found = context.engine.assessments.assessment(&context.investigation.scope, input.assessment_id).await?;
        let missing = || ToolError::ForModel(format!("there is no assessment {}", input.assessment_id));
        ToolReply::json(&found.ok_or_else(missing)?.assessment)
    }
}

pub struct ProduceAssessmentTool;

#[async_trait]
impl Tool for ProduceAssessmentTool {
    type Input = ProduceAssessment;
    const NAME: &'static str = "produce_assessment";
    const TAINTED: bool = false;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, input: ProduceAssessment) -> Result<ToolReply, ToolError> {
        let engine = context.engine;
        let investigation = context.investigation;
        let orders = engine.work_orders.work_orders(investigation.id).await?;
        if orders.iter().any(|order| order.status == WorkOrderStatus::Staged) {
            let why = "this session has created work orders, so it cannot write the assessment too: end your turn now";
            return Err(ToolError::ForModel(why.into()));
        }
        let draft = Draft { body: input.content, claims: input.claim_refs, entities: input.entity_refs, is_partial: false };
        let produced = assessments::produce(engine, context.prompts, investigation, draft).await;
        let stored = produced.map_err(|error| match error {
            assessments::ProduceError::Refused(problems) => {
                let listed: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
                ToolError::ForModel(format!("the assessment is refused; mend this and send it again:\n{}", listed.join("\n")))
            }
            assessments::ProduceError::Store(error) => error.into(),
        })?;
        let happening = Happening::AssessmentWritten {
            assessment_id: stored.assessment.id,
            bottom_line: stored.assessment.body.bottom_line.clone(),
        };
        engine.events.append(investigation.id, engine.clock.now(), happening).await?;
        let assessment_id = stored.assessment.id;
        Ok(ToolReply::json(&AssessmentProduced { assessment_id })?.with(ToolEffect::AssessmentProduced(assessment_id)))
    }
}
