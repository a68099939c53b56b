//! Search over assessments, investigations, entities, claims, relationships and documents within the viewer's scope.

mod facets;
mod graph_hits;
mod snippet;

use super::VisibleScope;
use crate::{
    Engine, StoreResult,
    assessments::{AssessmentOrder, AssessmentQuery, NearAssessment},
    embeddings::query_vector,
    graph::search::FoundItems,
    investigations::{ArchiveFilter, InvestigationFilter, InvestigationOrder},
    library::{DocumentOrder, DocumentPage, DocumentQuery},
};
use domain::{
    AssessmentId, DocumentId, InvestigationId, QueryText,
    assessment::AssessmentSummary,
    document::{Document, outlet_name},
    investigation::Period,
    user::User,
};
use snippet::{Words, snippet};
use std::collections::{BTreeSet, HashMap};
use views::{SearchGroup, SearchHit, SearchKind, SearchOrder, SearchQuery, SearchView};

impl Engine {
    /// Returns the best hits of every kind that the query covers, and the values that narrow it.
    pub async fn search_view(&self, viewer: &User, mut query: SearchQuery) -> StoreResult<SearchView> {
        let text = self.search.query.text(&query.words);
        query.words = text.to_string();
        let words = Words::new(&text);
        if words.is_empty() {
            return Ok(SearchView { query, ..Default::default() });
        }
        let visible = self.listed(viewer).await?;
        let limit = self.config.pages.search_hits as usize;
        let wanted = HitQuery { query: &query, text, words: &words, vector: self.query_vector(&query).await, limit };
        let (mut groups, mut facets) = (vec![], vec![]);
        let mut reported = vec![];
        if query.covers(SearchKind::Assessments) {
            let (group, found) = self.assessment_hits(&visible, &wanted).await?;
            groups.push(group);
            reported = found;
        }
        if query.covers(SearchKind::Investigations) {
            groups.push(self.investigation_hits(viewer, &visible, &wanted, &reported).await?);
        }
        let found = self.graph_items(&visible, &wanted).await?;
        let listed =
            if query.covers(SearchKind::Documents) { Some(self.listed_documents(&visible, &wanted).await?) } else { None };
        let texts = listed.iter().flat_map(|listed| &listed.documents).map(|document| document.id).collect();
        let documents = self.documents_of_hits(&visible, &found, texts).await?;
        if query.covers(SearchKind::Entities) {
            let (group, facet) = self.entity_hits(&wanted, found.entities);
            groups.push(group);
            facets.extend(facet);
        }
        if query.covers(SearchKind::Claims) {
            let outlets = found.claims.iter().filter_map(|scored| scored.item.outlet_id).collect();
            let names = self.outlet_names(&visible, outlets).await?;
            let (group, found) = self.claim_hits(&wanted, found.claims, &documents, &names);
            groups.push(group);
            facets.extend(found);
        }
        if query.covers(SearchKind::Relationships) {
            groups.push(self.relationship_hits(&wanted, found.relationships, &found.ends));
        }
        if let Some(listed) = listed {
            groups.push(self.document_hits(&wanted, listed, &documents));
        }
        groups.retain(|group| !group.hits.is_empty() || !group.related.is_empty());
        Ok(SearchView { query, groups, added: vec![], facets })
    }

    /// Returns an excerpt of a text around the words of a search, as hits show it.
    pub fn excerpt(&self, words: &str, text: &str) -> views::Snippet {
        snippet(text, &Words::new(words), self.config.pages.snippet_chars)
    }

    /// Returns the vector of the words, with its model; none where no kind of hit is compared by likeness.
    async fn query_vector(&self, query: &SearchQuery) -> Option<(String, Vec<f32>)> {
        let compared = [SearchKind::Assessments, SearchKind::Entities, SearchKind::Claims, SearchKind::Relationships];
        let is_compared = !query.is_words_only && compared.into_iter().any(|kind| query.covers(kind));
        query_vector(self.embedder.as_deref().filter(|_| is_compared), &query.words).await
    }

    /// Returns assessments, and the investigations that they belong to.
    async fn assessment_hits(
        &self,
        visible: &VisibleScope,
        wanted: &HitQuery<'_>,
    ) -> StoreResult<(SearchGroup, Vec<InvestigationId>)> {
        let query = AssessmentQuery {
            text: Some(wanted.text.clone()),
            limit: wanted.limit as u32,
            archived: ArchiveFilter::Current,
            period: wanted.period(),
            order: match wanted.query.order {
                SearchOrder::Relevance => AssessmentOrder::Relevance,
                SearchOrder::Newest => AssessmentOrder::NewestFirst,
            },
            ..Default::default()
        };
        let found = self.assessments.latest(&visible.scope, &query).await?;
        let found_ids: BTreeSet<_> = found.assessments.iter().map(|stored| stored.summary.id).collect();
        let related = self.similar_assessments(visible, wanted, &found_ids).await?;
        let summaries = found.assessments.into_iter().map(|stored| stored.summary);
        let (found, total): (Vec<_>, _) = (summaries.collect(), found.total);
        let investigations = found.iter().chain(&related).map(|summary| summary.investigation_id).collect();
        let hit = |summary: AssessmentSummary| {
            let snippet = self.snippet(wanted, &summary.bottom_line);
            let href = format!("/assessments/{}", summary.id);
            SearchHit { href, title: summary.question, snippet, ..Default::default() }
        };
        let hits = found.into_iter().map(hit).collect();
        let related = related.into_iter().map(hit).collect();
        Ok((SearchGroup { related, ..counted(SearchKind::Assessments, hits, total) }, investigations))
    }

