//! Hybrid search of assessments: full text and vectors, combined by rank fusion.

use super::StoredAssessment;
use crate::{
    Engine, StoreResult,
    embeddings::{Embedder, query_vector},
};
use domain::{AssessmentId, QueryText, Scope};
use std::collections::HashMap;

/// Constant of reciprocal rank fusion: a rank counts 1 / (constant + rank) (Cormack, Clarke and Büttcher, 2009).
const FUSION: f64 = 60.0;

/// Returns at most `limit` assessments, best first. Without an embedder, or when it fails, by words alone.
pub async fn find(
    engine: &Engine,
    embedder: Option<&dyn Embedder>,
    scope: &Scope,
    text: &QueryText,
    limit: u32,
) -> StoreResult<Vec<StoredAssessment>> {
    let worded = not_recorded(engine.assessments.search(scope, text, limit).await?);
    let Some((model, vector)) = query_vector(embedder, text).await else { return Ok(worded) };
    let near = engine.assessments.near(scope, &model, &vector, limit).await?;
    let near = not_recorded(near.into_iter().map(|near| near.stored).collect());
    let mut found = fuse(worded, near);
    found.truncate(limit as usize);
    Ok(found)
}

/// Removes recorded sample assessments: later answers need not explain differences to them.
pub(super) fn not_recorded(mut found: Vec<StoredAssessment>) -> Vec<StoredAssessment> {
    found.retain(|stored| !stored.assessment.producer.is_recorded());
    found
}

/// Fuses both rankings; ties are ordered newest first.
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
