//! Browser entry point: hydrates the islands of `app` and of features, or those of the explorer.

// The islands are found by name in the module; naming the crates keeps them in it.
#[cfg(feature = "live")]
pub use app::{LiveInvestigation, LiveSession, LiveSessions};
#[cfg(feature = "explorer")]
pub use explorer_islands::ExplorerPicture;
#[cfg(feature = "live")]
pub use tensions_islands::{CalendarPicture, HeatBoardPicture};
use wasm_bindgen::prelude::wasm_bindgen;

/// Called by the hydration script once the module is loaded.
#[wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
}
