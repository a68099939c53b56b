//! STIX, JSON-LD and the page: required properties, references, and nothing that a browser would load.

use super::{fixture, in_every_format, key, moment};
use crate::{file, json_ld, page, stix};
use domain::{
    EntityId, ObjectId, PartialDate, RelationshipId,
    subgraph::{GraphEdge, GraphNode, Subgraph},
};
use engine::assessments::Assessments;
use feature::SavedGraphView;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    process::Command,
};
use uuid::{Uuid, Version};

/// Properties that STIX 2.1 requires beside `type` and `id`, by type.
const REQUIRED: [(&str, &[&str]); 6] = [
    ("identity", &["spec_version", "created", "modified", "name"]),
    (
        "extension-definition",
        &["spec_version", "created", "modified", "created_by_ref", "name", "schema", "version", "extension_types"],
    ),
    ("report", &["spec_version", "created", "modified", "name", "published", "object_refs"]),
    ("note", &["spec_version", "created", "modified", "content", "object_refs"]),
    ("opinion", &["spec_version", "created", "modified", "opinion", "object_refs"]),
    ("file", &["hashes"]),
];

/// Collects every string at a key of the tree.
fn strings_at<'a>(value: &'a Value, is_key: &impl Fn(&str) -> bool, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                if is_key(key) {
                    found.extend(inner.as_str());
                    found.extend(inner.as_array().into_iter().flatten().filter_map(Value::as_str));
                }
                strings_at(inner, is_key, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| strings_at(inner, is_key, found)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stix_has_what_it_requires_and_its_ids_are_stable() {
    let fixture = fixture().await;
    let mut report = fixture.report().await;
    let bundle = stix::bundle(&report);
    let objects = bundle["objects"].as_array().unwrap();
    let required = BTreeMap::from(REQUIRED);
    let mut ids = BTreeSet::new();
    for object in objects {
        let (kind, id) = (object["type"].as_str().unwrap(), object["id"].as_str().unwrap());
        for property in required[kind] {
            assert!(!object[*property].is_null(), "{kind} lacks {property}: {object}");
        }
        let uuid: Uuid = id.strip_prefix(&format!("{kind}--")).unwrap().parse().unwrap();
        assert_eq!(uuid.get_version(), Some(Version::Sha1));
        assert!(ids.insert(id), "{id} twice");
    }
    let kinds: BTreeSet<&str> = objects.iter().filter_map(|object| object["type"].as_str()).collect();
    assert_eq!(kinds, required.into_keys().collect::<BTreeSet<_>>(), "every type is written");
    let mut references = vec![];
    strings_at(
        &bundle,
        &|key| key.ends_with("_ref") || key.ends_with("_refs") || ["supported_by", "contradicted_by"].contains(&key),
        &mut references,
    );
    assert!(references.len() > 20 && references.iter().all(|id| ids.contains(id)), "{references:?}");
    for object in objects {
        let mut extensions = object["extensions"].as_object().into_iter().flatten();
        assert!(extensions.all(|(id, _)| ids.contains(id.as_str())), "{object}");
    }

    // The extension holds the probability; a second export of changed words has the same ids.
    let hypothesis = &report.assessment.body.hypotheses[0];
    let words = format!("Hypothesis {}: {}", hypothesis.id, hypothesis.statement);
    let note = objects.iter().find(|object| object["abstract"] == words.as_str()).unwrap();
    let extension = note["extensions"].as_object().unwrap().values().next().unwrap();
    assert_eq!(extension["probability"].as_f64(), hypothesis.probability);
    report.assessment.body.hypotheses[0].statement.push('!');
    let again = stix::bundle(&report);
    let ids_again: BTreeSet<&str> = again["objects"].as_array().unwrap().iter().filter_map(|one| one["id"].as_str()).collect();
    assert_eq!((ids, &bundle["id"]), (ids_again, &again["id"]));
    fixture.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn json_ld_needs_no_network_and_its_links_lead_to_its_nodes() {
    let fixture = fixture().await;
    let graph = json_ld::graph(&fixture.report().await);
    let context = graph["@context"].as_object().expect("the context is in the file");
    assert_eq!(context["@vocab"], "https://schema.org/");
    assert_eq!(context["prov"], "http://www.w3.org/ns/prov#");
    let nodes = graph["@graph"].as_array().unwrap();
    let defined: Vec<&str> = nodes.iter().filter_map(|node| node["@id"].as_str()).collect();
    assert_eq!(defined.iter().collect::<BTreeSet<_>>().len(), defined.len(), "each node is defined once");
    let (mut named, mut types) = (vec![], vec![]);
    strings_at(&graph["@graph"], &|key| key == "@id", &mut named);
    strings_at(&graph["@graph"], &|key| key == "@type", &mut types);
    assert!(named.iter().all(|id| defined.contains(id)), "{named:?}");
    for kind in ["Claim", "ClaimReview", "Report", "prov:Entity", "prov:Activity", "prov:SoftwareAgent"] {
        assert!(types.contains(&kind), "{kind}");
    }
    let mut prefixes = vec![];
    for node in nodes {
        prefixes.extend(node.as_object().unwrap().keys().filter_map(|key| key.split_once(':')).map(|(prefix, _)| prefix));
    }
    assert!(prefixes.iter().all(|prefix| context.contains_key(*prefix)), "{prefixes:?}");
    for review in nodes.iter().filter(|node| node["@type"] == "ClaimReview") {
        let rating = review["reviewRating"]["ratingValue"].as_f64().unwrap();
        assert!(
            (0.0..=1.0).contains(&rating) && review["claimReviewed"].is_string() && review["author"].is_object(),
            "{review}"
        );
    }
    fixture.backend.close().await;
}

/// A saved view of a person, a place and a thing, with a relationship that is asserted and one that is not.
fn graph_view() -> (SavedGraphView, Subgraph) {
    let node = |number: u128, name: &str, kind: &str| GraphNode {
        id: EntityId(Uuid::from_u128(number)),
        name: name.to_owned(),
        kind: kind.to_owned(),
        claims: None,
    };
    let edge = |number: u128, target: u128, description: &str, asserted: u32| GraphEdge {
        id: RelationshipId(Uuid::from_u128(number)),
        source: EntityId(Uuid::from_u128(1)),
        target: EntityId(Uuid::from_u128(target)),
        description: description.to_owned(),
        weight: Some(0.5),
        bidirectional: false,
        since: PartialDate::parse("2031-04"),
        until: None,
        claims: 2,
        asserted,
        first_published: None,
        last_published: None,
    };
    let view = SavedGraphView {
        id: ObjectId(Uuid::from_u128(5)),
        name: "Gate".to_owned(),
        notes: "For Monday".to_owned(),
        query: String::new(),
        created_at: moment().plus_ms(-1_000),
    };
    let nodes = vec![node(1, "Ilse Varn", "person"), node(2, "Port Halen", "harbour town"), node(3, "Ferry Anna", "vessel")];
    (view, Subgraph { nodes, edges: vec![edge(8, 2, "lives in", 1), edge(9, 3, "owns", 0)] })
}

#[test]
fn a_graph_view_is_a_grouping_of_entities_and_relationships_with_stable_ids() {
    let (view, mut graph) = graph_view();
    let bundle = stix::graph_bundle(&view, &graph, moment());
    let objects = bundle["objects"].as_array().unwrap();
    let of_type = |kind: &str| objects.iter().filter(|object| object["type"] == kind).collect::<Vec<_>>();
    let counts = ["identity", "location", "relationship", "grouping"].map(|kind| of_type(kind).len());
    assert_eq!(counts, [3, 1, 2, 1], "the program is an identity, too");
    let ids: BTreeSet<&str> = objects.iter().filter_map(|object| object["id"].as_str()).collect();
    assert_eq!(ids.len(), objects.len(), "each id once");
    let mut references = vec![];
    strings_at(&bundle, &|key| key.ends_with("_ref") || key.ends_with("_refs"), &mut references);
    assert!(references.iter().all(|id| ids.contains(id)), "{references:?}");
    let grouping = of_type("grouping")[0];
    assert_eq!((&grouping["name"], grouping["object_refs"].as_array().unwrap().len()), (&Value::from("Gate"), 5));
    let place = of_type("location")[0];
    assert_eq!((&place["region"], &place["labels"][0]), (&Value::from("port-halen"), &Value::from("harbour town")));
    let person = objects.iter().find(|object| object["name"] == "Ilse Varn").unwrap();
    assert_eq!(person["identity_class"], "individual");
    let [lives, owns] = of_type("relationship")[..] else { panic!("{bundle}") };
    assert_eq!(lives["description"], "lives in (since 2031-04)");
    assert_eq!((&lives["labels"], &owns["labels"][0]), (&Value::Null, &Value::from("not-asserted")));
    assert_eq!((&lives["source_ref"], &lives["target_ref"]), (&person["id"], &place["id"]));

    // Another view with the same entity, later: its id and creation stay, and its modification is new.
    graph.nodes[0].name.push('!');
    let other = SavedGraphView { id: ObjectId(Uuid::from_u128(6)), ..view };
    let later = stix::graph_bundle(&other, &graph, moment().plus_ms(5_000));
    let again = later["objects"].as_array().unwrap().iter().find(|object| object["name"] == "Ilse Varn!").unwrap();
    assert_eq!((&again["id"], &again["created"]), (&person["id"], &person["created"]));
    assert_ne!(again["modified"], person["modified"]);
    assert_ne!(later["id"], bundle["id"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn validators_accept_stix_and_json_ld_without_a_network() {
    let Some(packages) = testkit::backend("AUTOSINT_TEST_VALIDATORS") else { return };
    let fixture = fixture().await;
    let report = fixture.report().await;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (stix, view, graph) = (at("stix.json"), at("view.json"), at("graph.json"));
    fs::write(&stix, stix::bundle(&report).to_string()).unwrap();
    let (saved, subgraph) = graph_view();
    fs::write(&view, stix::graph_bundle(&saved, &subgraph, moment()).to_string()).unwrap();
    fs::write(&graph, json_ld::graph(&report).to_string()).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/validate.py");
    let output = Command::new("python3").arg(script).args([graph, stix, view]).env("PYTHONPATH", packages).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fixture.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_format_names_a_file() {
    let fixture = fixture().await;
    let mut stored = fixture.backend.store.assessment(&fixture.scope, fixture.assessment).await.unwrap().unwrap();
    stored.assessment.body.analysis.push_str(" As gate.md says.");
    fixture.backend.store.update(&stored.assessment).await.unwrap();
    let report = fixture.report().await;
    assert!(report.assessment.body.analysis.ends_with(" As a private document says."));
    for (format, text) in in_every_format(&report) {
        assert!(!text.contains("gate.md"), "{format}: {text}");
    }
    assert_eq!(report.assessment.citations[0].quote, stored.assessment.citations[0].quote);
    fixture.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_shows_quotations_in_context_and_loads_nothing() {
    let fixture = fixture().await;
    let report = fixture.report().await;
    let html = page::write(&report, &key().public_key());
    assert!(html.contains("<mark>Somebody opened the yard gate with a key</mark> &lt;b&gt;at&lt;/b&gt; noon."), "{html}");
    assert!(
        html.contains("href=\"#c1\"") && html.contains("id=\"c1\"") && html.contains(&report.quotations[0].document_sha256)
    );
    assert_eq!((html.matches("<main>").count(), html.matches("<h1>").count()), (1, 1), "{html}");
    for forbidden in [" src=", "@import", "url(", "href=\"http", "<b>at"] {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
    let file = file::write(&report, &key(), moment());
    let scripts = file.matches("<script type=\"application/").count();
    assert_eq!((file.matches("<script").count(), scripts), (4, 4), "blocks of data, which no browser runs");
    fixture.backend.close().await;
}
