//! A wire to a service that can be cut and mended: what a restart of the service looks like from here. And one that goes dead without
//! a word, as behind a router that has forgotten it.

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

pub struct Cut {
    here: SocketAddr,
    wires: Wires,
    _carrying: JoinSet<()>,
}

impl Cut {
    /// Stands before the service of a URL; close it by dropping it.
    pub async fn before(url: &str) -> Self {
        Self::before_those_that_say(url, "").await
    }

    /// The same; connections over which `word` was sent can be deadened.
    pub async fn before_those_that_say(url: &str, word: &'static str) -> Self {
        let url = url::Url::parse(url).unwrap();
        let there = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let here = listener.local_addr().unwrap();
        let (wires, mut carrying) = (Wires { word, ..Wires::default() }, JoinSet::new());
        carrying.spawn(forward(listener, there, wires.clone()));
        Self { here, wires, _carrying: carrying }
    }

    /// With what stands before the host.
    pub fn address(&self, before: &str) -> String {
        format!("{before}{}", self.here)
    }

    /// Ends every connection and lets no new one through.
    pub fn sever(&self) {
        self.wires.is_cut.store(true, Ordering::SeqCst);
        self.wires.severed.notify_waiters();
    }

    /// From now on nothing more comes over the connections that said the word, and neither end is told.
    pub fn deaden(&self) {
        self.wires.deadened.notify_waiters();
    }

    pub fn mend(&self) {
        self.wires.is_cut.store(false, Ordering::SeqCst);
    }
}

#[derive(Clone, Default)]
struct Wires {
    is_cut: Arc<AtomicBool>,
    severed: Arc<Notify>,
    deadened: Arc<Notify>,
    word: &'static str,
}

async fn forward(listener: TcpListener, there: String, wires: Wires) {
    let mut connections = JoinSet::new();
    loop {
        let (near, _) = listener.accept().await.unwrap();
        if wires.is_cut.load(Ordering::SeqCst) {
            continue;
        }
        let (there, wires) = (there.clone(), wires.clone());
        connections.spawn(async move {
            let severed = wires.severed.clone();
            let end = severed.notified();
            let far = TcpStream::connect(there).await.unwrap();
            tokio::select! {
                () = both_ways(near, far, wires) => {}
                () = end => {}
            }
        });
    }
}

async fn both_ways(near: TcpStream, far: TcpStream, wires: Wires) {
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
