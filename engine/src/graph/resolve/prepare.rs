//! The stages of resolution that need I/O, run before the write: likeness of descriptions, then a judge.

use super::{Cascade, names, names_of};
use crate::{
    StoreResult,
    embeddings::Embedder,
    graph::{EntityProposal, Graph, KnownEntity, Verdict},
};
use async_trait::async_trait;
use domain::Scope;

/// A pair that names alone do not decide.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    pub proposal: &'a EntityProposal,
    pub known: &'a KnownEntity,
    /// Likeness of the names, 0 to 1.
    pub score: f64,
    pub why: &'a str,
    /// Likeness of the descriptions, where there is an embedder.
    pub similarity: Option<f64>,
}

/// Somebody who can tell: a model, or nobody.
#[async_trait]
pub trait Judge: Send + Sync {
    /// None: cannot tell.
    async fn same(&self, pair: Pair<'_>) -> Option<Verdict>;
}

/// The judge of an installation without a model.
pub struct NoJudge;

#[async_trait]
impl Judge for NoJudge {
    async fn same(&self, _: Pair<'_>) -> Option<Verdict> {
        None
    }
}

/// Fills in the verdicts of each proposal about the known entities that it probably is. An embedder that fails is done without.
pub async fn prepare(
    graph: &dyn Graph,
    cascade: &Cascade,
    embedder: Option<&dyn Embedder>,
    judge: &dyn Judge,
    within: &Scope,
    proposals: &mut [EntityProposal],
) -> StoreResult<()> {
    let known = graph.known(within, proposals, cascade).await?;
    let mut open: Vec<(usize, &KnownEntity, f64, &'static str)> = Vec::new();
    for (index, candidates) in known.iter().enumerate() {
        let ours = cascade.prepare_all(&proposals[index]);
        for candidate in candidates {
            let found = cascade.compare(&proposals[index], &ours, candidate);
            let is_judged = proposals[index].verdicts.iter().any(|(id, _)| *id == candidate.id);
            if found.verdict == names::Verdict::Probable && !is_judged {
                open.push((index, candidate, found.score, found.why));
            }
        }
    }
    let similarities = similarities(embedder, proposals, &open).await;
    let mut verdicts = Vec::new();
    for ((index, known, score, why), similarity) in open.iter().zip(similarities) {
        let by_likeness = match similarity {
            Some(likeness) if likeness < cascade.config.different_below => Some(Verdict::Different),
            Some(likeness) if likeness >= cascade.config.same_from => Some(Verdict::Same),
            _ => None,
        };
        let pair = Pair { proposal: &proposals[*index], known, score: *score, why, similarity };
        let verdict = match by_likeness {
            Some(verdict) => Some(verdict),
            None => judge.same(pair).await,
        };
        verdicts.extend(verdict.map(|verdict| (*index, known.id, verdict)));
    }
    for (index, id, verdict) in verdicts {
        proposals[index].verdicts.push((id, verdict));
    }
    Ok(())
}

/// One likeness per pair, all from one call.
async fn similarities(
    embedder: Option<&dyn Embedder>,
    proposals: &[EntityProposal],
    open: &[(usize, &KnownEntity, f64, &'static str)],
) -> Vec<Option<f64>> {
    let none = vec![None; open.len()];
    let Some(embedder) = embedder.filter(|_| !open.is_empty()) else { return none };
    let describe = |names: Vec<&str>, kind: &str| format!("{} ({kind})", names.join(", "));
    let texts = open.iter().flat_map(|(index, known, ..)| {
        let proposal = &proposals[*index];
        let known_names = known.names.iter().map(String::as_str).collect();
        [describe(names_of(proposal).collect(), &proposal.kind), describe(known_names, &known.kind)]
    });
    let texts: Vec<String> = texts.collect();
    match embedder.embed(&texts).await {
        Ok(vectors) if vectors.len() == texts.len() => {
            vectors.chunks(2).map(|pair| Some(pair[0].iter().zip(&pair[1]).map(|(a, b)| f64::from(a * b)).sum())).collect()
        }
        Ok(_) => none,
        Err(error) => {
            tracing::warn!(%error, "resolution goes on without vectors");
            none
        }
    }
}
