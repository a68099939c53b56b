//! Tensions that the model names that reads a document.

use super::{SCHEMAS, documents, limits, script::scripted_web, store};
use crate::{finder::find_once, response::ResponseKind, tension::TensionOrigin};
use domain::{DocumentId, Scope, SessionId, agent::AgentRole, investigation::Investigation, model_choice::ModelChoices};
use engine::{
    agents::{SessionOutcome, SessionTask, machine::Outcome, run_session},
    investigations::WorkOrders,
    library::Documents,
};
use serde_json::{Value, json};
use testkit::{ScriptedModel, ScriptedTurn, TestBackend, capture};

const ADDRESS: &str = "https://gazette.example/dockers";
const MEALS: &str = "The clinic of Brask serves free meals on Fridays.";
const HUNGER: &str = "Families of dockers skip meals.";
const DOCKERS: &str = "Dockers in Romania walked out over unpaid wages. Families of dockers skip meals. The clinic of Brask serves free meals on Fridays.";
const TEACHERS: &str = "Teachers in Greece went on strike.";

fn response(title: &str, quote: &str, effect: &str) -> Value {
    json!({
        "kind": "give", "title": title, "summary": "Meals for everybody.", "explanation": "They eat.", "effect": effect,
        "diffusion_mechanism": "mutual aid", "match_strength": 0.8, "event_date": null, "place": null, "quote": quote,
    })
}

fn named(title: &str, quotes: &[&str], responses: &[Value]) -> Value {
    let quotes: Vec<Value> = quotes.iter().map(|quote| json!({"quote": quote})).collect();
    json!({
        "title": title, "statement": "Families of dockers cannot eat enough.", "theme": "food", "severity": "serious",
        "place": "Romania", "confidence": 0.95, "quotes": quotes, "responses": responses,
    })
}

/// An extract of a document with these claims.
fn extract(document: DocumentId, quotes: &[&str]) -> Value {
    let claim = |(number, quote): (usize, &&str)| {
        json!({
            "ref": format!("c{number}"), "quote": quote, "content": quote, "entities": [], "attribution": "unattributed",
            "information": "assertion", "mode": "asserted", "speaker": null, "occurred": null,
        })
    };
    let claims: Vec<Value> = quotes.iter().enumerate().map(claim).collect();
    json!({
        "document_id": document, "outlet": null, "credits": null, "entities": [], "claims": claims, "relationships": [],
    })
}

fn answer(extract: &Value) -> ScriptedTurn {
    ScriptedTurn::text(json!({"documents": [extract]}).to_string())
}

