//! Where exceptions of the address rules hold in a context: at the host that it was opened at, and only until it shows another one.
//!
//! Invariant: what a page of another host has left behind in the context, such as a worker or an open connection, finds nothing excepted.

use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;
use url::Url;

#[derive(Debug, Default)]
pub(in crate::browser) struct Home {
    place: Mutex<Place>,
    left: CancellationToken,
}

#[derive(Debug, Default)]
enum Place {
    /// Nothing has been asked for yet.
    #[default]
    Nowhere,
    At(Url),
    Left,
}

impl Home {
    /// The main frame is to show `url`.
    pub fn shows(&self, url: &Url) {
        if !url.has_host() {
            return;
        }
        let mut place = self.place();
        *place = match &*place {
            Place::Nowhere => Place::At(url.clone()),
            Place::At(home) if home.host_str() == url.host_str() => return,
            Place::At(_) | Place::Left => Place::Left,
        };
        if matches!(*place, Place::Left) {
            self.left.cancel();
        }
    }

    /// An address of the host at which exceptions hold; none: they hold nowhere.
    pub fn address(&self) -> Option<Url> {
        match &*self.place() {
            Place::At(url) => Some(url.clone()),
            Place::Nowhere | Place::Left => None,
        }
    }

    /// Cancelled when the context shows another host: connections that were excepted end then.
    pub fn left(&self) -> &CancellationToken {
        &self.left
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_is_the_first_host_until_another_one_is_shown() {
        let home = Home::default();
        let shown = |address: &str| {
            home.shows(&Url::parse(address).unwrap());
            home.address().and_then(|url| url.host_str().map(str::to_owned))
        };
        let wiki = Some("wiki.example.org".to_owned());
        assert_eq!(shown("about:blank"), None);
        assert_eq!(shown("http://wiki.example.org/a"), wiki);
        assert_eq!(shown("https://wiki.example.org:8443/b"), wiki);
        assert_eq!(shown("about:srcdoc"), wiki);
        assert!(!home.left().is_cancelled());
        assert_eq!(shown("http://news.example.org/"), None);
        assert!(home.left().is_cancelled());
        assert_eq!(shown("http://wiki.example.org/a"), None, "who has left does not come back");
    }
}
