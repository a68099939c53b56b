//! The frames between the pool and a parser child: a mark, two lengths, a JSON header and raw bytes.
//!
//! Invariant: lengths are checked before anything is allocated; the mark tells a stray print of a parser from a reply.

use crate::{config::ParseConfig, parse::Parsed, refusal::Refusal, sniff::Kind};
use bytes::Bytes;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{self, Read, Write};

/// Begins every frame.
pub(crate) const MARK: [u8; 4] = *b"AOF1";
/// Mark, header length (u32) and body length (u64), little-endian.
pub(crate) const PREFIX_BYTES: usize = 16;
const MAX_HEADER_BYTES: usize = 256 * 1024 * 1024;
const MAX_BODY_BYTES: u64 = 4 * 1024 * 1024 * 1024;

/// One file to parse; its bytes are the body of the frame.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Request {
    pub kind: Kind,
    /// Character set that something outside the bytes stated, e.g. the part of a message.
    pub charset: Option<String>,
    /// Where the bytes were read: links are relative to it.
    pub address: Option<String>,
    pub limits: ParseConfig,
    pub stack_bytes: u64,
    pub max_memory_bytes: u64,
    pub timeout_ms: u64,
}

/// What became of it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Reply {
    pub outcome: Result<Outline, Refusal>,
}

/// A parsed file; the bytes of its parts lie one after another in the body.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Outline {
    pub own: Option<Parsed>,
    pub parts: Vec<PartOutline>,
    /// Parts that cannot be read, by the end of their path.
    pub refused: Vec<(String, Refusal)>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PartOutline {
    /// What follows the path of the whole: `!name` or `#3`.
    pub suffix: String,
    pub charset: Option<String>,
    /// Known from its place, e.g. a message of a mailbox; else its bytes are judged.
    pub kind: Option<Kind>,
    pub size_bytes: u64,
}

/// The two lengths of a frame, or an error when these are no frame's first bytes.
pub(crate) fn lengths(prefix: &[u8; PREFIX_BYTES]) -> io::Result<(usize, usize)> {
    let bad = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let [m0, m1, m2, m3, h0, h1, h2, h3, b0, b1, b2, b3, b4, b5, b6, b7] = *prefix;
    let header = u32::from_le_bytes([h0, h1, h2, h3]) as usize;
    let body = u64::from_le_bytes([b0, b1, b2, b3, b4, b5, b6, b7]);
    if [m0, m1, m2, m3] != MARK {
        return Err(bad("not a frame"));
    }
    if header > MAX_HEADER_BYTES || body > MAX_BODY_BYTES {
        return Err(bad("frame too long"));
    }
    Ok((header, body as usize))
}

/// Mark, lengths and header of a frame whose body has `body_bytes`.
pub(crate) fn head(header: &impl Serialize, body_bytes: usize) -> io::Result<Vec<u8>> {
    let json = serde_json::to_vec(header)?;
    let mut head = Vec::with_capacity(PREFIX_BYTES + json.len());
    head.extend_from_slice(&MARK);
    head.extend_from_slice(&(json.len() as u32).to_le_bytes());
    head.extend_from_slice(&(body_bytes as u64).to_le_bytes());
    head.extend_from_slice(&json);
    Ok(head)
}

/// Reads one frame; `None` when the other side has closed.
pub(crate) fn read_frame<T: DeserializeOwned>(input: &mut impl Read) -> io::Result<Option<(T, Bytes)>> {
    let mut prefix = [0; PREFIX_BYTES];
    match input.read_exact(&mut prefix) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let (header_bytes, body_bytes) = lengths(&prefix)?;
    let mut header = vec![0; header_bytes];
    input.read_exact(&mut header)?;
    let mut body = vec![0; body_bytes];
    input.read_exact(&mut body)?;
    Ok(Some((serde_json::from_slice(&header)?, body.into())))
}

/// Writes one frame.
pub(crate) fn write_frame(output: &mut impl Write, header: &impl Serialize, body: &[Bytes]) -> io::Result<()> {
    let body_bytes = body.iter().map(Bytes::len).sum();
    output.write_all(&head(header, body_bytes)?)?;
    for piece in body {
        output.write_all(piece)?;
    }
    output.flush()
}
