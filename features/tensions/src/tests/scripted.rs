//! The agents with a scripted model over a scripted web: a scouting of three hops, what is refused, a kill, and the budget.

use super::{SCHEMAS, add, documents, evidence, limits, script::scripted_web, store, tension};
use crate::{
    cycle::{
        OrderProgress,
        order::{Counts, CycleOrder, CycleOrderId, OrderKind, Stage},
        run_order,
    },
    pages::actions::order_scouting,
    store::StrainBatch,
    tension::{Tension, TensionOrigin},
};
use domain::{CollectionId, Scope, UserId};
use engine::{Engine, Parts};
use feature::{Web, region::GeoPrecision, testing::TestSite};
use protocol::model::Message;
use serde_json::{Value, json};
use testkit::{ScriptedModel, ScriptedTurn, TestBackend, id};

const CONTRACTS: &str = "https://gazette.example/contracts";
const BOYCOTT: &str = "https://boycott.example/join";
const CLINIC: &str = "https://clinic.example/help";
const PAGES: [(&str, &str); 3] = [
    (CONTRACTS, "The raids in the harbour quarter are carried out by Halden Guards, which the town of Brask pays."),
    (
        BOYCOTT,
        "Do not buy from shops that hire Halden Guards until they leave the harbour quarter. Organisers of the campaign received threats \
         at their homes. On 14 June 2031 a vigil will be held.",
    ),
    (CLINIC, "The law clinic of Brask explains your rights during raids, free of charge."),
];

fn search(query: &str) -> ScriptedTurn {
    ScriptedTurn::call("web_search", json!({"query": query}))
}

fn read(url: &str) -> ScriptedTurn {
    ScriptedTurn::call("read_page", json!({"url": url}))
}

fn found(kind: &str, title: &str, url: &str, mechanism: &str) -> Value {
    json!({
        "kind": kind, "title": title, "summary": format!("{title}, in short."), "url": url, "explanation": "It takes force from it.",
        "diffusion_mechanism": mechanism, "effect": "diffuses", "match_strength": 0.8, "event_date": null, "place": null,
        "also_addresses": [],
    })
}

/// Fear of raids -> who is paid for them -> a boycott of that company.
fn three_hops() -> Vec<ScriptedTurn> {
    vec![
        search("who carries out the raids in the harbour quarter"),
        read(CONTRACTS),
        search("boycott Halden Guards"),
        read(BOYCOTT),
        read(CLINIC),
        ScriptedTurn::text("Enough."),
    ]
}

fn finding() -> ScriptedTurn {
    let mut boycott = found("ask", "Boycott of a company", BOYCOTT, "economic pressure on those who profit");
    boycott["also_addresses"] = json!(["Rents rise in the harbour quarter"]);
    let mut vigil = found("event", "Vigil on the quay", BOYCOTT, "being seen together");
    vigil["event_date"] = "2031-06-14".into();
    let mut past = found("event", "March of last decade", BOYCOTT, "being seen together");
    past["event_date"] = "2019-06-14".into();
    let mut revenge = found("ask", "Revenge on Halden", BOYCOTT, "retaliation");
    revenge["effect"] = "escalates".into();
    let answer = json!({
        "responses": [
            boycott, vigil, past, revenge,
            found("give", "Law clinic", CLINIC, "knowledge of rights"),
            found("give", "Shelter nobody read about", "https://invented.example/", "sanctuary"),
        ],
        "emergent_tensions": [
            {
                "title": "Threats against organisers", "statement": "Organisers of a campaign receive threats at their homes.",
                "theme": "safety", "severity": "serious", "place": null, "claims": [],
                "quotes": [{"url": BOYCOTT, "quote": "Organisers of the campaign received threats at their homes."}],
            },
            {
                "title": "Without evidence", "statement": "Nobody said so.", "theme": "safety", "severity": "minor", "place": null,
                "claims": [7], "quotes": [{"url": BOYCOTT, "quote": "The mayor resigned."}],
            },
        ],
        "future_queries": ["town council of Brask contract with Halden Guards"],
    });
    ScriptedTurn::text(answer.to_string())
}

