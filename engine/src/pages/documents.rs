//! View models of the library and of a document.

use super::{VisibleScope, text_window::text_window};
use crate::{
    Engine, StoreResult,
    fetch::Provenance,
    graph::{ClaimOrder, ClaimQuery, SoleEvidence},
    library::{self, DependentRows, DocumentOrder, DocumentQuery, DocumentWithRelatives, RejectedQuery},
};
use domain::{
    CollectionId, DocumentId, InvestigationId, Scope,
    annotation::{AnnotationSubject, Annotations, Tag},
    document::{Document, DocumentText},
    fetch::Table,
    user::User,
};
use std::collections::BTreeMap;
use views::{
    DocumentFilter, DocumentLine, DocumentRemovalView, DocumentView, DocumentsView, LibraryTab, RejectedPage, TextPlace,
};

impl Engine {
    /// Returns page `page` (from 1) of the visible documents that `filter` selects, or of the unreadable files.
    pub async fn documents_view(
        &self,
        viewer: &User,
        tab: LibraryTab,
        filter: DocumentFilter,
        page: u64,
    ) -> StoreResult<DocumentsView> {
        let visible = self.listed(viewer).await?;
        let is_list = tab == LibraryTab::Documents;
        let (page, of_rejected) = if is_list { (page.max(1), 1) } else { (1, page) };
        let per_page = self.config.pages.documents_per_page;
        let text = self.search.query.some_text(&filter.words);
        let filter = DocumentFilter { words: text.as_deref().unwrap_or_default().to_owned(), ..filter };
        let has_sample = !visible.samples.is_empty() && !viewer.preferences.hides_sample;
        // Invented documents stand aside as soon as there are others, unless they are asked for.
        let is_open = has_sample && is_list && !filter.hides_sample && !filter.shows_sample && filter.collection.is_none();
        let hides_sample = filter.hides_sample
            || (is_open && self.documents.list(&visible.without_sample(), &DocumentQuery::default()).await?.total > 0);
        let listed = visible.listed(hides_sample);
        let selected = match filter.collection {
            Some(collection) => listed.intersect(&Scope::from(collection)),
            None => listed,
        };
        let query = DocumentQuery {
            text,
            period: filter.period,
            is_archived: filter.is_archived,
            tag: Tag::parse(&filter.tag),
            offset: (page - 1).saturating_mul(u64::from(per_page)),
            limit: if is_list { per_page } else { 0 },
            order: DocumentOrder::Newest,
            ..Default::default()
        };
        let found = self.documents.list(&selected, &query).await?;
        let ids: Vec<_> = found.documents.iter().map(|document| document.id).collect();
        let claims = if ids.is_empty() { vec![] } else { self.graph.claim_counts(&selected, &ids).await? };
        let mut tags = self.tags_of_documents(&ids).await?;
        let lines = found.documents.into_iter().zip(claims.into_iter().chain(std::iter::repeat(0)));
        let lines = lines.map(|(document, claims)| DocumentLine {
            ownership: visible.ownership(document.collection_id),
            tags: tags.remove(&document.id).unwrap_or_default(),
            may_edit: visible.edited.contains(&document.collection_id),
            document,
            claims,
        });
        let edited = Scope::new(visible.edited.iter().copied().collect());
        let rejected = self.rejected_page(&visible.scope, None, of_rejected).await?;
        let shows_rejected = !is_list && rejected.total > 0;
        Ok(DocumentsView {
            tab,
            documents: lines.collect(),
            total: found.total,
            has_sample,
            is_sample_hidden: has_sample && hides_sample,
            page,
            per_page: u64::from(per_page),
            collections: self.collection_names(&visible, filter.collection),
            readers: match filter.collection {
                Some(collection) if is_list => self.collection_readers(viewer, collection).await?,
                _ => None,
            },
            filter,
            may_dismiss: shows_rejected && self.rejected_page(&edited, None, 1).await?.total > 0,
            rejected,
        })
    }

    /// Returns whether `viewer` may delete a document.
    pub(crate) async fn may_edit_document(&self, viewer: &User, id: DocumentId) -> StoreResult<bool> {
        let visible = self.visible(viewer).await?;
        let found = self.documents.document(&visible.scope, id).await?;
        Ok(found.is_some_and(|document| visible.edited.contains(&document.collection_id)))
    }

    /// Returns the tags of documents that have any, in one statement.
    async fn tags_of_documents(&self, ids: &[DocumentId]) -> StoreResult<BTreeMap<DocumentId, Vec<Tag>>> {
        let mut tags: BTreeMap<_, Vec<Tag>> = BTreeMap::new();
        if ids.is_empty() {
            return Ok(tags);
        }
        let subjects: Vec<AnnotationSubject> = ids.iter().copied().map(AnnotationSubject::Document).collect();
        for (subject, tag) in self.annotations.tags_of(&subjects).await? {
            if let AnnotationSubject::Document(id) = subject {
                tags.entry(id).or_default().push(tag);
            }
        }
        Ok(tags)
    }

