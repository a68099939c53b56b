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
        merged_names: Vec::new(),
        kind: kind.into(),
        external_ids: BTreeMap::new(),
    }
}

fn uses(id: u128) -> Resolution {
    Resolution::Use { id: EntityId(Uuid::from_u128(id)), others: Vec::new() }
}

fn with_id(system: &str, id: &str) -> BTreeMap<String, String> {
    BTreeMap::from([(system.to_owned(), id.to_owned())])
}

#[test]
fn the_same_name_is_the_same_entity() {
    let choice = Cascade::default().choose(&proposal("RADIO EBRIN", "outlet"), &[&known_entity(9, "Radio Ebrin", "outlet")]);
    assert_eq!(choice, uses(9));
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
    assert_eq!(choice, uses(9));
    assert_eq!(Cascade::default().choose(&ours, &[&other]), Resolution::Create { probable: Vec::new() });
}

#[test]
fn names_of_unlike_kinds_are_no_pair() {
    for (name, kind, other, theirs) in [
        ("Washington", "person", "Washington", "place"),
        ("Halvek", "country", "Halvek", "political party"),
        ("Halvek", "trading port", "Halvek", "savings bank"),
        ("Robert Castellan", "person", "Roberto Castellan", "company"),
    ] {
        let choice = Cascade::default().choose(&proposal(name, kind), &[&known_entity(9, other, theirs)]);
        assert_eq!(choice, Resolution::Create { probable: Vec::new() }, "{name}, {kind} and {theirs}");
    }
    let barracks = known_entity(9, "Halvek Barracks", "place");
    assert_eq!(
        Cascade::default().choose(&proposal("Halvek Barracks", "organisation"), &[&barracks]),
        uses(9),
        "a full name is"
    );
}

#[test]
fn equal_names_of_one_kind_are_one_unless_the_graph_knows_two() {
    let cascade = Cascade::default();
    let bbc = known_as(9, &["BBC", "British Broadcasting Corporation"], "outlet");
    let other = known_as(8, &["BBC", "Balkan Business Channel"], "outlet");
    assert_eq!(cascade.choose(&proposal("BBC", "outlet"), &[&bbc]), uses(9));
    let mut ours = proposal("BBC", "outlet");
    ours.aliases = vec!["British Broadcasting Corp.".into()];
    assert_eq!(cascade.choose(&ours, &[&known_entity(9, "BBC", "organisation")]), uses(9));
    let is_open = |ours: &EntityProposal, known: &[&KnownEntity]| {
        let Resolution::Create { probable } = cascade.choose(ours, known) else { panic!("{:?} merged", ours.name) };
        assert_eq!(probable.iter().filter(|pair| pair.is_open).count(), known.len(), "{probable:?}");
    };
    is_open(&proposal("BBC", "outlet"), &[&bbc, &other]);
    is_open(&ours, &[&other]);
    let with = |id: u128, system: &str| KnownEntity {
        external_ids: with_id("wikidata", system),
        ..known_entity(id, "Ana Morel", "person")
    };
    is_open(&proposal("Ana Morel", "person"), &[&with(7, "Q1"), &with(6, "Q2")]);
    let mut ours = proposal("Ana Morel", "person");
    ours.external_ids = with_id("wikidata", "Q2");
    assert_eq!(cascade.choose(&ours, &[&with(7, "Q1"), &with(6, "Q2")]), uses(6), "its id tells which");
}

#[test]
fn a_loosely_equal_name_is_merged_unless_another_name_contradicts() {
    let cascade = Cascade::default();
    let person = |id, names: &[&str]| known_as(id, names, "person");
    let slip = proposal("Tomas Kestravelli", "person");
    assert_eq!(cascade.choose(&slip, &[&person(9, &["Tomas Kestrevelli"])]), uses(9));
    let is_open = |ours: &EntityProposal, known: &[&KnownEntity]| {
        let choice = cascade.choose(ours, known);
        assert!(matches!(&choice, Resolution::Create { probable } if !probable.is_empty()), "{choice:?}");
    };
    is_open(&slip, &[&person(9, &["Tomas Kestrevelli"]), &person(8, &["Tomas Kestravilli"])]);
    is_open(&proposal("章伟明", "person"), &[&person(9, &["张伟明", "Zhang Weiming"])]);
    is_open(&proposal("Tomas Orrin Kestravel", "person"), &[&person(9, &["Tomas Halvek Kestravel", "Tomas Kestravel"])]);
}

fn known_as(id: u128, names: &[&str], kind: &str) -> KnownEntity {
    KnownEntity { names: names.iter().map(|name| (*name).into()).collect(), ..known_entity(id, "", kind) }
}

