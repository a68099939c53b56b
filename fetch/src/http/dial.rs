//! Connector: resolves a name once, checks its addresses, and connects to one of exactly these.
//!
//! Invariant: no address is dialled that the guard has not admitted, except by the client for exceptions.

use crate::guard::AddressRefusal;
use async_trait::async_trait;
use hyper::Uri;
use hyper_util::rt::TokioIo;
use std::{
    fmt, io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};
use tokio::{net::TcpStream, time::timeout};
use tower_service::Service;

/// DNS resolver.
#[async_trait]
pub trait Resolve: fmt::Debug + Send + Sync {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// Resolver of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((name, 0)).await?;
        let mut addresses: Vec<IpAddr> = found.map(|address| address.ip()).collect();
        addresses.dedup();
        Ok(addresses)
    }
}

/// Reason why no connection was made.
#[derive(Debug, thiserror::Error)]
pub(super) enum DialError {
    #[error("{0}")]
    Refused(AddressRefusal),
    #[error("{}", unresolved(.0))]
    Unresolved(io::Error),
    #[error("no response")]
    TimedOut,
    #[error("no connection: {0}")]
    Failed(io::Error),
}

/// Remedy for a resolver error; the system's own messages vary.
fn unresolved(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::TimedOut => "the name server does not respond; try again later",
        _ => "unknown host name; check the address and the network connection of this machine",
    }
}

/// Check of an IP address without an exception.
pub(super) type Admit = Box<dyn Fn(IpAddr) -> Result<(), AddressRefusal> + Send + Sync>;

/// State shared by both clients: address check, resolver and dial counter.
pub(super) struct DialContext {
    pub admit: Admit,
    pub resolver: Arc<dyn Resolve>,
    pub connect_timeout: Duration,
    pub dials: AtomicU64,
}

impl fmt::Debug for DialContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DialContext").field("resolver", &self.resolver).field("dials", &self.dials).finish_non_exhaustive()
    }
}

/// Connector of one client.
#[derive(Debug, Clone)]
pub(super) struct Connector {
    pub context: Arc<DialContext>,
    /// Whether only public addresses may be dialled.
    pub only_public: bool,
}

impl Connector {
    async fn dial(self, uri: Uri) -> Result<TokioIo<TcpStream>, DialError> {
        let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("https") { 443 } else { 80 });
        self.connect(uri.host().unwrap_or_default(), port).await.map(TokioIo::new)
    }

    /// Connects to a host as written in an address.
    pub async fn connect(&self, host: &str, port: u16) -> Result<TcpStream, DialError> {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let addresses = match host.parse::<IpAddr>() {
            Ok(ip) => vec![ip],
            Err(_) => self.addresses(host).await?,
        };
        if self.only_public {
            // One bad address among good ones is an attack, not a mistake.
            addresses.iter().try_for_each(|ip| (self.context.admit)(*ip)).map_err(DialError::Refused)?;
        }
        let mut last = DialError::Unresolved(io::ErrorKind::NotFound.into());
        for ip in addresses {
            self.context.dials.fetch_add(1, Ordering::Relaxed);
            metrics::counter!("autosint_fetch_dials_total").increment(1);
            last = match timeout(self.context.connect_timeout, TcpStream::connect(SocketAddr::new(ip, port))).await {
                Ok(Ok(stream)) => {
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                Ok(Err(error)) => DialError::Failed(error),
                Err(_) => DialError::TimedOut,
            };
        }
        Err(last)
    }

    /// Resolves a name. Public names are fully qualified, so that no search domain applies.
    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, DialError> {
        let whole = match self.only_public && !host.ends_with('.') {
            true => format!("{host}."),
            false => host.to_owned(),
        };
        match timeout(self.context.connect_timeout, self.context.resolver.resolve(&whole)).await {
            Ok(found) => found.map_err(DialError::Unresolved),
            Err(_) => Err(DialError::Unresolved(io::ErrorKind::TimedOut.into())),
        }
    }
}

impl Service<Uri> for Connector {
    type Response = TokioIo<TcpStream>;
    type Error = DialError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        Box::pin(self.clone().dial(uri))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use tokio::net::TcpListener;

    /// Resolver that returns the next answer on each call.
    #[derive(Debug)]
    struct Changing(Mutex<Vec<IpAddr>>);

    #[async_trait]
    impl Resolve for Changing {
        async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
            Ok(self.0.lock().unwrap().pop().into_iter().collect())
        }
    }

    #[tokio::test]
    async fn a_rebinding_name_is_checked_by_the_address_that_is_dialled() {
        let (open, inner) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));
        let allowed = TcpListener::bind((open, 0)).await.unwrap();
        let port = allowed.local_addr().unwrap().port();
        let canary = std::net::TcpListener::bind((inner, port)).unwrap();
        canary.set_nonblocking(true).unwrap();
        let answers = Mutex::new(vec![inner, open, inner, open]);
        let context = DialContext {
            admit: Box::new(move |ip| if ip == open { Ok(()) } else { Err(AddressRefusal::Loopback) }),
            resolver: Arc::new(Changing(answers)),
            connect_timeout: Duration::from_secs(5),
            dials: AtomicU64::new(0),
        };
        let dialer = Connector { context: Arc::new(context), only_public: true };
        let uri: Uri = format!("http://rebind.example.org:{port}/").parse().unwrap();
        for is_open in [true, false, true, false] {
            let dialled = dialer.clone().dial(uri.clone()).await;
            assert_eq!(dialled.is_ok(), is_open);
            if let Ok(stream) = dialled {
                assert_eq!(stream.inner().peer_addr().unwrap().ip(), open);
            }
        }
        assert_eq!(dialer.context.dials.load(Ordering::Relaxed), 2);
        assert_eq!(canary.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock, "the refused address was dialled");
    }
}
