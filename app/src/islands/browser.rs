//! The browser as the islands need it, and its twin on the server, which does nothing.

#[cfg(not(feature = "hydrate"))]
pub use absent::*;
#[cfg(feature = "hydrate")]
pub use present::*;

/// State of the event stream.
#[cfg_attr(not(feature = "hydrate"), expect(dead_code, reason = "only a browser has a connection"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connection {
    /// Not yet connected, or not needed.
    Idle,
    Open,
    /// Lost; the browser tries again by itself.
    Reconnecting,
    /// Refused; the browser does not try again.
    Refused,
}

#[cfg(feature = "hydrate")]
mod present {
    use super::Connection;
    use leptos::prelude::{document, window};
    use wasm_bindgen::{JsCast, closure::Closure};
    use web_sys::{EventSource, MessageEvent};

    /// Milliseconds since the page was loaded, on a clock that never goes back.
    pub fn uptime_ms() -> i64 {
        window().performance().map_or(0, |clock| clock.now() as i64)
    }

    /// Follows a stream of server-sent events for as long as the page lives, or until `on_data` returns false.
    pub fn follow(address: &str, on_data: impl FnMut(&str) -> bool + 'static, on_link: impl Fn(Connection) + Clone + 'static) {
        let Ok(source) = EventSource::new(address) else { return };
        let mut on_data = on_data;
        let (open, lost) = (on_link.clone(), on_link);
        let closing = source.clone();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
            if message.data().as_string().is_some_and(|data| !on_data(&data)) {
                closing.close();
            }
        });
        let on_open = Closure::<dyn FnMut()>::new(move || open(Connection::Open));
        let refusing = source.clone();
        let on_error = Closure::<dyn FnMut()>::new(move || {
            let is_over = refusing.ready_state() == EventSource::CLOSED;
            lost(if is_over { Connection::Refused } else { Connection::Reconnecting });
        });
        source.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        source.set_onopen(Some(on_open.as_ref().unchecked_ref()));
        source.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        // The page is their owner: they end with it.
        on_message.forget();
        on_open.forget();
        on_error.forget();
    }

    /// Puts a mark before the title of the page, which the tab shows.
    pub fn mark_title(mark: char) {
        document().set_title(&format!("{mark} {}", document().title()));
    }

    /// Opens an address in place of this page, unless the tab is hidden.
    pub fn open_if_seen(address: &str) {
        if !document().hidden() {
            let _ = window().location().replace(address);
        }
    }
}

#[cfg(not(feature = "hydrate"))]
mod absent {
    use super::Connection;

    pub fn uptime_ms() -> i64 {
        0
    }

    pub fn follow(_: &str, _: impl FnMut(&str) -> bool + 'static, _: impl Fn(Connection) + Clone + 'static) {}

    pub fn mark_title(_: char) {}

    pub fn open_if_seen(_: &str) {}
}
