//! Format detection: by bytes first, by name only where bytes are ambiguous.

use crate::{config::ReadConfig, refusal::Refusal};
use domain::fetch::RejectReason;
use serde::{Deserialize, Serialize};

/// Formats that are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FileKind {
    PlainText,
    Markdown,
    Html,
    Feed,
    Pdf,
    Message,
    /// Text that a message quotes. Never detected: only the message knows.
    QuotedMessage,
    Mailbox,
    Zip,
    /// OPML. Never detected: only an import of feeds asks for it.
    FeedList,
}

impl FileKind {
    pub fn media_type(self) -> &'static str {
        match self {
            Self::PlainText | Self::QuotedMessage => "text/plain",
            Self::Markdown => "text/markdown",
            Self::Html => "text/html",
            Self::Feed => "application/feed",
            Self::Pdf => "application/pdf",
            Self::Message => "message/rfc822",
            Self::Mailbox => "application/mbox",
            Self::Zip => "application/zip",
            Self::FeedList => "text/x-opml",
        }
    }

    /// Whether it contains documents rather than being one.
    pub fn is_container(self) -> bool {
        matches!(self, Self::Zip | Self::Mailbox)
    }
}

/// Supported formats, in words.
pub const READABLE_KINDS: &str = "text, Markdown, HTML, PDF, feeds, e-mail (.eml, .mbox) and zip archives of these";

/// Formats that are recognised only to say what to do.
const UNSUPPORTED: [(&[u8], &str); 16] = [
    (b"\x89PNG", "an image; text in images is not read, so save the text itself"),
    (b"\xff\xd8\xff", "an image; text in images is not read, so save the text itself"),
    (b"GIF8", "an image; text in images is not read, so save the text itself"),
    (b"II*\0", "an image; text in images is not read, so save the text itself"),
    (b"MM\0*", "an image; text in images is not read, so save the text itself"),
    (b"\x1f\x8b", "a gzip file; unpack it, or make a zip of its content"),
    (b"7z\xbc\xaf", "a 7-Zip archive; make a zip of its content"),
    (b"Rar!", "a RAR archive; make a zip of its content"),
    (b"BZh", "a bzip2 file; unpack it, or make a zip of its content"),
    (b"\xfd7zXZ", "an xz file; unpack it, or make a zip of its content"),
    (b"{\\rtf", "a rich-text file; save it as PDF or plain text"),
    (b"\xd0\xcf\x11\xe0", "an old Office file; save it as PDF or plain text"),
    (b"\x7fELF", "a program; only documents are read"),
    (b"MZ\x90", "a program; only documents are read"),
    (b"ID3", "an audio file; audio is not read yet"),
    (b"SQLite format 3\0", "a database; export what you need as text"),
];

/// Marks near the start of zip files that are office documents or programs.
const OFFICE_MARKS: [&[u8]; 4] = [b"[Content_Types].xml", b"mimetypeapplication/", b"word/", b"META-INF/MANIFEST.MF"];
const OFFICE_EXTENSIONS: [&str; 8] = ["docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "jar"];

/// Bytes examined for the format.
const SNIFF_BYTES: usize = 8 * 1024;

/// Format of a file, or the reason why it is not read.
pub(crate) fn sniff(name: &str, bytes: &[u8], config: &ReadConfig) -> Result<FileKind, Refusal> {
    if bytes.is_empty() {
        return Err(Refusal::empty());
    }
    let start = &bytes[..bytes.len().min(SNIFF_BYTES)];
    let extension = extension(name);
    if contains(&start[..start.len().min(1024)], b"%PDF-") {
        return Ok(FileKind::Pdf);
    }
    if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
        return zip_or_office(&extension, start);
    }
    if let Some((_, what)) = UNSUPPORTED.iter().find(|(mark, _)| start.starts_with(mark)) {
        return Err(Refusal::new(RejectReason::Unsupported, format!("This is {what}.")));
    }
    if crate::feeds::is_feed(start) {
        return Ok(FileKind::Feed);
    }
    if config.unsupported_extensions.contains(&extension) {
        let message = format!(
            "Files ending in .{extension} are not read as documents; if this is one, save it as plain text with the extension .txt."
        );
        return Err(Refusal::new(RejectReason::Unsupported, message));
    }
    if is_binary(bytes) {
        return Err(binary(&extension));
    }
    Ok(text_kind(&extension, start))
}

/// Lower-case extension of a name; empty without one.
pub(crate) fn extension(name: &str) -> String {
    let last = name.rsplit(['/', '!']).next().unwrap_or(name);
    last.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}

