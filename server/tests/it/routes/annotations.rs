//! Tests of excluding evidence, contesting ratings, watching indicators, notifications, saved views and PDF.

use super::ask_and_wait;
use crate::prelude::*;
use domain::{AssessmentId, assessment::Assessment};
use engine::assessments::StoredAssessment;

const REPORT: [(&str, &str); 1] =
    [("one.txt", "PORT HALEN, March 3, 2031 -- Police said that the Red Tide group set fire to the grain store.")];
const LOG: [(&str, &str); 1] =
    [("log.txt", "PORT HALEN, March 9, 2031 -- The harbour office publishes the gate log, its director Jonas Vael said.")];
const COMPLETE: &str = include_str!("../../../../domain/src/assessment/tests/complete.json");

/// Stores an assessment with probabilities that everybody may read, owned by `ada`; returns its address.
async fn assessed(app: &App, ada: &mut Browser) -> String {
    let (investigation, _) = ask_and_wait(app, ada, &[("question", "Who set fire to the grain store?")], &REPORT).await;
    let engine = &app.program.engine;
    let complete: Assessment = serde_json::from_str(COMPLETE).unwrap();
    let id = AssessmentId(engine.ids.next());
    let assessment = Assessment { id, investigation_id: investigation, ..complete };
    let created_at = engine.clock.now();
    let stored = StoredAssessment { assessment, collections: vec![], entity_ids: vec![], is_partial: true, created_at };
    engine.assessments.put(&stored).await.unwrap();
    format!("/assessments/{id}")
}

#[tokio::test]
async fn a_rating_is_contested_beside_the_original_and_withdrawn() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let report = assessed(&app, &mut ada).await;
    let form = ada.get(&format!("{report}/contest?item=J1")).await;
    assert!(form.text().contains("86\u{a0}%") && form.text().contains("Your likelihood"), "{}", form.text());
    for missing in ["J9", "c9", "x"] {
        assert_eq!(ada.get(&format!("{report}/contest?item={missing}")).await.status, 404, "{missing}");
    }
    let contest = format!("{report}/contest");
    let refused = ada
        .post(&contest, &[("item", "J1"), ("value", "most"), ("reason", "the log & </textarea><b>more")])
        .await
        .location()
        .to_owned();
    assert!(refused.contains("error=bad_rating"), "{refused}");
    let again = ada.get(&refused).await.text();
    assert!(
        again.contains("the log &amp; &lt;/textarea>&lt;b>more") && again.contains("value=\"most\""),
        "what was typed is kept: {again}"
    );
    let refused = ada.post(&contest, &[("item", "J1"), ("value", "35"), ("reason", " ")]).await.location().to_owned();
    assert!(refused.contains("error=reason_missing"), "{refused}");
    let done = ada.post(&contest, &[("item", "J1"), ("value", "35"), ("reason", "the log was <seen>")]).await;
    assert_eq!(done.location(), format!("{report}/analysis#j1"));
    let done = ada.post(&contest, &[("item", "c3"), ("value", "low"), ("reason", "one clerk")]).await;
    assert_eq!(done.location(), format!("{report}/evidence#c3"));
    let analysis = ada.get(&format!("{report}/analysis")).await.text();
    for text in ["says 35\u{a0}%</strong>", "the log was &lt;seen&gt;", "86\u{a0}%"] {
        assert!(analysis.contains(text), "{text}: {analysis}");
    }
    let evidence = ada.get(&format!("{report}/evidence")).await.text();
    assert!(evidence.contains("says low</strong>"), "{evidence}");
    let count = async |ada: &mut Browser| ada.get(&report).await.text().replace("<!>", "");
    assert!(count(&mut ada).await.contains("2 contested ratings"));
    let id = evidence.split("name=\"contest\" value=\"").nth(1).and_then(|rest| rest.get(..36)).unwrap().to_owned();
    let withdraw = format!("{report}/contest/withdraw");
    assert_eq!(ada.post(&withdraw, &[("contest", &id)]).await.location(), format!("{report}/analysis"));
    assert!(ada.post(&withdraw, &[("contest", &id)]).await.location().contains("not_found"));
    assert!(count(&mut ada).await.contains("1 contested rating"));
}

