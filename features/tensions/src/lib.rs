//! Tensions: strains that documents state or agents infer, their heat, and what eases them.

// Views are types nested as deep as their markup.
#![recursion_limit = "256"]

mod agents;
mod api;
mod command;
mod curiosity;
mod cycle;
mod example;
mod extracted;
mod finder;
mod findings;
mod heat;
mod heat_cache;
mod job;
mod nodes;
mod pages;
mod products;
mod response;
mod sample;
mod scout;
mod search;
mod settings;
mod shared;
mod snapshots;
mod store;
mod story;
mod taxonomy;
mod tension;
#[cfg(test)]
mod tests;
mod tools;
mod upkeep;
mod view;
mod watched;

use axum::routing::{get, post};
use feature::{Area, Feature, Job, NavEntry, SettingsPart, Web};
use pages::{actions, detail, list, responses, rising, runs};
use settings::TensionSettings;
use store::SCHEMA;

/// Pages of the area.
const NAV: &[NavEntry] = &[
    NavEntry::of_area(Area::Tensions, list::PAGE, "Heat").with_rows("tensions"),
    NavEntry::of_area(Area::Tensions, responses::PAGE, "Responses").with_rows("responses"),
    NavEntry::of_area(Area::Tensions, runs::PAGE, "Runs").with_rows("cycle_orders"),
];

/// Declaration of the feature.
pub const fn feature() -> Feature {
    Feature::new("tensions", routes, &SCHEMA, SettingsPart::new::<TensionSettings>())
        .nav(NAV)
        .notices(&[
            actions::BAD_MERGE,
            actions::BAD_RESPONSE,
            actions::SAMPLE_TENSION,
            actions::NO_SCOUT_MODEL,
            actions::NO_SCOUT_SOURCE,
            actions::NO_SCOUT_BUDGET,
        ])
        .pieces(&[rising::piece])
        .jobs(&[
            Job {
                name: "find stated strain",
                interval_ms: |settings| settings.get::<TensionSettings>().check_ms,
                is_woken: false,
                round: |context| Box::pin(job::run_round(context)),
            },
            Job {
                name: "cycle of tensions",
                interval_ms: |settings| settings.get::<TensionSettings>().order_check_ms,
                is_woken: true,
                round: |context| Box::pin(cycle::run_orders(context)),
            },
        ])
        .api(api::describe)
        .search(search::SOURCE)
        .nodes(nodes::SOURCE)
        .watched(&[watched::KIND])
        .products(&[products::SOURCE])
        .shareable(&[shared::KIND])
        .commands(&[command::COMMAND])
        .roles(&agents::ROLES)
        .prompts(agents::PROMPTS)
        .tools(tools::all, agents::TOOL_FILES)
        .extract_fields(extracted::fields)
}

fn routes() -> axum::Router<Web> {
    axum::Router::new()
        .route(api::TENSIONS, get(api::list))
        .route(api::TENSION, get(api::detail))
        .route("/tensions", get(list::page))
        .route("/tensions/responses", get(responses::page))
        .route(runs::PAGE, get(runs::page))
        .route("/tensions/run", post(runs::run))
        .route("/tensions/{id}/scout", post(actions::scout))
        .route("/tensions/{id}", get(detail::page))
        .route("/tensions/{id}/dismiss", post(actions::dismiss))
        .route("/tensions/{id}/restore", post(actions::restore))
        .route("/tensions/{id}/merge", post(actions::merge))
        .route("/tensions/{id}/responses", post(actions::respond))
        .route("/tensions/{id}/responses/{response}/remove", post(actions::remove_response))
}
