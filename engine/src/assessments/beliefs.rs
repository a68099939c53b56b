//! Changes of belief: a new assessment compared with the earlier one of its question.

use super::ProducedAssessment;
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
pub async fn record_belief_change(
    engine: &Engine,
    investigation: &Investigation,
    ProducedAssessment { stored, earlier, .. }: &ProducedAssessment,
) -> StoreResult<()> {
    let (Some(earlier), later) = (earlier, &stored.assessment) else { return Ok(()) };
    if !earlier.kind.is_assessment() || !is_same_question(&earlier.question, &later.question) {
        return Ok(());
    }
    let change = compare(earlier, later).belief_change();
    let changed = EventKind::BeliefChanged { assessment_id: later.id, earlier_id: earlier.id, change };
    record_event(engine, investigation.id, changed).await
}

/// Whether two questions are the same, up to case and white space.
pub(super) fn is_same_question(one: &str, other: &str) -> bool {
    let normalised = |question: &str| question.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    normalised(one) == normalised(other)
}
