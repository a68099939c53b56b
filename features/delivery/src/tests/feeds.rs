//! The feed of a person at its secret address.

use super::sending::Scene;
use chrono::DateTime;
use quick_xml::{Reader, events::Event};
use serde_json::Value;
use std::collections::BTreeSet;

/// Returns the paths of the elements of a document, such as `feed/entry/id`; fails for one that is not well-formed.
fn paths(xml: &str) -> Vec<String> {
    let (mut reader, mut open, mut paths) = (Reader::from_str(xml), Vec::<String>::new(), vec![]);
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) => {
                open.push(tag.name().0.to_owned());
                paths.push(open.join("/"));
            }
            Event::Empty(tag) => paths.push(format!("{}/{}", open.join("/"), tag.name().0)),
            Event::End(_) => drop(open.pop()),
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?} are open: {xml}");
    paths
}

/// Asserts that each element at a path has exactly one child of each name.
fn assert_children(xml: &str, parent: &str, required: &[&str]) {
    let paths = paths(xml);
    let count = |path: &str| paths.iter().filter(|one| *one == path).count();
    assert!(count(parent) > 0, "{parent}: {xml}");
    for name in required {
        assert_eq!(count(&format!("{parent}/{name}")), count(parent), "{parent}/{name}: {xml}");
    }
}

/// Asserts what RFC 4287, RSS 2.0 and JSON Feed 1.1 require, and that ids are not repeated.
fn assert_required(atom: &str, rss: &str, json: &Value) {
    assert!(atom.contains("<feed xmlns=\"http://www.w3.org/2005/Atom\">"), "{atom}");
    assert_children(atom, "feed", &["id", "title", "updated", "author"]);
    assert_children(atom, "feed/author", &["name"]);
    assert_children(atom, "feed/entry", &["id", "title", "updated", "link", "summary"]);
    assert!(rss.contains("<rss version=\"2.0\""), "{rss}");
    assert_children(rss, "rss", &["channel"]);
    assert_children(rss, "rss/channel", &["title", "link", "description", "atom:link"]);
    assert_children(rss, "rss/channel/item", &["guid", "title", "pubDate", "link", "description"]);
    assert!(["version", "title", "home_page_url", "feed_url"].iter().all(|key| json[key].is_string()), "{json}");
    let items = json["items"].as_array().unwrap();
    for item in items {
        assert!(["id", "url", "title", "content_text", "date_published"].iter().all(|key| item[key].is_string()), "{item}");
    }
    let ids: BTreeSet<&str> = items.iter().filter_map(|item| item["id"].as_str()).collect();
    assert_eq!(ids.len(), items.len(), "an id is repeated: {json}");
}

/// Returns the text between two marks.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = text.split_once(start).unwrap().1;
    rest.split_once(end).unwrap().0
}

/// Asserts that the items of each format have the same ids, dates and links, in the form that it demands.
fn assert_same_items(atom: &str, rss: &str, json: &Value) {
    let items = json["items"].as_array().unwrap();
    assert_eq!(items.len(), atom.matches("<entry>").count());
    for ((entry, item), one) in atom.split("<entry>").skip(1).zip(rss.split("<item>").skip(1)).zip(items) {
        let id = between(entry, "<id>", "</id>");
        assert!(id.starts_with("tag:osint.example,2026:"), "{id}");
        assert_eq!((between(item, "<guid isPermaLink=\"false\">", "</guid>"), one["id"].as_str()), (id, Some(id)));
        let at = DateTime::parse_from_rfc3339(between(entry, "<updated>", "</updated>")).unwrap();
        let published = DateTime::parse_from_rfc2822(between(item, "<pubDate>", "</pubDate>")).unwrap();
        assert_eq!(published.timestamp(), at.timestamp());
        assert_eq!(DateTime::parse_from_rfc3339(one["date_published"].as_str().unwrap()).unwrap(), at);
        let link = between(entry, "<link href=\"", "\"");
        assert!(link.starts_with("https://osint.example/watching#"), "{link}");
        assert_eq!((between(item, "<link>", "</link>"), one["url"].as_str()), (link, Some(link)));
    }
}

#[tokio::test]
async fn a_feed_is_read_at_its_secret_address_until_that_is_replaced() {
    let scene = Scene::new(25).await;
    let (browser, stranger) = (scene.site.signed_in(scene.ada).await, scene.site.stranger());
    for path in ["/feeds/atom.xml?key=short", "/mail/change?action=off"] {
        assert_eq!(stranger.get(path).await.status, 404, "{path}");
    }
    assert!(scene.site.web.secrets.names().await.unwrap().is_empty(), "a stranger makes no key");
    assert_eq!(browser.post("/delivery/feed", &[]).await.location(), "/delivery#feed");
    let addresses = async || {
        let page = browser.get("/delivery").await.text();
        let hrefs = page.split("href=\"https://osint.example").skip(1).filter_map(|rest| rest.split('"').next());
        hrefs.map(str::to_owned).collect::<Vec<_>>()
    };
    let first = addresses().await;
    assert_eq!(first.len(), 6, "three formats of all news, and of one interest");
    scene.backend.clock.forward_ms(3_600_000);
    let atom = stranger.get(&first[0]).await;
    assert_eq!(atom.status, 200);
    let (atom, rss) = (atom.text(), stranger.get(&first[1]).await.text());
    assert!(
        atom.contains("<title>The lock &lt;is&gt; open</title>") && atom.contains("https://osint.example/watching#lock"),
        "{atom}"
    );
    assert_eq!((atom.matches("<entry>").count(), rss.matches("<item>").count()), (2, 2));
    let json = stranger.get(&first[2]).await.json();
    assert_eq!(
        (json["version"].as_str(), json["items"][0]["title"].as_str()),
        (Some("https://jsonfeed.org/version/1.1"), Some("The lock <is> open"),)
    );
    let of_interest = stranger.get(&first[3]).await.text();
    assert!(of_interest.contains("<title>AutOSINT: Locks &amp; gates</title>"), "{of_interest}");
    assert_eq!((of_interest.matches("<entry>").count(), of_interest.contains("The lock")), (1, true));
    let id = |feed: &str| feed.split("<id>").nth(1).and_then(|rest| rest.split('<').next()).unwrap().to_owned();
    assert_ne!(id(&of_interest), id(&atom));
    assert_same_items(&atom, &rss, &json);
    assert_required(&atom, &rss, &json);
    assert_children(&of_interest, "feed/entry", &["id", "title", "updated"]);
    let other_digit = if first[0].ends_with('0') { "1" } else { "0" };
    let guessed = format!("{}{other_digit}", &first[0][..first[0].len() - 1]);
    let none = first[0].replace("atom.xml", "none.xml");
    for path in [guessed.as_str(), none.as_str(), "/feeds/atom.xml?key=short", "/feeds/atom.xml"] {
        assert_eq!(stranger.get(path).await.status, 404, "{path}");
    }
    browser.post("/delivery/feed", &[]).await;
    assert_eq!(stranger.get(&first[0]).await.status, 404, "replaced");
    let second = addresses().await;
    assert_eq!(stranger.get(&second[0]).await.status, 200);
    browser.post("/delivery/feed/remove", &[]).await;
    assert_eq!(stranger.get(&second[0]).await.status, 404, "ended");
    scene.backend.close().await;
}
