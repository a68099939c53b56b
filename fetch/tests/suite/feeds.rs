//! Feeds in every format, and OPML.

use crate::prelude::*;
use domain::fetch::{Feed, FeedItem, RejectReason};
use std::{path::Path, time::Instant};

const RSS: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:d="http://purl.org/dc/elements/1.1/">
<channel><title>The Harbour Post</title><link>https://post.example/</link><description>News of the port</description>
<language>en-GB</language><lastBuildDate>Fri, 14 Mar 2031 10:00:00 GMT</lastBuildDate>
<item><title>Gates &amp;amp; ships</title><link>/news/1?a=1&amp;b=2</link><guid isPermaLink="false">post-1</guid>
<pubDate>Fri, 14 Mar 2031 09:30:00 +0100</pubDate><d:creator>Ana Ruiz</d:creator>
<description>&lt;p&gt;The gates are shut.&lt;/p&gt;&lt;p&gt;Caf&amp;eacute;s too.&lt;/p&gt;</description>
<content:encoded><![CDATA[<p>The gates of the port are <b>shut</b>.</p><p>No ship leaves.</p>]]></content:encoded></item>
<item><title>Fog</title><guid>https://post.example/news/2</guid><author>desk@post.example (Night Desk)</author></item>
</channel></rss>"#;

const ATOM: &str = r#"<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://wire.example/" xml:lang="es">
<title type="html">Coastal &lt;i&gt;Wire&lt;/i&gt;</title><link rel="self" href="feed.atom"/><link href="/"/>
<updated>2031-03-14T10:00:00Z</updated>
<entry><title>Puerto cerrado</title><id>tag:wire.example,2031:1</id><link rel="enclosure" href="a.mp3"/><link href="news/1"/>
<published>2031-03-14</published><updated>2031-03-14T11:00:00+01:00</updated><author><name>Luis Gil</name></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>El puerto está <em>cerrado</em>.</p></div></content></entry>
</feed>"#;

const JSON: &str = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "Port notes", "home_page_url": "https://notes.example/",
"items": [{"id": "1", "url": "https://notes.example/1", "title": "Fog", "content_html": "<p>Fog on the sea.</p>",
"date_published": "2031-03-14T09:30:00Z", "authors": [{"name": "Ana Ruiz"}]}]}"#;

async fn feed(name: &str, bytes: &[u8]) -> Feed {
    read_one(name, bytes).await.feed.unwrap()
}

/// One line per item: title | address | id | dates | byline | summary | content.
fn item(item: &FeedItem) -> String {
    let text = |field: &Option<String>| field.clone().unwrap_or("-".into()).replace('\n', "/");
    let dates = [item.published, item.updated].map(|date| date.map_or("-".into(), |date| date.value.to_string()));
    let fields = [&item.title, &item.address, &item.id].map(text).join(" | ");
    format!("{fields} | {} | {}", dates.join(" | "), [&item.byline, &item.summary, &item.content].map(text).join(" | "))
}

#[tokio::test]
async fn an_rss_feed_gives_its_items_in_plain_words() {
    let document = read_one("news.rss", RSS.as_bytes()).await;
    assert_eq!(document.media_type, "application/feed");
    assert_eq!(document.title, "The Harbour Post");
    assert!(document.text.contains("Gates & ships\nThe gates of the port are shut.\n\nNo ship leaves."), "{}", document.text);
    let feed = document.feed.unwrap();
    assert_eq!(feed.address.as_deref(), Some("https://post.example/"));
    assert_eq!(feed.language.as_deref(), Some("en-GB"));
    assert!(!feed.is_mended);
    assert_eq!(
        feed.items.iter().map(item).collect::<Vec<_>>(),
        [
            "Gates & ships | - | post-1 | 2031-03-14T08:30:00Z | - | Ana Ruiz | The gates are shut.//Cafés too. | \
             The gates of the port are shut.//No ship leaves.",
            "Fog | https://post.example/news/2 | https://post.example/news/2 | - | - | Night Desk | - | -",
        ]
    );
}

#[tokio::test]
async fn addresses_are_relative_to_where_the_feed_was_read() {
    let page = fetch::Page {
        address: "https://post.example/feeds/all".into(),
        media_type: Some("application/rss+xml".into()),
        charset: None,
        bytes: RSS.as_bytes().into(),
    };
    let results: Vec<_> = futures::StreamExt::collect::<Vec<_>>(source(config()).read_page(page)).await;
    let document = &results[0].as_ref().unwrap().document;
    assert_eq!(document.path, "https://post.example/feeds/all");
    let addresses: Vec<&str> = document.links.iter().map(|link| link.url.as_str()).collect();
    assert_eq!(addresses, ["https://post.example/news/1?a=1&b=2", "https://post.example/news/2"]);
}

