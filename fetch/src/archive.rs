//! Zip archives, unpacked one level deep, with every size measured while inflating.
//!
//! Invariant: headers are never trusted. Only inflated bytes count.

use crate::{
    config::ParseConfig,
    parse::{ParseOutput, Part},
    refusal::{Refusal, amount},
};
use bytes::Bytes;
use domain::fetch::RejectReason;
use std::io::{Cursor, ErrorKind, Read};
use zip::{ZipArchive, result::ZipError};

/// Unpacked size below which no ratio makes an archive a bomb.
const RATIO_FLOOR_BYTES: u64 = 4 * 1024 * 1024;
const CHUNK_BYTES: usize = 64 * 1024;

/// Unpacks an archive; members become parts `!name`, sorted by name.
pub(crate) fn unpack(bytes: &Bytes, limits: &ParseConfig) -> Result<ParseOutput, Refusal> {
    let mut archive = ZipArchive::new(Cursor::new(bytes.as_ref())).map_err(|error| refusal(&error))?;
    if archive.is_empty() {
        return Err(Refusal::new(RejectReason::Empty, "The archive holds no files; there is nothing to read in it."));
    }
    if archive.len() > limits.max_zip_entries {
        let message = format!(
            "This archive has {} entries and the limit is {}; split it, or raise `fetch.parse.max_zip_entries`.",
            archive.len(),
            limits.max_zip_entries
        );
        return Err(Refusal::new(RejectReason::TooMany, message));
    }
    let mut members = members(&mut archive);
    members.sort();
    let mut meter = Meter { limits, packed: bytes.len() as u64, total: 0 };
    let mut found = ParseOutput::default();
    for (name, index) in members {
        let suffix = format!("!{name}");
        if !is_safe(&name) {
            let message = "Its name points outside the archive, so it was not unpacked; pack it again with a plain name.";
            found.refused.push((suffix, Refusal::new(RejectReason::UnsafePath, message)));
            continue;
        }
        match meter.inflate(&mut archive, index)? {
            Ok(content) => found.parts.push(Part { suffix, charset: None, kind: None, bytes: content }),
            Err(refusal) => found.refused.push((suffix, refusal)),
        }
    }
    Ok(found)
}

/// Names and indexes of files, without folders, links and hidden files.
fn members(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Vec<(String, usize)> {
    let mut members = Vec::new();
    for index in 0..archive.len() {
        let Ok(entry) = archive.by_index_raw(index) else {
            members.push((format!("entry-{}", index + 1), index));
            continue;
        };
        let name = match entry.name() {
            Ok(name) => name.replace('\\', "/"),
            Err(_) => String::from_utf8_lossy(entry.name_raw()).replace('\\', "/"),
        };
        let is_hidden = name.split('/').any(|piece| piece == "__MACOSX" || (piece.starts_with('.') && piece.len() > 2));
        if !entry.is_dir() && !entry.is_symlink() && !is_hidden {
            members.push((name, index));
        }
    }
    members
}

fn is_safe(name: &str) -> bool {
    let is_drive = name.as_bytes().get(1) == Some(&b':');
    !name.starts_with('/') && !is_drive && !name.contains('\0') && name.split('/').all(|piece| piece != "..")
}

struct Meter<'a> {
    limits: &'a ParseConfig,
    /// Length of the whole archive: members that share packed bytes cannot hide their sum.
    packed: u64,
    total: u64,
}

impl Meter<'_> {
    /// Content of one member. The outer error rejects the archive, the inner one only the member.
    fn inflate(&mut self, archive: &mut ZipArchive<Cursor<&[u8]>>, index: usize) -> Result<Result<Bytes, Refusal>, Refusal> {
        let mut entry = match archive.by_index(index) {
            Ok(entry) => entry,
            Err(error) => return Ok(Err(refusal(&error))),
        };
        let packed = entry.compressed_size().clamp(1, self.packed);
        let mut content = Vec::new();
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let read = match entry.read(&mut chunk) {
                Ok(0) => return Ok(Ok(content.into())),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return Ok(Err(Refusal::broken("file in the archive"))),
            };
            content.extend_from_slice(&chunk[..read]);
            self.total += read as u64;
            self.check(content.len() as u64, packed)?;
            if content.len() as u64 > self.limits.max_zip_member_bytes {
                let size = content.len() as u64;
                let limit = self.limits.max_zip_member_bytes;
                return Ok(Err(Refusal::too_large(size, limit, "fetch.parse.max_zip_member_bytes")));
            }
        }
    }

    fn check(&self, member: u64, packed: u64) -> Result<(), Refusal> {
        let ratio = self.limits.max_zip_ratio;
        let is_bomb = |unpacked: u64, packed: u64| unpacked > RATIO_FLOOR_BYTES && unpacked / packed.max(1) > ratio;
        if is_bomb(member, packed) || is_bomb(self.total, self.packed) {
            let message = format!(
                "This archive unpacks to more than {ratio} times its size, like a zip bomb, and was rejected; \
                 if you trust it, unpack it yourself and add the folder."
            );
            return Err(Refusal::new(RejectReason::ZipBomb, message));
        }
        if self.total > self.limits.max_zip_total_bytes {
            let message = format!(
                "This archive unpacks to more than {} and was rejected; split it, or raise `fetch.parse.max_zip_total_bytes`.",
                amount(self.limits.max_zip_total_bytes)
            );
            return Err(Refusal::new(RejectReason::ZipBomb, message));
        }
        Ok(())
    }
}

fn refusal(error: &ZipError) -> Refusal {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => Refusal::encrypted("archive"),
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => Refusal::new(
            RejectReason::Unsupported,
            "It uses an unsupported compression method; pack it again as an ordinary zip.",
        ),
        _ => Refusal::broken("archive"),
    }
}
