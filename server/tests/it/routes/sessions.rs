//! Tests of `/investigations/ID/sessions` and `/sessions/ID`.

use crate::prelude::*;

const REPORTS: [(&str, &str); 2] = [
    (
        "one.txt",
        "PORT HALEN, March 3, 2031 (Harbour Wire) -- A fire destroyed the grain store of Port Halen on Monday night. \
         <b>The fire</b> was caused by a faulty generator, said fire chief Mara Lindqvist. Two people were injured.",
    ),
    POLICE_REPORT,
];

/// Returns the addresses of a finished investigation and its Processor session.
async fn finished(app: &App, browser: &mut Browser) -> (String, String) {
    let address = browser.ask("Who set the fire at the grain store?", &REPORTS).await.location().to_owned();
    browser.get(&format!("/api/v1{address}/events")).await;
    let id: InvestigationId = address.rsplit('/').next().unwrap().parse().unwrap();
    let sessions = app.program.engine.sessions.sessions(id).await.unwrap();
    let processor = sessions.iter().find(|session| session.role == AgentRole::Processor).unwrap();
    (address, format!("/sessions/{}", processor.id))
}

#[tokio::test]
async fn sessions_are_read_step_by_step() {
    let app = spawn_with(|config| config.engine.pages.excerpt_chars = 120).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let (address, processor) = finished(&app, &mut ada).await;
    assert!(ada.get(&address).await.text().contains(&format!("href=\"{address}/sessions\"")));
    let list = ada.get(&format!("{address}/sessions")).await;
    assert_eq!(list.status, 200);
    assert!(!list.text().contains(".wasm"), "nothing runs any more");
    for text in ["Analyst", "Processor", "extractive", "Completed", processor.as_str()] {
        assert!(list.text().contains(text), "{text}");
    }
    let page = ada.get(&processor).await;
    assert_eq!(page.status, 200);
    let page = page.text();
    for text in ["Untrusted text from outside, shown as data.", "Cut here.", "tokens in"] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("<b>The fire</b>"), "outside text is escaped");

    let link = page.split("href=\"").filter_map(|rest| rest.split('"').next()).find(|href| href.contains("/steps/")).unwrap();
    let whole = ada.get(link).await;
    assert_eq!((whole.status, whole.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    assert!(whole.text().chars().count() > 120);
    for nothing in ["/steps/9999/text", "/steps/0/result-77", "/steps/0/everything", "/steps/x/text"] {
        assert_eq!(ada.get(&format!("{processor}{nothing}")).await.status, 404, "{nothing}");
    }
}

#[tokio::test]
async fn steps_come_in_pages() {
    let app = spawn_with(|config| {
        config.engine.pages.steps_per_page = 2;
        config.engine.pages.sessions_per_page = 1;
    })
    .await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let (address, processor) = finished(&app, &mut ada).await;
    let first = ada.get(&processor).await.text();
    assert!(first.contains("id=\"step-0\"") && first.contains("name=\"page\" value=\"2\""), "{first}");
    assert!(!ada.get(&format!("{processor}?page=2")).await.text().contains("id=\"step-0\""));
    let list = ada.get(&format!("{address}/sessions?page=2")).await.text();
    assert!(list.contains("name=\"page\" value=\"1\"") && !list.contains("No sessions on this page"));
    assert_eq!(ada.get(&format!("{processor}?page=9999")).await.status, 200, "the last page stands for those after it");
}
