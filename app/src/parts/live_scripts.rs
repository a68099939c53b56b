//! Script of the islands.

use crate::prelude::*;
use leptos::nonce::use_nonce;

/// End of the name of the WebAssembly: cargo-leptos, which sets the variable, leaves it out.
const WASM_END: &str = if option_env!("LEPTOS_OUTPUT_NAME").is_some() { ".wasm" } else { "_bg.wasm" };

/// End of the name of the module with the islands of the explorer. cargo-leptos makes one module of all islands.
const EXPLORER: &str = if option_env!("LEPTOS_OUTPUT_NAME").is_some() { "" } else { "-explorer" };

/// The script that loads WebAssembly and starts the islands. Only pages on which something runs need it: it is most of their weight.
/// The script of Leptos adds links that preload it also where scripts are off.
#[component]
pub fn LiveScripts() -> impl IntoView {
    module_script("")
}

/// The same for the explorer, which has a module of its own: Cytoscape.js comes with it.
#[component]
pub fn ExplorerScripts() -> impl IntoView {
    module_script(EXPLORER)
}

fn module_script(end: &'static str) -> impl IntoView {
    use_context::<LeptosOptions>().map(|options| {
        let name = format!("/{}/{}{end}", options.site_pkg_dir, options.output_name);
        let script = format!(
            "import load, * as module from \"{name}.js\"; \
             await load({{ module_or_path: \"{name}{WASM_END}\" }}); \
             module.hydrate(); \
             for (const island of document.querySelectorAll(\"leptos-island\")) module[island.dataset.component](island);"
        );
        view! { <script type="module" nonce=use_nonce()>{script}</script> }
    })
}
