//! Splitting an entity by hand.

use super::prelude::*;
use domain::entity::Entity;
use engine::graph::{Split, SplitOutcome, readership::Readership};

fn now() -> Timestamp {
    Timestamp::parse("2031-03-15").unwrap()
}

/// A document about "Jon Marsh", who is linked to a lock and has a summary.
fn sheet(home: CollectionId, path: &str, deed: &str) -> DocumentWrite {
    let mut sheet = mention(home, path, "Jon Marsh", &format!("Jon Marsh {deed}."));
    let lock = sheet.entity("Varrow Lock", "place");
    sheet.link(0, lock, "works at", &[0]);
    sheet.link(0, lock, deed, &[0]);
    sheet.update(engine::graph::EntityRef::New(0), &[0]).summary = Some(format!("He {deed}."));
    sheet
}

fn split_of(entity: EntityId, claims: &[ClaimId]) -> Split {
    let (new, review) = (EntityId(id()), ReviewId(id()));
    Split { readership: Readership::default(), entity, new, review, claims: claims.to_vec(), by: Some(UserId(id())), at: now() }
}

async fn entity(fixture: &GraphFixture, scope: &Scope, id: EntityId) -> Entity {
    fixture.graph.entities(scope, &[id]).await.unwrap().pop().expect("the entity is visible")
}

/// The descriptions of the relationships of an entity, with the number of claims behind each.
async fn links(fixture: &GraphFixture, scope: &Scope, entity: EntityId) -> Vec<(String, u32)> {
    let found = fixture.graph.subgraph(scope, &SubgraphQuery::new(vec![entity], 20)).await.unwrap();
    let mut links: Vec<_> = found.edges.into_iter().map(|edge| (edge.description, edge.claims)).collect();
    links.sort();
    links
}

async fn claims(fixture: &GraphFixture, scope: &Scope, entity: EntityId) -> Vec<ClaimId> {
    let query = ClaimQuery { entity_id: Some(entity), order: ClaimOrder::DocumentOrder, candidates: 20, ..Default::default() };
    fixture.graph.find_claims(scope, &query).await.unwrap().into_iter().map(|found| found.item.id).collect()
}

pub async fn a_split_moves_claims_with_their_dependent_records(fixture: &GraphFixture) {
    let (home, scope) = home();
    let [mut guarded, mut forged] = [("a", "guarded"), ("b", "forged")].map(|(path, deed)| sheet(home, path, deed));
    guarded.write.relationships[0].weight = Some(0.4);
    forged.write.relationships[0].weight = Some(0.9);
    let keeper = fixture.write(&guarded).await;
    let smith = fixture.write(&forged).await;
    let old = keeper.entities[0].id;
    assert_eq!(smith.entities[0].id, old, "one name is one entity");
    let before = fixture.counts(&scope).await;
    let split = split_of(old, &[smith.claims[0].id]);
    assert_eq!(fixture.graph.split(&scope, &split).await.unwrap(), SplitOutcome::Done);

    assert_eq!(claims(fixture, &scope, old).await, [keeper.claims[0].id]);
    assert_eq!(claims(fixture, &scope, split.new).await, [smith.claims[0].id]);
    let links_of = |deed: &str| vec![(deed.to_owned(), 1), ("works at".to_owned(), 1)];
    assert_eq!(links(fixture, &scope, split.new).await, links_of("forged"));
    assert_eq!(links(fixture, &scope, old).await, links_of("guarded"));
    for (id, deed, weight) in [(old, "guarded", 0.4), (split.new, "forged", 0.9)] {
        let around = fixture.graph.subgraph(&scope, &SubgraphQuery::new(vec![id], 20)).await.unwrap();
        let works = around.edges.iter().find(|edge| edge.description == "works at").unwrap();
        assert_eq!(works.weight, Some(weight), "each side has the values that its own claims state");
        let found = entity(fixture, &scope, id).await;
        assert_eq!((found.canonical_name.as_str(), found.kind.is_empty()), ("Jon Marsh", false));
        assert_eq!(found.summary.unwrap().value, format!("He {deed}."));
    }
    let (claims, entities, relationships) = before;
    assert_eq!(fixture.counts(&scope).await, (claims, entities + 1, relationships + 1));

    // Search finds both, and each relationship once.
    let query = EntityQuery { text: Some("marsh".into()), candidates: 9, ..Default::default() };
    let found = fixture.graph.find_entities(&scope, &query).await.unwrap();
    let mut found: Vec<EntityId> = found.into_iter().map(|found| found.item.id).collect();
    found.sort();
    let mut both = [old, split.new];
    both.sort();
    assert_eq!(found, both);
    let query = RelationshipQuery { text: Some("forged".into()), candidates: 9, ..Default::default() };
    let found = fixture.graph.find_relationships(&scope, &query).await.unwrap();
    assert_eq!(found.iter().map(|found| found.item.source_id).collect::<Vec<_>>(), [split.new]);

    // The pair needs no review, and a repetition changes nothing.
    assert!(fixture.graph.reviews(&scope, 0, 9).await.unwrap().is_empty());
    let apart = fixture.graph.kept_apart(&scope, 9).await.unwrap();
    assert_eq!((apart.len(), apart[0].decided_by, apart[0].why.as_str()), (1, split.by, Split::WHY));
    assert_eq!(fixture.graph.split(&scope, &split).await.unwrap(), SplitOutcome::Done);
    assert_eq!(fixture.counts(&scope).await, (claims, entities + 1, relationships + 1));
}