    /// Returns the newest collections that `visible` has, and the selected one.
    pub(super) fn collection_names(
        &self,
        visible: &VisibleScope,
        selected: Option<CollectionId>,
    ) -> Vec<(CollectionId, String)> {
        let most = self.config.pages.collection_choices as usize;
        let newest = visible.scope.collections().iter().rev().copied();
        let listed = newest.clone().take(most).chain(newest.skip(most).filter(|id| Some(*id) == selected));
        listed.filter_map(|id| Some((id, visible.names.get(&id)?.clone()))).collect()
    }

    /// Returns page `page` (from 1) of unreadable files, of the library or one investigation.
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

    /// Returns what deleting those documents would remove; those that `viewer` may not delete are left out.
    pub async fn document_removal_view(&self, viewer: &User, ids: &[DocumentId]) -> StoreResult<DocumentRemovalView> {
        let ids = &ids[..ids.len().min(self.config.pages.documents_per_page as usize)];
        let documents = library::editable(self, viewer, ids).await?;
        let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
        if ids.is_empty() {
            return Ok(DocumentRemovalView::default());
        }
        let scope = self.read_scope(viewer).await?;
        let citing = self.assessments.citing(&scope, &ids, self.config.pages.entity_assessments).await?.into_iter();
        let cited_in: Vec<_> = citing.map(|stored| (stored.assessment.id, stored.assessment.question)).collect();
        let added = self.documents.dependents(viewer.id, &ids).await?.into_iter().map(DependentRows::labelled).collect();
        let SoleEvidence { claims, entities, relationships } = self.graph.sole_evidence(&ids).await?;
        Ok(DocumentRemovalView {
            size_bytes: documents.iter().map(|document| document.size_bytes).sum(),
            more_citing: self.assessments.count_citing(&ids).await?.saturating_sub(cited_in.len() as u64),
            cited_in,
            claims,
            entities,
            relationships,
            added,
            documents: documents.into_iter().map(|document| (document.id, document.title)).collect(),
        })
    }

    /// Keeps the first tables, up to the cells that a page shows, and returns how many are left out.
    fn cut_tables(&self, tables: &mut Vec<Table>) -> u64 {
        let mut cells = 0;
        let fits = |table: &Table| {
            cells += table.rows.iter().map(Vec::len).sum::<usize>();
            cells <= self.config.pages.document_table_cells
        };
        let kept = tables.iter().map(fits).take_while(|fits| *fits).count();
        tables.drain(kept..).count() as u64
    }

    /// Returns a document with the part of its text at a place, its copies and claims.
    pub async fn document_view(&self, viewer: &User, id: DocumentId, place: TextPlace) -> StoreResult<Option<DocumentView>> {
        let visible = self.visible(viewer).await?;
        let Some(found) = self.documents.with_relatives(&visible.scope, id).await? else { return Ok(None) };
        let DocumentWithRelatives { text: found, is_archived, is_in_view_only, relatives } = found;
        let has_same_text = |other: &Document| other.text_sha256 == found.document.text_sha256;
        let (copies, mut captures): (Vec<_>, Vec<_>) = relatives.into_iter().partition(has_same_text);
        let most = self.config.pages.entity_assessments;
        captures.truncate(most as usize);
        let citing = self.assessments.citing(&visible.scope, &[id], most).await?.into_iter();
        let cited_in = citing.map(|stored| (stored.assessment.id, stored.assessment.question)).collect();
        let query = ClaimQuery {
            document_ids: vec![id],
            order: ClaimOrder::DocumentOrder,
            candidates: self.config.pages.document_claims,
            ..Default::default()
        };
        let mut claims: Vec<_> =
            self.graph.find_claims(&visible.scope, &query).await?.into_iter().map(|candidate| candidate.item).collect();
        claims.sort_by_key(|claim| (claim.span, claim.id));
        let is_sample = visible.is_sample(found.document.collection_id);
        let may_edit = visible.edited.contains(&found.document.collection_id);
        let injections = self.sessions.injections_of(id, viewer.id, &visible.scope).await?;
        let Provenance { capture, finding, mut details } = self.captures.provenance(&visible.scope, id).await?;
        let Annotations { tags, own_tags, notes, .. } =
            self.annotations.annotations(id.into(), viewer.id, self.config.annotations.per_subject).await?;
        let more_tables = self.cut_tables(&mut details.tables);
        let DocumentText { document, text } = found;
        let text = text_window(&text, place, &self.config.pages);
        Ok(Some(DocumentView {
            document,
            details,
            more_tables,
            capture,
            finding,
            injections,
            text,
            copies,
            captures,
            cited_in,
            claims,
            tags,
            own_tags,
            notes,
            is_sample,
            is_archived,
            is_in_view_only,
            may_edit,
        }))
    }
}
