//! View model of the history of a question: its versions, each compared with the one before.

use super::thread::lines;
use crate::{
    Engine, StoreResult,
    assessments::{StoredAssessment, compare},
    graph::terms,
};
use domain::{
    AssessmentId, InvestigationId,
    assessment::{Body, Change, answer_lines, brier_lines, unmarked},
    user::User,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use views::{HistoryVersion, HistoryView, ThreadLine};

/// Investigation, number and assessment of a version.
type NumberedVersion = (InvestigationId, u32, AssessmentId);

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

    /// Returns the history of the question of an investigation; none where the viewer sees no assessment of it.
    pub async fn question_history(&self, viewer: &User, id: InvestigationId) -> StoreResult<Option<HistoryView>> {
        Ok(self.question_histories(viewer, &[id]).await?.remove(&id))
    }

    /// Returns the histories of the questions of investigations, without those of which the viewer sees no assessment. They have the
    /// versions among the first `pages.thread_questions` questions of each thread.
    pub async fn question_histories(
        &self,
        viewer: &User,
        ids: &[InvestigationId],
    ) -> StoreResult<BTreeMap<InvestigationId, HistoryView>> {
        let scope = self.visible(viewer).await?.scope;
        let limit = self.config.pages.thread_questions;
        let threads = self.investigations.threads(ids, viewer.id, &scope, limit).await?;
        let numbered: Vec<_> = threads.into_iter().map(|(id, entries)| (id, versions_of(lines(entries, id)))).collect();
        let ids: BTreeSet<AssessmentId> = numbered.iter().flat_map(|(_, versions)| versions).map(|(.., id)| *id).collect();
        let stored = self.assessments.assessments(&scope, &Vec::from_iter(ids)).await?;
        let stored: HashMap<AssessmentId, StoredAssessment> =
            stored.into_iter().map(|stored| (stored.assessment.id, stored)).collect();
        let read = |(id, versions): (InvestigationId, Vec<NumberedVersion>)| {
            let read = versions.into_iter().filter_map(|(of, number, id)| Some((of, number, stored.get(&id)?.clone())));
            Some((id, history(read.collect())?))
        };
        Ok(numbered.into_iter().filter_map(read).collect())
    }
}

/// Returns the versions of the current question of a thread that have an assessment.
fn versions_of(lines: Vec<ThreadLine>) -> Vec<NumberedVersion> {
    let Some(current) = lines.iter().find(|line| line.is_current) else { return vec![] };
    let versions = lines.iter().filter(|line| line.is_version_of(current));
    versions.filter_map(|line| Some((line.investigation_id, line.version, line.assessment?))).collect()
}

/// Compares each version with the one before; none without versions.
fn history(versions: Vec<Version>) -> Option<HistoryView> {
    let (first, _, earliest) = versions.first()?;
    let (first, question) = (*first, earliest.assessment.question.clone());
    let bodies: Vec<&Body> = versions.iter().map(|(.., stored)| &stored.assessment.body).collect();
    let answers = answer_lines(&bodies, terms::terms);
    let changes = versions.iter().filter_map(|(.., stored)| stored.assessment.body.change.as_ref());
    let made_by = |change: &Change| {
        let forecaster = versions.iter().find(|(.., stored)| stored.assessment.id == change.previous_id);
        forecaster.map(|(.., stored)| stored.assessment.producer.model.as_str())
    };
    let scores = brier_lines(&changes.map(|change| (change, made_by(change))).collect::<Vec<_>>());
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
    Some(HistoryView { question, first, answers, scores, versions: compared.collect() })
}
