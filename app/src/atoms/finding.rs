//! What has become of a page since it was cited.

use super::{Badge, Tone};
use crate::format;
use domain::fetch::PageFinding;
use leptos::prelude::*;

/// The finding with its day, or nothing.
#[component]
pub fn FindingMark(finding: Option<PageFinding>) -> impl IntoView {
    finding.map(|PageFinding { what, note, at, .. }| {
        view! {
            <p class="finding">
                <Badge tone=Tone::Warning text=what.words() />
                " "
                {note}
                " "
                <time class="muted" datetime=at.to_string()>{format::minute(at)}</time>
            </p>
        }
    })
}
