//! Scopes: every query sees its own collections only.

use super::prelude::*;

/// A private alias of one person for a shared entity.
fn secrets(home: CollectionId, secret: &str) -> DocumentWrite {
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
async fn everything(fixture: &GraphFixture, scope: &Scope, known: &[&WriteOutcome]) -> String {
    let graph = &fixture.graph;
    let entity_ids: Vec<_> = known.iter().flat_map(|written| written.entities.iter().map(|entity| entity.id)).collect();
    let claim_ids: Vec<_> = known.iter().flat_map(|written| written.claims.iter().map(|claim| claim.id)).collect();
    let link_ids: Vec<_> = known.iter().flat_map(|written| written.relationships.iter().map(|link| link.id)).collect();
    let mut seen = format!("{:?}", graph.counts(scope).await.unwrap());
    seen += &format!("{:?}", graph.entities(scope, &entity_ids).await.unwrap());
    seen += &format!("{:?}", graph.claims(scope, &claim_ids).await.unwrap());
    seen += &format!("{:?}", graph.relationships(scope, &link_ids).await.unwrap());
    seen += &format!("{:?}", graph.reviews(scope, 0, 50).await.unwrap());
    for text in [None, Some("Zephyr"), Some("Quartz"), Some("Front plan house brigade")] {
        let text = text.map(domain::QueryText::from);
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
        let query = SubgraphQuery::new(vec![entity], 50);
        let around = graph.subgraph(scope, &query).await.unwrap();
        seen += &format!("{:?}{:?}", around.nodes, around.edges);
    }
    seen
}

pub async fn two_people_see_nothing_of_each_other(fixture: &GraphFixture) {
    let (shared, ada, bob) = (collection(), collection(), collection());
    fixture.write(&mention(shared, "a", "Halvek Front", "The Front spoke.")).await;
    let (of_ada, of_bob) = (secrets(ada, "Zephyr").beside(&[shared]), secrets(bob, "Quartz").beside(&[shared]));
    let (one, other) = tokio::join!(fixture.write(&of_ada), fixture.write(&of_bob));
    assert_eq!(one.entities[0].id, other.entities[0].id, "the entity is one, what is known of it is not");
    let (ada, bob) = (Scope::from(ada), Scope::from(bob));
    let known = [&one, &other];
    let (seen_by_ada, seen_by_bob) = tokio::join!(everything(fixture, &ada, &known), everything(fixture, &bob, &known));
    assert!(seen_by_ada.contains("Zephyr") && !seen_by_ada.contains("Quartz"), "{seen_by_ada}");
    assert!(seen_by_bob.contains("Quartz") && !seen_by_bob.contains("Zephyr"), "{seen_by_bob}");
    assert_eq!(fixture.counts(&ada).await, (1, 2, 1));
    assert_eq!(fixture.graph.claim_counts(&ada, &[of_bob.write.document_id]).await.unwrap(), [0]);
}

pub async fn a_shared_entity_shows_each_reader_only_readable_claims(fixture: &GraphFixture) {
    let (shared, ada) = (collection(), collection());
    let open = fixture.write(&mention(shared, "a", "HALVEK FRONT", "The Front spoke.")).await;
    fixture.write(&secrets(ada, "Zephyr").beside(&[shared])).await;
    let everybody = fixture.graph.entities(&Scope::from(shared), &[open.entities[0].id]).await.unwrap().remove(0);
    assert_eq!((everybody.canonical_name.as_str(), everybody.aliases.len()), ("HALVEK FRONT", 0));
    assert!(everybody.is_stub && everybody.summary.is_none() && everybody.properties.is_empty());
    let both = Scope::new(vec![shared, ada]);
    let to_ada = fixture.graph.entities(&both, &[open.entities[0].id]).await.unwrap().remove(0);
    assert!(!to_ada.is_stub && to_ada.summary.is_some() && to_ada.external_ids["codename"] == "Zephyr");
    assert_eq!(fixture.graph.find_claims(&both, &claims("front")).await.unwrap().len(), 2);
}

pub async fn a_private_name_finds_nothing_for_others(fixture: &GraphFixture) {
    let (shared, ada) = (collection(), collection());
    fixture.write(&mention(shared, "a", "Halvek Front", "The Front spoke.")).await;
    fixture.write(&secrets(ada, "Zephyr").beside(&[shared])).await;
    assert!(fixture.graph.find_entities(&Scope::from(shared), &entities("Zephyr")).await.unwrap().is_empty());
    assert_eq!(fixture.graph.find_entities(&Scope::from(ada), &entities("Zephyr")).await.unwrap().len(), 2);
}

pub async fn a_private_name_makes_no_review_for_others(fixture: &GraphFixture) {
    let (shared, ada, bob) = (collection(), collection(), collection());
    let person = |home, path: &str, name: &str| {
        let mut sheet = DocumentWrite::new(home, path).beside(&[shared]);
        let entity = sheet.entity(name, "person");
        sheet.claim(&format!("{name} spoke."), &[entity]);
        sheet
    };
    fixture.write(&person(shared, "a", "Halvek Kestrel")).await;
    let mut private = person(ada, "b", "Halvek Kestrel");
    private.write.entities[0].aliases = vec!["Robert Orrin".into()];
    fixture.write(&private).await;
    fixture.write(&person(bob, "c", "R. Orrin")).await;
    assert_eq!(fixture.graph.reviews(&Scope::new(vec![shared, bob]), 0, 9).await.unwrap(), []);
    assert_eq!(fixture.graph.reviews(&Scope::new(vec![shared, ada]), 0, 9).await.unwrap(), []);
    assert_eq!(fixture.graph.reviews(&Scope::new(vec![shared, ada, bob]), 0, 9).await.unwrap(), []);
    fixture.write(&person(ada, "d", "R. Orrin")).await;
    assert_eq!(fixture.graph.reviews(&Scope::new(vec![shared, ada]), 0, 9).await.unwrap().len(), 1);
    assert_eq!(fixture.graph.reviews(&Scope::new(vec![shared, bob]), 0, 9).await.unwrap(), []);
}

/// "Ash Company" with another name that only its writer knows.
fn alias(home: CollectionId, path: &str, alias: &str) -> DocumentWrite {
    let mut sheet = mention(home, path, "Ash Company", &format!("{path}: Ash met."));
    sheet.write.entities[0].aliases = vec![alias.into()];
    sheet
}

pub async fn a_private_alias_joins_nothing_of_others(fixture: &GraphFixture) {
    let (shared, ada, bob) = (collection(), collection(), collection());
    let open = fixture.write(&mention(shared, "a", "Ash Company", "Ash spoke.")).await.entities[0];
    let of_ada = fixture.write(&alias(ada, "b", "Birch League").beside(&[shared])).await.entities[0];
    assert_eq!((of_ada.id, of_ada.is_new), (open.id, false), "a name that is open to all joins");
    let birch = |home, path: &str| mention(home, path, "Birch League", &format!("{path}: Birch met.")).beside(&[shared]);
    for home in [bob, shared] {
        let found = fixture.write(&birch(home, "c")).await.entities[0];
        assert!(found.is_new && found.id != open.id, "the alias is Ada's alone");
        assert_eq!(fixture.graph.reviews(&Scope::new(vec![shared, bob]), 0, 9).await.unwrap(), []);
    }
    let (again, known) = (birch(ada, "d"), birch(bob, "e"));
    let through =
        fixture.graph.match_candidates(&known.write.resolve_within, &known.write.entities, &fixture.cascade).await.unwrap();
    assert!(through[0].iter().all(|known| known.id != open.id && known.names == ["Birch League"]), "{through:?}");
    assert!(!fixture.write(&again).await.entities[0].is_new);
}

pub async fn a_private_external_id_joins_nothing_of_others(fixture: &GraphFixture) {
    let (ada, bob) = (collection(), collection());
    let named = |home, path: &str, name: &str| {
        let mut sheet = mention(home, path, name, "It exists.");
        sheet.write.entities[0].external_ids.insert("wikidata".into(), "Q77".into());
        sheet
    };
    let first = fixture.write(&named(ada, "a", "Kestra Press")).await.entities[0];
    let other = fixture.write(&named(bob, "b", "Valley Post")).await.entities[0];
    assert!(other.is_new && other.id != first.id);
    assert_eq!(fixture.write(&named(ada, "c", "Valley Post")).await.entities[0].id, first.id);
}

pub async fn a_crowd_of_private_namesakes_hides_nothing_from_others(fixture: &GraphFixture) {
    let (ada, bob) = (collection(), collection());
    let front = fixture.write(&mention(bob, "a", "Halvek Dawn Front", "It met.")).await.entities[0];
    let mut crowd = DocumentWrite::new(ada, "b");
    for n in 0..40 {
        let entity = crowd.entity(&format!("Halvek Dawn Front {n}"), "organisation");
        crowd.write.entities[entity].external_ids.insert("number".into(), n.to_string());
        crowd.claim(&format!("Front {n} met."), &[entity]);
    }
    fixture.write(&crowd).await;
    assert_eq!(fixture.write(&mention(bob, "c", "HALVEK DAWN FRONT", "It met again.")).await.entities[0].id, front.id);
}

/// Claims of one collection that a question about the harbour finds, best first, as the engine orders them.
async fn ranked(fixture: &GraphFixture, scope: &Scope, config: &SearchConfig) -> Vec<String> {
    let query = ClaimQuery { text: Some("harbour explosion inquiry".into()), ..ClaimQuery::default() };
    let found = search_claims(&*fixture.graph, None, config, scope, query, 3).await.unwrap();
    found.into_iter().map(|found| found.item.content).collect()
}

pub async fn records_of_others_change_no_ranking_of_candidates(fixture: &GraphFixture) {
    let (ada, bob) = (collection(), collection());
    let mut sheet = DocumentWrite::new(ada, "a");
    for n in 0..30 {
        sheet.claim(&format!("An explosion was heard in quarter {n}."), &[]);
        sheet.claim(&format!("The harbour was shut to ship number {n} for the day."), &[]);
    }
    sheet.claim("The inquiry began.", &[]);
    fixture.write(&sheet).await;
    let (scope, few) = (Scope::from(ada), SearchConfig { candidates: 3, ..SearchConfig::default() });
    let before = (ranked(fixture, &scope, &few).await, everything(fixture, &scope, &[]).await);
    // Words that are rare with Ada become common, her common ones rare, and every text longer.
    let mut flood = DocumentWrite::new(bob, "b");
    for n in 0..3_000 {
        flood.claim(&format!("The inquiry into explosion {n} heard of inquiries in a long row of words without end."), &[]);
    }
    fixture.write(&flood).await;
    assert_eq!((ranked(fixture, &scope, &few).await, everything(fixture, &scope, &[]).await), before);
}

pub async fn an_empty_scope_sees_nothing(fixture: &GraphFixture) {
    let written = fixture.write(&secrets(collection(), "Zephyr")).await;
    for scope in [Scope::default(), Scope::from(CollectionId(id()))] {
        let seen = everything(fixture, &scope, &[&written]).await;
        assert_eq!(seen.replace("[]", ""), "(0, 0, 0)", "{seen}");
    }
}
