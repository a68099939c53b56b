//! Tests of `batch_extract`: all fields are stored and read back, errors are named.

use super::{prelude::*, world::config_files};
use domain::{Confidence, PartialDate, claim::Attribution};
use engine::{
    graph::{Direction, Neighbour, Traversal},
    library::question_key,
};
use protocol::pack::Pack;

const TEXT: &str = "ANKARA (AP) - By Ana Lind. On 14 December 2016 the owner of the tanker Halla, IMO 9074729, met the Gulen network, which Ankara \
    calls FETÖ. He has owned the ship since May 2012, the register shows. The mayor said so.";

/// An investigation of one document at its end, and agents whom `batch_extract` is offered.
struct ExtractSession {
    world: World,
    investigation: Investigation,
    session: SessionId,
    order: WorkOrder,
    document: DocumentId,
    agents: Agents,
}

impl ExtractSession {
    async fn open(seed: u64) -> Self {
        let mut world = World::open(&folder(), seed, |_| {}).await;
        let paper = Paper::new("a.txt", "The Ledger", "2016-12-15", TEXT);
        let (investigation, _) = world.investigate(&[paper], FIRE_QUESTION).await;
        let engine = &world.engine;
        let query = DocumentQuery { limit: 1, ..DocumentQuery::default() };
        let document = engine.documents.list(&investigation.scope, &query).await.unwrap().documents[0].id;
        let order = engine.work_orders.work_orders(investigation.id).await.unwrap().remove(0);
        let sessions = engine.sessions.sessions(investigation.id).await.unwrap();
        let session = sessions.iter().find(|session| session.work_order_id() == Some(order.id)).unwrap().id;
        Self { world, investigation, session, order, document, agents: offered() }
    }

    /// The answer to an extract of the document, of which `change` says the rest.
    async fn record(&self, change: Value) -> Value {
        let mut extract = json!({"document_id": self.document});
        extract.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let arguments = json!({"documents": [extract]});
        let context = ToolContext::new(
            &self.world.engine,
            &self.agents.prompts,
            &self.investigation,
            self.session,
            AgentRole::Processor,
            Some(&self.order),
            ToolOffer::All,
        );
        let request = ToolRequest { id: "1".into(), name: "batch_extract".into(), arguments };
        let result = self.agents.gateway.call(&context, &request).await.unwrap().result;
        assert!(!result.is_error, "{}", result.content);
        serde_json::from_str::<Value>(&result.content).unwrap()["documents"][0].take()
    }