#[tokio::test]
async fn atom_and_json_feeds_read_alike() {
    let atom = feed("a.xml", ATOM.as_bytes()).await;
    assert_eq!((atom.title.as_deref(), atom.address.as_deref()), (Some("Coastal Wire"), Some("https://wire.example/")));
    assert_eq!(
        item(&atom.items[0]),
        "Puerto cerrado | https://wire.example/news/1 | tag:wire.example,2031:1 | 2031-03-14T00:00:00Z | 2031-03-14T10:00:00Z | \
         Luis Gil | - | El puerto está cerrado."
    );
    let json = feed("f.json", JSON.as_bytes()).await;
    assert_eq!(
        item(&json.items[0]),
        "Fog | https://notes.example/1 | 1 | 2031-03-14T09:30:00Z | - | Ana Ruiz | - | Fog on the sea."
    );
}

#[tokio::test]
async fn a_feed_that_is_broken_is_read_as_far_as_it_goes() {
    let cut = &RSS[..RSS.find("<guid>").unwrap()];
    let feed = feed("cut.xml", cut.as_bytes()).await;
    assert!(feed.is_mended);
    assert_eq!(feed.items.iter().filter_map(|item| item.title.as_deref()).collect::<Vec<_>>(), ["Gates & ships", "Fog"]);
}

#[tokio::test]
async fn every_encoding_reads_as_the_same_feed() {
    let text = RSS.replace("encoding=\"utf-8\"", "encoding=\"windows-1252\"").replace("Fog", "Nébel");
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let wide: Vec<u8> = RSS.replace("Fog", "Nébel").encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [latin, wide] {
        assert_eq!(feed("f.xml", &bytes).await.items[1].title.as_deref(), Some("Nébel"));
    }
}

#[tokio::test]
async fn a_false_declaration_and_lines_before_it_cost_nothing() {
    let text = |declared: &str| {
        format!(
            "\n\n \r\n<?xml version='1.0' encoding='{declared}'?><rss><channel><item><title>Паром закрыт — «навсегда»</title></item></channel></rss>"
        )
    };
    let windows = encoding_rs::WINDOWS_1251.encode(&text("windows-1251")).0.into_owned();
    let koi8 = encoding_rs::KOI8_R.encode(&text("koi8-r").replace('—', "-").replace(['«', '»'], "")).0.into_owned();
    let files = [
        windows,
        text("windows-1251").into_bytes(),
        text("iso-8859-1").into_bytes(),
        text("shift_jis").into_bytes(),
        text("no-such").into_bytes(),
    ];
    for bytes in files {
        assert_eq!(feed("f.xml", &bytes).await.items[0].title.as_deref(), Some("Паром закрыт — «навсегда»"));
    }
    assert_eq!(feed("f.xml", &koi8).await.items[0].title.as_deref(), Some("Паром закрыт - навсегда"));
}

#[tokio::test]
async fn titles_hold_no_control_characters_and_no_references() {
    let table = [
        ("Contr\u{8}ol in\u{1e} the table", "Control in the table"),
        ("Contr&#8;ol &#x1E;table", "Control table"),
        ("<![CDATA[A\u{7}B\u{85}C]]>", "AB C"),
        ("Salt & pepper at the D&D pier: &quot;shut&quot;", "Salt & pepper at the D&D pier: \"shut\""),
        ("Caf&eacute;&nbsp;&mdash; AT&T &copy 2031", "Café — AT&T © 2031"),
        ("1 < 2 &amp; 3 > 2", "1 < 2 & 3 > 2"),
        ("&unknown; &#xZZ; &", "&unknown; &#xZZ; &"),
    ];
    for (title, expected) in table {
        let source =
            format!("<rss><channel><title>Harbour&nbsp;No\u{b}tes</title><item><title>{title}</title></item></channel></rss>");
        let feed = feed("f.xml", source.as_bytes()).await;
        assert_eq!(feed.items[0].title.as_deref(), Some(expected));
    }
    let json = format!(
        r#"{{"version": "https://jsonfeed.org/version/1.1", "title": "a", "items": [{{"id": "1", "title": "Contr{}ol"}}]}}"#,
        r"\u0008"
    );
    assert_eq!(feed("f.json", json.as_bytes()).await.items[0].title.as_deref(), Some("Control"));
    assert_eq!(read_one("t.txt", b"Contr\x08ol\n\nWords.").await.title, "Control");
}

