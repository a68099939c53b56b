//! Speakers of citations. Names of one person or organisation count once.

use crate::{
    EntityId,
    assessment::{Citation, Marker},
};
use std::collections::{BTreeMap, BTreeSet};

/// Returns one name for each speaker besides the outlets, in lower case.
pub fn speakers<'a>(citations: impl IntoIterator<Item = &'a Citation>) -> BTreeSet<String> {
    speaker_names(citations).into_values().collect()
}

/// Returns the speaker of each citation that has one besides its outlet, by the longest of the speaker's names in lower case.
///
/// Names are of one speaker where they are equal, or the graph has one entity for them. The end of a longer name is not enough: `Korea`
/// ends `North Korea`.
pub(super) fn speaker_names<'a>(citations: impl IntoIterator<Item = &'a Citation>) -> BTreeMap<Marker, String> {
    let named = citations.into_iter().filter_map(|citation| {
        let speaker = citation.speaker.as_deref()?.trim().to_lowercase();
        let is_other = !speaker.is_empty() && speaker != citation.source_name().to_lowercase();
        is_other.then_some((citation.marker, speaker, citation.speaker_entity))
    });
    let named: Vec<(Marker, String, Option<EntityId>)> = named.collect();
    let entities: BTreeMap<&str, EntityId> =
        named.iter().filter_map(|(_, name, entity)| Some((name.as_str(), (*entity)?))).collect();
    // The longest name of each entity.
    let mut longest: BTreeMap<EntityId, &str> = BTreeMap::new();
    for (name, entity) in &entities {
        let known = longest.entry(*entity).or_insert(name);
        if (name.chars().count(), *known) > (known.chars().count(), *name) {
            *known = *name;
        }
    }
    let of_entity = |name: &str| entities.get(name).and_then(|entity| longest.get(entity)).copied();
    let named = named.iter().map(|(marker, name, _)| (*marker, of_entity(name).unwrap_or(name).to_owned()));
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn citations(speakers: &[(&str, Option<u128>)]) -> Vec<Citation> {
        let first = crate::assessment::tests::complete().citations[0].clone();
        let numbered = (1..).zip(speakers);
        let citation = |(marker, (speaker, entity)): (Marker, &(&str, Option<u128>))| Citation {
            marker,
            speaker: Some((*speaker).to_owned()),
            speaker_entity: entity.map(|id| EntityId(uuid::Uuid::from_u128(id))),
            ..first.clone()
        };
        numbered.map(citation).collect()
    }

    #[test]
    fn the_end_of_a_name_is_another_speaker_unless_the_graph_has_one_entity_for_both() {
        for (short, whole) in [
            ("Korea", "North Korea"),
            ("Sudan", "South Sudan"),
            ("Guinea", "Equatorial Guinea"),
            ("Ireland", "Northern Ireland"),
            ("Ministry", "Interior Ministry"),
        ] {
            assert_eq!(speakers(&citations(&[(short, None), (whole, None)])).len(), 2, "{short}");
            assert_eq!(speakers(&citations(&[(short, None), (whole, Some(1))])).len(), 2, "{short}");
        }
        let merkel = citations(&[("Angela Merkel", Some(1)), ("Merkel", Some(1)), ("merkel", None)]);
        assert_eq!(Vec::from_iter(speakers(&merkel)), ["angela merkel"]);
    }

    #[test]
    fn names_of_one_entity_are_one_speaker() {
        let names =
            [("Health Authority", Some(1)), ("HA", Some(1)), ("the Authority", Some(1)), ("HA", None), ("Ministry", Some(2))];
        let found: Vec<String> = speakers(&citations(&names)).into_iter().collect();
        assert_eq!(found, ["health authority", "ministry"]);
    }
}
