//! Loopback server that returns prepared responses in order and records requests.

use crate::prelude::*;
use async_trait::async_trait;
use axum::{
    body::{Body, to_bytes},
    extract::Request,
    response::Response,
};
use domain::Timestamp;
use fetch::{SourceError, SourceRequest, SourceResponse, SourceTransport};
use std::{collections::VecDeque, sync::atomic::AtomicI64};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn json(body: &str) -> Self {
        Self { status: 200, headers: Vec::new(), body: body.as_bytes().to_vec() }
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }
}

#[derive(Debug, Default)]
struct Script {
    replies: Mutex<VecDeque<Reply>>,
    asked: Mutex<Vec<String>>,
}

pub struct Provider {
    /// Base address with a final slash.
    pub address: String,
    script: Arc<Script>,
    now_s: Arc<AtomicI64>,
    plain: Plain,
}

/// Interval of each request.
pub type Intervals = Arc<Mutex<Vec<Option<Duration>>>>;

/// Recorded request headers.
const NOTED: [&str; 5] = ["authorization", "x-api-key", "x-subscription-token", "x-key", "x-github-api-version"];

impl Provider {
    pub async fn start(replies: Vec<Reply>) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let script = Arc::new(Script { replies: Mutex::new(replies.into()), asked: Mutex::default() });
        let router = Router::new().fallback(answer).with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, script, now_s: Arc::default(), plain: Plain::default() }
    }

    /// Recorded requests: `METHOD /path?query`, then headers and body.
    pub fn requests(&self) -> Vec<String> {
        self.script.asked.lock().unwrap().clone()
    }

    pub fn get(&self) -> Arc<dyn SourceTransport> {
        Arc::new(self.plain.clone())
    }

    pub fn intervals(&self) -> Intervals {
        self.plain.0.clone()
    }

    pub fn clock(&self) -> Arc<dyn Fn() -> Timestamp + Send + Sync> {
        let now_s = self.now_s.clone();
        Arc::new(move || Timestamp::from_micros(now_s.load(Ordering::Relaxed) * 1_000_000))
    }

    pub fn pass_s(&self, seconds: i64) {
        self.now_s.fetch_add(seconds, Ordering::Relaxed);
    }
}

async fn answer(State(script): State<Arc<Script>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let mut noted = format!("{} {}", head.method, head.uri.path_and_query().map_or("", |path| path.as_str()));
    for name in NOTED {
        if let Some(value) = head.headers.get(name) {
            noted.push_str(&format!(" {name}: {}", value.to_str().unwrap()));
        }
    }
    let body = to_bytes(body, 1024 * 1024).await.unwrap();
    if !body.is_empty() {
        noted.push_str(&format!(" {}", String::from_utf8_lossy(&body)));
    }
    script.asked.lock().unwrap().push(noted);
    let reply = script.replies.lock().unwrap().pop_front().unwrap_or(Reply::json("").status(404));
    let response = Response::builder().status(reply.status);
    let response = reply.headers.iter().fold(response, |response, (name, value)| response.header(name, value));
    response.body(Body::from(reply.body)).unwrap()
}

/// Transport with one connection per request.
#[derive(Clone, Default)]
struct Plain(Intervals);

#[async_trait]
impl SourceTransport for Plain {
    async fn send(&self, request: SourceRequest) -> Result<SourceResponse, SourceError> {
        self.0.lock().unwrap().push(request.interval);
        exchange(&request).await.map_err(|error| SourceError::Unreachable(error.to_string()))
    }
}

/// Sends one request on its own connection.
pub async fn exchange(request: &SourceRequest) -> std::io::Result<SourceResponse> {
    let host = format!("{}:{}", request.url.host_str().unwrap(), request.url.port().unwrap());
    let mut stream = TcpStream::connect(&host).await?;
    let (method, kind, body) = match &request.body {
        Some((kind, body)) => ("POST", *kind, body.as_ref()),
        None => ("GET", "", &b""[..]),
    };
    let path = request.url.query().map_or(request.url.path().to_owned(), |query| format!("{}?{query}", request.url.path()));
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
    request.headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
    if request.body.is_some() {
        head.push_str(&format!("content-type: {kind}\r\ncontent-length: {}\r\n", body.len()));
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).await?;
    stream.write_all(body).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let header = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    Ok(SourceResponse {
        address: request.url.to_string(),
        status,
        headers: lines.filter_map(header).collect(),
        body: answer[end + 4..].to_vec().into(),
    })
}
