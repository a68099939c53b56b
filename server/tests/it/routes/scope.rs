//! Tests of what a question may read: documents, period, depth, and the form that keeps it.

use crate::prelude::*;

const EARLY: (&str, &str) = (
    "early.txt",
    "PORT HALEN, March 3, 2031 (Harbour Wire) -- A fire destroyed the grain store of Port Halen on Monday night. \
     The fire was caused by a faulty generator, said fire chief Mara Lindqvist.",
);
const LATE: (&str, &str) = (
    "late.txt",
    "PORT HALEN, April 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire at the grain \
     store in Port Halen. \"The Red Tide group set the fire,\" said inspector Jonas Vael.",
);
const THIRD: (&str, &str) = (
    "third.txt",
    "PORT HALEN, May 5, 2031 (Inland Post) -- The grain store of Port Halen was set on fire by its owner, said prosecutor Ida \
     Brandt. The owner denied that he set the fire.",
);

/// Asks, waits for the end, and returns the address and the assessment.
async fn answer_question(browser: &mut Browser, fields: &[(&str, &str)], files: &[(&str, &str)]) -> (String, Value) {
    let fields: Vec<(&str, &str)> = [("question", QUESTION)].into_iter().chain(fields.iter().copied()).collect();
    let address = browser.ask_with(&fields, files).await.location().to_owned();
    assert!(address.starts_with("/investigations/0"), "{address}");
    browser.get(&format!("/api/v1{address}/events")).await;
    let line = browser.get(&format!("/api/v1{address}")).await.json();
    assert_eq!(line["status"], "completed", "{line}");
    let id = line["assessment_id"].as_str().unwrap();
    (address, browser.get(&format!("/api/v1/assessments/{id}")).await.json())
}

