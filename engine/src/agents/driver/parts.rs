//! Parts of a divided question in a session: whether it may divide, and the results of the parts.

use crate::{
    Engine, StoreError,
    agents::{
        machine::Finish,
        offer::{Decomposition, Ending},
        spec::AgentSpec,
    },
};
use domain::{
    assessment::AssessmentKind,
    investigation::{Investigation, Status},
};
use protocol::{
    fence::fence,
    refs::{RefKind, SessionRefs},
};
use std::sync::Arc;

/// Returns the decomposition state of a new session.
pub(super) async fn decomposition(
    engine: &Engine,
    spec: &AgentSpec,
    investigation: &Investigation,
    ending: Ending,
) -> Result<Decomposition, StoreError> {
    if spec.finish != Finish::Product || investigation.parent_id.is_some() {
        return Ok(Decomposition::Closed);
    }
    if investigation.progress.cycle == 0 {
        let is_offered = engine.config.decomposition.max_parts > 0 && !ending.is_final();
        return Ok(if is_offered { Decomposition::Offered } else { Decomposition::Closed });
    }
    let parts = engine.investigations.parts(investigation.id).await?;
    Ok(if parts.is_empty() { Decomposition::Closed } else { Decomposition::Done })
}

/// Builds the task with one line per part: question, outcome, and bottom line of its assessment.
pub(super) async fn with_parts(
    engine: &Engine,
    investigation: &Investigation,
    task: Arc<str>,
    refs: &SessionRefs,
) -> Result<Arc<str>, StoreError> {
    let mut lines = vec![];
    for (n, part) in (1..).zip(engine.investigations.parts(investigation.id).await?) {
        let mut line = format!("Part {n}: {}\nStatus: {}", part.question, part.progress.status.as_str());
        if let Some(reason) = part.reason.as_deref().filter(|_| part.progress.status == Status::Failed) {
            line += &format!(" ({reason})");
        }
        if let Some(stored) = engine.assessments.of_investigation(&investigation.scope, part.id).await? {
            let kind = match stored.assessment.kind {
                _ if stored.is_partial => "Partial report",
                AssessmentKind::Assessment => "Assessment",
                AssessmentKind::EvidenceBrief => "Evidence brief",
            };
            let reference = refs.give(RefKind::Assessment, stored.assessment.id);
            line += &format!("\n{kind}: {reference}\nBottom line: {}", stored.assessment.bottom_line_text());
        }
        lines.push(line);
    }
    let fenced = fence(&lines.join("\n\n"), &engine.ids.next().simple().to_string());
    Ok(format!("{task}\nParts of the question, each investigated on its own:\n{fenced}").into())
}
