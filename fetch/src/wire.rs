//! Frames between the pool and a parser child: mark, two lengths, JSON header and raw bytes.
//!
//! Invariant: lengths are checked before allocation. The mark distinguishes a frame from stray output of a parser.

use crate::{
    child::Confinement, config::ParseConfig, feeds::OpmlList, parse::ParsedDocument, refusal::Refusal, sniff::FileKind,
};
use bytes::Bytes;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{self, Read, Write};

/// Start of every frame.
pub(crate) const MARK: [u8; 4] = *b"AOF1";
/// Mark, header length (u32) and body length (u64), little-endian.
pub(crate) const PREFIX_BYTES: usize = 16;
const MAX_HEADER_BYTES: usize = 256 * 1024 * 1024;
const MAX_BODY_BYTES: u64 = 4 * 1024 * 1024 * 1024;

/// Request to parse one file; its bytes are the body of the frame.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ParseRequest {
    pub kind: FileKind,
    /// Charset stated outside the bytes, such as by a MIME part.
    pub charset: Option<String>,
    /// Base address for relative links.
    pub address: Option<String>,
    pub limits: ParseConfig,
    pub stack_bytes: u64,
    pub max_memory_bytes: u64,
    pub timeout_ms: u64,
}

/// Result of a parse request.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ParseReply {
    pub confinement: Confinement,
    pub outcome: Result<Outline, Refusal>,
}

/// Parsed file; the bytes of its parts are concatenated in the body.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Outline {
    pub document: Option<ParsedDocument>,
    pub feed_list: Option<OpmlList>,
    pub parts: Vec<PartOutline>,
    /// Rejected parts, by the suffix of their path.
    pub refused: Vec<(String, Refusal)>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PartOutline {
    /// Suffix after the path of the whole: `!name` or `#3`.
    pub suffix: String,
    pub charset: Option<String>,
    /// Kind known from its position, such as a message in a mailbox; otherwise it is detected.
    pub kind: Option<FileKind>,
    pub size_bytes: u64,
}

/// Lengths in the prefix of a frame; an error for any other bytes.
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

/// Mark, lengths and header of a frame with a body of `body_bytes`.
pub(crate) fn head(header: &impl Serialize, body_bytes: usize) -> io::Result<Vec<u8>> {
    let json = serde_json::to_vec(header)?;
    let mut head = Vec::with_capacity(PREFIX_BYTES + json.len());
    head.extend_from_slice(&MARK);
    head.extend_from_slice(&(json.len() as u32).to_le_bytes());
    head.extend_from_slice(&(body_bytes as u64).to_le_bytes());
    head.extend_from_slice(&json);
    Ok(head)
}

/// Reads one frame; `None` at the end of the stream.
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
