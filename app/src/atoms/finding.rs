//! Marks of pages that have changed since they were cited.

use super::{Badge, Tone};
use crate::format;
use domain::fetch::PageFinding;
use leptos::prelude::*;

/// The finding with its day, or nothing.
#[component]
pub fn PageFindingMark(finding: Option<PageFinding>) -> impl IntoView {
    finding.map(|PageFinding { state, note, at, .. }| {
        view! {
            <p class="finding">
                <Badge tone=Tone::Warning text=state.words() />
                " "
                {note}
                " "
                <time class="muted" datetime=at.to_string()>{format::minute(at)}</time>
            </p>
        }
    })
}
