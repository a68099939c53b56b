//! Form posts of one's own preferences: single keys, the sample in home, lists and search, and the first steps.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    auth::SessionUser,
};
use axum::{Form, body::Body, extract::State, http::Response};
use domain::user::{Preferences, User};
use serde::Deserialize;

const PAGE: &str = "/account";

/// Switches of the account page. A box that is not ticked is not sent.
#[derive(Debug, Deserialize)]
pub(super) struct PreferencesForm {
    shortcuts: Option<String>,
    sample: Option<String>,
}

/// Switch of the account menu.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SampleSwitch {
    Hide,
    Show,
}

#[derive(Debug, Deserialize)]
pub(super) struct SampleForm {
    sample: SampleSwitch,
}

pub(super) async fn change(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Form(form): Form<PreferencesForm>,
) -> Response<Body> {
    let (shortcuts_off, hides_sample) = (form.shortcuts.is_none(), form.sample.is_none());
    let chosen = Preferences { shortcuts_off, hides_sample, ..user.preferences };
    store(&web, &user, chosen, "/account?saved=1").await
}

pub(super) async fn switch_sample(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Form(form): Form<SampleForm>,
) -> Response<Body> {
    let hides_sample = matches!(form.sample, SampleSwitch::Hide);
    let done = if hides_sample { "/?switched=hidden" } else { "/?switched=shown" };
    store(&web, &user, Preferences { hides_sample, ..user.preferences }, done).await
}

/// Removes the first steps from the home page.
pub(super) async fn dismiss_setup(State(web): State<WebState>, SessionUser(user): SessionUser) -> Response<Body> {
    store(&web, &user, Preferences { setup_dismissed: true, ..user.preferences }, "/").await
}

async fn store(web: &WebState, user: &User, chosen: Preferences, done: &str) -> Response<Body> {
    match web.program.engine.accounts.set_preferences(user.id, chosen).await {
        Ok(()) => redirect(done),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}
