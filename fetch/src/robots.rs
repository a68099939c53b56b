//! robots.txt rules by RFC 9309, cached per site.

use bytes::Bytes;
use domain::fetch::{FetchError, FetchFailure};
use moka::{Expiry, future::Cache};
use serde::Deserialize;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use texting_robots::Robot;
use url::Url;

/// The `fetch.robots` part of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RobotsConfig {
    /// Lifetime of rules.
    pub ttl_ms: u64,
    /// Lifetime of a failure to read robots.txt, during which the site is not fetched.
    pub error_ttl_ms: u64,
    /// Bytes read of a robots.txt; at least 500 KiB by RFC 9309, section 2.5.
    pub max_bytes: u64,
    /// Cached sites.
    pub max_sites: u64,
}

impl Default for RobotsConfig {
    fn default() -> Self {
        Self { ttl_ms: 86_400_000, error_ttl_ms: 600_000, max_bytes: 512 * 1024, max_sites: 2_000 }
    }
}

/// Rules of one site.
#[derive(Debug, Clone)]
pub(crate) enum SiteRules {
    /// No rules.
    Open,
    Rules(Arc<Robot>),
    /// The rules cannot be read at the moment, so nothing may be fetched.
    Unavailable(Arc<FetchError>),
}

/// Cache of rules by site.
#[derive(Debug)]
pub(crate) struct RobotsCache {
    sites: Cache<String, SiteRules>,
}

impl RobotsCache {
    pub fn new(config: &RobotsConfig) -> Self {
        let expiry = RobotsExpiry {
            readable: Duration::from_millis(config.ttl_ms),
            unavailable: Duration::from_millis(config.error_ttl_ms),
        };
        Self { sites: Cache::builder().max_capacity(config.max_sites).expire_after(expiry).build() }
    }

    /// Rules of a site, loaded by `load` if missing. Concurrent callers share one load.
    pub async fn site(&self, url: &Url, load: impl Future<Output = SiteRules>) -> SiteRules {
        let key =
            format!("{}://{}:{}", url.scheme(), url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(0));
        self.sites.get_with(key, load).await
    }
}

/// Rules from the response to a request for robots.txt.
pub(crate) fn rules_from_response(agent: &str, answer: Result<(u16, Bytes), FetchError>, max_bytes: u64) -> SiteRules {
    match answer {
        Ok((200..=299, bytes)) => {
            let read = &bytes[..bytes.len().min(max_bytes as usize)];
            Robot::new(agent, read).map_or(SiteRules::Open, |robot| SiteRules::Rules(Arc::new(robot)))
        }
        Ok((status @ (429 | 500..=599), _)) => {
            let message = format!(
                "The site's robots.txt is unavailable (status {status}), so its pages are not fetched; try again later."
            );
            SiteRules::Unavailable(Arc::new(FetchError::new(FetchFailure::Robots, message)))
        }
        Ok(_) => SiteRules::Open,
        // A refused address keeps its own reason.
        Err(error) if error.reason == FetchFailure::Refused => SiteRules::Unavailable(Arc::new(error)),
        Err(error) => SiteRules::Unavailable(Arc::new(error)),
    }
}

impl SiteRules {
    /// Crawl delay of the site, or the reason why the page must not be fetched.
    pub fn check(&self, url: &Url) -> Result<Option<Duration>, FetchError> {
        match self {
            Self::Open => Ok(None),
            Self::Unavailable(why) => Err(FetchError::clone(why)),
            Self::Rules(robot) if robot.allowed(url.as_str()) => {
                Ok(robot.delay.filter(|delay| *delay > 0.0).and_then(|delay| Duration::try_from_secs_f32(delay).ok()))
            }
            Self::Rules(_) => {
                let host = url.host_str().unwrap_or("the site");
                let message =
                    format!("{host} forbids programs to read this page (robots.txt); read it yourself and add it as a file.");
                Err(FetchError::new(FetchFailure::Robots, message))
            }
        }
    }
}

/// Lifetimes of readable and unavailable rules.
#[derive(Debug)]
struct RobotsExpiry {
    readable: Duration,
    unavailable: Duration,
}

impl Expiry<String, SiteRules> for RobotsExpiry {
    fn expire_after_create(&self, _: &String, site: &SiteRules, _: Instant) -> Option<Duration> {
        Some(if matches!(site, SiteRules::Unavailable(_)) { self.unavailable } else { self.readable })
    }
}

/// Product token in robots.txt.
pub(crate) const PRODUCT: &str = "AutOSINT";

/// `User-Agent` header, with the operator's contact if there is one.
pub(crate) fn agent(contact: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match contact.trim() {
        "" => format!("{PRODUCT}/{version}"),
        contact => format!("{PRODUCT}/{version} (+{contact})"),
    }
}
