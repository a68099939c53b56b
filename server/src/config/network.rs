//! Network of IP addresses in CIDR notation, or a single address.

use serde::{Deserialize, Deserializer, de::Error};
use std::{net::IpAddr, str::FromStr};

/// Network given by the first `prefix` bits of `base`. IPv4-mapped IPv6 addresses count as IPv4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    base: IpAddr,
    prefix: u32,
}

impl Network {
    pub fn contains(&self, address: IpAddr) -> bool {
        let differing = match (self.base, address.to_canonical()) {
            (IpAddr::V4(base), IpAddr::V4(address)) => u128::from(base.to_bits() ^ address.to_bits()) << 96,
            (IpAddr::V6(base), IpAddr::V6(address)) => base.to_bits() ^ address.to_bits(),
            _ => return false,
        };
        differing.leading_zeros() >= self.prefix
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("'{text}' is not an address or network; it must be like 10.0.0.7 or 10.0.0.0/8");
        let (base, prefix) = text.split_once('/').map_or((text, None), |(base, prefix)| (base, Some(prefix)));
        let base = base.parse::<IpAddr>().map_err(|_| bad())?.to_canonical();
        let bits = if base.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(bits), str::parse).map_err(|_| bad())?;
        if prefix > bits { Err(bad()) } else { Ok(Self { base, prefix }) }
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
