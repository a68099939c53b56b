//! Tests of the explorer: what is cut, filtered, hidden and found by a path.

use crate::{graph_write::write_on_known_claim, prelude::*};
use domain::RelationshipId;
use engine::graph::{EntityProposal, EntityRef, NewRelationship, resolve::Cascade};
use std::collections::HashSet;

const REPORT: [(&str, &str); 1] =
    [("one.txt", "PORT HALEN, March 3, 2031 -- Halvek Rail owns the grain store, the mayor Orrin Vale said on Monday.")];

/// Neighbours of the hub, most strongly linked first.
const NEIGHBOURS: [&str; 12] =
    ["Alfa", "Bravo", "Charlie", "Delta", "Foxtrot", "Hotel", "Juliett", "Kilo", "Oscar", "Quebec", "Romeo", "Zulu"];

/// Writes a hub with its neighbours and a chain that leads on from the first of them. Returns their ids.
async fn write_star(app: &App, user: &User) -> Vec<EntityId> {
    let engine = &app.program.engine;
    let known = engine.entities_view(user, "", "").await.unwrap().entities.remove(0);
    let names = ["Quorvane"].into_iter().chain(NEIGHBOURS).chain([
        "Tarnholm Bank",
        "Ulmeria Dockyard",
        "Norvald Fund",
        "Norvald Press",
    ]);
    let entity = |name: &str| EntityProposal { claims: vec![0], ..EntityProposal::new(&*engine.ids, name, "company") };
    let mut entities: Vec<_> = names.map(entity).collect();
    entities[NEIGHBOURS.len()].kind = "person".into();
    let link = |source: usize, target: usize, description: &str| {
        let weight = Some(1.0 - f64::from(u32::try_from(target).unwrap()) / 20.0);
        let (id, source, target) = (RelationshipId(engine.ids.next()), EntityRef::New(source), EntityRef::New(target));
        NewRelationship { weight, ..NewRelationship::new(id, source, target, description, vec![0]) }
    };
    let last = NEIGHBOURS.len();
    let mut relationships: Vec<_> = (1..last).map(|target| link(0, target, "pays")).collect();
    relationships.push(link(0, last, "regulates"));
    relationships.push(link(1, last + 1, "funds"));
    relationships.push(link(last + 1, last + 2, "funds"));
    let write = GraphWrite { entities, relationships, ..write_on_known_claim(engine, user, &[known.id]).await };
    let written = engine.graph.write(&[write], &Cascade::default()).await.unwrap().remove(0);
    written.entities.into_iter().map(|entity| entity.id).collect()
}

fn names(graph: &Value) -> HashSet<&str> {
    graph["nodes"].as_array().unwrap().iter().filter_map(|node| node["name"].as_str()).collect()
}

/// Returns whether both ends of every relationship are among the entities.
fn is_closed(graph: &Value) -> bool {
    let ids: HashSet<_> = graph["nodes"].as_array().unwrap().iter().map(|node| node["id"].to_string()).collect();
    let edges = graph["edges"].as_array().unwrap();
    edges.iter().all(|edge| ids.contains(&edge["source"].to_string()) && ids.contains(&edge["target"].to_string()))
}

