//! Use cases of sources: enable and disable, keys, trials, and user-added feeds.

use super::{SettingError, Settings, checked};
use crate::{
    StoreResult,
    fetch::sources::{self, FailureScope, SourceQueryError},
    models::Secret,
};
use domain::{
    fetch::{FeedEntry, FoundFeed, KeyUse, SourceEntry, SourceQuery, language_of},
    user::{Action, User},
};
use std::collections::BTreeSet;
use views::settings::KeyState;
use views::sources::{SourceKey, SourceLine, SourcesView};

/// Prefix of stored source keys.
const PREFIX: &str = "source:";
/// Query of a source trial.
const TRIAL: &str = "world news";

/// Result of a source trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceTrial {
    /// Number of hits for the query words.
    Answered { hits: usize, words: &'static str },
    /// Failed; the source's statistics state the reason.
    Failed,
}

/// Returns the secret name of a source key.
pub fn source_key(source: &str) -> String {
    format!("{PREFIX}{source}")
}

/// Returns the source of a secret name.
pub fn source_of_key(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX)
}

/// Returns the environment variable of a source key: `AUTOSINT_SOURCE_KEY_NEWS_API`.
pub fn source_key_variable(source: &str) -> String {
    let word = source.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
    format!("AUTOSINT_SOURCE_KEY_{}", word.collect::<String>())
}

impl Settings {
    pub async fn sources(&self, viewer: &User) -> StoreResult<SourcesView> {
        let parts = &self.parts;
        let is_off = !parts.engine.config.web.enabled;
        let (mut known, problem) = match sources::list(&parts.engine).await {
            Ok(known) => (known, is_off.then(|| "the web is switched off (`engine.web.enabled`).".to_owned())),
            Err(SourceQueryError::Refused(why) | SourceQueryError::Unknown(why)) => (vec![], Some(why)),
            Err(SourceQueryError::Store(error)) => return Err(error),
        };
        let may_change = viewer.role.may(Action::Configure);
        let mut feeds = parts.engine.source_log.feeds().await?;
        sources::count_added_feeds(&mut known, &feeds);
        let stored = parts.keys.stored.names().await?;
        let mut lines = vec![];
        for (entry, mut record) in known {
            let key = if may_change { Some(self.source_key_state(&entry, &stored).await?) } else { None };
            record.health.last_error = record.health.last_error.filter(|_| may_change);
            lines.push(SourceLine {
                is_on: sources::is_on(&parts.engine, &entry.id, &record),
                health: record.health,
                documents: record.documents,
                claims: record.claims,
                key,
                entry,
            });
        }
        let mut built_in_feeds = match &parts.engine.catalogue {
            Some(catalogue) => catalogue.feeds().await.unwrap_or_default(),
            None => vec![],
        };
        if !may_change {
            feeds.clear();
            built_in_feeds.iter_mut().for_each(|feed| feed.address.clear());
        }
        let problem = problem.map(|why| if may_change { why } else { "an administrator can see the reason here.".to_owned() });
        Ok(SourcesView { may_change, sources: lines, problem, built_in_feeds, feeds, now: parts.engine.clock.now() })
    }

    async fn source_key_state(&self, entry: &SourceEntry, stored: &BTreeSet<String>) -> StoreResult<SourceKey> {
        let name = source_key(&entry.id);
        let state = match entry.key {
            KeyUse::None => KeyState::NotNeeded,
            used => self.parts.keys.state(&name, used == KeyUse::Required, stored).await?,
        };
        Ok(SourceKey { state, is_stored: stored.contains(&name), variable: source_key_variable(&entry.id) })
    }

    /// Enables or disables a source, or all ready ones.
    pub async fn switch_source(&self, by: &User, source: Option<&str>, is_on: bool) -> Result<(), SettingError> {
        let view = self.sources_to_change(by).await?;
        let act = if is_on { "switch_source_on" } else { "switch_source_off" };
        let ready = |line: &&SourceLine| match source {
            Some(id) => line.entry.id == id,
            None => line.is_on != is_on && (!is_on || !needs_something(line)),
        };
        let lines: Vec<&SourceLine> = view.sources.iter().filter(ready).collect();
        if source.is_some() && lines.is_empty() {
            return Err(SettingError::Unknown);
        }
        for line in lines {
            let entry = self.entry(by, act, &line.entry.id);
            self.parts.engine.source_log.switch_source(&line.entry.id, is_on, &entry).await?;
        }
        Ok(())
    }

    pub async fn store_source_key(&self, by: &User, source: &str, key: &Secret) -> Result<(), SettingError> {
        self.known_source(by, source).await?;
        let key = checked(key)?;
        Ok(self.parts.keys.stored.store(&source_key(source), &key, &self.entry(by, "store_key", source)).await?)
    }