#[track_caller]
fn assert_only_proposed(names: &[&str], known: &KnownEntity) {
    let mut ours = proposal(names[0], &known.kind);
    ours.aliases = names[1..].iter().map(|name| (*name).into()).collect();
    let Resolution::Create { probable } = Cascade::default().choose(&ours, &[known]) else { panic!("{names:?} merged") };
    let [ProbableMatch { is_open: true, why, .. }] = &probable[..] else { panic!("{names:?}: {probable:?}") };
    let expected = ["only a short form is the same", "an acronym and its long form"];
    assert!(expected.contains(&why.as_str()), "{names:?}: {why}");
}

#[test]
fn a_short_form_merges_nothing_with_a_fuller_name() {
    let robert = known_as(9, &["Castellan", "Robert Castellan"], "person");
    assert_only_proposed(&["Ana Castellan", "Castellan"], &robert);
    assert_only_proposed(&["Castellan"], &robert);
    assert_only_proposed(&["Ana Castellan", "Castellan"], &known_as(9, &["Castellan"], "person"));
    let board = known_as(9, &["FSB", "Financial Stability Board"], "organisation");
    assert_only_proposed(&["FSB", "Federal Security Service"], &board);
    let court = known_as(9, &["Supreme Court", "Supreme Court of Orrin"], "organisation");
    assert_only_proposed(&["Supreme Court of Halvek", "Supreme Court"], &court);
    assert_eq!(
        Cascade::default().choose(&proposal("Castellan", "person"), &[&known_entity(9, "Castellan", "person")]),
        uses(9)
    );
    let mut ours = proposal("R. Castellan", "person");
    ours.aliases = vec!["Castellan".into(), "Robert Castellan".into()];
    assert_eq!(Cascade::default().choose(&ours, &[&robert]), uses(9), "the full name is the same");
    let full = known_as(9, &["Alexander Boris Kalden", "Boris Kalden"], "person");
    assert_eq!(Cascade::default().choose(&proposal("Boris Kalden", "person"), &[&full]), uses(9));
}

#[test]
fn a_short_form_that_a_merged_entity_had_alone_is_its_name() {
    let mut robert = known_as(9, &["Castellan", "Robert Castellan"], "person");
    robert.merged_names = vec![robert.names.clone(), vec!["Castellan".into()]];
    assert_eq!(Cascade::default().choose(&proposal("Castellan", "person"), &[&robert]), uses(9));
}

#[test]
fn other_known_entities_of_one_name_are_proposed() {
    let one = known_entity(9, "Halvek Front", "group");
    let other = known_entity(8, "HALVEK FRONT", "group");
    let front = known_as(7, &["Halvek Front", "Halvek Front of Orrin"], "group");
    let choice = Cascade::default().choose(&proposal("Halvek Front", "group"), &[&one, &other, &front]);
    let Resolution::Use { id, others } = choice else { panic!("{choice:?}") };
    let others: Vec<EntityId> = others.iter().map(|other| other.id).collect();
    assert_eq!((id, others), (other.id, vec![one.id, front.id]));
}

#[test]
fn a_fuller_name_of_the_chosen_acronym_is_proposed_unless_ids_differ() {
    let short = known_entity(9, "FMLN", "party");
    let mut full = known_as(8, &["FMLN", "Farabundo Marti National Liberation Front"], "party");
    let Resolution::Use { id, others } = Cascade::default().choose(&proposal("FMLN", "party"), &[&short, &full]) else {
        panic!()
    };
    assert_eq!((id, others.iter().map(|other| other.id).collect()), (short.id, vec![full.id]));
    full.external_ids = with_id("wikidata", "Q1");
    let other = KnownEntity { external_ids: with_id("wikidata", "Q2"), ..short };
    assert_eq!(Cascade::default().choose(&proposal("FMLN", "party"), &[&other, &full]), uses(9));
}

fn verdict(entity_id: EntityId, verdict: IdentityVerdict) -> ResolutionVerdict {
    ResolutionVerdict { entity_id, verdict, reason: "so".into() }
}

#[test]
fn a_verdict_decides_what_is_probable() {
    let cascade = Cascade::default();
    let robert = known_entity(9, "Robert Castellan", "person");
    let candidates = [&robert];
    let mut ours = proposal("R. Castellan", "person");
    ours.verdicts = vec![verdict(candidates[0].id, IdentityVerdict::Same)];
    assert_eq!(cascade.choose(&ours, &candidates), uses(9));
    ours.verdicts = vec![verdict(candidates[0].id, IdentityVerdict::Different)];
    let Resolution::Create { probable } = cascade.choose(&ours, &candidates) else { panic!() };
    let [ProbableMatch { is_open: false, why, .. }] = &probable[..] else { panic!("{probable:?}") };
    assert_eq!(why, "initials agree; judged different: so");
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
