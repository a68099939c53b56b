//! Sessions in the browser: a page that stays open between steps, for its owner alone, until it is closed or left alone.

use super::{
    Browsed, Browser,
    tab::{Tab, impossible},
};
use domain::fetch::{BrowseCommand, FetchError, FetchFailure};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};
use tokio::time::{Instant, sleep_until};

/// All that are open, by number.
#[derive(Default)]
pub(super) struct Sessions {
    next: u64,
    open: HashMap<u64, Arc<Session>>,
}

struct Session {
    owner: String,
    /// Where fields may be filled.
    sites: Vec<String>,
    /// None: it is being opened, or a step has ended it.
    tab: tokio::sync::Mutex<Option<Tab>>,
    used_at: Mutex<Instant>,
}

/// A session that is being opened. Where nothing comes of it, it was never there.
struct Begun<'a> {
    browser: &'a Browser,
    id: u64,
    session: Arc<Session>,
    is_kept: bool,
}

impl Begun<'_> {
    fn keep(mut self) -> u64 {
        self.is_kept = true;
        self.id
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            self.browser.remove(self.id);
        }
    }
}

impl Browser {
    /// Opens a session with an address. Only `owner` can use it; fields are filled only on `sites`, which are names of hosts.
    pub async fn open(&self, owner: &str, url: &str, sites: &[String]) -> Result<(String, Browsed), FetchError> {
        let begun = self.begin(owner, sites)?;
        let tab = self.tab(url).await?;
        let patience = Duration::from_millis(self.inner.config.load_timeout_ms);
        let browsed = self.answered(url, tab.navigate(url, None, patience).await?).await?;
        *begun.session.tab.lock().await = Some(tab);
        *begun.session.used_at.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        tokio::spawn(close_when_left(Arc::downgrade(&self.inner), begun.id));
        Ok((begun.keep().to_string(), browsed))
    }

    /// Enters a session that has no page yet, where its owner may have another one.
    fn begin(&self, owner: &str, sites: &[String]) -> Result<Begun<'_>, FetchError> {
        let limit = self.inner.config.max_sessions_per_owner.max(1);
        let mut sessions = self.sessions();
        if sessions.open.values().filter(|session| session.owner == owner).count() >= limit {
            let message =
                format!("{limit} pages are open already (`fetch.browser.max_sessions_per_owner`): close one of them first.");
            return Err(FetchError::new(FetchFailure::Busy, message));
        }
        let session = Arc::new(Session {
            owner: owner.to_owned(),
            sites: sites.iter().map(|site| site.to_ascii_lowercase()).collect(),
            tab: tokio::sync::Mutex::default(),
            used_at: Mutex::new(Instant::now()),
        });
        sessions.next += 1;
        let id = sessions.next;
        sessions.open.insert(id, session.clone());
        metrics::gauge!("autosint_browser_sessions").increment(1);
        Ok(Begun { browser: self, id, session, is_kept: false })
    }

    /// Takes one step in a session.
    pub async fn step(&self, owner: &str, session: &str, command: &BrowseCommand) -> Result<Browsed, FetchError> {
        let (id, session) = self.session(owner, session)?;
        let tab = session.tab.lock().await;
        let Some(open) = tab.as_ref() else { return Err(unknown()) };
        let address = match command {
            BrowseCommand::Navigate { url } => url.clone(),
            _ => String::new(),
        };
        let stepped = open.step(command, &session.sites).await;
        let crashed = stepped.as_ref().is_err_and(|error| error.reason == FetchFailure::Crashed);
        let ended = crashed || open.running().ended.is_cancelled();
        drop(tab);
        *session.used_at.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        if ended {
            self.remove(id);
        }
        let shown = stepped?;
        if !address.is_empty() {
            // A step shows what there is; only that the host wants to be left alone is heeded.
            let _ = self.is_answered(&shown).await;
        }
        self.read(&address, shown).await
    }

    /// Closes a session.
    pub async fn close(&self, owner: &str, session: &str) -> Result<(), FetchError> {
        let (id, session) = self.session(owner, session)?;
        self.remove(id);
        session.tab.lock().await.take();
        Ok(())
    }

    /// Closes all that an owner has left open.
    pub async fn close_all(&self, owner: &str) {
        let left: Vec<u64> =
            self.sessions().open.iter().filter(|(_, session)| session.owner == owner).map(|(id, _)| *id).collect();
        for id in left {
            let _ = self.close(owner, &id.to_string()).await;
        }
    }

    /// Whether an owner has it open.
    pub(crate) fn has_session(&self, owner: &str, session: &str) -> bool {
        self.session(owner, session).is_ok()
    }

    /// How many are open.
    pub fn open_sessions(&self) -> usize {
        self.sessions().open.len()
    }

    fn session(&self, owner: &str, session: &str) -> Result<(u64, Arc<Session>), FetchError> {
        let id: u64 = session.parse().map_err(|_| unknown())?;
        let found = self.sessions().open.get(&id).filter(|found| found.owner == owner).cloned();
        found.map(|found| (id, found)).ok_or_else(unknown)
    }

    fn remove(&self, id: u64) {
        if self.sessions().open.remove(&id).is_some() {
            metrics::gauge!("autosint_browser_sessions").decrement(1);
        }
    }

    fn sessions(&self) -> std::sync::MutexGuard<'_, Sessions> {
        self.inner.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown() -> FetchError {
    impossible("there is no such session any more: open the page again")
}

/// Closes a session that nobody has used for long, or that has been open for too long.
async fn close_when_left(inner: Weak<super::Inner>, id: u64) {
    let opened_at = Instant::now();
    loop {
        let Some(browser) = inner.upgrade().map(|inner| Browser { inner }) else { return };
        let Some(session) = browser.sessions().open.get(&id).cloned() else { return };
        let used_at = *session.used_at.lock().unwrap_or_else(PoisonError::into_inner);
        let config = &browser.inner.config;
        let idle_until = used_at + Duration::from_millis(config.session_idle_ms);
        let until = idle_until.min(opened_at + Duration::from_millis(config.session_max_ms));
        if until <= Instant::now() {
            // A step that runs just now is the last one.
            session.tab.lock().await.take();
            browser.remove(id);
            return;
        }
        drop((session, browser));
        sleep_until(until).await;
    }
}
