//! Tests of `/sources`: switches, keys, feeds, and an investigation that uses them.

mod broken;
mod lists;

use crate::{app::serve, prelude::*};
use axum::{http::header::CONTENT_TYPE, response::IntoResponse, routing::get};
use engine::{models::Keys, settings::source_key};
use secrecy::ExposeSecret;

const KEY: &str = "bsa-marker-1f77c0";
const REPORT: &str = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire at the grain \
    store in Port Halen. \"The Red Tide group set the fire,\" said inspector Jonas Vael. Two people were injured.";

/// Returns a site with feeds, articles and a scripted form.
pub async fn site() -> u16 {
    let html = |body: String| ([(CONTENT_TYPE, "text/html; charset=utf-8")], body).into_response();
    let home = "<html><head><link rel=alternate type='application/rss+xml' href='/feed.xml'></head><body><p>The Gazette.</p></body></html>";
    let several = "<html><head><link rel=alternate type='application/rss+xml' href='/feed.xml' title=News>\
                   <link rel=alternate type='application/rss+xml' href='/sport.xml' title=Sport></head><body><p>The Gazette.</p></body></html>";
    let feed = "<rss version='2.0'><channel><title>Coast Gazette</title><item><title>Fire at the grain store of Port Halen set</title>\
                <link>/fire</link><description>Who set it</description></item></channel></rss>";
    let page =
        format!("<html><head><title>Fire</title></head><body><article><h1>Fire</h1><p>{REPORT}</p></article></body></html>");
    let desk = "<html><head><title>Desk</title></head><body><article><h1>Desk</h1><p>The desk of the Coast Gazette answers whoever asks it \
                something, on every day of the week.</p><p id=a></p></article><input id=q><button id=go>Ask</button><script>\
                go.onclick = () => a.textContent = 'You asked for ' + q.value + ', which the Coast Gazette has heard of.'</script></body></html>";
    let router = Router::new()
        .route("/", get(move || async move { html(home.to_owned()) }))
        .route("/several", get(move || async move { html(several.to_owned()) }))
        .route("/desk", get(move || async move { html(desk.to_owned()) }))
        .route("/feed.xml", get(move || async move { ([(CONTENT_TYPE, "application/rss+xml")], feed).into_response() }))
        .route("/sport.xml", get(move || async move { ([(CONTENT_TYPE, "application/rss+xml")], feed).into_response() }))
        .route("/fire", get(move || async move { html(page) }));
    serve(router).await
}

/// Returns a server that reads that site, without GDELT.
async fn app_with_site(port: u16) -> App {
    spawn_with(|config| {
        config.fetch.sources.feeds.clear();
        config.fetch.sources.addresses.insert("gdelt".into(), "http://127.0.0.1:1/".into());
        let exception = |source: &str| Exception { source: source.into(), host: "127.0.0.1".into(), port };
        config.fetch.http.exceptions = vec![exception("feeds"), exception("web")];
    })
    .await
}

async fn line(boss: &mut Browser, source: &str) -> String {
    let page = boss.get("/sources").await.text();
    let from = page.find(&format!("id=\"{source}\"")).unwrap_or_else(|| panic!("{source}: {page}"));
    page[from..].split("</li>").next().unwrap().to_owned()
}

