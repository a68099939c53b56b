//! Zip archives, unpacked one level deep, with every size measured while inflating.
//!
//! Invariant: headers are never trusted. Only inflated bytes count.
//! Invariant: each member becomes a part or a refusal; only folders have neither.

mod names;

use crate::{
    config::ParseConfig,
    parse::{ParseOutput, Part},
    refusal::{Refusal, amount},
};
use bytes::Bytes;
use domain::fetch::RejectReason;
use names::StoredName;
use std::{
    collections::{HashMap, HashSet},
    io::{Cursor, ErrorKind, Read},
};
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
    let mut meter = Meter { limits, packed: bytes.len() as u64, total: 0 };
    let mut found = ParseOutput::default();
    let mut listed = HashSet::new();
    for Member { name, index, is_link } in members(&mut archive) {
        let suffix = format!("!{name}");
        let refusal = if let Some(hidden) = hidden(&name) {
            if listed.insert(hidden.clone()) {
                found.refused.push((format!("!{hidden}"), Refusal::hidden()));
            }
            continue;
        } else if is_link {
            Refusal::new(RejectReason::UnsafePath, "It is a link and was not followed; add the file that it leads to.")
        } else if !is_safe(&name) {
            let message = "Its name points outside the archive, so it was not unpacked; pack it again with a plain name.";
            Refusal::new(RejectReason::UnsafePath, message)
        } else {
            match meter.inflate(&mut archive, index)? {
                Ok(content) => {
                    found.parts.push(Part { suffix, charset: None, kind: None, bytes: content });
                    continue;
                }
                Err(refusal) => refusal,
            }
        };
        found.refused.push((suffix, refusal));
    }
    if archive.has_duplicate_names() {
        let message = "Several of its members have one name; of each name the last one was read. Unpack it and add the folder.";
        found.refused.push((String::new(), Refusal::new(RejectReason::Broken, message)));
    }
    Ok(found)
}

struct Member {
    name: String,
    index: usize,
    is_link: bool,
}

/// Members without folders, sorted by name. Equal names get the suffix `~2`.
fn members(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Vec<Member> {
    let (mut stored, mut links) = (Vec::new(), Vec::new());
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index);
        links.push(entry.as_ref().is_ok_and(|entry| entry.is_symlink()));
        stored.push(match entry {
            Ok(entry) => {
                let prescribed = entry.name().map_or_else(|_| String::from_utf8_lossy(entry.name_raw()).into(), Into::into);
                StoredName { raw: entry.name_raw().to_vec(), prescribed }
            }
            Err(_) => StoredName { raw: format!("entry-{}", index + 1).into(), prescribed: String::new() },
        });
    }
    let names = names::decode(stored).into_iter().zip(links).enumerate().map(|(index, (name, is_link))| {
        let name = name.chars().filter(|c| !c.is_control()).collect::<String>();
        Member { name, index, is_link }
    });
    let mut members: Vec<Member> = names.filter(|member| !member.name.ends_with('/')).collect();
    members.sort_by(|a, b| a.name.cmp(&b.name));
    let mut copies: HashMap<String, usize> = HashMap::new();
    for member in &mut members {
        let count = copies.entry(member.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            member.name = format!("{}~{count}", member.name);
        }
    }
    members
}

/// Path of the hidden file or folder that a name leads to or through.
fn hidden(name: &str) -> Option<String> {
    let mut end = 0;
    for piece in name.split_inclusive('/') {
        end += piece.len();
        let bare = piece.trim_end_matches('/');
        if bare == "__MACOSX" || (bare.starts_with('.') && !matches!(bare, "." | "..")) {
            return Some(name[..end].to_owned());
        }
    }
    None
}

fn is_safe(name: &str) -> bool {
    let is_drive = name.as_bytes().get(1) == Some(&b':');
    !name.starts_with('/') && !is_drive && name.split('/').all(|piece| piece != "..")
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
