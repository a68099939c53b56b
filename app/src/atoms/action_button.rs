//! A button that posts hidden fields.

use leptos::prelude::*;

/// Button of a form of its own with hidden fields.
#[component]
pub fn ActionButton(
    #[prop(into)] action: String,
    fields: Vec<(&'static str, String)>,
    text: &'static str,
    #[prop(optional)] label: String,
    #[prop(default = "quiet")] class: &'static str,
) -> impl IntoView {
    let fields = fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
    let label = (!label.is_empty()).then_some(label);
    view! {
        <form method="post" action=action>
            {fields.collect_view()}
            <button type="submit" class=class aria-label=label>{text}</button>
        </form>
    }
    .into_any()
}
