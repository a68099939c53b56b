//! Streaming reader of archive entries.

use super::{ArchiveHeader, BYTES, FORMAT, KEY, MANIFEST, MANIFEST_HASH, Manifest, OPENING, VerifiedArchive, damaged};
use crate::{
    archive::{ArchiveRecord, ArchiveStore, Batch, Digests, RecordKind, RecordSource, TransferError, blob_of},
    evidence::sha256_hex,
};
use async_trait::async_trait;
use bytes::Bytes;
use serde_json::Value;
use std::{
    collections::{BTreeSet, HashMap},
    io::{self, Read},
    sync::Arc,
};

const BLOCK: usize = 512;

/// Entry between header and manifest.
pub(super) enum Entry {
    /// Blob whose hash matches its name.
    Blob {
        name: String,
        sha256: String,
        bytes: Vec<u8>,
    },
    Part {
        name: String,
        kind: String,
        text: String,
    },
    Key(Vec<u8>),
}

/// Reader of the entries of an archive.
pub(super) struct Entries<R> {
    file: R,
    /// Name of the last complete entry.
    last: String,
    opening: ArchiveHeader,
    opening_sha256: String,
    manifest: Option<Vec<u8>>,
    manifest_hash: Option<Vec<u8>>,
}

impl<R: Read> Entries<R> {
    pub(super) fn new(file: R) -> Result<Self, TransferError> {
        let opening = ArchiveHeader {
            archive: String::new(),
            format: 0,
            program: String::new(),
            made_at: domain::Timestamp::from_micros(0),
            store: String::new(),
        };
        let mut entries =
            Self { file, last: String::new(), opening, opening_sha256: String::new(), manifest: None, manifest_hash: None };
        let no_archive = |why: &str| TransferError::NotAnArchive(why.to_owned());
        let begins_otherwise = "it does not begin like one (if it is compressed, unpack it first)";
        let first = entries.raw().map_err(|_| no_archive(begins_otherwise))?;
        let Some((_, text)) = first.filter(|(name, _)| name == OPENING) else {
            return Err(no_archive(begins_otherwise));
        };
        let value: Value = serde_json::from_slice(&text).map_err(|_| damaged(OPENING, "it is no JSON"))?;
        if value["archive"] != "autosint.archive" {
            return Err(no_archive("it says that it is something else"));
        }
        let format = value["format"].as_u64().and_then(|format| u32::try_from(format).ok());
        let format = format.ok_or_else(|| damaged(OPENING, "it has no format"))?;
        if format > FORMAT {
            return Err(TransferError::Newer { format, known: FORMAT });
        }
        entries.opening = serde_json::from_value(value).map_err(|error| damaged(OPENING, error.to_string()))?;
        entries.opening_sha256 = sha256_hex(&text);
        Ok(entries)
    }

    /// Returns the next entry; none at the manifest.
    pub(super) fn next(&mut self) -> Result<Option<Entry>, TransferError> {
        let Some((name, bytes)) = self.raw()? else { return Ok(None) };
        if name == MANIFEST {
            self.manifest = Some(bytes);
            self.manifest_hash = self.raw()?.filter(|(name, _)| name == MANIFEST_HASH).map(|(_, bytes)| bytes);
            return Ok(None);
        }
        if name == KEY {
            return Ok(Some(Entry::Key(bytes)));
        }
        if let Some(wanted) = name.strip_prefix(BYTES).and_then(|rest| rest.rsplit('/').next()) {
            let sha256 = sha256_hex(&bytes);
            if sha256 != wanted {
                return Err(damaged(&name, "it has another hash than its name says"));
            }
            return Ok(Some(Entry::Blob { name, sha256, bytes }));
        }
        let kind = name.strip_suffix(".jsonl").and_then(|name| name.split_once('/')).map(|(kind, _)| kind.to_owned());
        let kind = kind.ok_or_else(|| damaged(&name, "it is nothing that an archive has"))?;
        let text = String::from_utf8(bytes).map_err(|_| damaged(&name, "it is no text"))?;
        Ok(Some(Entry::Part { name, kind, text }))
    }

    /// Returns header, manifest and the identifying hash, after the last entry.
    pub(super) fn end(self) -> Result<(ArchiveHeader, Manifest, String), TransferError> {
        let (Some(manifest), Some(said)) = (self.manifest, self.manifest_hash) else {
            return Err(TransferError::Truncated { after: self.last });
        };
        let hash = sha256_hex(&manifest);
        if said != format!("{hash}  {MANIFEST}\n").as_bytes() {
            return Err(damaged(MANIFEST, "its hash is another"));
        }
        let manifest: Manifest = serde_json::from_slice(&manifest).map_err(|error| damaged(MANIFEST, error.to_string()))?;
        if manifest.opening_sha256 != self.opening_sha256 {
            return Err(damaged(OPENING, "its hash is another"));
        }
        Ok((self.opening, manifest, hash))
    }

