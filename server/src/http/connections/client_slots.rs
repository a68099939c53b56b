//! Limit of open connections per client network.

use crate::config::Network;
use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, PoisonError},
};

/// Open connections per client. A cheap clone.
#[derive(Clone)]
pub(super) struct ClientSlots {
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    max_per_client: usize,
    /// Clients without a limit, such as reverse proxies.
    unlimited: Arc<[Network]>,
}

/// Place of one connection; free again when dropped.
pub(super) struct ClientSlot {
    slots: ClientSlots,
    client: Option<IpAddr>,
}

impl ClientSlots {
    pub(super) fn new(max_per_client: usize, unlimited: &[Network]) -> Self {
        Self { open: Arc::default(), max_per_client, unlimited: unlimited.into() }
    }

    /// Returns a place for a connection from `address`; none when its client has all of its places.
    pub(super) fn acquire(&self, address: IpAddr) -> Option<ClientSlot> {
        if self.unlimited.iter().any(|network| network.contains(address)) {
            return Some(ClientSlot { slots: self.clone(), client: None });
        }
        let client = client_of(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(client).or_default();
        if *count >= self.max_per_client {
            return None;
        }
        *count += 1;
        Some(ClientSlot { slots: self.clone(), client: Some(client) })
    }
}

impl Drop for ClientSlot {
    fn drop(&mut self) {
        let Some(client) = self.client else { return };
        let mut open = self.slots.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                open.remove(&client);
            }
        }
    }
}

/// Returns the address that identifies a client: of IPv6 the /64, which one person usually controls.
fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_a_limited_number_of_slots() {
        let slots = ClientSlots::new(2, &["10.0.0.9".parse().unwrap()]);
        let at = |address: &str| slots.acquire(address.parse().unwrap());
        let held = (at("198.51.100.7"), at("::ffff:198.51.100.7"));
        assert!(held.0.is_some() && held.1.is_some() && at("198.51.100.7").is_none());
        assert!(at("198.51.100.8").is_some(), "another client");
        let proxied: Vec<_> = (0..9).map(|_| at("10.0.0.9")).collect();
        assert!(proxied.iter().all(Option::is_some));
        drop(held);
        assert!(at("198.51.100.7").is_some());
        assert!(slots.open.lock().unwrap().is_empty());
    }

    #[test]
    fn a_client_with_ipv6_is_its_network() {
        let slots = ClientSlots::new(1, &[]);
        let _held = slots.acquire("2001:db8:1:2::1".parse().unwrap()).unwrap();
        assert!(slots.acquire("2001:db8:1:2:ffff::9".parse().unwrap()).is_none());
        assert!(slots.acquire("2001:db8:1:3::1".parse().unwrap()).is_some());
    }
}
