//! Likelihood drawn to scale: the one picture of a probability. Widths are SVG attributes: inline styles are refused by the content policy.

use crate::format;
use domain::likelihood::{Likelihood, LikelihoodTerm};
use leptos::prelude::*;

/// A likelihood on the scale from 0 to 100 %: the bounds of the seven terms as ticks, the range of its term, its point.
#[component]
pub fn Scale(likelihood: Likelihood) -> impl IntoView {
    let (low, high) = likelihood.term.range();
    let ticks = LikelihoodTerm::ALL
        .into_iter()
        .skip(1)
        .map(|term| view! { <rect class="scale-tick" x=term.range().0 * 100.0 - 0.1 y="2" width="0.2" height="8" /> })
        .collect_view();
    view! {
        <svg class="scale" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
            <rect class="scale-track" x="0" y="5.5" width="100" height="1" />
            {ticks}
            <rect class="scale-range" x=low * 100.0 y="3" width=(high - low) * 100.0 height="6" />
            <rect class="scale-point" x=likelihood.point * 100.0 - 0.4 y="0" width="0.8" height="12" />
        </svg>
    }
    .into_any()
}

/// Axis above a column of scales.
#[component]
pub fn ScaleAxis() -> impl IntoView {
    view! {
        <div class="scale-axis" aria-hidden="true">
            <span>"0"</span>
            <span>"50"</span>
            <span>{format::percent(1.0)}</span>
        </div>
    }
    .into_any()
}
