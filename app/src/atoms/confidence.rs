//! Analytic confidence: three steps, filled as far as it goes, and the word.

use domain::ConfidenceLevel;
use leptos::prelude::*;

#[component]
pub fn ConfidenceMark(level: ConfidenceLevel) -> impl IntoView {
    let filled = match level {
        ConfidenceLevel::Low => 1,
        ConfidenceLevel::Moderate => 2,
        ConfidenceLevel::High => 3,
    };
    let steps = (0..3)
        .map(|step| {
            let (x, y) = (step * 5, 8 - step * 3);
            let class = if step < filled { "on" } else { "off" };
            view! { <rect class=class x=x y=y width="4" height=12 - y /> }
        })
        .collect_view();
    view! {
        <span class="confidence">
            <svg viewBox="0 0 14 12" aria-hidden="true">{steps}</svg>
            {level.as_str()}
        </span>
    }
}
