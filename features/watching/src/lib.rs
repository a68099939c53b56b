//! Lists that a person keeps: watched indicators with the claims that match, notifications, and saved views of pages.

mod notification;
mod pages;
mod saved_view;
mod search;
mod settings;
mod store;
#[cfg(test)]
mod tests;
mod watch;

use axum::routing::{get, post};
use feature::{AgentParts, AssessmentFilter, Feature, Job, NavEntry, NoticeText, SettingsPart, Web};
use pages::{bell, notifications, saved_views, watched};
use settings::WatchingSettings;
use store::{SCHEMA, WatchingStore};

/// Declaration of the feature.
pub const fn feature() -> Feature {
    Feature {
        name: "watching",
        routes,
        schema: &SCHEMA,
        nav: &[NavEntry { href: "/watching", text: "Watched indicators", needs: None }],
        notices: NOTICES,
        pieces: &[bell::piece, watched::piece, saved_views::piece],
        filters: &[AssessmentFilter {
            field: "watching",
            label: "Watching",
            choice: "Watched by me",
            select: |web, user| Box::pin(async move { WatchingStore::new(&web).watched_assessments(user).await }),
        }],
        jobs: &[Job {
            name: "search for watched indicators",
            run: |web, leadership, shutdown| Box::pin(search::search_forever(web, leadership, shutdown)),
        }],
        settings: SettingsPart::new::<WatchingSettings>(),
        agents: AgentParts::NONE,
    }
}

fn routes() -> axum::Router<Web> {
    axum::Router::new()
        .route("/watching", get(watched::page))
        .route("/watching/remove", post(watched::remove))
        .route("/assessments/{id}/watch", post(watched::add))
        .route("/notifications", get(notifications::page))
        .route("/views", post(saved_views::save))
        .route("/views/remove", post(saved_views::remove))
}

const NOTICES: &[NoticeText] = &[watched::TOO_MANY, saved_views::BAD_NAME, saved_views::TOO_MANY];
