//! Lists that a person keeps: watched indicators with the claims that match, watched objects of other features, notifications, and
//! saved views of pages.

mod api;
mod command;
mod graph_views;
mod list;
mod notification;
mod objects;
mod pages;
mod saved_view;
mod search;
mod settings;
mod store;
#[cfg(test)]
mod tests;
mod watch;

use axum::routing::{get, post};
use feature::{AddedFilter, Feature, Job, Metric, MetricKind, SettingsPart, Web};
use pages::{bell, notifications, objects as watched_objects, saved_views, watched};
use settings::WatchingSettings;
use store::{SCHEMA, WatchingStore};

/// Declaration of the feature.
pub const fn feature() -> Feature {
    Feature::new("watching", routes, &SCHEMA, SettingsPart::new::<WatchingSettings>())
        .notices(&[watched::TOO_MANY, saved_views::BAD_NAME, saved_views::TOO_MANY])
        .pieces(&[bell::piece, watched::piece, watched::interests_piece, watched_objects::piece, saved_views::piece])
        .filters(&[AddedFilter {
            field: "watching",
            label: "Watching",
            choice: "Watched by me",
            select: watched::select_assessments,
        }])
        .jobs(&[Job {
            name: "look at what is watched",
            interval_ms: |settings| settings.get::<WatchingSettings>().check_ms,
            is_woken: false,
            round: |context| {
                Box::pin(async move {
                    search::search_once(&context.web).await?;
                    objects::look_once(&context.web).await
                })
            },
        }])
        .api(api::describe)
        .notification_list(|web, viewer, after, limit| Box::pin(list::list(web, viewer, after, limit)))
        .graph_views(graph_views::PORT)
        .commands(&[command::COMMAND])
        .metrics(METRICS)
}

fn routes() -> axum::Router<Web> {
    axum::Router::new()
        .route(api::WATCHING, get(api::list))
        .route("/watching", get(watched::page))
        .route("/watching/remove", post(watched::remove))
        .route("/watching/objects", post(watched_objects::add))
        .route("/watching/objects/remove", post(watched_objects::remove))
        .route("/assessments/{id}/watch", post(watched::add))
        .route("/notifications", get(notifications::page))
        .route("/views", post(saved_views::save))
        .route("/views/remove", post(saved_views::remove))
}

const METRICS: &[Metric] = &[Metric {
    name: "autosint_watching_matches",
    help: "Claims that match watched indicators.",
    kind: MetricKind::Measured(|web| Box::pin(async move { Ok(WatchingStore::new(&web).count_matches().await? as f64) })),
}];
