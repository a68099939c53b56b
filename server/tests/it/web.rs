//! Tests of investigations that read a web on loopback, and of injected instructions.

mod chain;
mod embeddings;
mod injection;
mod obedient_analyst;
pub mod scripted_model;
mod service;
pub mod site;

use crate::prelude::*;
use futures::StreamExt;
use scripted_model::ScriptedModel;

/// Returns a server with these models, allowed ports, and link depth.
async fn app(analyst: ScriptedModel, processor: ScriptedModel, ports: &[u16], max_steps: u32) -> App {
    let exceptions = ports.iter().map(|port| Exception { source: "web".into(), host: "127.0.0.1".into(), port: *port });
    let exceptions = exceptions.collect();
    spawn_playing(analyst, processor, |config| {
        config.fetch.http.exceptions = exceptions;
        config.fetch.rate_limit.interval_ms = 0;
        config.fetch.browser.enabled = false;
        config.engine.web.max_steps = max_steps;
        // Addresses that a person gives are named, but not read before the start.
        config.engine.web.max_addresses = 0;
    })
    .await
}

/// Asks on the web with a private note, and waits for the end.
async fn investigated(app: &App, question: &str, addresses: &[String]) -> Investigation {
    let note = ("note.txt", "A note without anything to say about it.");
    let addresses = addresses.join("\n");
    investigated_with(app, &[("question", question), ("addresses", &*addresses), ("web", "on")], note).await
}

/// Posts the form with one file, and waits for the end.
async fn investigated_with(app: &App, fields: &[(&str, &str)], file: (&str, &str)) -> Investigation {
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let answer = ada.ask_with(fields, &[file]).await;
    let id: InvestigationId = answer.location().trim_start_matches("/investigations/").parse().unwrap();
    let engine = &app.program.engine;
    engine.events.follow(id, 0).for_each(|event| async { drop(event.unwrap()) }).await;
    let investigation = engine.investigations.investigation(id).await.unwrap().unwrap();
    assert!(investigation.progress.status.is_terminal(), "{:?}", investigation.progress);
    investigation
}

/// Returns the Processor sessions.
async fn processors(app: &App, investigation: &Investigation) -> Vec<domain::SessionId> {
    let sessions = app.program.engine.sessions.sessions(investigation.id).await.unwrap();
    sessions.iter().filter(|session| session.role == AgentRole::Processor).map(|session| session.id).collect()
}
