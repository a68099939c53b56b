//! Tool that divides a large question into parts. Each part becomes an investigation when the session ends.

use super::{GatewayToken, Tool, ToolContext, ToolError, ToolOffer, ToolReply};
use crate::{agents::machine::ToolEffect, investigations::check_question};
use async_trait::async_trait;
use domain::work_order::{WorkOrderStatus, normalise_objective};
use protocol::tools::{DecomposeQuestion, QuestionDecomposed};

pub struct DecomposeQuestionTool;

#[async_trait]
impl Tool for DecomposeQuestionTool {
    type Input = DecomposeQuestion;
    const NAME: &'static str = "decompose_question";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::All;
    const TAINTED: bool = false;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: DecomposeQuestion) -> Result<ToolReply, ToolError> {
        let orders = context.engine.work_orders.work_orders(context.investigation.id).await?;
        if orders.iter().any(|order| order.status == WorkOrderStatus::Staged) {
            let why = "this session has created work orders, so it cannot divide the question too: end your turn now";
            return Err(ToolError::ForModel(why.into()));
        }
        let questions = checked(context, &input).map_err(|problems| {
            ToolError::ForModel(format!("the parts are refused; mend this and send them again:\n{}", problems.join("\n")))
        })?;
        let reply = ToolReply::json(&QuestionDecomposed { parts: questions.len() })?;
        Ok(reply.with(ToolEffect::Decomposed { questions }))
    }
}

/// Validates the questions, or returns every problem.
fn checked(context: &ToolContext<'_>, input: &DecomposeQuestion) -> Result<Vec<String>, Vec<String>> {
    let (mut questions, mut problems): (Vec<String>, Vec<String>) = (vec![], vec![]);
    let (given, max) = (input.parts.len(), context.engine.config.decomposition.max_parts as usize);
    if !(2..=max).contains(&given) {
        problems.push(format!("- parts: there are {given}, from 2 to {max} are allowed"));
    }
    let whole = normalise_objective(&context.investigation.question);
    for (n, part) in input.parts.iter().enumerate() {
        let question = match check_question(context.engine, &part.question) {
            Ok(question) => question,
            Err(error) => {
                problems.push(format!("- parts[{n}].question: {error}"));
                continue;
            }
        };
        let key = normalise_objective(&question);
        if key == whole {
            problems.push(format!("- parts[{n}].question: it is the whole question, not a part of it"));
        } else if questions.iter().any(|earlier| normalise_objective(earlier) == key) {
            problems.push(format!("- parts[{n}].question: it is asked twice"));
        }
        questions.push(question);
    }
    if problems.is_empty() { Ok(questions) } else { Err(problems) }
}
