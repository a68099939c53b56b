//! Merging and undoing.

use super::prelude::*;
use engine::graph::{Direction, ListedMerges};

fn now() -> Timestamp {
    Timestamp::parse("2031-03-15").unwrap()
}

async fn names(fixture: &GraphFixture, scope: &Scope, id: EntityId) -> Vec<String> {
    let Some(entity) = fixture.graph.entities(scope, &[id]).await.unwrap().pop() else { return Vec::new() };
    std::iter::once(entity.canonical_name).chain(entity.aliases).collect()
}

async fn links(fixture: &GraphFixture, scope: &Scope, entity_id: EntityId) -> Vec<String> {
    let traversal = Traversal { entity_id, direction: Direction::Both, description: None, min_weight: None, limit: 50 };
    let found = fixture.graph.traverse(scope, &traversal).await.unwrap();
    found.into_iter().map(|edge| format!("{} {}", edge.relationship.description, edge.entity.canonical_name)).collect()
}

async fn merge(fixture: &GraphFixture, survivor: EntityId, merged: EntityId) -> MergeId {
    let merge = MergeId(id());
    fixture.graph.merge(merge, survivor, merged, None, now()).await.unwrap();
    merge
}

pub async fn a_merge_with_later_claims_is_undone(fixture: &GraphFixture) {
    let (home, scope) = home();
    let sheet = |path: &str, name: &str, deed: &str| {
        let mut sheet = mention(home, path, name, &format!("{name} {deed}."));
        let lock = sheet.entity("Varrow Lock", "place");
        sheet.link(0, lock, deed, &[0]);
        sheet
    };
    let front = fixture.write(&sheet("a", "Halvek Front", "opened")).await;
    let brigade = fixture.write(&sheet("b", "Night Brigade", "guarded")).await;
    let (front_id, brigade_id) = (front.entities[0].id, brigade.entities[0].id);
    let edge = brigade.relationships[0].id;
    let merged = merge(fixture, front_id, brigade_id).await;

    assert_eq!(names(fixture, &scope, front_id).await, ["Halvek Front", "Night Brigade"]);
    assert_eq!(links(fixture, &scope, front_id).await, ["guarded Varrow Lock", "opened Varrow Lock"]);
    assert_eq!(fixture.graph.relationships(&scope, &[edge]).await.unwrap()[0].source_id, front_id);
    assert_eq!(fixture.graph.claims(&scope, &[brigade.claims[0].id]).await.unwrap()[0].entity_ids, [front_id]);
    assert_eq!(fixture.counts(&scope).await, (2, 2, 2));

    // What comes later stays with the survivor.
    let later = fixture.write(&sheet("c", "Night Brigade", "closed")).await;
    assert_eq!(later.entities[0].id, front_id);
    fixture.graph.undo_merge(merged).await.unwrap();
    assert_eq!(names(fixture, &scope, brigade_id).await, ["Night Brigade"]);
    assert_eq!(links(fixture, &scope, brigade_id).await, ["guarded Varrow Lock"]);
    assert_eq!(fixture.graph.relationships(&scope, &[edge]).await.unwrap()[0].source_id, brigade_id);
    assert_eq!(links(fixture, &scope, front_id).await, ["closed Varrow Lock", "opened Varrow Lock"]);
    assert_eq!(fixture.graph.claims(&scope, &[later.claims[0].id]).await.unwrap()[0].entity_ids, [front_id]);
    assert_eq!(fixture.graph.claims(&scope, &[brigade.claims[0].id]).await.unwrap()[0].entity_ids, [brigade_id]);
    fixture.graph.undo_merge(merged).await.unwrap();
    assert_eq!(links(fixture, &scope, brigade_id).await, ["guarded Varrow Lock"]);
}

/// Three entities without anything in common.
async fn three(fixture: &GraphFixture, home: domain::CollectionId) -> [EntityId; 3] {
    let mut ids = Vec::new();
    for name in ["Ash Company", "Birch League", "Cedar House"] {
        ids.push(fixture.write(&mention(home, name, name, &format!("{name} met."))).await.entities[0].id);
    }
    [ids[0], ids[1], ids[2]]
}

