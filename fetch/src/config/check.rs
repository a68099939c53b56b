//! Validation of the configuration before anything is opened.

use super::FetchConfig;
use crate::{guard::Exception, sources};
use domain::fetch::{REGIONS, WEB, WEBHOOK, is_language};
use std::collections::BTreeSet;
use url::{Host, Url};

impl FetchConfig {
    /// First invalid setting, with the remedy.
    pub fn problem(&self) -> Option<String> {
        self.url_problem()
            .or_else(|| self.feed_problem())
            .or_else(|| self.search_problem())
            .or_else(|| self.address_problem())
            .or_else(|| self.exception_problem())
            .or_else(|| self.pool_problem())
    }

    /// Ids of all sources that can be enabled.
    pub fn source_ids(&self) -> Vec<String> {
        sources::ids(&self.sources)
    }

    fn pool_problem(&self) -> Option<String> {
        let pool = &self.pool;
        let zero = [("parse_timeout_ms", pool.parse_timeout_ms), ("wait_timeout_ms", pool.wait_timeout_ms)];
        let (setting, _) = zero.into_iter().find(|(_, value)| *value == 0)?;
        Some(format!("fetch.pool.{setting} must be at least 1"))
    }

    /// Requests to the service carry its token and the keys of sources.
    fn url_problem(&self) -> Option<String> {
        let url = Url::parse(self.url.as_deref()?).ok()?;
        let is_loopback = match url.host()? {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(ip) => ip.is_loopback(),
            Host::Ipv6(ip) => ip.is_loopback(),
        };
        let is_refused = url.scheme() == "http" && !is_loopback && !self.url_plain_http;
        is_refused.then(|| {
            "fetch.url begins with http:// and is not on loopback, so that others could read the token and keys; \
             use https://, or set fetch.url_plain_http"
                .to_owned()
        })
    }

    fn feed_problem(&self) -> Option<String> {
        self.sources.feeds.iter().find_map(|feed| {
            let setting = format!("fetch.sources.feeds, {}:", feed.address);
            if !is_web(&feed.address) {
                return Some(format!("{setting} address must begin with http:// or https://"));
            }
            if !feed.region.is_empty() && !REGIONS.contains(&feed.region.as_str()) {
                return Some(format!(
                    "{setting} region '{}' is unknown; leave it empty or use one of: {}",
                    feed.region,
                    REGIONS.join(", ")
                ));
            }
            let is_wrong = !feed.language.is_empty() && !is_language(&feed.language);
            is_wrong.then(|| {
                format!("{setting} language '{}' is unknown; leave it empty or use ISO 639-1, such as en or ar", feed.language)
            })
        })
    }

    fn search_problem(&self) -> Option<String> {
        let shipped = sources::shipped_ids();
        let mut ids = BTreeSet::new();
        for search in &self.sources.searches {
            let id = search.id.as_str();
            let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            if id.is_empty() || !id.chars().all(is_word) {
                return Some(format!("fetch.sources.searches has the id '{id}'; ids consist of a to z, digits and _"));
            }
            let setting = format!("fetch.sources.searches, '{id}':");
            if shipped.iter().any(|shipped| shipped == id) || id == WEB {
                return Some(format!("{setting} a built-in source has this id; choose another"));
            }
            if !ids.insert(id) {
                return Some(format!("{setting} two searches have this id; change one of them"));
            }
            if !is_web(&search.address) {
                return Some(format!("{setting} address is '{}'; it must begin with http:// or https://", search.address));
            }
            if !std::iter::once(&search.address).chain(search.headers.values()).any(|text| text.contains("{words}")) {
                return Some(format!("{setting} address has no {{words}}, the placeholder for the query"));
            }
            for (key, value) in [("hit_address", &search.hit_address), ("hit_title", &search.hit_title)] {
                if value.is_empty() {
                    return Some(format!("{setting} {key} is missing: name the field of a hit that has it, such as \"url\""));
                }
            }
        }
        None
    }

    fn address_problem(&self) -> Option<String> {
        let ids = self.source_ids();
        self.sources.addresses.iter().find_map(|(id, address)| match (ids.contains(id), is_web(address)) {
            (false, _) => Some(format!("fetch.sources.addresses names the unknown source '{id}'; sources: {}", ids.join(", "))),
            (_, false) => Some(format!("fetch.sources.addresses.{id} is '{address}'; it must begin with http:// or https://")),
            _ => None,
        })
    }

    fn exception_problem(&self) -> Option<String> {
        let mut ids = self.source_ids();
        ids.extend([WEB.to_owned(), WEBHOOK.to_owned()]);
        self.http.exceptions.iter().find_map(|Exception { source, host, port }| {
            let setting = format!("fetch.http.exceptions, {source} at {host}:");
            if !ids.contains(source) {
                return Some(format!("{setting} unknown source '{source}'; use one of: {}", ids.join(", ")));
            }
            if !is_host(host) {
                return Some(format!(
                    "{setting} the host must be a name in lower case or an IP address, such as wiki.example.org or 10.0.0.5"
                ));
            }
            (*port == 0).then(|| format!("{setting} port is 0; it must be from 1 to 65535"))
        })
    }
}

