//! A scope sees its collections and nothing of any other, whatever it asks.

use super::field::{Field, Sheet, collection, id, mention};
use domain::{CollectionId, Scope, entity::PropertyKey, entity::PropertyValue};
use engine::graph::{ClaimQuery, EntityQuery, EntityRef, Graph, RelationshipQuery, Traversal, Written};

/// What one person keeps private about an entity that everybody knows by another name.
fn secrets(home: CollectionId, secret: &str) -> Sheet {
    let mut sheet = mention(home, secret, "Halvek Front", &format!("The Front has a plan called {secret}."));
    sheet.write.entities[0].aliases = vec![format!("{secret} Brigade")];
    let other = sheet.entity(&format!("{secret} House"), "place");
    sheet.link(0, other, &format!("meets at {secret}"), &[0]);
    let update = sheet.update(EntityRef::New(0), &[0]);
    update.summary = Some(format!("Known for {secret}."));
    update.properties.insert(PropertyKey::try_from("plan".to_owned()).unwrap(), PropertyValue::Text(secret.into()));
    update.external_ids.insert("codename".into(), secret.into());
    update.is_stub = Some(false);
    sheet
}

fn entities(text: &str) -> EntityQuery {
    EntityQuery { text: Some(text.into()), candidates: 50, ..EntityQuery::default() }
}

fn claims(text: &str) -> ClaimQuery {
    ClaimQuery { text: Some(text.into()), candidates: 50, ..ClaimQuery::default() }
}

fn traversal(entity: domain::EntityId) -> Traversal {
    Traversal { entity_id: entity, direction: Default::default(), description: None, min_weight: None, limit: 50 }
}

/// Everything that a scope can get at, as text.
async fn everything(field: &Field, scope: &Scope, known: &[&Written]) -> String {
    let graph = &field.graph;
    let entity_ids: Vec<_> = known.iter().flat_map(|written| written.entities.iter().map(|entity| entity.id)).collect();
    let claim_ids: Vec<_> = known.iter().flat_map(|written| written.claims.iter().map(|claim| claim.id)).collect();
    let link_ids: Vec<_> = known.iter().flat_map(|written| written.relationships.iter().map(|link| link.id)).collect();
    let mut seen = format!("{:?}", graph.counts(scope).await.unwrap());
    seen += &format!("{:?}", graph.entities(scope, &entity_ids).await.unwrap());
    seen += &format!("{:?}", graph.claims(scope, &claim_ids).await.unwrap());
    seen += &format!("{:?}", graph.relationships(scope, &link_ids).await.unwrap());
    seen += &format!("{:?}", graph.reviews(scope, 50).await.unwrap());
    for text in [None, Some("Zephyr"), Some("Quartz"), Some("Front plan house brigade")] {
        let text = text.map(str::to_owned);
        let query = EntityQuery { text: text.clone(), candidates: 50, ..EntityQuery::default() };
        seen += &format!("{:?}", graph.find_entities(scope, &query).await.unwrap());
        let query = ClaimQuery { text: text.clone(), candidates: 50, ..ClaimQuery::default() };
        seen += &format!("{:?}", graph.find_claims(scope, &query).await.unwrap());
        let query = RelationshipQuery { text, candidates: 50, ..RelationshipQuery::default() };
        seen += &format!("{:?}", graph.find_relationships(scope, &query).await.unwrap());
    }
    for entity in entity_ids {
        let query = ClaimQuery { entity_id: Some(entity), candidates: 50, ..ClaimQuery::default() };
        seen += &format!("{:?}", graph.find_claims(scope, &query).await.unwrap());
        seen += &format!("{:?}", graph.traverse(scope, &traversal(entity)).await.unwrap());
    }
    seen
}

