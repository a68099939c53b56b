//! A labelled line of text in a form.

use leptos::prelude::*;

#[component]
pub fn TextField(
    name: &'static str,
    label: &'static str,
    #[prop(default = "text")] kind: &'static str,
    autocomplete: &'static str,
    #[prop(optional)] value: String,
    #[prop(optional, into)] hint: String,
    #[prop(optional)] autofocus: bool,
    #[prop(default = true)] required: bool,
) -> impl IntoView {
    let hint_id = format!("{name}-hint");
    let described = (!hint.is_empty()).then(|| hint_id.clone());
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <input
                id=name
                name=name
                type=kind
                autocomplete=autocomplete
                value=value
                required=required
                autofocus=autofocus
                aria-describedby=described
                autocapitalize="none"
                spellcheck="false"
            />
            {(!hint.is_empty()).then(|| view! { <p class="hint" id=hint_id>{hint}</p> })}
        </div>
    }
    .into_any()
}
