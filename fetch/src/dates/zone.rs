//! Time zones as dates state them.

/// The names that RFC 2822 (section 4.3) knows, and UTC, in hours from it. Most others mean several zones.
const NAMES: [(&str, i32); 13] = [
    ("Z", 0),
    ("z", 0),
    ("UT", 0),
    ("UTC", 0),
    ("GMT", 0),
    ("EST", -5),
    ("EDT", -4),
    ("CST", -6),
    ("CDT", -5),
    ("MST", -7),
    ("MDT", -6),
    ("PST", -8),
    ("PDT", -7),
];
/// No zone is further from UTC.
const MAX_HOURS: i32 = 14;

/// Reads a zone that begins the text, as `Z`, `+0200`, `-05:30`, `+02'00'`, `EST` or `GMT+2`: seconds east of UTC, and where it ends.
/// None where there is none, or one that is not known.
pub(super) fn at_start(text: &str) -> Option<(i32, usize)> {
    let start = text.find(|c: char| c != ' ').unwrap_or(text.len());
    let name_end = start + length(&text[start..], |c| c.is_ascii_alphabetic());
    let name = &text[start..name_end];
    let hours = match name {
        "" => None,
        _ => Some(NAMES.iter().find(|(known, _)| *known == name)?.1),
    };
    let (offset_s, end) = match (hours, signed(&text[name_end..])) {
        (None | Some(0), Some((offset_s, length))) => (offset_s, name_end + length),
        (Some(hours), None) => (hours * 3_600, name_end),
        _ => return None,
    };
    let goes_on = text[end..].starts_with(|c: char| c.is_alphanumeric() || "/_+-".contains(c));
    (!goes_on).then_some((offset_s, end))
}

/// A sign with hours and perhaps minutes, and how long that is.
fn signed(text: &str) -> Option<(i32, usize)> {
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let end = 1 + length(&text[1..], |c| c.is_ascii_digit() || ":'".contains(c));
    let digits: String = text[1..end].chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = digits.split_at_checked(if digits.len() > 2 { digits.len() - 2 } else { digits.len() })?;
    let hours = hours.parse::<i32>().ok().filter(|hours| *hours <= MAX_HOURS)?;
    let minutes = if minutes.is_empty() { 0 } else { minutes.parse::<i32>().ok().filter(|minutes| *minutes < 60)? };
    Some((sign * (hours * 3_600 + minutes * 60), end))
}

/// Bytes at the start whose characters are of a kind.
fn length(text: &str, is_one: impl Fn(char) -> bool) -> usize {
    text.find(|c: char| !is_one(c)).unwrap_or(text.len())
}
