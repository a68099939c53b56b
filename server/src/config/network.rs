//! Network of IP addresses in CIDR notation, or a single address.

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use serde::{Deserialize, Deserializer, de::Error};
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

/// Network of addresses. IPv4-mapped IPv6 addresses count as IPv4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// The addresses of this machine.
    pub const LOOPBACK: [Self; 2] = [
        Self(IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::LOCALHOST, 8))),
        Self(IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128))),
    ];
    /// Every address.
    pub const ALL: [Self; 2] = [
        Self(IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::UNSPECIFIED, 0))),
        Self(IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 0))),
    ];

    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(|address| address.to_canonical().into()));
        network.map(Self).map_err(|_| format!("'{text}' is not an address or network; it must be like 10.0.0.7 or 10.0.0.0/8"))
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(network: &str, address: &str) -> bool {
        network.parse::<Network>().unwrap().contains(address.parse().unwrap())
    }

    #[test]
    fn a_network_contains_addresses_with_its_prefix() {
        assert!(holds("10.0.0.0/8", "10.200.3.4") && !holds("10.0.0.0/8", "11.0.0.1"));
        assert!(holds("10.0.0.7", "10.0.0.7") && holds("10.0.0.7", "::ffff:10.0.0.7") && !holds("10.0.0.7", "10.0.0.8"));
        assert!(holds("fd00::/8", "fd12::1") && !holds("fd00::/8", "fe80::1") && !holds("fd00::/8", "10.0.0.1"));
        assert!(holds("0.0.0.0/0", "1.2.3.4") && !holds("0.0.0.0/0", "fd00::1"));
    }

    #[test]
    fn invalid_networks_are_refused() {
        for text in ["", "10.0.0.0/33", "10.0.0/8", "localhost", "10.0.0.0/x", "::/129"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }
}
