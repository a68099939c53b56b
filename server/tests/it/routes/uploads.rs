//! Tests of the limits on uploads, and of long documents.

use crate::prelude::*;
use tokio::{io::AsyncWriteExt, net::TcpStream};

const FILE: (&str, &str) = ("a.txt", "The Red Tide group set the fire at the grain store of Port Halen.");

#[tokio::test]
async fn an_upload_has_a_limited_number_of_files() {
    let app = spawn_with(|config| config.fetch.read.max_files = 2).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let files = [FILE; 3];
    let refused = ada.ask("Who?", &files).await.location().to_owned();
    assert_eq!(refused, "/investigations/new?error=too_many_files&kept=1");
    assert!(ada.get(&refused).await.text().contains("Too many files for one upload"));
    assert!(ada.ask(QUESTION, &files[..2]).await.location().starts_with("/investigations/0"));
}

#[tokio::test]
async fn a_person_may_upload_so_much_a_day() {
    let app = spawn_with(|config| config.server.uploads.day_bytes_per_person = 1_000).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let text = format!("{} {}", FILE.1, "word ".repeat(100));
    assert!(ada.ask(QUESTION, &[("a.txt", &text)]).await.location().starts_with("/investigations/0"));
    let refused = ada.ask("Who?", &[("b.txt", &text)]).await.location().to_owned();
    assert_eq!(refused, "/investigations/new?error=upload_quota&kept=1");
    let mut bea = app.signed_in("bea", Role::Analyst).await;
    assert!(
        bea.ask(QUESTION, &[("a.txt", &text)]).await.location().starts_with("/investigations/0"),
        "others are counted apart"
    );
}

/// Begins an upload that does not end.
pub async fn begin_upload(app: &App, browser: &Browser) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head = format!(
        "POST /investigations HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nContent-Type: multipart/form-data; boundary=B\r\n\
         Content-Length: 100000\r\n\r\n--B\r\nContent-Disposition: form-data; name=\"files\"; filename=\"slow.txt\"\r\n\r\nslow",
        app.address,
        browser.cookie.as_deref().unwrap()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn uploads_at_once_are_limited() {
    let app = spawn_with(|config| {
        config.server.uploads.at_once = 1;
        config.server.uploads.wait_ms = 10;
    })
    .await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let slow = begin_upload(&app, &ada).await;
    let busy = "/investigations/new?error=uploads_busy";
    let mut bea = app.signed_in("bea", Role::Analyst).await;
    assert!(eventually(async || bea.ask(QUESTION, &[FILE]).await.location().starts_with(busy)).await);
    assert!(!bea.ask(QUESTION, &[]).await.location().starts_with(busy), "a question without files does not wait");
    drop(slow);
    assert!(eventually(async || !ada.ask(QUESTION, &[FILE]).await.location().starts_with(busy)).await);
}

#[tokio::test]
async fn the_head_of_a_part_is_limited() {
    let app = spawn_with(|_| {}).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let name = "n".repeat(3 << 20);
    let refused = ada.ask(QUESTION, &[(&name, "text")]).await.location().to_owned();
    assert!(refused.starts_with("/investigations/new?error=upload_large"), "{refused}");
}

/// Returns the address behind a link of a page.
fn link(page: &str, text: &str) -> String {
    let before = page.split(&format!(">{text}</a>")).next().filter(|before| before.len() < page.len());
    let before = before.unwrap_or_else(|| panic!("no link {text}: {page}"));
    before.rsplit("href=\"").next().unwrap().trim_end_matches('"').to_owned()
}

#[tokio::test]
async fn a_long_document_is_shown_in_parts_that_links_connect() {
    let app = spawn_with(|config| {
        config.engine.pages.document_part_bytes = 3_000;
        config.engine.pages.document_part_paragraphs = 90;
    })
    .await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let line = |n: usize| format!("Line {n} of the harbour log.\n\n");
    let said = "Police said that the Red Tide group set the fire at the grain store of Port Halen.\n\n";
    let [before, after] = [0..150, 150..300].map(|lines| lines.map(line).collect::<String>());
    let head = "PORT HALEN, March 4, 2031 (Coast Gazette) -- The log follows.\n\n";
    let text = format!("{head}{before}{said}{after}{}", "a\n\n".repeat(5_000));
    let address = ada.ask(QUESTION, &[("log.txt", &text)]).await.location().to_owned();
    ada.get(&format!("/api/v1{address}/events")).await;
    let id = ada.get(&format!("/api/v1{address}")).await.json()["assessment_id"].as_str().unwrap().to_owned();
    let cited = ada.get(&format!("/api/v1/assessments/{id}")).await.json();
    let citations = cited["citations"].as_array().unwrap();
    let citation = citations.iter().find(|citation| citation["quote"].as_str().unwrap().contains("Red Tide")).unwrap();
    let document = format!("/documents/{}", citation["document_id"].as_str().unwrap());
    let quote = format!("{document}?quote={}-{}", citation["span"]["start"], citation["span"]["end"]);
    assert!(ada.get(&format!("/assessments/{id}")).await.text().contains(&quote), "the citation leads to its part");

    let shown = |page: &str| {
        let text = page.split_once("class=\"document-text\"").unwrap().1.split("</article>").next().unwrap();
        (0..300).filter(|n| text.contains(&format!(">Line {n} of"))).collect::<Vec<_>>()
    };
    let quoted = ada.get(&quote).await.text();
    let mark = quoted.split_once("<mark id=\"quote\"").unwrap().1.split_once("</mark>").unwrap().0;
    assert!(mark.contains("Red Tide"), "{mark}");
    let around = shown(&quoted);
    assert!(around.contains(&149) && around.contains(&150) && !around.contains(&0) && !around.contains(&299), "{around:?}");
    let first = ada.get(&document).await.text();
    assert!(shown(&first).starts_with(&[0, 1]) && !shown(&first).contains(&150), "{:?}", shown(&first));
    assert!(!first.contains(">Earlier part</a>"));
    let second = ada.get(&link(&first, "Later part")).await.text();
    assert_eq!(shown(&second)[0], shown(&first).last().unwrap() + 1, "nothing is left out");
    assert_eq!(shown(&ada.get(&link(&second, "Earlier part")).await.text()), shown(&first));
    let short_lines = ada.get(&format!("{document}?from={}", text.len() - 10_000)).await.text();
    assert!(short_lines.matches("<p>a</p>").count() <= 90, "{}", short_lines.len());
}
