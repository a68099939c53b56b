//! Numbers of claims by month, outlet and mode, and the uses of a claim.

use super::fixture::{DocumentWrite, GraphFixture, collection, day, id, mention};
use domain::{CollectionId, EntityId, MergeId, Scope, claim::Mode};
use engine::graph::{ClaimNumbers, ClaimUse, ClaimUses, EntityRef};

fn months(numbers: &ClaimNumbers) -> Vec<(&str, u64)> {
    numbers.months.iter().map(|(month, claims)| (month.as_str(), *claims)).collect()
}

/// Writes two claims of March and one without a date about the front, all by the wire; returns both ids.
async fn write_report(fixture: &GraphFixture, home: CollectionId) -> (EntityId, EntityId) {
    let mut sheet = DocumentWrite::new(home, "a");
    let front = sheet.entity("Halvek Front", "group");
    let wire = sheet.entity("Orrin Wire", "outlet");
    sheet.write.outlet = Some(EntityRef::New(wire));
    for (content, mode, date) in [
        ("They met.", Mode::Asserted, Some("2031-03-01")),
        ("They did not pay.", Mode::Denied, Some("2031-03-31")),
        ("They paid.", Mode::Alleged, None),
    ] {
        let claim = sheet.claim(content, &[front]);
        sheet.write.claims[claim].mode = mode;
        sheet.write.claims[claim].published = date.map(day);
    }
    let written = fixture.write(&sheet).await;
    (written.entities[front].id, written.entities[wire].id)
}

pub async fn claims_are_counted_by_month_outlet_and_mode(fixture: &GraphFixture) {
    let (home, elsewhere) = (collection(), collection());
    let scope = Scope::from(home);
    let (front, wire) = write_report(fixture, home).await;
    let mut later = mention(home, "b", "Halvek Front", "They met again.");
    later.write.claims[0].published = Some(day("2031-11-05"));
    fixture.write(&later).await;
    fixture.write(&mention(elsewhere, "c", "Halvek Front", "They hid.")).await;

    let about = fixture.graph.claim_numbers(&scope, front, false).await.unwrap();
    assert_eq!(months(&about), [("2031-03", 2), ("2031-11", 1)]);
    let by_wire = [Mode::Asserted, Mode::Denied, Mode::Alleged].map(|mode| (Some(wire), mode, 1));
    assert_eq!(about.outlets, [vec![(None, Mode::Asserted, 1)], by_wire.to_vec()].concat());
    let published = fixture.graph.claim_numbers(&scope, wire, true).await.unwrap();
    assert_eq!((months(&published), &published.outlets[..]), (vec![("2031-03", 2)], &by_wire[..]));
    let nothing = ClaimNumbers::default();
    assert_eq!(fixture.graph.claim_numbers(&scope, wire, false).await.unwrap(), nothing);
    assert_eq!(fixture.graph.claim_numbers(&Scope::from(collection()), front, false).await.unwrap(), nothing);
    assert_eq!(fixture.graph.claim_numbers(&scope, EntityId(id()), false).await.unwrap(), nothing);
}

pub async fn claims_of_merged_entities_are_counted_once(fixture: &GraphFixture) {
    let home = collection();
    let scope = Scope::from(home);
    let (front, wire) = write_report(fixture, home).await;
    let mut sheet = DocumentWrite::new(home, "b");
    let [league, radio] = [("Kestra League", "group"), ("Radio Ebrin", "outlet")].map(|(name, kind)| sheet.entity(name, kind));
    let again = sheet.entity("Halvek Front", "group");
    sheet.write.outlet = Some(EntityRef::New(radio));
    sheet.claim("The league and the front met.", &[league, again]);
    let written = fixture.write(&sheet).await;
    let [league, radio] = [league, radio].map(|index| written.entities[index].id);
    for (survivor, merged) in [(front, league), (wire, radio)] {
        fixture.graph.merge(MergeId(id()), survivor, merged, None, sheet.write.at).await.unwrap();
    }
    let numbers = fixture.graph.claim_numbers(&scope, league, false).await.unwrap();
    let expected =
        [(Mode::Asserted, 2), (Mode::Denied, 1), (Mode::Alleged, 1)].map(|(mode, claims)| (Some(wire), mode, claims));
    assert_eq!(numbers.outlets, expected);
    assert_eq!(fixture.graph.claim_numbers(&scope, radio, true).await.unwrap(), numbers);
}

pub async fn a_claim_names_what_rests_on_it(fixture: &GraphFixture) {
    let (home, elsewhere) = (collection(), collection());
    let scope = Scope::from(home);
    let write = async |collection, path| {
        let mut sheet = mention(collection, path, "Boll Holding", "Boll owns the wire.");
        let unused = sheet.claim("The wire is old.", &[0]);
        let wire = sheet.entity("Orrin Wire", "outlet");
        sheet.link(0, wire, "owns", &[0]);
        (fixture.write(&sheet).await, sheet.write.document_id, unused, wire)
    };
    let (first, document, unused, wire) = write(home, "a").await;
    let (_, again, ..) = write(home, "b").await;
    let (hidden, ..) = write(elsewhere, "c").await;
    let [boll, wire] = [0, wire].map(|index| first.entities[index].id);
    let found = async |claim, limit| fixture.graph.claim_uses(&scope, claim, limit).await.unwrap();
    let mut documents = vec![document, again];
    documents.sort_unstable();
    let owns = found(first.claims[0].id, 9).await;
    assert_eq!(owns.documents, documents);
    let [ClaimUse::Relationship { description, source, target, .. }] = &owns.uses[..] else { panic!("{owns:?}") };
    assert_eq!((description.as_str(), *source, *target), ("owns", boll, wire));
    assert_eq!(found(first.claims[0].id, 1).await.documents, documents[..1]);
    assert_eq!(found(first.claims[unused].id, 9).await, ClaimUses::default());
    assert_eq!(found(hidden.claims[0].id, 9).await, ClaimUses::default());
}