pub async fn a_merge_names_who_decided(fixture: &GraphFixture) {
    let (home, scope) = home();
    let [a, b, c] = three(fixture, home).await;
    let by = UserId(id());
    // An alias that comes first in the alphabet is not the name.
    let mut alias = mention(home, "d", "Birch League", "The Alder Birch League met.");
    alias.write.entities[0].aliases = vec!["Alder Birch League".into()];
    let claim = alias.claim("They met again.", &[0]);
    alias.write.entities[0].claims.push(claim);
    fixture.write(&alias).await;
    fixture.graph.merge(MergeId(id()), a, b, Some(by), now()).await.unwrap();
    merge(fixture, a, c).await;
    let merges = fixture.graph.merges(&scope, ListedMerges::Named, 9).await.unwrap();
    let decided: Vec<_> = merges.iter().map(|merge| (&*merge.merged_name, merge.by)).collect();
    assert_eq!(decided, [("Cedar House", None), ("Birch League", Some(by))]);
}

pub async fn a_merged_id_resolves_for_ever(fixture: &GraphFixture) {
    let (home, scope) = home();
    let [a, b, c] = three(fixture, home).await;
    merge(fixture, b, a).await;
    merge(fixture, c, b).await;
    for id in [a, b, c] {
        assert_eq!(fixture.graph.entities(&scope, &[id]).await.unwrap()[0].id, c);
    }
    assert_eq!(fixture.graph.entities(&scope, &[a, b, c]).await.unwrap().len(), 1);
    assert_eq!(fixture.counts(&scope).await.1, 1);
}

pub async fn merges_in_a_chain_come_apart_in_any_order(fixture: &GraphFixture) {
    let (home, scope) = home();
    let [a, b, c] = three(fixture, home).await;
    let first = merge(fixture, b, a).await;
    let second = merge(fixture, c, b).await;
    fixture.graph.undo_merge(first).await.unwrap();
    assert_eq!(names(fixture, &scope, a).await, ["Ash Company"]);
    assert_eq!(names(fixture, &scope, c).await, ["Birch League", "Cedar House"]);
    let third = merge(fixture, c, a).await;
    fixture.graph.undo_merge(second).await.unwrap();
    assert_eq!(names(fixture, &scope, b).await, ["Birch League"]);
    assert_eq!(names(fixture, &scope, c).await, ["Ash Company", "Cedar House"]);
    fixture.graph.undo_merge(third).await.unwrap();
    assert_eq!(names(fixture, &scope, c).await, ["Cedar House"]);
}

pub async fn edges_that_meet_are_one_and_part_again(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = mention(home, "a", "Ash Company", "Ash owns it.");
    let birch = sheet.entity("Birch League", "group");
    let lock = sheet.entity("Varrow Lock", "place");
    let second = sheet.claim("Birch owns it.", &[birch, lock]);
    sheet.link(0, lock, "owns", &[0]);
    sheet.link(birch, lock, "owns", &[second]);
    sheet.link(0, birch, "allied with", &[0]);
    let written = fixture.write(&sheet).await;
    let (ash, birch) = (written.entities[0].id, written.entities[birch].id);
    let merged = merge(fixture, ash, birch).await;
    assert_eq!(links(fixture, &scope, ash).await, ["owns Varrow Lock"]);
    let traversal = Traversal { entity_id: ash, direction: Direction::Both, description: None, min_weight: None, limit: 9 };
    let claims = fixture.graph.traverse(&scope, &traversal).await.unwrap().remove(0).relationship.claim_ids;
    assert_eq!(claims, [written.claims[0].id, written.claims[1].id]);
    assert_eq!(fixture.counts(&scope).await, (2, 2, 2));
    fixture.graph.undo_merge(merged).await.unwrap();
    assert_eq!(links(fixture, &scope, birch).await, ["allied with Ash Company", "owns Varrow Lock"]);
    assert_eq!(fixture.counts(&scope).await, (2, 3, 3));
}

pub async fn a_repeated_merge_is_harmless_and_an_invalid_merge_is_refused(fixture: &GraphFixture) {
    let home = collection();
    let [a, b, _] = three(fixture, home).await;
    let merged = merge(fixture, a, b).await;
    fixture.graph.merge(merged, a, b, None, now()).await.unwrap();
    let invalid = |result| matches!(result, Err(StoreError::Invalid(_)));
    assert!(invalid(fixture.graph.merge(MergeId(id()), a, b, None, now()).await));
    assert!(invalid(fixture.graph.merge(MergeId(id()), a, EntityId(id()), None, now()).await));
    assert!(invalid(fixture.graph.undo_merge(MergeId(id())).await));
}
