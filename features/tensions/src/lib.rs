//! Tensions: strains that documents state, their heat, and what eases them.
//!
//! Not here yet: agents that infer tensions and look for responses.

// Views are types nested as deep as their markup.
#![recursion_limit = "256"]

mod api;
mod finder;
mod heat;
mod job;
mod pages;
mod region;
mod response;
mod search;
mod settings;
mod snapshots;
mod store;
mod taxonomy;
mod tension;
#[cfg(test)]
mod tests;
mod upkeep;
mod view;

use axum::routing::{get, post};
use feature::{Feature, Job, NavEntry, SettingsPart, Web};
use pages::{actions, detail, list, responses};
use settings::TensionSettings;
use store::SCHEMA;

/// Declaration of the feature.
pub const fn feature() -> Feature {
    Feature::new("tensions", routes, &SCHEMA, SettingsPart::new::<TensionSettings>())
        .nav(&[NavEntry { href: list::PAGE, text: "Tensions", needs: None }])
        .notices(&[actions::BAD_MERGE, actions::BAD_RESPONSE])
        .jobs(&[Job {
            name: "find stated strain",
            run: |web, leadership, shutdown| Box::pin(job::run_forever(web, leadership, shutdown)),
        }])
        .api(api::describe)
        .search(search::SOURCE)
}

fn routes() -> axum::Router<Web> {
    axum::Router::new()
        .route(api::TENSIONS, get(api::list))
        .route(api::TENSION, get(api::detail))
        .route("/tensions", get(list::page))
        .route("/tensions/responses", get(responses::page))
        .route("/tensions/{id}", get(detail::page))
        .route("/tensions/{id}/dismiss", post(actions::dismiss))
        .route("/tensions/{id}/restore", post(actions::restore))
        .route("/tensions/{id}/merge", post(actions::merge))
        .route("/tensions/{id}/responses", post(actions::respond))
        .route("/tensions/{id}/responses/{response}/remove", post(actions::remove_response))
}
