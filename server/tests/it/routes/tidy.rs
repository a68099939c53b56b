//! Tests of continuing, archiving and deleting investigations, and of documents that are archived, deleted, tagged and noted.

use super::ask_and_wait;
use crate::prelude::*;
use domain::document::RejectedFile;
use engine::accounts;

const REPORT: [(&str, &str); 1] =
    [("one.txt", "PORT HALEN, March 3, 2031 -- Police said that the Red Tide group set fire to the grain store.")];

/// Asks a question, waits until it is answered, and returns the id of the investigation and the address of the assessment.
async fn answer_question(app: &App, browser: &mut Browser) -> (String, String) {
    let (id, _) = ask_and_wait(app, browser, &[("question", "Who set fire to the grain store?")], &REPORT).await;
    let list = browser.get("/assessments").await.text();
    let assessment = list.split("href=\"/assessments/").find_map(|rest| rest.get(..36).filter(|id| !id.contains('"'))).unwrap();
    (id.to_string(), format!("/assessments/{assessment}"))
}

#[tokio::test]
async fn a_question_is_continued_and_its_versions_are_compared() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let (first, assessment) = answer_question(&app, &mut ada).await;
    let form = ada.get(&format!("/investigations/new?follows={first}&kind=rerun&draft=Who")).await.text();
    assert!(form.contains("This is the next version of") && form.contains(&first), "{form}");
    let ask = async |browser: &mut Browser, question: &str, kind: &str| {
        ask_and_wait(&app, browser, &[("question", question), ("follows", &first), ("kind", kind)], &REPORT).await.0
    };
    let again = ask(&mut ada, "Who set fire to the grain store?", "rerun").await;
    ask(&mut ada, "Who owns the grain store?", "follow_up").await;
    let report = ada.get(&assessment).await.text();
    assert!(
        report.contains("v1 of 2") && report.contains("v2 of 2") && report.contains("Who owns the grain store?"),
        "{report}"
    );
    let compare =
        report.split("href=\"").find_map(|rest| rest.split('"').next().filter(|href| href.contains("/compare?with=")));
    let compared = ada.get(&compare.expect("a link to the comparison").replace("&amp;", "&")).await;
    assert_eq!(compared.status, 200);
    assert!(compared.text().contains("Earlier") && compared.text().contains("the same"), "{}", compared.text());
    let history = ada.get(&format!("{assessment}/history")).await.text();
    assert!(history.contains("id=\"v2\"") && history.contains("/compare?with="), "{history}");
    let watched = ada.post("/watching/objects", &[("kind", "question"), ("object", &*first)]).await;
    assert!(watched.location().ends_with("/history"), "{}", watched.location());
    assert!(ada.get("/watching").await.text().contains("Who set fire to the grain store?"));

    // Others neither see the thread nor join it.
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let other = ask(&mut bob, "Who set fire to the grain store?", "rerun").await;
    assert!(!ada.get(&assessment).await.text().contains(&other.to_string()));
    assert!(!ada.get(&assessment).await.text().contains("v3 of"));
    assert_eq!(bob.get(compare.unwrap()).await.status, 404);
    assert_ne!(again, other);
}

#[tokio::test]
async fn only_an_owner_archives_and_deletes() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let (id, assessment) = answer_question(&app, &mut ada).await;
    let form = [("id", id.as_str())];
    assert_eq!(bob.post("/investigations/archive", &form).await.location(), "/assessments?error=not_found");
    assert_eq!(bob.post("/investigations/delete", &form).await.location(), "/assessments?error=not_found");
    assert!(bob.get(&format!("/investigations/delete?id={id}")).await.text().contains("Nothing to delete"));
    assert_eq!(ada.post("/investigations/archive", &[]).await.location(), "/assessments?error=nothing_chosen");

    let done = ada.post("/investigations/archive", &form).await.location().to_owned();
    assert_eq!(done, format!("/assessments?undo={id}"));
    let list = ada.get(&done).await.text();
    assert!(list.contains("Undo") && !list.contains(&assessment), "{list}");
    assert!(!ada.get("/").await.text().contains(&assessment));
    assert!(!ada.get("/search?q=grain").await.text().contains(&assessment));
    assert!(ada.get("/assessments?view=archived").await.text().contains(&assessment));
    assert!(ada.get(&assessment).await.text().contains("Unarchive"));
    assert_eq!(ada.post("/investigations/unarchive", &form).await.location(), format!("/assessments?view=archived&undo={id}"));
    assert!(ada.get("/assessments").await.text().contains(&assessment));

    let preview = ada.get(&format!("/investigations/delete?id={id}")).await.text();
    assert!(preview.contains("1 assessment") && preview.contains("Documents and their claims"), "{preview}");
    assert_eq!(ada.post("/investigations/delete", &form).await.location(), "/assessments");
    assert_eq!(ada.get(&assessment).await.status, 404);
    assert_eq!(ada.get(&format!("/investigations/{id}")).await.status, 404);
    assert!(ada.get("/documents").await.text().contains("one.txt"), "documents stay");
    let acts: Vec<_> = app.program.engine.accounts.audit_log(20).await.unwrap().into_iter().map(|entry| entry.act).collect();
    for act in ["archive_investigation", "unarchive_investigation", "delete_investigation"] {
        assert!(acts.iter().any(|found| found == act), "{acts:?}");
    }
}

