//! Tests of `/investigations`: upload, live events, assessment, privacy.

use crate::prelude::*;
use domain::investigation::Depth;

const REPORTS: [(&str, &str); 3] = [CAUSE_REPORT, POLICE_REPORT, DENIAL_REPORT];

/// Uploads, asks, and waits for the end; returns the address of the investigation.
async fn investigate(browser: &mut Browser) -> String {
    let address = browser.ask(QUESTION, &REPORTS).await.location().to_owned();
    assert!(address.starts_with("/investigations/0"), "{address}");
    browser.get(&format!("/api/v1{address}/events")).await;
    address
}

#[tokio::test]
async fn a_follow_up_question_of_any_length_comes_into_the_question_form() {
    let (_app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let address = investigate(&mut ada).await;
    let id = address.trim_start_matches("/investigations/");
    let question = "火".repeat(10_000);
    let form = [("follows", id), ("kind", "follow_up"), ("draft", question.as_str())];
    let location = ada.post("/investigations/draft", &form).await.location().to_owned();
    assert!(
        location.starts_with(&format!("/investigations/new?follows={id}&kind=")) && location.ends_with("&kept=1"),
        "{location}"
    );
    assert!(ada.get(&location).await.text().contains(&question));
}

#[tokio::test]
async fn a_follow_up_starts_at_once_with_the_choices_of_the_question_before() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let fields = [("question", QUESTION), ("depth", "quick"), ("web", "off")];
    let before = ada.ask_with(&fields, &REPORTS).await.location().to_owned();
    ada.get(&format!("/api/v1{before}/events")).await;
    let id = before.trim_start_matches("/investigations/");
    let follow = async |ada: &mut Browser, question: &str| {
        let form = [("follows", id), ("question", question)];
        ada.post("/investigations/follow-up", &form).await.location().to_owned()
    };
    let refused = follow(&mut ada, " ").await;
    assert!(refused.starts_with("/investigations/new?") && refused.contains("error="), "{refused}");
    let next = follow(&mut ada, "Who owns the grain store?").await;
    assert!(next.starts_with("/investigations/0") && next != before, "{next}");
    ada.get(&format!("/api/v1{next}/events")).await;
    let id_of = |address: &str| address.trim_start_matches("/investigations/").parse().unwrap();
    let stored = async |address: &str| app.program.engine.investigations.investigation(id_of(address)).await.unwrap().unwrap();
    let (first, second) = (stored(&before).await, stored(&next).await);
    assert_eq!((second.terms, second.web), (first.terms, first.web));
    assert_eq!((second.terms.depth, second.web), (Depth::Quick, WebAccess::Off));
}

#[tokio::test]
async fn an_upload_becomes_a_cited_assessment() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let address = investigate(&mut ada).await;
    let line = ada.get(&format!("/api/v1{address}")).await.json();
    assert_eq!(line["status"], "completed", "{line}");
    let id = line["assessment_id"].as_str().unwrap();
    let assessment = ada.get(&format!("/api/v1/assessments/{id}")).await.json();
    assert_eq!(assessment["schema"], "autosint.assessment.v1");
    let citations = assessment["citations"].as_array().unwrap();
    assert!(!citations.is_empty(), "{assessment:#}");
    for citation in citations {
        let document = citation["document_id"].as_str().unwrap();
        let document = ada.get(&format!("/api/v1/documents/{document}")).await.json();
        let (start, end) = (citation["span"]["start"].as_u64().unwrap(), citation["span"]["end"].as_u64().unwrap());
        assert_eq!(&document["text"].as_str().unwrap()[start as usize..end as usize], citation["quote"].as_str().unwrap());
    }
    let page = ada.get(&format!("/assessments/{id}")).await;
    assert_eq!(page.status, 200);
    let export = ada.get(&format!("/assessments/{id}/export.json")).await;
    assert_eq!(export.json(), assessment);
    assert!(export.header("content-disposition").unwrap().starts_with("attachment; filename=\"assessment-"));
    assert!(ada.get(&format!("/assessments/{id}/export.md")).await.text().starts_with("# "));
    let acts: Vec<String> = app.acts().await.into_iter().filter(|act| !act.starts_with("read_")).collect();
    assert_eq!(acts[2..], ["launch_investigation", "export_assessment", "export_assessment"]);
}

