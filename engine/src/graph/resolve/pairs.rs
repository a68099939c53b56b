//! Resolution stages with I/O, run before the write: candidate names and similarity of descriptions. The rest is for a judge.

use super::names_of;
use crate::{
    StoreResult,
    embeddings::Embedder,
    graph::{EntityProposal, Graph, KnownEntity, Resolution, Resolve},
};
use domain::{Scope, entity::IdentityVerdict};

/// Pair not decided by names alone.
#[derive(Debug, Clone)]
pub struct OpenPair {
    /// Index of the proposal.
    pub proposal: usize,
    pub known: KnownEntity,
    /// Similarity of the names, 0 to 1.
    pub score: f64,
    /// Verdict from the similarity of descriptions, and the similarity.
    pub by_likeness: Option<(IdentityVerdict, f64)>,
}

/// Returns the probable matches of proposals without a certain match. A failing embedder is skipped.
pub async fn open_pairs(
    graph: &dyn Graph,
    resolve: &dyn Resolve,
    embedder: Option<&dyn Embedder>,
    within: &Scope,
    proposals: &[EntityProposal],
) -> StoreResult<Vec<OpenPair>> {
    let known = graph.match_candidates(within, proposals, resolve).await?;
    let mut open = vec![];
    for (index, (proposal, candidates)) in proposals.iter().zip(&known).enumerate() {
        let candidates: Vec<&KnownEntity> = candidates.iter().collect();
        let Resolution::Create { probable } = resolve.choose(proposal, &candidates) else { continue };
        for probable in probable.into_iter().filter(|probable| probable.is_open) {
            let known = candidates.iter().find(|known| known.id == probable.id);
            let pair = |known: &&KnownEntity| OpenPair {
                proposal: index,
                known: KnownEntity::clone(known),
                score: probable.score,
                by_likeness: None,
            };
            open.extend(known.map(pair));
        }
    }
    let likenesses = likenesses(embedder, proposals, &open).await;
    for (pair, likeness) in open.iter_mut().zip(likenesses) {
        pair.by_likeness = resolve.by_likeness(likeness).map(|verdict| (verdict, likeness));
    }
    Ok(open)
}

/// Returns the similarity of each pair from one call; empty without vectors.
async fn likenesses(embedder: Option<&dyn Embedder>, proposals: &[EntityProposal], open: &[OpenPair]) -> Vec<f64> {
    let Some(embedder) = embedder.filter(|_| !open.is_empty()) else { return vec![] };
    let describe = |names: Vec<&str>, kind: &str| format!("{} ({kind})", names.join(", "));
    let texts = open.iter().flat_map(|pair| {
        let proposal = &proposals[pair.proposal];
        let known_names = pair.known.names.iter().map(String::as_str).collect();
        [describe(names_of(proposal).collect(), &proposal.kind), describe(known_names, &pair.known.kind)]
    });
    let texts: Vec<String> = texts.collect();
    match embedder.embed(&texts).await {
        Ok(vectors) if vectors.len() == texts.len() => {
            vectors.chunks(2).map(|pair| pair[0].iter().zip(&pair[1]).map(|(a, b)| f64::from(a * b)).sum()).collect()
        }
        Ok(_) => vec![],
        Err(error) => {
            tracing::warn!(%error, "embedding failed, resolving without vectors");
            vec![]
        }
    }
}
