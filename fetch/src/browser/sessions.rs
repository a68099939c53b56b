//! Browser sessions: a page that stays open between steps, for its owner only, until it is closed or idle.

use super::{
    Browser, BrowserPage,
    tab::{Tab, impossible},
};
use domain::fetch::{BrowseCommand, FetchError, FetchFailure};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

/// Open sessions by number.
#[derive(Default)]
pub(super) struct Sessions {
    next: u64,
    open: HashMap<u64, Arc<Session>>,
    /// Number of open sessions.
    count: watch::Sender<usize>,
}

impl Sessions {
    fn publish_count(&self) {
        metrics::gauge!("autosint_browser_sessions").set(self.open.len() as f64);
        self.count.send_replace(self.open.len());
    }
}

struct Session {
    owner: String,
    /// Hosts on which fields may be filled.
    sites: Vec<String>,
    /// `None` while the page is being opened, and after a step has ended the session.
    tab: tokio::sync::Mutex<Option<Tab>>,
    used_at: Mutex<Instant>,
}

/// Session that is being opened. Unless it is kept, dropping it removes the session.
struct PendingSession<'a> {
    browser: &'a Browser,
    id: u64,
    session: Arc<Session>,
    is_kept: bool,
}

impl PendingSession<'_> {
    fn keep(mut self) -> u64 {
        self.is_kept = true;
        self.id
    }
}

impl Drop for PendingSession<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            self.browser.remove(self.id);
        }
    }
}

impl Browser {
    /// Opens a session with an address. Only `owner` can use it. Fields are filled only on the hosts in `sites`.
    pub async fn open(&self, owner: &str, url: &str, sites: &[String]) -> Result<(String, BrowserPage), FetchError> {
        let pending = self.begin(owner, sites)?;
        let tab = self.tab(url).await?;
        let patience = Duration::from_millis(self.inner.config.load_timeout_ms);
        let browsed = self.read_success(url, tab.navigate(url, None, patience).await?).await?;
        *pending.session.tab.lock().await = Some(tab);
        *pending.session.used_at.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        tokio::spawn(close_when_idle(Arc::downgrade(&self.inner), pending.id));
        Ok((pending.keep().to_string(), browsed))
    }

    /// Registers a session without a page, if its owner is below the limit.
    fn begin(&self, owner: &str, sites: &[String]) -> Result<PendingSession<'_>, FetchError> {
        let limit = self.inner.config.max_sessions_per_owner.max(1);
        let mut sessions = self.sessions();
        if sessions.open.values().filter(|session| session.owner == owner).count() >= limit {
            let message =
                format!("{limit} pages are already open (`fetch.browser.max_sessions_per_owner`): close one of them first.");
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
        sessions.publish_count();
        Ok(PendingSession { browser: self, id, session, is_kept: false })
    }

    /// Executes one step.
    pub async fn step(&self, owner: &str, session: &str, command: &BrowseCommand) -> Result<BrowserPage, FetchError> {
        let (id, session) = self.session(owner, session)?;
        let tab = session.tab.lock().await;
        let Some(open) = tab.as_ref() else { return Err(unknown_session()) };
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
        let snapshot = stepped?;
        if !address.is_empty() {
            // A step shows the page even with an error status; only `Retry-After` is honoured.
            let _ = self.check_response_status(&snapshot).await;
        }
        self.read(&address, snapshot).await
    }

    /// Closes a session.
    pub async fn close(&self, owner: &str, session: &str) -> Result<(), FetchError> {
        let (id, session) = self.session(owner, session)?;
        self.remove(id);
        session.tab.lock().await.take();
        Ok(())
    }

    /// Closes all sessions of an owner.
    pub async fn close_all(&self, owner: &str) {
        let left: Vec<u64> =
            self.sessions().open.iter().filter(|(_, session)| session.owner == owner).map(|(id, _)| *id).collect();
        for id in left {
            let _ = self.close(owner, &id.to_string()).await;
        }
    }

    /// Whether an owner has this session open.
    pub(crate) fn has_session(&self, owner: &str, session: &str) -> bool {
        self.session(owner, session).is_ok()
    }

    /// Number of open sessions and its changes, for tests.
    pub fn open_sessions(&self) -> watch::Receiver<usize> {
        self.sessions().count.subscribe()
    }

    fn session(&self, owner: &str, session: &str) -> Result<(u64, Arc<Session>), FetchError> {
        let id: u64 = session.parse().map_err(|_| unknown_session())?;
        let found = self.sessions().open.get(&id).filter(|found| found.owner == owner).cloned();
        found.map(|found| (id, found)).ok_or_else(unknown_session)
    }

    fn remove(&self, id: u64) {
        let mut sessions = self.sessions();
        sessions.open.remove(&id);
        sessions.publish_count();
    }

    fn sessions(&self) -> std::sync::MutexGuard<'_, Sessions> {
        self.inner.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown_session() -> FetchError {
    impossible("the session no longer exists: open the page again")
}

/// Closes a session when it is idle or too old.
async fn close_when_idle(inner: Weak<super::Inner>, id: u64) {
    let opened_at = Instant::now();
    loop {
        let Some(browser) = inner.upgrade().map(|inner| Browser { inner }) else { return };
        let Some(session) = browser.sessions().open.get(&id).cloned() else { return };
        let used_at = *session.used_at.lock().unwrap_or_else(PoisonError::into_inner);
        let config = &browser.inner.config;
        let idle_until = used_at + Duration::from_millis(config.session_idle_ms);
        let until = idle_until.min(opened_at + Duration::from_millis(config.session_max_ms));
        if until <= Instant::now() {
            // A step that is in progress is the last one.
            session.tab.lock().await.take();
            browser.remove(id);
            return;
        }
        drop((session, browser));
        sleep_until(until).await;
    }
}
