//! Character decoding and normalisation: LF line ends, no byte-order mark, no U+0000.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// Share of zero bytes at even or odd positions that indicates UTF-16 without a mark, in percent.
const UTF16_ZEROS_PERCENT: usize = 30;

/// Valid non-ASCII characters required per invalid one for text to count as UTF-8, with and without a stated UTF-8. Other
/// charsets rarely produce valid ones by chance.
const RIGHT_PER_BROKEN_STATED: usize = 1;
const RIGHT_PER_BROKEN: usize = 8;

/// Escape sequences that begin Japanese characters in ISO-2022-JP, which otherwise is ASCII.
const ISO_2022_JP_ESCAPES: [&[u8]; 2] = [b"\x1b$B", b"\x1b$@"];

/// Decodes by byte-order mark, then escape sequences, then UTF-8, then the stated charset, then damaged UTF-8, then detection.
pub(crate) fn decode<'a>(bytes: &'a [u8], charset: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, mark_bytes)) = unicode_mark(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark_bytes..]).0;
    }
    if let Some(encoding) = looks_like_utf16(&bytes[..bytes.len().min(64 * 1024)]) {
        return encoding.decode_without_bom_handling(bytes).0;
    }
    if has_japanese_escape(bytes) {
        return ISO_2022_JP.decode_without_bom_handling(bytes).0;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let encoding = match charset.and_then(|label| Encoding::for_label(label.as_bytes())) {
        Some(stated) if stated != UTF_8 => stated,
        Some(_) if is_mostly_utf8(bytes, RIGHT_PER_BROKEN_STATED) => UTF_8,
        None if is_mostly_utf8(bytes, RIGHT_PER_BROKEN) => UTF_8,
        _ => guess(bytes),
    };
    encoding.decode_without_bom_handling(bytes).0
}

fn has_japanese_escape(bytes: &[u8]) -> bool {
    bytes.contains(&0x1b) && bytes.is_ascii() && bytes.windows(3).any(|three| ISO_2022_JP_ESCAPES.contains(&three))
}

/// Whether it is UTF-8 with a few damaged characters.
fn is_mostly_utf8(bytes: &[u8], right_per_broken: usize) -> bool {
    let (mut right, mut broken) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        right += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    right >= broken * right_per_broken
}

/// Encoding of a byte-order mark, with the mark's length.
pub(crate) fn unicode_mark(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(bytes)
}

/// UTF-16 without a mark, detected by zeros in every other byte of mostly Latin text.
pub(crate) fn looks_like_utf16(start: &[u8]) -> Option<&'static Encoding> {
    let pairs = start.len() / 2;
    if pairs < 8 {
        return None;
    }
    let zeros = |offset: usize| start.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (high, low) = (zeros(0) * 100 / pairs, zeros(1) * 100 / pairs);
    match (high, low) {
        (high, 0..=2) if high >= UTF16_ZEROS_PERCENT => Some(UTF_16BE),
        (0..=2, low) if low >= UTF16_ZEROS_PERCENT => Some(UTF_16LE),
        _ => None,
    }
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// Text with LF line ends, without byte-order mark and U+0000.
pub(crate) fn normalise(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // ASCII bytes never occur inside other UTF-8 characters, so bytes can be searched, which is faster.
    let bytes = text.as_bytes();
    if !bytes.contains(&b'\r') && !bytes.contains(&b'\0') {
        return text.to_owned();
    }
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_set_reads_as_the_same_text() {
        let text = "Die Häfen von Málaga schließen früher, sagte der Bürgermeister am späten Abend. Niemand wußte warum.\n";
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let utf16_be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let marked: Vec<u8> = [&b"\xff\xfe"[..], &utf16].concat();
        let latin1: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let utf8_marked = [&b"\xef\xbb\xbf"[..], text.as_bytes()].concat();
        for bytes in [text.as_bytes(), &utf16, &utf16_be, &marked, &latin1, &utf8_marked] {
            assert_eq!(normalise(&decode(bytes, None)), text);
        }
    }

    #[test]
    fn a_stated_character_set_is_believed_unless_the_bytes_are_utf8() {
        assert_eq!(decode(b"\xcf\xd0\xc8", Some("windows-1251")), "ПРИ");
        assert_eq!(decode("ПРИ".as_bytes(), Some("windows-1251")), "ПРИ");
        assert_eq!(decode(b"Port \x1b$B9A\x1b(B.", Some("us-ascii")), "Port 港.");
    }

    #[test]
    fn one_broken_character_costs_itself_and_not_the_page() {
        let words = "L’été, les écluses du port resteront fermées, a déclaré la maire à la presse réunie là-bas. ".repeat(3);
        let cut = [words.as_bytes(), b"Une derni\xc3", b" phrase."].concat();
        let expected = format!("{words}Une derni\u{fffd} phrase.");
        for charset in [Some("utf-8"), Some("UTF8"), None, Some("no such set")] {
            assert_eq!(decode(&cut, charset), expected, "{charset:?}");
        }
        // Enough if the page states UTF-8, otherwise not.
        assert_eq!(decode(b"\xc3\xa9t\xc3", Some("utf-8")), "ét\u{fffd}");
        // The stated charset is wrong: every non-ASCII character is invalid.
        assert_eq!(decode(b"Caf\xe9 ferm\xe9 jusqu'\xe0 mardi", Some("utf-8")), "Café fermé jusqu'à mardi");
    }

    #[test]
    fn line_ends_and_zeros_are_normal() {
        assert_eq!(normalise("\u{feff}a\r\nb\rc\0d\n\ne"), "a\nb\ncd\n\ne");
    }
}
