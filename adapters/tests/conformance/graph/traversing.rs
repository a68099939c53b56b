//! Traversal.

use super::field::{Field, collection, mention};
use domain::{EntityId, Scope};
use engine::graph::{Direction, EntityRef, Traversal};

fn from(entity_id: EntityId, direction: Direction) -> Traversal {
    Traversal { entity_id, direction, description: None, min_weight: None, limit: 50 }
}

async fn reached(field: &Field, scope: &Scope, traversal: &Traversal) -> Vec<(String, String)> {
    let found = field.graph.traverse(scope, traversal).await.unwrap();
    found.into_iter().map(|(link, other)| (link.description, other.canonical_name)).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(description, name)| ((*description).to_owned(), (*name).to_owned())).collect()
}

pub async fn edges_are_found_in_their_direction(field: &Field) {
    let home = collection();
    let scope = Scope::from(home);
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    let paid = sheet.entity("Orrin Wire", "outlet");
    let owner = sheet.entity("Boll Holding", "company");
    let ally = sheet.entity("Kestra League", "group");
    sheet.link(0, paid, "pays", &[0]);
    sheet.link(owner, 0, "owns", &[0]);
    let both = sheet.link(ally, 0, "allied with", &[0]);
    sheet.write.relationships[both].bidirectional = true;
    let written = field.write(&sheet).await;
    let front = written.entities[0].id;
    let (allied, owns, pays) = (("allied with", "Kestra League"), ("owns", "Boll Holding"), ("pays", "Orrin Wire"));
    assert_eq!(reached(field, &scope, &from(front, Direction::Outgoing)).await, pairs(&[allied, pays]));
    assert_eq!(reached(field, &scope, &from(front, Direction::Incoming)).await, pairs(&[allied, owns]));
    assert_eq!(reached(field, &scope, &from(front, Direction::Both)).await, pairs(&[allied, owns, pays]));
    let ally = written.entities[ally].id;
    assert_eq!(reached(field, &scope, &from(ally, Direction::Incoming)).await, pairs(&[("allied with", "Halvek Front")]));
    let link = field.graph.traverse(&scope, &from(ally, Direction::Both)).await.unwrap().remove(0).0;
    assert!(link.bidirectional && link.claim_ids == [written.claims[0].id]);
}

pub async fn weights_and_words_narrow(field: &Field) {
    let home = collection();
    let scope = Scope::from(home);
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    for (name, description, weight) in [("Ash", "paid", Some(0.2)), ("Birch", "owns", Some(0.9)), ("Cedar", "pays", None)] {
        let other = sheet.entity(&format!("{name} Company"), "company");
        let link = sheet.link(0, other, description, &[0]);
        sheet.write.relationships[link].weight = weight;
    }
    let front = field.write(&sheet).await.entities[0].id;
    let all = from(front, Direction::Both);
    let (ash, birch, cedar) = (("paid", "Ash Company"), ("owns", "Birch Company"), ("pays", "Cedar Company"));
    assert_eq!(reached(field, &scope, &all).await, pairs(&[birch, ash, cedar]));
    assert_eq!(reached(field, &scope, &Traversal { min_weight: Some(0.5), ..all.clone() }).await, pairs(&[birch]));
    assert_eq!(reached(field, &scope, &Traversal { limit: 1, ..all.clone() }).await, pairs(&[birch]));
    assert_eq!(reached(field, &scope, &Traversal { description: Some("owned".into()), ..all }).await, pairs(&[birch]));
}

pub async fn an_entity_out_of_sight_is_not_reached(field: &Field) {
    let (ada, shared) = (collection(), collection());
    let hidden = field.write(&mention(ada, "a", "Boll Holding", "It exists.")).await.entities[0].id;
    let mut sheet = mention(shared, "b", "Halvek Front", "They met.");
    let link = sheet.link(0, 0, "is owned by it", &[0]);
    sheet.write.relationships[link].target = EntityRef::Existing(hidden);
    let front = field.write(&sheet).await.entities[0].id;
    assert!(reached(field, &Scope::from(shared), &from(front, Direction::Both)).await.is_empty());
    assert_eq!(reached(field, &Scope::new(vec![ada, shared]), &from(front, Direction::Both)).await.len(), 1);
    let unknown = from(EntityId(super::field::id()), Direction::Both);
    assert!(reached(field, &Scope::from(shared), &unknown).await.is_empty());
}
