//! Source catalogue against servers that behave like the providers.

mod answers;
pub mod provider;

use crate::prelude::*;
use domain::fetch::{Availability, FeedEntry, SourceHit, SourcePage, SourceQuery};
use fetch::{Catalogue, JsonSearch, Paging, SourceAccess, SourceError};
use provider::{Provider, Reply};

fn query(words: &str) -> SourceQuery {
    SourceQuery { words: words.into(), limit: 2, ..SourceQuery::default() }
}

/// Catalogue whose source `id` is served by `provider`.
fn catalogue(provider: &Provider, id: &str) -> Catalogue {
    let mut config = config();
    config.sources.addresses.insert(id.to_owned(), provider.address.clone());
    build(provider, config)
}

fn build(provider: &Provider, mut config: FetchConfig) -> Catalogue {
    config.contact = "https://desk.example/".into();
    let documents = source(config.clone());
    Catalogue::new(&config, documents, provider.get(), provider.clock())
}

fn none() -> SourceAccess<'static> {
    SourceAccess::default()
}

fn with(key: &str) -> SourceAccess<'_> {
    SourceAccess { key: Some(key), feeds: &[] }
}

/// One line per hit: title | address | day | outlet | byline | language.
fn lines_of(page: &SourcePage) -> Vec<String> {
    let line = |hit: &SourceHit| {
        let day = hit.published.map(|date| date.value.to_string()[..10].to_owned());
        let fields =
            [day, hit.outlet.clone(), hit.byline.clone(), hit.language.clone()].map(|field| field.unwrap_or("-".into()));
        format!("{} | {} | {}", hit.title, hit.address, fields.join(" | "))
    };
    page.hits.iter().map(line).collect()
}

/// Queries page after page; returns all hits and the provider's requests.
async fn all_pages(provider: &Provider, id: &str, key: Option<&str>, mut query: SourceQuery) -> (Vec<String>, Vec<String>) {
    let catalogue = catalogue(provider, id);
    let access = SourceAccess { key, feeds: &[] };
    let mut hits = Vec::new();
    for _ in 0..5 {
        let page = catalogue.query(id, &query, access).await.unwrap();
        hits.extend(lines_of(&page));
        query.page = page.next;
        if query.page.is_none() {
            break;
        }
    }
    assert_eq!(query.page, None, "{id} never ends");
    (hits, provider.requests())
}

#[tokio::test]
async fn every_provider_is_queried_and_parsed_page_after_page() {
    for case in answers::cases() {
        let provider = Provider::start(case.replies.clone()).await;
        let mut query = query("grain \"port vell\"");
        (query.since, query.until, query.language) = case.bounds;
        let (hits, asked) = all_pages(&provider, case.id, case.key, query).await;
        let hits: Vec<String> = hits.iter().map(|hit| hit.replace(&provider.address, "BASE")).collect();
        assert_eq!(hits, case.hits, "{}", case.id);
        assert_eq!(asked, case.asked, "{}", case.id);
    }
}

