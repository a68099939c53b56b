//! Answers that were fetched, kept on disk by address for a while: private to Fetch, and disposable at any time.
//!
//! Invariant: an answer that one source got through an exception is given to no other source.

use crate::{http::Answer, sha256_hex};
use bytes::Bytes;
use domain::{Timestamp, fetch::Hop};
use hyper::{
    HeaderMap, StatusCode,
    header::{HeaderName, HeaderValue},
};
use moka::{notification::RemovalCause, policy::EvictionPolicy, sync::Cache};
use serde::{Deserialize, Serialize};
use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The `fetch.cache` part of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CacheConfig {
    /// How long a copy is as good as the page; after that the server is asked whether it has changed. 0: always ask.
    pub ttl_ms: u64,
    /// Disk that copies may take; those that were not used for longest go first. 0: nothing is kept.
    pub max_bytes: u64,
}

impl Default for CacheConfig {
    fn default() -> Self {
        Self { ttl_ms: 6 * 3_600_000, max_bytes: 512 * 1024 * 1024 }
    }
}

/// An answer with the way to it.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub final_url: String,
    pub hops: Vec<Hop>,
    pub answer: Answer,
    /// When the server last said that it holds.
    pub checked_at: Timestamp,
}

/// What stands before the bytes in a file.
#[derive(Serialize, Deserialize)]
struct Head {
    final_url: String,
    hops: Vec<Hop>,
    status: u16,
    headers: Vec<(String, String)>,
    checked_at: Timestamp,
    /// Of the bytes: a file that two processes wrote at once is none.
    sha256: String,
}

/// Files by the hash of source and address.
#[derive(Debug, Clone)]
pub(crate) struct PageCache {
    folder: Arc<Path>,
    /// What there is, in KiB.
    index: Cache<String, u32>,
}

impl PageCache {
    /// Takes over what an earlier run has left in `folder`.
    pub fn open(folder: PathBuf, max_bytes: u64) -> io::Result<Self> {
        std::fs::create_dir_all(&folder)?;
        let folder: Arc<Path> = folder.into();
        let files = folder.clone();
        let index = Cache::builder()
            .max_capacity(max_bytes / 1024)
            .weigher(|_, kib: &u32| *kib)
            .eviction_policy(EvictionPolicy::lru())
            .eviction_listener(move |key: Arc<String>, _, cause| {
                if cause != RemovalCause::Replaced {
                    let _ = std::fs::remove_file(files.join(key.as_str()));
                }
            })
            .build();
        let cache = Self { folder, index };
        cache.take_over()?;
        Ok(cache)
    }

    fn take_over(&self) -> io::Result<()> {
        let mut files: Vec<_> = std::fs::read_dir(&self.folder)?
            .flatten()
            .filter_map(|entry| Some((entry.metadata().ok()?, entry.file_name().into_string().ok()?)))
            .filter(|(about, _)| about.is_file())
            .map(|(about, name)| (about.modified().ok(), name, kib(about.len())))
            .collect();
        files.sort();
        for (_, name, kib) in files {
            match name.len() == 64 {
                true => self.index.insert(name, kib),
                // Half a file of a run that was cut off.
                false => std::fs::remove_file(self.folder.join(name))?,
            }
        }
        self.index.run_pending_tasks();
        Ok(())
    }

    pub async fn get(&self, source: &str, url: &str) -> Option<Kept> {
        let key = key(source, url);
        self.index.get(&key)?;
        let bytes = tokio::fs::read(self.folder.join(&key)).await.ok()?;
        let copy = decode(bytes);
        if copy.is_none() {
            self.index.invalidate(&key);
        }
        copy
    }

    /// Keeps a copy. A disk that refuses it costs nothing but the copy.
    pub async fn put(&self, source: &str, url: &str, copy: &Kept) {
        let key = key(source, url);
        if let Err(error) = self.write(&key, copy).await {
            tracing::warn!(%error, "a fetched page cannot be kept in the cache");
        }
    }

    async fn write(&self, key: &str, copy: &Kept) -> io::Result<()> {
        let Some(bytes) = encode(copy) else { return Ok(()) };
        let half = self.folder.join(format!("{key}.half"));
        tokio::fs::write(&half, &bytes).await?;
        tokio::fs::rename(&half, self.folder.join(key)).await?;
        let (index, key, size) = (self.index.clone(), key.to_owned(), kib(bytes.len() as u64));
        let filed = tokio::task::spawn_blocking(move || {
            index.insert(key, size);
            index.run_pending_tasks();
        });
        filed.await.map_err(io::Error::other)
    }
}

fn kib(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX).max(1)
}

fn key(source: &str, url: &str) -> String {
    sha256_hex(format!("{source}\n{url}"))
}

/// One line of JSON, then the bytes.
fn encode(copy: &Kept) -> Option<Vec<u8>> {
    let headers = copy.answer.headers.iter();
    let head = Head {
        final_url: copy.final_url.clone(),
        hops: copy.hops.clone(),
        status: copy.answer.status.as_u16(),
        headers: headers.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned()))).collect(),
        checked_at: copy.checked_at,
        sha256: sha256_hex(&copy.answer.body),
    };
    let mut bytes = serde_json::to_vec(&head).ok()?;
    bytes.push(b'\n');
    bytes.extend_from_slice(&copy.answer.body);
    Some(bytes)
}

fn decode(bytes: Vec<u8>) -> Option<Kept> {
    let bytes = Bytes::from(bytes);
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let head: Head = serde_json::from_slice(&bytes[..end]).ok()?;
    let body = bytes.slice(end + 1..);
    if sha256_hex(&body) != head.sha256 {
        return None;
    }
    let headers: HeaderMap = head
        .headers
        .into_iter()
        .filter_map(|(name, value)| Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?)))
        .collect();
    let answer = Answer { status: StatusCode::from_u16(head.status).ok()?, headers, body };
    Some(Kept { final_url: head.final_url, hops: head.hops, answer, checked_at: head.checked_at })
}
