//! The line to Chromium: two pipes that only we hold, and a WebSocket of this process, because that is what its driver speaks.
//!
//! Invariant: Chromium listens nowhere. The WebSocket takes one visitor, who knows a word that nobody else was told. When the line is cut, from
//! whichever end, Chromium ends.

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

/// What stands behind each message in a pipe.
const END: u8 = 0;
/// Who says nothing for so long is not the one that is waited for.
const HANDSHAKE_PATIENCE: Duration = Duration::from_secs(10);
const SECRET_BYTES: usize = 24;

/// Both pipes.
#[derive(Debug)]
pub(super) struct Line {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

#[derive(Deserialize)]
struct Answer {
    result: Version,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    user_agent: String,
}

impl Line {
    pub fn new(to: ChildStdin, from: ChildStdout) -> Self {
        Self { to, from: BufReader::new(from) }
    }

    /// Waits until Chromium answers, and gives the name that it has for itself; an error where it ends before that.
    pub async fn greet(&mut self) -> io::Result<String> {
        send(&mut self.to, &json!({"id": 0, "method": "Browser.getVersion"}).to_string()).await?;
        let answer = receive(&mut self.from).await?.ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(serde_json::from_str::<Answer>(&answer)?.result.user_agent)
    }

    /// Begins to carry messages, and says under which address. The line is cut when the one who came there leaves.
    pub async fn open(self) -> io::Result<String> {
        let mut secret = [0; SECRET_BYTES];
        let random = ring::default_provider().secure_random;
        random.fill(&mut secret).map_err(|_| io::Error::other("this machine has no random numbers"))?;
        let path = format!("/{}", hex::encode(secret));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = format!("ws://{}{path}", listener.local_addr()?);
        tokio::spawn(async move {
            if let Some(socket) = visitor(listener, path).await {
                self.carry(socket).await;
            }
        });
        Ok(address)
    }

    async fn carry(self, socket: WebSocketStream<TcpStream>) {
        let Self { mut to, mut from } = self;
        let (mut told, mut heard) = socket.split();
        let to_driver = async {
            while let Ok(Some(message)) = receive(&mut from).await {
                if told.send(Message::text(message)).await.is_err() {
                    break;
                }
            }
        };
        let to_chromium = async {
            while let Some(Ok(message)) = heard.next().await {
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
    to.write_all(&[END]).await?;
    to.flush().await
}

/// The next message; none when there will be no other.
async fn receive(from: &mut BufReader<ChildStdout>) -> io::Result<Option<String>> {
    let mut message = Vec::new();
    from.read_until(END, &mut message).await?;
    let whole = message.pop() == Some(END);
    Ok(whole.then(|| String::from_utf8_lossy(&message).into_owned()))
}

/// The first to come who asks for `path`; whoever else comes is turned away and keeps nobody waiting.
async fn visitor(listener: TcpListener, path: String) -> Option<WebSocketStream<TcpStream>> {
    let mut callers = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (stream, _) = accepted.ok()?;
                callers.spawn(timeout(HANDSHAKE_PATIENCE, greeted(stream, path.clone())));
            }
            // Whatever became of a caller, the others are listened to further.
            Some(called) = callers.join_next() => if let Ok(Ok(Some(socket))) = called {
                return Some(socket);
            },
        }
    }
}

async fn greeted(stream: TcpStream, path: String) -> Option<WebSocketStream<TcpStream>> {
    #[expect(clippy::result_large_err, reason = "the library wants the refusal as it is sent")]
    let knows = move |request: &Request, response: Response| match request.uri().path() == path {
        true => Ok(response),
        false => {
            let mut refusal = ErrorResponse::new(None);
            *refusal.status_mut() = StatusCode::FORBIDDEN;
            Err(refusal)
        }
    };
    let _ = stream.set_nodelay(true);
    accept_hdr_async(stream, knows).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_tungstenite::client_async;

    #[tokio::test]
    async fn a_stranger_who_comes_in_between_keeps_nobody_waiting() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let waited = tokio::spawn(visitor(listener, "/word".into()));
        let first = TcpStream::connect(address).await.unwrap();
        assert!(tokio_tungstenite::connect_async(format!("ws://{address}/stranger")).await.is_err());
        let (_socket, _) = client_async(format!("ws://{address}/word"), first).await.unwrap();
        let let_in = timeout(HANDSHAKE_PATIENCE, waited).await.expect("who knows the word is let in");
        assert!(let_in.unwrap().is_some());
    }

    #[tokio::test]
    async fn who_does_not_know_the_word_is_turned_away_and_stops_nobody() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let waited = tokio::spawn(visitor(listener, "/word".into()));
        let _silent = TcpStream::connect(address).await.unwrap();
        for path in ["", "/", "/json/new", "/devtools/browser", "/word/", "/wor"] {
            let refused = tokio_tungstenite::connect_async(format!("ws://{address}{path}")).await;
            assert!(refused.is_err(), "{path}");
        }
        let (_socket, _) = tokio_tungstenite::connect_async(format!("ws://{address}/word")).await.unwrap();
        assert!(waited.await.unwrap().is_some());
        assert!(TcpStream::connect(address).await.is_err(), "a second visitor is listened to");
    }
}
