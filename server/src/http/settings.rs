//! The form posts of the settings page: keys of providers, and trying a model out.

use super::{
    Web,
    answer::{back, see_other, store_notice},
    visitor::Visitor,
};
use app::Notice;
use axum::{Form, body::Body, extract::State, http::Response};
use engine::{models::Secret, settings::SettingError};
use serde::Deserialize;

const PAGE: &str = "/settings";

// No `Debug`: it holds a key.
#[derive(Deserialize)]
pub(super) struct StoreKey {
    #[serde(default)]
    provider: String,
    #[serde(default)]
    key: String,
}

#[derive(Deserialize)]
pub(super) struct RemoveKey {
    #[serde(default)]
    provider: String,
}

#[derive(Deserialize)]
pub(super) struct Probe {
    #[serde(default)]
    model: String,
}

pub(super) async fn store_key(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<StoreKey>) -> Response<Body> {
    let key = Secret::from(form.key);
    answer(web.program.settings.store_key(&user, &form.provider, &key).await)
}

pub(super) async fn remove_key(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<RemoveKey>) -> Response<Body> {
    answer(web.program.settings.remove_key(&user, &form.provider).await)
}

pub(super) async fn probe(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<Probe>) -> Response<Body> {
    answer(web.program.settings.probe(&user, &form.model).await)
}

fn answer(done: Result<(), SettingError>) -> Response<Body> {
    match done {
        Ok(()) => see_other(PAGE),
        Err(error) => back(PAGE, notice_of(&error), &[]),
    }
}

fn notice_of(error: &SettingError) -> Notice {
    match error {
        SettingError::NotAllowed => Notice::NotAllowed,
        SettingError::Unknown => Notice::NotFound,
        SettingError::BadKey => Notice::BadKey,
        SettingError::Busy => Notice::ProbeBusy,
        SettingError::Store(error) => store_notice(error),
    }
}