#[tokio::test]
async fn a_folder_of_the_server_is_read_by_its_name_and_no_further() {
    let folder = tempfile::tempdir().unwrap();
    let (root, outside) = (folder.path().join("archive"), folder.path().join("secret.txt"));
    fs::create_dir(&root).unwrap();
    for (name, text) in REPORTS {
        fs::write(root.join(name), text).unwrap();
    }
    fs::write(&outside, "The vault of Port Halen opens with a key that nobody else may see.").unwrap();
    std::os::unix::fs::symlink(&outside, root.join("link.txt")).unwrap();
    let app = spawn_with(|config| config.documents.roots = [("Press archive".to_owned(), root.clone())].into()).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    assert!(ada.get("/investigations/new").await.text().contains("value=\"Press archive\""));
    for path in [root.to_str().unwrap(), "Press archive/..", "press archive"] {
        let refused = ada.ask_about_folder(QUESTION, path).await;
        assert!(refused.location().starts_with("/investigations/new?error=not_found"), "{path}");
    }
    let address = ada.ask_about_folder(QUESTION, "Press archive").await.location().to_owned();
    ada.get(&format!("/api/v1{address}/events")).await;
    let library = ada.get("/documents").await.text();
    assert!(library.contains("one.txt") && library.contains("three.txt") && !library.contains("secret.txt"), "{library}");
    assert!(ada.get(&address).await.text().contains("link to outside the folder"));
    assert!(app.acts().await.contains(&"read_folder".to_owned()));
}

#[tokio::test]
async fn private_files_keep_a_question_off_the_web_and_its_page_says_so() {
    let (_app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let form = ada.get("/investigations/new").await.text();
    assert!(form.contains("id=\"web\"") && !form.contains("You have private files"), "{form}");
    for (web, expected) in [("", "off"), ("on", "on"), ("off", "off"), ("nonsense", "off")] {
        let address = ada.ask_with(&[("question", QUESTION), ("web", web)], &REPORTS).await.location().to_owned();
        assert_eq!(ada.get(&format!("/api/v1{address}")).await.json()["web"], expected, "{web}");
        assert_eq!(ada.get(&address).await.text().contains("Stays off the web"), expected == "off", "{web}");
    }
    assert!(ada.get("/investigations/new").await.text().contains("You have private files"));
    let refused = ada.ask_with(&[("question", ""), ("web", "off")], &[]).await.location().to_owned();
    assert_eq!(refused, "/investigations/new?error=question_empty&kept=1&web=off", "a refused form keeps the choice");
    assert!(ada.get(&refused).await.text().contains("<option value=\"off\" selected"));
}

#[tokio::test]
async fn a_server_without_the_web_opens_no_address_and_says_so() {
    let app = crate::app::spawn_with(|config| config.engine.web.enabled = false).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let form = boss.get("/investigations/new").await.text();
    assert!(form.contains("The web is switched off on this server") && !form.contains("id=\"web\""), "{form}");
    let fields = [("question", QUESTION), ("addresses", "https://example.org/report"), ("web", "on")];
    let address = boss.ask_with(&fields, &REPORTS).await.location().to_owned();
    let page = boss.get(&address).await.text();
    assert!(page.contains("Stays off the web") && page.contains("Web access is switched off"), "{page}");
    assert!(boss.get("/sources").await.text().contains("the web is switched off"));
}

#[tokio::test]
async fn a_lost_connection_goes_on_after_the_last_event_seen() {
    let (_app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let address = investigate(&mut ada).await;
    let all = ada.get(&format!("/api/v1{address}/events")).await;
    assert_eq!(all.header("content-type"), Some("text/event-stream"));
    let all = all.events();
    let numbers: Vec<u64> = all.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=all.len() as u64).collect::<Vec<_>>());
    assert!(all.iter().all(|(number, event)| event["sequence"] == *number));
    assert_eq!(all.last().unwrap().1["kind"]["status"], "completed");

    ada.headers = vec![("Last-Event-ID", "2".to_owned())];
    let rest = ada.get(&format!("/api/v1{address}/events?after=1")).await.events();
    assert_eq!(rest, all[2..]);
}