    /// Removes the key of a source; no effect without one.
    pub async fn remove_source_key(&self, by: &User, source: &str) -> Result<(), SettingError> {
        self.known_source(by, source).await?;
        self.parts.keys.stored.remove(&source_key(source), &self.entry(by, "remove_key", source)).await?;
        Ok(())
    }

    /// Tries a source, enabled or not. The result also enters its statistics.
    pub async fn try_source(&self, by: &User, source: &str) -> Result<SourceTrial, SettingError> {
        self.known_source(by, source).await?;
        self.parts.engine.accounts.audit(&self.entry(by, "try_source", source)).await?;
        let query = SourceQuery { words: TRIAL.to_owned(), limit: 3, ..SourceQuery::default() };
        let engine = &self.parts.engine;
        let feeds = engine.source_log.feeds().await?;
        match sources::query_and_log(engine, source, &query, &feeds, FailureScope::Any).await {
            Ok(page) => Ok(SourceTrial::Answered { hits: page.hits.len(), words: TRIAL }),
            Err(SourceQueryError::Refused(_) | SourceQueryError::Unknown(_)) => Ok(SourceTrial::Failed),
            Err(SourceQueryError::Store(error)) => Err(error.into()),
        }
    }

    /// Adds the feed at an address. With several feeds none is added, and all are returned to choose from.
    pub async fn add_feed(&self, by: &User, address: &str, entry: FeedEntry) -> Result<Vec<FoundFeed>, SettingError> {
        self.may_configure(by)?;
        let engine = &self.parts.engine;
        let Some(catalogue) = &engine.catalogue else { return Err(SettingError::Unknown) };
        let found = catalogue.feeds_at(address.trim()).await.map_err(|failure| SettingError::NoFeed(failure.message))?;
        match &found[..] {
            [] => Err(SettingError::NoFeed("neither is it a feed, nor does it name one".to_owned())),
            [feed] => {
                let feed = FeedEntry {
                    title: feed.title.clone().unwrap_or_else(|| feed.address.clone()),
                    address: feed.address.clone(),
                    language: feed.language.as_deref().and_then(language_of).unwrap_or(entry.language),
                    ..entry
                };
                let note = self.entry(by, "add_feed", &feed.address);
                let feeds = [feed];
                self.has_room_for(&feeds).await?;
                engine.source_log.add_feeds(&feeds, &note).await?;
                Ok(vec![])
            }
            _ => Ok(found),
        }
    }

    /// Adds a list of feeds and returns how many are new. They are fetched only when searched.
    pub async fn import_feeds(&self, by: &User, feeds: &[FeedEntry]) -> Result<u64, SettingError> {
        self.may_configure(by)?;
        self.has_room_for(feeds).await?;
        let note = self.entry(by, "import_feeds", &format!("{} feeds", feeds.len()));
        Ok(self.parts.engine.source_log.add_feeds(feeds, &note).await?)
    }

    pub async fn remove_feed(&self, by: &User, address: &str) -> Result<(), SettingError> {
        self.may_configure(by)?;
        self.parts.engine.source_log.remove_feed(address, &self.entry(by, "remove_feed", address)).await?;
        Ok(())
    }

    /// Returns every followed feed: configured, then user-added. Their addresses may hold tokens.
    pub async fn feeds(&self, by: &User) -> Result<Vec<FeedEntry>, SettingError> {
        self.may_configure(by)?;
        let engine = &self.parts.engine;
        let mut feeds = match &engine.catalogue {
            Some(catalogue) => catalogue.feeds().await.unwrap_or_default(),
            None => vec![],
        };
        feeds.extend(engine.source_log.feeds().await?);
        Ok(feeds)
    }

    /// Checks the limit of user-added feeds.
    async fn has_room_for(&self, feeds: &[FeedEntry]) -> Result<(), SettingError> {
        let engine = &self.parts.engine;
        let mut addresses: BTreeSet<String> = engine.source_log.feeds().await?.into_iter().map(|feed| feed.address).collect();
        addresses.extend(feeds.iter().map(|feed| feed.address.clone()));
        (addresses.len() <= engine.config.web.max_feeds).then_some(()).ok_or(SettingError::TooManyFeeds)
    }

    fn may_configure(&self, by: &User) -> Result<(), SettingError> {
        by.role.may(Action::Configure).then_some(()).ok_or(SettingError::NotAllowed)
    }

    async fn sources_to_change(&self, by: &User) -> Result<SourcesView, SettingError> {
        self.may_configure(by)?;
        Ok(self.sources(by).await?)
    }

    async fn known_source(&self, by: &User, source: &str) -> Result<(), SettingError> {
        let view = self.sources_to_change(by).await?;
        view.sources.iter().any(|line| line.entry.id == source).then_some(()).ok_or(SettingError::Unknown)
    }
}

fn needs_something(line: &SourceLine) -> bool {
    use domain::fetch::Availability::{Off, Ready};
    !matches!(line.entry.availability, Off | Ready)
}
