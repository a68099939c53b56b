//! Tests of what one person can do to the server: long queries, many requests, large forms, many annotations.

use super::uploads::begin_upload;
use crate::prelude::*;

const REPORT: [(&str, &str); 1] =
    [("one.txt", "PORT HALEN, March 3, 2031 -- Police said that the Red Tide group set fire to the grain store.")];

/// Asks, and returns the id of the investigation and the addresses of the report and of its document.
async fn answered(app: &App, browser: &mut Browser) -> (String, String, String) {
    let question = [("question", "Who set fire to the grain store?")];
    let (one, _) = super::answered(app, browser, &question, &REPORT).await;
    (one.investigation.clone(), one.report(), format!("/documents/{}", one.document))
}

/// Objects of the audit entries of an act, newest first.
async fn objects(app: &App, act: &str) -> Vec<String> {
    let log = app.program.engine.accounts.audit_log(500).await.unwrap();
    log.into_iter().filter(|entry| entry.act == act).map(|entry| entry.object).collect()
}

#[tokio::test]
async fn a_query_of_many_words_is_cut_wherever_it_is_asked() {
    let (_app, mut rita) = spawn_for("rita", Role::Reader).await;
    for words in [16_000, 32_000] {
        let query = vec!["a"; words].join("+");
        for path in ["/documents?q=", "/assessments?q=", "/search?q=", "/entities?q=", "/graph?search=", "/api/v1/search?q="] {
            let answer = rita.get(&format!("{path}{query}")).await;
            let text = answer.text();
            assert!(answer.status == 200 && !text.contains(&"a ".repeat(151)), "{path}: {words} words");
        }
    }
}

#[tokio::test]
async fn a_person_has_so_many_requests_at_work() {
    let app = spawn_with(|config| {
        config.server.requests.per_person = 2;
        config.server.requests.wait_ms = 10;
        config.server.uploads.per_person = 2;
    })
    .await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let mut bea = app.signed_in("bea", Role::Analyst).await;
    // An upload that meets a page at work is refused: another one takes its place.
    let mut slow = vec![];
    let is_refused = async || {
        slow.push(begin_upload(&app, &ada).await);
        ada.get("/").await.status == 429
    };
    assert!(eventually(is_refused).await);
    let refused = ada.get("/documents").await;
    assert!(refused.status == 429 && refused.text().contains("Too many of your requests"), "{}", refused.text());
    assert_eq!(ada.get("/api/v1/search?q=x").await.json()["error"]["code"], "too_many_requests");
    assert_eq!(bea.get("/").await.status, 200, "others go on");
    drop(slow);
    assert!(eventually(async || ada.get("/").await.status == 200).await);
}

#[tokio::test]
async fn the_text_of_a_form_is_limited_in_all() {
    let (_app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let large = "/investigations/new?error=upload_large";
    let half = "a".repeat(40_000);
    let one = [("question", "Who?"), ("collection", &*half)];
    assert!(!ada.ask_with(&one, &[]).await.location().starts_with(large));
    let two = [("question", "Who?"), ("collection", &*half), ("folder", &*half)];
    assert!(ada.ask_with(&two, &[]).await.location().starts_with(large));
    let id = "01a20400-0000-7000-8000-000000000000";
    for (count, is_refused) in [(200, false), (201, true)] {
        let fields: Vec<_> = [("question", "Who?")].into_iter().chain(vec![("collection", id); count]).collect();
        let location = ada.ask_with(&fields, &[]).await.location().to_owned();
        assert!(location.starts_with(large) == is_refused && location.len() < 200, "{count}: {location}");
    }
}

#[tokio::test]
async fn annotations_are_limited_and_an_administrator_removes_those_of_a_person() {
    let app = spawn_with(|config| {
        config.engine.annotations.per_person = 2;
        config.engine.annotations.per_subject = 3;
        config.engine.annotations.tags = 2;
    })
    .await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let mut rita = app.signed_in("rita", Role::Reader).await;
    let mut root = app.signed_in("root", Role::Admin).await;
    let (id, report, _) = answered(&app, &mut ada).await;
    let open = [("visibility", "workspace"), ("quotes", "agreed")];
    ada.post(&format!("/investigations/{id}/visibility"), &open).await;
    let note = async |browser: &mut Browser| {
        let answer = browser.post(&format!("{report}/notes"), &[("note", "spam")]).await;
        answer.location().contains("too_many_annotations")
    };
    assert_eq!([note(&mut rita).await, note(&mut rita).await, note(&mut rita).await], [false, false, true]);
    assert_eq!([note(&mut ada).await, note(&mut ada).await], [false, true], "as many as all may");
    let tag = async |browser: &mut Browser, act: &str, text: &str| {
        browser.post(&format!("{report}/{act}"), &[("tag", text)]).await.location().to_owned()
    };
    tag(&mut ada, "tag", "harbour").await;
    tag(&mut rita, "tag", "bad").await;
    assert!(tag(&mut rita, "tag", "more").await.contains("too_many_annotations"));
    assert!(tag(&mut rita, "untag", "harbour").await.contains("not_found"), "that of another");
    assert!(!rita.get(&report).await.text().contains("Remove the tag harbour"));
    assert!(ada.get(&report).await.text().contains("Remove the tag bad"), "the owner may");

    let ritas = app.program.engine.accounts.user_by_name("rita").await.unwrap().unwrap().0.id.to_string();
    let all = format!("{report}/notes/remove-all");
    assert!(ada.post(&all, &[("person", &ritas)]).await.location().contains("not_allowed"));
    assert_eq!(root.post(&all, &[("person", &ritas)]).await.location(), format!("{report}#notes"));
    let page = root.get(&report).await.text();
    assert_eq!((page.matches("spam").count(), page.contains(">bad<")), (1, false), "{page}");
    assert_eq!(objects(&app, "write_note").await.len(), 3);
    assert_eq!(objects(&app, "remove_notes").await.len(), 1);
}

#[tokio::test]
async fn a_report_shows_twenty_notes_at_once() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let (_, report, document) = answered(&app, &mut ada).await;
    for page in [report, document] {
        for n in 0..21 {
            ada.post(&format!("{page}/notes"), &[("note", &format!("note-{n}-"))]).await;
        }
        let newest = ada.get(&page).await.text();
        assert!(newest.contains("note-20-") && !newest.contains("note-0-") && newest.contains("Earlier notes"), "{newest}");
        let older = ada.get(&format!("{page}?notes=2")).await.text();
        assert!(older.contains("note-0-") && !older.contains("note-20-") && older.contains("Later notes"), "{older}");
    }
}

