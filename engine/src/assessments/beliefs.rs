//! Changes of belief: a new assessment compared with the earlier one of its question, or with the question that it follows.

use super::ProducedAssessment;
use crate::{Engine, StoreResult, events::record_event, graph::terms};
use domain::{
    assessment::{Assessment, BeliefChange, Comparison},
    event::EventKind,
    investigation::Investigation,
};

/// Compares two assessments of one question, the earlier one first.
pub fn compare(earlier: &Assessment, later: &Assessment) -> Comparison {
    Comparison::new(earlier, later, terms::terms)
}

/// Returns the change of belief from an earlier assessment to a later one. A follow-up in other words is compared by the hypotheses in
/// common; none where there are none.
pub fn change_between(earlier: &Assessment, later: &Assessment) -> Option<BeliefChange> {
    match is_same_question(&earlier.question, &later.question) {
        true => Some(compare(earlier, later).belief_change()),
        false => BeliefChange::of_follow_up(earlier, later, terms::terms),
    }
}

/// Records how a new assessment differs from the earlier one that it continues. Nothing is recorded for the first assessment of a
/// question, nor for one that cannot be compared with the earlier one.
pub async fn record_belief_change(
    engine: &Engine,
    investigation: &Investigation,
    ProducedAssessment { stored, earlier, .. }: &ProducedAssessment,
) -> StoreResult<()> {
    let (Some(earlier), later) = (earlier, &stored.assessment) else { return Ok(()) };
    let change = change_between(earlier, later).filter(|_| earlier.kind.is_assessment());
    let Some(change) = change else { return Ok(()) };
    let changed = EventKind::BeliefChanged { assessment_id: later.id, earlier_id: earlier.id, change };
    record_event(engine, investigation.id, changed).await
}

/// Whether two questions are the same, up to case and white space.
pub fn is_same_question(one: &str, other: &str) -> bool {
    let normalised = |question: &str| question.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    normalised(one) == normalised(other)
}