fn cited(assessment: &Value) -> Vec<&str> {
    let mut paths: Vec<&str> =
        assessment["citations"].as_array().unwrap().iter().map(|one| one["document_path"].as_str().unwrap()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

#[tokio::test]
async fn a_question_with_a_period_cites_nothing_published_outside_it() {
    let (_app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let (_, whole) = answer_question(&mut ada, &[], &[EARLY, LATE]).await;
    assert_eq!((cited(&whole), &whole["scope"]["web"]), (vec!["early.txt", "late.txt"], &Value::from("off")));
    let page = ada.get(&format!("/assessments/{}", whole["id"].as_str().unwrap())).await.text();
    assert!(page.contains("Scope: the whole library; without the web."), "private files keep it off the web: {page}");
    // Both are in the graph by now: only the period keeps the second one out.
    let (_, until) = answer_question(&mut ada, &[("until", "2031-03-31")], &[]).await;
    assert_eq!(cited(&until), ["early.txt"]);
    assert_eq!(until["scope"]["period"]["until"], "2031-03-31");
    let (_, from) = answer_question(&mut ada, &[("from", "2031-03-31"), ("depth", "thorough")], &[]).await;
    assert_eq!(cited(&from), ["late.txt"]);
    let page = ada.get(&format!("/assessments/{}", from["id"].as_str().unwrap())).await.text();
    assert!(page.contains("Scope: the whole library; published from 2031-03-31 on; without the web; thorough."), "{page}");
    let text = ada.get(&format!("/assessments/{}/export.md", from["id"].as_str().unwrap())).await.text();
    assert!(text.contains("Scope: the whole library; published from 2031-03-31 on"), "{text}");
    let none = ada.ask_with(&[("question", QUESTION), ("from", "2032-01-01"), ("web", "off")], &[]).await;
    assert_eq!(none.location(), "/investigations/new?error=nothing_in_scope&kept=1&web=off&from=2032-01-01");
}

#[tokio::test]
async fn a_question_reads_only_the_files_given_with_it_and_so_do_its_follow_ups() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    answer_question(&mut ada, &[], &[EARLY]).await;
    let (address, added) = answer_question(&mut ada, &[("reading", "added"), ("depth", "quick")], &[LATE]).await;
    assert_eq!(cited(&added), ["late.txt"]);
    let id = address.rsplit('/').next().unwrap();
    let form = ada.get(&format!("/investigations/new?follows={id}&kind=rerun&draft=Who")).await.text();
    assert!(form.contains("<option value=\"added\" selected"), "the form begins with the earlier choice: {form}");
    assert!(form.contains("value=\"quick\" checked"), "{form}");
    let followed = [("reading", "added"), ("follows", id), ("kind", "follow_up")];
    let (_, followed) = answer_question(&mut ada, &followed, &[THIRD]).await;
    assert_eq!(cited(&followed), ["late.txt", "third.txt"], "its own files and those of the earlier question");
    // A stranger cannot continue it, and reaches none of its files.
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let (_, his) = answer_question(&mut bob, &[("reading", "added"), ("follows", id), ("kind", "follow_up")], &[THIRD]).await;
    assert_eq!(cited(&his), ["third.txt"]);
}

#[tokio::test]
async fn chosen_collections_are_read_and_no_others() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    answer_question(&mut ada, &[], &[EARLY]).await;
    answer_question(&mut ada, &[("reading", "added")], &[LATE]).await;
    let form = ada.get("/investigations/new").await.text();
    let uploads = form.split("name=\"collection\" value=\"").skip(1).find(|part| part.contains("Uploads")).unwrap();
    let uploads = &uploads[..uploads.find('"').unwrap()];
    let (_, chosen) = answer_question(&mut ada, &[("reading", "chosen"), ("collection", uploads)], &[]).await;
    assert_eq!((cited(&chosen), &chosen["scope"]["collections"]), (vec!["early.txt"], &serde_json::json!(["private files"])));
    // A collection of somebody else counts as none.
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let refused = bob.ask_with(&[("question", "Who?"), ("reading", "chosen"), ("collection", uploads)], &[]).await;
    assert!(refused.location().starts_with("/investigations/new?error=nothing_in_scope"), "{}", refused.location());
}

#[tokio::test]
async fn a_refused_form_names_the_field_and_keeps_everything() {
    let (_app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let fields = [
        ("question", "Who?"),
        ("addresses", "https://example.org/a report"),
        ("reading", "added"),
        ("from", "2031-01-01"),
        ("depth", "quick"),
    ];
    let refused = ada.ask_with(&fields, &[]).await.location().to_owned();
    assert_eq!(refused, "/investigations/new?error=bad_address&kept=1&reading=added&from=2031-01-01&depth=quick");
    let page = ada.get(&refused).await.text();
    assert!(page.contains("https://example.org/a report"), "{page}");
    assert!(page.contains("aria-invalid=\"true\"") && page.contains("https://report</code> is not a web address"), "{page}");
    assert!(page.contains("<option value=\"added\" selected") && page.contains("value=\"2031-01-01\""), "{page}");
    let period = ada.ask_with(&[("question", "Who?"), ("from", "2031-02-01"), ("until", "2031-01-01")], &[EARLY]).await;
    assert_eq!(period.location(), "/investigations/new?error=bad_period&kept=1&from=2031-02-01&until=2031-01-01");
    assert!(ada.get(period.location()).await.text().contains("id=\"period-error\""));
    let model = ada.ask_with(&[("question", "Who?"), ("model", "openai:none")], &[EARLY]).await;
    assert!(model.location().starts_with("/investigations/new?error=not_found"), "{}", model.location());
}

#[tokio::test]
async fn the_form_shows_the_usage_of_earlier_questions_of_each_depth() {
    let (_app, mut ada) = spawn_for("ada", Role::Analyst).await;
    assert_eq!(ada.get("/investigations/new").await.text().matches("No estimate yet.").count(), 3);
    answer_question(&mut ada, &[("depth", "quick")], &[EARLY]).await;
    let form = ada.get("/investigations/new").await.text();
    assert_eq!(form.matches("No estimate yet.").count(), 2, "{form}");
    assert!(form.contains("as the last question") && form.contains(", free, "), "{form}");
}

#[tokio::test]
async fn a_vague_question_can_be_made_clearer_or_asked_as_it_is() {
    let (_app, mut ada) = spawn_for("ada", Role::Analyst).await;
    answer_question(&mut ada, &[], &[EARLY]).await;
    let vague = [("question", "Who did it?"), ("depth", "quick"), ("web", "off"), ("clear", "")];
    let page = ada.ask_with(&vague, &[]).await.location().to_owned();
    assert_eq!(page, "/investigations/clarify?kept=1&web=off&depth=quick");
    let html = ada.get(&page).await.text();
    for text in ["Who or what is it about?", "Published when?", "Ask as is", "name=\"depth\" value=\"quick\""] {
        assert!(html.contains(text), "{text}: {html}");
    }
    let asked = async |browser: &mut Browser, more: &[(&str, &str)]| {
        let fields: Vec<(&str, &str)> =
            [("question", "Who did it?"), ("clear", "1")].into_iter().chain(more.iter().copied()).collect();
        let address = browser.ask_with(&fields, &[]).await.location().to_owned();
        let line = browser.get(&format!("/api/v1{address}")).await.json();
        (line["question"].as_str().unwrap().to_owned(), browser.get(&address).await.text())
    };
    let answers = [("subject", "Port Halen"), ("subject_other", "the fire in Port Halen"), ("since", "2031-01-01")];
    let (question, page) = asked(&mut ada, &answers).await;
    assert_eq!(question, "Who did it? (about the fire in Port Halen)");
    assert!(page.contains("published from 2031-01-01 on"), "{page}");
    let (question, page) = asked(&mut ada, &[answers[0], answers[2], ("as_is", "1")]).await;
    assert_eq!(question, "Who did it?");
    assert!(!page.contains("published from"), "{page}");
    // Documents given with a question say what it is about.
    let with_files = ada.ask_with(&vague, &[LATE]).await.location().to_owned();
    assert!(with_files.starts_with("/investigations/0"), "{with_files}");
}

#[tokio::test]
async fn a_server_that_does_not_clarify_asks_every_question_as_it_is() {
    let app = crate::app::spawn_with(|config| config.engine.clarify = false).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    answer_question(&mut ada, &[], &[EARLY]).await;
    let address = ada.ask_with(&[("question", "Who did it?"), ("clear", "")], &[]).await.location().to_owned();
    assert!(address.starts_with("/investigations/0"), "{address}");
}