/// Typical file name for a media type; `None` for generic types such as `application/octet-stream`.
pub(crate) fn file_name_for_media_type(media_type: &str) -> Option<&'static str> {
    Some(match media_type.trim().to_ascii_lowercase().as_str() {
        "text/html" | "application/xhtml+xml" => "page.html",
        "text/plain" => "page.txt",
        "text/markdown" | "text/x-markdown" => "page.md",
        "message/rfc822" => "page.eml",
        "application/mbox" => "page.mbox",
        "application/json" => "page.json",
        "text/css" => "page.css",
        "text/javascript" | "application/javascript" => "page.js",
        "application/xml" | "text/xml" => "page.xml",
        _ => return None,
    })
}

fn zip_or_office(extension: &str, start: &[u8]) -> Result<FileKind, Refusal> {
    let looks_like_office = OFFICE_MARKS.iter().any(|mark| contains(&start[..start.len().min(512)], mark));
    if OFFICE_EXTENSIONS.contains(&extension) || (looks_like_office && extension != "zip") {
        let message = "This is an office document or e-book; save it as PDF, HTML or plain text.";
        return Err(Refusal::new(RejectReason::Unsupported, message));
    }
    Ok(FileKind::Zip)
}

fn binary(extension: &str) -> Refusal {
    let message = match extension {
        "pdf" | "zip" | "html" | "htm" | "eml" | "mbox" | "txt" | "md" => {
            format!("It is named .{extension} but its bytes are something else, which is not text; get another copy of it.")
        }
        _ => "Its bytes are neither text nor a supported format; save it as plain text, HTML or PDF.".to_owned(),
    };
    Refusal::new(RejectReason::Binary, message)
}

fn text_kind(extension: &str, start: &[u8]) -> FileKind {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let lower = start[..start.len().min(1024)].to_ascii_lowercase();
    let is_page = [&b"<!doctype html"[..], b"<html", b"<head"].iter().any(|mark| lower.starts_with(mark))
        || (lower.starts_with(b"<?xml") && contains(&lower, b"<html"))
        || (lower.starts_with(b"<!--") && contains(&lower, b"<html"));
    match extension {
        _ if is_page => FileKind::Html,
        "html" | "htm" | "xhtml" => FileKind::Html,
        "mbox" | "mbx" if is_mailbox(start) => FileKind::Mailbox,
        "eml" => FileKind::Message,
        _ if is_mailbox(start) && header_names(after_line(start)) >= 3 => FileKind::Mailbox,
        "md" | "markdown" | "mkd" | "mdown" => FileKind::Markdown,
        _ if header_names(start) >= 4 && has_transport_header(&lower) => FileKind::Message,
        _ => FileKind::PlainText,
    }
}

fn is_mailbox(start: &[u8]) -> bool {
    start.starts_with(b"From ") && header_names(after_line(start)) >= 2
}

fn after_line(start: &[u8]) -> &[u8] {
    let end = start.iter().position(|byte| *byte == b'\n').map_or(start.len(), |at| at + 1);
    &start[end..]
}

/// Number of leading lines that look like mail headers.
fn header_names(start: &[u8]) -> usize {
    let lines = start.split(|byte| *byte == b'\n').take_while(|line| !line.trim_ascii().is_empty());
    lines
        .filter(|line| {
            let name = line.iter().position(|byte| *byte == b':').map(|at| &line[..at]);
            name.is_some_and(|name| !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-'))
        })
        .count()
}

/// Whether there are headers that only mail software writes. A report with "From:" and "Date:" lines is no message.
fn has_transport_header(lower: &[u8]) -> bool {
    [&b"\nmessage-id:"[..], b"\nmime-version:", b"\nreceived:", b"\ndelivered-to:", b"\nreturn-path:"]
        .iter()
        .any(|name| contains(lower, name) || lower.starts_with(&name[1..]))
}

/// Whether the bytes are no text: neither UTF-8, UTF-16 nor a legacy charset.
fn is_binary(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(64 * 1024)];
    if crate::text::unicode_mark(start).is_some() || crate::text::looks_like_utf16(start).is_some() {
        return false;
    }
    let zeros = start.iter().filter(|byte| **byte == 0).count();
    let controls = start.iter().filter(|byte| **byte < 32 && !matches!(**byte, 0 | b'\t'..=b'\r' | 0x1b)).count();
    let is_utf8 = match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    match is_utf8 {
        true => {
            let is_short = start.len() <= 512 && zeros == 0;
            zeros * 10 > start.len() || (!is_short && (zeros + controls) * 10 > start.len())
        }
        false => zeros * 50 > start.len() || controls * 50 > start.len(),
    }
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}
