//! Verification of a complete archive, before anything is written to a store.

use super::{
    ArchiveHeader, KEY, Manifest, Part, damaged,
    read::{Entries, Entry},
};
use crate::{
    archive::{ArchiveStore, Digests, RecordKind, Tally, TransferError, blob_of},
    evidence::sha256_hex,
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io::Read,
};

/// Verified archive.
#[derive(Debug, Clone)]
pub struct VerifiedArchive {
    pub opening: ArchiveHeader,
    pub manifest: Manifest,
    /// Identifier of the archive.
    pub manifest_sha256: String,
    /// Digests of the records in this version's form.
    pub digests: Digests,
    /// Master key, if included.
    pub key: Option<Vec<u8>>,
}

/// Verifies the whole archive. `target` defines kinds and line forms; `on_part` is called for each part.
pub fn check(
    file: impl Read,
    target: &dyn ArchiveStore,
    on_part: &mut dyn FnMut(&Part),
) -> Result<VerifiedArchive, TransferError> {
    let mut entries = Entries::new(file)?;
    let mut found = ScanState { kinds: target.kinds(), ..ScanState::default() };
    while let Some(entry) = entries.next()? {
        match entry {
            Entry::Blob { name, sha256, bytes } => {
                found.blob_bytes += bytes.len() as u64;
                found.blobs += 1;
                found.waiting.insert(sha256, name);
            }
            Entry::Part { name, kind, text } => found.part(target, &name, &kind, &text, on_part)?,
            Entry::Key(text) => found.key = Some(text),
        }
    }
    let (opening, manifest, manifest_sha256) = entries.end()?;
    found.compare(&manifest)?;
    Ok(VerifiedArchive { opening, manifest, manifest_sha256, digests: found.digests, key: found.key })
}

/// State of the scan.
#[derive(Default)]
struct ScanState {
    kinds: Vec<RecordKind>,
    parts: Vec<Part>,
    tallies: BTreeMap<String, Tally>,
    digests: Digests,
    blobs: u64,
    blob_bytes: u64,
    /// Blobs read before the part that references them: name by hash.
    waiting: HashMap<String, String>,
    key: Option<Vec<u8>>,
}

impl ScanState {
    fn part(
        &mut self,
        target: &dyn ArchiveStore,
        name: &str,
        kind: &str,
        text: &str,
        on_part: &mut dyn FnMut(&Part),
    ) -> Result<(), TransferError> {
        let known = self.kinds.iter().copied().find(|known| known.0 == kind);
        let known = known.ok_or_else(|| damaged(name, format!("nothing here keeps '{kind}': update the program")))?;
        let tally = self.tallies.entry(kind.to_owned()).or_default();
        let (mut records, mut named) = (0, HashSet::new());
        for (i, line) in text.lines().enumerate() {
            let bad = |why: String| damaged(name, format!("line {}: {why}", i + 1));
            let value: Value = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
            if let Some(blob) = blob_of(&value) {
                named.insert(blob.to_owned());
                if !self.waiting.contains_key(blob) {
                    return Err(bad(format!("the blob {blob} is missing")));
                }
            }
            tally.add(line);
            let canonical = target.canonical(known, line).map_err(|error| bad(error.to_string()))?;
            self.digests.add(known, &canonical);
            records += 1;
        }
        if let Some((_, blob)) = self.waiting.drain().find(|(hash, _)| !named.contains(hash)) {
            return Err(damaged(&blob, "no record names it"));
        }
        let (bytes, sha256) = (text.len() as u64, sha256_hex(text.as_bytes()));
        let part = Part { name: name.to_owned(), kind: kind.to_owned(), records, bytes, sha256 };
        on_part(&part);
        self.parts.push(part);
        Ok(())
    }

    fn compare(&self, manifest: &Manifest) -> Result<(), TransferError> {
        for (i, wanted) in manifest.parts.iter().enumerate() {
            match self.parts.get(i) {
                Some(found) if found == wanted => {}
                Some(found) if found.name == wanted.name => return Err(damaged(&wanted.name, "its hash is another")),
                _ => return Err(damaged(&wanted.name, "it is not where it should be")),
            }
        }
        if let Some(unknown) = self.parts.get(manifest.parts.len()) {
            return Err(damaged(&unknown.name, "the manifest does not know it"));
        }
        if (self.blobs, self.blob_bytes) != (manifest.blobs, manifest.blob_bytes) {
            return Err(damaged("blobs", "there are not as many as there should be"));
        }
        if self.key.as_deref().map(sha256_hex) != manifest.key_sha256 {
            return Err(damaged(KEY, "its hash is another"));
        }
        let told = manifest.kinds.iter().find(|(kind, tally)| self.tallies.get(*kind).copied().unwrap_or_default() != **tally);
        match told {
            Some((kind, _)) => Err(damaged(kind, "count or digest is another")),
            None => Ok(()),
        }
    }
}
