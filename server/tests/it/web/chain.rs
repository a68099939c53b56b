//! Test on a web of sixty pages with a configured search service: a Processor finds what its work order needs, and follows
//! citations to their origin.

use super::{
    investigated, processors,
    scripted_model::{ScriptedModel, calls, says, shape},
    site::{Page, Site},
};
use crate::prelude::*;
use fetch::{JsonSearch, Paging};
use protocol::{fence::unfenced, model::Message, tools::UrlFetched};

/// Id of the search service.
const SEARCH: &str = "coast_search";
/// Statement of the police, two links from the search results.
const FIRST: &str = "/police/grain-store-statement";

/// Returns a page in the search index.
fn page(title: &str, paragraphs: &[&str]) -> Page {
    let body = paragraphs.iter().map(|text| format!("<p>{text}</p>")).collect();
    Page { title: title.into(), is_listed: true, body }
}

/// Returns a page outside the search index.
fn cited(title: &str, paragraphs: &[&str]) -> Page {
    Page { is_listed: false, ..page(title, paragraphs) }
}

/// Returns fifty-two unrelated pages and eight on the fire: five in search results, three reachable by citation only.
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
        let further = format!(
            "The {paper} was told by a neighbour that the doors stood open. Who is suspected stands in \
             <a href=\"{cites}\">another report</a>, which this one follows in what it says about the night at the harbour."
        );
        pages.insert(
            format!("/{paper}/grain-store-fire-{n}"),
            page(&format!("Fire at the grain store, says the {paper}"), &[fire, &further]),
        );
    }
    let gazette = format!(
        "The Coast Gazette reports that two members of the Red Tide group were arrested. It refers to <a href=\"{FIRST}\">the statement of \
         the police</a> and to <a href=\"/court/grain-store-warrant\">the warrant of the court</a>, both of Wednesday morning."
    );
    pages.insert("/gazette/grain-store-arrests".into(), cited("Two arrests in Port Halen", &[&gazette, &gazette]));
    let police = "PORT HALEN, March 5, 2031 -- \"The Red Tide group set the fire at the grain store of Port Halen,\" said inspector Jonas Vael \
                  of the police of Port Halen. Two members of the Red Tide group were arrested on Tuesday.";
    pages.insert(
        FIRST.into(),
        cited("Statement of the police", &[police, "The statement was read aloud at nine in the morning before the press."]),
    );
    let court = "PORT HALEN, March 5, 2031 -- The court of Port Halen issued a warrant against two members of the Red Tide group on Tuesday.";
    pages.insert(
        "/court/grain-store-warrant".into(),
        cited("Warrant", &[court, "The warrant names the grain store and nothing else, said the clerk."]),
    );
    assert_eq!(pages.len(), 60);
    pages
}

/// Script: searches, opens the results, then every page about the grain store.
fn walk(request: &ModelRequest) -> Option<ModelReply> {
    match shape(request) {
        "research_plan" => {
            let query = json!({"source_id": SEARCH, "query_params": {"query": "fire grain store"}});
            return Some(says(&json!({"plan": "Search, then open what is listed and cited.", "queries": [query]}).to_string()));
        }
        "" => {}
        _ => return None,
    }
    let Message::User { text } = request.messages.first()? else { return None };
    let mut asked = BTreeSet::new();
    let mut links: Vec<String> = protocol::addresses::addresses_in(text).map(str::to_owned).collect();
    for message in &request.messages {
        match message {
            Message::Assistant { tool_calls, .. } => {
                asked.extend(tool_calls.iter().filter_map(|call| call.arguments["url"].as_str().map(str::to_owned)));
            }
            Message::Tools { results } => {
                let fetched =
                    results.iter().filter_map(|result| serde_json::from_str::<UrlFetched>(unfenced(&result.content)).ok());
                links.extend(
                    fetched.flat_map(|fetched| fetched.links).map(|link| link.url).filter(|link| link.contains("grain-store")),
                );
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

/// Returns the configuration of the search service.
fn search(site: &Site) -> JsonSearch {
    JsonSearch {
        id: SEARCH.into(),
        name: "Coast Search".into(),
        description: "Reports of the papers of the coast.".into(),
        coverage: "In English.".into(),
        address: site.address("/find?q={words}&n={limit}&page={page}"),
        page_size: 3,
        paging: Paging::Page,
        hits: "data.items".into(),
        total: "data.count".into(),
        hit_address: "link".into(),
        hit_title: "head.line".into(),
        hit_snippet: "teaser".into(),
        hit_published: "day".into(),
        ..JsonSearch::default()
    }
}

async fn follows_the_chain(name: &str, analyst: ScriptedModel, processor: ScriptedModel) {
    let site = Site::serve(pages()).await;
    let app = spawn_playing(analyst, processor, |config| {
        let exception = |source: &str| Exception { source: source.into(), host: "127.0.0.1".into(), port: site.port };
        config.fetch.http.exceptions = vec![exception("web"), exception(SEARCH)];
        config.fetch.sources.searches = vec![search(&site)];
        config.fetch.rate_limit.interval_ms = 0;
        config.engine.web.sources = vec![SEARCH.into()];
    })
    .await;
    let investigation = investigated(&app, QUESTION, &[]).await;
    let engine = &app.program.engine;

    let (searches, read): (Vec<String>, Vec<String>) =
        site.requested_pages().into_iter().partition(|path| path.starts_with("/find"));
    assert!(searches.iter().any(|asked| asked.ends_with("&page=2")), "{name}: the list is read to its end: {searches:?}");
    let opened: BTreeSet<String> = read.iter().cloned().collect();
    let on_the_fire: BTreeSet<String> = pages().into_keys().filter(|path| path.contains("grain-store")).collect();
    assert_eq!(opened, on_the_fire, "{name}: what is about the fire was opened, and nothing else");
    assert_eq!(read.len(), opened.len(), "{name}: each once");

    let listed =
        engine.documents.list(&investigation.scope, &DocumentQuery { limit: 100, ..DocumentQuery::default() }).await.unwrap();
    let ids: Vec<_> = listed.documents.iter().map(|document| document.id).collect();
    let recorded = engine.documents.extracted(&ids).await.unwrap();
    let from_web: Vec<_> = listed.documents.iter().filter(|document| document.path.starts_with("http")).collect();
    let done = from_web.iter().filter(|document| recorded.contains(&document.id)).count();
    assert_eq!((from_web.len(), done), (8, 8), "{name}: each page is recorded");
    let stored = engine.assessments.of_investigation(&investigation.scope, investigation.id).await.unwrap().unwrap();
    let cited: BTreeSet<&str> = stored.assessment.citations.iter().map(|citation| citation.document_path.as_str()).collect();
    assert!(cited.iter().any(|path| path.ends_with(FIRST)), "{name}: who said it first is cited: {cited:?}");
    let sessions = processors(&app, &investigation).await;
    println!(
        "{name}: 60 pages, {} searches, {} opened, {done} recorded, {} sessions, {} pages cited",
        searches.len(),
        opened.len(),
        sessions.len(),
        cited.len()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_finds_reads_and_follows_citations() {
    let objective =
        "Find who set the fire at the grain store of Port Halen: search, read what is found, and follow what it cites.";
    let analyst = ScriptedModel::ordering(vec![json!({"objective": objective, "source_guidance": []})]);
    follows_the_chain("scripted", analyst, ScriptedModel::new(walk)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_built_in_provider_finds_reads_and_follows_citations() {
    follows_the_chain("extractive", ScriptedModel::new(|_| None), ScriptedModel::new(|_| None)).await;
}