#[tokio::test]
async fn searched_documents_are_credited_and_failed_sources_are_gaps() {
    let port = site().await;
    let app = app_with_site(port).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    assert!(boss.get("/sources").await.text().contains("All sources are off"));
    let added = boss.post("/sources/feeds", &[("address", &format!("http://127.0.0.1:{port}/")), ("language", "en")]).await;
    assert_eq!(added.location(), "/sources#feed-list");
    assert!(boss.get("/sources").await.text().contains("Coast Gazette"));
    for source in ["feeds", "gdelt"] {
        let answer = boss.post("/sources/switch", &[("source", source), ("on", "true")]).await;
        assert_eq!(answer.location(), format!("/sources#{source}"));
    }
    let form = boss.get("/investigations/new?draft=Who%3F").await.text();
    assert!(form.contains("Searched on the web: ") && form.contains("GDELT"), "{form}");
    let next = "/investigations/new?draft=Who%3F";
    for (is_on, next, expected) in [("false", "//elsewhere.example", "/"), ("true", next, next)] {
        let answer = boss.post("/sources/switch", &[("source", "gdelt"), ("on", is_on), ("next", next)]).await;
        assert_eq!(answer.location(), expected);
    }

    let address = boss.ask(QUESTION, &[]).await.location().to_owned();
    assert!(address.starts_with("/investigations/0"), "{address}");
    boss.get(&format!("/api/v1{address}/events")).await;
    let investigation = boss.get(&format!("/api/v1{address}")).await.json();
    assert_eq!(investigation["status"], "completed", "{investigation}");
    let id = investigation["assessment_id"].as_str().unwrap();
    let assessment = boss.get(&format!("/api/v1/assessments/{id}")).await.json();
    assert!(assessment["bottom_line"].as_str().unwrap().contains("Red Tide"), "{assessment:#}");
    let gaps = assessment["analysis"].to_string();
    assert!(gaps.contains("GDELT gave nothing: the source could not be reached"), "{gaps}");

    let (feeds, gdelt) = (line(&mut boss, "feeds").await, line(&mut boss, "gdelt").await);
    assert!(feeds.contains("Found 1 document with ") && feeds.contains("Last answered"), "{feeds}");
    assert!(gdelt.contains("Failing") && gdelt.contains("could not be reached"), "{gdelt}");
}

#[tokio::test]
async fn each_feed_of_an_address_is_added_as_typed() {
    let port = site().await;
    let app = app_with_site(port).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let typed = [("region", "africa"), ("language", "en"), ("group", "governments")];
    let address = format!("http://127.0.0.1:{port}/several");
    let asked = boss.post("/sources/feeds", &[&[("address", address.as_str())][..], &typed].concat()).await;
    let page = boss.get(asked.location().split('#').next().unwrap()).await.text();
    let choice = page.split("Several feeds found").nth(1).unwrap_or_else(|| panic!("{page}"));
    for form in choice.split("<form ").skip(1).take(2) {
        for (name, value) in typed {
            assert!(form.contains(&format!("name=\"{name}\" value=\"{value}\"")), "{name}: {form}");
        }
    }
    let of_form = &page[page.find("id=\"new-feed\"").unwrap()..];
    assert!(of_form.contains(&format!("value=\"{address}\"")) && !of_form.contains("class=\"notice\""), "{of_form}");
    let one = format!("http://127.0.0.1:{port}/feed.xml");
    let added = boss.post("/sources/feeds", &[&[("address", one.as_str())][..], &typed].concat()).await;
    assert_eq!(added.location(), "/sources#feed-list");
    assert!(boss.get("/sources").await.text().contains("Governments · Africa · en"));
}

#[tokio::test]
async fn a_key_is_stored_used_and_never_shown() {
    let app = app_with_site(1).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    assert!(line(&mut boss, "brave").await.contains("Needs a key"));
    assert_eq!(boss.post("/sources/keys", &[("source", "brave"), ("key", KEY)]).await.location(), "/sources#brave");
    assert_eq!(app.program.keys.key(&source_key("brave")).await.unwrap().expose_secret(), KEY);
    let shown = line(&mut boss, "brave").await;
    assert!(shown.contains("A key is stored") && !shown.contains(KEY) && !shown.contains("Needs a key"), "{shown}");
    for path in files_below(app.program.data_dir.path()) {
        let bytes = std::fs::read(&path).unwrap();
        assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "{}", path.display());
    }
    assert_eq!(boss.post("/sources/keys/remove", &[("source", "brave")]).await.location(), "/sources#brave");
    assert!(line(&mut boss, "brave").await.contains("Needs a key"));
    assert_eq!(boss.post("/sources/keys", &[("source", "oracle"), ("key", KEY)]).await.location(), "/sources?error=not_found");
}