/// Results of tools in a message.
fn results_of(message: &Message) -> Vec<String> {
    match message {
        Message::Tools { results } => results.iter().map(|result| result.content.to_string()).collect(),
        _ => vec![],
    }
}

fn story() -> ScriptedTurn {
    let answer = json!({
        "what_happened": [{"text": "It rests on nothing.", "source": 9}],
        "what_feeds_it": [],
        "what_eases_it": [{"text": "A boycott takes away the money.", "source": 1}],
    });
    ScriptedTurn::text(answer.to_string())
}

/// A person with the fear of raids and the rents as tensions.
async fn strained(backend: &TestBackend) -> (UserId, CollectionId, Tension, Tension) {
    let (ada, collection) = backend.person("ada").await;
    let texts = documents(backend, collection, &["one", "two"]).await;
    let fear = Tension { confidence: 0.7, ..tension(backend, collection, "Fear of raids") };
    let rents =
        Tension { statement: "Rents doubled.".into(), theme: "home".into(), ..tension(backend, collection, "Rents rise") };
    add(backend, &fear, &[(&texts[0], 1)]).await;
    add(backend, &rents, &[(&texts[1], 1)]).await;
    (ada, collection, fear, rents)
}

/// Orders the scouting of one tension, or of neglected ones.
async fn ordered(web: &Web, user: UserId, tension: Option<&Tension>) -> CycleOrder {
    let order = CycleOrder {
        tension: tension.map(|tension| tension.id),
        max_targets: 5,
        ..CycleOrder::new(CycleOrderId(id()), OrderKind::Scout, user, web.engine.clock.now())
    };
    crate::store::TensionStore::new(web).add_order(&order).await.unwrap();
    order
}

