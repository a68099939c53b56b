//! A web of sixty pages with a search: a Processor finds what its order asks for, reads it, and follows what is cited to who said it first.

use super::{
    app, investigated,
    player::{Player, calls, says, shape},
    processors,
    site::{Page, Site},
};
use engine::{
    agents::{fence::unfenced, tools::wire::UrlFetched},
    library::DocumentQuery,
    models::{Message, ModelReply, ModelRequest},
};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const QUESTION: &str = "Who set the fire at the grain store of Port Halen?";
/// What the police said, three links from the search.
const FIRST: &str = "/police/grain-store-statement";

fn page(title: &str, paragraphs: &[&str]) -> Page {
    let body = paragraphs.iter().map(|text| format!("<p>{text}</p>")).collect();
    Page { title: title.into(), body }
}

/// Fifty-two pages on other things, and eight on the fire: five that a search finds, three that only they cite.
fn pages() -> BTreeMap<String, Page> {
    let mut pages = BTreeMap::new();
    let about = ["rain", "football", "ferry", "school"];
    for n in 0..52 {
        let subject = about[n % about.len()];
        let next = format!("/{}/{}", about[(n + 1) % about.len()], (n + 1) % 52);
        let text = format!(
            "The {subject} of week {n} kept the people of Tessin busy, said the town hall on Tuesday, and it will go on for a while. \
             More stands in <a href=\"{next}\">the report of the day after</a>, which has the numbers of the year as well."
        );
        pages.insert(format!("/{subject}/{n}"), page(&format!("The {subject} of week {n}"), &[&text, &text]));
    }
    let fire =
        "PORT HALEN, March 4, 2031 -- A fire destroyed the grain store of Port Halen on Monday night. Two people were injured.";
    for (n, paper) in ["wire", "post", "radio", "star", "herald"].iter().enumerate() {
        let cites = if n == 0 { "/gazette/grain-store-arrests" } else { "/rain/0" };
        let cited = format!(
            "The {paper} was told by a neighbour that the doors stood open. Who is suspected stands in \
             <a href=\"{cites}\">another report</a>, which this one follows in what it says about the night at the harbour."
        );
        pages.insert(
            format!("/{paper}/grain-store-fire-{n}"),
            page(&format!("Fire at the grain store, says the {paper}"), &[fire, &cited]),
        );
    }
    let gazette = format!(
        "The Coast Gazette reports that two members of the Red Tide group were arrested. It refers to <a href=\"{FIRST}\">the statement of \
         the police</a> and to <a href=\"/court/grain-store-warrant\">the warrant of the court</a>, both of Wednesday morning."
    );
    pages.insert("/gazette/grain-store-arrests".into(), page("Two arrests in Port Halen", &[&gazette, &gazette]));
    let police = "PORT HALEN, March 5, 2031 -- \"The Red Tide group set the fire at the grain store of Port Halen,\" said inspector Jonas Vael \
                  of the police of Port Halen. Two members of the Red Tide group were arrested on Tuesday.";
    pages.insert(
        FIRST.into(),
        page("Statement of the police", &[police, "The statement was read aloud at nine in the morning before the press."]),
    );
    let court = "PORT HALEN, March 5, 2031 -- The court of Port Halen issued a warrant against two members of the Red Tide group on Tuesday.";
    pages.insert(
        "/court/grain-store-warrant".into(),
        page("Warrant", &[court, "The warrant names the grain store and nothing else, said the clerk."]),
    );
    assert_eq!(pages.len(), 60);
    pages
}

/// Opens what the order names, then whatever has the grain store in its address.
fn walk(request: &ModelRequest) -> Option<ModelReply> {
    match shape(request) {
        "research_plan" => return Some(says(r#"{"plan": "Open the search, then what it lists and cites.", "queries": []}"#)),
        "" => {}
        _ => return None,
    }
    let Message::User { text } = request.messages.first()? else { return None };
    let mut asked = BTreeSet::new();
    let mut links: Vec<String> = engine::fetch::addresses_in(text.lines().next()?).map(str::to_owned).collect();
    for message in &request.messages {
        match message {
            Message::Assistant { tool_calls, .. } => {
                asked.extend(tool_calls.iter().filter_map(|call| call.arguments["url"].as_str().map(str::to_owned)));
            }
            Message::Tools { results } => {
                let fetched =
                    results.iter().filter_map(|result| serde_json::from_str::<UrlFetched>(unfenced(&result.content)).ok());
                links.extend(fetched.flat_map(|fetched| fetched.links).filter(|link| link.contains("grain-store")));
            }
            Message::User { .. } => {}
        }
    }
    let left: BTreeSet<String> = links.into_iter().filter(|link| !asked.contains(link)).collect();
    Some(match left.is_empty() {
        true => says("Everything that is cited was read."),
        false => calls(left.iter().map(|url| ("fetch_url", json!({"url": url}))).collect()),
    })
}

async fn follows_the_chain(name: &str, processor: Player) {
    let site = Site::serve(pages()).await;
    let objective = format!(
        "Find who set the fire at the grain store of Port Halen: read what {} lists, and what those reports cite.",
        site.address("/search?q=grain+store+fire")
    );
    let analyst = Player::ordering(vec![json!({"objective": objective, "source_guidance": []})]);
    let app = app(analyst, processor, &[site.port], 3).await;
    let investigation = investigated(&app, QUESTION).await;
    let engine = &app.program.engine;

    let asked: BTreeSet<String> = site.asked().into_iter().collect();
    let on_the_fire: BTreeSet<String> = pages().into_keys().filter(|path| path.contains("grain-store")).collect();
    let read: BTreeSet<String> = asked.iter().filter(|path| !path.starts_with("/search")).cloned().collect();
    assert_eq!(read, on_the_fire, "{name}: what is about the fire was opened, and nothing else");
    assert_eq!(site.asked().len(), asked.len(), "{name}: each once");

    let listed =
        engine.documents.list(&investigation.scope, &DocumentQuery { limit: 100, ..DocumentQuery::default() }).await.unwrap();
    let ids: Vec<_> = listed.documents.iter().map(|document| document.id).collect();
    let recorded = engine.documents.extracted(&ids).await.unwrap();
    let from_web: Vec<_> = listed.documents.iter().filter(|document| document.path.starts_with("http")).collect();
    let done = from_web.iter().filter(|document| recorded.contains(&document.id)).count();
    assert_eq!((from_web.len(), done), (9, 9), "{name}: with the page of the search");
    let stored = engine.assessments.of_investigation(&investigation.scope, investigation.id).await.unwrap().unwrap();
    let cited: BTreeSet<&str> = stored.assessment.citations.iter().map(|citation| citation.document_path.as_str()).collect();
    assert!(cited.iter().any(|path| path.ends_with(FIRST)), "{name}: who said it first is cited: {cited:?}");
    let sessions = processors(&app, &investigation).await;
    println!(
        "{name}: 60 pages, {} asked for, {done} recorded, {} sessions, {} pages cited",
        asked.len(),
        sessions.len(),
        cited.len()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_finds_reads_and_follows_what_is_cited() {
    follows_the_chain("scripted", Player::new(walk)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_built_in_provider_finds_reads_and_follows_what_is_cited() {
    follows_the_chain("extractive", Player::new(|_| None)).await;
}
