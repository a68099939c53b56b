//! The library and the page of one document.

use crate::{
    Engine, StoreResult,
    graph::{ClaimOrder, ClaimQuery},
    library::{DocumentOrder, DocumentQuery, RejectedQuery},
};
use domain::{
    DocumentId, InvestigationId, Scope,
    pages::{DocumentLine, DocumentView, DocumentsView, RejectedPage},
    user::User,
};

impl Engine {
    /// Page `page` (from 1) of the documents that `viewer` sees and that hold the words of `query`.
    /// Beside it page `rejected` of what could not be read.
    pub async fn documents_view(&self, viewer: &User, query: &str, page: u64, rejected: u64) -> StoreResult<DocumentsView> {
        let reach = self.reach(viewer).await?;
        let limit = self.config.pages.documents_per_page;
        let page = page.max(1);
        let text = Some(query.trim().to_owned()).filter(|text| !text.is_empty());
        let wanted = DocumentQuery {
            text: text.clone(),
            offset: (page - 1).saturating_mul(u64::from(limit)),
            limit,
            order: DocumentOrder::Newest,
            ..Default::default()
        };
        let found = self.documents.list(&reach.scope, &wanted).await?;
        let ids: Vec<_> = found.documents.iter().map(|document| document.id).collect();
        let claims = self.graph.claim_counts(&reach.scope, &ids).await?;
        let lines = found.documents.into_iter().zip(claims.into_iter().chain(std::iter::repeat(0)));
        Ok(DocumentsView {
            documents: lines
                .map(|(document, claims)| DocumentLine { ownership: reach.of(document.collection_id), document, claims })
                .collect(),
            total: found.total,
            page,
            per_page: u64::from(limit),
            query: text.unwrap_or_default(),
            rejected: self.rejected_page(&reach.scope, None, rejected).await?,
        })
    }

    /// Page `page` (from 1) of the files that could not be read, of the library or of one investigation.
    pub(super) async fn rejected_page(
        &self,
        scope: &Scope,
        investigation: Option<InvestigationId>,
        page: u64,
    ) -> StoreResult<RejectedPage> {
        let limit = self.config.pages.rejected_per_page;
        let (page, per_page) = (page.max(1), u64::from(limit));
        let query = RejectedQuery { investigation, offset: (page - 1).saturating_mul(per_page), limit };
        let (files, total) = self.documents.rejected(scope, &query).await?;
        Ok(RejectedPage { files, total, page, per_page })
    }

    /// One document with its text, its copies and the claims in it.
    pub async fn document_view(&self, viewer: &User, id: DocumentId) -> StoreResult<Option<DocumentView>> {
        let reach = self.reach(viewer).await?;
        let Some(found) = self.documents.texts(&reach.scope, &[id]).await?.pop() else { return Ok(None) };
        let mut copies = self.documents.same_text(&reach.scope, &found.document.text_sha256).await?;
        copies.retain(|copy| copy.id != id);
        let query = ClaimQuery {
            document_ids: vec![id],
            order: ClaimOrder::DocumentOrder,
            candidates: self.config.pages.document_claims,
            ..Default::default()
        };
        let mut claims: Vec<_> =
            self.graph.find_claims(&reach.scope, &query).await?.into_iter().map(|candidate| candidate.item).collect();
        claims.sort_by_key(|claim| (claim.span, claim.id));
        let is_sample = reach.is_sample(found.document.collection_id);
        let finding = self.captures.findings(&reach.scope, &[id]).await?.pop();
        let injections = self.sessions.lures_of(id).await?;
        Ok(Some(DocumentView { finding, injections, document: found.document, text: found.text, copies, claims, is_sample }))
    }
}
