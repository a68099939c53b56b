//! HTTP proxy of one browser context: all traffic of its pages goes through it and is dialled under Fetch's rules.
//!
//! Invariant: connections lead only where the guard permits. No context can use another's traffic budget, and no other user of
//! this machine can connect.

mod exception_scope;
mod peer_uid;
mod relay;
mod request_head;

use super::config::BrowserConfig;
use crate::{guard::Clearance, web::Web};
use domain::fetch::{FetchError, FetchFailure};
pub(super) use exception_scope::ExceptionScope;
use request_head::{RequestHead, Target};
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

/// Time limit for the head of a request; Chromium writes it at once.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Remembered refusals, so that a page full of them cannot exhaust memory.
const MAX_REFUSALS: usize = 64;

/// Proxy on its own loopback port, until it is dropped.
#[derive(Debug)]
pub(super) struct Proxy {
    /// Listening address.
    pub address: SocketAddr,
    shared: Arc<ProxyState>,
}

#[derive(Debug)]
struct ProxyState {
    web: Web,
    /// Source on whose behalf pages are opened; its exceptions hold within [`ExceptionScope`].
    source: String,
    exceptions: Arc<ExceptionScope>,
    max_bytes: u64,
    received: AtomicU64,
    dials: AtomicU64,
    connections: Semaphore,
    /// Cancelled with the context; ends all connections.
    ended: CancellationToken,
    refusals: Mutex<VecDeque<(String, FetchError)>>,
}

impl Proxy {
    /// Starts listening.
    pub async fn start(web: Web, source: &str, config: &BrowserConfig) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(ProxyState {
            web,
            source: source.to_owned(),
            exceptions: Arc::default(),
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

    /// Source on whose behalf pages are opened.
    pub fn source(&self) -> &str {
        &self.shared.source
    }

    /// Scope of address exceptions; it must be updated when the main frame navigates.
    pub fn exceptions(&self) -> &Arc<ExceptionScope> {
        &self.shared.exceptions
    }

    /// Resets the traffic budget for the page's next step.
    pub fn renew(&self) {
        self.shared.received.store(0, Ordering::Relaxed);
        self.shared.refusals().clear();
    }

    /// Bytes received in this step.
    pub fn received(&self) -> u64 {
        self.shared.received.load(Ordering::Relaxed)
    }

    /// Whether the traffic budget of this step is exhausted.
    pub fn is_exhausted(&self) -> bool {
        self.shared.received.load(Ordering::Relaxed) > self.shared.max_bytes
    }

    /// Refusal recorded for the host of `url`.
    pub fn refusal_for(&self, url: &Url) -> Option<FetchError> {
        let authority = authority(url);
        self.shared.refusals().iter().rev().find(|(refused, _)| *refused == authority).map(|(_, why)| why.clone())
    }

    /// Connections attempted for this context, for tests.
    pub fn dials(&self) -> u64 {
        self.shared.dials.load(Ordering::Relaxed)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.ended.cancel();
    }
}

impl ProxyState {
    fn refusals(&self) -> std::sync::MutexGuard<'_, VecDeque<(String, FetchError)>> {
        self.refusals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record_refusal(&self, url: &Url, why: &FetchError) {
        metrics::counter!("autosint_browser_refusals_total", "reason" => why.reason.as_str()).increment(1);
        let mut refusals = self.refusals();
        if refusals.len() >= MAX_REFUSALS {
            refusals.pop_front();
        }
        refusals.push_back((authority(url), why.clone()));
    }

    fn record_other_user(&self) {
        metrics::counter!("autosint_browser_refusals_total", "reason" => "other_user").increment(1);
        tracing::warn!("browser proxy: connection of another local user rejected");
    }

    async fn dial(&self, url: &Url) -> Result<(TcpStream, Clearance), FetchError> {
        let dialled = match self.received.load(Ordering::Relaxed) > self.max_bytes {
            true => Err(FetchError::new(FetchFailure::TooLarge, "The page has exhausted its traffic budget.")),
            false => self.web.connect(&self.source, self.exceptions.address().as_ref(), url).await,
        };
        self.dials.fetch_add(u64::from(dialled.is_ok()), Ordering::Relaxed);
        dialled.inspect_err(|why| self.record_refusal(url, why))
    }
}

async fn accept(listener: TcpListener, shared: Arc<ProxyState>) {
    loop {
        match listener.accept().await {
            Ok((client, _)) => {
                tokio::spawn(shared.ended.clone().run_until_cancelled_owned(serve(client, shared.clone())));
            }
            Err(error) => {
                tracing::warn!(%error, "browser proxy: accept failed, retrying");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Serves one connection of Chromium: one request, or one tunnel.
async fn serve(mut client: TcpStream, shared: Arc<ProxyState>) {
    let _ = client.set_nodelay(true);
    if peer_uid::is_other_user(&client).await {
        return shared.record_other_user();
    }
    let Ok(_permit) = shared.connections.acquire().await else { return };
    let (head, rest) = match timeout(HEAD_TIMEOUT, request_head::read(&mut client)).await {
        Ok(Ok(Some(read))) => read,
        Ok(Err(why)) => return respond(&mut client, 400, &why.to_string()).await,
        Ok(Ok(None)) | Err(_) => return,
    };
    let Some(target) = Target::from_head(&head) else { return respond(&mut client, 400, "not a web address").await };
    match shared.dial(target.url()).await {
        // Errors here mean that the server or the page is gone; nothing remains to be done.
        Ok((server, Clearance::Public)) => drop(relay_request(client, server, target, &head, &rest, &shared).await),
        Ok((server, Clearance::Excepted)) => {
            let relayed = relay_request(client, server, target, &head, &rest, &shared);
            let _ = shared.exceptions.cancellation().run_until_cancelled(relayed).await;
        }
        Err(why) => respond(&mut client, if why.reason == FetchFailure::Refused { 403 } else { 502 }, &why.message).await,
    }
}

async fn relay_request(
    mut client: TcpStream,
    mut server: TcpStream,
    target: Target,
    head: &RequestHead,
    rest: &[u8],
    shared: &ProxyState,
) -> io::Result<()> {
    match target {
        Target::Tunnel(_) => client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?,
        Target::Request(url) => server.write_all(&head.forwarded(&url)).await?,
    }
    server.write_all(rest).await?;
    let mode = match head.is_connect() {
        true => relay::ResponseMode::Raw,
        false => relay::ResponseMode::ForceClose,
    };
    relay::relay(client, server, mode, &shared.received, shared.max_bytes).await
}

async fn respond(client: &mut TcpStream, status: u16, why: &str) {
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
