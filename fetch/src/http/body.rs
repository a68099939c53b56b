//! Reading an answer within limits, decompressing it on the way.
//!
//! Invariant: never more than the limit is held in memory, whatever the bytes unpack to.

use super::config::HttpConfig;
use crate::refusal::amount;
use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder, ZstdDecoder};
use async_compression::zstd::DParameter;
use bytes::Bytes;
use domain::fetch::{FetchError, FetchFailure};
use futures::{Stream, StreamExt};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, BufReader},
    time::timeout,
};
use tokio_util::io::StreamReader;

/// The largest window that a zstd stream on the web may want (RFC 8878, section 3.1.1.1.2): 8 MiB.
const ZSTD_WINDOW_LOG: u32 = 23;
/// Below this many bytes no ratio is held against an answer.
const FREE_BYTES: u64 = 1024 * 1024;
const CHUNK_BYTES: usize = 64 * 1024;
/// What the unpacker says where a member of gzip should begin and none does. A test holds it to that.
const NO_MEMBER: &str = "Invalid gzip header";

/// How an answer is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    None,
    Gzip,
    Brotli,
    Zstd,
}

impl Packing {
    /// What is asked for.
    pub const ACCEPTED: &'static str = "gzip, br, zstd";

    /// As `Content-Encoding` names it; one layer only.
    pub fn named(encoding: &str) -> Option<Self> {
        match encoding.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Some(Self::None),
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "br" => Some(Self::Brotli),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }
}

/// Why an answer was not read to its end.
#[derive(Debug, thiserror::Error)]
enum Stop {
    #[error("silence for longer than {0} ms (`fetch.http.idle_timeout_ms`)")]
    Idle(u64),
}

/// All of an answer, unpacked. `max_bytes` may be smaller than the configuration's limit.
pub(super) async fn read(body: Incoming, packing: Packing, max_bytes: u64, config: &HttpConfig) -> Result<Bytes, FetchError> {
    let received = Arc::new(AtomicU64::new(0));
    let raw = BufReader::new(StreamReader::new(Box::pin(counted(body, received.clone(), config.idle_timeout_ms))));
    let mut unpacked: Pin<Box<dyn AsyncRead + Send>> = match packing {
        Packing::None => Box::pin(raw),
        // An answer may come in several members (RFC 1952, section 2.2) or frames (RFC 8878, section 3): all of them are the page.
        Packing::Gzip => {
            let mut decoder = GzipDecoder::new(raw);
            decoder.multiple_members(true);
            Box::pin(decoder)
        }
        Packing::Brotli => Box::pin(BrotliDecoder::new(raw)),
        Packing::Zstd => {
            let mut decoder = ZstdDecoder::with_params(raw, &[DParameter::window_log_max(ZSTD_WINDOW_LOG)]);
            decoder.multiple_members(true);
            Box::pin(decoder)
        }
    };
    let mut bytes = Vec::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let read = match unpacked.read(&mut chunk).await {
            Ok(0) => return Ok(bytes.into()),
            Ok(read) => read,
            // What follows the last member and is none is nobody's: gzip(1) and browsers leave it out, too.
            Err(error) if packing == Packing::Gzip && !bytes.is_empty() && error.to_string() == NO_MEMBER => {
                return Ok(bytes.into());
            }
            Err(error) => return Err(broken(&error)),
        };
        let total = (bytes.len() + read) as u64;
        if total > max_bytes {
            return Err(too_large(None, max_bytes));
        }
        let ratio = total / received.load(Ordering::Relaxed).max(1);
        if packing != Packing::None && total > FREE_BYTES && ratio > config.max_ratio {
            let message = format!(
                "The answer unpacks to more than {} times its size (`fetch.http.max_ratio`), as if made to fill the memory.",
                config.max_ratio
            );
            return Err(FetchError::new(FetchFailure::TooLarge, message));
        }
        bytes.extend_from_slice(&chunk[..read]);
    }
}

pub(super) fn too_large(stated: Option<u64>, limit: u64) -> FetchError {
    let size = stated.map(amount).filter(|size| *size != amount(limit));
    let message = match size {
        Some(size) => {
            format!("The answer has {size} and the limit is {}; raise `fetch.http.max_body_bytes` to read it.", amount(limit))
        }
        None => format!("The answer has more than {}; raise `fetch.http.max_body_bytes` to read it.", amount(limit)),
    };
    FetchError::new(FetchFailure::TooLarge, message)
}

/// The bytes as they arrive, counted; silence ends them.
fn counted(body: Incoming, received: Arc<AtomicU64>, idle_ms: u64) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let idle = Duration::from_millis(idle_ms);
    futures::stream::unfold(Some(body.into_data_stream()), move |body| {
        let received = received.clone();
        async move {
            let mut body = body?;
            match timeout(idle, body.next()).await {
                Ok(None) => None,
                Ok(Some(Ok(bytes))) => {
                    received.fetch_add(bytes.len() as u64, Ordering::Relaxed);
                    Some((Ok(bytes), Some(body)))
                }
                Ok(Some(Err(error))) => Some((Err(io::Error::other(error)), None)),
                Err(_) => Some((Err(io::Error::new(io::ErrorKind::TimedOut, Stop::Idle(idle_ms))), None)),
            }
        }
    })
}

fn broken(error: &io::Error) -> FetchError {
    match error.kind() {
        io::ErrorKind::TimedOut => FetchError::new(FetchFailure::TimedOut, format!("The answer stopped: {error}.")),
        _ => FetchError::new(FetchFailure::Malformed, "The answer broke off or is packed wrongly; try it again later."),
    }
}