async fn counts(backend: &TestBackend, order: &CycleOrder, stage: Stage) -> Counts {
    let runs = store(backend).stage_runs(&[order.id]).await.unwrap();
    runs.into_iter().find(|run| run.stage == stage).expect("the stage has run").counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scouting_of_three_hops_stores_what_eases_a_tension_and_nothing_else() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let (ada, collection, fear, rents) = strained(&backend).await;
    let model = ScriptedModel::new([three_hops(), vec![finding(), story()]].into_iter().flatten().collect());
    let web = scripted_web(&backend, &model, &PAGES, json!({}));
    let order = ordered(&web, ada, Some(&fear)).await;
    assert_eq!(run_order(&web, &order).await.unwrap(), OrderProgress::Ended);
    let (store, scope) = (store(&backend), Scope::from(collection));
    let figures = counts(&backend, &order, Stage::Scout).await;
    for (name, number) in [
        ("responses_new", 3),
        ("ask", 1),
        ("event", 1),
        ("give", 1),
        ("links", 4),
        ("past_refused", 1),
        ("escalating_refused", 1),
        ("unvisited_refused", 1),
        ("tensions_new", 1),
        ("tensions_refused", 1),
        ("queries", 1),
    ] {
        assert_eq!(figures.get(name), Some(&number), "{name}: {figures:?}");
    }
    let titles = async |tension: &Tension| -> Vec<String> {
        let responses = store.responses_to(&scope, &[tension.id]).await.unwrap();
        responses.into_iter().map(|one| one.response.title).collect()
    };
    assert_eq!(titles(&fear).await, ["Boycott of a company", "Law clinic", "Vigil on the quay"]);
    assert_eq!(titles(&rents).await, ["Boycott of a company"], "wired by likeness");
    let placed = store.responses_to(&scope, &[fear.id]).await.unwrap();
    let of_fear = (fear.region.clone(), Some(GeoPrecision::Region));
    let mut places = placed.iter().map(|one| (one.response.region.clone(), one.response.region.precision()));
    assert!(places.all(|place| place == of_fear), "their pages name no place: {placed:?}");
    let all = store.tensions(&scope, limits(&backend)).await.unwrap();
    let child = all.into_iter().map(|one| one.tension).find(|one| one.origin == TensionOrigin::Scout).expect("an emergent one");
    assert_eq!((child.title.as_str(), child.confidence), ("Threats against organisers", 0.4));
    assert_eq!(store.parents(&scope, child.id).await.unwrap(), [(fear.id, fear.title.clone())]);
    assert_eq!(store.story(&scope, fear.id).await.unwrap().len(), 1, "a sentence without a source is left out");
    assert_eq!(counts(&backend, &order, Stage::Story).await.get("sentences_refused"), Some(&1));
    {
        let requests = model.requests();
        assert_eq!(requests.len(), 8);
        let tools: Vec<&str> = requests[0].tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(tools, ["web_search", "read_page"]);
    }

    // The next run has the other tension only: the first was scouted, the emergent one lacks confidence.
    let again = ordered(&web, ada, None).await;
    let empty = json!({"responses": [], "emergent_tensions": [], "future_queries": []}).to_string();
    let idle = ScriptedModel::new(vec![ScriptedTurn::text("Nothing."), ScriptedTurn::text(empty)]);
    let web = scripted_web(&backend, &idle, &PAGES, json!({}));
    assert_eq!(run_order(&web, &again).await.unwrap(), OrderProgress::Ended);
    let scouted = store.tasks(again.id, Stage::Scout).await.unwrap();
    assert_eq!(scouted.iter().map(|task| task.tension).collect::<Vec<_>>(), [Some(rents.id)]);
    assert_eq!(titles(&fear).await.len(), 3, "nothing is doubled");
    let further = documents(&backend, collection, &["three"]).await;
    let more = StrainBatch { evidence: vec![(child.id, evidence(&further[0], child.first_day))], ..StrainBatch::default() };
    store.record(&more, backend.now()).await.unwrap();
    assert_eq!(store.corroborate(again.id, &scope, 0.5, 1).await.unwrap(), 1);
    let targets = store.targets(&scope, 0.5, backend.now().plus_ms(-14 * 86_400_000), limits(&backend), 5).await.unwrap();
    assert_eq!(targets.iter().map(|one| one.id).collect::<Vec<_>>(), [child.id], "corroborated, it is a target");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_run_goes_on_without_a_second_call() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let (ada, collection, fear, _) = strained(&backend).await;
    let turns: Vec<ScriptedTurn> = [three_hops(), vec![finding(), story()]].into_iter().flatten().collect();
    let mut rest = turns;
    let mut order: Option<CycleOrder> = None;
    let total = rest.len();
    let mut answered = 0;
    // Killed while the model is asked, after each of its answers in turn.
    while !rest.is_empty() {
        let first = rest.remove(0);
        let model = ScriptedModel::new(vec![first, ScriptedTurn::Hang]);
        let web = scripted_web(&backend, &model, &PAGES, json!({}));
        let order: &CycleOrder = match &mut order {
            Some(order) => {
                assert_eq!(run_order(&web, order).await.unwrap(), OrderProgress::Held);
                backend.clock.forward_ms(121_000);
                order
            }
            none => none.insert(ordered(&web, ada, Some(&fear)).await),
        };
        answered += 1;
        match answered == total {
            true => assert_eq!(run_order(&web, order).await.unwrap(), OrderProgress::Ended),
            false => tokio::select! {
                progress = run_order(&web, order) => panic!("{progress:?}"),
                () = model.until_called(2) => {}
            },
        }
    }
    let responses = store(&backend).responses_to(&Scope::from(collection), &[fear.id]).await.unwrap();
    assert_eq!(responses.len(), 3, "nothing is lost or doubled");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_session_starts_where_the_budget_of_the_day_does_not_reach() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let (ada, collection, fear, _) = strained(&backend).await;
    let model = ScriptedModel::new(vec![]);
    let web = scripted_web(&backend, &model, &PAGES, json!({"searches_per_day": 4}));
    let order = ordered(&web, ada, Some(&fear)).await;
    assert_eq!(run_order(&web, &order).await.unwrap(), OrderProgress::Ended);
    assert_eq!(counts(&backend, &order, Stage::Scout).await.get("skipped"), Some(&1));
    let runs = store(&backend).stage_runs(&[order.id]).await.unwrap();
    assert!(runs[0].error.contains("4 searches of the day"), "{runs:?}");
    let requests = model.requests();
    assert!(requests.iter().all(|request| request.tools.is_empty()), "only the story was asked for");
    let scouted = store(&backend).tension(&Scope::from(collection), fear.id).await.unwrap().unwrap().response_scouted_at;
    assert_eq!(scouted, None, "it is scouted another day");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_embedding_model_titles_of_other_tensions_are_not_compared_and_the_run_says_so() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let (ada, collection, fear, rents) = strained(&backend).await;
    let model = ScriptedModel::new([three_hops(), vec![finding(), story()]].into_iter().flatten().collect());
    let mut web = scripted_web(&backend, &model, &PAGES, json!({}));
    let mut parts: Parts = (*web.engine).clone();
    parts.embedder = None;
    web.engine = Engine::new(parts);
    let order = ordered(&web, ada, Some(&fear)).await;
    assert_eq!(run_order(&web, &order).await.unwrap(), OrderProgress::Ended);
    let figures = counts(&backend, &order, Stage::Scout).await;
    assert_eq!((figures.get("links"), figures.get("titles_not_compared")), (Some(&3), Some(&1)), "{figures:?}");
    assert_eq!(store(&backend).responses_to(&Scope::from(collection), &[rents.id]).await.unwrap(), []);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_searches_and_reads_no_more_than_its_limits() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let (ada, _, fear, _) = strained(&backend).await;
    let model = ScriptedModel::new([three_hops(), vec![finding(), story()]].into_iter().flatten().collect());
    let web = scripted_web(&backend, &model, &PAGES, json!({"scout_searches": 1, "scout_page_reads": 2}));
    let order = ordered(&web, ada, Some(&fear)).await;
    assert_eq!(run_order(&web, &order).await.unwrap(), OrderProgress::Ended);
    let opening = format!("{:?}", model.requests()[0].messages);
    assert!(opening.contains("This session has 1 calls of `web_search` and 2 of `read_page`."), "{opening}");
    let results: Vec<String> = model.requests()[5].messages.iter().flat_map(results_of).collect();
    assert!(results[2].contains("limit of `web_search` in this session is 1; calls left: 1 of `read_page`"), "{results:?}");
    assert!(results[4].contains("limit of `read_page` in this session is 2; calls left: none"), "{results:?}");
    let calls = store(&backend).calls_since(backend.now().plus_ms(-86_400_000)).await.unwrap();
    assert_eq!((calls.get("web_search"), calls.get("read_page")), (Some(&1), Some(&2)), "a refused call is none of the day");
    let figures = counts(&backend, &order, Stage::Scout).await;
    assert_eq!(figures.get("unvisited_refused"), Some(&2), "the page beyond the limit was not read: {figures:?}");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_orders_a_scouting_unless_model_or_budget_is_missing() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let (ada, _, fear, _) = strained(&backend).await;
    let page = format!("/tensions/{}", fear.id);
    let browser = TestSite::new(crate::feature(), &backend).signed_in(ada).await;
    let refused = browser.post(&format!("{page}/scout"), &[]).await;
    assert_eq!(refused.location(), format!("{page}?error=scout_without_model"));
    let shown = browser.get(&format!("{page}?error=scout_without_model")).await.text();
    assert!(shown.contains("A scouting needs a language model") && shown.contains("href=\"/settings\""), "{shown}");

    let model = ScriptedModel::new(vec![]);
    let ordered = async |settings: Value| {
        let web = scripted_web(&backend, &model, &PAGES, settings);
        order_scouting(&web, ada, &fear).await.unwrap().map(|refusal| refusal.code)
    };
    assert_eq!(ordered(json!({"searches_per_day": 4})).await, Some("scout_without_budget"));
    assert_eq!(store(&backend).open_orders().await.unwrap(), []);
    assert_eq!(ordered(json!({})).await, None);
    let orders = store(&backend).open_orders().await.unwrap();
    let [order] = &orders[..] else { panic!("{orders:?}") };
    assert_eq!((order.kind, order.user, order.tension), (OrderKind::Scout, ada, Some(fear.id)));
    backend.close().await;
}
