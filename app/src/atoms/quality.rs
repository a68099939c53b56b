//! Bar of result quality in four parts, with words.

use domain::agent::Quality;
use leptos::prelude::*;

/// Numbers of results by quality, the best first, in colours and words.
#[component]
pub fn QualityBar(qualities: [u64; 4]) -> impl IntoView {
    let judged: u64 = qualities.iter().sum();
    if judged == 0 {
        return view! { <span class="muted">"not judged"</span> }.into_any();
    }
    let mut from = 0.0;
    let parts = Quality::ALL.into_iter().zip(qualities).map(|(quality, count)| {
        let width = count as f64 / judged as f64 * 100.0;
        let part = view! { <rect class=format!("quality-{}", quality.as_str()) x=from y="0" width=width height="8" /> };
        from += width;
        part
    });
    let parts: Vec<_> = parts.collect();
    let words: Vec<String> = Quality::ALL
        .into_iter()
        .zip(qualities)
        .filter(|(_, count)| *count > 0)
        .map(|(quality, count)| format!("{count} {}", quality.as_str()))
        .collect();
    view! {
        <span class="quality">
            <svg class="quality-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">{parts}</svg>
            <span class="quality-words">{words.join(", ")}</span>
        </span>
    }
    .into_any()
}
