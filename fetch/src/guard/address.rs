//! Which IP addresses are public. Sources: the IANA special-purpose registries of IPv4 and IPv6 (RFC 6890 and what came after it), and
//! the addresses at which clouds serve the secrets of a machine.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address may not be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsafe {
    #[error("its address is of this machine")]
    Loopback,
    #[error("its address is of a private network")]
    Private,
    #[error("its address is of the local link")]
    LinkLocal,
    #[error("its address is of a provider's inner network")]
    SharedSpace,
    #[error("its address serves the secrets of a cloud machine")]
    Metadata,
    #[error("its address is of a group, not of a host")]
    Multicast,
    #[error("its address is reserved and of no public host")]
    Reserved,
    #[error("its address leads through a tunnel")]
    Tunnel,
    #[error("its network is refused by `fetch.http.refused_networks`")]
    Configured,
}

/// Whether `ip` is of a public host, in any form that an address can take; gives the address that is meant, without its wrapping.
pub(super) fn check(ip: IpAddr) -> Result<IpAddr, Unsafe> {
    match ip {
        IpAddr::V4(inner) => check_v4(inner).map(|()| ip),
        IpAddr::V6(outer) => match wrapped(outer) {
            Some(inner) => check_v4(inner).map(|()| inner.into()),
            None => check_v6(outer).map(|()| ip),
        },
    }
}

/// The IPv4 address inside: mapped, or as DNS64 resolvers answer for NAT64. Either is as good as what is inside.
fn wrapped(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    match ip.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low))),
        _ => ip.to_ipv4_mapped(),
    }
}

fn check_v4(ip: Ipv4Addr) -> Result<(), Unsafe> {
    // Azure serves machines at a public address; the other clouds do so at addresses that are refused below.
    const AZURE: Ipv4Addr = Ipv4Addr::new(168, 63, 129, 16);
    const METADATA: [Ipv4Addr; 4] =
        [AZURE, Ipv4Addr::new(169, 254, 169, 254), Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(192, 0, 0, 192)];
    if METADATA.contains(&ip) {
        return Err(Unsafe::Metadata);
    }
    match ip.octets() {
        [127, ..] => Err(Unsafe::Loopback),
        [0, ..] => Err(Unsafe::Loopback),
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Err(Unsafe::Private),
        [169, 254, ..] => Err(Unsafe::LinkLocal),
        [100, 64..=127, ..] => Err(Unsafe::SharedSpace),
        [224..=239, ..] => Err(Unsafe::Multicast),
        [192, 88, 99, _] => Err(Unsafe::Tunnel),
        [192, 0, 0 | 2, _] | [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] | [240..=255, ..] => {
            Err(Unsafe::Reserved)
        }
        _ => Ok(()),
    }
}

fn check_v6(ip: Ipv6Addr) -> Result<(), Unsafe> {
    match ip.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => Err(Unsafe::Loopback),
        // The oldest way to write an IPv4 address, and one way to translate it (SIIT): no public host has either.
        [0, 0, 0, 0, 0, 0, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => Err(Unsafe::Reserved),
        [0x64, 0xff9b, ..] => Err(Unsafe::Private),
        [0xfd00, 0xec2, ..] => Err(Unsafe::Metadata),
        [0xfc00..=0xfdff, ..] | [0xfec0..=0xfeff, ..] => Err(Unsafe::Private),
        [0xfe80..=0xfebf, ..] => Err(Unsafe::LinkLocal),
        [0xff00..=0xffff, ..] => Err(Unsafe::Multicast),
        // Teredo, and 6to4 with whatever address inside.
        [0x2001, 0, ..] | [0x2002, ..] => Err(Unsafe::Tunnel),
        [0x2001, 1..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Err(Unsafe::Reserved),
        // ISATAP: a tunnel to the IPv4 address at the end.
        [_, _, _, _, 0 | 0x200, 0x5efe, ..] => Err(Unsafe::Tunnel),
        [0x2000..=0x3fff, ..] => Ok(()),
        _ => Err(Unsafe::Reserved),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<String, Unsafe> {
        check(text.parse().unwrap()).map(|meant| meant.to_string())
    }

    #[test]
    fn public_addresses_are_public_in_every_form() {
        for ip in ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"] {
            assert_eq!(of(ip), Ok(ip.to_owned()), "{ip}");
        }
        for ip in ["::ffff:8.8.8.8", "::ffff:808:808", "64:ff9b::8.8.8.8", "64:ff9b::808:808"] {
            assert_eq!(of(ip), Ok("8.8.8.8".to_owned()), "{ip}");
        }
    }

    #[test]
    fn what_leads_inside_is_refused_with_its_class() {
        use Unsafe::*;
        let table = [
            ("127.0.0.1", Loopback),
            ("0.0.0.0", Loopback),
            ("::1", Loopback),
            ("::", Loopback),
            ("::ffff:127.0.0.1", Loopback),
            ("64:ff9b::127.0.0.1", Loopback),
            ("10.0.0.1", Private),
            ("172.31.255.255", Private),
            ("fd12::1", Private),
            ("64:ff9b:1::1", Private),
            ("fec0::1", Private),
            ("169.254.0.1", LinkLocal),
            ("fe80::1", LinkLocal),
            ("100.64.0.1", SharedSpace),
            ("169.254.169.254", Metadata),
            ("::ffff:169.254.169.254", Metadata),
            ("168.63.129.16", Metadata),
            ("fd00:ec2::254", Metadata),
            ("224.0.0.1", Multicast),
            ("ff02::1", Multicast),
            ("255.255.255.255", Reserved),
            ("::127.0.0.1", Reserved),
            ("2001:db8::1", Reserved),
            ("2002:7f00:1::", Tunnel),
            ("2001:0:4136:e378:8000:63bf:3fff:fdd2", Tunnel),
            ("2a00::5efe:10.0.0.1", Tunnel),
            ("192.88.99.1", Tunnel),
        ];
        for (ip, class) in table {
            assert_eq!(of(ip), Err(class), "{ip}");
        }
    }
}
