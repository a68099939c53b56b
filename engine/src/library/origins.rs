//! Origins: clusters of documents that repeat one text, so that an edited wire report counts once.
//!
//! Two texts are near when the overlap of their word triples, estimated from sketches, reaches a threshold; connected texts form
//! an origin. The threshold is lower for texts credited to one agency within a few days, because papers edit agency copy. Texts
//! too short to compare join by equal agency, day and title. A shared agency alone joins nothing.
//!
//! Invariant: origins depend only on texts and credits visible to the reader, never on arrival order or others' private data.

mod sketch;

pub use sketch::{Band, Sketch};

use super::Documents;
use crate::{Engine, StoreResult};
use domain::{Scope, text::words};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tokio_util::sync::CancellationToken;

/// Texts per transaction of the backfill.
const BACKFILL_TEXTS: u32 = 64;

domain::settings! {
    /// Configuration of origins.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct OriginsConfig {
        /// Minimum share of common word triples, in percent.
        pub near_percent: u32 = 40,
        /// Minimum share for texts credited to one agency and published within `agency_days`, in percent.
        pub agency_percent: u32 = 20,
        pub agency_days: u32 = 2,
        /// Maximum number of texts compared per answer; lowest hashes first.
        pub max_texts: u32 = 2_000,
    }
}

/// Query of texts near given texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearQuery {
    pub agency_days: u32,
    pub limit: u32,
}

/// Text prepared for comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedText {
    pub text_sha256: String,
    /// Sketch; none for a short text.
    pub sketch: Option<Sketch>,
    /// Agency credits of the visible documents with this text.
    pub credits: Vec<AgencyCredit>,
}

/// Agency credit of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgencyCredit {
    /// `CreditedDocument::agency_key`.
    pub agency: String,
    pub day: Option<i64>,
    pub title: String,
}

impl ComparedText {
    fn is_one_origin_with(&self, other: &Self, config: &OriginsConfig) -> bool {
        let shared = self.credits.iter().flat_map(|ours| other.credits.iter().map(move |theirs| (ours, theirs)));
        let mut shared = shared.filter(|(ours, theirs)| ours.agency == theirs.agency);
        match (&self.sketch, &other.sketch) {
            (Some(one), Some(other)) if one.is_near(other, config.near_percent) => true,
            (Some(one), Some(other)) => {
                one.is_near(other, config.agency_percent)
                    && shared.any(|(ours, theirs)| ours.is_within(theirs, config.agency_days))
            }
            (None, None) => shared.any(|(ours, theirs)| ours.is_within(theirs, 0) && ours.has_title_of(theirs)),
            _ => false,
        }
    }
}

impl AgencyCredit {
    fn is_within(&self, other: &Self, days: u32) -> bool {
        self.day.zip(other.day).is_some_and(|(one, other)| one.abs_diff(other) <= u64::from(days))
    }

    fn has_title_of(&self, other: &Self) -> bool {
        let words = |title: &str| words(title).map(str::to_lowercase).collect::<Vec<_>>();
        let own = words(&self.title);
        !own.is_empty() && own == words(&other.title)
    }
}

/// Returns the origin of each text, by hash: the lowest hash of all connected texts in this scope.
pub async fn find(
    documents: &dyn Documents,
    scope: &Scope,
    config: &OriginsConfig,
    texts: &BTreeSet<String>,
) -> StoreResult<BTreeMap<String, String>> {
    let mut origins = find_connected(documents, scope, config, texts).await?;
    origins.retain(|text, _| texts.contains(text));
    Ok(origins)
}

/// Returns the same for all texts that are connected with these.
pub async fn find_connected(
    documents: &dyn Documents,
    scope: &Scope,
    config: &OriginsConfig,
    texts: &BTreeSet<String>,
) -> StoreResult<BTreeMap<String, String>> {
    let query = NearQuery { agency_days: config.agency_days, limit: config.max_texts };
    let mut known: BTreeMap<String, ComparedText> = BTreeMap::new();
    let mut asked: BTreeSet<String> = BTreeSet::new();
    let mut frontier: Vec<String> = texts.iter().cloned().collect();
    loop {
        let near = documents.near_texts(scope, &frontier, query).await?;
        known.extend(near.into_iter().map(|text| (text.text_sha256.clone(), text)));
        asked.extend(frontier);
        let mut leaders = leaders(&known, config);
        for text in texts {
            leaders.entry(text.clone()).or_insert_with(|| text.clone());
        }
        let wanted: BTreeSet<String> = texts.iter().filter_map(|text| leaders.get(text).cloned()).collect();
        leaders.retain(|_, origin| wanted.contains(origin.as_str()));
        // Follow only connected texts; a shared band may be chance.
        frontier = leaders.keys().filter(|text| !asked.contains(*text)).cloned().collect();
        if frontier.is_empty() || known.len() >= config.max_texts as usize {
            return Ok(leaders);
        }
    }
}

/// Sketches texts stored before sketches existed, in parts, then ends. Failures are retried at the next start.
pub async fn backfill(engine: Engine, shutdown: CancellationToken) {
    let mut made = 0;
    while !shutdown.is_cancelled() {
        match engine.documents.sketch_texts(BACKFILL_TEXTS).await {
            Ok(0) => break,
            Ok(some) => made += some,
            Err(error) => {
                tracing::warn!(%error, "origin backfill failed, retrying at the next start");
                break;
            }
        }
    }
    if made > 0 {
        tracing::info!(texts = made, "origin backfill completed");
    }
}

/// Group of texts to compare.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group<'a> {
    Band(Band),
    Agency(&'a str),
}

/// Returns the lowest connected text of each text.
fn leaders(known: &BTreeMap<String, ComparedText>, config: &OriginsConfig) -> BTreeMap<String, String> {
    let texts: Vec<&ComparedText> = known.values().collect();
    let mut groups: BTreeMap<Group<'_>, BTreeSet<usize>> = BTreeMap::new();
    for (n, text) in texts.iter().enumerate() {
        let bands = text.sketch.iter().flat_map(Sketch::bands).map(Group::Band);
        let agencies = text.credits.iter().map(|credit| Group::Agency(&credit.agency));
        for group in bands.chain(agencies) {
            groups.entry(group).or_default().insert(n);
        }
    }
    let mut leader: Vec<usize> = (0..texts.len()).collect();
    for members in groups.into_values().map(Vec::from_iter) {
        for (at, first) in members.iter().enumerate() {
            for second in &members[at + 1..] {
                let (a, b) = (root(&mut leader, *first), root(&mut leader, *second));
                if a != b && texts[*first].is_one_origin_with(texts[*second], config) {
                    // Texts are ordered by hash: the lower index is the lower hash.
                    leader[a.max(b)] = a.min(b);
                }
            }
        }
    }
    let name = |n: usize| texts[n].text_sha256.clone();
    (0..texts.len()).map(|n| (name(n), name(root(&mut leader, n)))).collect()
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
