//! Encoded words of header lines (RFC 2047), rewritten as UTF-8 before a message is parsed.
//!
//! Many programs split a character over two words, which no standard allows, or state a charset that does not exist.

use crate::text;
use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use bytes::Bytes;
use encoding_rs::{Encoding, ISO_2022_JP};

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent).with_decode_allow_trailing_bits(true),
);

/// The message with the encoded words of its headers, and of those of its parts, in UTF-8. Header lines without encoding are decoded.
pub(super) fn in_utf8(message: &Bytes) -> Bytes {
    let end = header_end(message);
    let head = &message[..end];
    let has_word = message.windows(2).any(|two| two == b"=?");
    if !has_word && head.is_ascii() && !head.contains(&0x1b) {
        return message.clone();
    }
    let mut rewritten = rewrite(&text::decode(head, None)).into_bytes();
    let mut rest = &message[end..];
    // Headers of parts follow a boundary and end with a blank line.
    while let Some(at) = boundary(rest) {
        let from = &rest[at..];
        let end = header_end(from);
        rewritten.extend_from_slice(&rest[..at]);
        match std::str::from_utf8(&from[..end]) {
            Ok(head) if head.contains("=?") => rewritten.extend_from_slice(rewrite(head).as_bytes()),
            _ => rewritten.extend_from_slice(&from[..end]),
        }
        rest = &from[end..];
    }
    rewritten.extend_from_slice(rest);
    rewritten.into()
}

/// Length of the lines up to the first blank one.
fn header_end(bytes: &[u8]) -> usize {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines.take_while(|line| !line.trim_ascii().is_empty()).map(<[u8]>::len).sum()
}

/// Start of the first line that may be a boundary.
fn boundary(bytes: &[u8]) -> Option<usize> {
    if bytes.starts_with(b"--") {
        return Some(0);
    }
    bytes.windows(3).position(|three| three == b"\n--").map(|at| at + 1)
}

struct Word<'a> {
    charset: &'a str,
    content: Vec<u8>,
    end: usize,
}

/// Each run of words becomes one word in UTF-8.
fn rewrite(head: &str) -> String {
    let mut rewritten = String::with_capacity(head.len());
    let mut rest = head;
    while let Some(at) = rest.find("=?") {
        let (before, from) = rest.split_at(at);
        rewritten.push_str(before);
        let mut words = Vec::new();
        let mut end = 0;
        let mut next = 0;
        while let Some(word) = word(&from[next..]) {
            end = next + word.end;
            words.push(word);
            next = end + from[end..].len() - from[end..].trim_start().len();
        }
        if words.is_empty() {
            rewritten.push_str("=?");
            rest = &from[2..];
            continue;
        }
        rewritten.push_str(&format!("=?utf-8?B?{}?=", LENIENT.encode(text_of(&words))));
        rest = &from[end..];
    }
    rewritten + rest
}

/// The encoded word at the start of a text.
fn word(text: &str) -> Option<Word<'_>> {
    let mut fields = text.strip_prefix("=?")?.splitn(3, '?');
    let (charset, encoding, rest) = (fields.next()?, fields.next()?, fields.next()?);
    // In Q, "?=" cannot be content, but "=?" may follow at once: "?=" of the end.
    let content = &rest[..rest.find("?=")?];
    if charset.is_empty() || content.contains(['\n', '\r']) || charset.contains(char::is_whitespace) {
        return None;
    }
    let end = 2 + charset.len() + 1 + encoding.len() + 1 + content.len() + 2;
    let content = match encoding {
        "b" | "B" => LENIENT.decode(content.trim_end_matches('=').replace(' ', "")).ok()?,
        "q" | "Q" => quoted(content.as_bytes()),
        _ => return None,
    };
    Some(Word { charset: charset.split('*').next().unwrap_or(charset), content, end })
}

fn quoted(content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(content.len());
    let mut at = 0;
    while let Some(byte) = content.get(at) {
        let hex = content.get(at + 1..at + 3).filter(|_| *byte == b'=').and_then(|hex| hex::decode(hex).ok());
        at += if hex.is_some() { 3 } else { 1 };
        match (hex, byte) {
            (Some(hex), _) => bytes.extend(hex),
            (None, b'_') => bytes.push(b' '),
            (None, byte) => bytes.push(*byte),
        }
    }
    bytes
}

