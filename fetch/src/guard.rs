//! Address rules: scheme, port and host are checked before a request, resolved IP addresses when connecting.
//!
//! Invariant: a non-public address is reachable only by an exception, a configured triple of source, host and port.

mod address;
mod name;

pub use address::AddressRefusal;

use crate::config::HttpConfig;
use domain::fetch::{FetchError, FetchFailure};
use ipnet::IpNet;
use serde::Deserialize;
use std::net::IpAddr;
use url::{Host, Url};

/// Permission for one source to reach one host and port at any IP address.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    pub source: String,
    /// Host as in an address: a lower-case name (punycode), or an IP address without brackets.
    pub host: String,
    pub port: u16,
}

/// Outcome of the address check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clearance {
    /// Only public IP addresses may be connected to.
    Public,
    /// An exception applies: any IP address may be connected to.
    Excepted,
}

/// Configured address rules.
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

    /// Parses an address as browsers do, so that all notations of a host are equal. Drops the fragment.
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
            bad(format!("'{}' is not a web address ({error}); use one like https://example.org/page", brief(text)))
        })?;
        url.set_fragment(None);
        Ok(url)
    }

    /// Checks everything that is known before a name is resolved.
    pub fn check(&self, source: &str, url: &Url) -> Result<Clearance, FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refused(url, &format!("only http and https are fetched, not {}", url.scheme())));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused(url, "it contains a user name or password; remove the part before the @"));
        }
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(refused(url, "it names no host"));
        };
        let host_name = host_text(&host);
        if self
            .exceptions
            .iter()
            .any(|exception| exception.source == source && exception.port == port && exception.host == host_name)
        {
            return Ok(Clearance::Excepted);
        }
        if !self.ports.contains(&port) {
            return Err(refused(
                url,
                &format!("port {port} is not allowed (`fetch.http.ports`, or `fetch.http.exceptions` for one host)"),
            ));
        }
        match host {
            Host::Ipv4(ip) => self.admit(ip.into()).map_err(|class| not_public(url, &class)),
            Host::Ipv6(ip) => self.admit(ip.into()).map_err(|class| not_public(url, &class)),
            Host::Domain(domain) => name::check(domain).map_err(|why| refused(url, why)),
        }?;
        Ok(Clearance::Public)
    }

    /// Checks an address that a page at `from` leads to. Exceptions apply to direct requests and to links within one host,
    /// never to links from other pages.
    pub fn check_followed(&self, source: &str, from: Option<&Url>, url: &Url) -> Result<Clearance, FetchError> {
        let clearance = self.check(source, url)?;
        let host = |url: &Url| url.host().map(|host| host_text(&host));
        match clearance == Clearance::Excepted && from.and_then(host) != host(url) {
            true => Err(refused(url, "its exception is for direct requests, not for links from other pages")),
            false => Ok(clearance),
        }
    }

    /// Whether an IP address may be connected to without an exception. Refused networks are matched in every form of an
    /// address.
    pub fn admit(&self, ip: IpAddr) -> Result<(), AddressRefusal> {
        let meant = address::check(ip)?;
        match self.refused.iter().any(|network| network.contains(&ip) || network.contains(&meant)) {
            true => Err(AddressRefusal::Configured),
            false => Ok(()),
        }
    }
}

/// Host as exceptions name it.
fn host_text(host: &Host<&str>) -> String {
    match host {
        Host::Domain(name) => name.trim_end_matches('.').to_owned(),
        Host::Ipv4(ip) => ip.to_string(),
        Host::Ipv6(ip) => ip.to_string(),
    }
}

/// Refusal of a non-public address. Exceptions are suggested only for local networks, never for cloud metadata services.
pub(crate) fn not_public(url: &Url, class: &AddressRefusal) -> FetchError {
    match class {
        AddressRefusal::Loopback | AddressRefusal::Private | AddressRefusal::SharedSpace => {
            refused(url, &format!("{class}; add the host to `fetch.http.exceptions` if it is yours"))
        }
        _ => refused(url, &class.to_string()),
    }
}

/// Refusal that shows the host as punycode, so that lookalike names are visible.
pub(crate) fn refused(url: &Url, why: &str) -> FetchError {
    let host = url.host_str().unwrap_or("this address");
    FetchError::new(FetchFailure::Refused, format!("{} was not fetched: {why}.", brief(host)))
}

/// Untrusted text, shortened for a message.
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
            assert_eq!(guard().admit(ip.parse().unwrap()), Err(AddressRefusal::Configured), "{ip}");
        }
        for ip in ["93.184.216.14", "::ffff:93.184.216.14", "64:ff9b::93.184.216.14"] {
            assert_eq!(guard().admit(ip.parse().unwrap()), Ok(()), "{ip}");
        }
    }

    #[test]
    fn an_exception_opens_a_host_to_direct_requests_and_to_its_own_links() {
        let follow = |from: &str, to: &str| {
            let (from, to) = (Url::parse(from).unwrap(), Url::parse(to).unwrap());
            guard().check_followed("web", Some(&from), &to).map_err(|error| error.reason)
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
            assert_eq!(follow(from, to), expected, "{from} {to}");
        }
        let wiki = Url::parse("http://wiki.example.org/").unwrap();
        assert_eq!(guard().check("web", &wiki).ok(), Some(Clearance::Excepted));
        assert!(guard().check_followed("web", None, &wiki).is_err());
    }
}
