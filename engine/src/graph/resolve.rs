//! Entity resolution cascade: external ids, names, then earlier verdicts of slower stages.
//!
//! Invariant: only certainty or a judge's verdict merges two entities. A probable match creates a new entity and a review. A short
//! form is no certainty beside a fuller name, but for acronyms of `names.acronym_same_letters` letters.

mod pairs;

#[cfg(test)]
mod tests;

pub use pairs::{OpenPair, open_pairs};

use super::{EntityProposal, KnownEntity, ProbableMatch, Resolution, ResolutionVerdict, Resolve};
use crate::names::{self, NameKey, NameKind, NameMatcher};
use domain::{
    EntityId,
    entity::{IdentityVerdict, Review},
};
use serde::Deserialize;
use std::{
    cmp::Ordering,
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Configuration of resolution; `names::NameConfig` configures names.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResolveConfig {
    /// Similarity of descriptions below which a probable pair is two entities.
    pub different_below: f64,
    /// Similarity of descriptions from which a probable pair is one entity. Above 1 (the default): never, because "Fund II" and
    /// "Fund III" are nearly identical vectors.
    pub same_from: f64,
    /// Size of the cache of prepared names.
    pub prepared_names: usize,
}

impl Default for ResolveConfig {
    fn default() -> Self {
        Self { different_below: 0.2, same_from: 1.1, prepared_names: 20_000 }
    }
}

/// Resolution cascade without I/O.
pub struct Cascade {
    names: Arc<NameMatcher>,
    config: ResolveConfig,
    prepared: Mutex<HashMap<String, Arc<NameKey>>>,
}

impl Default for Cascade {
    fn default() -> Self {
        Self::new(NameMatcher::default(), ResolveConfig::default())
    }
}

/// Comparison of a proposal with a known entity.
#[derive(Debug, Clone, PartialEq)]
struct Comparison {
    verdict: names::Verdict,
    score: f64,
    why: &'static str,
    /// Whether a short form is the same, which several fuller names may have.
    is_by_short_form: bool,
}

/// Score of a pair that has only a short form in common.
const SHORT_FORM_SCORE: f64 = 0.75;

impl Comparison {
    fn by_names(found: names::NameMatch) -> Self {
        Self { verdict: found.verdict, score: found.score.into(), why: found.why, is_by_short_form: false }
    }

    const fn probable(score: f64, why: &'static str) -> Self {
        Self { verdict: names::Verdict::Probable, score, why, is_by_short_form: false }
    }
}

const fn certain(verdict: names::Verdict, why: &'static str) -> Comparison {
    let score = if matches!(verdict, names::Verdict::Same) { 2.0 } else { 0.0 };
    Comparison { verdict, score, why, is_by_short_form: false }
}

impl Cascade {
    pub fn new(names: impl Into<Arc<NameMatcher>>, config: ResolveConfig) -> Self {
        Self { names: names.into(), config, prepared: Mutex::new(HashMap::new()) }
    }

    /// Prepares the proposal's names for `compare`.
    fn prepare_all(&self, proposal: &EntityProposal) -> Vec<Arc<NameKey>> {
        names_of(proposal).map(|name| self.prepare(name)).collect()
    }

    fn compare(&self, proposal: &EntityProposal, ours: &[Arc<NameKey>], known: &KnownEntity) -> Comparison {
        if let Some(comparison) = by_external_id(proposal, known) {
            return comparison;
        }
        let kinds = (kind_of(&proposal.kind), kind_of(&known.kind));
        let merged = known.merged_names.iter().map(Vec::as_slice);
        let groups = merged.chain(known.merged_names.is_empty().then_some(known.names.as_slice()));
        let best = groups.filter_map(|theirs| self.compare_names(ours, theirs, kinds)).max_by(by_certainty);
        best.unwrap_or_else(|| certain(names::Verdict::Different, "no names"))
    }

    fn compare_names(&self, ours: &[Arc<NameKey>], theirs: &[String], (one, other): NameKinds) -> Option<Comparison> {
        let kind = if one == other { one } else { None };
        let theirs: Vec<Arc<NameKey>> = theirs.iter().map(|name| self.prepare(name)).collect();
        let is_short =
            |name: &NameKey, names: &[Arc<NameKey>], kind| names.iter().any(|full| self.names.is_short_form(name, full, kind));
        let pairs = ours.iter().flat_map(|ours| theirs.iter().map(move |theirs| (ours, theirs)));
        let compared = pairs.map(|(a, b)| {
            let found = self.names.compare_keys(a, b, kind);
            if found.verdict != names::Verdict::Same {
                return Comparison::by_names(found);
            }
            if is_short(a, ours, one) || is_short(b, &theirs, other) {
                let found = Comparison::probable(SHORT_FORM_SCORE, Review::SHORT_FORM);
                return Comparison { is_by_short_form: true, ..found };
            }
            // A single word may name a person and a place.
            if a.words().count() < 2 && contradict(one, other) {
                return Comparison::probable(found.score.into(), Review::TWO_KINDS);
            }
            Comparison::by_names(found)
        });
        let compared: Vec<Comparison> = compared.collect();
        let is_by_short_form = compared.iter().any(|found| found.is_by_short_form);
        let best = compared.into_iter().max_by(by_certainty)?;
        Some(Comparison { is_by_short_form, ..best })
    }

    fn prepare(&self, name: &str) -> Arc<NameKey> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = prepared.get(name) {
            return key.clone();
        }
        if prepared.len() >= self.config.prepared_names {
            prepared.clear();
        }
        let key = Arc::new(self.names.normalise(name));
        prepared.insert(name.to_owned(), key.clone());
        key
    }
}

