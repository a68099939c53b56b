//! A TCP proxy that can drop or silence its connections, like a restarting service or a router that has lost its state.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinSet,
};

pub struct FlakyProxy {
    here: SocketAddr,
    wires: ConnectionSwitches,
    _carrying: JoinSet<()>,
}

impl FlakyProxy {
    /// Starts a proxy for the service of a URL; it closes when dropped.
    pub async fn before(url: &str) -> Self {
        Self::before_connections_sending(url, "").await
    }

    /// Starts a proxy whose connections that sent `word` can be silenced.
    pub async fn before_connections_sending(url: &str, word: &'static str) -> Self {
        let url = url::Url::parse(url).unwrap();
        let there = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let here = listener.local_addr().unwrap();
        let (wires, mut carrying) = (ConnectionSwitches { word, ..ConnectionSwitches::default() }, JoinSet::new());
        carrying.spawn(forward(listener, there, wires.clone()));
        Self { here, wires, _carrying: carrying }
    }

    /// Returns its address as a URL with the given part before the host.
    pub fn address(&self, before: &str) -> String {
        format!("{before}{}", self.here)
    }

    /// Closes every connection and refuses new ones.
    pub fn sever(&self) {
        self.wires.is_cut.store(true, Ordering::SeqCst);
        self.wires.severed.notify_waiters();
    }

    /// Silences the connections that sent the word, without closing them.
    pub fn deaden(&self) {
        self.wires.deadened.notify_waiters();
    }

    pub fn mend(&self) {
        self.wires.is_cut.store(false, Ordering::SeqCst);
    }
}

#[derive(Clone, Default)]
struct ConnectionSwitches {
    is_cut: Arc<AtomicBool>,
    severed: Arc<Notify>,
    deadened: Arc<Notify>,
    word: &'static str,
}

async fn forward(listener: TcpListener, there: String, wires: ConnectionSwitches) {
    let mut connections = JoinSet::new();
    loop {
        let (near, _) = listener.accept().await.unwrap();
        // Before the look at the switch, so that a cut in between ends this connection too.
        let end = wires.severed.clone().notified_owned();
        if wires.is_cut.load(Ordering::SeqCst) {
            continue;
        }
        let (there, wires) = (there.clone(), wires.clone());
        connections.spawn(async move {
            let carry = async {
                let far = TcpStream::connect(there).await.unwrap();
                both_ways(near, far, wires).await;
            };
            tokio::select! {
                () = carry => {}
                () = end => {}
            }
        });
    }
}

async fn both_ways(near: TcpStream, far: TcpStream, wires: ConnectionSwitches) {
    let ((mut near_in, mut near_out), (mut far_in, mut far_out)) = (near.into_split(), far.into_split());
    let has_said = AtomicBool::new(false);
    let there = async {
        let mut part = vec![0; 64 * 1024];
        while let Ok(length @ 1..) = near_in.read(&mut part).await {
            let sent = String::from_utf8_lossy(&part[..length]);
            has_said.fetch_or(!wires.word.is_empty() && sent.contains(wires.word), Ordering::SeqCst);
            if far_out.write_all(&part[..length]).await.is_err() {
                return;
            }
        }
    };
    let dead = async {
        loop {
            wires.deadened.notified().await;
            if has_said.load(Ordering::SeqCst) {
                return;
            }
        }
    };
    tokio::select! {
        () = there => return,
        _ = copy(&mut far_in, &mut near_out) => return,
        () = dead => {}
    }
    std::future::pending().await
}