fn is_web(address: &str) -> bool {
    address.starts_with("http://") || address.starts_with("https://")
}

/// Whether a text is a host as it appears in an address, without brackets.
fn is_host(host: &str) -> bool {
    let parsed = if host.contains(':') { Host::parse(&format!("[{host}]")) } else { Host::parse(host) };
    match parsed {
        Ok(Host::Domain(name)) => name.trim_end_matches('.') == host,
        Ok(Host::Ipv4(ip)) => ip.to_string() == host,
        Ok(Host::Ipv6(ip)) => ip.to_string() == host,
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::JsonSearch;
    use domain::fetch::FeedEntry;

    fn search() -> JsonSearch {
        JsonSearch {
            id: "own".into(),
            name: "Own".into(),
            address: "https://search.example/?q={words}".into(),
            hit_address: "url".into(),
            hit_title: "title".into(),
            ..JsonSearch::default()
        }
    }

    fn problem(change: impl FnOnce(&mut FetchConfig, &mut JsonSearch)) -> String {
        let (mut config, mut own) = (FetchConfig::default(), search());
        change(&mut config, &mut own);
        config.sources.searches.push(own);
        config.problem().unwrap_or_default()
    }

    fn feed(address: &str, region: &str, language: &str) -> String {
        let entry =
            FeedEntry { address: address.into(), region: region.into(), language: language.into(), ..FeedEntry::default() };
        problem(|config, _| config.sources.feeds = vec![entry])
    }

    fn exception(source: &str, host: &str, port: u16) -> String {
        problem(|config, _| config.http.exceptions = vec![Exception { source: source.into(), host: host.into(), port }])
    }

    #[test]
    fn plain_http_to_the_service_is_for_loopback() {
        let checked = |url: &str, url_plain_http| {
            problem(|config, _| (config.url, config.url_plain_http) = (Some(url.to_owned()), url_plain_http))
        };
        for url in ["http://127.0.0.1:3010", "http://[::1]:3010", "http://localhost:3010/", "https://fetch.example"] {
            assert_eq!(checked(url, false), "", "{url}");
        }
        for url in ["http://fetch.example:3010", "http://10.0.0.5:3010", "http://[fd00::1]/", "http://localhost.example"] {
            assert!(checked(url, false).contains("fetch.url_plain_http"), "{url}");
            assert_eq!(checked(url, true), "", "{url}");
        }
    }

    #[test]
    fn valid_settings_pass() {
        assert_eq!(problem(|_, _| {}), "");
        assert_eq!(feed("https://post.example/rss", "", ""), "");
        assert_eq!(feed("http://post.example/rss", "south_east_asia", "id"), "");
        for (source, host) in [("web", "wiki.example.org"), ("own", "127.0.0.1"), ("searxng", "::1"), ("feeds", "localhost")] {
            assert_eq!(exception(source, host, 8080), "", "{source} {host}");
        }
    }

    #[test]
    fn invalid_settings_are_named() {
        let table = [
            (problem(|_, own| own.id = "gdelt".into()), "'gdelt': a built-in source has this id"),
            (problem(|_, own| own.id = "My Own".into()), "the id 'My Own'"),
            (problem(|config, own| config.sources.searches.push(own.clone())), "'own': two searches have this id"),
            (problem(|_, own| own.address = "https://search.example/".into()), "address has no {words}"),
            (problem(|_, own| own.address = "search.example/?q={words}".into()), "must begin with http://"),
            (problem(|_, own| own.hit_address.clear()), "hit_address is missing"),
            (problem(|_, own| own.hit_title.clear()), "hit_title is missing"),
            (problem(|config, _| drop(config.sources.addresses.insert("nosuch".into(), "http://a/".into()))), "'nosuch'"),
            (problem(|config, _| drop(config.sources.addresses.insert("searxng".into(), "a:1".into()))), "addresses.searxng"),
            (feed("post.example/rss", "", ""), "post.example/rss: address must begin"),
            (
                feed("https://post.example/", "Asia", ""),
                "region 'Asia' is unknown; leave it empty or use one of: africa, east_asia,",
            ),
            (feed("https://post.example/", "world", "english"), "language 'english' is unknown"),
            (exception("wiki", "wiki.example.org", 443), "unknown source 'wiki'"),
            (exception("web", "http://wiki.example.org/", 443), "the host must be a name"),
            (exception("web", "Wiki.example.org", 443), "the host must be a name"),
            (exception("web", "[::1]", 443), "the host must be a name"),
            (exception("web", "wiki.example.org", 0), "port is 0"),
        ];
        for (said, expected) in table {
            assert!(said.contains(expected), "{expected}: {said}");
        }
    }
}
