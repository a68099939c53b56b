//! Streaming writer of an archive.

use super::{ArchiveHeader, BYTES, FORMAT, KEY, MANIFEST, MANIFEST_HASH, Manifest, OPENING, Part};
use crate::{
    archive::{Batch, RecordSource, Tally, TransferError},
    evidence::sha256_hex,
};
use domain::Timestamp;
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

/// Archive writer.
pub struct Writer<W: Write> {
    tar: tar::Builder<W>,
    manifest: Manifest,
    /// Number of parts written, by kind.
    parts_of: BTreeMap<String, u32>,
    made_at: Timestamp,
}

/// Summary of a written archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveSummary {
    pub manifest: Manifest,
    /// Identifier of the archive.
    pub manifest_sha256: String,
}

fn cannot_write(cause: io::Error) -> TransferError {
    TransferError::Io { doing: "written", cause }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, TransferError> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|error| cannot_write(error.into()))?;
    text.push(b'\n');
    Ok(text)
}

impl<W: Write> Writer<W> {
    /// Starts an archive; `program` is the program version, `store` describes the source.
    pub fn new(out: W, program: &str, store: String, made_at: Timestamp) -> Result<Self, TransferError> {
        let opening =
            ArchiveHeader { archive: "autosint.archive".into(), format: FORMAT, program: program.into(), made_at, store };
        let opening = json(&opening)?;
        let manifest = Manifest {
            opening_sha256: sha256_hex(&opening),
            kinds: BTreeMap::new(),
            parts: vec![],
            blobs: 0,
            blob_bytes: 0,
            key_sha256: None,
        };
        let tar = tar::Builder::new(out);
        let mut writer = Self { tar, manifest, parts_of: BTreeMap::new(), made_at };
        writer.entry(OPENING, &opening)?;
        Ok(writer)
    }

    /// Writes the master key. It opens the sealed secrets of the archive.
    pub fn key(&mut self, text: &[u8]) -> Result<(), TransferError> {
        self.manifest.key_sha256 = Some(sha256_hex(text));
        self.entry(KEY, text)
    }

    /// Writes one part, preceded by the blobs it references.
    pub fn batch(&mut self, batch: &Batch) -> Result<(), TransferError> {
        let kind = batch.kind.to_string();
        let number = self.parts_of.entry(kind.clone()).or_default();
        *number += 1;
        let name = format!("{kind}/{number:06}.jsonl");
        let tally = self.manifest.kinds.entry(kind.clone()).or_default();
        let mut lines = String::new();
        for record in &batch.records {
            tally.add(&record.line);
            lines.push_str(&record.line);
            lines.push('\n');
        }
        for blob in batch.records.iter().filter_map(|record| record.blob.as_ref()) {
            self.blob(&kind, blob)?;
        }
        self.manifest.parts.push(Part {
            name: name.clone(),
            kind,
            records: batch.records.len() as u64,
            bytes: lines.len() as u64,
            sha256: sha256_hex(lines.as_bytes()),
        });
        self.entry(&name, lines.as_bytes())
    }

    fn blob(&mut self, kind: &str, bytes: &[u8]) -> Result<(), TransferError> {
        let hash = sha256_hex(bytes);
        self.manifest.blobs += 1;
        self.manifest.blob_bytes += bytes.len() as u64;
        self.entry(&format!("{BYTES}{kind}/{hash}"), bytes)
    }

    /// Writes the manifest and the end.
    pub fn finish(mut self) -> Result<(ArchiveSummary, W), TransferError> {
        let text = json(&self.manifest)?;
        let hash = sha256_hex(&text);
        self.entry(MANIFEST, &text)?;
        self.entry(MANIFEST_HASH, format!("{hash}  {MANIFEST}\n").as_bytes())?;
        let out = self.tar.into_inner().map_err(cannot_write)?;
        Ok((ArchiveSummary { manifest: self.manifest, manifest_sha256: hash }, out))
    }

    fn entry(&mut self, name: &str, bytes: &[u8]) -> Result<(), TransferError> {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        header.set_mtime(u64::try_from(self.made_at.as_micros() / 1_000_000).unwrap_or_default());
        self.tar.append_data(&mut header, name, bytes).map_err(cannot_write)
    }
}

/// Writes all records of a source; `on_batch` is called for each batch.
pub async fn write<W: Write + Send>(
    writer: &mut Writer<W>,
    source: &mut dyn RecordSource,
    on_batch: &mut (dyn FnMut(&Batch) + Send),
) -> Result<(), TransferError> {
    for (kind, _) in source.counts() {
        // Kinds without records are listed too, so that nothing seems missing.
        writer.manifest.kinds.insert(kind.to_string(), Tally::default());
    }
    while let Some(batch) = source.next(&BTreeSet::new()).await? {
        writer.batch(&batch)?;
        on_batch(&batch);
    }
    Ok(())
}
