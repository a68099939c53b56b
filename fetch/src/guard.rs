//! Which addresses may be reached at all: decided by scheme, port and host before anything is sent, and by what a name resolves to
//! when a connection is made.
//!
//! Invariant: an address that is not public is reached only through an exception, a triple (source, host, port) in the configuration.

mod address;
mod name;

pub use address::Unsafe;

use crate::config::HttpConfig;
use domain::fetch::{FetchError, FetchFailure};
use ipnet::IpNet;
use serde::Deserialize;
use std::net::IpAddr;
use url::{Host, Url};

/// A source that may reach one host at one port, whatever its address.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    pub source: String,
    /// As it stands in an address: a name in lower case (punycode), or an IP address without brackets.
    pub host: String,
    pub port: u16,
}

/// What an address is allowed to be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clearance {
    /// Public addresses only.
    Public,
    /// The triple is excepted: whatever the host resolves to.
    Excepted,
}

/// The rules, as configured.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    ports: Vec<u16>,
    exceptions: Vec<Exception>,
    refused: Vec<IpNet>,
    max_url_chars: usize,
}

impl Guard {
    pub fn new(config: &HttpConfig) -> Self {
        Self {
            ports: config.ports.clone(),
            exceptions: config.exceptions.clone(),
            refused: config.refused_networks.clone(),
            max_url_chars: config.max_url_chars,
        }
    }

    /// Reads an address as browsers do, so that every notation of a host becomes one, without its fragment.
    pub fn read(&self, text: &str) -> Result<Url, FetchError> {
        let bad = |why: String| FetchError::new(FetchFailure::BadAddress, why);
        let text = text.trim();
        if text.chars().count() > self.max_url_chars {
            return Err(bad(format!(
                "The address has more than {} characters (`fetch.http.max_url_chars`); use a shorter one.",
                self.max_url_chars
            )));
        }
        let mut url = Url::parse(text).map_err(|error| {
            bad(format!("'{}' is no address of the web ({error}); it looks like https://example.org/page", brief(text)))
        })?;
        url.set_fragment(None);
        Ok(url)
    }

    /// Judges all that can be judged before a name is resolved.
    pub fn check(&self, source: &str, url: &Url) -> Result<Clearance, FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refused(url, &format!("only http and https are fetched, not {}", url.scheme())));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused(url, "a user name or password stands in it; remove what stands before the @"));
        }
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(refused(url, "it names no host"));
        };
        let shown = plain(&host);
        if self
            .exceptions
            .iter()
            .any(|exception| exception.source == source && exception.port == port && exception.host == shown)
        {
            return Ok(Clearance::Excepted);
        }
        if !self.ports.contains(&port) {
            return Err(refused(
                url,
                &format!("port {port} is not among those allowed (`fetch.http.ports`, or one host by `fetch.http.exceptions`)"),
            ));
        }
        match host {
            Host::Ipv4(ip) => self.admit(ip.into()).map_err(|class| not_public(url, &class)),
            Host::Ipv6(ip) => self.admit(ip.into()).map_err(|class| not_public(url, &class)),
            Host::Domain(domain) => name::check(domain).map_err(|why| refused(url, why)),
        }?;
        Ok(Clearance::Public)
    }

    /// The same where something at `from`, or in a place that counts for nothing, leads to `url`, which nobody has asked for: what an exception
    /// opens, it opens to those who name it and to itself, not to every page of the web.
    pub fn led(&self, source: &str, from: Option<&Url>, url: &Url) -> Result<Clearance, FetchError> {
        let clearance = self.check(source, url)?;
        let host = |url: &Url| url.host().map(|host| plain(&host));
        match clearance == Clearance::Excepted && from.and_then(host) != host(url) {
            true => Err(refused(url, "its exception is for those who ask for it first, not for what another page leads to")),
            false => Ok(clearance),
        }
    }

    /// Whether an address may be connected to without an exception. A network that is refused is so in every form of its addresses.
    pub fn admit(&self, ip: IpAddr) -> Result<(), Unsafe> {
        let meant = address::check(ip)?;
        match self.refused.iter().any(|network| network.contains(&ip) || network.contains(&meant)) {
            true => Err(Unsafe::Configured),
            false => Ok(()),
        }
    }
}

/// The host as exceptions name it.
fn plain(host: &Host<&str>) -> String {
    match host {
        Host::Domain(name) => name.trim_end_matches('.').to_owned(),
        Host::Ipv4(ip) => ip.to_string(),
        Host::Ipv6(ip) => ip.to_string(),
    }
}

/// What is of one's own network can be let in; what serves secrets of machines is not asked for by name.
pub(crate) fn not_public(url: &Url, class: &Unsafe) -> FetchError {
    match class {
        Unsafe::Loopback | Unsafe::Private | Unsafe::SharedSpace => {
            refused(url, &format!("{class}; name the host in `fetch.http.exceptions` if it is yours"))
        }
        _ => refused(url, &class.to_string()),
    }
}

/// A refusal that shows the host as punycode, never what it pretends to be.
pub(crate) fn refused(url: &Url, why: &str) -> FetchError {
    let host = url.host_str().unwrap_or("this address");
    FetchError::new(FetchFailure::Refused, format!("{} is not fetched: {why}.", brief(host)))
}

/// A text from outside, short enough for a message.
pub(crate) fn brief(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(120).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        let exception = |host: &str| Exception { source: "web".into(), host: host.into(), port: 80 };
        Guard::new(&HttpConfig {
            refused_networks: vec!["93.184.215.0/24".parse().unwrap(), "2606:4700::/32".parse().unwrap()],
            exceptions: vec![exception("wiki.example.org"), exception("10.0.0.5")],
            ..HttpConfig::default()
        })
    }

    #[test]
    fn a_refused_network_is_refused_in_every_form() {
        for ip in ["93.184.215.14", "::ffff:93.184.215.14", "64:ff9b::93.184.215.14", "2606:4700::1"] {
            assert_eq!(guard().admit(ip.parse().unwrap()), Err(Unsafe::Configured), "{ip}");
        }
        for ip in ["93.184.216.14", "::ffff:93.184.216.14", "64:ff9b::93.184.216.14"] {
            assert_eq!(guard().admit(ip.parse().unwrap()), Ok(()), "{ip}");
        }
    }

    #[test]
    fn an_exception_opens_a_host_to_those_who_name_it_and_to_itself() {
        let led = |from: &str, to: &str| {
            let (from, to) = (Url::parse(from).unwrap(), Url::parse(to).unwrap());
            guard().led("web", Some(&from), &to).map_err(|error| error.reason)
        };
        let table = [
            ("http://wiki.example.org/a", "http://wiki.example.org/b", Ok(Clearance::Excepted)),
            ("http://wiki.example.org./a", "http://wiki.example.org/b", Ok(Clearance::Excepted)),
            ("http://wiki.example.org/", "http://news.example.org/", Ok(Clearance::Public)),
            ("http://news.example.org/", "http://wiki.example.org/", Err(FetchFailure::Refused)),
            ("http://10.0.0.5/", "http://wiki.example.org/", Err(FetchFailure::Refused)),
            ("http://news.example.org/", "http://10.0.0.5/", Err(FetchFailure::Refused)),
        ];
        for (from, to, expected) in table {
            assert_eq!(led(from, to), expected, "{from} {to}");
        }
        let wiki = Url::parse("http://wiki.example.org/").unwrap();
        assert_eq!(guard().check("web", &wiki).ok(), Some(Clearance::Excepted));
        assert!(guard().led("web", None, &wiki).is_err());
    }
}