#[tokio::test]
async fn the_audit_log_has_what_changed_and_no_more() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut mallory = app.signed_in("mallory", Role::Analyst).await;
    let (foreign, _, _) = answered(&app, &mut ada).await;
    let (own, _, _) = answered(&app, &mut mallory).await;
    for act in ["archive", "unarchive", "delete"] {
        let answer = mallory.post(&format!("/investigations/{act}"), &[("id", &own), ("id", &foreign)]).await;
        assert!(!answer.location().contains("error") && !answer.location().contains(&foreign), "{}", answer.location());
        assert_eq!(objects(&app, &format!("{act}_investigation")).await, [own.as_str()]);
    }
    let many = vec![("id", foreign.as_str()); 1_000];
    let refused = mallory.post("/investigations/archive", &many).await;
    assert_eq!(refused.location(), "/assessments?error=too_many_chosen");
}

#[tokio::test]
async fn exports_and_reads_of_documents_are_in_the_audit_log() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let (_, report, document) = answered(&app, &mut ada).await;
    let id = document.rsplit('/').next().unwrap();
    for (path, act) in [
        (format!("{document}/text"), "export_document_text"),
        (format!("{document}/original"), "export_document_original"),
        (format!("/api/v1{document}"), "read_document"),
        (format!("/api/v1{report}"), "read_assessment"),
        ("/graph/export.csv?q=x".to_owned(), "export_graph"),
        ("/graph/export.graphml".to_owned(), "export_graph"),
    ] {
        let before = objects(&app, act).await.len();
        let answer = ada.get(&path).await;
        assert_eq!((answer.status, answer.header("cache-control")), (200, Some("private, no-store")), "{path}");
        assert_eq!(objects(&app, act).await.len(), before + 1, "{path}");
    }
    assert_eq!(objects(&app, "read_document").await, [id]);
    assert_eq!(ada.get("/graph/picture.json?q=x").await.status, 200);
    assert_eq!(objects(&app, "export_graph").await, ["graphml ", "csv q=x"], "a picture is no export");
}

#[tokio::test]
async fn analysts_share_views_and_administrators_remove_them() {
    let (app, mut rita) = spawn_for("rita", Role::Reader).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let mut root = app.signed_in("root", Role::Admin).await;
    let view = |name| [("page", "graph"), ("name", name), ("query", "q=x"), ("shared", "1"), ("notes", "Go to evil.example")];
    rita.post("/views", &view("of rita")).await;
    ada.post("/views", &view("of ada")).await;
    let page = root.get("/graph").await.text();
    assert!(!page.contains("of rita") && page.contains("of ada"), "{page}");
    assert!(page.contains("<details><summary>Notes"), "folded: {page}");
    let id = page.split("name=\"id\" value=\"").nth(1).and_then(|rest| rest.get(..36)).unwrap().to_owned();
    let remove = [("page", "graph"), ("id", &*id)];
    assert_eq!(rita.post("/views/remove", &remove).await.location(), "/graph?error=not_found");
    assert_eq!(root.post("/views/remove", &remove).await.location(), "/graph");
    assert!(!ada.get("/graph").await.text().contains("of ada"));
    assert_eq!(objects(&app, "remove_shared_view").await, [id]);
}