#[tokio::test]
async fn refused_investigations_have_a_reason() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    assert_eq!(ada.ask("", &REPORTS).await.location(), "/investigations/new?error=question_empty&kept=1");
    let question = "why ".repeat(2_600);
    let long = ada.ask(&question, &REPORTS).await;
    assert_eq!(long.location(), "/investigations/new?error=question_long&kept=1");
    assert!(ada.get(long.location()).await.text().contains(question.trim()), "it is given back whole");
    assert!(!app.signed_in("bea", Role::Analyst).await.get(long.location()).await.text().contains("why why"));
    assert_eq!(ada.ask("Who?", &[]).await.location(), "/investigations/new?error=no_documents&kept=1");
    let empty = ada.ask("Who?", &[("empty.txt", ""), ("broken.pdf", "%PDF-1.4\nthis is no PDF")]).await.location().to_owned();
    assert!(empty.starts_with("/investigations/new?error=nothing_readable&kept=1&unread="), "{empty}");
    let page = ada.get(&empty).await.text();
    for text in ["None of those files and pages could be read", "empty.txt", "broken.pdf", "Who?"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert_eq!(page.matches("<li><code>").count(), 2, "each file with its reason: {page}");
    let urlencoded = ada.post("/investigations", &[("question", QUESTION)]).await;
    assert_eq!(urlencoded.status, 415);
    assert!(urlencoded.text().contains("That form could not be read"), "{}", urlencoded.text());
    let mut eve = app.signed_in("eve", Role::Analyst).await;
    assert!(!eve.get(&empty).await.text().contains("broken.pdf"));
    let mut reader = app.signed_in("rea", Role::Reader).await;
    assert_eq!(reader.ask(QUESTION, &REPORTS).await.location(), "/?error=not_allowed");
    assert!(app.browser().ask(QUESTION, &REPORTS).await.location().starts_with("/sign-in"));
}

#[tokio::test]
async fn a_question_for_which_a_cap_leaves_nothing_is_not_asked() {
    let (app, mut boss) = spawn_for("boss", Role::Admin).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let id = app.program.engine.accounts.user_by_name("ada").await.unwrap().unwrap().0.id.to_string();
    assert_eq!(
        boss.post("/settings/caps", &[("user", id.as_str()), ("tokens", "0"), ("money", "")]).await.location(),
        "/settings"
    );
    let refused = ada.ask(QUESTION, &REPORTS).await.location().to_owned();
    assert!(refused.starts_with("/investigations/new?error=over_budget&kept=1"), "{refused}");
    let page = ada.get(&refused).await.text();
    let why = "this user&#x27;s daily budget is used up: 0 of 0 tokens spent or reserved; raise budget.user.tokens";
    assert!(page.contains("the question was not started") && page.replace("'", "&#x27;").contains(why), "{page}");
    assert!(boss.ask(QUESTION, &REPORTS).await.location().starts_with("/investigations/0"), "nobody else is kept from it");
    let listed =
        app.program.engine.investigations.list(&InvestigationFilter { limit: 10, ..Default::default() }).await.unwrap();
    assert_eq!(listed.len(), 1);
}

#[tokio::test]
async fn each_investigation_lists_its_own_unreadable_files_by_page() {
    let app = crate::app::spawn_with(|config| config.engine.pages.rejected_per_page = 2).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let bad = ["a.pdf", "b.pdf", "c.pdf"].map(|name| (name, "%PDF-1.4\nthis is no PDF"));
    let first = ada.ask(QUESTION, &[&REPORTS[..1], &bad].concat()).await.location().to_owned();
    let second = ada.ask(QUESTION, &[&REPORTS[1..], &bad[..1]].concat()).await.location().to_owned();
    let page = ada.get(&first).await.text();
    assert!(page.contains("a.pdf") && page.contains("b.pdf") && !page.contains("c.pdf") && page.contains("3 files"), "{page}");
    assert!(ada.get(&format!("{first}?rejected=2")).await.text().contains("c.pdf"));
    let page = ada.get(&second).await.text();
    assert!(page.contains("a.pdf") && !page.contains("b.pdf"), "{page}");
    let library = ada.get("/documents?tab=rejected&rejected=2").await.text();
    assert!(library.contains("c.pdf") && !library.contains("a.pdf"), "{library}");
    let library = ada.get("/documents").await.text();
    assert!(library.contains("?tab=rejected") && !library.contains("a.pdf"), "their tab leads to them: {library}");
}

#[tokio::test]
async fn the_library_keeps_to_the_filter_in_its_address() {
    let (_app, mut ada) = spawn_for("ada", Role::Analyst).await;
    ada.ask(QUESTION, &REPORTS).await;
    let path = REPORTS[0].0;
    assert!(ada.get("/documents").await.text().contains(path));
    for address in ["/documents?from=2999", "/documents?collection=01a20400-0000-7000-8000-000000000000"] {
        let page = ada.get(address).await.text();
        assert!(page.contains("No documents") && page.contains("Clear filters") && !page.contains(path), "{address}: {page}");
    }
}

#[tokio::test]
async fn an_upload_has_its_limit() {
    let app = crate::app::spawn_with(|config| config.server.uploads.max_bytes = 20_000).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let answer = ada.ask("Who?", &[("large.txt", &"word ".repeat(5_000))]).await;
    assert_eq!(answer.location(), "/investigations/new?error=upload_large&kept=1");
}