#[tokio::test]
async fn refusals_of_providers_become_errors_with_a_remedy() {
    let json = |status: u16, body: &str| Reply { status, body: body.as_bytes().to_vec(), ..Reply::json("") };
    let table = [
        (
            "gdelt",
            json(200, "Your query was too short or too long."),
            SourceError::Query("Your query was too short or too long.".into()),
        ),
        ("gdelt", json(429, "Please limit requests"), SourceError::Busy { retry_after_s: None }),
        (
            "wikipedia",
            json(200, r#"{"error":{"code":"missingparam","info":"The \"srsearch\" parameter must be set."}}"#),
            SourceError::Query("The \"srsearch\" parameter must be set.".into()),
        ),
        (
            "github",
            json(403, r#"{"message":"API rate limit exceeded"}"#).with("x-ratelimit-remaining", "0"),
            SourceError::Busy { retry_after_s: None },
        ),
        (
            "github",
            json(403, "{}")
                .with("x-ratelimit-remaining", "0")
                .with("x-ratelimit-reset", "1931288430")
                .with("date", "Fri, 14 Mar 2031 21:00:00 GMT"),
            SourceError::Busy { retry_after_s: Some(30) },
        ),
        ("brave", json(429, "{}").with("x-ratelimit-reset", "2, 1419704"), SourceError::Busy { retry_after_s: Some(2) }),
        ("github", json(422, r#"{"message":"Validation Failed"}"#), SourceError::Query("Validation Failed".into())),
        ("brave", json(401, "{}"), SourceError::Key),
        ("brave", json(429, "{}").with("retry-after", "7"), SourceError::Busy { retry_after_s: Some(7) }),
        (
            "news_api",
            json(426, r#"{"status":"error","code":"maximumResultsReached","message":"too many for the key secret-key"}"#),
            SourceError::Query("too many for the key …".into()),
        ),
        ("tavily", json(432, r#"{"detail":{"error":"limit of the plan"}}"#), SourceError::Busy { retry_after_s: None }),
        ("sec_edgar", json(403, "<html>Undeclared Automated Tool</html>"), SourceError::Refused),
        ("openalex", json(500, "oops"), SourceError::Broken(500)),
        ("reliefweb", json(200, "<html>"), SourceError::WebPage),
        ("arxiv", json(200, "<!DOCTYPE html><html><body>Sign in</body></html>"), SourceError::WebPage),
        ("hacker_news", json(200, " \n"), SourceError::Empty),
        ("hacker_news", json(401, ""), SourceError::Refused),
        ("hacker_news", json(404, "<html>"), SourceError::Gone(404)),
        ("hacker_news", json(200, r#"{"hits":"none"}"#), SourceError::Unreadable),
        ("hacker_news", json(200, r#"[1,2]"#), SourceError::Unreadable),
        ("github", json(200, r#"{"items":[{"html_url":["a"],"full_name":7}]}"#), SourceError::Unreadable),
        ("github", json(404, r#"{"message":"Not Found"}"#), SourceError::Query("Not Found".into())),
        (
            "arxiv",
            json(
                200,
                "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>http://arxiv.org/api/errors#x</id><title>Error</title>\
                 <summary>incorrect id format</summary></entry></feed>",
            ),
            SourceError::Query("incorrect id format".into()),
        ),
    ];
    for (id, reply, expected) in table {
        let provider = Provider::start(vec![reply]).await;
        let catalogue = catalogue(&provider, id);
        let has_key = ["brave", "news_api", "tavily", "openalex", "reliefweb"].contains(&id);
        let access = if has_key { with("secret-key") } else { none() };
        assert_eq!(catalogue.query(id, &query("grain ships"), access).await, Err(expected), "{id}");
    }
}

#[tokio::test]
async fn a_source_that_requests_a_pause_is_not_queried_until_then() {
    let provider =
        Provider::start(vec![Reply::json("{}").status(429).with("retry-after", "30"), Reply::json(r#"{"hits":[]}"#)]).await;
    let catalogue = catalogue(&provider, "hacker_news");
    for _ in 0..2 {
        let asked = catalogue.query("hacker_news", &query("grain"), none()).await;
        assert_eq!(asked, Err(SourceError::Busy { retry_after_s: Some(30) }));
    }
    assert_eq!(provider.requests().len(), 1);
    provider.pass_s(31);
    assert!(catalogue.query("hacker_news", &query("grain"), none()).await.unwrap().hits.is_empty());
}

#[tokio::test]
async fn pauses_of_sources_are_capped() {
    let busy = Reply::json("{}").status(429).with("retry-after", "18446744073709551615");
    let provider = Provider::start(vec![busy, Reply::json(r#"{"hits":[]}"#)]).await;
    let mut config = config();
    config.sources.addresses.insert("hacker_news".to_owned(), provider.address.clone());
    config.rate_limit.max_pause_ms = 60_000;
    let catalogue = build(&provider, config);
    for _ in 0..2 {
        let asked = catalogue.query("hacker_news", &query("grain"), none()).await;
        assert_eq!(asked, Err(SourceError::Busy { retry_after_s: Some(60) }));
    }
    provider.pass_s(61);
    assert!(catalogue.query("hacker_news", &query("grain"), none()).await.is_ok());
}

#[tokio::test]
async fn paging_ends_when_all_news_have_one_time() {
    let article = |n: u32| format!(r#"{{"url":"https://d.example/{n}","title":"Fog {n}","seendate":"20310314T091500Z"}}"#);
    let full = || Reply::json(&format!(r#"{{"articles":[{},{}]}}"#, article(1), article(2)));
    let provider = Provider::start(vec![full(), full(), Reply::json("{}")]).await;
    let (_, asked) = all_pages(&provider, "gdelt", None, query("grain")).await;
    let ends: Vec<&str> = asked.iter().filter_map(|asked| asked.split_once("enddatetime=").map(|(_, end)| end)).collect();
    assert_eq!(ends, ["20310314091459", "20310314091459"]);
}

#[tokio::test]
async fn a_source_without_its_requirements_is_not_queried() {
    let provider = Provider::start(vec![]).await;
    let config = config();
    let documents = source(config.clone());
    let catalogue = Catalogue::new(&config, documents, provider.get(), provider.clock());
    let shown = |id: &str| catalogue.entries(|_| false).into_iter().find(|entry| entry.id == id).unwrap().availability;
    let table = [
        ("brave", Availability::NeedsKey, SourceError::NeedsKey),
        ("sec_edgar", Availability::NeedsContact, SourceError::NeedsContact),
        ("searxng", Availability::NeedsAddress, SourceError::NeedsAddress),
    ];
    for (id, availability, error) in table {
        assert_eq!(shown(id), availability, "{id}");
        assert_eq!(catalogue.query(id, &query("grain"), none()).await, Err(error), "{id}");
    }
    assert_eq!(shown("arxiv"), Availability::Ready);
    let asked = catalogue.query("oracle", &query("grain"), none()).await;
    assert_eq!(asked, Err(SourceError::Unknown("oracle".into())));
    assert_eq!(provider.requests().len(), 0);
    let with_key = catalogue.entries(|id| id == "brave");
    assert_eq!(with_key.iter().find(|entry| entry.id == "brave").unwrap().availability, Availability::Ready);
    for entry in with_key {
        assert!(!entry.coverage.is_empty() && !entry.description.is_empty(), "{}", entry.id);
    }
}

/// Host of the documentation of each source: the provider's own.
const PROVIDERS: [(&str, &str); 16] = [
    ("arxiv", "arxiv.org"),
    ("brave", "brave.com"),
    ("court_listener", "courtlistener.com"),
    ("federal_register", "federalregister.gov"),
    ("gdelt", "gdeltproject.org"),
    ("github", "github.com"),
    ("hacker_news", "hn.algolia.com"),
    ("news_api", "newsapi.org"),
    ("openalex", "openalex.org"),
    ("reddit", "reddit.com"),
    ("reliefweb", "reliefweb.int"),
    ("searxng", "searxng.org"),
    ("sec_edgar", "sec.gov"),
    ("tavily", "tavily.com"),
    ("wikidata", "mediawiki.org"),
    ("wikipedia", "mediawiki.org"),
];
/// Feed groups have no API of their own.
const FEEDS: [&str; 4] = ["feeds", "united_nations", "central_banks", "governments"];

#[tokio::test]
async fn every_adapter_names_the_page_of_its_provider_and_the_day_it_was_read() {
    let provider = Provider::start(vec![]).await;
    let entries = build(&provider, config()).entries(|_| false);
    let adapters: Vec<_> = entries.into_iter().filter(|entry| !FEEDS.contains(&&*entry.id)).collect();
    assert_eq!(adapters.len(), PROVIDERS.len(), "a new adapter is listed here with its provider");
    for entry in adapters {
        let (page, day) = entry.documentation.unwrap_or_else(|| panic!("{} names no page", entry.id));
        let (_, host) = PROVIDERS.iter().find(|(id, _)| *id == entry.id).unwrap_or_else(|| panic!("{}", entry.id));
        let named = page.strip_prefix("https://").and_then(|rest| rest.split('/').next()).unwrap_or_default();
        assert!(named == *host || named.ends_with(&format!(".{host}")), "{}: {page} is not of {host}", entry.id);
        assert!(day.len() == 10 && day.starts_with("20"), "{}: {day}", entry.id);
    }
}

#[tokio::test]
async fn feeds_are_searched_by_words_region_and_language() {
    let feed = |title: &str, items: &str| {
        Reply::json(&format!("<rss version='2.0'><channel><title>{title}</title>{items}</channel></rss>"))
    };
    let post = "<item><title>Grain ships wait</title><link>/1</link><pubDate>Fri, 14 Mar 2031 09:00:00 GMT</pubDate></item>\
                <item><title>Fog</title><link>/2</link><description>No grain ship sails</description></item>\
                <item><title>Football</title><link>/3</link></item>";
    let provider = Provider::start(vec![feed("Post", post), Reply::json("").status(500), feed("Diario", "")]).await;
    let mut config = config();
    let entry = |path: &str, region: &str, language: &str| FeedEntry {
        address: format!("{}{path}", provider.address),
        region: region.into(),
        language: language.into(),
        ..FeedEntry::default()
    };
    config.sources.feeds = vec![entry("post", "europe", "en"), entry("diario", "europe", "es")];
    // Added by a user; the configured feed is not requested twice.
    let added = [entry("down", "world", "en"), entry("post", "europe", "en")];
    let access = SourceAccess { key: None, feeds: &added };
    config.sources.parallel_feeds = 1;
    let catalogue = build(&provider, config);
    let mut query = query("grain ships");
    (query.region, query.language) = (Some("europe".into()), Some("en".into()));
    let page = catalogue.query("feeds", &query, access).await.unwrap();
    assert_eq!(lines_of(&page), [format!("Grain ships wait | {}1 | 2031-03-14 | Post | - | en", provider.address)]);
    // Served from memory, except for the failed feed.
    catalogue.query("feeds", &query, access).await.unwrap();
    assert_eq!(provider.requests(), ["GET /post", "GET /down", "GET /down"]);
}

#[tokio::test]
async fn the_feed_cache_stays_within_its_memory() {
    let feed =
        || Reply::json("<rss version='2.0'><channel><title>Post</title><item><title>Grain</title></item></channel></rss>");
    for (max_bytes, requests) in [(1_000_000, 1), (10, 2)] {
        let provider = Provider::start(vec![feed(), feed()]).await;
        let mut config = config();
        config.sources.max_feeds_bytes = max_bytes;
        config.sources.feeds = vec![FeedEntry { address: format!("{}post", provider.address), ..FeedEntry::default() }];
        let catalogue = build(&provider, config);
        for _ in 0..2 {
            catalogue.query("feeds", &query("grain"), none()).await.unwrap();
        }
        assert_eq!(provider.requests().len(), requests, "{max_bytes}");
    }
}

#[tokio::test]
async fn feeds_of_a_site_are_found_where_it_announces_or_keeps_them() {
    let page = Reply::json(
        "<html><head><link rel=alternate type='application/rss+xml' href='/all.rss'></head><body><p>Words.</p></body></html>",
    )
    .with("content-type", "text/html; charset=utf-8");
    let feed = Reply::json("<rss><channel><title>Post</title><item><title>Fog</title></item></channel></rss>");
    let provider = Provider::start(vec![page, feed]).await;
    let found = build(&provider, config()).discover(&format!("{}news/", provider.address)).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].title.as_deref(), found[0].items), (Some("Post"), 1));
    assert_eq!(provider.requests(), ["GET /news/", "GET /all.rss"]);
}

#[tokio::test]
async fn a_configured_search_is_queried_as_described() {
    let body =
        r#"{"data":{"n":3,"items":[{"u":"https://a.example/1","t":"<b>One</b>"},{"u":"https://a.example/2","t":"Two"}]}}"#;
    let rest = r#"{"data":{"n":3,"items":[{"u":"https://a.example/3","t":"Three"}]}}"#;
    let provider = Provider::start(vec![Reply::json(body), Reply::json(rest)]).await;
    let mut config = config();
    config.sources.searches = vec![JsonSearch {
        id: "archive".into(),
        address: format!("{}find?q={{words}}&n={{limit}}&from={{page}}", provider.address),
        headers: [("x-key".to_owned(), "{key}".to_owned())].into(),
        page_size: 2,
        paging: Paging::Offset,
        hits: "data.items".into(),
        total: "data.n".into(),
        hit_address: "u".into(),
        hit_title: "t".into(),
        ..JsonSearch::default()
    }];
    let catalogue = build(&provider, config);
    let intervals = provider.intervals();
    let mut query = query("grain & {key}");
    assert_eq!(catalogue.query("archive", &query, none()).await, Err(SourceError::NeedsKey));
    let first = catalogue.query("archive", &query, with("secret")).await.unwrap();
    assert_eq!(lines_of(&first)[0], "One | https://a.example/1 | - | - | - | -");
    query.page = first.next;
    assert_eq!(catalogue.query("archive", &query, with("secret")).await.unwrap().next, None);
    assert_eq!(
        provider.requests(),
        [
            "GET /find?q=grain+%26+%7Bkey%7D&n=2&from=0 x-key: secret",
            "GET /find?q=grain+%26+%7Bkey%7D&n=2&from=2 x-key: secret"
        ]
    );
    assert_eq!(*intervals.lock().unwrap(), [None, None], "a service without an interval uses the default of all hosts");
}
