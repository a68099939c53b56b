//! A small web on loopback: names that lead where a test says, servers, and a door with exceptions for them.

use crate::support;
use async_trait::async_trait;
use axum::{Router, http::HeaderMap};
use domain::Timestamp;
use fetch::{Documents, Exception, FetchConfig, ParserPool, Resolve, Web, World};
use std::{
    collections::HashMap,
    io,
    net::{IpAddr, Ipv4Addr},
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

pub const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Names with their addresses; all others lead to this machine, where nothing may be reached.
#[derive(Debug, Default)]
pub struct Names {
    pub known: HashMap<String, Vec<IpAddr>>,
    pub asked: AtomicU64,
}

#[async_trait]
impl Resolve for Names {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(self.known.get(name.trim_end_matches('.')).cloned().unwrap_or_else(|| vec![LOOPBACK]))
    }
}

/// A clock that a test moves.
#[derive(Clone)]
pub struct Hands(Arc<AtomicI64>);

impl Hands {
    pub fn forward_ms(&self, ms: i64) {
        self.0.fetch_add(ms * 1_000, Ordering::Relaxed);
    }
}

pub struct Door {
    pub web: Web,
    pub hands: Hands,
    /// Goes with the door.
    pub folder: tempfile::TempDir,
}

/// Quick, and with an exception for each host.
pub fn config(hosts: &[(&str, u16)]) -> FetchConfig {
    let mut config = support::config();
    config.contact = "desk@example.org".into();
    config.pace.interval_ms = 0;
    config.http.exceptions =
        hosts.iter().map(|(host, port)| Exception { source: "web".into(), host: (*host).into(), port: *port }).collect();
    config
}

pub fn door(config: FetchConfig) -> Door {
    door_with(config, Arc::new(Names::default()))
}

pub fn door_with(config: FetchConfig, resolver: Arc<dyn Resolve>) -> Door {
    door_in(config, resolver, tempfile::tempdir().unwrap())
}

/// The same on what an earlier door has left.
pub fn door_on(config: FetchConfig, folder: tempfile::TempDir) -> Door {
    door_in(config, Arc::new(Names::default()), folder)
}

fn door_in(config: FetchConfig, resolver: Arc<dyn Resolve>, folder: tempfile::TempDir) -> Door {
    let hands = Hands(Arc::new(AtomicI64::new(1_900_000_000_000_000)));
    let now = hands.clone();
    let mut world = World::new(
        &config,
        Arc::new(move || Timestamp::from_micros(now.0.load(Ordering::Relaxed))),
        Some(folder.path().join("pages")),
    );
    world.resolver = resolver;
    let documents = Documents::new(config.clone(), ParserPool::new(support::parser(), &config));
    Door { web: Web::new(&config, documents, world).unwrap(), hands, folder }
}

/// A server of this machine; its port.
pub async fn serve(router: Router) -> u16 {
    let listener = TcpListener::bind((LOOPBACK, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await });
    port
}

/// A server that answers each connection with what `talk` writes after it has read the head of a request.
pub async fn serve_raw<F, T>(talk: F) -> u16
where
    F: Fn(TcpStream) -> T + Send + Sync + 'static,
    T: Future<Output = io::Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind((LOOPBACK, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let talk = Arc::new(talk);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let talk = talk.clone();
            tokio::spawn(async move {
                let mut head = [0; 4_096];
                let read = stream.read(&mut head).await.unwrap_or(0);
                if head[..read].starts_with(b"GET /robots.txt ") {
                    let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
                    return;
                }
                let _ = talk(stream).await;
            });
        }
    });
    port
}

pub fn page(title: &str) -> axum::response::Html<String> {
    let words = "The harbour master said on Tuesday that the gates would stay shut until the inquiry has ended. ".repeat(6);
    axum::response::Html(format!(
        "<html><head><title>{title}</title></head><body><article><h1>{title}</h1><p>{words}</p></article></body></html>"
    ))
}

pub fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
