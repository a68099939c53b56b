//! Uploaded files on disk, so that an upload takes no memory while it waits to be read.

use super::open::unreadable;
use crate::refusal::Refusal;
use bytes::Bytes;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::io::{AsyncWriteExt, BufWriter};

/// Writer of uploaded files, one after the other, into one temporary file without a name: it is gone with the last handle, also
/// after a crash.
#[derive(Debug)]
pub struct UploadWriter {
    file: BufWriter<tokio::fs::File>,
    parts: Vec<(String, u64)>,
}

/// Uploaded files. Cheap to clone.
#[derive(Debug, Clone)]
pub struct UploadedFiles {
    file: Arc<Mutex<File>>,
    /// Names as sent, with lengths in bytes.
    parts: Vec<(String, u64)>,
}

/// Content of one uploaded file.
#[derive(Debug)]
pub(super) struct UploadedContent {
    file: Arc<Mutex<File>>,
    start: u64,
    size: u64,
}

impl UploadWriter {
    /// Creates the temporary file in a folder.
    pub async fn create(folder: &Path) -> io::Result<Self> {
        tokio::fs::create_dir_all(folder).await?;
        let folder = folder.to_owned();
        let file = tokio::task::spawn_blocking(move || tempfile::tempfile_in(folder)).await.map_err(io::Error::other)??;
        Ok(Self { file: BufWriter::new(file.into()), parts: vec![] })
    }

    /// Begins the next file.
    pub fn begin(&mut self, name: &str) {
        self.parts.push((name.to_owned(), 0));
    }

    /// Appends to the file that was begun last.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).await?;
        if let Some((_, size)) = self.parts.last_mut() {
            *size += bytes.len() as u64;
        }
        Ok(())
    }

    pub async fn finish(mut self) -> io::Result<UploadedFiles> {
        self.file.flush().await?;
        let file = self.file.into_inner().into_std().await;
        Ok(UploadedFiles { file: Arc::new(Mutex::new(file)), parts: self.parts })
    }
}

impl UploadedFiles {
    pub fn size_bytes(&self) -> u64 {
        self.parts.iter().map(|(_, size)| size).sum()
    }

    /// Names with contents, in the order of the upload.
    pub(super) fn contents(self) -> impl Iterator<Item = (String, UploadedContent)> {
        let mut start = 0;
        self.parts.into_iter().map(move |(name, size)| {
            let content = UploadedContent { file: self.file.clone(), start, size };
            start += size;
            (name, content)
        })
    }
}

impl UploadedContent {
    /// Whole content, unless it exceeds the limit of the named setting.
    pub(super) async fn read(self, (limit, setting): (u64, &'static str)) -> Result<Bytes, Refusal> {
        if self.size > limit {
            return Err(Refusal::too_large(self.size, limit, setting));
        }
        let read = move || -> io::Result<Bytes> {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(self.start))?;
            let mut bytes = vec![0; usize::try_from(self.size).map_err(io::Error::other)?];
            file.read_exact(&mut bytes)?;
            Ok(Bytes::from(bytes))
        };
        let read = tokio::task::spawn_blocking(read).await.map_err(io::Error::other).flatten();
        read.map_err(|error| unreadable(&error))
    }
}
