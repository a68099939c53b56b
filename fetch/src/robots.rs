//! robots.txt rules by RFC 9309, cached per site.
//!
//! Invariant: parsing and memory are bounded, because a site writes its rules as it likes.

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

domain::settings! {
    /// The `fetch.robots` part of the configuration.
    #[derive(Debug, Clone, Deserialize)]
    pub struct RobotsConfig {
        /// Lifetime of rules.
        pub ttl_ms: u64 = 86_400_000,
        /// Lifetime of a failure to read robots.txt, during which the site is not fetched.
        pub error_ttl_ms: u64 = 600_000,
        /// Bytes read of a robots.txt; at least 500 KiB by RFC 9309, section 2.5.
        pub max_bytes: u64 = 512 * 1024,
        /// Lines read of a robots.txt, without blank ones and comments; the rest is ignored.
        pub max_lines: usize = 5_000,
        /// Memory for the rules of all sites; the least used are evicted first.
        pub max_cache_bytes: u64 = 64 * 1024 * 1024,
    }
}

/// Rules of one site.
#[derive(Debug, Clone)]
pub(crate) enum SiteRules {
    /// No rules.
    Open,
    Rules(Arc<ParsedRules>),
    /// The rules cannot be read at the moment, so nothing may be fetched.
    Unavailable(Arc<FetchError>),
}

/// Rules of a readable robots.txt.
#[derive(Debug)]
pub(crate) struct ParsedRules {
    robot: Robot,
    /// Estimate of their memory.
    bytes: u32,
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
        let sites = Cache::builder().max_capacity(config.max_cache_bytes).weigher(|key: &String, site: &SiteRules| {
            let rules = if let SiteRules::Rules(rules) = site { rules.bytes } else { 0 };
            rules.saturating_add(SITE_BYTES).saturating_add(key.len() as u32)
        });
        Self { sites: sites.expire_after(expiry).build() }
    }

    /// Rules of a site, loaded by `load` if missing. Concurrent callers share one load.
    pub async fn site(&self, url: &Url, load: impl Future<Output = SiteRules>) -> SiteRules {
        let key =
            format!("{}://{}:{}", url.scheme(), url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(0));
        self.sites.get_with(key, load).await
    }
}

/// Memory of a cached site without its rules, of a rule beside its text, and of a rule with `$`, which becomes a regular expression.
const SITE_BYTES: u32 = 512;
const RULE_BYTES: u32 = 160;
const EXPRESSION_BYTES: u32 = 8 * 1024;

/// Rules from the response to a request for robots.txt. They are parsed on a thread for long computations.
pub(crate) async fn rules_from_response(
    agent: &'static str,
    answer: Result<(u16, Bytes), FetchError>,
    config: &RobotsConfig,
) -> SiteRules {
    match answer {
        Ok((200..=299, bytes)) => {
            let (max_bytes, max_lines) = (config.max_bytes as usize, config.max_lines);
            let parsed =
                tokio::task::spawn_blocking(move || parse(agent, &bytes[..bytes.len().min(max_bytes)], max_lines)).await;
            match parsed {
                Ok(rules) => rules.map_or(SiteRules::Open, |rules| SiteRules::Rules(Arc::new(rules))),
                Err(error) => {
                    tracing::warn!(%error, "robots.txt parser failed, site not fetched");
                    let message = "The site's robots.txt cannot be read, so its pages are not fetched.";
                    SiteRules::Unavailable(Arc::new(FetchError::new(FetchFailure::Robots, message.to_owned())))
                }
            }
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

/// Rules of the first `max_lines` lines; `None` if there are none.
fn parse(agent: &str, text: &[u8], max_lines: usize) -> Option<ParsedRules> {
    let (mut lines, mut end, mut bytes) = (0, 0, 0_u32);
    for line in text.split_inclusive(|byte| matches!(byte, b'\n' | b'\r' | 0)) {
        let content = line.trim_ascii();
        let is_read = !content.is_empty() && !content.starts_with(b"#") && content != b"\0";
        if is_read && lines == max_lines {
            tracing::debug!(max_lines, "robots.txt cut, fetch.robots.max_lines reached");
            break;
        }
        end += line.len();
        if is_read {
            lines += 1;
            let expression = if line.contains(&b'$') { EXPRESSION_BYTES } else { 0 };
            bytes = bytes.saturating_add(2 * line.len() as u32 + RULE_BYTES + expression);
        }
    }
    Robot::new(agent, &text[..end]).ok().map(|robot| ParsedRules { robot, bytes })
}

impl SiteRules {
    /// Crawl delay of the site, or the reason why the page must not be fetched.
    pub fn check(&self, url: &Url) -> Result<Option<Duration>, FetchError> {
        match self {
            Self::Open => Ok(None),
            Self::Unavailable(why) => Err(FetchError::clone(why)),
            Self::Rules(rules) if rules.robot.allowed(url.as_str()) => {
                Ok(rules.robot.delay.filter(|delay| *delay > 0.0).and_then(|delay| Duration::try_from_secs_f32(delay).ok()))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(rules: &ParsedRules, path: &str) -> bool {
        rules.robot.allowed(&format!("https://a.example{path}"))
    }

    #[test]
    fn a_file_of_many_rules_is_read_up_to_the_limit() {
        let flood = format!("# one\n\nUser-agent: *\nDisallow: /first\n{}Disallow: /last\n", "Disallow: /a$\n".repeat(37_000));
        let rules = parse(PRODUCT, flood.as_bytes(), 5_000).unwrap();
        assert!(!is_allowed(&rules, "/first") && !is_allowed(&rules, "/a") && is_allowed(&rules, "/last"));
        assert!(rules.bytes > 4_998 * EXPRESSION_BYTES && rules.bytes < 5_000 * (EXPRESSION_BYTES + 1_024), "{}", rules.bytes);
        let short = b"User-agent: *\rDisallow: /first\0Disallow: /last";
        let rules = parse(PRODUCT, short, 3).unwrap();
        assert!(!is_allowed(&rules, "/last") && rules.bytes < 1_000, "{}", rules.bytes);
        assert!(is_allowed(&parse(PRODUCT, short, 2).unwrap(), "/last"));
    }

    #[tokio::test]
    async fn the_cache_counts_bytes() {
        let config = RobotsConfig { max_cache_bytes: 64 * 1024, ..RobotsConfig::default() };
        let cache = RobotsCache::new(&config);
        let text = Bytes::from(format!("User-agent: *\n{}", "Disallow: /some/path\n".repeat(100)));
        for site in 0..100 {
            let url = Url::parse(&format!("https://s{site}.example/")).unwrap();
            cache.site(&url, rules_from_response(PRODUCT, Ok((200, text.clone())), &config)).await;
        }
        cache.sites.run_pending_tasks().await;
        assert!((1..=4).contains(&cache.sites.entry_count()), "{}", cache.sites.entry_count());
        assert!(cache.sites.weighted_size() <= 64 * 1024);
    }
}
