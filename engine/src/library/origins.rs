//! Which texts repeat one another, so that a wire report with small edits counts as one voice.
//!
//! Two texts are near when the sets of their word triples overlap by a fixed share, estimated from sketches; an origin is what hangs
//! together by nearness. For two texts that are credited to one agency and published within a few days a smaller share is enough, for
//! each paper cuts and adds to what an agency sends. Of texts that are too short to be compared, those are one that have one agency,
//! one day and one title. A shared agency alone joins nothing.
//!
//! Invariant: this depends on the texts and credits alone that a reader may see, never on the order in which they came or on what others
//! keep to themselves.

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
    /// The same for texts that are credited to one agency and published at most `agency_days` days from each other.
    pub agency_percent: u32,
    pub agency_days: u32,
    /// Texts that are looked at for one answer; of a larger crowd, those with the least hashes.
    pub max_texts: u32,
}

impl Default for OriginsConfig {
    fn default() -> Self {
        Self { near_percent: 40, agency_percent: 20, agency_days: 2, max_texts: 2_000 }
    }
}

/// Which texts are looked for beside some texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearQuery {
    pub agency_days: u32,
    pub limit: u32,
}

/// A text as it is compared with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedText {
    pub text_sha256: String,
    /// None: it is too short.
    pub sketch: Option<Sketch>,
    /// What the documents of the scope that have this text say of its agency.
    pub credits: Vec<AgencyCredit>,
}

/// The agency that one document credits.
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
        let words = |title: &str| -> Vec<String> {
            let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(str::to_lowercase).collect()
        };
        let own = words(&self.title);
        !own.is_empty() && own == words(&other.title)
    }
}

/// The origin of each of these texts, by hash of the text: the least hash of all texts that hang together with it in this scope.
pub async fn find(
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
        let leaders = leaders(&known, config);
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

/// What texts have in common that are compared.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group<'a> {
    Band(Band),
    Agency(&'a str),
}

/// By text: the least of those that it hangs together with.
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
                    // Texts are in order of their hashes: the lesser number is the lesser hash.
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
