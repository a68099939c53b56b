//! Strength of a cause: three bars, filled as far as it goes, and the word.

use domain::assessment::CauseStrength;
use leptos::prelude::*;

#[component]
pub fn StrengthMark(strength: CauseStrength) -> impl IntoView {
    let filled = match strength {
        CauseStrength::Weak => 1,
        CauseStrength::Moderate => 2,
        CauseStrength::Strong => 3,
    };
    let bars = (0..3)
        .map(|bar| {
            let class = if bar < filled { "on" } else { "off" };
            view! { <rect class=class x=bar * 9 y="4" width="8" height="4" /> }
        })
        .collect_view();
    view! {
        <span class="strength">
            <svg viewBox="0 0 26 12" aria-hidden="true">{bars}</svg>
            {strength.as_str()}
        </span>
    }
}
