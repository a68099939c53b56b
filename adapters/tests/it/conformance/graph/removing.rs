//! Removing a collection.

use super::prelude::*;
use engine::graph::SoleEvidence;

fn sheet(home: CollectionId, path: &str, size: i64) -> super::fixture::DocumentWrite {
    let mut sheet = mention(home, path, "Halvek Front", &format!("It has {size} members."));
    let other = sheet.entity(&format!("House {path}"), "place");
    let lock = sheet.entity("Varrow Lock", "place");
    sheet.claim("Elsewhere.", &[other, lock]);
    sheet.link(0, other, "meets at", &[0]);
    sheet.link(0, lock, "opened", &[0]);
    let members = PropertyKey::try_from("members".to_owned()).unwrap();
    sheet.update(EntityRef::New(0), &[0]).properties.insert(members, PropertyValue::Integer(size));
    sheet
}

pub async fn a_removed_collection_removes_its_own_records(fixture: &GraphFixture) {
    let (sample, own) = (collection(), collection());
    let first = fixture.write(&sheet(sample, "x", 9)).await;
    let second = fixture.write(&sheet(own, "y", 5).beside(&[sample])).await;
    let both = Scope::new(vec![sample, own]);
    assert_eq!(fixture.counts(&both).await, (4, 4, 3));
    fixture.graph.remove_collection(sample).await.unwrap();
    assert_eq!(fixture.counts(&both).await, (2, 3, 2));
    assert_eq!(fixture.counts(&Scope::from(sample)).await, (0, 0, 0));
    assert!(fixture.graph.claims(&both, &[first.claims[0].id]).await.unwrap().is_empty());
    assert!(fixture.graph.entities(&both, &[first.entities[1].id]).await.unwrap().is_empty());
    let kept = fixture.graph.relationships(&both, &[second.relationships[1].id]).await.unwrap().remove(0);
    assert_eq!(kept.claim_ids, [second.claims[0].id]);
    let front = fixture.graph.entities(&both, &[second.entities[0].id]).await.unwrap().remove(0);
    assert_eq!(front.properties.values().next().unwrap().value, PropertyValue::Integer(5));
    let text = |text: &str| Some(domain::QueryText::from(text));
    let query = EntityQuery { text: text("house"), candidates: 9, ..EntityQuery::default() };
    assert_eq!(fixture.graph.find_entities(&both, &query).await.unwrap().len(), 1);
    let query = ClaimQuery { text: text("members"), candidates: 9, ..ClaimQuery::default() };
    assert_eq!(fixture.graph.find_claims(&both, &query).await.unwrap().len(), 1);
    fixture.graph.remove_collection(sample).await.unwrap();
    fixture.graph.remove_collection(own).await.unwrap();
    assert_eq!(fixture.counts(&both).await, (0, 0, 0));
}

pub async fn a_removed_collection_refuses_writes(fixture: &GraphFixture) {
    let (home, unused) = (collection(), collection());
    let first = sheet(home, "x", 9);
    fixture.write(&first).await;
    for gone in [home, unused] {
        fixture.graph.remove_collection(gone).await.unwrap();
        for late in [&first, &sheet(gone, "y", 5)] {
            let refused = fixture.try_write(late).await;
            assert!(matches!(refused, Err(StoreError::Invalid(_))), "{refused:?}");
        }
        assert_eq!(fixture.counts(&Scope::from(gone)).await, (0, 0, 0));
        assert!(fixture.graph.find_claims(&Scope::from(gone), &ClaimQuery::default()).await.unwrap().is_empty());
        fixture.graph.remove_collection(gone).await.unwrap();
    }
}

pub async fn a_removed_document_removes_its_own_records(fixture: &GraphFixture) {
    let (home, other) = (collection(), collection());
    let first = sheet(home, "x", 9);
    let gone = fixture.write(&first).await;
    let second = fixture.write(&sheet(home, "y", 5)).await;
    fixture.write(&sheet(other, "z", 7).beside(&[home])).await;
    let (scope, both) = (Scope::from(home), Scope::new(vec![home, other]));
    assert_eq!(fixture.counts(&scope).await, (4, 4, 3));
    let document = [first.write.document_id];
    let alone = SoleEvidence { claims: 2, entities: 1, relationships: 1 };
    assert_eq!(fixture.graph.sole_evidence(&document).await.unwrap(), alone);
    fixture.graph.remove_documents(&document).await.unwrap();
    assert_eq!(fixture.graph.sole_evidence(&document).await.unwrap(), SoleEvidence::default());
    assert_eq!(fixture.counts(&scope).await, (2, 3, 2));
    assert_eq!(fixture.counts(&both).await, (4, 4, 3));
    assert!(fixture.graph.claims(&scope, &[gone.claims[0].id]).await.unwrap().is_empty());
    assert!(fixture.graph.entities(&scope, &[gone.entities[1].id]).await.unwrap().is_empty());
    assert!(fixture.graph.relationships(&scope, &[gone.relationships[0].id]).await.unwrap().is_empty());
    let kept = fixture.graph.relationships(&scope, &[second.relationships[1].id]).await.unwrap().remove(0);
    assert_eq!(kept.claim_ids, [second.claims[0].id]);
    let front = fixture.graph.entities(&scope, &[second.entities[0].id]).await.unwrap().remove(0);
    assert_eq!(front.properties.values().next().unwrap().value, PropertyValue::Integer(5));
    let text = |text: &str| Some(domain::QueryText::from(text));
    let query = EntityQuery { text: text("house"), candidates: 9, ..EntityQuery::default() };
    assert_eq!(fixture.graph.find_entities(&scope, &query).await.unwrap().len(), 1);
    let query = ClaimQuery { text: text("members"), candidates: 9, ..ClaimQuery::default() };
    assert_eq!(fixture.graph.find_claims(&scope, &query).await.unwrap().len(), 1);
    let query = RelationshipQuery { text: text("meets"), candidates: 9, ..RelationshipQuery::default() };
    assert_eq!(fixture.graph.find_relationships(&scope, &query).await.unwrap().len(), 1);
    // The names are free again: what comes later makes the entity anew.
    let again = fixture.write(&sheet(home, "x", 3)).await;
    assert_eq!(again.entities[0].id, second.entities[0].id);
    assert_eq!(fixture.counts(&scope).await, (4, 4, 3));
}

