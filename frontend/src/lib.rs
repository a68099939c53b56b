//! Browser entry point: hydrates the islands of `app`.

// The islands are found by name in the module; naming the crate keeps them in it.
pub use app::{LiveInvestigation, LiveSession, LiveSessions};
use wasm_bindgen::prelude::wasm_bindgen;

/// Called by the hydration script once the module is loaded.
#[wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
}