#[tokio::test]
async fn a_source_test_reports_the_problem() {
    let app = app_with_site(1).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    assert_eq!(boss.post("/sources/test", &[("source", "gdelt")]).await.location(), "/sources#gdelt");
    let shown = line(&mut boss, "gdelt").await;
    assert!(shown.contains("Failed") && shown.contains("could not be reached"), "{shown}");
    let nowhere = boss.post("/sources/feeds", &[("address", "http://127.0.0.1:1/")]).await;
    assert_eq!(nowhere.location(), "/sources#new-feed");
    let page = boss.get("/sources").await.text();
    assert!(page.contains("No feed found: ") && page.contains("value=\"http://127.0.0.1:1/\""), "{page}");
    assert!(!boss.get("/sources").await.text().contains("No feed found:"), "it is said once");
    assert!(!boss.get("/sources?added=500").await.text().contains("500 feeds"), "an address says nothing by itself");
    let klingon = boss.post("/sources/feeds", &[("address", "http://127.0.0.1:1/"), ("language", "klingon")]).await;
    assert_eq!(klingon.location(), "/sources#new-feed");
    assert!(boss.get("/sources").await.text().contains("Unknown language \u{201c}klingon\u{201d}"));
    let atlantis = boss.post("/sources/feeds", &[("address", "http://127.0.0.1:1/"), ("region", "Atlantis")]).await;
    assert_eq!(atlantis.location(), "/sources#new-feed");
    let page = boss.get("/sources").await.text();
    assert!(page.contains("Unknown region \u{201c}atlantis\u{201d}") && page.contains("middle_east, north_america"), "{page}");
    let list = boss.get("/sources/feeds.opml").await;
    assert!(list.header("content-type").unwrap().starts_with("text/x-opml") && list.text().contains("<opml"));
}

#[tokio::test]
async fn only_administrators_get_keys_errors_and_feed_addresses() {
    let port = site().await;
    let app = app_with_site(port).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let private = format!("http://127.0.0.1:{port}/feed.xml?token=s3cret");
    assert_eq!(boss.post("/sources/feeds", &[("address", &private)]).await.location(), "/sources#feed-list");
    boss.post("/sources/test", &[("source", "gdelt")]).await;
    let mut rea = app.signed_in("rea", Role::Reader).await;
    let user = async |name: &str| app.program.engine.accounts.user_by_name(name).await.unwrap().unwrap().0;

    // What the page's server function answers.
    let view = app.program.settings.sources(&user("boss").await).await.unwrap();
    assert!(view.feeds.len() == 1 && view.sources.iter().all(|line| line.key.is_some()), "{view:#?}");
    assert!(view.sources.iter().any(|line| line.health.last_error.is_some()), "{view:#?}");
    let view = app.program.settings.sources(&user("rea").await).await.unwrap();
    let sent = serde_json::to_string(&view).unwrap();
    for secret in ["s3cret", "AUTOSINT_SOURCE_KEY", "is_stored", "could not be reached"] {
        assert!(!sent.contains(secret), "{secret}: {sent}");
    }
    assert!(view.built_in_feeds.iter().all(|feed| feed.address.is_empty()));
    let page = rea.get("/sources").await.text();
    assert!(page.contains("Failing") || page.contains("Off"), "{page}");
    assert!(!page.contains("s3cret") && !page.contains("feeds.opml"), "{page}");
    assert_eq!(rea.get("/sources/feeds.opml").await.location(), "/sources?error=not_allowed");
    assert!(boss.get("/sources/feeds.opml").await.text().contains("s3cret"));
}

#[tokio::test]
async fn only_administrators_change_anything() {
    let app = app_with_site(1).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    assert!(!ada.get("/sources").await.text().contains("action=\"/sources"));
    for (path, fields) in [
        ("/sources/switch", &[("on", "true")][..]),
        ("/sources/keys", &[("source", "brave"), ("key", KEY)]),
        ("/sources/keys/remove", &[("source", "brave")]),
        ("/sources/test", &[("source", "gdelt")]),
        ("/sources/feeds", &[("address", "http://127.0.0.1:1/")]),
        ("/sources/feeds/remove", &[("address", "http://127.0.0.1:1/")]),
    ] {
        assert_eq!(ada.post(path, fields).await.location(), "/sources?error=not_allowed", "{path}");
    }
}
