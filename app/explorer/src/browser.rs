//! The browser as the picture needs it, and its twin on the server, which does nothing.

#[cfg(feature = "hydrate")]
mod controller;
#[cfg(feature = "hydrate")]
#[allow(unsafe_code, reason = "wasm-bindgen makes the bindings")]
mod cytoscape;
#[cfg(feature = "hydrate")]
mod page;

#[cfg(not(feature = "hydrate"))]
pub use absent::*;
#[cfg(feature = "hydrate")]
pub use controller::{act, draw_outline, keep_month, press, show_month, start, stop};

#[cfg(not(feature = "hydrate"))]
mod absent {
    use super::super::{OutlineStep, PictureAction, PictureSignals};
    use leptos::ev::{KeyboardEvent, PointerEvent};

    pub fn start(_: PictureSignals) {}

    pub fn stop() {}

    pub fn act(_: PictureAction) {}

    pub fn press(_: KeyboardEvent) {}

    pub fn show_month(_: &str) {}

    pub fn keep_month() {}

    pub fn draw_outline(_: &PointerEvent, _: OutlineStep) {}
}
