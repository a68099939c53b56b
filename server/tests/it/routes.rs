//! Tests of HTTP routes, one module per address.

mod account;
mod annotations;
mod another_person;
mod api;
mod areas;
mod connections;
mod empty_states;
mod entity_claims;
mod explorer;
mod feature_keys;
mod first_account;
mod health;
mod hosts;
mod investigations;
mod limits;
mod links;
mod model_choices;
mod open_limit;
mod pages;
mod people;
mod plan;
mod reviews;
mod sample;
mod scope;
mod sessions;
mod settings;
mod shares;
mod sign_in;
pub mod sources;
mod teams;
mod tidy;
mod tools;
mod uploads;
mod work_orders;

use crate::prelude::*;

/// Ids of an answered question of a person.
struct AnsweredQuestion {
    investigation: String,
    assessment: String,
    document: String,
    claim: String,
}

impl AnsweredQuestion {
    fn report(&self) -> String {
        format!("/assessments/{}", self.assessment)
    }

    fn visibility(&self) -> String {
        format!("/investigations/{}/visibility", self.investigation)
    }
}

/// Fields of the form for an investigation, or names and texts of its files.
type Pairs<'a> = &'a [(&'a str, &'a str)];

/// Asks and waits for the end; returns the investigation and the address after the form.
async fn ask_and_wait(app: &App, browser: &mut Browser, fields: Pairs<'_>, files: Pairs<'_>) -> (InvestigationId, String) {
    let address = browser.ask_with(fields, files).await.location().to_owned();
    let id = address.split('?').next().unwrap().rsplit('/').next().unwrap().parse().unwrap();
    let is_done = async || {
        let found = app.program.engine.investigations.investigation(id).await.unwrap();
        found.is_some_and(|found| found.progress.status.is_terminal())
    };
    assert!(eventually(is_done).await, "the question is answered");
    (id, address)
}

/// Asks and waits for an assessment with citations; returns the ids and the address after the form.
async fn answered(app: &App, browser: &mut Browser, fields: Pairs<'_>, files: Pairs<'_>) -> (AnsweredQuestion, String) {
    let (investigation, address) = ask_and_wait(app, browser, fields, files).await;
    let found = browser.get(&format!("/api/v1/investigations/{investigation}")).await.json();
    let assessment = found["assessment_id"].as_str().unwrap().to_owned();
    let cited = browser.get(&format!("/api/v1/assessments/{assessment}")).await.json();
    let id = |key: &str| cited["citations"][0][key].as_str().unwrap().to_owned();
    let (document, claim) = (id("document_id"), id("claim_id"));
    (AnsweredQuestion { investigation: investigation.to_string(), assessment, document, claim }, address)
}
