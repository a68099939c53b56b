//! Browser entry point: hydrates the islands of `app` and of features.

// The islands are found by name in the module; naming the crates keeps them in it.
pub use app::{ExplorerPicture, LiveInvestigation, LiveSession, LiveSessions};
pub use tensions_islands::{CalendarPicture, HeatBoardPicture};
use wasm_bindgen::prelude::wasm_bindgen;

/// Called by the hydration script once the module is loaded.
#[wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
}