    /// Returns the items and errors of an extract as one text.
    async fn refused(&self, change: Value) -> String {
        let answer = self.record(change).await;
        let errors: Vec<String> = answer["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|error| format!("{}: {}", error["item"].as_str().unwrap(), error["error"].as_str().unwrap()))
            .collect();
        assert!(!errors.is_empty() && answer["claim_ids"] == json!([]), "{answer}");
        errors.join("\n")
    }
}

fn offered() -> Agents {
    let mut files = config_files();
    let path = "tools/processor/batch_extract.json";
    let text = files.get(path).unwrap().replace("\"offered\": false", "\"offered\": true");
    files.set(path, text);
    Agents::load(&files, "none").unwrap()
}

fn ids<T: std::str::FromStr>(answer: &Value, field: &str) -> Vec<T>
where
    T::Err: std::fmt::Debug,
{
    answer[field].as_array().unwrap().iter().map(|id| id.as_str().unwrap().parse().unwrap()).collect()
}

fn claim(reference: &str, quote: &str, occurred: Value) -> Value {
    // Not in the words of the provider, whose claims are there already and stay as they are.
    let content = format!("It is stated: {quote}");
    json!({"ref": reference, "quote": quote, "content": content, "entities": ["e1"], "attribution": "unattributed",
           "information": "assertion", "mode": "asserted", "speaker": null, "occurred": occurred})
}

fn entity(reference: &str, name: &str) -> Value {
    json!({"ref": reference, "name": name, "aliases": [], "kind": "thing", "properties": [], "summary": null})
}

#[tokio::test]
async fn every_field_of_an_extract_is_written_and_read() {
    let desk = ExtractSession::open(90).await;
    let (graph, scope) = (&desk.world.engine.graph, &desk.investigation.scope);
    let mut halla = entity("e1", "Halla");
    halla["external_ids"] = json!([{"system": "IMO", "id": "9074729", "claims": ["c1"]}]);
    let mut network = entity("e3", "Gulen network");
    network["same_as"] = json!([{"entity": "e4", "claims": ["c1"]}]);
    let feto = entity("e4", "FETÖ");
    let mut owner = entity("e2", "the owner of the tanker Halla");
    owner["is_stub"] = json!(true);
    let met = "On 14 December 2016 the owner of the tanker Halla, IMO 9074729, met the Gulen network, which Ankara calls FETÖ.";
    let owned = "He has owned the ship since May 2012, the register shows.";
    let answer = desk
        .record(json!({
            "credits": {"agency": "AP", "byline": "Ana Lind"},
            "entities": [halla, owner, network, feto],
            "claims": [
                claim("c1", met, json!("2016-12-14")),
                claim("c2", owned, json!({"from": "2012-05", "to": "2016-12"})),
                claim("c3", "The mayor said so.", Value::Null),
            ],
            "relationships": [
                {"source": "e2", "target": "e1", "description": "owns", "claims": ["c2"], "bidirectional": false,
                 "weight": "0.8", "confidence": 0.9, "since": "2012-05", "until": null},
                {"source": "e2", "target": "e3", "description": "met", "claims": ["c1"], "weight": 0.1},
            ],
        }))
        .await;
    assert_eq!(answer["errors"], json!([]));
    let claims = graph.claims(scope, &ids::<ClaimId>(&answer, "claim_ids")).await.unwrap();
    let occurred: Vec<_> = claims.iter().map(|claim| claim.occurred.map(|occurred| occurred.to_string())).collect();
    assert_eq!(occurred, [Some("2016-12-14".into()), Some("2012-05 to 2016-12".into()), None]);
    let links = graph.relationships(scope, &ids::<RelationshipId>(&answer, "relationship_ids")).await.unwrap();
    assert_eq!((links[0].weight, links[0].confidence), (Some(0.8), Confidence::try_from(0.9).ok()));
    assert_eq!((links[0].since, links[0].until), (PartialDate::parse("2012-05"), None));
    let published = Timestamp::parse("2016-12-15");
    assert_eq!(links[0].timestamp, published, "the day of the document that states it");
    let entities = ids::<EntityId>(&answer, "entity_ids");
    let strong =
        Traversal { entity_id: entities[1], direction: Direction::Both, description: None, min_weight: Some(0.5), limit: 9 };
    let reached = graph.traverse(scope, &strong).await.unwrap();
    let reached: Vec<_> = reached
        .iter()
        .map(|Neighbour { relationship, direction, .. }| (&*relationship.description, *direction, relationship.timestamp))
        .collect();
    assert_eq!(reached, [("owns", Direction::Outgoing, published)]);
    let read = graph.entities(scope, &entities).await.unwrap();
    assert_eq!((read[0].external_ids["imo"].as_str(), read[0].is_stub, read[1].is_stub), ("9074729", false, true));
    let reviews = graph.reviews(scope, 0, 9).await.unwrap();
    assert_eq!([reviews[0].left, reviews[0].right].iter().collect::<BTreeSet<_>>(), entities[2..].iter().collect());
    assert!(reviews[0].why.contains("which Ankara calls FETÖ"), "{}", reviews[0].why);

    // A known entity is named by its id, and the byline stands before the text from now on.
    let mut hizmet = entity("e1", "Ankara");
    hizmet["same_as"] = json!([{"entity": entities[2], "claims": ["c1"]}]);
    let answer = desk.record(json!({"entities": [hizmet], "claims": [claim("c1", "The mayor said so.", Value::Null)]})).await;
    assert_eq!(answer["errors"], json!([]));
    assert_eq!(graph.reviews(scope, 0, 9).await.unwrap().len(), reviews.len() + 1);
    let texts = desk.world.engine.documents.texts(scope, &[desk.document]).await.unwrap();
    assert_eq!(texts[0].document.credits.agency.as_deref(), Some("AP"));
    let pack = Pack::new(&texts, None, || "7".into());
    assert_eq!(Pack::read(&pack.text)[0].header.byline.as_deref(), Some("Ana Lind"));
    desk.world.close().await;
}

#[tokio::test]
async fn invalid_dates_shares_ids_and_samenesses_are_named() {
    let desk = ExtractSession::open(91).await;
    let stranger = EntityId(desk.world.engine.ids.next());
    let mut halla = entity("e1", "Halla");
    halla["external_ids"] = json!([{"system": "wikidata", "id": "Q42", "claims": ["c1"]}]);
    halla["same_as"] =
        json!([{"entity": "e1", "claims": ["c1"]}, {"entity": stranger, "claims": ["c1"]}, {"entity": "e2", "claims": []}]);
    let refused = desk
        .refused(json!({
            "entities": [halla, entity("e2", "Ankara")],
            "claims": [claim("c1", "The mayor said so.", json!("last week"))],
            "relationships": [{"source": "e1", "target": "e2", "description": "left", "claims": ["c1"], "weight": 8,
                "confidence": "-1", "since": "2017", "until": "2016-12"}],
        }))
        .await;
    for wrong in [
        "claim c1 occurred: 'last week' is not a day, month or year: write 2016-12-14, 2016-12 or 2016",
        "relationship e1 to e2 weight: 8 is not between 0 and 1",
        "relationship e1 to e2 confidence: -1 is not between 0 and 1",
        "relationship e1 to e2: `until` lies before `since`",
        "entity e1 external_ids: 'Q42' does not stand in the document",
        "entity e1 same_as: it names the entity itself",
        &format!("entity e1 same_as: there is no entity with ref or id '{stranger}'"),
        "entity e1 same_as: name the claims that state it",
    ] {
        assert!(refused.contains(wrong), "{wrong}\nis not in\n{refused}");
    }
    desk.world.close().await;
}

#[tokio::test]
async fn a_name_that_the_document_does_not_print_is_an_error_of_its_item() {
    let desk = ExtractSession::open(94).await;
    let mut halla = entity("e1", "Halla");
    halla["aliases"] = json!(["the tanker Halla", "Agent Seven", "HALLA"]);
    let mut said = claim("c2", "The mayor said so.", Value::Null);
    (said["attribution"], said["speaker"]) = (json!("secondhand"), json!("Governor Brisk"));
    let answer = desk
        .record(json!({
            "outlet": "e3",
            "credits": {"agency": "Reuters"},
            "entities": [halla, entity("e2", "Green Party of the United States"), entity("e3", "The Daily Invention"), entity("e4", "Ankara")],
            "claims": [claim("c1", "He has owned the ship since May 2012, the register shows.", Value::Null), said],
            "relationships": [
                {"source": "e4", "target": "e2", "description": "funds", "claims": ["c1"]},
                {"source": "e4", "target": "e1", "description": "knows", "claims": ["c1"]},
            ],
        }))
        .await;
    let errors = answer["errors"].as_array().unwrap().iter();
    let mut wrong: Vec<_> = errors.map(|error| error["item"].as_str().unwrap()).collect();
    wrong.sort_unstable();
    assert_eq!(wrong, ["claim c2", "entity e1 aliases.Agent Seven", "entity e2", "entity e3"], "{answer}");
    assert_eq!(ids::<RelationshipId>(&answer, "relationship_ids").len(), 1, "the other has an end that nobody names");
    let (graph, scope) = (&desk.world.engine.graph, &desk.investigation.scope);
    let read = graph.entities(scope, &ids::<EntityId>(&answer, "entity_ids")).await.unwrap();
    let names: Vec<_> = read.iter().flat_map(|one| one.aliases.iter().chain([&one.canonical_name])).cloned().collect();
    assert!(!names.iter().any(|name| name.contains("Agent") || name.contains("Green")), "{names:?}");
    let claim = graph.claims(scope, &ids::<ClaimId>(&answer, "claim_ids")).await.unwrap().remove(0);
    let named = graph.entities(scope, &claim.outlet_id.into_iter().collect::<Vec<_>>()).await.unwrap();
    assert!(named.iter().all(|outlet| outlet.canonical_name != "The Daily Invention"), "{named:?}");
    desk.world.close().await;
}

#[tokio::test]
async fn a_known_entity_is_the_same_only_where_the_document_names_it() {
    let desk = ExtractSession::open(95).await;
    let known = desk
        .record(json!({"entities": [entity("e1", "FETÖ")], "claims": [claim("c1", "The mayor said so.", Value::Null)]}))
        .await;
    let known = ids::<EntityId>(&known, "entity_ids")[0];
    let mut same = entity("e1", "Ankara");
    same["same_as"] = json!([{"entity": known, "claims": ["c1"]}]);
    let claims = json!([claim("c1", "The mayor said so.", Value::Null)]);
    let answer = desk.record(json!({"entities": [same.clone()], "claims": claims.clone()})).await;
    assert_eq!(answer["errors"], json!([]), "the document calls it FETÖ");
    let other = Paper::new("b.txt", "The Ledger", "2016-12-16", "Ankara was calm. The mayor said so.");
    desk.world.ingest(desk.investigation.collection_id, &[other]).await;
    let query = DocumentQuery { limit: 9, ..DocumentQuery::default() };
    let listed = desk.world.engine.documents.list(&desk.investigation.scope, &query).await.unwrap().documents;
    let document = listed.iter().find(|document| document.path.ends_with("b.txt")).unwrap().id;
    let answer = desk.record(json!({"document_id": document, "entities": [same], "claims": claims})).await;
    assert!(answer["errors"].to_string().contains("no name of the entity"), "{answer}");
    desk.world.close().await;
}

#[tokio::test]
async fn omitted_and_empty_fields_are_equal() {
    let desk = ExtractSession::open(92).await;
    let empty = json!({"ref": "e1", "name": "Halla", "kind": "thing", "is_stub": null, "external_ids": [], "same_as": []});
    let answer = desk
        .record(json!({
            "credits": {"agency": "", "byline": null},
            "entities": [empty, {"ref": "e2", "name": "Ankara", "kind": "place"}],
            "claims": [claim("c1", "The mayor said so.", json!({"from": "", "to": null}))],
            "relationships": [{"source": "e1", "target": "e2", "description": "left", "claims": ["c1"], "weight": "",
                "confidence": null, "since": "", "until": " "}],
        }))
        .await;
    assert_eq!(answer["errors"], json!([]));
    let (graph, scope) = (&desk.world.engine.graph, &desk.investigation.scope);
    let link = graph.relationships(scope, &ids::<RelationshipId>(&answer, "relationship_ids")).await.unwrap().remove(0);
    assert_eq!((link.weight, link.confidence, link.since, link.until), (None, None, None, None));
    assert_eq!(graph.claims(scope, &ids::<ClaimId>(&answer, "claim_ids")).await.unwrap()[0].occurred, None);
    let document = desk.world.engine.documents.document(scope, desk.document).await.unwrap().unwrap();
    assert_eq!(document.credits.byline, None);
    desk.world.close().await;
}

#[tokio::test]
async fn a_secondhand_claim_without_a_speaker_is_indirect() {
    let desk = ExtractSession::open(93).await;
    let reported = |speaker: Value| {
        let mut claim = claim("c1", "The mayor said so.", Value::Null);
        (claim["attribution"], claim["speaker"]) = (json!("secondhand"), speaker);
        json!({"entities": [entity("e1", "the mayor")], "claims": [claim]})
    };
    let (graph, scope) = (&desk.world.engine.graph, &desk.investigation.scope);
    let answer = desk.record(reported(json!(" "))).await;
    assert_eq!(answer["errors"], json!([]));
    let stored = graph.claims(scope, &ids::<ClaimId>(&answer, "claim_ids")).await.unwrap();
    assert_eq!((stored[0].attribution, stored[0].speaker.as_deref()), (Attribution::Indirect, None));
    desk.world.close().await;
}

#[tokio::test]
async fn a_person_keeps_the_printed_part_of_a_name_and_a_place_is_no_outlet() {
    let desk = ExtractSession::open(98).await;
    let (mut person, mut place) = (entity("e1", "Bo Lind"), entity("e2", "Ankara"));
    (person["kind"], place["kind"]) = (json!("person"), json!("place"));
    let mut said = claim("c1", "The mayor said so.", Value::Null);
    said["entities"] = json!(["e1", "e2"]);
    let answer = desk.record(json!({"outlet": "e2", "entities": [person, place], "claims": [said]})).await;
    assert_eq!(answer["errors"], json!([]));
    let (graph, scope) = (&desk.world.engine.graph, &desk.investigation.scope);
    let stored = graph.claims(scope, &ids::<ClaimId>(&answer, "claim_ids")).await.unwrap().remove(0);
    let outlets = graph.entities(scope, &stored.outlet_id.into_iter().collect::<Vec<_>>()).await.unwrap();
    assert!(outlets.iter().all(|outlet| outlet.canonical_name != "Ankara"), "{outlets:?}");
    let named = graph.entities(scope, &stored.entity_ids).await.unwrap();
    assert!(named.iter().all(|entity| !entity.aliases.contains(&"Bo Lind".to_owned())), "{named:?}");
    assert_eq!(named.len(), 2);
    desk.world.close().await;
}

#[tokio::test]
async fn a_document_read_in_view_of_a_question_is_completed_by_a_later_one_without_doubled_claims() {
    let desk = ExtractSession::open(96).await;
    let library = &desk.world.engine.documents;
    let calm = |document: DocumentId, content: &str| {
        let mut calm = claim("c1", "Ankara was calm.", Value::Null);
        calm["content"] = json!(content);
        json!({"document_id": document, "entities": [entity("e1", "Ankara")], "claims": [calm]})
    };
    let mut read = vec![];
    for path in ["b.txt", "c.txt"] {
        let text = format!("Ankara was calm. The mayor said so. It stands in {path}.");
        desk.world.ingest(desk.investigation.collection_id, &[Paper::new(path, "The Ledger", "2016-12-16", &text)]).await;
        let query = DocumentQuery { limit: 9, ..DocumentQuery::default() };
        let listed = library.list(&desk.investigation.scope, &query).await.unwrap().documents;
        let document = listed.iter().find(|document| document.path.ends_with(path)).unwrap().id;
        let mut extract = calm(document, "Ankara was calm.");
        extract["in_view_only"] = json!(true);
        let answer = desk.record(extract).await;
        assert_eq!(answer["errors"], json!([]));
        read.push((document, ids::<ClaimId>(&answer, "claim_ids")));
    }
    let documents = [read[0].0, read[1].0];
    let (asked, other) = (question_key(&desk.investigation.question), question_key("What did the mayor say?"));
    assert_eq!(library.extracted_for(&documents, Some(&asked)).await.unwrap().len(), 2);
    assert_eq!(library.extracted_for(&documents, Some(&other)).await.unwrap().len(), 0);

    let (document, known) = &read[0];
    let mut whole = calm(*document, "It was calm in Ankara.");
    whole["claims"].as_array_mut().unwrap().push(claim("c2", "The mayor said so.", Value::Null));
    let answer = desk.record(whole).await;
    let claims = ids::<ClaimId>(&answer, "claim_ids");
    assert_eq!((claims.len(), claims[0]), (2, known[0]), "in other words, but of one quote: {answer}");
    assert_eq!(library.extracted_for(&documents, None).await.unwrap().into_iter().collect::<Vec<_>>(), [*document]);

    let person = desk.world.person("ada").await;
    let next = desk.world.ask(&person, desk.investigation.collection_id, "What did the mayor of Ankara say?").await;
    desk.world.end_of(next.id).await;
    assert_eq!(library.extracted_for(&documents, None).await.unwrap().len(), 2, "the later question has the other one read");
    desk.world.close().await;
}
