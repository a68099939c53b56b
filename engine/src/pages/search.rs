//! Search over assessments, investigations, documents and claims within the viewer's scope.

mod snippet;

use super::VisibleScope;
use crate::{
    Engine, StoreResult,
    assessments::AssessmentQuery,
    graph::{ClaimQuery, search},
    investigations::{ArchiveFilter, InvestigationFilter},
    library::{DocumentOrder, DocumentQuery},
};
use domain::{DocumentId, InvestigationId, user::User};
use snippet::{Words, snippet};
use std::collections::BTreeMap;
use views::{SearchGroup, SearchHit, SearchKind, SearchView};

impl Engine {
    /// Returns the best claims, or the best hits of every other kind: together they would need too many statements for one page.
    pub async fn search_view(&self, viewer: &User, query: &str, is_for_claims: bool) -> StoreResult<SearchView> {
        let words = Words::new(query);
        let query = query.trim().to_owned();
        if words.is_empty() {
            return Ok(SearchView { query, groups: vec![], is_for_claims });
        }
        let visible = self.listed(viewer).await?;
        let wanted = HitQuery { query: &query, words: &words, limit: self.config.pages.search_hits };
        let mut groups = if is_for_claims {
            vec![self.claim_hits(&visible, &wanted).await?]
        } else {
            let (assessments, reported) = self.assessment_hits(&visible, &wanted).await?;
            let investigations = self.investigation_hits(viewer, &visible, &wanted, &reported).await?;
            vec![assessments, investigations, self.document_hits(&visible, &wanted).await?]
        };
        groups.retain(|group| !group.hits.is_empty());
        Ok(SearchView { query, groups, is_for_claims })
    }

    /// Returns assessments, and the investigations that they belong to.
    async fn assessment_hits(
        &self,
        visible: &VisibleScope,
        wanted: &HitQuery<'_>,
    ) -> StoreResult<(SearchGroup, Vec<InvestigationId>)> {
        let query = AssessmentQuery {
            text: Some(wanted.query.to_owned()),
            limit: wanted.limit,
            archived: ArchiveFilter::Current,
            ..Default::default()
        };
        let found = self.assessments.latest(&visible.scope, &query).await?;
        let investigations = found.assessments.iter().map(|stored| stored.assessment.investigation_id).collect();
        let hits = found.assessments.into_iter().map(|stored| {
            let assessment = stored.assessment;
            let snippet = self.snippet(wanted, &assessment.bottom_line_text());
            SearchHit { href: format!("/assessments/{}", assessment.id), title: assessment.question, snippet }
        });
        Ok((SearchGroup { kind: SearchKind::Assessments, hits: hits.collect(), total: Some(found.total) }, investigations))
    }

    /// Returns investigations whose assessment is not among the hits already.
    async fn investigation_hits(
        &self,
        viewer: &User,
        visible: &VisibleScope,
        wanted: &HitQuery<'_>,
        reported: &[InvestigationId],
    ) -> StoreResult<SearchGroup> {
        let filter = InvestigationFilter {
            owner: Some(viewer.id),
            scope: Some(visible.scope.clone()),
            text: Some(wanted.query.to_owned()),
            archived: ArchiveFilter::Current,
            limit: wanted.limit,
            ..Default::default()
        };
        let mut found = self.investigations.list(&filter).await?;
        found.retain(|investigation| !reported.contains(&investigation.id));
        let hits = found.into_iter().map(|investigation| SearchHit {
            href: format!("/investigations/{}", investigation.id),
            snippet: self.snippet(wanted, investigation.reason.as_deref().unwrap_or_default()),
            title: investigation.prompt,
        });
        Ok(SearchGroup { kind: SearchKind::Investigations, hits: hits.collect(), total: None })
    }

    async fn document_hits(&self, visible: &VisibleScope, wanted: &HitQuery<'_>) -> StoreResult<SearchGroup> {
        let query = DocumentQuery {
            text: Some(wanted.query.to_owned()),
            limit: wanted.limit,
            order: DocumentOrder::Newest,
            ..Default::default()
        };
        let found = self.documents.list(&visible.scope, &query).await?;
        let ids: Vec<_> = found.documents.iter().map(|document| document.id).collect();
        let texts = if ids.is_empty() { vec![] } else { self.documents.texts(&visible.scope, &ids).await? };
        let texts: BTreeMap<DocumentId, String> = texts.into_iter().map(|found| (found.document.id, found.text)).collect();
        let hits = found.documents.into_iter().map(|document| SearchHit {
            href: format!("/documents/{}", document.id),
            snippet: self.snippet(wanted, texts.get(&document.id).map_or("", String::as_str)),
            title: document.title,
        });
        Ok(SearchGroup { kind: SearchKind::Documents, hits: hits.collect(), total: Some(found.total) })
    }

    async fn claim_hits(&self, visible: &VisibleScope, wanted: &HitQuery<'_>) -> StoreResult<SearchGroup> {
        let query = ClaimQuery { text: Some(wanted.query.to_owned()), ..Default::default() };
        let limit = wanted.limit as usize;
        // By words alone: a hit shows the words that it was found by.
        let mut found = search::search_claims(&*self.graph, None, &self.search, &visible.scope, query, limit).await?;
        found.retain(|scored| wanted.words.are_in(&scored.item.content) || wanted.words.are_in(&scored.item.quote));
        let hits = found.into_iter().map(|scored| {
            let claim = scored.item;
            let (id, span) = (claim.document_id, claim.span);
            let href = format!("/documents/{id}?quote={}-{}#quote", span.start, span.end);
            SearchHit { href, snippet: self.snippet(wanted, &claim.quote), title: claim.content }
        });
        Ok(SearchGroup { kind: SearchKind::Claims, hits: hits.collect(), total: None })
    }

    fn snippet(&self, wanted: &HitQuery<'_>, text: &str) -> views::Snippet {
        snippet(text, wanted.words, self.config.pages.snippet_chars)
    }
}

/// Query of the hits of one kind.
struct HitQuery<'a> {
    query: &'a str,
    words: &'a Words,
    /// Maximum hits of one kind.
    limit: u32,
}
