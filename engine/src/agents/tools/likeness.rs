//! Similarity of claims to a text, for the built-in provider. Vectors are computed on demand, so that timing cannot change an
//! answer.

use super::{GatewayToken, Tool, ToolContext, ToolError, ToolOffer, ToolReply};
use crate::{embeddings::cosine, investigations::period};
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
        // The last digits depend on the number of threads.
        let rounded = |vector: &[f32]| (cosine(text, vector) * 100.0).round() / 100.0;
        let measured: BTreeMap<ClaimId, f64> =
            claims.iter().zip(vectors).map(|(claim, vector)| (claim.id, rounded(vector))).collect();
        let likeness = input.claim_ids.iter().map(|id| measured.get(id).copied()).collect();
        ToolReply::json(&Likeness { likeness })
    }
}
