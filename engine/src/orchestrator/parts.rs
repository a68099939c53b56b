//! Parts of a divided question: created as investigations, and awaited.
//!
//! Invariant: a part's id derives from parent and question, so no part is added twice. The parent holds no lease while its parts
//! run. All share one ledger key, and so one cap.

use super::drive::PendingTransition;
use crate::{Engine, StoreError, investigations};
use domain::{
    InvestigationId, Timestamp,
    event::EventKind,
    investigation::{Investigation, InvestigationKind, Progress, Signal, Status},
    work_order::normalise_objective,
};
use sha2::{Digest, Sha256};
use uuid::{Builder, Variant, Version};

/// Builds the investigations of `questions`, with the owner and scope of the whole.
pub(super) fn new(engine: &Engine, whole: &Investigation, questions: Vec<String>) -> Vec<Investigation> {
    let now = engine.clock.now().as_micros();
    let part = |(n, question): (i64, String)| {
        let id = part_id(whole.id, &question);
        Investigation {
            id,
            question,
            kind: InvestigationKind::Intelligence,
            parent_id: Some(whole.id),
            progress: Progress::default(),
            reason: None,
            suspended_at: None,
            traceparent: investigations::traceparent(id, engine.ids.next().as_u128()),
            // Distinct times keep them in order.
            created_at: Timestamp::from_micros(now + n),
            completed_at: None,
            ..whole.clone()
        }
    };
    (0..).zip(questions).map(part).collect()
}

/// Returns the id of a part, derived from its natural key. It sorts after the parent's id, because archives write investigations
/// by id.
fn part_id(whole: InvestigationId, question: &str) -> InvestigationId {
    const TIME_BITS: u32 = 48;
    let digest = Sha256::digest(format!("{whole} {}", normalise_objective(question)));
    let drawn = digest.iter().take(16).fold(0_u128, |number, byte| (number << 8) | u128::from(*byte));
    let time = (whole.0.as_u128() >> (u128::BITS - TIME_BITS)).wrapping_add(1);
    let bits = (time << (u128::BITS - TIME_BITS)) | (drawn >> TIME_BITS);
    let id = Builder::from_u128(bits).with_version(Version::SortRand).with_variant(Variant::RFC4122);
    InvestigationId(id.into_uuid())
}

/// State of the parts of a question.
pub(super) enum PartsState {
    /// No parts: wait for work orders.
    None,
    /// Parts are running. The parent is resumed when the last has ended.
    AtWork,
    Ended(PendingTransition),
}

pub(super) async fn state(engine: &Engine, whole: &Investigation) -> Result<PartsState, StoreError> {
    // Division is the first step, and parts are not divided again.
    if whole.progress.cycle != 1 || whole.parent_id.is_some() {
        return Ok(PartsState::None);
    }
    let parts = engine.investigations.parts(whole.id).await?;
    if parts.is_empty() {
        return Ok(PartsState::None);
    }
    if parts.iter().any(|part| !part.progress.status.is_terminal()) {
        return Ok(PartsState::AtWork);
    }
    if engine.investigations.finish_requested(whole.id).await? {
        return Ok(PartsState::Ended(PendingTransition::finish_requested()));
    }
    let any_completed = parts.iter().any(|part| part.progress.status == Status::Completed);
    let reason = (!any_completed).then(|| "every part of the question failed".to_owned());
    Ok(PartsState::Ended(PendingTransition { reason, ..PendingTransition::new(Signal::PartsEnded { any_completed }) }))
}

/// Returns the event for the parent when a part changes status.
pub(super) fn event(part: &Investigation, to: Status, reason: Option<&str>) -> Option<(InvestigationId, EventKind)> {
    let whole = part.parent_id.filter(|_| part.progress.status != to)?;
    let (investigation_id, question) = (part.id, part.question.clone());
    let reason = reason.map(str::to_owned);
    Some((whole, EventKind::PartChanged { investigation_id, question, status: to, reason }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_part_has_one_id_for_every_spelling_and_sorts_after_its_question() {
        let whole = InvestigationId(Uuid::from_u128(0x0192_d3c4_0000_7fff_bfff_ffff_ffff_ffff));
        let id = part_id(whole, "Who pays?");
        assert_eq!(id, part_id(whole, " who  PAYS?"));
        assert_ne!(id, part_id(whole, "Who gains?"));
        assert_ne!(id, part_id(id, "Who pays?"));
        assert!(id > whole);
        assert_eq!(id.0.get_version_num(), 7);
    }
}