pub async fn a_merge_takes_a_split_back(fixture: &GraphFixture) {
    let (home, scope) = home();
    let keeper = fixture.write(&sheet(home, "a", "guarded")).await;
    let smith = fixture.write(&sheet(home, "b", "forged")).await;
    let old = keeper.entities[0].id;
    let split = split_of(old, &[smith.claims[0].id]);
    fixture.graph.split(&scope, &split).await.unwrap();
    let merge = MergeId(id());
    fixture.graph.merge(merge, old, split.new, None, now()).await.unwrap();
    assert_eq!(claims(fixture, &scope, old).await, [keeper.claims[0].id, smith.claims[0].id]);
    let expected = [("forged".to_owned(), 1), ("guarded".to_owned(), 1)];
    assert_eq!(links(fixture, &scope, old).await[..2], expected);
    let again = split_of(old, &[smith.claims[0].id]);
    assert_eq!(fixture.graph.split(&scope, &again).await.unwrap(), SplitOutcome::Merged);
    // What came after the merge is split once that is undone.
    let sailor = fixture.write(&sheet(home, "c", "sailed")).await;
    assert_eq!(sailor.entities[0].id, old);
    fixture.graph.undo_merge(merge).await.unwrap();
    let third = split_of(old, &[sailor.claims[0].id]);
    assert_eq!(fixture.graph.split(&scope, &third).await.unwrap(), SplitOutcome::Done);
    for (id, written) in [(old, &keeper), (split.new, &smith), (third.new, &sailor)] {
        assert_eq!(claims(fixture, &scope, id).await, [written.claims[0].id]);
        assert_eq!(entity(fixture, &scope, id).await.canonical_name, "Jon Marsh");
    }
    assert!(fixture.graph.reviews(&scope, 0, 9).await.unwrap().is_empty(), "those that were split stay apart");
}

pub async fn a_split_needs_claims_on_both_sides_that_are_in_sight(fixture: &GraphFixture) {
    let (home, other) = (collection(), collection());
    let scope = Scope::from(home);
    let keeper = fixture.write(&sheet(home, "a", "guarded")).await;
    let smith = fixture.write(&sheet(home, "b", "forged")).await;
    let (old, all) = (keeper.entities[0].id, [keeper.claims[0].id, smith.claims[0].id]);
    for claims in [&all[..], &[]] {
        assert_eq!(fixture.graph.split(&scope, &split_of(old, claims)).await.unwrap(), SplitOutcome::OneSided);
    }
    let blind = Scope::from(other);
    assert_eq!(fixture.graph.split(&blind, &split_of(old, &all[..1])).await.unwrap(), SplitOutcome::OneSided);
    let nobody = split_of(EntityId(id()), &all);
    assert_eq!(fixture.graph.split(&scope, &nobody).await.unwrap(), SplitOutcome::Unknown);
    assert_eq!(claims(fixture, &scope, old).await, all);
    // What is written later under the name of both finds a place.
    fixture.graph.split(&scope, &split_of(old, &all[..1])).await.unwrap();
    fixture.write(&sheet(home, "c", "sailed")).await;
    assert_eq!(fixture.counts(&scope).await.0, 3);
}

pub async fn names_kept_by_a_split_go_with_the_last_document(fixture: &GraphFixture) {
    let (home, scope) = home();
    let named = mention(home, "a", "Jon Marsh", "Jon Marsh guarded it.");
    let keeper = fixture.write(&named).await;
    let old = keeper.entities[0].id;
    // About him without naming him: after the split his name rests on nothing.
    let mut unnamed = DocumentWrite::new(home, "b");
    unnamed.claim_of("He forged it.", vec![EntityRef::Existing(old)]);
    let smith = fixture.write(&unnamed).await;
    let split = split_of(old, &[keeper.claims[0].id]);
    assert_eq!(fixture.graph.split(&scope, &split).await.unwrap(), SplitOutcome::Done);
    assert_eq!(claims(fixture, &scope, old).await, [smith.claims[0].id]);
    assert_eq!(entity(fixture, &scope, old).await.canonical_name, "Jon Marsh");
    let documents = [unnamed.write.document_id];
    assert_eq!(fixture.graph.sole_evidence(&documents).await.unwrap().entities, 1);
    fixture.graph.remove_documents(&documents).await.unwrap();
    assert!(fixture.graph.entities(&scope, &[old]).await.unwrap().is_empty());
    assert_eq!(fixture.counts(&scope).await, (1, 1, 0));
    let query = EntityQuery { text: Some("marsh".into()), candidates: 9, ..Default::default() };
    let found = fixture.graph.find_entities(&scope, &query).await.unwrap();
    assert_eq!(found.iter().map(|found| found.item.id).collect::<Vec<_>>(), [split.new]);
    fixture.graph.remove_documents(&[named.write.document_id]).await.unwrap();
    assert_eq!(fixture.counts(&scope).await, (0, 0, 0));
}
