//! Delivery of news to people outside of the browser: digests by mail, feeds, and webhooks.
//!
//! It knows no other feature: news are what the one list of notifications returns.

mod digest;
mod feed;
mod links;
mod mail;
mod mail_server;
mod outbox;
mod pages;
mod probe;
mod render;
mod schedule;
mod settings;
mod smtp;
mod store;
mod subscription;
#[cfg(test)]
mod tests;
mod webhook;

use axum::routing::{get, post};
use feature::{Area, Feature, Job, Metric, MetricKind, NavEntry, SettingsPart, Web};
use pages::{feeds, order, preview, server, signed, webhooks};
use settings::DeliverySettings;
use store::{DeliveryStore, SCHEMA};

const NAV: &[NavEntry] = &[NavEntry::of_area(Area::Monitor, order::PAGE, "Delivery")];

/// Declaration of the feature.
pub const fn feature() -> Feature {
    Feature::new("delivery", routes, &SCHEMA, SettingsPart::new::<DeliverySettings>())
        .confirmed(&[server::PAGE, server::NEW_KEY, feeds::PAGE, webhooks::PAGE])
        .nav(NAV)
        .notices(&[
            subscription::BAD_ADDRESS,
            subscription::BAD_SCHEDULE,
            subscription::BAD_ZONE,
            mail_server::BAD_SERVER,
            mail_server::PLAIN_PASSWORD,
            order::NO_SERVER,
            order::TOO_MANY_LINKS,
            webhook::BAD_WEBHOOK,
            webhooks::TOO_MANY,
        ])
        .jobs(&[Job {
            name: "deliver news",
            interval_ms: |settings| settings.get::<DeliverySettings>().check_ms,
            is_woken: true,
            round: |context| Box::pin(async move { outbox::run_once(&context.web).await }),
        }])
        .probe(probe::PROBE)
        .metrics(METRICS)
}

fn routes() -> axum::Router<Web> {
    axum::Router::new()
        .route(order::PAGE, get(order::page).post(order::save))
        .route("/delivery/link", post(order::send_link))
        .route("/delivery/resume", post(order::resume))
        .route("/delivery/answers/remove", post(order::remove_answer))
        .route(feeds::PAGE, post(feeds::create))
        .route("/delivery/feed/remove", post(feeds::remove))
        .route(webhooks::PAGE, get(webhooks::page).post(webhooks::add))
        .route("/delivery/webhooks/change", post(webhooks::change))
        .route("/delivery/webhooks/again", post(webhooks::send_again))
        .route(preview::PAGE, get(preview::page))
        .route(preview::HTML, get(preview::html))
        .route(server::PAGE, get(server::page).post(server::save))
        .route(server::NEW_KEY, post(server::make_link_key))
        .route(links::CONFIRM, get(signed::page).post(signed::act))
        .route(links::CHANGE, get(signed::page).post(signed::act))
        .route(links::ANSWER, get(signed::page).post(signed::act))
        .route("/feeds/{format}", get(feeds::read))
}

const METRICS: &[Metric] = &[Metric {
    name: "autosint_delivery_mails_waiting",
    help: "Mails in the outbox that wait for an attempt.",
    kind: MetricKind::Measured(|web| Box::pin(async move { Ok(DeliveryStore::new(&web).count_waiting().await? as f64) })),
}];
