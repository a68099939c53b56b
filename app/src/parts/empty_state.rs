//! Empty lists: one sentence, and one button that their viewer may use.

use leptos::prelude::*;

#[component]
pub fn EmptyState(
    text: &'static str,
    /// Address and text of the button.
    #[prop(optional_no_strip)]
    action: Option<(&'static str, &'static str)>,
) -> impl IntoView {
    view! {
        <div class="empty">
            <p>{text}</p>
            {action.map(|(href, text)| view! { <a class="button outline" href=href>{text}</a> })}
        </div>
    }
    .into_any()
}
