//! Which texts repeat one another, so that a wire report with small edits counts as one voice.
//!
//! Two texts are near when the sets of their word triples overlap by a fixed share, estimated from sketches; an origin is what hangs
//! together by nearness. Invariant: both depend on the texts alone that a reader may see, never on the order in which they came or
//! on what others keep to themselves.

mod sketch;

pub use sketch::{Band, Sketch};

use super::Documents;
use crate::{Engine, StoreResult};
use domain::Scope;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tokio_util::sync::CancellationToken;

/// Texts of one transaction of the backfill.
const BACKFILL_TEXTS: u32 = 64;

/// When texts are one origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OriginsConfig {
    /// Share of word triples of both texts together that both must hold, in percent.
    pub near_percent: u32,
    /// Texts that are looked at for one answer; of a larger crowd, those with the least hashes.
    pub max_texts: u32,
}

impl Default for OriginsConfig {
    fn default() -> Self {
        Self { near_percent: 40, max_texts: 2_000 }
    }
}

/// The origin of each of these texts, by hash of the text: the least hash of all texts that hang together with it in this scope.
pub async fn of(
    documents: &dyn Documents,
    scope: &Scope,
    config: &OriginsConfig,
    texts: &BTreeSet<String>,
) -> StoreResult<BTreeMap<String, String>> {
    let mut known: BTreeMap<String, Sketch> = BTreeMap::new();
    let mut asked: BTreeSet<String> = BTreeSet::new();
    let mut frontier: Vec<String> = texts.iter().cloned().collect();
    loop {
        known.extend(documents.near_texts(scope, &frontier, config.max_texts).await?);
        asked.extend(frontier);
        let leaders = leaders(&known, config.near_percent);
        let origin = |text: &String| leaders.get(text).unwrap_or(text).clone();
        let wanted: BTreeSet<String> = texts.iter().map(origin).collect();
        // What shares a band by chance leads nowhere: only what hangs together with the texts is followed.
        let is_next = |text: &&String| !asked.contains(*text) && wanted.contains(&origin(text));
        frontier = leaders.keys().filter(is_next).cloned().collect();
        if frontier.is_empty() || known.len() >= config.max_texts as usize {
            return Ok(texts.iter().map(|text| (text.clone(), origin(text))).collect());
        }
    }
}

/// Sketches what was stored before there were sketches, a part at a time, and ends. What fails is tried again at the next start.
pub async fn backfill(engine: Engine, shutdown: CancellationToken) {
    let mut made = 0;
    while !shutdown.is_cancelled() {
        match engine.documents.sketch_texts(BACKFILL_TEXTS).await {
            Ok(0) => break,
            Ok(some) => made += some,
            Err(error) => {
                tracing::warn!(%error, "texts from before could not be compared; the next start tries again");
                break;
            }
        }
    }
    if made > 0 {
        tracing::info!(texts = made, "texts from before are compared with others from now on");
    }
}

/// By text: the least of those that it hangs together with.
fn leaders(known: &BTreeMap<String, Sketch>, near_percent: u32) -> BTreeMap<String, String> {
    let texts: Vec<(&String, &Sketch)> = known.iter().collect();
    let mut by_band: BTreeMap<Band, Vec<usize>> = BTreeMap::new();
    for (n, (_, sketch)) in texts.iter().enumerate() {
        sketch.bands().for_each(|band| by_band.entry(band).or_default().push(n));
    }
    let mut leader: Vec<usize> = (0..texts.len()).collect();
    for members in by_band.values() {
        for (at, first) in members.iter().enumerate() {
            for second in &members[at + 1..] {
                let (a, b) = (root(&mut leader, *first), root(&mut leader, *second));
                if a != b && texts[*first].1.is_near(texts[*second].1, near_percent) {
                    // Texts are in order of their hashes: the lesser number is the lesser hash.
                    leader[a.max(b)] = a.min(b);
                }
            }
        }
    }
    (0..texts.len()).map(|n| (texts[n].0.clone(), texts[root(&mut leader, n)].0.clone())).collect()
}

fn root(leader: &mut [usize], mut at: usize) -> usize {
    while leader[at] != at {
        leader[at] = leader[leader[at]];
        at = leader[at];
    }
    at
}

#[cfg(test)]
mod tests;
