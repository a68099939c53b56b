//! Character decoding of feeds: byte-order mark, then UTF-8, then the server's charset, then the XML declaration, then detection.

use crate::text;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// Bytes within which the XML declaration must end.
const DECLARATION_BYTES: usize = 400;

/// Whole feed with LF line ends.
pub(super) fn decode(bytes: &[u8], charset: Option<&str>) -> String {
    text::normalise(&decode_characters(bytes, charset))
}

/// First characters, for format detection.
pub(super) fn start(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(text) = decode_utf32(bytes) {
        return text.into();
    }
    match text::unicode_mark(bytes) {
        Some((encoding, mark)) => encoding.decode_without_bom_handling(&bytes[mark..]).0,
        None => match utf16_without_bom(bytes) {
            Some(encoding) => encoding.decode_without_bom_handling(bytes).0,
            None => String::from_utf8_lossy(bytes),
        },
    }
}

fn decode_characters<'a>(bytes: &'a [u8], charset: Option<&str>) -> Cow<'a, str> {
    if let Some(text) = decode_utf32(bytes) {
        return text.into();
    }
    if text::unicode_mark(bytes).is_some() {
        return text::decode(bytes, charset);
    }
    if let Some(encoding) = utf16_without_bom(bytes) {
        return encoding.decode_without_bom_handling(bytes).0;
    }
    // Other charsets do not make valid UTF-8 by chance, and declarations are often left over from another version of the feed.
    if !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok() {
        return text::decode(bytes, charset);
    }
    let stated = charset.map(str::to_owned);
    for label in [stated, declared_encoding(bytes)].into_iter().flatten() {
        let encoding =
            Encoding::for_label(label.trim().as_bytes()).filter(|encoding| *encoding != UTF_16BE && *encoding != UTF_16LE);
        if let Some(encoding) = encoding {
            let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
            if !had_errors {
                return text;
            }
        }
    }
    // None of the stated charsets fits the whole text.
    text::decode(bytes, declared_encoding(bytes).as_deref().or(charset))
}

/// UTF-32, detected by its byte-order mark or by three zeros beside the first character.
fn decode_utf32(bytes: &[u8]) -> Option<String> {
    let is_big = match bytes {
        [0, 0, 0xfe, 0xff, ..] | [0, 0, 0, b'<', ..] => true,
        [0xff, 0xfe, 0, 0, ..] | [b'<', 0, 0, 0, ..] => false,
        _ => return None,
    };
    let (fours, _) = bytes.as_chunks::<4>();
    let code = |four: &[u8; 4]| if is_big { u32::from_be_bytes(*four) } else { u32::from_le_bytes(*four) };
    Some(fours.iter().map(|four| char::from_u32(code(four)).unwrap_or('\u{fffd}')).collect())
}

/// UTF-16 without a byte-order mark, detected by the zeros in `<?xml` or `<rss`.
fn utf16_without_bom(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [0, b'<', 0, ..] => Some(UTF_16BE),
        [b'<', 0, _, 0, ..] => Some(UTF_16LE),
        _ => None,
    }
}

/// `encoding="…"` of the XML declaration.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION_BYTES)]);
    let (_, declaration) = start.split_once("<?xml")?;
    let (declaration, _) = declaration.split_once('>')?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start_matches(['=', ' ', '\t', '\n', '\r', '"', '\'']);
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.:".contains(c)).unwrap_or(value.len());
    (end > 0).then(|| value[..end].to_owned())
}
