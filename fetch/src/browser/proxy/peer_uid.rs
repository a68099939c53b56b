//! UID of a loopback peer, from `/proc/net/tcp`. Any local user can connect to the proxy's port; only our Chromium may use it.

use std::net::{SocketAddr, SocketAddrV4};
use tokio::net::TcpStream;

/// Linux table of IPv4 connections with the owner of each end.
#[cfg(target_os = "linux")]
const TABLE: &str = "/proc/net/tcp";

/// Whether a connection comes from another user. `false` where the system does not tell.
pub(super) async fn is_other_user(client: &TcpStream) -> bool {
    #[cfg(target_os = "linux")]
    {
        let (Ok(SocketAddr::V4(theirs)), Ok(SocketAddr::V4(ours))) = (client.peer_addr(), client.local_addr()) else {
            return true;
        };
        let Ok(table) = tokio::fs::read_to_string(TABLE).await else { return false };
        is_owned_by_other(&table, theirs, ours, rustix::process::geteuid().as_raw())
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = client;
        false
    }
}

/// Whether the table lists another owner for the peer's end, or lists only our end.
#[cfg(target_os = "linux")]
fn is_owned_by_other(table: &str, theirs: SocketAddrV4, ours: SocketAddrV4, own: u32) -> bool {
    let owner = |local: SocketAddrV4, remote: SocketAddrV4| {
        let (local, remote) = (table_address(local), table_address(remote));
        table.lines().find_map(|line| {
            let columns: Vec<&str> = line.split_ascii_whitespace().collect();
            let is_it = columns.get(1) == Some(&local.as_str()) && columns.get(2) == Some(&remote.as_str());
            is_it.then(|| columns.get(7)?.parse::<u32>().ok()).flatten()
        })
    };
    match owner(theirs, ours) {
        Some(owner) => owner != own,
        None => owner(ours, theirs).is_some(),
    }
}

/// Address as the table writes it, in host byte order.
#[cfg(target_os = "linux")]
fn table_address(address: SocketAddrV4) -> String {
    format!("{:08X}:{:04X}", u32::from_ne_bytes(address.ip().octets()), address.port())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn connections_of_this_user_are_distinguished_from_those_of_others() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let theirs = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (ours, _) = listener.accept().await.unwrap();
        assert!(!is_other_user(&ours).await);
        let ends = (theirs.local_addr().unwrap(), ours.local_addr().unwrap());
        let (SocketAddr::V4(theirs), SocketAddr::V4(ours)) = ends else { panic!("{ends:?}") };
        let (table, own) = (std::fs::read_to_string(TABLE).unwrap(), rustix::process::geteuid().as_raw());
        assert!(!is_owned_by_other(&table, theirs, ours, own));
        assert!(is_owned_by_other(&table, theirs, ours, own + 1), "the table names its owner");
        assert!(!is_owned_by_other("", theirs, ours, own + 1), "a system that lists nothing says nothing");
        let gone: String = table
            .lines()
            .filter(|line| !line.contains(&format!(": {} ", table_address(theirs))))
            .fold(String::new(), |all, line| all + line + "\n");
        assert!(is_owned_by_other(&gone, theirs, ours, own), "who has left already is not waited for");
    }
}
