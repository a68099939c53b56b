//! Question that another one continues, for the opening of its sessions and the checks of its assessment.

use crate::{Engine, StoreResult, assessments::StoredAssessment};
use domain::{InvestigationId, investigation::Investigation};

/// Question that another one continues, with the latest assessment before it.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowedQuestion {
    pub question: String,
    /// Assessment of the nearest earlier question of the thread that has a complete one; none within a period, because such an
    /// assessment rests on documents of any time.
    pub assessment: Option<StoredAssessment>,
}

/// Returns the question that an investigation continues; none where it stands alone.
pub async fn followed_question(engine: &Engine, investigation: &Investigation) -> StoreResult<Option<FollowedQuestion>> {
    let scope = &investigation.scope;
    let thread = engine.investigations.thread(investigation.id, investigation.owner, scope, u32::MAX).await?;
    let entry = |id: InvestigationId| thread.iter().find(|entry| entry.id == id);
    let before = |id: InvestigationId| entry(id)?.follows.and_then(|(earlier, _)| entry(earlier));
    let Some(first) = before(investigation.id) else { return Ok(None) };
    let mut followed = FollowedQuestion { question: first.question.clone(), assessment: None };
    let mut next = Some(first).filter(|_| investigation.terms.period.is_open());
    // As many steps as the thread has questions at most: a chain has no circle.
    for _ in 0..thread.len() {
        let Some(earlier) = next else { break };
        if let Some(id) = earlier.assessment {
            let stored = engine.assessments.assessment(scope, id).await?;
            followed.assessment = stored.filter(|stored| stored.assessment.kind.is_assessment() && !stored.is_partial);
        }
        next = if followed.assessment.is_some() { None } else { before(earlier.id) };
    }
    Ok(Some(followed))
}
