//! Tests of slow, idle and many connections, on a listener with short time-outs.

use crate::prelude::*;
use axum::routing::get;
use server::{
    config::{ConnectionConfig, Network},
    http,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    time::timeout,
};

/// Longest wait for what should happen at once.
const PATIENCE: Duration = Duration::from_secs(60);
/// Long enough for a client that means it, on a busy machine.
const SOON_MS: u64 = 1_500;

async fn impatient_app() -> App {
    spawn_with(|config| {
        let connections = &mut config.server.connections;
        connections.max_open = 4;
        connections.header_timeout_ms = SOON_MS;
        connections.body_idle_ms = SOON_MS;
        connections.write_idle_ms = SOON_MS;
    })
    .await
}

/// Opens a connection and sends the beginning of a request.
async fn begin(app: &App, beginning: &str) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(beginning.replace("HOST", &app.address.to_string()).as_bytes()).await.unwrap();
    stream
}

/// Reads until the server closes the connection.
async fn until_closed(mut stream: TcpStream) -> String {
    let mut bytes = vec![];
    let read = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    assert!(read.is_ok(), "the server keeps the connection open");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn idle_connections_are_closed_and_the_server_answers() {
    let app = impatient_app().await;
    let mut idle = vec![];
    for _ in 0..6 {
        idle.push(begin(&app, "GET / HTTP/1.1\r\nX: ").await);
    }
    idle.push(begin(&app, "").await);
    let ready = timeout(PATIENCE, app.browser().get("/readyz")).await.expect("the server answers");
    assert_eq!(ready.status, 200);
    for stream in idle {
        until_closed(stream).await;
    }
    let used = begin(&app, "GET /healthz HTTP/1.1\r\nHost: HOST\r\n\r\n").await;
    assert!(until_closed(used).await.starts_with("HTTP/1.1 200"), "a kept connection ends, too");
}

#[tokio::test]
async fn a_form_that_never_ends_is_given_up() {
    let app = impatient_app().await;
    let head = "POST /sign-in HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/x-www-form-urlencoded\r\n";
    let slow = begin(&app, &format!("{head}Content-Length: 100\r\n\r\nusername=")).await;
    let answer = until_closed(slow).await;
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
}

#[tokio::test]
async fn a_client_that_does_not_read_loses_its_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let config = ConnectionConfig { max_open: 1, write_idle_ms: SOON_MS, ..ConnectionConfig::default() };
    // More than the buffers of two sockets hold.
    let router = Router::new().route("/long", get(async || vec![b'a'; 64 << 20])).route("/short", get(async || "short"));
    let stopped = stop.clone();
    let served =
        tokio::spawn(async move { http::serve_connections(listener, router, &config, &Network::LOOPBACK, stopped).await });
    let mut silent = TcpStream::connect(address).await.unwrap();
    silent.write_all(b"GET /long HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    let answer = timeout(PATIENCE, Browser::new(address).get("/short")).await.expect("the only place becomes free");
    assert_eq!(answer.text(), "short");
    drop(silent);
    stop.cancel();
    timeout(PATIENCE, served).await.expect("a stopped listener ends").unwrap();
}

#[tokio::test]
async fn one_client_cannot_take_the_places_of_others() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    // Nothing else closes the third connection.
    let header_timeout_ms = 10 * 60 * 1_000;
    let config = ConnectionConfig { max_open: 8, max_per_client: 2, header_timeout_ms, ..ConnectionConfig::default() };
    let router = Router::new().route("/short", get(async || "short"));
    let stopped = stop.clone();
    let served = tokio::spawn(async move { http::serve_connections(listener, router, &config, &[], stopped).await });
    let held = [TcpStream::connect(address).await.unwrap(), TcpStream::connect(address).await.unwrap()];
    until_closed(TcpStream::connect(address).await.unwrap()).await;
    // Another address of this machine is another client.
    let other = TcpSocket::new_v4().unwrap();
    other.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let mut other = other.connect(address).await.unwrap();
    other.write_all(b"GET /short HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
    assert!(until_closed(other).await.ends_with("short"));
    drop(held);
    let is_free = async || {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let sent = stream.write_all(b"GET /short HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
        let mut answer = String::new();
        sent.is_ok() && stream.read_to_string(&mut answer).await.is_ok() && answer.ends_with("short")
    };
    assert!(eventually(is_free).await, "closed connections make room");
    stop.cancel();
    timeout(PATIENCE, served).await.expect("a stopped listener ends").unwrap();
}

#[tokio::test]
async fn connections_beyond_the_limit_wait_for_a_place() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let config = ConnectionConfig { max_open: 1, ..ConnectionConfig::default() };
    let router = Router::new().route("/short", get(async || "short"));
    let stopped = stop.clone();
    let served =
        tokio::spawn(async move { http::serve_connections(listener, router, &config, &Network::LOOPBACK, stopped).await });
    // Its answer shows that the first connection has the only place.
    let mut first = TcpStream::connect(address).await.unwrap();
    first.write_all(b"GET /short HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    assert!(first.read(&mut [0; 16]).await.unwrap() > 0);
    let mut second = TcpStream::connect(address).await.unwrap();
    second.write_all(b"GET /short HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
    let early = timeout(Duration::from_millis(SOON_MS), second.read(&mut [0; 16])).await;
    assert!(early.is_err(), "answered beyond the limit: {early:?}");
    drop(first);
    assert!(until_closed(second).await.ends_with("short"));
    stop.cancel();
    timeout(PATIENCE, served).await.expect("a stopped listener ends").unwrap();
}

#[tokio::test]
async fn a_person_has_a_limited_number_of_event_streams() {
    let app = spawn_with(|config| {
        config.server.connections.streams_per_person = 2;
        // The investigation stays open: nothing drives it.
        config.engine.max_investigations = 0;
    })
    .await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let address = ada.ask("Who did it?", &[("a.txt", "The Red Tide group set the fire.")]).await.location().to_owned();
    let stream = format!("/api/v1{address}/events");
    let streams = (ada.follow(&stream).await, ada.follow(&stream).await);
    let refused = timeout(PATIENCE, ada.get(&stream)).await.expect("the third is refused");
    assert_eq!((refused.status, refused.json()["error"]["code"].clone()), (429, "too_many_streams".into()));
    drop(streams);
    let head = format!("GET {stream} HTTP/1.1\r\nHost: HOST\r\nCookie: {}\r\n\r\n", ada.cookie.unwrap());
    let opens = async || {
        let mut status = [0; 12];
        begin(&app, &head).await.read_exact(&mut status).await.is_ok() && &status == b"HTTP/1.1 200"
    };
    assert!(eventually(opens).await, "a closed stream makes room");
}
