//! Light, dark, or as the system has it.

use super::browser;
use leptos::prelude::*;

/// A button that goes round the three. Without JavaScript it is not shown, and the system's colours hold.
#[island]
pub fn ThemeSwitch() -> impl IntoView {
    let chosen = RwSignal::new(None::<String>);
    Effect::new(move || chosen.set(browser::theme()));
    let turn = move |_| {
        let next = match chosen.get_untracked().as_deref() {
            None => Some("light"),
            Some("light") => Some("dark"),
            Some(_) => None,
        };
        browser::set_theme(next);
        chosen.set(next.map(str::to_owned));
    };
    let name = move || match chosen.get().as_deref() {
        Some("light") => "Light",
        Some("dark") => "Dark",
        _ => "Auto",
    };
    view! {
        <button class="quiet theme needs-script" type="button" on:click=turn>
            <span aria-hidden="true">"◐ "</span>
            <span class="hidden">"Colours: "</span>
            {name}
        </button>
    }
    .into_any()
}