/// Text of adjacent words. Words of one charset are decoded together where one of them alone does not make sense.
fn text_of(words: &[Word<'_>]) -> String {
    let same = words.chunk_by(|a, b| a.charset.eq_ignore_ascii_case(b.charset));
    same.map(|words| {
        let charset = words[0].charset;
        let each: Option<String> = words.iter().map(|word| whole_text(&word.content, charset)).collect();
        let joined = || words.iter().flat_map(|word| word.content.iter().copied()).collect::<Vec<_>>();
        let text = each.unwrap_or_else(|| text::decode(&joined(), Some(charset)).into_owned());
        text.replace(['\r', '\n', '\0'], " ")
    })
    .collect()
}

/// Text of bytes that are without error in a known charset, and end a character.
fn whole_text(bytes: &[u8], charset: &str) -> Option<String> {
    let encoding = Encoding::for_label(charset.as_bytes())?;
    let (_, had_errors) = encoding.decode_without_bom_handling(bytes);
    let last_escape = bytes.iter().rposition(|byte| *byte == 0x1b).map(|at| &bytes[at + 1..]);
    let is_open = encoding == ISO_2022_JP && last_escape.is_some_and(|escape| !escape.starts_with(b"("));
    (!had_errors && !is_open).then(|| text::decode(bytes, Some(charset)).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{EUC_KR, GB18030, KOI8_R, SHIFT_JIS, UTF_8};

    /// Header with a text cut into words of so many bytes.
    fn cut(text: &str, encoding: &'static Encoding, label: &str, bytes: usize) -> String {
        let encoded = encoding.encode(text).0.into_owned();
        let words: Vec<String> =
            encoded.chunks(bytes).map(|piece| format!("=?{label}?B?{}?=", LENIENT.encode(piece))).collect();
        format!("Subject: {}\r\nTo: a@b.example\r\n\r\nBody", words.join("\r\n "))
    }

    fn subject(message: impl Into<Bytes>) -> String {
        let rewritten = in_utf8(&message.into());
        let message = mail_parser::MessageParser::default().parse(rewritten.as_ref()).unwrap();
        message.subject().unwrap().to_owned()
    }

    #[test]
    fn a_character_may_be_split_over_two_words() {
        for bytes in [3, 5, 7, 24] {
            assert_eq!(subject(cut("Комиссия закрыла — 渡し船", UTF_8, "UTF-8", bytes)), "Комиссия закрыла — 渡し船");
            assert_eq!(subject(cut("フェリーの桟橋は閉鎖", SHIFT_JIS, "Shift_JIS", bytes)), "フェリーの桟橋は閉鎖");
            assert_eq!(subject(cut("나루터 폐쇄 명령 발표", EUC_KR, "euc-kr", bytes)), "나루터 폐쇄 명령 발표");
            assert_eq!(subject(cut("港口渡轮停航通知", GB18030, "GB18030", bytes)), "港口渡轮停航通知");
            assert_eq!(subject(cut("フェリーの桟橋は閉鎖", ISO_2022_JP, "ISO-2022-JP", bytes)), "フェリーの桟橋は閉鎖");
            let unknown = cut("Управление порта закрыло паромную переправу", KOI8_R, "unknown-8bit", bytes);
            assert_eq!(subject(unknown), "Управление порта закрыло паромную переправу");
        }
    }

    #[test]
    fn words_are_decoded_as_they_are_meant() {
        let table = [
            ("=?utf-8?Q?F=C3=A4hre_bei_Br=C3?=\r\n =?UTF-8?q?=A5?= und mehr", "Fähre bei Brå und mehr"),
            ("=?iso-8859-1?Q?a_=F6?= =?utf-8?B?w7Y?=", "a öö"),
            ("=?iso-8859-1*de?Q?=F6?=", "ö"),
            ("=?utf-8?X?abc?= =? 1=?", "=?utf-8?X?abc?= =? 1=?"),
            ("=?us-ascii?Q?=C3=A4?=", "ä"),
            ("\u{1b}$B9A\u{1b}(B", "港"),
            ("Größe", "Größe"),
        ];
        for (header, expected) in table {
            assert_eq!(subject(format!("Subject: {header}\r\n\r\nBody")), expected, "{header}");
        }
        assert_eq!(subject(b"Subject: Gr\xf6\xdfe der H\xe4fen\r\n\r\nBody".as_slice()), "Größe der Häfen");
    }

    #[test]
    fn parts_have_headers_too_and_bodies_are_left_alone() {
        let message = "Subject: a\n\n=?utf-8?Q?b?=\n--B\nContent-Type: x; name=\"=?utf-8?Q?=C3?= =?utf-8?Q?=A4?=\"\n\n=?utf-8?Q?c?=\n--B--\n";
        let expected = "Subject: a\n\n=?utf-8?Q?b?=\n--B\nContent-Type: x; name=\"=?utf-8?B?w6Q=?=\"\n\n=?utf-8?Q?c?=\n--B--\n";
        assert_eq!(in_utf8(&Bytes::from(message)), expected);
    }
}