pub async fn an_entity_linked_by_another_document_keeps_its_name(fixture: &GraphFixture) {
    let (home, scope) = home();
    let named = sheet(home, "x", 9);
    let first = fixture.write(&named).await;
    let [front, house, lock] = [0, 1, 2].map(|place: usize| first.entities[place].id);
    // Another document links both by their ids alone, and never names the third.
    let mut linking = super::fixture::DocumentWrite::new(home, "y");
    linking.claim_of("It opened it again.", vec![EntityRef::Existing(front), EntityRef::Existing(lock)]);
    let link = linking.link(0, 0, "opened", &[0]);
    (linking.write.relationships[link].source, linking.write.relationships[link].target) =
        (EntityRef::Existing(front), EntityRef::Existing(lock));
    let second = fixture.write(&linking).await;
    assert_eq!(second.relationships[0].id, first.relationships[1].id);
    let document = [named.write.document_id];
    let alone = SoleEvidence { claims: 2, entities: 1, relationships: 1 };
    assert_eq!(fixture.graph.sole_evidence(&document).await.unwrap(), alone);
    fixture.graph.remove_documents(&document).await.unwrap();
    assert_eq!(fixture.counts(&scope).await, (1, 2, 1));
    let kept = fixture.graph.relationships(&scope, &[second.relationships[0].id]).await.unwrap().remove(0);
    assert_eq!((kept.description.as_str(), kept.source_id, kept.target_id), ("opened", front, lock));
    let left = fixture.graph.entities(&scope, &[front, house, lock]).await.unwrap();
    assert_eq!(left.iter().map(|entity| &*entity.canonical_name).collect::<Vec<_>>(), ["Halvek Front", "Varrow Lock"]);
    assert!(left[0].properties.is_empty(), "a value goes with its evidence");
    fixture.graph.remove_documents(&[linking.write.document_id]).await.unwrap();
    assert_eq!(fixture.counts(&scope).await, (0, 0, 0));
    let query = EntityQuery { candidates: 9, ..EntityQuery::default() };
    assert!(fixture.graph.find_entities(&scope, &query).await.unwrap().is_empty());
}

pub async fn the_values_of_a_relationship_are_those_of_the_evidence_that_is_left(fixture: &GraphFixture) {
    let (home, scope) = home();
    let date = |text: &str| PartialDate::parse(text);
    let stating = |path: &str, weight: f64, since: &str, until: Option<&str>, bidirectional: bool| {
        let mut sheet = sheet(home, path, 5);
        let link = &mut sheet.write.relationships[1];
        (link.weight, link.confidence, link.bidirectional) = (Some(weight), Confidence::try_from(weight).ok(), bidirectional);
        (link.since, link.until) = (date(since), until.and_then(date));
        sheet
    };
    let strong = stating("x", 0.9, "2029", Some("2031-02"), true);
    fixture.write(&strong).await;
    let weak = fixture.write(&stating("y", 0.4, "2030-05", None, false)).await;
    let read = async || fixture.graph.relationships(&scope, &[weak.relationships[1].id]).await.unwrap().remove(0);
    let both = read().await;
    assert_eq!((both.weight, both.since, both.until, both.bidirectional), (Some(0.9), date("2029"), date("2031-02"), true));
    fixture.graph.remove_documents(&[strong.write.document_id]).await.unwrap();
    let left = read().await;
    assert_eq!((left.weight, left.confidence), (Some(0.4), Confidence::try_from(0.4).ok()));
    assert_eq!((left.since, left.until, left.bidirectional), (date("2030-05"), None, false));
}

pub async fn a_removed_document_refuses_writes(fixture: &GraphFixture) {
    let home = collection();
    let (first, unread) = (sheet(home, "x", 9), sheet(home, "y", 5));
    fixture.write(&first).await;
    let both = [first.write.document_id, unread.write.document_id];
    for _ in 0..2 {
        fixture.graph.remove_documents(&both).await.unwrap();
        for late in [&first, &unread] {
            let refused = fixture.try_write(late).await;
            assert!(matches!(refused, Err(StoreError::Invalid(_))), "{refused:?}");
        }
        assert_eq!(fixture.counts(&Scope::from(home)).await, (0, 0, 0));
    }
    fixture.graph.remove_documents(&[]).await.unwrap();
}

pub async fn tombstones_outlive_a_removal(fixture: &GraphFixture) {
    let (sample, own) = (collection(), collection());
    let merged = fixture.write(&mention(sample, "a", "Ash Company", "Ash met.")).await.entities[0].id;
    let survivor = fixture.write(&mention(own, "b", "Birch League", "Birch met.")).await.entities[0].id;
    fixture.graph.merge(MergeId(id()), survivor, merged, None, sheet(own, "c", 1).write.at).await.unwrap();
    fixture.graph.remove_collection(sample).await.unwrap();
    assert_eq!(fixture.graph.entities(&Scope::from(own), &[merged]).await.unwrap()[0].id, survivor);
}
