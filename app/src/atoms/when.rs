//! Moments, for people and for machines.

use crate::format;
use domain::{Published, Timestamp};
use leptos::prelude::*;

/// How long ago, with the moment as its title.
#[component]
pub fn Age(then: Timestamp, now: Timestamp) -> impl IntoView {
    view! { <time datetime=then.to_string() title=format::minute(then)>{format::age(then, now)}</time> }
}

/// When something was published, as exactly as it is known.
#[component]
pub fn Day(published: Option<Published>) -> impl IntoView {
    match published {
        Some(published) => {
            view! { <time datetime=published.value.to_string()>{format::published(published)}</time> }.into_any()
        }
        None => view! { <span class="muted">"undated"</span> }.into_any(),
    }
}
