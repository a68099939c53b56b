//! Character references in XML. Named references of HTML stay for the HTML parser.

/// Longest name of a reference.
const MAX_NAME_BYTES: usize = 10;

/// Decodes references once: `&amp;lt;` becomes `&lt;`.
pub(crate) fn decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        match reference(rest) {
            Some((c, length)) => {
                decoded.push(c);
                rest = &rest[length..];
            }
            None => {
                decoded.push('&');
                rest = &rest[1..];
            }
        }
    }
    decoded.push_str(rest);
    decoded
}

/// Character of the reference at the start of `text`, with its length in bytes.
fn reference(text: &str) -> Option<(char, usize)> {
    let end = text.bytes().take(MAX_NAME_BYTES + 2).position(|byte| byte == b';')?;
    let name = &text[1..end];
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => numbered(name.strip_prefix('#')?)?,
    };
    Some((c, end + 1))
}

/// Numeric reference. Codes 128 to 159 mean windows-1252 in practice.
fn numbered(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    match code {
        0 => None,
        128..=159 => encoding_rs::WINDOWS_1252.decode_without_bom_handling(&[code as u8]).0.chars().next(),
        _ => char::from_u32(code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decoded_once_and_unknown_ones_stay() {
        let table = [
            ("AT&amp;T &lt;b&gt;", "AT&T <b>"),
            ("&amp;lt;", "&lt;"),
            ("caf&#233; &#x2019; &#146;", "café ’ ’"),
            ("&eacute; & &; &#0; &unknownreference;", "&eacute; & &; &#0; &unknownreference;"),
        ];
        for (text, expected) in table {
            assert_eq!(decode(text), expected);
        }
    }
}
