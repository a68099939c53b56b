//! Entities that cited claims name, in which speakers are looked up.

use crate::{graph::resolve::kind_of, names::NameKind};
use domain::{EntityId, entity::Entity, text::words};
use std::collections::{BTreeMap, BTreeSet};

/// Words between somebody's role and the name of another: the spokesman for Angela Merkel.
const OF_ANOTHER: [&str; 16] =
    ["of", "for", "to", "with", "against", "from", "by", "von", "für", "der", "des", "gegen", "de", "d", "du", "pour"];

/// Names of entities in lower case.
#[derive(Debug, Default)]
pub(super) struct NamedEntities {
    names: BTreeMap<EntityId, BTreeSet<String>>,
    persons: BTreeSet<EntityId>,
}

impl NamedEntities {
    pub fn new(entities: &[Entity]) -> Self {
        let mut named = Self::default();
        for entity in entities {
            let names = std::iter::once(&entity.canonical_name).chain(&entity.aliases);
            named.add(entity.id, &entity.kind, names.map(String::as_str));
        }
        named
    }

    fn add<'a>(&mut self, id: EntityId, kind: &str, names: impl IntoIterator<Item = &'a str>) {
        self.names.insert(id, names.into_iter().map(str::to_lowercase).collect());
        if kind_of(kind) == Some(NameKind::Person) {
            self.persons.insert(id);
        }
    }

    /// Returns the entity of a speaker: one of the claim with this name, else the only one that has it, else the only person who is
    /// called so by family name or with a title. Places and organisations keep their whole names: Korea is not North Korea. Capitals
    /// alone are no family name: the UN is not Kim Jong Un.
    pub fn speaker(&self, speaker: &str, of_claim: &[EntityId]) -> Option<EntityId> {
        let written = speaker.trim();
        let speaker = written.to_lowercase();
        let has_name = |id: &EntityId| self.names.get(id).is_some_and(|names| names.contains(&speaker));
        if let Some(own) = of_claim.iter().copied().find(has_name) {
            return Some(own);
        }
        let named: Vec<EntityId> = self.names.keys().copied().filter(has_name).collect();
        if !named.is_empty() {
            return only(&named);
        }
        if written.chars().any(char::is_uppercase) && !written.chars().any(char::is_lowercase) {
            return None;
        }
        let is_called = |id: &EntityId| {
            let names = self.names.get(id);
            names.is_some_and(|names| names.iter().any(|name| is_form_of_name(&speaker, name)))
        };
        only(&self.persons.iter().copied().filter(is_called).collect::<Vec<_>>())
    }
}

fn only(ids: &[EntityId]) -> Option<EntityId> {
    match ids {
        [one] => Some(*one),
        _ => None,
    }
}

/// Returns whether a person is named by the end of the name, or by the whole of it behind a title: `merkel` or
/// `chancellor angela merkel` of `angela merkel`, but not `spokesman for angela merkel`.
fn is_form_of_name(form: &str, name: &str) -> bool {
    let (form, name): (Vec<&str>, Vec<&str>) = (words(form).collect(), words(name).collect());
    let is_end = !form.is_empty() && form.len() < name.len() && name.ends_with(&form);
    let title = form.as_slice().strip_suffix(name.as_slice());
    let is_title = |before: &[&str]| !before.iter().any(|word| OF_ANOTHER.contains(word));
    is_end || (name.len() > 1 && title.is_some_and(is_title))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn id(number: u128) -> EntityId {
        EntityId(Uuid::from_u128(number))
    }

    fn named(entities: &[(u128, &str, &[&str])]) -> NamedEntities {
        let mut named = NamedEntities::default();
        for (number, kind, names) in entities {
            named.add(id(*number), kind, names.iter().copied());
        }
        named
    }

    #[test]
    fn a_family_name_or_a_title_names_the_only_person_who_has_it() {
        let named =
            named(&[(1, "person", &["Angela Merkel"]), (2, "person", &["Ann Simpson"]), (3, "person", &["Charles Simpson"])]);
        for form in ["Merkel", "angela merkel", "Chancellor Angela Merkel", " Merkel "] {
            assert_eq!(named.speaker(form, &[]), Some(id(1)), "{form}");
        }
        assert_eq!(named.speaker("Simpson", &[]), None, "it may be either");
        assert_eq!(named.speaker("Angela", &[]), None, "a given name is no family name");
        for other in ["Spokesman for Angela Merkel", "Lawyers of Angela Merkel", "Sprecher von Angela Merkel", "MERKEL"] {
            assert_eq!(named.speaker(other, &[]), None, "{other}");
        }
        assert_eq!(named.speaker("", &[]), None);
    }

    #[test]
    fn capitals_are_an_organisation_and_no_family_name() {
        let named = named(&[(1, "person", &["Kim Jong Un"])]);
        assert_eq!(named.speaker("UN", &[]), None);
        assert_eq!(named.speaker("KIM JONG UN", &[]), Some(id(1)), "the whole name is");
    }

    #[test]
    fn names_of_places_and_organisations_are_not_shortened() {
        let named = named(&[
            (1, "country", &["North Korea"]),
            (2, "country", &["South Sudan"]),
            (3, "country", &["Equatorial Guinea"]),
            (4, "region", &["Northern Ireland"]),
            (5, "organisation", &["Police union"]),
            (6, "thing", &["State Radio"]),
        ]);
        for form in ["Korea", "Sudan", "Guinea", "Ireland", "Union", "Radio", "Democratic North Korea"] {
            assert_eq!(named.speaker(form, &[]), None, "{form}");
        }
        assert_eq!(named.speaker("North Korea", &[]), Some(id(1)));
    }

    #[test]
    fn the_entity_of_the_claim_goes_before_others_of_one_name() {
        let named = named(&[(1, "company", &["Halden"]), (2, "person", &["Ida Halden"]), (3, "place", &["Halden"])]);
        assert_eq!(named.speaker("Halden", &[id(3)]), Some(id(3)));
        assert_eq!(named.speaker("Halden", &[]), None, "two have this very name");
    }
}
