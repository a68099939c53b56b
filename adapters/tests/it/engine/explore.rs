//! The Analyst's tools that explore the graph: chains of interests, groups, and time.

use super::{
    prelude::*,
    verify::{agents_with_all_tools, quote_of_a_document},
};
use domain::agent::AgentRole::{Analyst, Processor};

#[tokio::test]
async fn an_analyst_follows_a_chain_from_an_outlet_to_a_regulated_industry() {
    let mut world = World::open(&folder(), 76, |_| {}).await;
    let (own, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    let engine = &world.engine;
    let (document, quote) = quote_of_a_document(engine, &own.scope).await;
    let orders = engine.work_orders.work_orders(own.id).await.unwrap();
    let sessions = engine.sessions.sessions(own.id).await.unwrap();
    let session = |is_analyst: bool| sessions.iter().find(|one| one.work_order_id().is_none() == is_analyst).unwrap().id;
    let agents = agents_with_all_tools();
    let processor =
        ToolContext::new(engine, &agents.prompts, &own, session(false), Processor, Some(&orders[0]), ToolOffer::All);
    let analyst = ToolContext::new(engine, &agents.prompts, &own, session(true), Analyst, None, ToolOffer::All);
    let call = async |context: &ToolContext<'_>, name: &str, arguments: Value| -> (bool, Value) {
        let request = ToolRequest { id: name.into(), name: name.into(), arguments };
        let result = agents.gateway.call(context, &request).await.unwrap().result;
        // What comes from documents stands between two marks, each on a line.
        let json = result.content.lines().find(|line| line.starts_with('{')).unwrap_or_default();
        (result.is_error, serde_json::from_str(json).unwrap_or_else(|_| Value::from(&*result.content)))
    };
    let made = async |name: &str, arguments: Value| call(&processor, name, arguments).await.1;
    let mut ids = vec![];
    for (name, kind) in
        [("Quay Courier", "outlet"), ("Linden Fund", "company"), ("Halvek Barges", "company"), ("River freight", "industry")]
    {
        let entity = json!({"document_id": document, "canonical_name": name, "kind": kind, "aliases": [], "is_stub": true});
        ids.push(made("create_entity", entity).await["entity_id"].clone());
    }
    let claim = json!({"document_id": document, "quote": quote, "content": "The fund owns the courier.", "attribution_depth": "primary",
        "referenced_entity_ids": ids, "source_entity_id": ids[0], "information": "assertion", "mode": "alleged"});
    let claims = json!([made("create_claim", claim).await["claim_id"]]);
    for (ends, description, weight) in [([1, 0], "owns", 0.9), ([1, 2], "holds a stake in", 0.4), ([2, 3], "operates in", 0.7)]
    {
        let [source, target] = ends.map(|place| ids[place].clone());
        let link = json!({"source_entity_id": source, "target_entity_id": target, "description": description, "weight": weight, "claim_ids": claims});
        let made = made("create_relationship", link).await;
        assert_eq!(made["is_new"], json!(true), "{made} {ids:?} {claims}");
    }

    let ends = json!({"source_entity_id": ids[0], "target_entity_id": ids[3]});
    let (is_error, found) = call(&analyst, "find_paths", ends.clone()).await;
    assert!(!is_error, "{found}");
    let steps = found["paths"][0].as_array().unwrap().iter();
    let steps: Vec<_> = steps.map(|step| (step["description"].as_str().unwrap(), step["weight"].as_f64().unwrap())).collect();
    assert_eq!(steps, [("owns", 0.9), ("holds a stake in", 0.4), ("operates in", 0.7)]);
    assert_eq!(found["entities"].as_array().unwrap().len(), 4);
    assert_eq!(found["paths"][0][0]["claims"].as_array().unwrap().len(), 1, "each step can be cited");
    let mut owned = ends;
    owned["description_query"] = json!("owns");
    assert_eq!(call(&analyst, "find_paths", owned).await.1["paths"], json!([]));

    let (is_error, fund) = call(&analyst, "get_entity", json!({"entity_id": ids[1]})).await;
    assert!(!is_error, "{fund}");
    assert_eq!((&fund["name"], &fund["kind"]), (&json!("Linden Fund"), &json!("company")));
    assert!(fund["outlet"].is_null(), "it published nothing: {fund}");
    let (_, courier) = call(&analyst, "get_entity", json!({"entity_id": ids[0]})).await;
    let outlet = &courier["outlet"];
    assert_eq!(outlet["owners"][0]["name"], json!("Linden Fund"), "{courier}");
    let conflict = &outlet["conflicts_of_interest"][0];
    assert_eq!((&conflict["name"], &conflict["claims"]), (&json!("Linden Fund"), &json!(1)), "{courier}");
    let record: Vec<(&str, u64)> = outlet["record"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["name"].as_str().unwrap(), line["count"].as_u64().unwrap()))
        .collect();
    assert_eq!(record[..3], [("Claims", 1), ("Documents", 1), ("Only origin", 3)], "{courier}");
    let links = async |arguments: Value| -> Vec<(String, String)> {
        let (is_error, found) = call(&analyst, "traverse_relationships", arguments).await;
        assert!(!is_error, "{found}");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let edges = found["relationships"].as_array().unwrap().iter();
        let mut links: Vec<_> = edges.map(|edge| (text(&edge["description"]), text(&edge["entity"]["name"]))).collect();
        links.sort_unstable();
        links
    };
    let [owns, holds] =
        [("owns", "Quay Courier"), ("holds a stake in", "Halvek Barges")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(links(json!({"entity_id": ids[1], "direction": "outgoing"})).await, [holds, owns.clone()]);
    assert_eq!(links(json!({"entity_id": ids[1], "direction": "outgoing", "min_weight": 0.5})).await, [owns]);
    assert_eq!(links(json!({"entity_id": ids[1], "direction": "incoming"})).await, []);

    let (_, around) = call(&analyst, "get_neighbourhood", json!({"entity_id": ids[1]})).await;
    let names: Vec<&str> = around["groups"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|group| group["entities"].as_array().unwrap())
        .filter_map(|entity| entity["name"].as_str())
        .collect();
    assert!(names.contains(&"Quay Courier") && names.contains(&"River freight"), "two steps away: {around}");

    let (_, timeline) = call(&analyst, "get_entity_timeline", json!({"entity_id": ids[1], "by": "published"})).await;
    let months = timeline["months"].as_array().unwrap();
    let claims =
        months.iter().map(|month| month["claims"].as_u64().unwrap()).sum::<u64>() + timeline["undated"].as_u64().unwrap();
    assert_eq!((claims, &timeline["is_cut"]), (1, &json!(false)), "{timeline}");

    let when = [("2016", None), ("2016-01-03", None), ("2016", None), ("2015-11", Some("2016"))];
    for (n, (from, to)) in when.into_iter().enumerate() {
        let claim = json!({"document_id": document, "quote": quote, "content": format!("It was sold, {n}."), "attribution_depth": "primary",
            "referenced_entity_ids": [ids[1]], "information": "assertion", "mode": "asserted", "occurred": {"from": from, "to": to}});
        made("create_claim", claim).await;
    }
    let (_, timeline) = call(&analyst, "get_entity_timeline", json!({"entity_id": ids[1]})).await;
    let months = timeline["months"].as_array().unwrap().iter();
    let mut months: Vec<_> =
        months.map(|month| (month["month"].as_str().unwrap(), month["claims"].as_u64().unwrap())).collect();
    months.sort_unstable();
    assert_eq!(months, [("2015-11", 1), ("2016", 2), ("2016-01", 1)], "a year is no January: {timeline}");
    let nobody = json!({"entity_id": "00000000-0000-7000-8000-000000000000"});
    assert!(call(&analyst, "get_entity", nobody.clone()).await.0);
    assert!(call(&analyst, "get_neighbourhood", nobody).await.0);
    world.close().await;
}
