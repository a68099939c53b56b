//! Tests of agents that use a remote Fetch service, including its failure.

use super::{
    investigated, processors,
    scripted_model::{ScriptedModel, calls, says, shape},
};
use crate::{
    commands::module::{can_render, service},
    prelude::*,
    routes::sources::site,
    service::free_port,
};
use protocol::model::Message;
use server::Config;

/// Script: a Processor makes these calls one by one for the work order that names pages; the provider answers otherwise.
fn doing(steps: Vec<(&'static str, Value)>) -> ScriptedModel {
    ScriptedModel::new(move |request: &ModelRequest| -> Option<ModelReply> {
        let Some(Message::User { text }) = request.messages.first() else { return None };
        match shape(request) {
            _ if !text.contains("Read http") => return None,
            "research_plan" => return Some(says(r#"{"plan": "Look at the pages.", "queries": []}"#)),
            "" => {}
            _ => return None,
        }
        let done = request.messages.iter().filter(|message| matches!(message, Message::Tools { .. })).count();
        Some(match steps.get(done) {
            Some(step) => calls(vec![step.clone()]),
            None => says("Everything was looked at."),
        })
    })
}

fn through(url: String) -> impl FnOnce(&mut Config) {
    move |config| {
        config.fetch.url = Some(url);
        // It could not render anything itself.
        config.fetch.browser.enabled = false;
        // Addresses that a person gives are named, but not read before the start.
        config.engine.web.max_addresses = 0;
    }
}

fn order(site: u16) -> ScriptedModel {
    let objective = format!("Read http://127.0.0.1:{site}/fire and ask http://127.0.0.1:{site}/desk who set the fire.");
    ScriptedModel::ordering(vec![json!({"objective": objective, "source_guidance": []})])
}

/// Returns external tool calls: name, failure, result.
async fn outside(app: &App, investigation: &Investigation) -> Vec<(String, bool, String)> {
    let sessions = processors(app, investigation).await;
    let mut all = vec![];
    for session in sessions {
        let made = app.program.engine.sessions.calls(session).await.unwrap();
        let reaching = made.into_iter().filter(|call| call.tool.starts_with("brows") || call.tool == "fetch_url");
        all.extend(reaching.map(|call| (call.tool, call.is_error, call.result)));
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_browse_through_the_service_that_is_named() {
    if !can_render() {
        return;
    }
    let site = site().await;
    let service = service(site, None).await;
    let at = |path: &str| format!("http://127.0.0.1:{site}{path}");
    let steps = vec![
        ("browse_url", json!({"url": at("/fire")})),
        ("browser_open", json!({"url": at("/desk")})),
        ("browser_fill", json!({"session_id": "1", "selector": "#q", "value": "the Red Tide group"})),
        ("browser_click", json!({"session_id": "1", "selector": "#go"})),
        ("browser_scroll", json!({"session_id": "1"})),
        ("browser_close", json!({"session_id": "1"})),
        ("browser_scroll", json!({"session_id": "1"})),
    ];
    let app = spawn_playing(order(site), doing(steps), through(service.url.clone())).await;
    let investigation = investigated(&app, QUESTION, &[at("/fire"), at("/desk")]).await;
    let made = outside(&app, &investigation).await;
    let (last, before) = made.split_last().unwrap();
    assert!(before.len() == 6 && before.iter().all(|(_, is_error, _)| !is_error), "{made:#?}");
    assert!(last.1 && last.2.contains("open the page again"), "{last:?}");
    let query = DocumentQuery { limit: 100, ..DocumentQuery::default() };
    let listed = app.program.engine.documents.list(&investigation.scope, &query).await.unwrap();
    let pages = listed.documents.iter().filter(|document| document.path.starts_with("http"));
    assert_eq!(pages.count(), 3, "the report, the desk, and the desk with its answer: {:#?}", listed.documents);
    let stored =
        app.program.engine.assessments.of_investigation(&investigation.scope, investigation.id).await.unwrap().unwrap();
    assert!(stored.assessment.body.bottom_line.contains("Red Tide"), "{}", stored.assessment.body.bottom_line);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_is_down_is_a_failed_call_that_names_it() {
    let free = free_port();
    let url = format!("http://127.0.0.1:{free}");
    let at = |path: &str| format!("http://127.0.0.1:1{path}");
    let steps = vec![
        ("fetch_url", json!({"url": at("/fire")})),
        ("browse_url", json!({"url": at("/fire")})),
        ("browser_open", json!({"url": at("/desk")})),
    ];
    let app = spawn_playing(order(1), doing(steps), through(url.clone())).await;
    let investigation = investigated(&app, QUESTION, &[at("/fire"), at("/desk")]).await;
    assert_eq!(investigation.progress.status, Status::Completed);
    let made = outside(&app, &investigation).await;
    assert_eq!(made.len(), 3, "each call fails once: {made:#?}");
    for (tool, is_error, said) in &made {
        assert!(*is_error && said.contains("`fetch.url`") && said.contains(&url), "{tool}: {said}");
    }
}
