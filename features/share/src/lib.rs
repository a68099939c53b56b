//! Share links: public read-only pages of one object each, which need no account, expire and can be revoked.

// Views are types nested as deep as their markup.
#![recursion_limit = "256"]

mod document;
mod link;
mod pages;
mod pages_cache;
mod picture;
mod settings;
mod store;
#[cfg(test)]
mod tests;

use axum::{
    Extension,
    routing::{get, post},
};
use feature::{Feature, NavEntry, SettingsPart, Web};
use pages::{list, new, public};
use pages_cache::PagesCache;
use settings::ShareSettings;
use store::SCHEMA;

const NAV: &[NavEntry] = &[NavEntry::of_account(list::PAGE, "Shared links")];

/// Declaration of the feature.
pub const fn feature() -> Feature {
    Feature::new("share", routes, &SCHEMA, SettingsPart::new::<ShareSettings>())
        .nav(NAV)
        .notices(&[new::BAD_LINK, new::TOO_MANY])
        .pieces(&[new::piece])
}

fn routes() -> axum::Router<Web> {
    axum::Router::new()
        .route(list::PAGE, get(list::page).post(new::create))
        .route("/shares/revoke", post(list::revoke))
        .route(new::PAGE, get(new::page))
        .route(new::PREVIEW, get(new::preview))
        .route("/s/{token}", get(public::page))
        .route("/s/{token}/picture.png", get(public::picture))
        .route("/s/{token}/bundle.html", get(public::bundle))
        .layer(Extension(PagesCache::default()))
}