pub async fn two_people_see_nothing_of_each_other(field: &Field) {
    let (ada, bob) = (collection(), collection());
    let (of_ada, of_bob) = (secrets(ada, "Zephyr"), secrets(bob, "Quartz"));
    let (one, other) = tokio::join!(field.write(&of_ada), field.write(&of_bob));
    assert_eq!(one.entities[0].id, other.entities[0].id, "the entity is one, what is known of it is not");
    let (ada, bob) = (Scope::from(ada), Scope::from(bob));
    let known = [&one, &other];
    let (seen_by_ada, seen_by_bob) = tokio::join!(everything(field, &ada, &known), everything(field, &bob, &known));
    assert!(seen_by_ada.contains("Zephyr") && !seen_by_ada.contains("Quartz"), "{seen_by_ada}");
    assert!(seen_by_bob.contains("Quartz") && !seen_by_bob.contains("Zephyr"), "{seen_by_bob}");
    assert_eq!(field.counts(&ada).await, (1, 2, 1));
    assert_eq!(field.graph.claim_counts(&ada, &[of_bob.write.document_id]).await.unwrap(), [0]);
}

pub async fn a_shared_entity_shows_each_what_he_may_know(field: &Field) {
    let (shared, ada) = (collection(), collection());
    let open = field.write(&mention(shared, "a", "HALVEK FRONT", "The Front spoke.")).await;
    field.write(&secrets(ada, "Zephyr")).await;
    let everybody = field.graph.entities(&Scope::from(shared), &[open.entities[0].id]).await.unwrap().remove(0);
    assert_eq!((everybody.canonical_name.as_str(), everybody.aliases.len()), ("HALVEK FRONT", 0));
    assert!(everybody.is_stub && everybody.summary.is_none() && everybody.properties.is_empty());
    let both = Scope::new(vec![shared, ada]);
    let to_ada = field.graph.entities(&both, &[open.entities[0].id]).await.unwrap().remove(0);
    assert!(!to_ada.is_stub && to_ada.summary.is_some() && to_ada.external_ids["codename"] == "Zephyr");
    assert_eq!(field.graph.find_claims(&both, &claims("front")).await.unwrap().len(), 2);
}

pub async fn a_private_name_finds_nothing_for_others(field: &Field) {
    let (shared, ada) = (collection(), collection());
    field.write(&mention(shared, "a", "Halvek Front", "The Front spoke.")).await;
    field.write(&secrets(ada, "Zephyr")).await;
    assert!(field.graph.find_entities(&Scope::from(shared), &entities("Zephyr")).await.unwrap().is_empty());
    assert_eq!(field.graph.find_entities(&Scope::from(ada), &entities("Zephyr")).await.unwrap().len(), 2);
}

pub async fn a_private_name_makes_no_review_for_others(field: &Field) {
    let (shared, ada, bob) = (collection(), collection(), collection());
    field.write(&mention(shared, "a", "Halvek Front", "The Front spoke.")).await;
    let mut private = mention(ada, "b", "Halvek Front", "The Front hides.");
    private.write.entities[0].aliases = vec!["Orrin".into()];
    field.write(&private).await;
    let mut namesake = Sheet::new(bob, "c");
    let entity = namesake.entity("Orrin", "person");
    namesake.claim("Orrin fled.", &[entity]);
    field.write(&namesake).await;
    assert_eq!(field.graph.reviews(&Scope::new(vec![shared, bob]), 9).await.unwrap(), []);
    assert_eq!(field.graph.reviews(&Scope::new(vec![shared, ada]), 9).await.unwrap(), []);
    assert_eq!(field.graph.reviews(&Scope::new(vec![ada, bob]), 9).await.unwrap().len(), 1);
}

pub async fn an_empty_scope_sees_nothing(field: &Field) {
    let written = field.write(&secrets(collection(), "Zephyr")).await;
    for scope in [Scope::default(), Scope::from(CollectionId(id()))] {
        let seen = everything(field, &scope, &[&written]).await;
        assert_eq!(seen.replace("[]", ""), "(0, 0, 0)", "{seen}");
    }
}
