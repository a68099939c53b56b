//! View model of the history of a question: its versions, each compared with the one before.

use crate::{
    Engine, StoreResult,
    assessments::{StoredAssessment, compare},
    graph::terms,
};
use domain::{
    AssessmentId, InvestigationId,
    assessment::{Body, answer_lines, unmarked},
    user::User,
};
use std::collections::HashMap;
use views::{HistoryVersion, HistoryView};

/// Version of a question: its investigation, its number, and its assessment.
type Version = (InvestigationId, u32, StoredAssessment);

impl Engine {
    /// Returns the history of the question of an assessment that the viewer may see.
    pub async fn history_view(&self, viewer: &User, id: AssessmentId) -> StoreResult<Option<HistoryView>> {
        let scope = self.visible(viewer).await?.scope;
        let Some(stored) = self.assessments.assessment(&scope, id).await? else { return Ok(None) };
        let investigation = stored.assessment.investigation_id;
        let found = self.question_history(viewer, investigation).await?;
        Ok(found.or_else(|| history(vec![(investigation, 1, stored)])))
    }

    /// Returns the history of the question of an investigation; none where the viewer sees no assessment of it. It reads the versions
    /// among the first `pages.thread_questions` questions of the thread.
    pub async fn question_history(&self, viewer: &User, id: InvestigationId) -> StoreResult<Option<HistoryView>> {
        let scope = self.visible(viewer).await?.scope;
        let lines = self.thread_lines(viewer, &scope, id).await?;
        let Some(current) = lines.iter().find(|line| line.is_current) else { return Ok(None) };
        let versions = lines.iter().filter(|line| line.is_version_of(current));
        let versions: Vec<_> =
            versions.filter_map(|line| Some((line.investigation_id, line.version, line.assessment?))).collect();
        let ids: Vec<AssessmentId> = versions.iter().map(|(.., id)| *id).collect();
        let stored = self.assessments.assessments(&scope, &ids).await?;
        let mut stored: HashMap<AssessmentId, StoredAssessment> =
            stored.into_iter().map(|stored| (stored.assessment.id, stored)).collect();
        let versions =
            versions.into_iter().filter_map(|(investigation, number, id)| Some((investigation, number, stored.remove(&id)?)));
        Ok(history(versions.collect()))
    }
}

/// Compares each version with the one before; none without versions.
fn history(versions: Vec<Version>) -> Option<HistoryView> {
    let (first, _, earliest) = versions.first()?;
    let (first, question) = (*first, earliest.assessment.question.clone());
    let bodies: Vec<&Body> = versions.iter().map(|(.., stored)| &stored.assessment.body).collect();
    let answers = answer_lines(&bodies, terms::terms);
    let before = std::iter::once(None).chain(versions.iter().map(|(.., stored)| Some(&stored.assessment)));
    let compared = versions.iter().zip(before).map(|((_, number, stored), before)| {
        let assessment = &stored.assessment;
        HistoryVersion {
            id: assessment.id,
            number: *number,
            created_at: stored.created_at,
            model: assessment.producer.model.clone(),
            account: assessment.body.change.as_ref().map(|change| unmarked(&change.summary)),
            change: before.map(|before| compare(before, assessment)),
        }
    });
    Some(HistoryView { question, first, answers, versions: compared.collect() })
}
