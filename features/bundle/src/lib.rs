//! Exports that leave the installation: a signed bundle of one assessment that verifies itself, and STIX 2.1 of an assessment
//! or a saved graph view.

mod command;
mod file;
mod graph_view;
mod json_ld;
mod page;
mod pages;
mod part;
mod passage;
mod report;
mod settings;
mod shared;
mod signing;
mod stix;
mod store;
#[cfg(test)]
mod tests;
mod verify;

use axum::routing::get;
use feature::{Feature, SettingsPart, Web};
use settings::BundleSettings;
use store::SCHEMA;

/// Declaration of the feature.
pub const fn feature() -> Feature {
    Feature::new("bundle", routes, &SCHEMA, SettingsPart::new::<BundleSettings>())
        .pieces(&[pages::piece])
        .bundles(shared::PORT)
        .exports(&[command::BUNDLE, command::STIX, command::SIGNING_KEY])
        .offline_commands(&[command::VERIFY])
}

fn routes() -> axum::Router<Web> {
    axum::Router::new()
        .route("/assessments/{id}/bundle.html", get(pages::bundle))
        .route("/assessments/{id}/bundle.stix.json", get(pages::stix))
        .route("/graph/views/{id}/stix.json", get(graph_view::download))
}
