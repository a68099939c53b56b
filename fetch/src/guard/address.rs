//! Classification of IP addresses, after the IANA special-purpose registries (RFC 6890 and its successors) and the metadata
//! addresses of clouds.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Reason why an address must not be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressRefusal {
    #[error("loopback address")]
    Loopback,
    #[error("private address")]
    Private,
    #[error("link-local address")]
    LinkLocal,
    #[error("shared address space of a provider")]
    SharedSpace,
    #[error("cloud metadata address")]
    Metadata,
    #[error("multicast address")]
    Multicast,
    #[error("reserved address")]
    Reserved,
    #[error("tunnel address")]
    Tunnel,
    #[error("address in `fetch.http.refused_networks`")]
    Configured,
}

/// The public address meant by `ip`, unwrapped from mapped and translated forms; otherwise its class.
pub(super) fn check(ip: IpAddr) -> Result<IpAddr, AddressRefusal> {
    match ip {
        IpAddr::V4(inner) => check_v4(inner).map(|()| ip),
        IpAddr::V6(outer) => match embedded_v4(outer) {
            Some(inner) => check_v4(inner).map(|()| inner.into()),
            None => check_v6(outer).map(|()| ip),
        },
    }
}

/// IPv4 address inside an IPv6 one: mapped, or NAT64 as DNS64 resolvers return it.
fn embedded_v4(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    match ip.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low))),
        _ => ip.to_ipv4_mapped(),
    }
}

fn check_v4(ip: Ipv4Addr) -> Result<(), AddressRefusal> {
    // Azure's metadata service has a public address; those of other clouds are in ranges refused below.
    const AZURE: Ipv4Addr = Ipv4Addr::new(168, 63, 129, 16);
    const METADATA: [Ipv4Addr; 4] =
        [AZURE, Ipv4Addr::new(169, 254, 169, 254), Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(192, 0, 0, 192)];
    if METADATA.contains(&ip) {
        return Err(AddressRefusal::Metadata);
    }
    match ip.octets() {
        [127, ..] => Err(AddressRefusal::Loopback),
        [0, ..] => Err(AddressRefusal::Loopback),
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Err(AddressRefusal::Private),
        [169, 254, ..] => Err(AddressRefusal::LinkLocal),
        [100, 64..=127, ..] => Err(AddressRefusal::SharedSpace),
        [224..=239, ..] => Err(AddressRefusal::Multicast),
        [192, 88, 99, _] => Err(AddressRefusal::Tunnel),
        [192, 0, 0 | 2, _] | [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] | [240..=255, ..] => {
            Err(AddressRefusal::Reserved)
        }
        _ => Ok(()),
    }
}

fn check_v6(ip: Ipv6Addr) -> Result<(), AddressRefusal> {
    match ip.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => Err(AddressRefusal::Loopback),
        // IPv4-compatible and IPv4-translated (SIIT) addresses; no public host has one.
        [0, 0, 0, 0, 0, 0, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => Err(AddressRefusal::Reserved),
        [0x64, 0xff9b, ..] => Err(AddressRefusal::Private),
        [0xfd00, 0xec2, ..] => Err(AddressRefusal::Metadata),
        [0xfc00..=0xfdff, ..] | [0xfec0..=0xfeff, ..] => Err(AddressRefusal::Private),
        [0xfe80..=0xfebf, ..] => Err(AddressRefusal::LinkLocal),
        [0xff00..=0xffff, ..] => Err(AddressRefusal::Multicast),
        // Teredo, and 6to4 with any address inside.
        [0x2001, 0, ..] | [0x2002, ..] => Err(AddressRefusal::Tunnel),
        [0x2001, 1..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Err(AddressRefusal::Reserved),
        // ISATAP: a tunnel to the embedded IPv4 address.
        [_, _, _, _, 0 | 0x200, 0x5efe, ..] => Err(AddressRefusal::Tunnel),
        [0x2000..=0x3fff, ..] => Ok(()),
        _ => Err(AddressRefusal::Reserved),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(text: &str) -> Result<String, AddressRefusal> {
        check(text.parse().unwrap()).map(|meant| meant.to_string())
    }

    #[test]
    fn public_addresses_are_public_in_every_form() {
        for ip in ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"] {
            assert_eq!(classify(ip), Ok(ip.to_owned()), "{ip}");
        }
        for ip in ["::ffff:8.8.8.8", "::ffff:808:808", "64:ff9b::8.8.8.8", "64:ff9b::808:808"] {
            assert_eq!(classify(ip), Ok("8.8.8.8".to_owned()), "{ip}");
        }
    }

    #[test]
    fn non_public_addresses_are_refused_with_their_class() {
        use AddressRefusal::*;
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
            assert_eq!(classify(ip), Err(class), "{ip}");
        }
    }
}
