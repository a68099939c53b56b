//! Settings of the feature, `[features.share]`.

use domain::user::Role;
use serde::Deserialize;

/// Longest life of a link that can be configured, in days.
const MOST_DAYS: u32 = 3_650;
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// People who may share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharers {
    Nobody,
    Admins,
    /// Analysts and administrators.
    #[default]
    Analysts,
    Everybody,
}

domain::settings! {
    /// Right to share, life of links, and limits of their pages.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct ShareSettings {
        /// People who may share. Links of others answer with 404.
        pub who: Sharers = Sharers::default(),
        /// Public address of this server, such as `https://osint.example`. Links and previews begin with it; empty: the address that the
        /// sharing person uses, and no picture in previews.
        pub address: String = String::new(),
        /// Life of a link in days, as its form proposes it.
        pub days: u32 = 30,
        /// Longest life of a link in days.
        pub max_days: u32 = 365,
        /// Links of one person.
        pub per_person: u32 = 100,
        /// Requests per minute from one network.
        pub per_minute: u32 = 120,
        /// Age in milliseconds at which a page is rendered again. Another process shows a revoked link for as long.
        pub fresh_ms: u64 = 5_000,
        /// Rendered pages in memory.
        pub cached_pages: u64 = 256,
    }
}

impl ShareSettings {
    /// Returns whether a role may share.
    pub fn may_share(&self, role: Role) -> bool {
        match self.who {
            Sharers::Nobody => false,
            Sharers::Admins => role >= Role::Admin,
            Sharers::Analysts => role >= Role::Analyst,
            Sharers::Everybody => true,
        }
    }
}

impl feature::Settings for ShareSettings {
    fn problem(&self) -> Option<String> {
        let host = self.address.strip_prefix("https://").or_else(|| self.address.strip_prefix("http://"));
        let is_origin = host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', '"', ' ']));
        if !self.address.is_empty() && !is_origin {
            return Some(format!("address is {}; it must be like https://osint.example, without a path", self.address));
        }
        if !(1..=MOST_DAYS).contains(&self.max_days) {
            return Some(format!("max_days is {}; it must be from 1 to {MOST_DAYS}", self.max_days));
        }
        if !(1..=self.max_days).contains(&self.days) {
            return Some(format!("days is {}; it must be from 1 to max_days, {}", self.days, self.max_days));
        }
        if self.fresh_ms > DAY_MS {
            return Some(format!("fresh_ms is {}; it must be at most {DAY_MS}, a day", self.fresh_ms));
        }
        let counts = [("per_minute", u64::from(self.per_minute)), ("cached_pages", self.cached_pages)];
        counts.into_iter().find(|(_, count)| *count == 0).map(|(name, _)| format!("{name} is 0; it must be at least 1"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use feature::Settings;

    #[test]
    fn the_defaults_are_valid_and_wrong_values_are_named() {
        let defaults = ShareSettings::default();
        assert_eq!(defaults.problem(), None);
        let problem = |settings: ShareSettings| settings.problem().unwrap_or_default();
        let with_path = ShareSettings { address: "https://osint.example/x".into(), ..defaults.clone() };
        assert!(problem(with_path).starts_with("address is"));
        assert!(problem(ShareSettings { days: 400, ..defaults.clone() }).starts_with("days is 400"));
        assert!(problem(ShareSettings { fresh_ms: 2 * DAY_MS, ..defaults.clone() }).starts_with("fresh_ms is"));
        assert!(problem(ShareSettings { per_minute: 0, ..defaults }).starts_with("per_minute is 0"));
    }

    #[test]
    fn the_setting_decides_who_may_share() {
        let allowed = |who| {
            let settings = ShareSettings { who, ..ShareSettings::default() };
            Role::ALL.map(|role| settings.may_share(role))
        };
        assert_eq!(allowed(Sharers::Nobody), [false; 3]);
        assert_eq!(allowed(Sharers::Admins), [false, false, true]);
        assert_eq!(allowed(Sharers::Analysts), [false, true, true]);
        assert_eq!(allowed(Sharers::Everybody), [true; 3]);
    }
}
