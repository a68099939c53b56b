//! Places of an assessment that rest on a citation.

use super::{Body, Marker, markers_in};
use std::collections::BTreeMap;

/// Place that uses a citation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitationUse {
    /// `J1`, `H2`, or the name of a section.
    pub place: String,
    /// Anchor on the Analysis tab.
    pub anchor: String,
}

impl Body {
    /// Returns the places that use each citation, in the order of the report.
    pub fn uses(&self) -> BTreeMap<Marker, Vec<CitationUse>> {
        let mut uses: BTreeMap<Marker, Vec<CitationUse>> = BTreeMap::new();
        let mut add = |marker: Marker, place: String, anchor: &str| {
            let places = uses.entry(marker).or_default();
            if !places.iter().any(|other| other.place == place) {
                places.push(CitationUse { place, anchor: anchor.to_lowercase() });
            }
        };
        for judgement in &self.key_judgements {
            let basis = judgement.confidence.iter().flat_map(|confidence| markers_in(&confidence.basis));
            for marker in judgement.citations.iter().copied().chain(markers_in(&judgement.statement)).chain(basis) {
                add(marker, judgement.id.clone(), &judgement.id);
            }
        }
        for hypothesis in &self.hypotheses {
            for marker in &hypothesis.supporting {
                add(*marker, format!("{} for", hypothesis.id), &hypothesis.id);
            }
            for marker in &hypothesis.against {
                add(*marker, format!("{} against", hypothesis.id), &hypothesis.id);
            }
        }
        let argument = &self.argument;
        for actor in &argument.actors {
            let texts = [Some(&actor.interests), actor.means.as_ref(), actor.limits.as_ref()].into_iter().flatten();
            for marker in actor.citations.iter().copied().chain(texts.flat_map(|text| markers_in(text))) {
                add(marker, "actors".to_owned(), "actors");
            }
        }
        for event in &argument.chronology {
            for marker in event.citations.iter().copied().chain(markers_in(&event.event)) {
                add(marker, "chronology".to_owned(), "chronology");
            }
        }
        for one in &argument.disagreements {
            let sides = one.sides.iter().flat_map(|side| side.citations.iter().copied().chain(markers_in(&side.text)));
            for marker in sides.chain(markers_in(&one.weighing)) {
                add(marker, "disagreements".to_owned(), "disagreements");
            }
        }
        let ranges = argument.ranges.iter().map(|range| &range.citations);
        for marker in ranges.chain(argument.base_rate.iter().map(|rate| &rate.citations)).flatten() {
            add(*marker, "figures".to_owned(), "figures");
        }
        for cause in &self.causes {
            for marker in cause.citations.iter().copied().chain(markers_in(&cause.mechanism)) {
                add(marker, "causes".to_owned(), "causes");
            }
        }
        for impact in &self.impacts {
            for marker in impact.citations.iter().copied().chain(markers_in(&impact.effect)) {
                add(marker, "impacts".to_owned(), "impacts");
            }
        }
        for marker in markers_in(&self.analysis) {
            add(marker, "analysis".to_owned(), "analysis");
        }
        uses
    }
}

#[cfg(test)]
mod tests {
    use crate::assessment::Assessment;

    #[test]
    fn a_citation_is_used_where_a_judgement_or_hypothesis_names_it() {
        let complete: Assessment = serde_json::from_str(include_str!("tests/complete.json")).unwrap();
        let uses = complete.body.uses();
        let judgement = &complete.body.key_judgements[0];
        let marker = judgement.citations[0];
        assert!(uses[&marker].iter().any(|one| one.place == judgement.id && one.anchor == judgement.id.to_lowercase()));
        assert!(uses.keys().all(|marker| complete.markers().contains(marker)), "{uses:?}");
    }
}