impl Resolve for Cascade {
    fn choose(&self, proposal: &EntityProposal, candidates: &[&KnownEntity]) -> Resolution {
        let ours = self.prepare_all(proposal);
        let compared = candidates.iter().map(|known| (*known, self.compare(proposal, &ours, known)));
        let mut compared: Vec<_> = compared.filter(|(_, found)| found.verdict != names::Verdict::Different).collect();
        compared.sort_by(best_first);
        let judged = |id| proposal.verdicts.iter().find(|judged| judged.entity_id == id);
        let is_same = |id| judged(id).is_some_and(|judged| judged.verdict == IdentityVerdict::Same);
        let matches = |known: &KnownEntity, found: &Comparison| found.verdict == names::Verdict::Same || is_same(known.id);
        let chosen = compared.iter().find(|(known, found)| matches(known, found)).map(|(known, _)| *known);
        if let Some(chosen) = chosen {
            compared.retain(|(known, found)| {
                let has_name = found.is_by_short_form || matches(known, found);
                known.id != chosen.id && has_name && !differ_by_id(known, chosen)
            });
        }
        let pairs = compared.into_iter().map(|(known, found)| probable(known.id, &found, judged(known.id)));
        let (open, told_apart): (Vec<_>, Vec<_>) = pairs.partition(|pair| pair.is_open);
        let most = proposal.review_ids.len();
        match chosen {
            Some(known) => Resolution::Use { id: known.id, others: open.into_iter().take(most).collect() },
            None => Resolution::Create { probable: open.into_iter().chain(told_apart).take(most).collect() },
        }
    }

    fn by_likeness(&self, likeness: f64) -> Option<IdentityVerdict> {
        match likeness {
            likeness if likeness < self.config.different_below => Some(IdentityVerdict::Different),
            likeness if likeness >= self.config.same_from => Some(IdentityVerdict::Same),
            _ => None,
        }
    }

    fn keys(&self, name: &str) -> Vec<String> {
        self.names.keys(&self.prepare(name))
    }

    fn is_exact(&self, key: &str) -> bool {
        self.names.is_exact(key)
    }

    fn agency_key(&self, agency: &str) -> String {
        self.names.agency_key(agency)
    }
}

fn probable(id: EntityId, found: &Comparison, judged: Option<&ResolutionVerdict>) -> ProbableMatch {
    let why = match judged {
        None => found.why.to_owned(),
        Some(ResolutionVerdict { verdict, reason, .. }) => {
            format!("{}{}{}: {reason}", found.why, Review::JUDGED, verdict.as_str())
        }
    };
    let is_open = judged.is_none_or(|judged| judged.verdict != IdentityVerdict::Different);
    ProbableMatch { id, score: found.score, why, is_open }
}

/// Orders the surest comparison last.
fn by_certainty(a: &Comparison, b: &Comparison) -> Ordering {
    a.verdict.cmp(&b.verdict).then_with(|| a.score.total_cmp(&b.score)).then_with(|| b.why.cmp(a.why))
}

/// Orders by certainty and score; ties by name, never by id.
fn best_first(a: &(&KnownEntity, Comparison), b: &(&KnownEntity, Comparison)) -> Ordering {
    let (a, b) = ((&a.1, &a.0.names), (&b.1, &b.0.names));
    b.0.verdict.cmp(&a.0.verdict).then_with(|| b.0.score.total_cmp(&a.0.score)).then_with(|| a.1.cmp(b.1))
}

fn names_of(proposal: &EntityProposal) -> impl Iterator<Item = &str> {
    std::iter::once(&proposal.name).chain(&proposal.aliases).map(String::as_str)
}

/// Returns whether two known entities have another id in the same system.
fn differ_by_id(one: &KnownEntity, other: &KnownEntity) -> bool {
    one.external_ids.iter().any(|(system, id)| other.external_ids.get(system).is_some_and(|theirs| theirs != id))
}

/// Compares external ids: a shared id decides; contradicting ids leave the decision to a judge.
fn by_external_id(proposal: &EntityProposal, known: &KnownEntity) -> Option<Comparison> {
    let shared = proposal.external_ids.iter().filter_map(|(system, id)| Some(known.external_ids.get(system)? == id));
    let agreeing: Vec<bool> = shared.collect();
    match (agreeing.contains(&true), agreeing.contains(&false)) {
        (true, false) => Some(certain(names::Verdict::Same, "the same id in another system")),
        (false, true) => Some(certain(names::Verdict::Different, "another id in the same system")),
        (true, true) => Some(Comparison::probable(0.5, Review::IDS_DISAGREE)),
        (false, false) => None,
    }
}

/// Kinds of the proposal and the known entity.
type NameKinds = (Option<NameKind>, Option<NameKind>);

/// Maps the free label of an entity to a kind of name.
fn kind_of(label: &str) -> Option<NameKind> {
    const LABELS: [(NameKind, &[&str]); 3] = [
        (NameKind::Person, &["person", "people", "human"]),
        (
            NameKind::Organisation,
            &["organisation", "organization", "company", "agency", "party", "group", "outlet", "government"],
        ),
        (NameKind::Place, &["place", "location", "city", "country", "region", "town", "village", "river"]),
    ];
    let label = label.trim().to_lowercase();
    LABELS.iter().find(|(_, labels)| labels.contains(&label.as_str())).map(|(kind, _)| *kind)
}

fn contradict(one: Option<NameKind>, other: Option<NameKind>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if (one == NameKind::Person) != (other == NameKind::Person))
}
