//! Interview: a talk about scenario cards that learns what a person wants to watch and how they decide. What it finds belongs to that
//! person: it is stored apart from the graph, and they can export and erase it.

// Views are types nested as deep as their markup.
#![recursion_limit = "256"]

mod agent;
mod api;
mod drafts;
mod guide;
mod interview;
mod pages;
mod rounds;
mod settings;
mod sharpen;
mod store;
#[cfg(test)]
mod tests;
mod tools;
mod words;

use axum::routing::{get, post};
use feature::{Area, Feature, Job, NavEntry, NoticeText, SettingsPart, Web};
use pages::{actions, events, form, home, sharpen as sharpen_page, talk};
use settings::InterviewSettings;
use store::SCHEMA;

const NAV: &[NavEntry] = &[NavEntry::of_area(Area::Monitor, home::PAGE, "Interview")];

const NOTICES: &[NoticeText] = &[
    actions::BAD_ANSWER,
    actions::BAD_SENTENCE,
    actions::ENDED,
    actions::LATE_ANSWER,
    actions::NO_ROOM,
    actions::TOO_MANY,
    sharpen_page::NOT_ASKED,
];

/// Declaration of the feature.
pub const fn feature() -> Feature {
    Feature::new("interview", routes, &SCHEMA, SettingsPart::new::<InterviewSettings>())
        .nav(NAV)
        .notices(NOTICES)
        .pieces(&[sharpen_page::piece, home::account_piece, home::interests_piece])
        .jobs(&[Job {
            name: "go on with interviews",
            interval_ms: |settings| settings.get::<InterviewSettings>().check_ms,
            is_woken: true,
            round: |context| Box::pin(async move { rounds::run_round(&context.web).await }),
        }])
        .api(api::describe)
        .roles(&agent::ROLES)
        .prompts(agent::PROMPTS)
        .tools(tools::all, agent::TOOL_FILES)
}

fn routes() -> axum::Router<Web> {
    axum::Router::new()
        .route(api::INTERESTS, get(api::interests))
        .route(api::EXPORT, get(api::export))
        .route(home::PAGE, get(home::page))
        .route("/interview/start", post(actions::start))
        .route(home::ERASE, post(actions::erase_all))
        .route(form::PAGE, get(form::page).post(form::send))
        .route(sharpen_page::PAGE, get(sharpen_page::page).post(sharpen_page::answer))
        .route(sharpen_page::START, post(sharpen_page::begin))
        .route("/interview/{id}", get(talk::page))
        .route("/interview/{id}/events", get(events::follow))
        .route("/interview/{id}/act", post(actions::act))
        .route("/interview/{id}/signals/remove", post(actions::remove_signal))
        .route("/interview/{id}/decide", post(actions::decide))
        .route("/interview/{id}/erase", post(actions::erase))
}