#[tokio::test]
async fn the_owner_excludes_evidence_and_sees_the_counts_without_it() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let report = assessed(&app, &mut ada).await;
    let preview = ada.get(&format!("{report}/contest?item=c1")).await.text();
    assert!(preview.contains("If you exclude it") && preview.contains("Exclude it"), "{preview}");
    let exclude = format!("{report}/exclude");
    let refused = ada.post(&exclude, &[("marker", "1"), ("reason", "")]).await.location().to_owned();
    assert!(refused.contains("error=reason_missing") && refused.contains("item=c1"), "{refused}");
    assert!(ada.post(&exclude, &[("marker", "99"), ("reason", "why")]).await.location().contains("not_found"));
    let done = ada.post(&exclude, &[("marker", "1"), ("reason", "a forgery")]).await;
    assert_eq!(done.location(), format!("{report}/evidence#recount"));
    let evidence = ada.get(&format!("{report}/evidence")).await.text();
    for text in ["Without 1 citation", "Excluded by ", "a forgery", "they are not computed"] {
        assert!(evidence.contains(text), "{text}: {evidence}");
    }
    assert!(ada.get(&report).await.text().contains("Recount without 1 excluded citation"));
    assert_eq!(ada.post(&format!("{report}/include"), &[("marker", "1")]).await.location(), format!("{report}/evidence#c1"));
    assert!(!ada.get(&format!("{report}/evidence")).await.text().contains("Without 1 citation"));
}

#[tokio::test]
async fn the_evidence_is_filtered_by_its_address() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let report = assessed(&app, &mut ada).await;
    let shown = async |ada: &mut Browser, query: &str| {
        let text = ada.get(&format!("{report}/evidence?{query}")).await.text();
        (1..=3).filter(|n| text.contains(&format!("id=\"c{n}\""))).collect::<Vec<_>>()
    };
    assert_eq!(shown(&mut ada, "").await, [1, 2, 3]);
    assert_eq!(shown(&mut ada, "bears=H4-for").await, [3]);
    assert_eq!(shown(&mut ada, "bears=H1-against").await, [2]);
    assert_eq!(shown(&mut ada, "q=no+such+words").await, Vec::<i32>::new());
    let none = ada.get(&format!("{report}/evidence?q=zzz")).await.text();
    assert!(
        none.contains("No citation matches") && none.contains("0 of 3 citations") && none.contains("value=\"zzz\""),
        "{none}"
    );
}

#[tokio::test]
async fn a_watched_indicator_is_matched_by_new_claims_and_the_bell_counts_it() {
    let every_second = |config: &mut server::Config| {
        config.features.insert("watching".to_owned(), json!({"check_ms": 1_000}));
    };
    let app = spawn_with(every_second).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let report = assessed(&app, &mut ada).await;
    assert!(ada.get("/").await.text().contains("Notifications, 1 new"), "the answered question");
    let page = ada.get("/notifications").await.text();
    assert!(page.contains("Finished") && page.contains("New"), "{page}");
    assert!(!ada.get("/").await.text().contains("1 new"));

    let indicator = format!("{report}/analysis#i1");
    assert_eq!(ada.post(&format!("{report}/watch"), &[("item", "I1")]).await.location(), indicator);
    let list = ada.get("/watching").await.text();
    assert!(list.contains("publishes the gate log") && list.contains("No new claim matches yet"), "{list}");
    assert!(ada.get(&format!("{report}/analysis")).await.text().contains("You watch this"));
    let newest = InvestigationFilter { limit: 1, ..InvestigationFilter::default() };
    let investigation = app.program.engine.investigations.list(&newest).await.unwrap()[0].id;
    let preview = ada.get(&format!("/investigations/delete?id={investigation}")).await.text();
    assert!(preview.contains("1 watched indicator"), "{preview}");
    ask_and_wait(&app, &mut ada, &[("question", "What does the harbour office publish?")], &LOG).await;
    assert!(eventually(async || ada.get("/watching").await.text().contains("Found ")).await, "the search finds the claim");
    let list = ada.get("/watching").await.text();
    assert!(list.contains("The harbour office publishes the gate log") && list.contains("Found "), "{list}");
    assert!(ada.get("/").await.text().contains("Notifications, 2 new"));
    assert!(ada.get("/notifications").await.text().contains("1 new claim matches what you watch"));
}

