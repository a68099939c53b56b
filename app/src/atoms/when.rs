//! Moments, for people and for machines.

use crate::format;
use domain::{PublicationDate, Timestamp, assessment::lenient::last_day_of};
use leptos::prelude::*;

/// Age in words, with the moment as its title.
#[component]
pub fn Age(then: Timestamp, now: Timestamp) -> impl IntoView {
    view! { <time datetime=then.to_string() title=format::minute(then)>{format::age(then, now)}</time> }
}

/// When something was published, as exactly as it is known.
#[component]
pub fn Day(published: Option<PublicationDate>) -> impl IntoView {
    match published {
        Some(published) => {
            view! { <time datetime=published.value.to_string()>{format::published(published)}</time> }.into_any()
        }
        None => view! { <span class="muted">"undated"</span> }.into_any(),
    }
}

/// A day that is written as text; other words stay as they are.
#[component]
pub fn WrittenDay(text: String) -> impl IntoView {
    let day = last_day_of(&text).map(|day| day.to_string());
    match day.as_deref().and_then(Timestamp::parse) {
        Some(moment) => view! { <time datetime=day>{format::day(moment)}</time> }.into_any(),
        None => text.into_any(),
    }
}
