//! Script of the islands.

use leptos::{nonce::use_nonce, prelude::*};

/// End of the name of the WebAssembly: cargo-leptos, which sets the variable, leaves it out.
const WASM_END: &str = if option_env!("LEPTOS_OUTPUT_NAME").is_some() { ".wasm" } else { "_bg.wasm" };

/// The script that loads WebAssembly and starts the islands. Only pages on which something runs need it: it is most of their weight.
/// The script of Leptos adds links that preload it also where scripts are off.
#[component]
pub fn LiveScripts() -> impl IntoView {
    use_context::<LeptosOptions>().map(|options| {
        let name = format!("/{}/{}", options.site_pkg_dir, options.output_name);
        let script = format!(
            "import load, * as module from \"{name}.js\"; \
             await load({{ module_or_path: \"{name}{WASM_END}\" }}); \
             module.hydrate(); \
             for (const island of document.querySelectorAll(\"leptos-island\")) module[island.dataset.component](island);"
        );
        view! { <script type="module" nonce=use_nonce()>{script}</script> }
    })
}
