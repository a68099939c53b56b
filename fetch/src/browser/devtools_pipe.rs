//! DevTools connection to Chromium: two private pipes, bridged to a local WebSocket because the driver speaks only that.
//!
//! Invariant: Chromium listens on no port. The WebSocket accepts one client, which must know a secret path. When either side
//! closes, Chromium exits.

use futures::{SinkExt, StreamExt};
use rustls::crypto::ring;
use serde::Deserialize;
use serde_json::json;
use std::{io, net::Ipv4Addr, time::Duration};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    process::{ChildStdin, ChildStdout},
    task::JoinSet,
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, accept_hdr_async,
    tungstenite::{
        Message,
        handshake::server::{ErrorResponse, Request, Response},
        http::StatusCode,
    },
};

/// Terminator of each message in a pipe.
const MESSAGE_END: u8 = 0;
/// Time limit for a client's WebSocket handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
const SECRET_BYTES: usize = 24;

/// Both ends of Chromium's DevTools pipe.
#[derive(Debug)]
pub(super) struct DevtoolsPipe {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

#[derive(Deserialize)]
struct VersionReply {
    result: Version,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    user_agent: String,
}

impl DevtoolsPipe {
    pub fn new(to: ChildStdin, from: ChildStdout) -> Self {
        Self { to, from: BufReader::new(from) }
    }

    /// Waits for Chromium's first reply and returns its user agent; an error if it exits before that.
    pub async fn handshake(&mut self) -> io::Result<String> {
        send(&mut self.to, &json!({"id": 0, "method": "Browser.getVersion"}).to_string()).await?;
        let answer = receive(&mut self.from).await?.ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(serde_json::from_str::<VersionReply>(&answer)?.result.user_agent)
    }

    /// Starts the bridge and returns its WebSocket address. The pipe closes when the client disconnects.
    pub async fn open(self) -> io::Result<String> {
        let mut secret = [0; SECRET_BYTES];
        let random = ring::default_provider().secure_random;
        random.fill(&mut secret).map_err(|_| io::Error::other("no random numbers available"))?;
        let path = format!("/{}", hex::encode(secret));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = format!("ws://{}{path}", listener.local_addr()?);
        tokio::spawn(async move {
            if let Some(socket) = accept_driver(listener, path).await {
                self.forward(socket).await;
            }
        });
        Ok(address)
    }

    async fn forward(self, socket: WebSocketStream<TcpStream>) {
        let Self { mut to, mut from } = self;
        let (mut to_socket, mut from_socket) = socket.split();
        let to_driver = async {
            while let Ok(Some(message)) = receive(&mut from).await {
                if to_socket.send(Message::text(message)).await.is_err() {
                    break;
                }
            }
        };
        let to_chromium = async {
            while let Some(Ok(message)) = from_socket.next().await {
                if let Message::Text(text) = message
                    && send(&mut to, &text).await.is_err()
                {
                    break;
                }
            }
        };
        tokio::select! {
            () = to_driver => {}
            () = to_chromium => {}
        }
    }
}

async fn send(to: &mut ChildStdin, message: &str) -> io::Result<()> {
    to.write_all(message.as_bytes()).await?;
    to.write_all(&[MESSAGE_END]).await?;
    to.flush().await
}

/// Next message; `None` at the end of the stream.
async fn receive(from: &mut BufReader<ChildStdout>) -> io::Result<Option<String>> {
    let mut message = Vec::new();
    from.read_until(MESSAGE_END, &mut message).await?;
    let whole = message.pop() == Some(MESSAGE_END);
    Ok(whole.then(|| String::from_utf8_lossy(&message).into_owned()))
}

/// The first client that requests `path`. Other clients are rejected and do not block it.
async fn accept_driver(listener: TcpListener, path: String) -> Option<WebSocketStream<TcpStream>> {
    let mut clients = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (stream, _) = accepted.ok()?;
                clients.spawn(timeout(HANDSHAKE_TIMEOUT, accept_handshake(stream, path.clone())));
            }
            // A failed handshake must not stop the others.
            Some(client) = clients.join_next() => if let Ok(Ok(Some(socket))) = client {
                return Some(socket);
            },
        }
    }
}

async fn accept_handshake(stream: TcpStream, path: String) -> Option<WebSocketStream<TcpStream>> {
    #[expect(clippy::result_large_err, reason = "the library wants the refusal as it is sent")]
    let check_path = move |request: &Request, response: Response| match request.uri().path() == path {
        true => Ok(response),
        false => {
            let mut refusal = ErrorResponse::new(None);
            *refusal.status_mut() = StatusCode::FORBIDDEN;
            Err(refusal)
        }
    };
    let _ = stream.set_nodelay(true);
    accept_hdr_async(stream, check_path).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_tungstenite::client_async;

    #[tokio::test]
    async fn a_rejected_client_does_not_block_the_driver() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let waited = tokio::spawn(accept_driver(listener, "/secret".into()));
        let first = TcpStream::connect(address).await.unwrap();
        assert!(tokio_tungstenite::connect_async(format!("ws://{address}/other")).await.is_err());
        let (_socket, _) = client_async(format!("ws://{address}/secret"), first).await.unwrap();
        let accepted = timeout(HANDSHAKE_TIMEOUT, waited).await.expect("the driver is accepted");
        assert!(accepted.unwrap().is_some());
    }

    #[tokio::test]
    async fn clients_without_the_secret_path_are_rejected_and_do_not_block_others() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let waited = tokio::spawn(accept_driver(listener, "/secret".into()));
        let _silent = TcpStream::connect(address).await.unwrap();
        for path in ["", "/", "/json/new", "/devtools/browser", "/secret/", "/secre"] {
            let refused = tokio_tungstenite::connect_async(format!("ws://{address}{path}")).await;
            assert!(refused.is_err(), "{path}");
        }
        let (_socket, _) = tokio_tungstenite::connect_async(format!("ws://{address}/secret")).await.unwrap();
        assert!(waited.await.unwrap().is_some());
    }
}