#[tokio::test]
async fn a_filter_is_saved_as_a_view_and_removed() {
    let (_app, mut ada) = spawn_for("ada", Role::Reader).await;
    assert!(!ada.get("/assessments").await.text().contains("Save this view as"));
    assert!(ada.get("/assessments?q=grain&owner=me").await.text().contains("Save this view as"));
    let save = [("name", "Grain & co"), ("query", "q=grain&owner=me")];
    assert_eq!(ada.post("/views", &save).await.location(), "/assessments?q=grain&owner=me");
    let list = ada.get("/assessments").await.text();
    assert!(list.contains("Grain &amp; co") && list.contains("/assessments?q=grain&amp;owner=me"), "{list}");
    let current = ada.get("/assessments?q=grain&owner=me").await.text();
    assert!(current.contains("aria-current=\"page\">Grain"), "{current}");
    let long = "n".repeat(61);
    let refused = ada.post("/views", &[("name", long.as_str()), ("query", "q=x")]).await.location().to_owned();
    assert_eq!(refused, "/assessments?q=x&error=bad_view_name&kept=1");
    assert!(ada.get(&refused).await.text().contains(&format!("value=\"{long}\"")), "what was typed is given back");
    let id = list.split("name=\"id\" value=\"").nth(1).and_then(|rest| rest.get(..36)).unwrap().to_owned();
    assert_eq!(ada.post("/views/remove", &[("id", &id)]).await.location(), "/assessments");
    assert!(!ada.get("/assessments").await.text().contains("Grain &amp; co"));
}

#[tokio::test]
async fn a_report_is_printed_where_the_server_has_a_browser() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let report = assessed(&app, &mut ada).await;
    if app.program.available_printer().is_none() {
        println!("skipped: no Chromium");
        return;
    }
    assert!(ada.get(&report).await.text().contains(&format!("{report}/brief.pdf")));
    for form in ["brief", "full"] {
        let pdf = ada.get(&format!("{report}/{form}.pdf")).await;
        assert_eq!((pdf.status, pdf.header("content-type")), (200, Some("application/pdf")), "{}", pdf.location());
        assert!(pdf.body.starts_with(b"%PDF-") && pdf.body.len() > 5_000, "{} bytes", pdf.body.len());
    }
    let acts = app.program.engine.accounts.audit_log(5).await.unwrap();
    assert!(acts.iter().any(|entry| entry.act == "export_assessment" && entry.object.ends_with(".full.pdf")), "{acts:?}");
    app.program.drain().await;
}

#[tokio::test]
async fn without_a_browser_the_report_says_how_to_print_it() {
    let app = spawn_with(|config| config.fetch.browser.enabled = false).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let report = assessed(&app, &mut ada).await;
    let page = ada.get(&report).await.text();
    assert!(page.contains("This server makes no PDF files") && !page.contains("brief.pdf"), "{page}");
    assert_eq!(ada.get(&format!("{report}/full.pdf")).await.location(), format!("{report}?error=no_printer"));
    assert!(ada.get(&format!("{report}?error=no_printer")).await.text().contains("Save as PDF"));
}
