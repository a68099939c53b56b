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
/// Names are of one speaker where the graph has one entity for them, or where one is the end of a single other: `Simpson` of
/// `Charles Simpson`.
pub(super) fn speaker_names<'a>(citations: impl IntoIterator<Item = &'a Citation>) -> BTreeMap<Marker, String> {
    let named = citations.into_iter().filter_map(|citation| {
        let speaker = citation.speaker.as_deref()?.trim().to_lowercase();
        let is_other = !speaker.is_empty() && speaker != citation.source_name().to_lowercase();
        is_other.then_some((citation.marker, speaker, citation.speaker_entity))
    });
    let named: Vec<(Marker, String, Option<EntityId>)> = named.collect();
    let names: BTreeSet<&str> = named.iter().map(|(_, name, _)| name.as_str()).collect();
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
    let resolve = |name: &str| {
        if let Some(known) = of_entity(name) {
            return known.to_owned();
        }
        let longer = names.iter().filter(|other| is_end_of(name, other));
        // The longest of those that are ends of one another.
        let longer: BTreeSet<&str> = longer.map(|other| of_entity(other).unwrap_or(other)).collect();
        let last = longer.iter().find(|one| longer.iter().all(|other| other == *one || is_end_of(other, one)));
        last.map_or_else(|| name.to_owned(), |one| (*one).to_owned())
    };
    named.iter().map(|(marker, name, _)| (*marker, resolve(name))).collect()
}

/// Whether a name is the last words of a longer one.
fn is_end_of(name: &str, longer: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (name, longer) = (words(name), words(longer));
    !name.is_empty() && name.len() < longer.len() && longer.ends_with(&name)
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
    fn a_family_name_is_the_speaker_whose_full_name_it_ends() {
        let names = [
            ("Charles Simpson", None),
            ("Simpson", None),
            ("Dr. Charles Simpson", None),
            ("Police", None),
            ("Police union", None),
        ];
        let found: Vec<String> = speakers(&citations(&names)).into_iter().collect();
        assert_eq!(found, ["dr. charles simpson", "police", "police union"]);
        let two = [("Ann Simpson", None), ("Charles Simpson", None), ("Simpson", None)];
        assert_eq!(speakers(&citations(&two)).len(), 3, "it may be either");
    }

    #[test]
    fn names_of_one_entity_are_one_speaker() {
        let names =
            [("Health Authority", Some(1)), ("HA", Some(1)), ("the Authority", Some(1)), ("HA", None), ("Ministry", Some(2))];
        let found: Vec<String> = speakers(&citations(&names)).into_iter().collect();
        assert_eq!(found, ["health authority", "ministry"]);
    }
}
