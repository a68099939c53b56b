//! View model of a thread: questions that continue one another, with their versions.

use crate::{
    Engine, StoreResult,
    assessments::{StoredAssessment, compare},
    investigations::ThreadEntry,
};
use domain::{
    AssessmentId, DocumentId, InvestigationId, Scope,
    assessment::{ComparedAssessment, Comparison, UnmatchedCitation},
    investigation::FollowKind,
    user::User,
};
use std::collections::{BTreeSet, HashMap};
use views::{ComparedSide, ComparisonView, OneSidedCitation, ThreadLine};

impl Engine {
    /// Returns the questions of a thread, oldest first; none when the investigation stands alone.
    pub(super) async fn thread(&self, viewer: &User, scope: &Scope, id: InvestigationId) -> StoreResult<Vec<ThreadLine>> {
        let found = self.investigations.thread(id, viewer.id, scope, self.config.pages.thread_questions).await?;
        Ok(if found.len() > 1 { lines(found, id) } else { vec![] })
    }

    /// Compares two assessments that the viewer may see, the earlier one first.
    pub async fn comparison_view(
        &self,
        viewer: &User,
        one: AssessmentId,
        other: AssessmentId,
    ) -> StoreResult<Option<ComparisonView>> {
        let visible = self.visible(viewer).await?;
        let one = self.assessments.assessment(&visible.scope, one).await?;
        let other = self.assessments.assessment(&visible.scope, other).await?;
        let (Some(one), Some(other)) = (one, other) else { return Ok(None) };
        let (earlier, later) = if one.created_at <= other.created_at { (one, other) } else { (other, one) };
        let compared = compare(&earlier.assessment, &later.assessment);
        let sentence = compared.sentence();
        let Comparison { judgements, hypotheses, citations_kept, citations_added, citations_removed, .. } = compared;
        let mut open = BTreeSet::new();
        let mut is_open = true;
        for side in [&earlier, &later] {
            let closed = self.closed_documents(&visible.scope, &side.assessment).await?;
            let cited: BTreeSet<DocumentId> = side.assessment.cited().into_iter().collect();
            is_open &= closed.is_empty() && side.collections.iter().all(|collection| visible.scope.sees(*collection));
            open.extend(&cited - &closed);
        }
        let one_sided = |citation: UnmatchedCitation| OneSidedCitation {
            document_id: Some(citation.document_id).filter(|id| open.contains(id)),
            document: citation.document,
            quote: citation.quote,
        };
        Ok(Some(ComparisonView {
            sentence,
            earlier: side(&earlier, compared.earlier),
            answers: hypotheses.into_iter().map(|one| one.change).collect(),
            judgements,
            kept: citations_kept,
            added: citations_added.into_iter().map(one_sided).collect(),
            removed: citations_removed.into_iter().map(one_sided).collect(),
            is_open,
            later: side(&later, compared.later),
            question: later.assessment.question,
        }))
    }
}

fn side(stored: &StoredAssessment, compared: ComparedAssessment) -> ComparedSide {
    ComparedSide {
        id: stored.assessment.id,
        created_at: stored.created_at,
        model: compared.model,
        bottom_line: compared.bottom_line,
        confidence: compared.confidence.map(|level| level.as_str().to_owned()),
    }
}

/// Numbers the versions of each question: a question that was run again and its reruns, oldest first.
pub(super) fn lines(entries: Vec<ThreadEntry>, current: InvestigationId) -> Vec<ThreadLine> {
    let reruns: HashMap<InvestigationId, InvestigationId> = entries
        .iter()
        .filter_map(|entry| {
            entry.follows.filter(|(_, kind)| *kind == FollowKind::Rerun).map(|(follows, _)| (entry.id, follows))
        })
        .collect();
    let first = |mut id: InvestigationId| {
        // As many steps as there are reruns at most: a chain has no circle.
        for _ in 0..reruns.len() {
            match reruns.get(&id) {
                Some(earlier) => id = *earlier,
                None => break,
            }
        }
        id
    };
    let mut counts: HashMap<InvestigationId, u32> = HashMap::new();
    let versions: Vec<u32> = entries
        .iter()
        .map(|entry| {
            let count = counts.entry(first(entry.id)).or_default();
            *count += 1;
            *count
        })
        .collect();
    let line = |(entry, version): (ThreadEntry, u32)| ThreadLine {
        versions: counts.get(&first(entry.id)).copied().unwrap_or(1),
        is_current: entry.id == current,
        investigation_id: entry.id,
        question: entry.question,
        assessment: entry.assessment,
        follows: entry.follows.map(|(earlier, _)| earlier),
        status: entry.status,
        created_at: entry.created_at,
        version,
    };
    entries.into_iter().zip(versions).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Timestamp, investigation::Status};
    use uuid::Uuid;

    fn entry(number: u128, follows: Option<(u128, FollowKind)>) -> ThreadEntry {
        let id = |number: u128| InvestigationId(Uuid::from_u128(number));
        ThreadEntry {
            id: id(number),
            question: number.to_string(),
            status: Status::Completed,
            created_at: Timestamp::from_micros(number as i64),
            follows: follows.map(|(number, kind)| (id(number), kind)),
            assessment: None,
        }
    }

    #[test]
    fn reruns_are_versions_and_follow_ups_are_not() {
        let (again, next) = (FollowKind::Rerun, FollowKind::FollowUp);
        let entries = vec![
            entry(1, None),
            entry(2, Some((1, again))),
            entry(3, Some((1, next))),
            entry(4, Some((2, again))),
            entry(5, Some((3, again))),
        ];
        let numbered: Vec<_> = lines(entries, InvestigationId(Uuid::from_u128(3)))
            .into_iter()
            .map(|line| (line.question, line.version, line.versions, line.is_current))
            .collect();
        let expected = [("1", 1, 3, false), ("2", 2, 3, false), ("3", 1, 2, true), ("4", 3, 3, false), ("5", 2, 2, false)];
        assert_eq!(
            numbered,
            expected.map(|(question, version, of, is_current)| (question.to_owned(), version, of, is_current))
        );
    }
}
