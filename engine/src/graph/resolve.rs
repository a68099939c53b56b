//! Entity resolution cascade: external ids, names, then earlier verdicts of slower stages.
//!
//! Invariant: only certainty or a judge's verdict merges two entities. A probable match creates a new entity and a review. A short
//! form is no certainty beside a fuller name, but for acronyms of `names.acronym_same_letters` letters and for the only entity that
//! has this name and kind. Names that agree loosely are one unless another name or another entity speaks against it.

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

domain::settings! {
    /// Configuration of resolution; `names::NameConfig` configures names.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct ResolveConfig {
        /// Similarity of descriptions below which a probable pair is two entities.
        pub different_below: f64 = 0.2,
        /// Similarity of descriptions from which a probable pair is one entity. Above 1 (the default): never, because "Fund II" and
        /// "Fund III" are nearly identical vectors.
        pub same_from: f64 = 1.1,
        /// Size of the cache of prepared names.
        pub prepared_names: usize = 20_000,
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
    /// Whether it is one only as long as no other entity matches.
    is_only_if_sole: bool,
}

/// Score of a pair that has only a short form in common.
const SHORT_FORM_SCORE: f64 = 0.75;

impl Comparison {
    fn by_names(found: names::NameMatch) -> Self {
        Self {
            verdict: found.verdict,
            score: found.score.into(),
            why: found.why,
            is_by_short_form: false,
            is_only_if_sole: found.is_loose,
        }
    }

    const fn probable(score: f64, why: &'static str) -> Self {
        Self { verdict: names::Verdict::Probable, score, why, is_by_short_form: false, is_only_if_sole: false }
    }

    /// The same comparison, if other names or entities speak against it.
    fn into_probable(self) -> Self {
        match self.verdict {
            names::Verdict::Same => Self { verdict: names::Verdict::Probable, ..self },
            _ => self,
        }
    }
}

