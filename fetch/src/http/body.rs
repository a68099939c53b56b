//! Response bodies, decompressed within limits.
//!
//! Invariant: memory never holds more than the limit, however large the unpacked body is.

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

/// Largest zstd window for the web (RFC 8878, section 3.1.1.1.2): 8 MiB.
const ZSTD_WINDOW_LOG: u32 = 23;
/// Size below which no compression ratio is enforced.
const RATIO_EXEMPT_BYTES: u64 = 1024 * 1024;
const CHUNK_BYTES: usize = 64 * 1024;
/// Error text of the decoder for data after the last gzip member. A test pins it.
const TRAILING_DATA_ERROR: &str = "Invalid gzip header";

/// Content coding of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentCoding {
    None,
    Gzip,
    Brotli,
    Zstd,
}

impl ContentCoding {
    /// `Accept-Encoding` header.
    pub const ACCEPTED: &'static str = "gzip, br, zstd";

    /// Coding by its `Content-Encoding` name; one layer only.
    pub fn from_name(encoding: &str) -> Option<Self> {
        match encoding.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Some(Self::None),
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "br" => Some(Self::Brotli),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }
}

/// Reason why a body was not read to its end.
#[derive(Debug, thiserror::Error)]
enum ReadError {
    #[error("no data for {0} ms (`fetch.http.idle_timeout_ms`)")]
    Idle(u64),
}

/// Whole decompressed body. `max_bytes` may be below the configured limit.
pub(super) async fn read(
    body: Incoming,
    packing: ContentCoding,
    max_bytes: u64,
    config: &HttpConfig,
) -> Result<Bytes, FetchError> {
    let received = Arc::new(AtomicU64::new(0));
    let raw = BufReader::new(StreamReader::new(Box::pin(count_bytes(body, received.clone(), config.idle_timeout_ms))));
    let mut unpacked: Pin<Box<dyn AsyncRead + Send>> = match packing {
        ContentCoding::None => Box::pin(raw),
        // A response may consist of several members (RFC 1952, section 2.2) or frames (RFC 8878, section 3).
        ContentCoding::Gzip => {
            let mut decoder = GzipDecoder::new(raw);
            decoder.multiple_members(true);
            Box::pin(decoder)
        }
        ContentCoding::Brotli => Box::pin(BrotliDecoder::new(raw)),
        ContentCoding::Zstd => {
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
            // Data after the last member is ignored, as gzip(1) and browsers do.
            Err(error) if packing == ContentCoding::Gzip && !bytes.is_empty() && error.to_string() == TRAILING_DATA_ERROR => {
                return Ok(bytes.into());
            }
            Err(error) => return Err(read_error(&error)),
        };
        let total = (bytes.len() + read) as u64;
        if total > max_bytes {
            return Err(too_large(None, max_bytes));
        }
        let ratio = total / received.load(Ordering::Relaxed).max(1);
        if packing != ContentCoding::None && total > RATIO_EXEMPT_BYTES && ratio > config.max_ratio {
            let message = format!(
                "The response unpacks to more than {} times its size (`fetch.http.max_ratio`), like a decompression bomb.",
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
            format!("The response has {size} and the limit is {}; raise `fetch.http.max_body_bytes` to read it.", amount(limit))
        }
        None => format!("The response has more than {}; raise `fetch.http.max_body_bytes` to read it.", amount(limit)),
    };
    FetchError::new(FetchFailure::TooLarge, message)
}

/// Chunks as they arrive, counted, with an idle timeout.
fn count_bytes(body: Incoming, received: Arc<AtomicU64>, idle_ms: u64) -> impl Stream<Item = io::Result<Bytes>> + Send {
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
                Err(_) => Some((Err(io::Error::new(io::ErrorKind::TimedOut, ReadError::Idle(idle_ms))), None)),
            }
        }
    })
}

fn read_error(error: &io::Error) -> FetchError {
    match error.kind() {
        io::ErrorKind::TimedOut => FetchError::new(FetchFailure::TimedOut, format!("The response stalled: {error}.")),
        _ => FetchError::new(FetchFailure::Malformed, "The response is incomplete or wrongly compressed; try again later."),
    }
}
