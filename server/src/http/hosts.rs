//! Host names under which a listener answers: without this check, a foreign page whose name is pointed at this machine (DNS
//! rebinding) would be same-origin with it.

use super::prelude::*;
use crate::config::ServerConfig;
use axum::{Router, http::uri::Authority, middleware};
use std::{
    collections::BTreeSet,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

/// Host names and addresses that requests may name.
#[derive(Debug)]
pub struct AllowedHosts {
    names: BTreeSet<String>,
    /// Address listened on. If it is the wildcard of the machine, any address is allowed: no name leads to it.
    listen: IpAddr,
}

impl AllowedHosts {
    /// Hosts of a listener: its address, this machine, `server.trusted_origins` and `server.host_names`.
    pub fn new(config: &ServerConfig, listen: SocketAddr) -> Self {
        let origins = config.trusted_origins.iter().filter_map(|origin| origin.split_once("://")).map(|(_, host)| host);
        let hosts = origins.filter_map(|host| host.parse::<Authority>().ok()).map(|authority| authority.host().to_owned());
        let names = hosts.chain(config.host_names.iter().cloned()).chain(["localhost".to_owned()]);
        Self { names: names.map(|name| normalized(&name)).collect(), listen: listen.ip().to_canonical() }
    }

    /// Returns whether all hosts that a request names are allowed, and it names one.
    fn allow_request(&self, request: &Request) -> bool {
        let in_header = request.headers().get_all(header::HOST).into_iter().map(|host| host.to_str().unwrap_or_default());
        // HTTP/2 names the host in the address.
        let mut named = in_header.chain(request.uri().authority().map(Authority::as_str)).peekable();
        named.peek().is_some() && named.all(|host| self.allow(host))
    }

    /// Returns whether a host, with or without port, is allowed.
    fn allow(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        if host.contains('@') {
            return false;
        }
        let name = authority.host().trim_start_matches('[').trim_end_matches(']');
        match name.parse::<IpAddr>().map(|address| address.to_canonical()) {
            Ok(address) => {
                let is_listen = address == self.listen || self.listen.is_unspecified();
                is_listen || address.is_loopback() || self.names.contains(&address.to_string())
            }
            Err(_) => self.names.contains(&normalized(name)),
        }
    }
}

fn normalized(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}

/// Wraps a router so that it answers under the allowed hosts only.
pub fn restrict_hosts<S: Clone + Send + Sync + 'static>(router: Router<S>, hosts: AllowedHosts) -> Router<S> {
    router.layer(middleware::from_fn_with_state(Arc::new(hosts), refuse_foreign_hosts))
}

async fn refuse_foreign_hosts(State(hosts): State<Arc<AllowedHosts>>, request: Request, next: Next) -> Response<Body> {
    if hosts.allow_request(&request) {
        return next.run(request).await;
    }
    tracing::warn!(path = super::logged_path(&request), "foreign host refused, see server.host_names");
    let text = "This server does not answer under that host name. If it should, add the name to server.host_names.\n";
    (StatusCode::MISDIRECTED_REQUEST, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(listen: &str, host: &str) -> bool {
        let config = ServerConfig {
            trusted_origins: vec!["https://osint.example:8443".to_owned()],
            host_names: vec!["Fetch".to_owned(), "192.0.2.9".to_owned()],
            ..ServerConfig::default()
        };
        AllowedHosts::new(&config, listen.parse().unwrap()).allow(host)
    }

    #[test]
    fn only_our_own_names_are_allowed() {
        let here = "127.0.0.1:3000";
        for host in [
            "127.0.0.1:3000",
            "localhost",
            "LOCALHOST:9",
            "[::1]:3000",
            "osint.example",
            "osint.example.:8443",
            "fetch:3010",
            "192.0.2.9",
        ] {
            assert!(allows(here, host), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:3000",
            "127.0.0.1.evil.example",
            "10.0.0.7",
            "",
            "localhost@evil.example",
            "a b",
            "[::2]",
        ] {
            assert!(!allows(here, host), "{host}");
        }
        assert!(allows("10.0.0.7:80", "10.0.0.7") && !allows("10.0.0.7:80", "10.0.0.8"));
        assert!(
            allows("0.0.0.0:80", "10.0.0.8") && allows("[::]:80", "[2001:db8::1]:80") && !allows("0.0.0.0:80", "evil.example")
        );
    }
}