#[tokio::test]
async fn an_owner_deletes_documents_after_a_preview_and_reports_keep_their_quotes() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut bob = app.signed_in("bob", Role::Admin).await;
    let (_, assessment) = answer_question(&app, &mut ada).await;
    let cited = ada.get(&format!("/api/v1{assessment}")).await.json();
    let quote = cited["citations"][0]["quote"].as_str().unwrap().to_owned();
    let document = cited_document(&mut ada, &assessment).await;
    let (page, form) = (format!("/documents/{document}"), [("id", document.as_str())]);
    let preview = format!("/documents/delete?id={document}");
    assert!(ada.get(&page).await.text().contains(&preview));
    assert!(ada.get("/documents").await.text().contains("name=\"id\""));

    // Only its owner deletes it or sees the preview, and only a choice deletes anything.
    assert!(bob.get(&preview).await.text().contains("Nothing to delete"));
    assert_eq!(bob.post("/documents/delete", &form).await.location(), "/documents?error=not_found");
    assert_eq!(ada.post("/documents/delete", &[]).await.location(), "/documents?error=nothing_chosen");
    let text = ada.get(&preview).await.text();
    assert!(
        text.contains("Delete 1 document?") && text.contains("1 capture with text") && text.contains(&assessment),
        "{text}"
    );
    assert!(!text.contains("<li>0 claims"), "{text}");

    assert_eq!(ada.post("/documents/delete", &form).await.location(), "/documents?deleted=1");
    assert!(ada.get("/documents?deleted=1").await.text().contains("1 document deleted."));
    for path in [page.clone(), format!("{page}/text"), format!("{page}/original"), format!("/api/v1/documents/{document}")] {
        assert_eq!(ada.get(&path).await.status, 404, "{path}");
    }
    assert_eq!(ada.post("/documents/delete", &form).await.location(), "/documents?error=not_found");
    let report = ada.get(&format!("/api/v1{assessment}")).await.json();
    assert_eq!(report["citations"][0]["quote"].as_str(), Some(quote.as_str()), "the report keeps its quote");
    for tab in [assessment.clone(), format!("{assessment}/evidence")] {
        let html = ada.get(&tab).await.text();
        assert!(!html.contains(&format!("href=\"{page}")), "{tab} leads to what is gone");
    }
    let scope = app.program.engine.accounts.collections().await.unwrap().into_iter().map(|found| found.id).collect();
    assert_eq!(app.program.engine.graph.counts(&domain::Scope::new(scope)).await.unwrap(), (0, 0, 0));
    let acts: Vec<_> = app.program.engine.accounts.audit_log(20).await.unwrap().into_iter().map(|entry| entry.act).collect();
    assert!(acts.iter().any(|act| act == "delete_document"), "{acts:?}");
}

