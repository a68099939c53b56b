//! The first page, and what the page for a new investigation says about the library.

use super::Reach;
use crate::{
    Engine, StoreResult,
    assessments::{AssessmentQuery, StoredAssessment},
    investigations::InvestigationFilter,
    library::DocumentQuery,
};
use domain::{
    DocumentId, InvestigationId, Scope,
    investigation::{Investigation, ProgressSummary, Status},
    pages::{AssessmentCard, Dashboard, InvestigationCard, LibraryCounts, NewInvestigationView, RejectedPage},
    user::User,
};
use std::collections::{BTreeMap, BTreeSet};

impl Engine {
    /// Page `page` (from 1) of the assessments that hold the words of `query`, and the investigations that have none.
    pub async fn dashboard(&self, viewer: &User, query: &str, page: u64) -> StoreResult<Dashboard> {
        let reach = self.reach(viewer).await?;
        let limit = self.config.pages.dashboard_assessments;
        let (page, per_page) = (page.max(1), u64::from(limit));
        let text = Some(query.trim().to_owned()).filter(|text| !text.is_empty());
        let wanted = AssessmentQuery { text: text.clone(), offset: (page - 1).saturating_mul(per_page), limit };
        let found = self.assessments.latest(&reach.scope, &wanted).await?;
        let cited: BTreeSet<DocumentId> = found.assessments.iter().flat_map(|one| one.assessment.cited()).collect();
        let findings = self.captures.findings(&reach.scope, &Vec::from_iter(cited)).await?;
        let changed: BTreeSet<DocumentId> = findings.into_iter().map(|finding| finding.document_id).collect();
        let assessments = found.assessments.into_iter().map(|one| card(&reach, one, &changed)).collect();
        let open = [Status::Pending, Status::AnalystRunning, Status::Processing, Status::Suspended];
        let running = self.with_progress(&reach, self.newest(viewer, &reach, &open).await?).await?;
        let failed = self.newest(viewer, &reach, &[Status::Failed]).await?.into_iter();
        let failed = failed.map(|investigation| investigation_card(&reach, investigation, None)).collect();
        Ok(Dashboard {
            assessments,
            total: found.total,
            page,
            per_page,
            query: text.unwrap_or_default(),
            running,
            failed,
            has_sample: reach.sample.is_some(),
            library: self.counts(&reach.scope).await?,
            now: self.clock.now(),
        })
    }

    /// Cards of investigations with how far they have come.
    async fn with_progress(&self, reach: &Reach, investigations: Vec<Investigation>) -> StoreResult<Vec<InvestigationCard>> {
        let ids: Vec<_> = investigations.iter().map(|investigation| investigation.id).collect();
        let summaries = if ids.is_empty() { BTreeMap::new() } else { self.investigations.progress_summaries(&ids).await? };
        let cards = investigations.into_iter().map(|investigation| {
            let progress = summaries.get(&investigation.id).copied().unwrap_or_default();
            investigation_card(reach, investigation, Some(progress))
        });
        Ok(cards.collect())
    }

    /// How much a question of `viewer` can draw on: what they may read, the sample aside. And page `page` of what could not be read
    /// of the files of `unread`, a question that came to nothing.
    pub async fn new_investigation_view(
        &self,
        viewer: &User,
        unread: Option<InvestigationId>,
        page: u64,
    ) -> StoreResult<NewInvestigationView> {
        let reach = self.reach(viewer).await?;
        let own = reach.scope.collections().iter().copied().filter(|collection| !reach.is_sample(*collection)).collect();
        let rejected = match unread {
            Some(id) => self.rejected_page(&reach.scope, Some(id), page).await?,
            None => RejectedPage::default(),
        };
        Ok(NewInvestigationView { library: self.counts(&Scope::new(own)).await?, rejected })
    }

    async fn counts(&self, scope: &Scope) -> StoreResult<LibraryCounts> {
        let (claims, entities, relationships) = self.graph.counts(scope).await?;
        let documents = self.documents.list(scope, &DocumentQuery::default()).await?.total;
        Ok(LibraryCounts { documents, claims, entities, relationships })
    }

    /// The newest that nothing was written on yet.
    async fn newest(&self, viewer: &User, reach: &Reach, statuses: &[Status]) -> StoreResult<Vec<Investigation>> {
        let filter = InvestigationFilter {
            owner: Some(viewer.id),
            scope: Some(reach.scope.clone()),
            statuses: statuses.to_vec(),
            without_assessment: true,
            limit: self.config.pages.dashboard_investigations,
        };
        self.investigations.list(&filter).await
    }
}

/// `changed` are the pages that are no longer as they were cited.
fn card(reach: &Reach, stored: StoredAssessment, changed: &BTreeSet<DocumentId>) -> AssessmentCard {
    let assessment = stored.assessment;
    let documents = assessment.cited();
    AssessmentCard {
        id: assessment.id,
        kind: assessment.kind,
        bottom_line: assessment.bottom_line_text().into_owned(),
        question: assessment.question,
        title: assessment.body.title,
        judgement: assessment.body.key_judgements.into_iter().next().filter(|_| assessment.kind.is_assessment()),
        confidence: assessment.body.overall_confidence,
        citations: assessment.citations.len(),
        documents: documents.len(),
        found_later: documents.intersection(changed).count(),
        is_partial: stored.is_partial,
        is_recorded: assessment.producer.is_recorded(),
        is_sample: stored.collections.iter().any(|collection| reach.is_sample(*collection)),
        created_at: stored.created_at,
    }
}

fn investigation_card(reach: &Reach, investigation: Investigation, progress: Option<ProgressSummary>) -> InvestigationCard {
    InvestigationCard {
        id: investigation.id,
        question: investigation.prompt,
        status: investigation.progress.status,
        reason: investigation.reason,
        progress,
        is_sample: reach.is_sample(investigation.collection_id),
        created_at: investigation.created_at,
    }
}