    /// Returns name and bytes of the next entry; none at the end. `end` reports a missing manifest.
    fn raw(&mut self) -> Result<Option<(String, Vec<u8>)>, TransferError> {
        let mut block = [0; BLOCK];
        match self.file.read_exact(&mut block) {
            Ok(()) if block == [0; BLOCK] => return Ok(None),
            Ok(()) => {}
            Err(error) => return Err(self.cannot_read(error)),
        }
        let mut header = tar::Header::new_ustar();
        header.as_mut_bytes().copy_from_slice(&block);
        let size = self.sound(&header)?;
        let name = header.path().map(|path| path.to_string_lossy().into_owned());
        let name = name.map_err(|_| self.bad_header())?;
        let mut bytes = Vec::new();
        let read = (&mut self.file).take(size).read_to_end(&mut bytes).map_err(|error| self.cannot_read(error))?;
        if read as u64 != size {
            return Err(TransferError::Truncated { after: self.last.clone() });
        }
        let padding = (BLOCK - bytes.len() % BLOCK) % BLOCK;
        self.file.read_exact(&mut block[..padding]).map_err(|error| self.cannot_read(error))?;
        self.last.clone_from(&name);
        Ok(Some((name, bytes)))
    }

    /// Returns the entry size of a header with a valid checksum.
    fn sound(&self, header: &tar::Header) -> Result<u64, TransferError> {
        const SUM: std::ops::Range<usize> = 148..156;
        let bytes = header.as_bytes();
        let sum: u32 = bytes.iter().enumerate().map(|(i, byte)| u32::from(if SUM.contains(&i) { b' ' } else { *byte })).sum();
        let is_sound = header.cksum().is_ok_and(|said| said == sum) && header.entry_type().is_file();
        if is_sound { header.size().map_err(|_| self.bad_header()) } else { Err(self.bad_header()) }
    }

    fn bad_header(&self) -> TransferError {
        damaged(&format!("what comes after {}", self.last), "its header is not sound")
    }

    fn cannot_read(&self, cause: io::Error) -> TransferError {
        match cause.kind() {
            io::ErrorKind::UnexpectedEof => TransferError::Truncated { after: self.last.clone() },
            _ => TransferError::Io { doing: "read", cause },
        }
    }
}

/// Verified archive as a record source.
pub struct ArchiveSource<R> {
    entries: Entries<R>,
    checked: VerifiedArchive,
    target: Arc<dyn ArchiveStore>,
    /// Index of the next part.
    number: usize,
    blobs: HashMap<String, Bytes>,
}

impl<R: Read + Send> ArchiveSource<R> {
    /// Opens the source; `file` is the same archive, rewound.
    pub fn new(file: R, checked: VerifiedArchive, target: Arc<dyn ArchiveStore>) -> Result<Self, TransferError> {
        Ok(Self { entries: Entries::new(file)?, checked, target, number: 0, blobs: HashMap::new() })
    }

    fn batch(&mut self, name: &str, kind: RecordKind, text: &str) -> Result<Batch, TransferError> {
        let sound = self
            .checked
            .manifest
            .parts
            .get(self.number)
            .is_some_and(|part| part.name == name && part.sha256 == sha256_hex(text.as_bytes()));
        if !sound {
            return Err(damaged(name, "it changed while it was read"));
        }
        let mut records = Vec::new();
        for line in text.lines() {
            let value: Value = serde_json::from_str(line).map_err(|error| damaged(name, error.to_string()))?;
            let blob = match blob_of(&value) {
                Some(hash) => Some(self.blobs.get(hash).cloned().ok_or_else(|| damaged(name, "a blob is missing"))?),
                None => None,
            };
            records.push(ArchiveRecord { place: String::new(), line: self.target.canonical(kind, line)?, blob });
        }
        Ok(Batch { kind, records })
    }
}

#[async_trait]
impl<R: Read + Send> RecordSource for ArchiveSource<R> {
    fn id(&self) -> String {
        format!("the archive of {} ({})", self.checked.opening.made_at, self.checked.manifest_sha256)
    }

    fn counts(&self) -> Vec<(RecordKind, u64)> {
        let records = |kind: RecordKind| self.checked.manifest.kinds.get(kind.0).map_or(0, |tally| tally.records);
        self.target.kinds().into_iter().map(|kind| (kind, records(kind))).collect()
    }

    async fn digests(&mut self) -> Result<Digests, TransferError> {
        Ok(self.checked.digests.clone())
    }

    async fn next(&mut self, skip: &BTreeSet<RecordKind>) -> Result<Option<Batch>, TransferError> {
        while let Some(entry) = self.entries.next()? {
            match entry {
                Entry::Key(_) => {}
                Entry::Blob { sha256, bytes, .. } => {
                    self.blobs.insert(sha256, bytes.into());
                }
                Entry::Part { name, kind, text } => {
                    let known = self.target.kinds().into_iter().find(|known| known.0 == kind);
                    let known = known.ok_or_else(|| damaged(&name, "it changed while it was read"))?;
                    let batch = if skip.contains(&known) { None } else { Some(self.batch(&name, known, &text)?) };
                    self.number += 1;
                    self.blobs.clear();
                    if batch.is_some() {
                        return Ok(batch);
                    }
                }
            }
        }
        Ok(None)
    }
}
