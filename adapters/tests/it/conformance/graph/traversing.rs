//! Traversal.

use super::prelude::*;
use engine::graph::Direction;

fn from(entity_id: EntityId, direction: Direction) -> Traversal {
    Traversal { entity_id, direction, description: None, min_weight: None, limit: 50 }
}

async fn reached(fixture: &GraphFixture, scope: &Scope, traversal: &Traversal) -> Vec<(String, String)> {
    let found = fixture.graph.traverse(scope, traversal).await.unwrap();
    found.into_iter().map(|edge| (edge.relationship.description, edge.entity.canonical_name)).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(description, name)| ((*description).to_owned(), (*name).to_owned())).collect()
}

pub async fn edges_are_found_in_their_direction(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    let paid = sheet.entity("Orrin Wire", "outlet");
    let owner = sheet.entity("Boll Holding", "company");
    let ally = sheet.entity("Kestra League", "group");
    sheet.link(0, paid, "pays", &[0]);
    sheet.link(owner, 0, "owns", &[0]);
    let both = sheet.link(ally, 0, "allied with", &[0]);
    sheet.write.relationships[both].bidirectional = true;
    let written = fixture.write(&sheet).await;
    let front = written.entities[0].id;
    let (allied, owns, pays) = (("allied with", "Kestra League"), ("owns", "Boll Holding"), ("pays", "Orrin Wire"));
    assert_eq!(reached(fixture, &scope, &from(front, Direction::Outgoing)).await, pairs(&[allied, pays]));
    assert_eq!(reached(fixture, &scope, &from(front, Direction::Incoming)).await, pairs(&[allied, owns]));
    assert_eq!(reached(fixture, &scope, &from(front, Direction::Both)).await, pairs(&[allied, owns, pays]));
    let ally = written.entities[ally].id;
    assert_eq!(reached(fixture, &scope, &from(ally, Direction::Incoming)).await, pairs(&[("allied with", "Halvek Front")]));
    let edge = fixture.graph.traverse(&scope, &from(ally, Direction::Both)).await.unwrap().remove(0);
    assert!(edge.relationship.bidirectional && edge.relationship.claim_ids == [written.claims[0].id]);
}

async fn directions(fixture: &GraphFixture, scope: &Scope, entity_id: EntityId) -> Vec<(String, Direction)> {
    let found = fixture.graph.traverse(scope, &from(entity_id, Direction::Both)).await.unwrap();
    found.into_iter().map(|edge| (edge.relationship.description, edge.direction)).collect()
}

pub async fn an_edge_has_a_direction(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    let paid = sheet.entity("Orrin Wire", "outlet");
    sheet.link(0, paid, "pays", &[0]);
    sheet.link(paid, 0, "praises", &[0]);
    let both = sheet.link(paid, 0, "meets", &[0]);
    sheet.write.relationships[both].bidirectional = true;
    let written = fixture.write(&sheet).await;
    let (front, wire) = (written.entities[0].id, written.entities[paid].id);
    let seen = |pays, praises| [("meets", Direction::Both), ("pays", pays), ("praises", praises)];
    let owned = |seen: [(&str, Direction); 3]| seen.map(|(description, direction)| (description.to_owned(), direction));
    assert_eq!(directions(fixture, &scope, front).await, owned(seen(Direction::Outgoing, Direction::Incoming)));
    assert_eq!(directions(fixture, &scope, wire).await, owned(seen(Direction::Incoming, Direction::Outgoing)));

    // A merged entity is asked about under either id, and its edges are those of the survivor.
    let mut later = mention(home, "b", "Night Brigade", "They came.");
    let other = later.entity("Orrin Wire", "outlet");
    later.link(0, other, "hires", &[0]);
    let brigade = fixture.write(&later).await.entities[0].id;
    fixture.graph.merge(MergeId(id()), front, brigade, None, later.write.at).await.unwrap();
    for entity in [front, brigade] {
        let outgoing = directions(fixture, &scope, entity).await.into_iter().filter(|(_, way)| *way == Direction::Outgoing);
        assert_eq!(outgoing.map(|(description, _)| description).collect::<Vec<_>>(), ["hires", "pays"]);
    }
}

pub async fn weights_and_words_narrow(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    for (name, description, weight) in [("Ash", "paid", Some(0.2)), ("Birch", "owns", Some(0.9)), ("Cedar", "pays", None)] {
        let other = sheet.entity(&format!("{name} Company"), "company");
        let link = sheet.link(0, other, description, &[0]);
        sheet.write.relationships[link].weight = weight;
    }
    let front = fixture.write(&sheet).await.entities[0].id;
    let all = from(front, Direction::Both);
    let (ash, birch, cedar) = (("paid", "Ash Company"), ("owns", "Birch Company"), ("pays", "Cedar Company"));
    assert_eq!(reached(fixture, &scope, &all).await, pairs(&[birch, ash, cedar]));
    assert_eq!(reached(fixture, &scope, &Traversal { min_weight: Some(0.5), ..all.clone() }).await, pairs(&[birch]));
    assert_eq!(reached(fixture, &scope, &Traversal { limit: 1, ..all.clone() }).await, pairs(&[birch]));
    assert_eq!(reached(fixture, &scope, &Traversal { description: Some("owned".into()), ..all }).await, pairs(&[birch]));
}

pub async fn an_entity_out_of_sight_is_not_reached(fixture: &GraphFixture) {
    let (ada, shared) = (collection(), collection());
    let hidden = fixture.write(&mention(ada, "a", "Boll Holding", "It exists.")).await.entities[0].id;
    let mut sheet = mention(shared, "b", "Halvek Front", "They met.");
    let link = sheet.link(0, 0, "is owned by it", &[0]);
    sheet.write.relationships[link].target = EntityRef::Existing(hidden);
    let front = fixture.write(&sheet).await.entities[0].id;
    assert!(reached(fixture, &Scope::from(shared), &from(front, Direction::Both)).await.is_empty());
    assert_eq!(reached(fixture, &Scope::new(vec![ada, shared]), &from(front, Direction::Both)).await.len(), 1);
    let unknown = from(EntityId(id()), Direction::Both);
    assert!(reached(fixture, &Scope::from(shared), &unknown).await.is_empty());
}
