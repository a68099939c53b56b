//! What robots.txt of a site allows, read as RFC 9309 says and kept for a while.

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
    /// How long what a site says is kept.
    pub ttl_ms: u64,
    /// How long a site is left alone whose robots.txt cannot be read.
    pub error_ttl_ms: u64,
    /// What is longer is cut there; at least 500 KiB are to be read (RFC 9309, section 2.5).
    pub max_bytes: u64,
    /// Sites that are remembered.
    pub max_sites: u64,
}

impl Default for RobotsConfig {
    fn default() -> Self {
        Self { ttl_ms: 86_400_000, error_ttl_ms: 600_000, max_bytes: 512 * 1024, max_sites: 2_000 }
    }
}

/// What is known of one site.
#[derive(Debug, Clone)]
pub(crate) enum Site {
    /// It has no rules.
    Open,
    Ruled(Arc<Robot>),
    /// Its rules cannot be read at the moment, so nothing is taken from it.
    Closed(Arc<FetchError>),
}

/// The rules of sites, each read once while it is kept.
#[derive(Debug)]
pub(crate) struct Robots {
    sites: Cache<String, Site>,
}

impl Robots {
    pub fn new(config: &RobotsConfig) -> Self {
        let lives = Lives { known: Duration::from_millis(config.ttl_ms), closed: Duration::from_millis(config.error_ttl_ms) };
        Self { sites: Cache::builder().max_capacity(config.max_sites).expire_after(lives).build() }
    }

    /// The rules of a site, by `load` where they are not known; who asks meanwhile waits for the same answer.
    pub async fn site(&self, url: &Url, load: impl Future<Output = Site>) -> Site {
        let key =
            format!("{}://{}:{}", url.scheme(), url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(0));
        self.sites.get_with(key, load).await
    }
}

/// What the answer to the question for robots.txt means.
pub(crate) fn site_of(agent: &str, answer: Result<(u16, Bytes), FetchError>, max_bytes: u64) -> Site {
    match answer {
        Ok((200..=299, bytes)) => {
            let read = &bytes[..bytes.len().min(max_bytes as usize)];
            Robot::new(agent, read).map_or(Site::Open, |robot| Site::Ruled(Arc::new(robot)))
        }
        Ok((status @ (429 | 500..=599), _)) => {
            let message =
                format!("robots.txt of the site cannot be read at the moment (status {status}), so nothing is taken from it.");
            Site::Closed(Arc::new(FetchError::new(FetchFailure::Robots, message)))
        }
        Ok(_) => Site::Open,
        // An address that may not be reached at all is said as such.
        Err(error) if error.reason == FetchFailure::Refused => Site::Closed(Arc::new(error)),
        Err(error) => Site::Closed(Arc::new(error)),
    }
}

impl Site {
    /// The delay that the site asks for; or why the page is not fetched.
    pub fn check(&self, url: &Url) -> Result<Option<Duration>, FetchError> {
        match self {
            Self::Open => Ok(None),
            Self::Closed(why) => Err(FetchError::clone(why)),
            Self::Ruled(robot) if robot.allowed(url.as_str()) => {
                Ok(robot.delay.filter(|delay| *delay > 0.0).and_then(|delay| Duration::try_from_secs_f32(delay).ok()))
            }
            Self::Ruled(_) => {
                let host = url.host_str().unwrap_or("the site");
                let message = format!(
                    "{host} asks programs to stay away from this page (robots.txt); read it yourself and add it as a file."
                );
                Err(FetchError::new(FetchFailure::Robots, message))
            }
        }
    }
}

/// How long each is kept.
#[derive(Debug)]
struct Lives {
    known: Duration,
    closed: Duration,
}

impl Expiry<String, Site> for Lives {
    fn expire_after_create(&self, _: &String, site: &Site, _: Instant) -> Option<Duration> {
        Some(if matches!(site, Site::Closed(_)) { self.closed } else { self.known })
    }
}

/// The name that robots.txt knows us by.
pub(crate) const PRODUCT: &str = "AutOSINT";

/// How the program names itself to servers: honestly, with who runs it where that is said.
pub(crate) fn agent(contact: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match contact.trim() {
        "" => format!("{PRODUCT}/{version}"),
        contact => format!("{PRODUCT}/{version} (+{contact})"),
    }
}
