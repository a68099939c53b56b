//! Finds assessments by words and by likeness; what both find comes first.

use super::StoredAssessment;
use crate::{Engine, StoreResult, embeddings::Embedder};
use domain::{AssessmentId, Scope};
use std::collections::HashMap;

/// Each place in a list counts 1 / (this + place): the usual constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009).
const FUSION: f64 = 60.0;

/// At most `limit`, the best first. Without an embedder, or when it fails, by words alone.
pub async fn find(
    engine: &Engine,
    embedder: Option<&dyn Embedder>,
    scope: &Scope,
    text: &str,
    limit: u32,
) -> StoreResult<Vec<StoredAssessment>> {
    let worded = not_recorded(engine.assessments.search(scope, text, limit).await?);
    let Some((model, vector)) = vector(embedder, text).await else { return Ok(worded) };
    let near = not_recorded(engine.assessments.near(scope, model, &vector, limit).await?);
    let mut found = fuse(worded, near);
    found.truncate(limit as usize);
    Ok(found)
}

/// Without recorded ones: they show what a model makes of the sample, and no later answer has to explain why it differs.
pub(super) fn not_recorded(mut found: Vec<StoredAssessment>) -> Vec<StoredAssessment> {
    found.retain(|stored| !stored.assessment.producer.is_recorded());
    found
}

async fn vector<'a>(embedder: Option<&'a dyn Embedder>, text: &str) -> Option<(&'a str, Vec<f32>)> {
    let embedder = embedder?;
    match embedder.embed(&[text.to_owned()]).await {
        Ok(mut vectors) => Some((embedder.model(), vectors.pop()?)),
        Err(error) => {
            tracing::warn!(%error, "assessments are searched without vectors");
            None
        }
    }
}

/// One list of two; among equals the newest first.
fn fuse(worded: Vec<StoredAssessment>, near: Vec<StoredAssessment>) -> Vec<StoredAssessment> {
    let mut found: HashMap<AssessmentId, (f64, StoredAssessment)> = HashMap::new();
    for list in [worded, near] {
        for (place, stored) in (1_u32..).zip(list) {
            let share = 1.0 / (FUSION + f64::from(place));
            found.entry(stored.assessment.id).and_modify(|(score, _)| *score += share).or_insert((share, stored));
        }
    }
    let mut found: Vec<_> = found.into_values().collect();
    found.sort_by(|(a, one), (b, other)| {
        let newest = || (other.created_at, other.assessment.id).cmp(&(one.created_at, one.assessment.id));
        b.total_cmp(a).then_with(newest)
    });
    found.into_iter().map(|(_, stored)| stored).collect()
}
