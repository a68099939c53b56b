//! How often somebody may try to sign in: by user name, so that one account is not guessed, and by address.

use crate::{Program, config::Network};
use axum::http::HeaderMap;
use engine::StoreResult;
use std::net::{IpAddr, SocketAddr};

/// Where proxies write whom they speak for; each adds whom it heard it from at the end.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// Counts an attempt to sign in; false when there were too many.
pub(super) async fn may_try(program: &Program, name: &str, address: IpAddr) -> StoreResult<bool> {
    let (limits, auth) = (&program.limits, &program.config.auth);
    let name: String = name.trim().to_lowercase().chars().take(64).collect();
    // Both count, whatever the first says.
    let by_address = limits.take(&format!("sign-in:address:{address}"), auth.attempts_per_minute_per_address).await?;
    let by_name = limits.take(&format!("sign-in:name:{name}"), auth.attempts_per_minute_per_name).await?;
    Ok(by_name && by_address)
}

/// Where a request comes from: the other end of the connection, or, as far as that is a proxy of ours, the nearest address that
/// proxies of ours were told of and that is none of them. What strangers write into the header is never reached.
pub(super) fn origin(peer: IpAddr, headers: &HeaderMap, proxies: &[Network]) -> IpAddr {
    let is_ours = |address: IpAddr| proxies.iter().any(|network| network.contains(address));
    let mut origin = peer.to_canonical();
    let lists = headers.get_all(FORWARDED_FOR).into_iter().filter_map(|value| value.to_str().ok());
    let told: Vec<&str> = lists.flat_map(|list| list.split(',')).map(str::trim).collect();
    for address in told.into_iter().rev() {
        if !is_ours(origin) {
            break;
        }
        let Some(before) = address_in(address) else { break };
        origin = before;
    }
    origin
}

/// `10.0.0.1`, `10.0.0.1:80`, `fd00::1` or `[fd00::1]:80`.
fn address_in(text: &str) -> Option<IpAddr> {
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
        let origin = |peer: &str, told: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for list in told {
                headers.append(FORWARDED_FOR, list.parse().unwrap());
            }
            super::origin(peer.parse().unwrap(), &headers, &proxies).to_string()
        };
        assert_eq!(origin("203.0.113.9", &["198.51.100.1"]), "203.0.113.9", "a stranger says what he likes");
        assert_eq!(origin("10.0.0.2", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(
            origin("10.0.0.2", &["1.1.1.1, 198.51.100.1, 10.9.9.9"]),
            "198.51.100.1",
            "what the stranger added is not reached"
        );
        assert_eq!(origin("10.0.0.2", &["1.1.1.1", "198.51.100.1:4711"]), "198.51.100.1");
        assert_eq!(origin("::ffff:10.0.0.2", &["[2001:db8::5]:80"]), "2001:db8::5");
        assert_eq!(origin("fd00::1", &["unknown"]), "fd00::1");
        assert_eq!(origin("10.0.0.2", &[]), "10.0.0.2");
    }
}
