//! Stand-in for a language model: turns the built-in provider's briefs into assessments with fixed judgements.
//!
//! For tests of everything around the model. The likelihoods are invented, and say so.

use domain::{
    ConfidenceLevel,
    assessment::{AnalyticConfidence, Assumption, Body, Direction, Hypothesis, Indicator, Judgement, Resolution},
    likelihood::{Likelihood, LikelihoodTerm},
};
use protocol::{
    model::{Message, Model, ModelError, ModelReply, ModelRequest, StopReason, ToolRequest, Usage},
    tools::{ProduceAssessment, ProduceEvidenceBrief, SearchAssessments},
};

const BRIEF: &str = "produce_evidence_brief";
const ASSESSMENT: &str = "produce_assessment";
const MADE_UP: &str = "A stand-in for a model made this up.";

/// Tool of an Analyst that is not yet offered `produce_assessment`.
const ORDER: &str = "create_work_order";

/// Returns the reply of `model`, turned into an assessment if the request is one of an Analyst who writes them.
pub async fn reply(model: &dyn Model, request: &ModelRequest) -> Result<ModelReply, ModelError> {
    let is_offered = |name: &str| request.tools.iter().any(|tool| tool.name == name);
    if is_offered(BRIEF) || !(is_offered(ASSESSMENT) || is_offered(ORDER)) {
        return model.call(request).await;
    }
    let sent: Vec<&ToolRequest> =
        request.messages.iter().filter_map(calls).flatten().filter(|call| call.name == ASSESSMENT).collect();
    let round = request.messages.len();
    match sent.as_slice() {
        [] => {
            let mut reply = model.call(request).await?;
            reply.tool_calls.iter_mut().for_each(judge);
            if reply.tool_calls.first().is_some_and(|call| call.name == "get_investigation_history") {
                reply.tool_calls.push(earlier(request, reply.tool_calls.len()));
            }
            Ok(reply)
        }
        // Review findings do not change the answer.
        [first] => Ok(ModelReply {
            text: "".into(),
            tool_calls: vec![ToolRequest { id: format!("again-{round}"), ..(*first).clone() }],
            stop: StopReason::ToolUse,
            usage: Usage::default(),
            thinking: vec![],
        }),
        _ => Ok(ModelReply {
            text: "The assessment was sent twice.".into(),
            tool_calls: vec![],
            stop: StopReason::EndTurn,
            usage: Usage::default(),
            thinking: vec![],
        }),
    }
}

/// Returns a search for earlier assessments, as a model would make it.
fn earlier(request: &ModelRequest, number: usize) -> ToolRequest {
    let question = request.messages.first().and_then(|message| match message {
        Message::User { text } => text.lines().find_map(|line| line.strip_prefix("Question: ")),
        _ => None,
    });
    let search = SearchAssessments { query: question.unwrap_or("everything").chars().take(500).collect(), limit: Some(10) };
    ToolRequest {
        id: format!("call-{}-{number}", request.messages.len() / 2),
        name: "search_assessments".into(),
        arguments: serde_json::to_value(search).unwrap_or_default(),
    }
}

fn calls(message: &Message) -> Option<&Vec<ToolRequest>> {
    match message {
        Message::Assistant { tool_calls, .. } => Some(tool_calls),
        _ => None,
    }
}

/// Turns a brief into an assessment.
fn judge(call: &mut ToolRequest) {
    if call.name != BRIEF {
        return;
    }
    let Ok(brief) = serde_json::from_value::<ProduceEvidenceBrief<String, String>>(call.arguments.clone()) else { return };
    let markers: Vec<_> = brief.claim_refs.iter().map(|claim| claim.marker).collect();
    let mut content = Body::from(brief.content);
    let grounded = |level| Some(AnalyticConfidence { level, basis: MADE_UP.into() });
    for judgement in &mut content.key_judgements {
        *judgement = Judgement {
            likelihood: Some(Likelihood { term: LikelihoodTerm::Likely, point: 0.7 }),
            confidence: grounded(ConfidenceLevel::Low),
            hypotheses: vec!["H1".into()],
            ..judgement.clone()
        };
    }
    let hypothesis = |id: &str, statement: &str, probability, supporting| Hypothesis {
        id: id.into(),
        statement: statement.into(),
        probability: Some(probability),
        reasoning: MADE_UP.into(),
        supporting,
        weaknesses: MADE_UP.into(),
        ..Hypothesis::default()
    };
    content.hypotheses = vec![
        hypothesis("H1", "It is as the quotations say.", 0.6, markers.clone()),
        hypothesis("H2", "It is otherwise.", 0.3, vec![]),
        Hypothesis { is_none: true, ..hypothesis("H3", "None of these.", 0.1, vec![]) },
    ];
    content.assumptions = vec![Assumption { text: MADE_UP.into(), if_wrong: MADE_UP.into() }];
    content.analysis = markers.iter().map(|marker| format!("A quotation [{marker}].\n")).collect();
    content.overall_confidence = grounded(ConfidenceLevel::Low);
    content.contradictions.clear();
    content.indicators = vec![Indicator {
        id: "I1".into(),
        text: MADE_UP.into(),
        hypotheses: vec!["H1".into()],
        direction: Some(Direction::Supports),
        resolution: Resolution {
            question: Some(MADE_UP.into()),
            criteria: Some(MADE_UP.into()),
            by: Some("2032-12-31".into()),
            ..Resolution::default()
        },
        ..Indicator::default()
    }];
    content.gaps.clear();
    content.impacts.clear();
    let assessment = ProduceAssessment { content, claim_refs: brief.claim_refs, entity_refs: brief.entity_refs };
    call.name = ASSESSMENT.into();
    call.arguments = serde_json::to_value(assessment).unwrap_or_default();
}
