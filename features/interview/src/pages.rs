//! Pages of the feature.

pub mod actions;
pub mod events;
pub mod form;
pub mod home;
pub mod sharpen;
pub mod talk;

use crate::settings::InterviewSettings;
use app::parts::NoticeBanner;
use feature::Web;
use leptos::prelude::*;

/// Message for `?error=CODE`, with the limit of answers where it names that.
#[component]
fn InterviewNotice(code: Option<String>) -> impl IntoView {
    let limit = Web::of_page().map(|web| web.settings.get::<InterviewSettings>().max_answer_chars as u64);
    view! { <NoticeBanner code limit /> }
}
