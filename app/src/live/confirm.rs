//! Question before an action that cannot be taken back.

use leptos::prelude::*;

/// Warning before an investigation is stopped.
pub const STOP_WARNING: &str = "Reading ends for good. The report is written from what was read so far.";

/// Text that opens what an action takes away, with the form that carries it out. It needs no JavaScript.
#[component]
pub fn Confirm(
    /// Text while closed, such as "Remove…".
    text: &'static str,
    /// Object of the action, for those who hear the text alone.
    #[prop(into, optional)]
    about: String,
    /// Consequence, and loss.
    warning: &'static str,
    children: Children,
) -> impl IntoView {
    view! {
        <details class="confirm">
            <summary>{text} <span class="hidden">{about}</span></summary>
            <div class="confirm-body">
                <p class="hint">{warning}</p>
                {children()}
            </div>
        </details>
    }
    .into_any()
}
