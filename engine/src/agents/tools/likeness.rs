//! Similarity of claims to a text, for the built-in provider. Vectors are computed on demand, so that timing cannot change an
//! answer.

use crate::{
    agents::{
        context::{ToolContext, ToolError, ToolReply},
        gateway::token::GatewayToken,
        offer::ToolOffer,
        registry::Tool,
    },
    investigations::period,
};
use async_trait::async_trait;
use domain::{ClaimId, assessment::AssessmentKind};
use protocol::tools::{Likeness, MeasureLikeness};
use std::collections::BTreeMap;

pub struct MeasureLikenessTool;

#[async_trait]
impl Tool for MeasureLikenessTool {
    type Input = MeasureLikeness;
    const NAME: &'static str = "measure_likeness";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const PRODUCT: Option<AssessmentKind> = Some(AssessmentKind::EvidenceBrief);
    const TAINTED: bool = false;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: MeasureLikeness) -> Result<ToolReply, ToolError> {
        let limit = context.items(None) as usize;
        if input.claim_ids.len() > limit {
            return Err(ToolError::ForModel(format!("name at most {limit} claims")));
        }
        let Some(embedder) = &context.engine.embedder else {
            return Err(ToolError::ForModel("there is no embedder: go on without likeness".into()));
        };
        let claims = period::claims(context.engine, context.investigation, &input.claim_ids).await?;
        let texts: Vec<String> = std::iter::once(input.text).chain(claims.iter().map(|claim| claim.quote.clone())).collect();
        let vectors = match embedder.embed(&texts).await {
            Ok(vectors) => vectors,
            Err(problem) => return Err(ToolError::ForModel(problem.to_string())),
        };
        let Some((text, vectors)) = vectors.split_first() else {
            return Err(ToolError::ForModel("the embedder gave nothing: go on without likeness".into()));
        };
        let measured: BTreeMap<ClaimId, f64> =
            claims.iter().zip(vectors).map(|(claim, vector)| (claim.id, cosine(text, vector))).collect();
        let likeness = input.claim_ids.iter().map(|id| measured.get(id).copied()).collect();
        ToolReply::json(&Likeness { likeness })
    }
}

/// Returns the cosine of two unit vectors, rounded because the last digits depend on the number of threads.
fn cosine(one: &[f32], other: &[f32]) -> f64 {
    let product: f64 = one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
    (product * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::cosine;

    #[test]
    fn a_text_is_like_itself_and_unlike_another() {
        assert_eq!((cosine(&[0.6, 0.8], &[0.6, 0.8]), cosine(&[1.0, 0.0], &[0.0, 1.0])), (1.0, 0.0));
    }
}
