//! Changes of belief: a new assessment compared with the earlier one of its question.

use super::StoredAssessment;
use crate::{Engine, StoreResult, events::record_event, graph::terms};
use domain::{
    assessment::{Assessment, Comparison},
    event::EventKind,
    investigation::Investigation,
};

/// Compares two assessments of one question, the earlier one first.
pub fn compare(earlier: &Assessment, later: &Assessment) -> Comparison {
    Comparison::new(earlier, later, terms::terms)
}

/// Records how a new assessment differs from the earlier one that it continues. Nothing is recorded for the first assessment of a
/// question, nor for one whose earlier assessment answers another question.
pub async fn record_belief_change(engine: &Engine, investigation: &Investigation, new: &StoredAssessment) -> StoreResult<()> {
    let later = &new.assessment;
    let continued = later.checks.as_ref().and_then(|checks| checks.earlier);
    let named = later.body.change.as_ref().map(|change| change.previous_id);
    let Some(earlier_id) = continued.or(named) else { return Ok(()) };
    let Some(earlier) = engine.assessments.assessment(&investigation.scope, earlier_id).await? else { return Ok(()) };
    if !earlier.assessment.kind.is_assessment() || !is_same_question(&earlier.assessment.question, &later.question) {
        return Ok(());
    }
    let change = compare(&earlier.assessment, later).belief_change();
    record_event(engine, investigation.id, EventKind::BeliefChanged { assessment_id: later.id, earlier_id, change }).await
}

/// Whether two questions are the same, up to case and white space.
pub(super) fn is_same_question(one: &str, other: &str) -> bool {
    let normalised = |question: &str| question.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    normalised(one) == normalised(other)
}
