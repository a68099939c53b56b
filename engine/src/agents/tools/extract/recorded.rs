//! Claims of documents that are read again: a quote that is recorded already keeps its claim, so that no statement is doubled.

use crate::{
    agents::context::{ToolContext, ToolError},
    evidence::content_hash,
    graph::{ClaimOrder, ClaimQuery, GraphWrite},
};
use domain::{DocumentId, claim::Span};
use std::collections::BTreeMap;

/// Maximum number of recorded claims of a pack that are compared.
const MAX_CLAIMS: u32 = 5_000;

/// Contents of the recorded claims of documents, by quote.
#[derive(Debug, Default)]
pub(super) struct RecordedWords(BTreeMap<(DocumentId, Span), Vec<String>>);

impl RecordedWords {
    /// Loads the claims of those of the documents that were read already. Only an extraction that is repeated after an interruption meets
    /// a document that was read in full; a call outside extraction adds to such a reading.
    pub async fn load(context: &ToolContext<'_>, documents: &[DocumentId]) -> Result<Self, ToolError> {
        let library = &context.engine.documents;
        let mut document_ids: Vec<DocumentId> = library.extracted(documents).await?.into_iter().collect();
        if context.writable.is_none() {
            let in_full = library.extracted_for(&document_ids, None).await?;
            document_ids.retain(|id| !in_full.contains(id));
        }
        // A query without documents would find the claims of all.
        if document_ids.is_empty() {
            return Ok(Self::default());
        }
        let query =
            ClaimQuery { document_ids, order: ClaimOrder::DocumentOrder, candidates: MAX_CLAIMS, ..ClaimQuery::default() };
        let mut words: BTreeMap<(DocumentId, Span), Vec<String>> = BTreeMap::new();
        for found in context.engine.graph.find_claims(&context.investigation.scope, &query).await? {
            words.entry((found.item.document_id, found.item.span)).or_default().push(found.item.content);
        }
        Ok(Self(words))
    }

    /// Gives claims the content under which their quote is recorded. Each recorded claim is taken once: more claims of one quote than
    /// there were are new.
    pub fn keep(&self, write: &mut GraphWrite) {
        let mut left = self.0.clone();
        let mut is_kept = Vec::with_capacity(write.claims.len());
        for claim in &write.claims {
            let recorded = left.get_mut(&(write.document_id, claim.span));
            let same = recorded.and_then(|words| Some(words.remove(words.iter().position(|words| *words == claim.content)?)));
            is_kept.push(same.is_some());
        }
        for (claim, _) in write.claims.iter_mut().zip(is_kept).filter(|(_, is_kept)| !is_kept) {
            let Some(words) = left.get_mut(&(write.document_id, claim.span)).filter(|words| !words.is_empty()) else {
                continue;
            };
            claim.content = words.remove(0);
            claim.content_hash = content_hash(&claim.content, claim.span);
        }
    }
}