    /// Returns assessments of a similar meaning, where those with every word leave room.
    async fn similar_assessments(
        &self,
        visible: &VisibleScope,
        wanted: &HitQuery<'_>,
        found: &BTreeSet<AssessmentId>,
    ) -> StoreResult<Vec<AssessmentSummary>> {
        let has_room = wanted.period() == Period::default() && found.len() < wanted.limit;
        let Some((model, vector)) = wanted.vector.as_ref().filter(|_| has_room) else { return Ok(vec![]) };
        let near = self.assessments.near(&visible.scope, model, vector, wanted.limit as u32).await?;
        let is_similar = |near: &NearAssessment| {
            near.similarity >= self.search.min_similarity && !near.is_archived && !found.contains(&near.stored.assessment.id)
        };
        let similar =
            near.into_iter().filter(is_similar).map(|near| AssessmentSummary::from_assessment(&near.stored.assessment));
        Ok(similar.take(wanted.limit - found.len()).collect())
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
            text: Some(wanted.text.clone()),
            archived: ArchiveFilter::Current,
            period: wanted.period(),
            order: match wanted.query.order {
                SearchOrder::Relevance => InvestigationOrder::Relevance,
                SearchOrder::Newest => InvestigationOrder::NewestFirst,
            },
            limit: wanted.limit as u32,
            ..Default::default()
        };
        let found = self.investigations.list(&filter).await?;
        let is_at_least = found.len() >= wanted.limit;
        let others = found.into_iter().filter(|investigation| !reported.contains(&investigation.id));
        let hits = others.map(|investigation| SearchHit {
            href: format!("/investigations/{}", investigation.id),
            snippet: self.snippet(wanted, investigation.reason.as_deref().unwrap_or_default()),
            title: investigation.question,
            ..Default::default()
        });
        let hits: Vec<SearchHit> = hits.collect();
        let total = hits.len() as u64;
        Ok(SearchGroup { is_at_least, ..counted(SearchKind::Investigations, hits, total) })
    }

    async fn listed_documents(&self, visible: &VisibleScope, wanted: &HitQuery<'_>) -> StoreResult<DocumentPage> {
        let query = DocumentQuery {
            text: Some(wanted.text.clone()),
            limit: wanted.limit as u32,
            period: wanted.period(),
            order: match wanted.query.order {
                SearchOrder::Relevance => DocumentOrder::Relevance,
                SearchOrder::Newest => DocumentOrder::Newest,
            },
            ..Default::default()
        };
        self.documents.list(&visible.scope, &query).await
    }

    /// Returns the documents of the claims, and those in `texts` with their texts.
    async fn documents_of_hits(
        &self,
        visible: &VisibleScope,
        found: &FoundItems,
        texts: Vec<DocumentId>,
    ) -> StoreResult<HashMap<DocumentId, (Document, Option<String>)>> {
        let ids: BTreeSet<DocumentId> =
            found.claims.iter().map(|scored| scored.item.document_id).chain(texts.iter().copied()).collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let ids: Vec<DocumentId> = ids.into_iter().collect();
        let found = self.documents.documents_with_texts(&visible.scope, &ids, &texts).await?;
        Ok(found.into_iter().map(|(document, text)| (document.id, (document, text))).collect())
    }

    fn document_hits(
        &self,
        wanted: &HitQuery<'_>,
        listed: DocumentPage,
        known: &HashMap<DocumentId, (Document, Option<String>)>,
    ) -> SearchGroup {
        let text = |id: &DocumentId| known.get(id).and_then(|(_, text)| text.as_deref()).unwrap_or_default();
        let hits = listed.documents.into_iter().map(|document| SearchHit {
            href: format!("/documents/{}", document.id),
            snippet: self.snippet(wanted, text(&document.id)),
            title: document.title,
            note: outlet_name(document.outlet.as_deref(), None).unwrap_or_default().to_owned(),
            published: document.published,
        });
        counted(SearchKind::Documents, hits.collect(), listed.total)
    }

    fn snippet(&self, wanted: &HitQuery<'_>, text: &str) -> views::Snippet {
        snippet(text, wanted.words, self.config.pages.snippet_chars)
    }
}

/// Returns a group of which all matches are counted.
fn counted(kind: SearchKind, hits: Vec<SearchHit>, total: u64) -> SearchGroup {
    SearchGroup { kind, hits, total, is_at_least: false, related: vec![] }
}

/// Query of the hits of one kind.
struct HitQuery<'a> {
    query: &'a SearchQuery,
    text: QueryText,
    words: &'a Words,
    /// Model and vector of the words.
    vector: Option<(String, Vec<f32>)>,
    /// Maximum hits of one kind.
    limit: usize,
}

impl HitQuery<'_> {
    fn period(&self) -> Period {
        Period { from: self.query.from, until: self.query.until }
    }
}
