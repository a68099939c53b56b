//! Exports that leave the installation: a signed bundle of one assessment that verifies itself, and STIX 2.1.

mod command;
mod file;
mod json_ld;
mod page;
mod pages;
mod part;
mod passage;
mod report;
mod settings;
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
        .exports(&[command::BUNDLE, command::STIX, command::SIGNING_KEY])
        .offline_commands(&[command::VERIFY])
}

fn routes() -> axum::Router<Web> {
    axum::Router::new()
        .route("/assessments/{id}/bundle.html", get(pages::bundle))
        .route("/assessments/{id}/bundle.stix.json", get(pages::stix))
}
