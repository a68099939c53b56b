//! The characters of a feed: by byte-order mark, by what the server states, by the declaration, else by the look of the bytes.

use crate::text;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// The declaration stands at the very start.
const DECLARATION_BYTES: usize = 400;

/// All of the feed, with LF line ends.
pub(super) fn decode(bytes: &[u8], charset: Option<&str>) -> String {
    text::normalise(&characters(bytes, charset))
}

/// The first characters, for a look at what it is.
pub(super) fn start(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(text) = very_wide(bytes) {
        return text.into();
    }
    match text::unicode_mark(bytes) {
        Some((encoding, mark)) => encoding.decode_without_bom_handling(&bytes[mark..]).0,
        None => match wide(bytes) {
            Some(encoding) => encoding.decode_without_bom_handling(bytes).0,
            None => String::from_utf8_lossy(bytes),
        },
    }
}

fn characters<'a>(bytes: &'a [u8], charset: Option<&str>) -> Cow<'a, str> {
    if let Some(text) = very_wide(bytes) {
        return text.into();
    }
    if text::unicode_mark(bytes).is_some() {
        return text::decode(bytes, charset);
    }
    if let Some(encoding) = wide(bytes) {
        return encoding.decode_without_bom_handling(bytes).0;
    }
    let stated = charset.map(str::to_owned);
    for label in [stated, declared(bytes)].into_iter().flatten() {
        let encoding =
            Encoding::for_label(label.trim().as_bytes()).filter(|encoding| *encoding != UTF_16BE && *encoding != UTF_16LE);
        if let Some(encoding) = encoding {
            let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
            if !had_errors {
                return text;
            }
        }
    }
    // Whatever is stated does not fit all of it.
    text::decode(bytes, declared(bytes).as_deref().or(charset))
}

/// UTF-32, which nobody but feeds uses: by its mark, or by three zeros beside the first character.
fn very_wide(bytes: &[u8]) -> Option<String> {
    let is_big = match bytes {
        [0, 0, 0xfe, 0xff, ..] | [0, 0, 0, b'<', ..] => true,
        [0xff, 0xfe, 0, 0, ..] | [b'<', 0, 0, 0, ..] => false,
        _ => return None,
    };
    let (fours, _) = bytes.as_chunks::<4>();
    let code = |four: &[u8; 4]| if is_big { u32::from_be_bytes(*four) } else { u32::from_le_bytes(*four) };
    Some(fours.iter().map(|four| char::from_u32(code(four)).unwrap_or('\u{fffd}')).collect())
}

/// UTF-16 without a mark: every other byte of `<?xml` or `<rss` is zero.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [0, b'<', 0, ..] => Some(UTF_16BE),
        [b'<', 0, _, 0, ..] => Some(UTF_16LE),
        _ => None,
    }
}

/// `encoding="…"` of the XML declaration.
fn declared(bytes: &[u8]) -> Option<String> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION_BYTES)]);
    let (_, declaration) = start.split_once("<?xml")?;
    let (declaration, _) = declaration.split_once('>')?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start_matches(['=', ' ', '\t', '\n', '\r', '"', '\'']);
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.:".contains(c)).unwrap_or(value.len());
    (end > 0).then(|| value[..end].to_owned())
}
