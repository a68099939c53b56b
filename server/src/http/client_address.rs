//! Network address of the client of a request.

use super::prelude::*;
use crate::config::Network;
use axum::{extract::ConnectInfo, http::Extensions};
pub(super) use feature::ClientAddress;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Header in which each proxy appends the address of its client.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// Header in which a proxy names the scheme that its client used.
const FORWARDED_PROTO: &str = "x-forwarded-proto";

/// Puts the address of the client into the request, for the extractor.
pub(super) async fn note_client_address(State(web): State<WebState>, mut request: Request, next: Next) -> Response<Body> {
    let proxies = &web.program.config.server.trusted_proxies;
    let address = client_address(peer(request.extensions()), request.headers(), proxies);
    request.extensions_mut().insert(ClientAddress(address));
    next.run(request).await
}

/// Returns the address at the other end of the connection of a request.
pub(super) fn peer(extensions: &Extensions) -> IpAddr {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}

/// Returns whether the client used HTTPS, as a trusted proxy says. The first of several proxies spoke to the client.
pub(super) fn came_over_https(peer: IpAddr, headers: &HeaderMap, proxies: &[Network]) -> bool {
    let scheme = headers.get(FORWARDED_PROTO).and_then(|value| value.to_str().ok()?.split(',').next());
    let is_trusted = proxies.iter().any(|network| network.contains(peer));
    is_trusted && scheme.is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"))
}

/// Returns the address of the client of a request: the peer, or behind trusted proxies the nearest forwarded address that is not such
/// a proxy. Entries added by clients are never reached.
fn client_address(peer: IpAddr, headers: &HeaderMap, proxies: &[Network]) -> IpAddr {
    let is_trusted_proxy = |address: IpAddr| proxies.iter().any(|network| network.contains(address));
    let mut client_address = peer.to_canonical();
    let lists = headers.get_all(FORWARDED_FOR).into_iter().filter_map(|value| value.to_str().ok());
    let forwarded: Vec<&str> = lists.flat_map(|list| list.split(',')).map(str::trim).collect();
    for address in forwarded.into_iter().rev() {
        if !is_trusted_proxy(client_address) {
            break;
        }
        let Some(previous) = parse_address(address) else { break };
        client_address = previous;
    }
    client_address
}

/// Parses `10.0.0.1`, `10.0.0.1:80`, `fd00::1` or `[fd00::1]:80`.
fn parse_address(text: &str) -> Option<IpAddr> {
    let bare = text.parse::<IpAddr>().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<IpAddr>().ok();
    bare.or_else(with_port).or_else(bracketed).map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trusted_proxy_says_that_the_client_used_https() {
        let proxies: Vec<Network> = vec!["10.0.0.0/8".parse().unwrap()];
        let came_over_https = |peer: &str, scheme: &'static str| {
            let headers = HeaderMap::from_iter([(FORWARDED_PROTO.parse().unwrap(), scheme.parse().unwrap())]);
            super::came_over_https(peer.parse().unwrap(), &headers, &proxies)
        };
        assert!(came_over_https("10.0.0.2", "https") && came_over_https("::ffff:10.0.0.2", "HTTPS, http"));
        assert!(!came_over_https("203.0.113.9", "https") && !came_over_https("10.0.0.2", "http"));
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let proxies: Vec<Network> = ["10.0.0.0/8", "fd00::1"].map(|network| network.parse().unwrap()).to_vec();
        let client_address = |peer: &str, forwarded: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for list in forwarded {
                headers.append(FORWARDED_FOR, list.parse().unwrap());
            }
            super::client_address(peer.parse().unwrap(), &headers, &proxies).to_string()
        };
        assert_eq!(client_address("203.0.113.9", &["198.51.100.1"]), "203.0.113.9", "a stranger says what he likes");
        assert_eq!(client_address("10.0.0.2", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(
            client_address("10.0.0.2", &["1.1.1.1, 198.51.100.1, 10.9.9.9"]),
            "198.51.100.1",
            "what the stranger added is not reached"
        );
        assert_eq!(client_address("10.0.0.2", &["1.1.1.1", "198.51.100.1:4711"]), "198.51.100.1");
        assert_eq!(client_address("::ffff:10.0.0.2", &["[2001:db8::5]:80"]), "2001:db8::5");
        assert_eq!(client_address("fd00::1", &["unknown"]), "fd00::1");
        assert_eq!(client_address("10.0.0.2", &[]), "10.0.0.2");
    }
}