#[tokio::test]
async fn files_are_added_to_the_library_without_a_question() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut rea = app.signed_in("rea", Role::Reader).await;
    let text: &[u8] = b"The ferry of Orsk stopped on Monday, the harbour master said.";
    let add = async |browser: &mut Browser, name: &str, bytes: &[u8]| {
        browser.upload("/documents/add", "files", name, bytes).await.location().to_owned()
    };
    assert_eq!(add(&mut rea, "log.txt", text).await, "/documents?error=not_allowed");
    let added = add(&mut ada, "log.txt", text).await;
    assert_eq!(added, "/documents?added=1");
    let list = ada.get(&added).await.text();
    assert!(list.contains("1 document added.") && list.contains("action=\"/documents/add\""), "{list}");
    assert_eq!(add(&mut ada, "log.txt", text).await, "/documents?added=0");
    assert!(ada.get("/documents?added=0").await.text().contains("in the library already"));
    let refused = add(&mut ada, "scan.pdf", &b"%PDF-1.7\nthis is where it broke off"[..]).await;
    assert_eq!(refused, "/documents?error=nothing_readable&tab=rejected");
    assert!(ada.get(&refused).await.text().contains("scan.pdf"));
    let dismiss = "/documents/rejected/dismiss";
    assert_eq!(rea.post(dismiss, &[]).await.location(), "/documents?error=not_allowed");
    app.signed_in("eve", Role::Analyst).await.post(dismiss, &[]).await;
    assert!(ada.get(&refused).await.text().contains("scan.pdf"), "somebody else's");
    assert_eq!(ada.post(dismiss, &[]).await.location(), "/documents?tab=rejected");
    let left = ada.get("/documents?tab=rejected").await.text();
    assert!(left.contains("No file was rejected.") && !left.contains("scan.pdf"), "{left}");

    let engine = &app.program.engine;
    let system = accounts::system_user(engine).await.unwrap();
    let shared = accounts::upload_collection(engine, &system).await.unwrap().id;
    let file = RejectedFile { path: "gate.pdf".into(), reason: "It is encrypted.".into() };
    engine.documents.add_rejected(shared, None, &[file]).await.unwrap();
    let others = ada.get("/documents?tab=rejected").await.text();
    assert!(others.contains("gate.pdf") && !others.contains(dismiss), "none is in her collections: {others}");
    ada.post(dismiss, &[]).await;
    let log = engine.accounts.audit_log(20).await.unwrap();
    assert_eq!(log.iter().filter(|entry| entry.act == "dismiss_rejected_files").count(), 1, "{log:?}");
    assert!(!rea.get("/documents").await.text().contains("/documents/add"));
}

