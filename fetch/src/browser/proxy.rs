//! The proxy of one browser context: everything that its pages ask of the network comes here, and is dialled as all of Fetch dials.
//!
//! Invariant: a connection leads where the guard has let it lead, and nowhere else; one context cannot use another's proxy budget, and no
//! other person of this machine uses it at all.

mod head;
mod home;
mod neighbour;
mod relay;

use super::config::BrowserConfig;
use crate::{guard::Clearance, web::Web};
use domain::fetch::{FetchError, FetchFailure};
use head::{Head, Target};
pub(super) use home::Home;
use std::{
    collections::VecDeque,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use url::Url;

/// How long a request may take to be written: Chromium writes it at once.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);
/// Refusals that are remembered, so that a page full of them fills no memory.
const MAX_REFUSALS: usize = 64;

/// A proxy that listens on a loopback port of its own until it is dropped.
#[derive(Debug)]
pub(super) struct Proxy {
    /// Where it listens.
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    web: Web,
    /// On whose behalf pages are opened: its exceptions of the address rules hold at home.
    source: String,
    home: Arc<Home>,
    max_bytes: u64,
    received: AtomicU64,
    dials: AtomicU64,
    connections: Semaphore,
    /// The context is gone, and all of its connections with it.
    ended: CancellationToken,
    refusals: Mutex<VecDeque<(String, FetchError)>>,
}

impl Proxy {
    /// Begins to listen.
    pub async fn start(web: Web, source: &str, config: &BrowserConfig) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            web,
            source: source.to_owned(),
            home: Arc::default(),
            max_bytes: config.max_page_bytes,
            received: AtomicU64::new(0),
            dials: AtomicU64::new(0),
            connections: Semaphore::new(config.max_connections.max(1)),
            ended: CancellationToken::new(),
            refusals: Mutex::default(),
        });
        tokio::spawn(shared.ended.clone().run_until_cancelled_owned(accept(listener, shared.clone())));
        Ok(Self { address, shared })
    }

    /// On whose behalf its pages are opened.
    pub fn source(&self) -> &str {
        &self.shared.source
    }

    /// Is to be told what the main frame shows.
    pub fn home(&self) -> &Arc<Home> {
        &self.shared.home
    }

    /// A new step of its page has the whole of the allowance again.
    pub fn renew(&self) {
        self.shared.received.store(0, Ordering::Relaxed);
        self.shared.refusals().clear();
    }

    /// Bytes that this step has brought so far.
    pub fn received(&self) -> u64 {
        self.shared.received.load(Ordering::Relaxed)
    }

    /// Whether the pages have been cut off for being too large.
    pub fn is_used_up(&self) -> bool {
        self.shared.received.load(Ordering::Relaxed) > self.shared.max_bytes
    }

    /// Why the host of `url` was not connected to, where it was not.
    pub fn refusal_of(&self, url: &Url) -> Option<FetchError> {
        let authority = authority(url);
        self.shared.refusals().iter().rev().find(|(refused, _)| *refused == authority).map(|(_, why)| why.clone())
    }

    /// Connections that were tried for this context, for tests.
    pub fn dials(&self) -> u64 {
        self.shared.dials.load(Ordering::Relaxed)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.ended.cancel();
    }
}

impl Shared {
    fn refusals(&self) -> std::sync::MutexGuard<'_, VecDeque<(String, FetchError)>> {
        self.refusals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, url: &Url, why: &FetchError) {
        metrics::counter!("autosint_browser_refusals_total", "reason" => why.reason.as_str()).increment(1);
        let mut refusals = self.refusals();
        if refusals.len() >= MAX_REFUSALS {
            refusals.pop_front();
        }
        refusals.push_back((authority(url), why.clone()));
    }

    fn note_stranger(&self) {
        metrics::counter!("autosint_browser_refusals_total", "reason" => "stranger").increment(1);
        tracing::warn!("another person of this machine tried to use the proxy of a page, and was turned away");
    }

    async fn dial(&self, url: &Url) -> Result<(TcpStream, Clearance), FetchError> {
        let dialled = match self.received.load(Ordering::Relaxed) > self.max_bytes {
            true => Err(FetchError::new(FetchFailure::TooLarge, "The page has used up what it may bring.")),
            false => self.web.connect(&self.source, self.home.address().as_ref(), url).await,
        };
        self.dials.fetch_add(u64::from(dialled.is_ok()), Ordering::Relaxed);
        dialled.inspect_err(|why| self.note(url, why))
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        match listener.accept().await {
            Ok((client, _)) => {
                tokio::spawn(shared.ended.clone().run_until_cancelled_owned(serve(client, shared.clone())));
            }
            Err(error) => {
                tracing::warn!(%error, "the proxy of a page cannot accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// One connection of Chromium: one request, or one tunnel.
async fn serve(mut client: TcpStream, shared: Arc<Shared>) {
    let _ = client.set_nodelay(true);
    if neighbour::is_stranger(&client).await {
        return shared.note_stranger();
    }
    let Ok(_place) = shared.connections.acquire().await else { return };
    let (head, rest) = match timeout(HEAD_PATIENCE, head::read(&mut client)).await {
        Ok(Ok(Some(read))) => read,
        Ok(Err(why)) => return answer(&mut client, 400, &why.to_string()).await,
        Ok(Ok(None)) | Err(_) => return,
    };
    let Some(target) = Target::of(&head) else { return answer(&mut client, 400, "no address of the web").await };
    match shared.dial(target.url()).await {
        // Where the other side breaks off, or the page is gone, there is nothing that anybody could do.
        Ok((server, Clearance::Public)) => drop(carry(client, server, target, &head, &rest, &shared).await),
        Ok((server, Clearance::Excepted)) => {
            let carried = carry(client, server, target, &head, &rest, &shared);
            let _ = shared.home.left().run_until_cancelled(carried).await;
        }
        Err(why) => answer(&mut client, if why.reason == FetchFailure::Refused { 403 } else { 502 }, &why.message).await,
    }
}

async fn carry(
    mut client: TcpStream,
    mut server: TcpStream,
    target: Target,
    head: &Head,
    rest: &[u8],
    shared: &Shared,
) -> io::Result<()> {
    match target {
        Target::Tunnel(_) => client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?,
        Target::Request(url) => server.write_all(&head.forwarded(&url)).await?,
    }
    server.write_all(rest).await?;
    let reply = match head.is_connect() {
        true => relay::Reply::Raw,
        false => relay::Reply::ClosesAfterwards,
    };
    relay::both_ways(client, server, reply, &shared.received, shared.max_bytes).await
}

async fn answer(client: &mut TcpStream, status: u16, why: &str) {
    let reason = if status == 403 { "Forbidden" } else { "Bad Gateway" };
    let text = format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{why}",
        why.len()
    );
    let _ = client.write_all(text.as_bytes()).await;
    let _ = client.shutdown().await;
}

fn authority(url: &Url) -> String {
    format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default())
}
