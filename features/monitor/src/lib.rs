//! Monitor: each person's interests, what matches them, questions that are asked again, and what changed since the last visit.

// Views are types nested as deep as their markup.
#![recursion_limit = "256"]

mod api;
mod beliefs;
mod dates;
mod for_you;
mod index;
mod interest;
mod interests;
mod judge;
mod matching;
mod notifications;
mod pages;
mod runs;
mod score;
mod settings;
mod sources;
mod standing;
mod store;
#[cfg(test)]
mod tests;

use axum::routing::{get, post};
use domain::user::Action;
use feature::{Area, Feature, Job, Metric, MetricKind, NavEntry, SettingsPart, Web};
use pages::{for_you as for_you_page, interest_form, interests as interests_page, pieces, schedule, schedule_form};
use settings::MonitorSettings;
use store::{MonitorStore, SCHEMA};

/// First pages of the area.
const NAV: &[NavEntry] = &[
    NavEntry::of_area(Area::Monitor, for_you_page::PAGE, "For you"),
    NavEntry::of_area(Area::Monitor, interests_page::PAGE, "Interests"),
    NavEntry::of_area(Area::Monitor, schedule::PAGE, "Schedule").with_right(Action::Investigate),
];

/// Declaration of the feature.
pub const fn feature() -> Feature {
    Feature::new("monitor", routes, &SCHEMA, SettingsPart::new::<MonitorSettings>())
        .nav(NAV)
        .notices(&[
            interest::BAD_INTEREST,
            interest_form::UNKNOWN_NAME,
            interests_page::TOO_MANY,
            interests_page::BAD_IMPORT,
            interests_page::IMPORTED_IN_PART,
            standing::BAD_SCHEDULE,
            schedule::TOO_MANY,
        ])
        .pieces(&[pieces::home, pieces::watch_this])
        .jobs(&[
            Job {
                name: "match interests",
                interval_ms: |settings| settings.get::<MonitorSettings>().check_ms,
                is_woken: false,
                round: |context| Box::pin(async move { matching::run_round(&context.web).await }),
            },
            Job {
                name: "standing questions",
                interval_ms: |settings| settings.get::<MonitorSettings>().schedule_ms,
                is_woken: false,
                round: |context| Box::pin(async move { runs::run_round(&context.web).await }),
            },
        ])
        .api(api::describe)
        .products(&[sources::REPORTS, beliefs::BELIEFS, sources::DOCUMENTS])
        .notifications(notifications::SOURCE)
        .interests(interests::PORT)
        .metrics(METRICS)
        .roles(&judge::ROLES)
        .prompts(judge::PROMPTS)
}

fn routes() -> axum::Router<Web> {
    axum::Router::new()
        .route(api::INTERESTS, get(api::list))
        .route("/monitor", get(for_you_page::page))
        .route("/monitor/seen", post(for_you_page::mark_seen))
        .route("/monitor/feedback", post(for_you_page::give_feedback))
        .route(dates::DATES, post(for_you_page::answer_date))
        .route("/monitor/interests", get(interests_page::page).post(interest_form::save))
        .route("/monitor/interests/new", get(interest_form::page))
        .route("/monitor/interests/change", post(interests_page::change))
        .route("/monitor/interests/import", post(interests_page::add_imported))
        .route("/monitor/schedule", get(schedule::page).post(schedule_form::save))
        .route("/monitor/schedule/new", get(schedule_form::page))
        .route("/monitor/schedule/change", post(schedule::change))
}

const METRICS: &[Metric] = &[Metric {
    name: "autosint_monitor_interests",
    help: "Active interests of all people.",
    kind: MetricKind::Measured(|web| Box::pin(async move { Ok(MonitorStore::new(&web).index_state().await?.active as f64) })),
}];
