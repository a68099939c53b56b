//! Form posts of one's own preferences: single keys, the sample in home, lists and search, and the first steps.

use super::prelude::*;
use domain::user::Preferences;

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

pub(super) async fn change(post: FormPost<PreferencesForm>) -> Response<Body> {
    let (shortcuts_off, hides_sample) = (post.form.shortcuts.is_none(), post.form.sample.is_none());
    let chosen = Preferences { shortcuts_off, hides_sample, ..post.user.preferences };
    store(post, chosen, "/account?saved=1").await
}

pub(super) async fn switch_sample(post: FormPost<SampleForm>) -> Response<Body> {
    let hides_sample = matches!(post.form.sample, SampleSwitch::Hide);
    let done = if hides_sample { "/?switched=hidden" } else { "/?switched=shown" };
    let chosen = Preferences { hides_sample, ..post.user.preferences };
    store(post, chosen, done).await
}

/// Removes the first steps from the home page.
pub(super) async fn dismiss_setup(post: FormPost<AnyFields>) -> Response<Body> {
    let chosen = Preferences { setup_dismissed: true, ..post.user.preferences };
    store(post, chosen, "/").await
}

async fn store<T>(post: FormPost<T>, chosen: Preferences, done: &str) -> Response<Body> {
    match post.web.engine.accounts.set_preferences(post.user.id, chosen).await {
        Ok(()) => redirect(done),
        Err(error) => post.lead_to(PAGE, app::store_notice(&error)),
    }
}
