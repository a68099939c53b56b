//! Rate limits of sign-in attempts: by user name, to protect accounts, and by client address.

use crate::{Program, config::Network};
use axum::http::HeaderMap;
use engine::StoreResult;
use std::net::{IpAddr, SocketAddr};

/// Header in which each proxy appends the address of its client.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// Counts a sign-in attempt; returns false if there were too many.
pub(super) async fn allow_attempt(program: &Program, name: &str, address: IpAddr) -> StoreResult<bool> {
    let (limits, auth) = (&program.limits, &program.config.auth);
    let name: String = name.trim().to_lowercase().chars().take(64).collect();
    // Both limits count every attempt.
    let by_address = limits.take(&format!("sign-in:address:{address}"), auth.attempts_per_minute_per_address).await?;
    let by_name = limits.take(&format!("sign-in:name:{name}"), auth.attempts_per_minute_per_name).await?;
    Ok(by_name && by_address)
}

/// Returns the client address of a request: the peer, or behind trusted proxies the nearest forwarded address that is not such
/// a proxy. Entries added by clients are never reached.
pub(super) fn client_address(peer: IpAddr, headers: &HeaderMap, proxies: &[Network]) -> IpAddr {
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
