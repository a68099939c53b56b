//! Scope of address exceptions in a browser context: the first host opened, until the context shows another one.
//!
//! Invariant: workers and open connections left behind by another host's page gain no exception.

use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;
use url::Url;

#[derive(Debug, Default)]
pub(in crate::browser) struct ExceptionScope {
    state: Mutex<State>,
    left: CancellationToken,
}

#[derive(Debug, Default)]
enum State {
    /// No address requested yet.
    #[default]
    Unset,
    At(Url),
    Left,
}

impl ExceptionScope {
    /// Records that the main frame is about to show `url`.
    pub fn main_frame_shows(&self, url: &Url) {
        if !url.has_host() {
            return;
        }
        let mut state = self.state();
        *state = match &*state {
            State::Unset => State::At(url.clone()),
            State::At(first) if first.host_str() == url.host_str() => return,
            State::At(_) | State::Left => State::Left,
        };
        if matches!(*state, State::Left) {
            self.left.cancel();
        }
    }

    /// Address of the host for which exceptions hold; `None` if they hold for no host.
    pub fn address(&self) -> Option<Url> {
        match &*self.state() {
            State::At(url) => Some(url.clone()),
            State::Unset | State::Left => None,
        }
    }

    /// Cancelled when the context shows another host; connections made by exception end then.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.left
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_hold_for_the_first_host_until_another_one_is_shown() {
        let scope = ExceptionScope::default();
        let shown = |address: &str| {
            scope.main_frame_shows(&Url::parse(address).unwrap());
            scope.address().and_then(|url| url.host_str().map(str::to_owned))
        };
        let wiki = Some("wiki.example.org".to_owned());
        assert_eq!(shown("about:blank"), None);
        assert_eq!(shown("http://wiki.example.org/a"), wiki);
        assert_eq!(shown("https://wiki.example.org:8443/b"), wiki);
        assert_eq!(shown("about:srcdoc"), wiki);
        assert!(!scope.cancellation().is_cancelled());
        assert_eq!(shown("http://news.example.org/"), None);
        assert!(scope.cancellation().is_cancelled());
        assert_eq!(shown("http://wiki.example.org/a"), None, "who has left does not come back");
    }
}
