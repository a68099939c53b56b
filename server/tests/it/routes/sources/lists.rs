//! Tests of OPML import and export.

use crate::prelude::*;

/// OPML as written by a feed reader: nested folders, an entry without feed, duplicates, references, a language.
const LIST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0"><head><title>Subscriptions of Ada</title></head><body>
  <outline text="outlets" title="outlets">
    <outline text="Europe"><outline type="rss" text="Coast Gazette" title="Coast Gazette &amp; Post" xmlUrl="https://gazette.example/rss?a=1&amp;b=2" htmlUrl="https://gazette.example/" language="en-GB"/></outline>
    <outline text="Asia"><outline type="rss" text="Harbour Wire" xmlUrl="https://wire.example/feed"/></outline>
  </outline>
  <outline text="Only a note"/>
  <outline type="rss" text="Harbour Wire again" xmlUrl="https://wire.example/feed"/>
  <outline type="rss" text="Tin &lt;script&gt;alert(1)&lt;/script&gt;" xmlUrl="https://tin.example/atom.xml"/>
  <outline type="rss" text="Not of the web" xmlUrl="file:///etc/passwd"/>
</body></opml>"#;

async fn app_with_feed_limit(max_feeds: usize) -> App {
    spawn_with(|config| {
        config.fetch.sources.feeds.clear();
        config.engine.web.max_feeds = max_feeds;
    })
    .await
}

fn list_of(count: usize) -> String {
    let feed = |n: usize| format!("<outline type=\"rss\" text=\"Feed {n}\" xmlUrl=\"https://feeds.example/{n}\"/>\n");
    format!("<opml version=\"2.0\"><body>{}</body></opml>", (0..count).map(feed).collect::<String>())
}

#[tokio::test]
async fn a_list_of_a_reader_is_imported_shown_and_exported_again() {
    let app = app_with_feed_limit(1_000).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let added = boss.upload("/sources/opml", "opml", "ada.opml", LIST.as_bytes()).await;
    assert_eq!(added.location(), "/sources#feed-list");
    let page = boss.get("/sources").await.text();
    let words =
        "3 feeds added. 1 entry was skipped without an address. 1 entry was skipped because the address is not http or https";
    for shown in [words, "Coast Gazette &amp; Post", "https://tin.example/atom.xml", "Outlets · Europe · en"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(!page.contains("<script>alert(1)") && !page.contains("etc/passwd"), "{page}");
    let exported = boss.get("/sources/feeds.opml").await;
    assert!(exported.header("content-disposition").unwrap().contains("autosint-feeds.opml"));
    let facts = async |bytes: &[u8]| -> Vec<(String, String)> {
        let list = app.program.documents.feed_list(bytes.to_vec().into()).await.unwrap();
        let mut facts: Vec<_> = list.feeds.into_iter().map(|feed| (feed.feed, feed.title)).collect();
        facts.sort();
        facts
    };
    assert_eq!(facts(&exported.body).await, facts(LIST.as_bytes()).await, "what goes in comes out");

    // Importing its own export adds nothing.
    let again = boss.upload("/sources/opml", "opml", "autosint-feeds.opml", &exported.body).await;
    assert_eq!(again.location(), "/sources#feed-list");
    assert!(boss.get("/sources").await.text().contains("You already follow every feed in this list."));
}

#[tokio::test]
async fn invalid_lists_are_refused_with_a_reason() {
    let app = app_with_feed_limit(1_000).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let broken: [(&str, &[u8]); 5] = [
        ("words.opml", b"These are words and no list."),
        ("empty.opml", b""),
        ("bytes.opml", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("cut.opml", b"<opml version=\"2.0\"><body><outline text=\"Cut"),
        ("none.opml", b"<opml version=\"2.0\"><body><outline text=\"No feed\"/></body></opml>"),
    ];
    for (name, bytes) in broken {
        let answer = boss.upload("/sources/opml", "opml", name, bytes).await;
        assert_eq!(answer.location(), "/sources?error=no_opml", "{name}");
    }
    assert!(boss.get("/sources?error=no_opml").await.text().contains("Export your feeds as OPML from a feed reader"));
}

#[tokio::test]
async fn an_import_without_permission_is_refused_before_the_list_is_read() {
    let app = app_with_feed_limit(1_000).await;
    let nested: String = (0..26_000).map(|n| format!("<outline text=a xmlurl=http://a/{n}>")).collect();
    for (name, role) in [("ada", Role::Analyst), ("rae", Role::Reader)] {
        let mut browser = app.signed_in(name, role).await;
        for list in [LIST, nested.as_str(), "These are words and no list."] {
            let answer = browser.upload("/sources/opml", "opml", "ada.opml", list.as_bytes()).await;
            assert_eq!(answer.location(), "/sources?error=not_allowed");
        }
    }
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let answer = boss.upload("/sources/opml", "opml", "nested.opml", nested.as_bytes()).await;
    assert_eq!(answer.location(), "/sources?error=no_opml");
}

#[tokio::test]
async fn a_list_of_ten_thousand_feeds_is_bounded() {
    let app = app_with_feed_limit(1_000).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let answer = boss.upload("/sources/opml", "opml", "all.opml", list_of(10_000).as_bytes()).await;
    assert_eq!(answer.location(), "/sources?error=too_many_feeds");
    let page = boss.get("/sources?error=too_many_feeds").await.text();
    assert!(page.contains("engine.web.max_feeds") && !page.contains("feeds.example"), "{page}");

    let most = boss.upload("/sources/opml", "opml", "most.opml", list_of(1_000).as_bytes()).await;
    assert_eq!(most.location(), "/sources#feed-list");
    assert!(boss.get("/sources").await.text().contains("1000 feeds added."));
    let known = boss.upload("/sources/opml", "opml", "known.opml", list_of(500).as_bytes()).await;
    assert_eq!(known.location(), "/sources#feed-list", "those that are followed already take no room");
    let more = boss.upload("/sources/opml", "opml", "more.opml", list_of(1_001).as_bytes()).await;
    assert_eq!(more.location(), "/sources?error=too_many_feeds");
}
