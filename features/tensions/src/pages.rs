//! Pages of the feature, and its piece on the home page.

pub mod actions;
pub mod detail;
pub mod list;
pub mod responses;
pub mod rising;
pub mod runs;

use app::format;
use leptos::prelude::*;

/// Parts of the feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TensionTab {
    Heat,
    Responses,
    Runs,
}

/// Links to the parts of the feature.
#[component]
fn Tabs(tab: TensionTab) -> impl IntoView {
    let item = |this: TensionTab, href: &'static str, text: &'static str| {
        view! { <li><a href=href aria-current=(this == tab).then_some("page")>{text}</a></li> }
    };
    view! {
        <nav class="report-tabs" aria-label="Tensions">
            <ul>
                {item(TensionTab::Heat, list::PAGE, "Heat")}
                {item(TensionTab::Responses, responses::PAGE, "Responses")}
                {item(TensionTab::Runs, runs::PAGE, "Runs")}
            </ul>
        </nav>
    }
}

/// `5 origins`.
fn origins_text(origins: usize) -> String {
    format::count(origins as u64, "origin", "origins")
}

/// `today`, `1 day ago`, `12 days ago`.
fn days_ago(age_days: i64) -> String {
    match age_days {
        ..=0 => "today".to_owned(),
        1 => "1 day ago".to_owned(),
        days => format!("{days} days ago"),
    }
}
