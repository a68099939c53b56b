//! The browser as the pictures need it, and its twin on the server, which does nothing.

#[cfg(not(feature = "hydrate"))]
pub use absent::*;
#[cfg(feature = "hydrate")]
pub use present::*;

#[cfg(feature = "hydrate")]
mod present {
    use crate::address::BoardState;
    use gloo_net::http::Request;
    use leptos::prelude::{document, window};
    use wasm_bindgen::{JsCast, JsValue};
    use web_sys::HtmlElement;

    /// Puts the state of the board into the address without loading the page.
    pub fn replace_state(board: &BoardState) {
        let query = board.query_within(&window().location().search().unwrap_or_default());
        if let Ok(history) = window().history() {
            let state = history.state().unwrap_or(JsValue::NULL);
            let _ = history.replace_state_with_url(&state, "", Some(&format!("?{query}")));
        }
    }

    /// Moves the focus to an element; returns false for one that the style sheet hides.
    pub fn focus(id: &str) -> bool {
        find(id).is_some_and(|element| element.focus().is_ok()) && document().active_element().is_some_and(|one| one.id() == id)
    }

    /// Lets the tab key stop at one of two elements.
    pub fn move_tab_stop(from: &str, to: &str) {
        if let Some(element) = find(from) {
            let _ = element.remove_attribute("tabindex");
        }
        if let Some(element) = find(to) {
            element.set_tab_index(0);
        }
    }

    fn find(id: &str) -> Option<HtmlElement> {
        document().get_element_by_id(id)?.dyn_into().ok()
    }

    /// Reads a file of the site.
    pub async fn load_text(address: &str) -> Option<String> {
        let response = Request::get(address).send().await.ok()?;
        if !response.ok() {
            return None;
        }
        response.text().await.ok()
    }
}

#[cfg(not(feature = "hydrate"))]
mod absent {
    use crate::address::BoardState;

    pub fn replace_state(_: &BoardState) {}

    pub fn focus(_: &str) -> bool {
        false
    }

    pub fn move_tab_stop(_: &str, _: &str) {}

    pub async fn load_text(_: &str) -> Option<String> {
        None
    }
}