pub async fn items_of_a_document_are_stored_once(backend: &TestBackend) {
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one", "two"]).await;
    let (first, second) = (named("Hunger", &[HUNGER], &[]), named("Thirst", &[], &[response("Water", MEALS, "diffuses")]));
    let store = store(backend);
    for _ in 0..2 {
        store
            .add_extracted(found[0].id, &[first.clone(), second.clone(), json!({"title": "Of another version"})])
            .await
            .unwrap();
    }
    let ids = [found[0].id, found[1].id];
    let stored = store.extracted(&ids).await.unwrap();
    let mut titles: Vec<&str> = stored[&ids[0]].iter().map(|one| one.title.as_str()).collect();
    titles.sort_unstable();
    assert_eq!((titles, stored.len()), (vec!["Hunger", "Thirst"], 1));
    // The document was deleted meanwhile.
    store.add_extracted(DocumentId(testkit::id()), &[first]).await.unwrap();
    backend.store.remove_collection(collection).await.unwrap();
    assert!(store.extracted(&ids).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tensions_that_a_model_names_take_the_place_of_the_word_lists() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let (ada, collection) = backend.person("ada").await;
    let (_, other) = backend.person("bob").await;
    let captures = [capture(collection, ADDRESS, DOCKERS), capture(collection, "teachers.txt", TEACHERS)];
    let read = backend.store.add_documents(&captures).await.unwrap().0;

    let mut dockers = extract(read[0].id, &["Dockers in Romania walked out over unpaid wages.", HUNGER, MEALS]);
    let responses = [
        response("Free meals", MEALS, "diffuses"),
        response("Invented meals", "The mayor cooks.", "diffuses"),
        response("Looting", MEALS, "escalates"),
    ];
    let hunger = named("Hunger of families", &[HUNGER, "The port is closed."], &responses);
    dockers["added"] =
        json!({"tensions": [hunger, named("Without a quote", &["The port is closed."], &[]), {"title": "Half"}, 7]});
    let model = ScriptedModel::new(vec![answer(&dockers), answer(&extract(read[1].id, &[TEACHERS]))]);
    let web = scripted_web(&backend, &model, &[], json!({}));

    let asked = backend.an_investigation(ada, collection);
    let asked = Investigation { model: None, models: ModelChoices::default(), addresses: vec![], ..asked };
    web.engine.investigations.add(&asked).await.unwrap();
    let mut order = backend.order(asked.id, 1, "Read them.");
    order.source_guidance = read.iter().map(|document| format!("documents {}", document.id)).collect();
    backend.store.stage(SessionId(testkit::id()), &order).await.unwrap();
    let task = SessionTask::for_order(AgentRole::Processor, &asked, &order);
    let (_, outcome) = run_session(&web.engine, &web.agents, task).await.unwrap();
    assert!(matches!(outcome, SessionOutcome::Ended(Outcome::Finished { .. })), "a bad field fails no document");
    {
        let requests = model.requests();
        assert_eq!(requests.len(), 2, "nothing is asked for again");
        assert!(requests[0].system.contains("added.tensions"));
        let schema = &requests[0].output_schema.as_ref().expect("a shape").schema;
        let place = "/properties/documents/items/properties/added/properties/tensions/items/properties/severity/enum";
        assert_eq!(schema.pointer(place), Some(&json!(["minor", "serious", "severe"])));
        let added = schema["properties"]["documents"]["items"]["properties"]["added"].to_string();
        assert!(!added.contains("null") && !added.contains("anyOf"), "unions are few where schemas are enforced: {added}");
    }

    let store = store(&backend);
    let items = store.extracted(&[read[0].id]).await.unwrap().remove(&read[0].id).expect("stored items");
    let kept = items.iter().find(|one| one.title == "Hunger of families").expect("the one with a quote");
    assert_eq!((kept.quotes.len(), kept.responses.len()), (1, 2), "what the text does not say is refused");

    assert_eq!(find_once(&web).await.unwrap(), 2);
    assert_eq!(find_once(&web).await.unwrap(), 0);
    let scope = Scope::from(collection);
    let mut found: Vec<_> =
        store.tensions(&scope, limits(&backend)).await.unwrap().into_iter().map(|one| one.tension).collect();
    found.sort_by(|one, other| one.title.cmp(&other.title));
    let facts: Vec<_> = found.iter().map(|one| (one.title.as_str(), one.origin, one.confidence, one.theme.as_str())).collect();
    assert_eq!(facts.len(), 2, "{facts:?}");
    assert_eq!(facts[0], ("Hunger of families", TensionOrigin::Extracted, 0.6, "food"), "its confidence is capped");
    assert_eq!((facts[1].1, facts[1].2), (TensionOrigin::Extraction, 0.5), "without the field the word lists read");
    assert!(facts[1].0.contains("Greece"), "{facts:?}");

    let eased = store.responses_to(&scope, &[found[0].id]).await.unwrap();
    let eased: Vec<_> = eased.into_iter().map(|one| one.response).collect();
    assert_eq!(eased.len(), 1, "what escalates is refused: {eased:?}");
    assert_eq!((eased[0].kind, eased[0].url.as_str()), (ResponseKind::Give, ADDRESS));
    assert_eq!((eased[0].document, eased[0].collection), (Some(read[0].id), collection));
    assert!(
        store.tensions(&Scope::from(other), limits(&backend)).await.unwrap().is_empty(),
        "a private document stays private"
    );
    backend.close().await;
}