const fn certain(verdict: names::Verdict, why: &'static str) -> Comparison {
    let score = if matches!(verdict, names::Verdict::Same) { 2.0 } else { 0.0 };
    Comparison { verdict, score, why, is_by_short_form: false, is_only_if_sole: false }
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
        let is_one_kind = proposal.kind.eq_ignore_ascii_case(&known.kind) || (kinds.0.is_some() && kinds.0 == kinds.1);
        let merged = known.merged_names.iter().map(Vec::as_slice);
        let groups = merged.chain(known.merged_names.is_empty().then_some(known.names.as_slice()));
        let best = groups.filter_map(|theirs| self.compare_names(ours, theirs, kinds, is_one_kind)).max_by(by_certainty);
        best.unwrap_or_else(|| certain(names::Verdict::Different, "no names"))
    }

    fn compare_names(
        &self,
        ours: &[Arc<NameKey>],
        theirs: &[String],
        (one, other): NameKinds,
        is_one_kind: bool,
    ) -> Option<Comparison> {
        let kind = if one == other { one } else { None };
        let are_unlike = one.is_some() && other.is_some() && one != other;
        let theirs: Vec<Arc<NameKey>> = theirs.iter().map(|name| self.prepare(name)).collect();
        let is_short =
            |name: &NameKey, names: &[Arc<NameKey>], kind| names.iter().any(|full| self.names.is_short_form(name, full, kind));
        let pairs = ours.iter().flat_map(|ours| theirs.iter().map(move |theirs| (ours, theirs)));
        let compared = pairs.map(|(a, b)| {
            let found = self.names.compare_keys(a, b, kind);
            // A person and a place, or a place and a party, have one name by chance, if it is only one word.
            if are_unlike && (found.verdict != names::Verdict::Same || a.words().count() < 2) {
                return certain(names::Verdict::Different, "another kind of thing");
            }
            if found.verdict != names::Verdict::Same {
                return Comparison::by_names(found);
            }
            if is_short(a, ours, one) || is_short(b, &theirs, other) {
                let short = Comparison::probable(SHORT_FORM_SCORE, Review::SHORT_FORM);
                let short = Comparison { is_by_short_form: true, ..short };
                let is_surname = one == Some(NameKind::Person) && a.words().count() < 2;
                let is_one = is_one_kind && !is_surname && a.folded == b.folded && Arc::ptr_eq(a, &ours[0]);
                if is_one && !self.longer_names_differ(a, ours, &theirs, kind) {
                    return Comparison { verdict: names::Verdict::Same, is_only_if_sole: true, ..short };
                }
                return short;
            }
            let found = Comparison::by_names(found);
            if found.is_only_if_sole && !self.all_agree(a, b, ours, &theirs, kind) { found.into_probable() } else { found }
        });
        let compared: Vec<Comparison> = compared.collect();
        let is_by_short_form = compared.iter().any(|found| found.is_by_short_form);
        let best = compared.into_iter().max_by(by_certainty)?;
        Some(Comparison { is_by_short_form, ..best })
    }

    /// Returns whether both sides have longer names beside an equal one, and none of one side may be one of the other: two FSBs.
    fn longer_names_differ(
        &self,
        equal: &NameKey,
        ours: &[Arc<NameKey>],
        theirs: &[Arc<NameKey>],
        kind: Option<NameKind>,
    ) -> bool {
        let is_longer = |name: &&Arc<NameKey>| name.words().count() > equal.words().count();
        let longer = |names: &[Arc<NameKey>]| names.iter().filter(is_longer).cloned().collect::<Vec<_>>();
        let (ours, theirs) = (longer(ours), longer(theirs));
        let agree =
            |one: &NameKey, other: &NameKey| self.names.compare_keys(one, other, kind).verdict != names::Verdict::Different;
        !ours.is_empty() && !theirs.is_empty() && !ours.iter().any(|one| theirs.iter().any(|other| agree(one, other)))
    }

    /// Returns whether every other name of either side is the same as the loosely equal ones. Short forms say nothing.
    fn all_agree(
        &self,
        one: &NameKey,
        other: &NameKey,
        ours: &[Arc<NameKey>],
        theirs: &[Arc<NameKey>],
        kind: Option<NameKind>,
    ) -> bool {
        let agrees = |a: &NameKey, b: &NameKey| {
            self.names.compare_keys(a, b, kind).verdict == names::Verdict::Same || self.names.is_short_form(b, a, kind)
        };
        theirs.iter().all(|name| agrees(one, name)) && ours.iter().all(|name| agrees(other, name))
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
        if is_undecided(&compared) {
            compared = compared.into_iter().map(|(known, found)| (known, found.into_probable())).collect();
        }
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

/// Returns whether the graph knows several entities of the name: the surest match is one only if it is the sole one, or ids in other
/// systems tell it from another that matches as surely.
fn is_undecided(compared: &[(&KnownEntity, Comparison)]) -> bool {
    let is_same = |found: &Comparison| found.verdict == names::Verdict::Same;
    let is_by_names = |found: &Comparison| is_same(found) && found.score <= 1.0;
    let Some(((first, surest), others)) = compared.split_first().filter(|((_, found), _)| is_by_names(found)) else {
        return false;
    };
    others.iter().any(|(known, found)| {
        let has_name = is_same(found) || found.is_by_short_form;
        let is_as_sure = is_same(found) && !found.is_only_if_sole;
        (surest.is_only_if_sole && has_name) || (is_as_sure && differ_by_id(first, known))
    })
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
pub fn kind_of(label: &str) -> Option<NameKind> {
    const LABELS: [(NameKind, &[&str]); 3] = [
        (NameKind::Person, &["person", "people", "human"]),
        (
            NameKind::Organisation,
            &[
                "organisation",
                "organization",
                "company",
                "agency",
                "party",
                "group",
                "outlet",
                "government",
                "ministry",
                "newspaper",
                "bank",
            ],
        ),
        (
            NameKind::Place,
            &[
                "place", "location", "city", "country", "region", "town", "village", "river", "province", "island", "port",
                "district", "sea",
            ],
        ),
    ];
    // "Political party", "armed group".
    let label = label.trim().to_lowercase();
    let label = label.split_whitespace().next_back()?;
    LABELS.iter().find(|(_, labels)| labels.contains(&label)).map(|(kind, _)| *kind)
}
