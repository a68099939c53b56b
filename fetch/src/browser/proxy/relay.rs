//! Byte relay between Chromium and a server, with a traffic budget.

use std::{
    io,
    sync::atomic::{AtomicU64, Ordering},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy},
    net::TcpStream,
};

const CHUNK_BYTES: usize = 16 * 1024;
/// Longest response head that is rewritten; longer ones pass unchanged.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Treatment of the server's response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseMode {
    Raw,
    /// Adds `Connection: close`, so that Chromium sends no further request on this connection.
    ForceClose,
}

/// Relays both directions until one side closes or the budget is exhausted.
pub(super) async fn relay(
    client: TcpStream,
    server: TcpStream,
    mode: ResponseMode,
    received: &AtomicU64,
    max_bytes: u64,
) -> io::Result<()> {
    let ((mut from_client, mut to_client), (from_server, mut to_server)) = (client.into_split(), server.into_split());
    let up = async {
        copy(&mut from_client, &mut to_server).await?;
        to_server.shutdown().await
    };
    let down = async {
        forward_response(from_server, &mut to_client, mode, received, max_bytes).await?;
        to_client.shutdown().await
    };
    tokio::try_join!(up, down).map(|_| ())
}

async fn forward_response(
    mut server: impl AsyncRead + Unpin,
    client: &mut (impl AsyncWrite + Unpin),
    mode: ResponseMode,
    received: &AtomicU64,
    max_bytes: u64,
) -> io::Result<()> {
    let mut head = (mode == ResponseMode::ForceClose).then(Vec::new);
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let read = server.read(&mut chunk).await?;
        if read == 0 {
            return client.write_all(&head.take().unwrap_or_default()).await;
        }
        if received.fetch_add(read as u64, Ordering::Relaxed) + read as u64 > max_bytes {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the page exceeds its traffic budget"));
        }
        match head.take() {
            None => client.write_all(&chunk[..read]).await?,
            Some(mut begun) => {
                begun.extend_from_slice(&chunk[..read]);
                match with_connection_close(&begun) {
                    Some(rewritten) => client.write_all(&rewritten).await?,
                    None if begun.len() > MAX_HEAD_BYTES => client.write_all(&begun).await?,
                    None => head = Some(begun),
                }
            }
        }
    }
}

/// A complete response head rewritten with `Connection: close`. Interim responses are skipped.
fn with_connection_close(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let (head, rest) = bytes.split_at(end + 4);
    if head.starts_with(b"HTTP/1.1 1") || head.starts_with(b"HTTP/1.0 1") {
        return with_connection_close(rest);
    }
    let mut rewritten = Vec::with_capacity(bytes.len() + 32);
    for (number, line) in head[..end].split(|byte| *byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default().to_ascii_lowercase();
        if number == 0 || !matches!(&name[..], b"connection" | b"keep-alive" | b"proxy-connection" | b"alt-svc") {
            rewritten.extend_from_slice(line);
            rewritten.extend_from_slice(b"\r\n");
        }
    }
    rewritten.extend_from_slice(b"Connection: close\r\n\r\n");
    rewritten.extend_from_slice(rest);
    Some(rewritten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_its_connection() {
        let answer =
            b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nConnection: keep-alive\r\nA: b\r\n\r\nbody";
        let rewritten = with_connection_close(answer).unwrap();
        assert_eq!(String::from_utf8_lossy(&rewritten), "HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\nbody");
        assert_eq!(with_connection_close(b"HTTP/1.1 200 OK\r\nA: b\r\n"), None);
    }

    #[tokio::test]
    async fn traffic_beyond_the_budget_is_cut() {
        let received = AtomicU64::new(90);
        let mut got = vec![];
        let result = forward_response(&[7_u8; 20][..], &mut got, ResponseMode::Raw, &received, 100).await;
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(got.is_empty());
    }
}
