//! Nothing without evidence, nothing half written.

use super::prelude::*;

async fn refused(fixture: &GraphFixture, sheet: &DocumentWrite, about: &str) {
    match fixture.try_write(sheet).await {
        Err(StoreError::Invalid(message)) => assert!(message.contains(about), "{message}"),
        other => panic!("expected a refusal about {about}: {other:?}"),
    }
    assert_eq!(fixture.counts(&Scope::from(sheet.write.collection_id)).await, (0, 0, 0));
}

pub async fn a_relationship_without_a_claim_is_refused(fixture: &GraphFixture) {
    let mut sheet = mention(collection(), "a", "Halvek Front", "They met.");
    let other = sheet.entity("Orrin Wire", "outlet");
    sheet.link(0, other, "met", &[]);
    refused(fixture, &sheet, "evidence").await;
}

pub async fn a_property_or_summary_without_a_claim_is_refused(fixture: &GraphFixture) {
    let mut sheet = mention(collection(), "a", "Halvek Front", "They met.");
    sheet.update(EntityRef::New(0), &[]).summary = Some("A group.".into());
    refused(fixture, &sheet, "evidence").await;
    sheet.write.updates.clear();
    let members = PropertyKey::try_from("members".to_owned()).unwrap();
    sheet.update(EntityRef::New(0), &[]).properties.insert(members, PropertyValue::Integer(3));
    refused(fixture, &sheet, "evidence").await;
    sheet.write.updates.clear();
    sheet.update(EntityRef::New(0), &[]).external_ids.insert("lei".into(), "X".into());
    refused(fixture, &sheet, "evidence").await;
}

pub async fn a_sameness_without_a_claim_is_refused(fixture: &GraphFixture) {
    let mut sheet = mention(collection(), "a", "Halvek Front", "They met.");
    let other = sheet.entity("Night Brigade", "group");
    sheet.same(0, EntityRef::New(other), &[]);
    refused(fixture, &sheet, "evidence").await;
    sheet.write.same_as.clear();
    sheet.same(0, EntityRef::Existing(EntityId(id())), &[0]);
    refused(fixture, &sheet, "no entity").await;
}

pub async fn unknown_ids_are_refused(fixture: &GraphFixture) {
    let home = collection();
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    sheet.claim_of("Another.", vec![EntityRef::Existing(EntityId(id()))]);
    refused(fixture, &sheet, "no entity").await;
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    sheet.link(0, 0, "is itself", &[]);
    sheet.write.relationships[0].existing_claims = vec![ClaimId(id())];
    refused(fixture, &sheet, "no claim").await;
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    sheet.write.claims[0].entities = vec![EntityRef::New(7)];
    refused(fixture, &sheet, "entity 7").await;
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    sheet.write.entities[0].claims = vec![4];
    refused(fixture, &sheet, "claim 4").await;
}

pub async fn a_refused_write_leaves_nothing(fixture: &GraphFixture) {
    let home = collection();
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    // Found out only after claims and entities were inserted.
    sheet.write.completes_document = true;
    assert!(matches!(fixture.try_write(&sheet).await, Err(StoreError::Invalid(_))));
    assert_eq!(fixture.counts(&Scope::from(home)).await, (0, 0, 0));
    sheet.write.completes_document = false;
    assert!(fixture.write(&sheet).await.entities[0].is_new);
}

pub async fn a_document_belongs_to_one_collection(fixture: &GraphFixture) {
    let sheet = mention(collection(), "a", "Halvek Front", "They met.");
    fixture.write(&sheet).await;
    let mut moved = sheet.clone();
    moved.write.collection_id = collection();
    assert!(matches!(fixture.try_write(&moved).await, Err(StoreError::Invalid(_))));
}
