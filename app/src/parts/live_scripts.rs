//! Scripts of the islands.

use leptos::prelude::*;

/// WebAssembly of the islands, and the script that starts it. Only pages on which something runs need it: it is most of their weight.
#[component]
pub fn LiveScripts() -> impl IntoView {
    use_context::<LeptosOptions>().map(|options| view! { <HydrationScripts options islands=true /> })
}
