//! The form posts of the settings page: keys of providers, caps of people, and trying a model out.

use super::{
    Web,
    answer::{back, see_other, store_notice},
    visitor::Visitor,
};
use app::Notice;
use axum::{Form, body::Body, extract::State, http::Response};
use domain::{UserId, budget::OwnCap};
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

#[derive(Deserialize)]
pub(super) struct SetCap {
    #[serde(default)]
    user: String,
    #[serde(default)]
    tokens: String,
    #[serde(default)]
    money: String,
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

pub(super) async fn set_cap(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<SetCap>) -> Response<Body> {
    let Ok(id) = form.user.parse::<UserId>() else { return back(PAGE, Notice::NotFound, &[]) };
    match cap(&form.tokens, &form.money) {
        Some(cap) => answer(web.program.settings.set_cap(&user, id, cap).await),
        None => back(PAGE, Notice::BadCap, &[]),
    }
}

/// Nothing is no cap of their own; what is no number is none at all.
fn cap(tokens: &str, money: &str) -> Option<OwnCap> {
    let (tokens, money) = (tokens.trim(), money.trim());
    let tokens = if tokens.is_empty() { None } else { Some(tokens.parse::<u64>().ok()?) };
    let cost_micros = if money.is_empty() { None } else { Some(OwnCap::micros(money.parse::<f64>().ok()?)?) };
    Some(OwnCap { tokens, cost_micros })
}

fn answer(done: Result<(), SettingError>) -> Response<Body> {
    match done {
        Ok(()) => see_other(PAGE),
        Err(error) => back(PAGE, notice_of(&error), &[]),
    }
}

pub(super) fn notice_of(error: &SettingError) -> Notice {
    match error {
        SettingError::NotAllowed => Notice::NotAllowed,
        SettingError::Unknown | SettingError::NoFeed(_) => Notice::NotFound,
        SettingError::BadKey => Notice::BadKey,
        SettingError::Busy => Notice::ProbeBusy,
        SettingError::TooManyFeeds => Notice::TooManyFeeds,
        SettingError::Store(error) => store_notice(error),
    }
}
