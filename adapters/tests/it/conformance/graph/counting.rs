//! Numbers of claims by month, outlet and mode, pages of the claims behind them, and the uses of claims.

use super::prelude::*;
use engine::graph::{ClaimNumber, ClaimUse, ClaimUses};

fn number(month: Option<&str>, outlet: Option<EntityId>, mode: Mode, claims: u64) -> ClaimNumber {
    ClaimNumber { month: month.map(str::to_owned), outlet, mode, claims }
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
    let by_wire = [
        number(None, Some(wire), Mode::Alleged, 1),
        number(Some("2031-03"), Some(wire), Mode::Asserted, 1),
        number(Some("2031-03"), Some(wire), Mode::Denied, 1),
    ];
    assert_eq!(about, [by_wire.to_vec(), vec![number(Some("2031-11"), None, Mode::Asserted, 1)]].concat());
    assert_eq!(fixture.graph.claim_numbers(&scope, wire, true).await.unwrap(), by_wire);
    let nothing = vec![];
    assert_eq!(fixture.graph.claim_numbers(&scope, wire, false).await.unwrap(), nothing);
    assert_eq!(fixture.graph.claim_numbers(&Scope::from(collection()), front, false).await.unwrap(), nothing);
    assert_eq!(fixture.graph.claim_numbers(&scope, EntityId(id()), false).await.unwrap(), nothing);
}

pub async fn claims_of_merged_entities_are_counted_once(fixture: &GraphFixture) {
    let (home, scope) = home();
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
    let expected = [
        number(None, Some(wire), Mode::Asserted, 1),
        number(None, Some(wire), Mode::Alleged, 1),
        number(Some("2031-03"), Some(wire), Mode::Asserted, 1),
        number(Some("2031-03"), Some(wire), Mode::Denied, 1),
    ];
    assert_eq!(numbers, expected);
    assert_eq!(fixture.graph.claim_numbers(&scope, radio, true).await.unwrap(), numbers);
}

pub async fn the_claims_of_an_entity_come_in_pages(fixture: &GraphFixture) {
    let (home, scope) = home();
    let (front, wire) = write_report(fixture, home).await;
    fixture.write(&mention(home, "b", "Halvek Front", "They met again.")).await;
    let pages = async |query: ClaimQuery| {
        let mut pages = vec![];
        for skip in [0, 2, 4] {
            let query = ClaimQuery { order: ClaimOrder::NewestFirst, skip, candidates: 2, ..query.clone() };
            let found = fixture.graph.find_claims(&scope, &query).await.unwrap();
            pages.push(found.into_iter().map(|candidate| candidate.item.content).collect::<Vec<_>>());
        }
        pages
    };
    let [last, first, undated, unnamed] = ["They did not pay.", "They met.", "They paid.", "They met again."];
    let about = ClaimQuery { entity_id: Some(front), ..ClaimQuery::default() };
    assert_eq!(pages(about.clone()).await, [vec![last, first], vec![undated, unnamed], vec![]]);
    let published = ClaimQuery { outlet_id: Some(wire), ..ClaimQuery::default() };
    assert_eq!(pages(published).await, [vec![last, first], vec![undated], vec![]]);
    let without = ClaimQuery { is_without_outlet: true, ..about };
    assert_eq!(pages(without).await, [vec![unnamed], vec![], vec![]]);
    let anywhere = ClaimQuery { is_without_outlet: true, candidates: 9, ..ClaimQuery::default() };
    assert_eq!(fixture.graph.find_claims(&scope, &anywhere).await.unwrap().len(), 1);
}

pub async fn a_claim_lists_its_dependent_records(fixture: &GraphFixture) {
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

pub async fn the_documents_of_a_relationship_are_listed_by_scope(fixture: &GraphFixture) {
    let (home, elsewhere) = (collection(), collection());
    let scope = Scope::from(home);
    let write = async |collection, path, owner| {
        let mut sheet = mention(collection, path, owner, "It owns the wire.");
        let unused = sheet.claim("The wire is old.", &[0]);
        let wire = sheet.entity("Orrin Wire", "outlet");
        sheet.link(0, wire, "owns", &[0]);
        (fixture.write(&sheet).await, sheet.write.document_id, unused, sheet.write.at)
    };
    let (first, document, unused, at) = write(home, "a", "Boll Holding").await;
    let (_, again, ..) = write(home, "b", "Boll Holding").await;
    let (other, alone, ..) = write(home, "c", "Kestra League").await;
    let (hidden, ..) = write(elsewhere, "d", "Boll Holding").await;
    let claims = [first.claims[0].id, first.claims[unused].id, other.claims[0].id, hidden.claims[0].id];
    let found = async |scope: &Scope, claims: &[ClaimId]| fixture.graph.stating_documents(scope, claims).await.unwrap();
    let sorted = |mut documents: Vec<DocumentId>| {
        documents.sort_unstable();
        documents
    };
    let mut expected = vec![sorted(vec![document, again]), vec![alone]];
    expected.sort_unstable();
    assert_eq!(found(&scope, &claims).await, expected);
    let nothing: Vec<Vec<DocumentId>> = vec![];
    assert_eq!(found(&scope, &claims[1..2]).await, nothing);
    assert_eq!(found(&Scope::from(collection()), &claims).await, nothing);
    fixture.graph.merge(MergeId(id()), first.entities[0].id, other.entities[0].id, None, at).await.unwrap();
    assert_eq!(found(&scope, &claims[..1]).await, [sorted(vec![document, again, alone])]);
}