#[tokio::test]
async fn a_list_of_feeds_is_read_in_a_child_and_refused_with_a_reason() {
    let documents = source(config());
    let list = b"<opml><body><outline text='A' xmlUrl='https://a.example/feed'/></body></opml>";
    let read = documents.feed_list(list.as_slice().into()).await.unwrap();
    assert_eq!((read.feeds[0].title.as_str(), read.feeds[0].feed.as_str()), ("A", "https://a.example/feed"));
    let nested: String = (0..26_000).map(|n| format!("<outline text=a xmlurl=http://a/{n}>")).collect();
    for (bytes, expected) in [("words", "not an OPML file"), (&nested, "more than 16 folders"), ("", "not an OPML file")] {
        let rejected = documents.feed_list(bytes.to_owned().into()).await.unwrap_err();
        assert!(rejected.message.contains(expected), "{rejected:?}");
    }
    let hanging = ParserPool::new(shell("exec sleep 1000"), &quick());
    let rejected = Documents::new(quick(), hanging).feed_list(list.as_slice().into()).await.unwrap_err();
    assert_eq!(rejected.reason, RejectReason::TimedOut);
}

/// Configuration whose parsers are killed soon.
fn quick() -> FetchConfig {
    let mut config = config();
    config.pool.parse_timeout_ms = 50;
    config
}

/// Shares, in percent, of foreign feeds that must be parsed, and of simple expectations that must hold.
const UNDERSTOOD_PERCENT: usize = 97;
const EXPECTED_PERCENT: usize = 85;

#[tokio::test]
#[ignore = "needs AUTOSINT_TESTDATA"]
async fn foreign_feeds_are_understood() {
    let folder = testdata("feeds");
    let mut files = Vec::new();
    gather(&folder, &mut files);
    let started = Instant::now();
    let documents = source(config());
    let (mut understood, mut held, mut asked) = (0, 0, 0);
    for (name, bytes) in &files {
        let page = fetch::Page {
            address: "http://127.0.0.1:8097/feeds/".to_owned(),
            media_type: None,
            charset: None,
            bytes: bytes.clone().into(),
        };
        let results: Vec<Outcome> = documents.read_page(page).collect().await;
        let feed = match &results[..] {
            [Ok(fetched)] => fetched.document.feed.as_ref(),
            [Err(rejected)] => {
                assert_ne!(rejected.reason, RejectReason::Crashed, "{name}");
                None
            }
            other => panic!("{name}: {other:?}"),
        };
        let Some(feed) = feed else {
            println!("{name}: not understood");
            continue;
        };
        understood += 1;
        let comment = String::from_utf8_lossy(bytes);
        if let Some((field, expected)) = expectation(&comment) {
            asked += 1;
            let found = value(feed, &field).unwrap_or_default();
            match found == expected {
                true => held += 1,
                false => println!("{name}: {field} is {found:?}, expected {expected:?}"),
            }
        }
    }
    let all = files.len();
    println!("feeds: {understood} of {all} understood, {held} of {asked} simple expectations held, {:?}", started.elapsed());
    assert!(understood * 100 >= all * UNDERSTOOD_PERCENT);
    assert!(held * 100 >= asked * EXPECTED_PERCENT);
}

fn gather(folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "xml" || ending == "json") {
            files.push((path.to_string_lossy().trim_start_matches('/').to_owned(), fs::read(&path).unwrap()));
        }
    }
}

/// Simple expectation in the comment at the top, such as `entries[0]['title'] == 'words'`.
fn expectation(comment: &str) -> Option<(String, String)> {
    let line = comment.lines().find(|line| line.trim().starts_with("Expect:"))?;
    let (left, right) = line.split_once(" == ")?;
    let field = left.rsplit_once("and ").map_or(left, |(_, field)| field).trim().trim_start_matches("Expect:").trim();
    let known = [
        "feed['title']",
        "feed['link']",
        "entries[0]['title']",
        "entries[0]['link']",
        "entries[0]['summary']",
        "entries[0]['description']",
        "entries[0]['id']",
        "entries[0]['author']",
    ];
    let right = right.trim().trim_start_matches('u');
    let quote = right.chars().next().filter(|c| "'\"".contains(*c))?;
    let value = right[1..].strip_suffix(quote)?;
    let is_plain = !value.contains(['<', '&', '\\', '\'', '"']) && !value.is_empty();
    (known.contains(&field) && is_plain).then(|| (field.to_owned(), value.split_whitespace().collect::<Vec<_>>().join(" ")))
}

fn value(feed: &Feed, field: &str) -> Option<String> {
    let item = feed.items.first();
    let found = match field {
        "feed['title']" => feed.title.clone(),
        "feed['link']" => feed.address.clone(),
        "entries[0]['title']" => item?.title.clone(),
        "entries[0]['link']" => item?.address.clone(),
        "entries[0]['id']" => item?.id.clone(),
        "entries[0]['author']" => item?.byline.clone(),
        _ => item?.summary.clone().or(item?.content.clone()),
    };
    found.map(|found| found.split_whitespace().collect::<Vec<_>>().join(" "))
}
