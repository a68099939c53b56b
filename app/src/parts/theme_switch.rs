//! Light, dark, or as the system has it.

use crate::prelude::*;

/// A button that goes round the three (`public/theme.js`). Without JavaScript it is not shown, and the system's colours hold.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    view! {
        <button class="quiet theme needs-script" type="button">
            <span aria-hidden="true">"◐ "</span>
            <span class="hidden">"Colours: "</span>
            <span class="theme-name">"Auto"</span>
        </button>
    }
}
