//! Empty lists: one sentence, and one button that their viewer may use.

use crate::prelude::*;

#[component]
pub fn EmptyState(
    #[prop(into)] text: String,
    /// Address that the button leads to.
    #[prop(into)]
    href: String,
    /// Text of the button.
    button: &'static str,
) -> impl IntoView {
    view! {
        <div class="empty">
            <p>{text}</p>
            <a class="button outline" href=href>{button}</a>
        </div>
    }
}
