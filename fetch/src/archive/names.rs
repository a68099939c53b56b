//! Names of archive members. Most old programs store them in the charset of their computer without saying which.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, IBM866, SHIFT_JIS};

/// First byte of the letters of single-byte Latin charsets; in code page 437 these are box-drawing and Greek.
const FIRST_LATIN_LETTER: u8 = 0xc0;

/// Name as stored, and as code page 437, which the format prescribes.
pub(super) struct StoredName {
    pub raw: Vec<u8>,
    pub prescribed: String,
}

/// Readable names: UTF-8 where it is valid, otherwise the charset that fits all names of the archive, otherwise the one that fits the
/// name, otherwise as prescribed.
pub(super) fn decode(names: Vec<StoredName>) -> Vec<String> {
    let unclear: Vec<&[u8]> =
        names.iter().map(|name| name.raw.as_slice()).filter(|raw| std::str::from_utf8(raw).is_err()).collect();
    let common = charset(&unclear);
    // A backslash is a separator, but it may also be the second byte of a character. So it is replaced last, and in a name that is not
    // understood only if nothing else separates.
    let readable = |name: StoredName| {
        let raw = match String::from_utf8(name.raw) {
            Ok(name) => return name.replace('\\', "/"),
            Err(error) => error.into_bytes(),
        };
        match common.or_else(|| charset(&[&raw])) {
            Some(charset) => charset.decode_without_bom_handling(&raw).0.replace('\\', "/"),
            None if name.prescribed.contains('/') => name.prescribed,
            None => name.prescribed.replace('\\', "/"),
        }
    };
    names.into_iter().map(readable).collect()
}

fn charset(names: &[&[u8]]) -> Option<&'static Encoding> {
    if names.is_empty() {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&names.join(&b'\n'), true);
    let detected = detector.guess(None, Utf8Detection::Deny);
    [detected, IBM866, SHIFT_JIS].into_iter().find(|charset| names.iter().all(|name| fits(name, charset)))
}

/// Whether a name makes sense in a charset: no errors, and letters rather than signs.
fn fits(name: &[u8], charset: &'static Encoding) -> bool {
    let Some(text) = charset.decode_without_bom_handling_and_without_replacement(name) else { return false };
    let is_foreign = |c: char| !c.is_ascii();
    let (letters, signs): (Vec<char>, Vec<char>) =
        text.chars().filter(|c| is_foreign(*c)).partition(|c| c.is_alphabetic() || *c == '№');
    if !charset.is_single_byte() {
        return letters.len() > signs.len() && !signs.iter().any(|c| c.is_control());
    }
    if letters.iter().all(|c| *c < '\u{250}') {
        return name.iter().all(|byte| byte.is_ascii() || *byte >= FIRST_LATIN_LETTER);
    }
    // One word of another alphabet holds no Latin letters.
    let is_mixed = |word: &str| word.contains(is_foreign) && word.contains(|c: char| c.is_ascii_alphabetic());
    signs.is_empty() && !domain::text::words(&text).any(is_mixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_KR, GBK, KOI8_R, WINDOWS_1251, WINDOWS_1252};

    #[test]
    fn names_are_read_in_the_charset_that_fits_them() {
        let table: [(&[&str], Option<&'static Encoding>); 10] = [
            (&["Отчёт о потерях.txt"], Some(IBM866)),
            (&["Протокол заседания №3.txt", "Приложение/карта.pdf"], Some(IBM866)),
            (&["Протокол заседания.txt", "Приложение к протоколу.pdf"], Some(WINDOWS_1251)),
            (&["新しいフォルダ/ソ表.txt"], Some(SHIFT_JIS)),
            (&["報告書/添付資料.pdf", "会議録.txt"], Some(SHIFT_JIS)),
            (&["会议纪要.txt", "附件一.pdf"], Some(GBK)),
            (&["회의록.txt", "첨부 자료.pdf"], Some(EUC_KR)),
            (&["會議紀錄.txt", "附件資料.pdf"], Some(BIG5)),
            (&["Отчёт о потерях.txt", "Протокол заседания.txt"], Some(KOI8_R)),
            (&["Zürich.txt", "Änderung.txt"], Some(WINDOWS_1252)),
        ];
        for (names, charset) in table {
            let stored = names.iter().map(|name| StoredName {
                raw: charset.unwrap().encode(name).0.into_owned(),
                prescribed: "prescribed".to_owned(),
            });
            assert_eq!(decode(stored.collect()), names, "{charset:?}");
        }
        // Code page 437, which no detector knows.
        let prescribed = StoredName { raw: b"Z\x81rich.txt".to_vec(), prescribed: "Zürich.txt".to_owned() };
        assert_eq!(decode(vec![prescribed]), ["Zürich.txt"]);
    }

    #[test]
    fn programs_with_different_charsets_may_have_written_one_archive() {
        let (russian, japanese) = (IBM866.encode("Отчёт о потерях.txt").0, SHIFT_JIS.encode("新しいフォルダ/ソ表.txt").0);
        let names = [russian, japanese].map(|raw| StoredName { raw: raw.into_owned(), prescribed: String::new() });
        assert_eq!(decode(names.into()), ["Отчёт о потерях.txt", "新しいフォルダ/ソ表.txt"]);
    }

    #[test]
    fn a_backslash_separates_unless_it_is_half_of_a_character() {
        let (raw, ..) = SHIFT_JIS.encode("資料\\表\\ソ.txt");
        let name = StoredName { raw: raw.into_owned(), prescribed: String::new() };
        assert_eq!(decode(vec![name]), ["資料/表/ソ.txt"]);
    }
}