#[tokio::test]
async fn the_explorer_shows_the_strongest_and_finds_the_rest() {
    let app = spawn_with(|config| {
        config.engine.pages.explorer_nodes = 6;
        config.engine.pages.explorer_seeds = 2;
    })
    .await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let investigation = ada.ask("Who owns the grain store?", &REPORT).await.location().to_owned();
    let user = app.program.engine.accounts.user_by_name("ada").await.unwrap().unwrap().0;
    let has_entities = async || !app.program.engine.entities_view(&user, "", "").await.unwrap().entities.is_empty();
    assert!(crate::eventually::eventually(has_entities).await, "entities are written");
    let ids = write_star(&app, &user).await;
    let hub = ids[0];

    let cut = ada.get(&format!("/graph/export.json?seed={hub}")).await.json();
    assert_eq!(names(&cut), HashSet::from(["Quorvane", "Alfa", "Bravo", "Charlie", "Delta", "Foxtrot"]), "{cut}");
    assert!(is_closed(&cut) && cut["is_cut"] == true, "{cut}");
    for query in ["words=regulates", "kind=person"] {
        let narrowed = ada.get(&format!("/graph/export.json?seed={hub}&{query}")).await.json();
        assert_eq!(names(&narrowed), HashSet::from(["Quorvane", "Zulu"]), "filters come before the cut: {narrowed}");
    }
    let strong = ada.get(&format!("/graph/export.json?seed={hub}&strength=0.9")).await.json();
    assert_eq!(names(&strong), HashSet::from(["Quorvane", "Alfa", "Bravo"]), "{strong}");

    let without = format!("seed={hub}&strength=0.9&hide={}", ids[1]);
    assert_eq!(names(&ada.get(&format!("/graph/export.json?{without}")).await.json()), HashSet::from(["Quorvane", "Bravo"]));
    assert!(!ada.get(&format!("/graph/export.csv?{without}")).await.text().contains("Alfa"));
    let page = ada.get(&format!("/graph?{without}")).await.text();
    assert!(page.contains("/graph-cytoscape.js") && page.contains("/pkg/autosint-explorer.js"), "{page}");
    assert!(page.contains("Show hidden again") && page.contains(&format!("name=\"hide\" value=\"{}\"", ids[1])), "{page}");

    let path = format!("seed={hub}&claims=1&target=ulmeria+dockyard");
    let page = ada.get(&format!("/graph?{path}")).await.text();
    assert!(page.contains("1 shortest path") && page.contains("name=\"claims\"") && page.contains("Tarnholm Bank"), "{page}");
    let drawn = ada.get(&format!("/graph/export.json?{path}")).await.json();
    let on_path = drawn["edges"].as_array().unwrap().iter().filter(|edge| edge["is_on_path"] == true).count();
    assert!(on_path == 3 && is_closed(&drawn) && names(&drawn).contains("Ulmeria Dockyard"), "{drawn}");
    let choice = ada.get(&format!("/graph?seed={hub}&target=Norvald")).await.text();
    assert!(choice.contains("Which “Norvald”?") && choice.contains(&format!("to={}", ids[ids.len() - 1])), "{choice}");

    let found = ada.get("/graph/export.json?search=Quorvane").await.json();
    assert_eq!(found["seeds"][0], hub.to_string(), "{found}");
    let many = ada.get(&format!("/graph?seed={hub}&seed={}&seed={}", ids[1], ids[2])).await.text();
    assert!(many.contains("At most 2 entities are expanded at once; 1 of yours are not."), "{many}");
    let investigation = investigation.rsplit('/').next().unwrap();
    let started = ada.get(&format!("/graph/export.json?investigation={investigation}")).await.json();
    assert!(!started["seeds"].as_array().unwrap().is_empty(), "{started}");
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let unseen = bob.get(&format!("/graph/export.json?investigation={investigation}")).await.json();
    assert!(unseen["seeds"].as_array().unwrap().is_empty(), "{unseen}");
}

#[tokio::test]
async fn a_saved_view_is_shared_with_strangers_and_exported_as_stix() {
    let app = spawn_with(|_| {}).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    ada.ask("Who owns the grain store?", &REPORT).await;
    let user = app.program.engine.accounts.user_by_name("ada").await.unwrap().unwrap().0;
    let has_entities = async || !app.program.engine.entities_view(&user, "", "").await.unwrap().entities.is_empty();
    assert!(crate::eventually::eventually(has_entities).await, "entities are written");
    let hub = write_star(&app, &user).await[0];
    let query = format!("seed={hub}");
    let view = [("page", "graph"), ("name", "Star"), ("notes", "For Monday"), ("query", query.as_str())];
    let saved = ada.post("/views", &view).await.location().to_owned();
    let page = ada.get(&saved).await.text();
    let id = page.split("/graph/views/").nth(1).and_then(|rest| rest.split('/').next()).expect("a link to STIX").to_owned();
    assert!(page.contains("/shares/new?kind=graph_view"), "{page}");

    let bundle = ada.get(&format!("/graph/views/{id}/stix.json")).await.json();
    let objects = bundle["objects"].as_array().unwrap();
    let pays = objects.iter().filter(|object| object["description"] == "pays").count();
    assert_eq!(pays, NEIGHBOURS.len() - 1, "{bundle}");
    assert!(objects.iter().any(|object| object["type"] == "grouping" && object["name"] == "Star"), "{bundle}");

    let link = [("kind", "graph_view"), ("object", id.as_str()), ("quotes", ""), ("days", "30")];
    let made = ada.post("/shares", &link).await.location().to_owned();
    let token = made.strip_prefix("/shares?link=").expect("a token");
    let shared = ada.stranger().get(&format!("/s/{token}")).await;
    let text = shared.text();
    assert!(shared.status == 200 && text.len() < 60_000, "{} {}", shared.status, text.len());
    assert!(text.contains("<svg") && text.contains("For Monday") && text.contains("<td>Quorvane</td>"), "{text}");
    assert!(!text.contains(&hub.to_string()) && !text.contains(&id), "no ids: {text}");
    assert!(ada.get("/shares").await.text().contains("Star"));
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    assert_eq!(bob.get(&format!("/graph/views/{id}/stix.json")).await.status, 404);
    assert_eq!(bob.get(&format!("/shares/new?kind=graph_view&object={id}")).await.status, 404);
}