/// Returns the id of a document that an assessment cites.
async fn cited_document(browser: &mut Browser, assessment: &str) -> String {
    let cited = browser.get(&format!("/api/v1{assessment}")).await.json();
    cited["citations"][0]["document_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_archived_document_leaves_lists_search_and_later_questions() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut bob = app.signed_in("bob", Role::Admin).await;
    let (_, assessment) = answer_question(&app, &mut ada).await;
    let document = cited_document(&mut ada, &assessment).await;
    let (page, form) = (format!("/documents/{document}"), [("id", document.as_str())]);
    let link = format!("href=\"{page}\"");
    assert_eq!(bob.post("/documents/archive", &form).await.location(), "/documents?error=not_found");
    assert_eq!(ada.post("/documents/archive", &[]).await.location(), "/documents?error=nothing_chosen");
    let many = vec![("id", document.as_str()); 51];
    assert_eq!(ada.post("/documents/archive", &many).await.location(), "/documents?error=too_many_chosen");
    assert_eq!(ada.post("/documents/unarchive", &form).await.location(), "/documents?error=not_found");

    let done = ada.post("/documents/archive", &form).await.location().to_owned();
    assert_eq!(done, format!("/documents?undo={document}"));
    let list = ada.get(&done).await.text();
    assert!(list.contains("Undo") && list.contains("/documents/unarchive") && !list.contains(&link), "{list}");
    let found = ada.get("/api/v1/search?words_only=true&q=grain").await.text();
    assert!(!found.contains(&page) && found.contains("\"claims\""), "its claims are found, it is not: {found}");
    let archived = ada.get("/documents?view=archived").await.text();
    assert!(archived.contains(&link) && archived.contains("Unarchive selected"), "{archived}");
    assert!(ada.get(&page).await.text().contains("not read for new questions"));
    assert!(ada.get(&format!("{assessment}/evidence")).await.text().contains(&format!("href=\"{page}?quote=")));
    let offline = [("question", "Who owns the grain store?"), ("web", "off")];
    let refused = ada.ask_with(&offline, &[]).await.location().to_owned();
    assert!(refused.contains("error=no"), "nothing is left to read: {refused}");

    let undone = ada.post("/documents/unarchive", &form).await.location().to_owned();
    assert_eq!(undone, format!("/documents?view=archived&undo={document}"));
    assert!(ada.get(&undone).await.text().contains("action=\"/documents/archive\""));
    assert!(ada.get("/documents").await.text().contains(&link));
    let filtered = [("id", document.as_str()), ("filter", "q=grain%20store&sample=hidden")];
    let done = ada.post("/documents/archive", &filtered).await.location().to_owned();
    assert_eq!(done, format!("/documents?q=grain%20store&sample=hidden&undo={document}"));
    let list = ada.get(&done).await.text();
    assert!(list.contains("name=\"filter\" value=\"q=grain%20store&amp;sample=hidden\""), "{list}");
    let refused = ada.post("/documents/archive", &filtered[1..]).await.location().to_owned();
    assert_eq!(refused, "/documents?error=nothing_chosen&q=grain%20store&sample=hidden");
    ada.post("/documents/unarchive", &form).await;
    // Given again with a question, it is read again.
    ada.post("/documents/archive", &form).await;
    answer_question(&app, &mut ada).await;
    assert!(ada.get("/documents").await.text().contains(&link));
    let acts = app.acts().await;
    for act in ["archive_document", "unarchive_document"] {
        assert!(acts.iter().any(|found| found == act), "{acts:?}");
    }
}

#[tokio::test]
async fn a_document_is_tagged_and_noted_by_its_readers() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let (_, assessment) = answer_question(&app, &mut ada).await;
    let page = format!("/documents/{}", cited_document(&mut ada, &assessment).await);
    let at = |act: &str| format!("{page}/{act}");
    let notes = format!("{page}#notes");
    assert_eq!(ada.post(&at("tag"), &[("tag", "Grain Store")]).await.location(), notes);
    assert_eq!(ada.post(&at("notes"), &[("note", "ask the <police>")]).await.location(), notes);
    let refused = ada.post(&at("tag"), &[("tag", "a,b")]).await.location().to_owned();
    assert_eq!(refused, format!("{page}?error=bad_tag&kept=1"));
    let again = ada.get(&refused).await.text();
    assert!(again.contains("A tag has 1 to 40 characters") && again.contains("value=\"a,b\""), "{again}");
    // A note is given back whole, however long it is.
    let long = "the gate ".repeat(1_000);
    let refused = ada.post(&at("notes"), &[("note", &long)]).await.location().to_owned();
    assert_eq!(refused, format!("{page}?error=bad_note&kept=1"));
    assert!(ada.get(&refused).await.text().contains(&long), "{refused}");
    let html = ada.get(&page).await.text();
    assert!(html.contains("/documents?tag=grain%20store") && html.contains("ask the &lt;police&gt;"), "{html}");
    let link = format!("href=\"{page}\"");
    let tagged = ada.get("/documents?tag=grain%20store").await.text();
    assert!(tagged.contains(&link) && tagged.contains("class=\"tag\""), "{tagged}");
    assert!(!ada.get("/documents?tag=harbour").await.text().contains(&link));

    let note = html.split("name=\"note\" value=\"").nth(1).and_then(|rest| rest.get(..36)).unwrap().to_owned();
    assert_eq!(ada.post(&at("notes/remove"), &[("note", &note)]).await.location(), notes);
    assert_eq!(ada.post(&at("notes/remove"), &[("note", &note)]).await.location(), "/documents?error=not_found");
    assert_eq!(ada.post(&at("untag"), &[("tag", "grain store")]).await.location(), notes);
    assert!(!ada.get(&page).await.text().contains("class=\"tag\""));

    let (tag, on_evidence) = (format!("{assessment}/tag"), ("tab", "evidence"));
    let evidence = format!("{assessment}/evidence");
    assert_eq!(ada.post(&tag, &[("tag", "ours"), on_evidence]).await.location(), format!("{evidence}#notes"));
    let refused = ada.post(&tag, &[("tag", "a,b"), on_evidence]).await.location().to_owned();
    assert_eq!(refused, format!("{evidence}?error=bad_tag&kept=1"));
    let again = ada.get(&refused).await.text();
    assert!(again.contains("value=\"a,b\"") && again.contains("name=\"tab\" value=\"evidence\""), "{again}");
    assert_eq!(ada.post(&tag, &[("tag", "more"), ("tab", "//evil")]).await.location(), format!("{assessment}#notes"));
}

#[tokio::test]
async fn the_list_is_filtered_by_state_kind_collection_and_date() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let (_, assessment) = answer_question(&app, &mut ada).await;
    let owner = app.program.engine.accounts.user_by_name("ada").await.unwrap().unwrap().0.id;
    let collections = app.program.engine.accounts.collections_of(owner).await.unwrap();
    let uploads = collections.iter().find(|found| found.name == "Uploads").unwrap().id;
    let listed = async |browser: &mut Browser, query: &str| {
        browser.get(&format!("/assessments?{query}")).await.text().contains(&format!("href=\"{assessment}\""))
    };
    for query in ["state=quotes", "kind=evidence_brief", "from=2000", &format!("collection={uploads}&kind=evidence_brief")] {
        assert!(listed(&mut ada, query).await, "{query}");
    }
    for query in ["state=answered", "kind=assessment", "state=quotes&kind=assessment", "until=2000", "watching=me"] {
        assert!(!listed(&mut ada, query).await, "{query}");
    }
    assert!(!listed(&mut ada, &format!("collection={owner}")).await, "of a collection that is none");
    assert!(ada.get("/").await.text().contains("/?state=contested#assessments"));
}
