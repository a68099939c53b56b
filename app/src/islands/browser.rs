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

/// A chosen file.
#[derive(Debug, Clone, PartialEq)]
pub struct ChosenFile {
    pub name: String,
    pub size_bytes: u64,
}

#[cfg(feature = "hydrate")]
mod present {
    use super::{ChosenFile, Connection};
    use leptos::prelude::{document, event_target, window};
    use wasm_bindgen::{JsCast, closure::Closure};
    use web_sys::{Event, EventSource, HtmlElement, HtmlInputElement, MessageEvent};

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

    /// The chosen colours: `light`, `dark`, or none for those of the system.
    pub fn theme() -> Option<String> {
        window().local_storage().ok().flatten()?.get_item("theme").ok().flatten()
    }

    /// Applies and remembers a choice. Where nothing can be remembered, it holds for this page.
    pub fn set_theme(theme: Option<&str>) {
        let Some(root) = document().document_element().and_then(|root| root.dyn_into::<HtmlElement>().ok()) else { return };
        let storage = window().local_storage().ok().flatten();
        match theme {
            Some(theme) => {
                let _ = root.dataset().set("theme", theme);
                storage.map(|storage| storage.set_item("theme", theme));
            }
            None => {
                root.dataset().delete("theme");
                storage.map(|storage| storage.remove_item("theme"));
            }
        }
    }

    /// The files chosen in the input that an event came from.
    pub fn chosen_files(event: &Event) -> Vec<ChosenFile> {
        files_in(&event_target::<HtmlInputElement>(event))
    }

    /// The files that an input holds.
    pub fn files_in(input: &HtmlInputElement) -> Vec<ChosenFile> {
        let Some(files) = input.files() else { return vec![] };
        (0..files.length())
            .filter_map(|place| files.get(place))
            .map(|file| ChosenFile { name: file.name(), size_bytes: file.size() as u64 })
            .collect()
    }
}

#[cfg(not(feature = "hydrate"))]
mod absent {
    use super::{ChosenFile, Connection};

    pub fn uptime_ms() -> i64 {
        0
    }

    pub fn follow(_: &str, _: impl FnMut(&str) -> bool + 'static, _: impl Fn(Connection) + Clone + 'static) {}

    pub fn mark_title(_: char) {}

    pub fn theme() -> Option<String> {
        None
    }

    pub fn set_theme(_: Option<&str>) {}

    pub fn chosen_files<E>(_: &E) -> Vec<ChosenFile> {
        vec![]
    }

    pub fn files_in<E>(_: &E) -> Vec<ChosenFile> {
        vec![]
    }
}
