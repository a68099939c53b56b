//! Disk cache of responses by address: private to Fetch and disposable at any time.
//!
//! Invariant: a response that one source obtained by an exception is never served to another source.

use crate::{http::HttpResponse, sha256_hex};
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

domain::settings! {
    /// The `fetch.cache` part of the configuration.
    #[derive(Debug, Clone, Deserialize)]
    pub struct CacheConfig {
        /// Age until which a copy is used without asking; after that it is revalidated. 0: always revalidate.
        pub ttl_ms: u64 = 6 * 3_600_000,
        /// Disk space for copies, evicted least recently used first. 0: no cache.
        pub max_bytes: u64 = 512 * 1024 * 1024,
    }
}

/// Cached response with its redirects.
#[derive(Debug, Clone)]
pub(crate) struct CachedPage {
    pub final_url: String,
    pub hops: Vec<Hop>,
    pub response: HttpResponse,
    /// Time of the last fetch or revalidation.
    pub checked_at: Timestamp,
}

/// Header of a cache file.
#[derive(Serialize, Deserialize)]
struct EntryHeader {
    final_url: String,
    hops: Vec<Hop>,
    status: u16,
    headers: Vec<(String, String)>,
    checked_at: Timestamp,
    /// Hash of the body: detects files that two processes wrote at once.
    sha256: String,
}

/// Cache files, named by the hash of source and address.
#[derive(Debug, Clone)]
pub(crate) struct PageCache {
    folder: Arc<Path>,
    /// Sizes of the files in KiB.
    index: Cache<String, u32>,
}

impl PageCache {
    /// Opens the cache and indexes existing files in `folder`.
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
        cache.index_existing_files()?;
        Ok(cache)
    }

    fn index_existing_files(&self) -> io::Result<()> {
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
                // Incomplete file of an interrupted run.
                false => std::fs::remove_file(self.folder.join(name))?,
            }
        }
        self.index.run_pending_tasks();
        Ok(())
    }

    pub async fn get(&self, source: &str, url: &str) -> Option<CachedPage> {
        let key = key(source, url);
        self.index.get(&key)?;
        let bytes = tokio::fs::read(self.folder.join(&key)).await.ok()?;
        let copy = decode(bytes);
        if copy.is_none() {
            self.index.invalidate(&key);
        }
        copy
    }

    /// Stores a copy. Disk errors are logged and ignored.
    pub async fn put(&self, source: &str, url: &str, copy: &CachedPage) {
        let key = key(source, url);
        if let Err(error) = self.write(&key, copy).await {
            tracing::warn!(%error, "page cache: write failed");
        }
    }

    async fn write(&self, key: &str, copy: &CachedPage) -> io::Result<()> {
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

/// Header as one line of JSON, then the body.
fn encode(copy: &CachedPage) -> Option<Vec<u8>> {
    let headers = copy.response.headers.iter();
    let head = EntryHeader {
        final_url: copy.final_url.clone(),
        hops: copy.hops.clone(),
        status: copy.response.status.as_u16(),
        headers: headers.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned()))).collect(),
        checked_at: copy.checked_at,
        sha256: sha256_hex(&copy.response.body),
    };
    let mut bytes = serde_json::to_vec(&head).ok()?;
    bytes.push(b'\n');
    bytes.extend_from_slice(&copy.response.body);
    Some(bytes)
}

fn decode(bytes: Vec<u8>) -> Option<CachedPage> {
    let bytes = Bytes::from(bytes);
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let head: EntryHeader = serde_json::from_slice(&bytes[..end]).ok()?;
    let body = bytes.slice(end + 1..);
    if sha256_hex(&body) != head.sha256 {
        return None;
    }
    let headers: HeaderMap = head
        .headers
        .into_iter()
        .filter_map(|(name, value)| Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?)))
        .collect();
    let response = HttpResponse { status: StatusCode::from_u16(head.status).ok()?, headers, body };
    Some(CachedPage { final_url: head.final_url, hops: head.hops, response, checked_at: head.checked_at })
}
