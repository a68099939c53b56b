use super::*;
use domain::{EntityId, ReviewId};
use std::collections::BTreeMap;
use uuid::Uuid;

fn proposal(name: &str, kind: &str) -> EntityProposal {
    EntityProposal {
        id: EntityId(Uuid::from_u128(1)),
        review_ids: vec![ReviewId(Uuid::from_u128(2)), ReviewId(Uuid::from_u128(3))],
        name: name.into(),
        aliases: Vec::new(),
        kind: kind.into(),
        is_stub: true,
        external_ids: BTreeMap::new(),
        verdicts: Vec::new(),
        claims: Vec::new(),
    }
}

fn known_entity(id: u128, name: &str, kind: &str) -> KnownEntity {
    KnownEntity {
        id: EntityId(Uuid::from_u128(id)),
        names: vec![name.into()],
        kind: kind.into(),
        external_ids: BTreeMap::new(),
    }
}

fn with_id(system: &str, id: &str) -> BTreeMap<String, String> {
    BTreeMap::from([(system.to_owned(), id.to_owned())])
}

#[test]
fn the_same_name_is_the_same_entity() {
    let choice = Cascade::default().choose(&proposal("RADIO EBRIN", "outlet"), &[&known_entity(9, "Radio Ebrin", "outlet")]);
    assert_eq!(choice, Resolution::Use(EntityId(Uuid::from_u128(9))));
}

#[test]
fn an_id_in_another_system_decides_either_way() {
    let mut ours = proposal("Kestra Press", "outlet");
    ours.external_ids = with_id("wikidata", "Q1");
    let mut same = known_entity(9, "Quite another name", "outlet");
    same.external_ids = with_id("wikidata", "Q1");
    let mut other = known_entity(8, "Kestra Press", "outlet");
    other.external_ids = with_id("wikidata", "Q2");
    let choice = Cascade::default().choose(&ours, &[&other, &same]);
    assert_eq!(choice, Resolution::Use(EntityId(Uuid::from_u128(9))));
    assert_eq!(Cascade::default().choose(&ours, &[&other]), Resolution::Create { probable: Vec::new() });
}

#[test]
fn a_single_name_of_a_person_and_a_place_is_only_probable() {
    let choice = Cascade::default().choose(&proposal("Washington", "person"), &[&known_entity(9, "Washington", "place")]);
    assert!(matches!(&choice, Resolution::Create { probable } if probable.len() == 1), "{choice:?}");
}

fn verdict(entity_id: EntityId, verdict: IdentityVerdict) -> ResolutionVerdict {
    ResolutionVerdict { entity_id, verdict, reason: "so".into() }
}

#[test]
fn a_verdict_decides_what_is_probable() {
    let cascade = Cascade::default();
    let washington = known_entity(9, "Washington", "place");
    let candidates = [&washington];
    let mut ours = proposal("Washington", "person");
    ours.verdicts = vec![verdict(candidates[0].id, IdentityVerdict::Same)];
    assert_eq!(cascade.choose(&ours, &candidates), Resolution::Use(candidates[0].id));
    ours.verdicts = vec![verdict(candidates[0].id, IdentityVerdict::Different)];
    let Resolution::Create { probable } = cascade.choose(&ours, &candidates) else { panic!() };
    let [ProbableMatch { is_open: false, why, .. }] = &probable[..] else { panic!("{probable:?}") };
    assert_eq!(why, "one name, two kinds of thing; judged different: so");
    ours.verdicts = vec![verdict(candidates[0].id, IdentityVerdict::Unsure)];
    let Resolution::Create { probable } = cascade.choose(&ours, &candidates) else { panic!() };
    assert!(probable[0].is_open);
}

#[test]
fn the_order_of_candidates_does_not_matter() {
    let cascade = Cascade::default();
    let known = [
        known_entity(9, "Front of Halvek", "group"),
        known_entity(8, "Halvek Front", "group"),
        known_entity(7, "HALVEK FRONT", "group"),
    ];
    let mut candidates: Vec<&KnownEntity> = known.iter().collect();
    let ours = proposal("Halvek Front", "group");
    let first = cascade.choose(&ours, &candidates);
    candidates.reverse();
    assert_eq!(cascade.choose(&ours, &candidates), first);
}
