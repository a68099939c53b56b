//! A wire to a service that can be cut and mended: what a restart of the service looks like from here.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinSet,
};

pub struct Cut {
    here: SocketAddr,
    is_cut: Arc<AtomicBool>,
    severed: Arc<Notify>,
    _wire: JoinSet<()>,
}

impl Cut {
    /// Stands before the service of a URL; close it by dropping it.
    pub async fn before(url: &str) -> Self {
        let url = url::Url::parse(url).unwrap();
        let there = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let here = listener.local_addr().unwrap();
        let (is_cut, severed) = (Arc::new(AtomicBool::new(false)), Arc::new(Notify::new()));
        let mut wire = JoinSet::new();
        wire.spawn(carry(listener, there, is_cut.clone(), severed.clone()));
        Self { here, is_cut, severed, _wire: wire }
    }

    /// With what stands before the host.
    pub fn address(&self, before: &str) -> String {
        format!("{before}{}", self.here)
    }

    /// Ends every connection and lets no new one through.
    pub fn sever(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        self.severed.notify_waiters();
    }

    pub fn mend(&self) {
        self.is_cut.store(false, Ordering::SeqCst);
    }
}

async fn carry(listener: TcpListener, there: String, is_cut: Arc<AtomicBool>, severed: Arc<Notify>) {
    let mut connections = JoinSet::new();
    loop {
        let (mut near, _) = listener.accept().await.unwrap();
        if is_cut.load(Ordering::SeqCst) {
            continue;
        }
        let (there, severed) = (there.clone(), severed.clone());
        connections.spawn(async move {
            let end = severed.notified();
            let mut far = TcpStream::connect(there).await.unwrap();
            tokio::select! {
                _ = copy_bidirectional(&mut near, &mut far) => {}
                () = end => {}
            }
        });
    }
}
