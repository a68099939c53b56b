//! Time zones as dates state them.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Weekday};

/// Zone names of RFC 2822 (section 4.3) and UTC, in hours. Most other names are ambiguous.
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
/// American zones that follow daylight saving, with their winter offset in hours.
const AMERICAN: [(&str, i32); 4] = [("ET", -5), ("CT", -6), ("MT", -7), ("PT", -8)];
/// Largest offset of any zone.
const MAX_HOURS: i32 = 14;
/// First years of the present and of the previous rules for daylight saving in the United States.
const PRESENT_RULES: i32 = 2007;
const OLDER_RULES: i32 = 1987;

/// Fixed offset, or a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// Seconds east of UTC.
    Fixed(i32),
    /// American zone by its winter offset in hours; in summer one hour more.
    American(i32),
}

impl Zone {
    /// Seconds east of UTC at a local time; `None` for years whose rules are unknown.
    pub fn offset_s(self, local: NaiveDateTime) -> Option<i32> {
        match self {
            Self::Fixed(offset_s) => Some(offset_s),
            Self::American(hours) => Some((hours + i32::from(is_daylight_time(local)?)) * 3_600),
        }
    }
}

/// Whether daylight saving applies in the United States: between two Sundays, from 2 a.m. to 2 a.m.
fn is_daylight_time(local: NaiveDateTime) -> Option<bool> {
    let year = local.year();
    let sunday = |month, nth| NaiveDate::from_weekday_of_month_opt(year, month, Weekday::Sun, nth);
    let (begins, ends) = match year {
        PRESENT_RULES.. => (sunday(3, 2)?, sunday(11, 1)?),
        OLDER_RULES.. => (sunday(4, 1)?, sunday(10, 5).or_else(|| sunday(10, 4))?),
        _ => return None,
    };
    let two = NaiveTime::from_hms_opt(2, 0, 0)?;
    Some((begins.and_time(two)..ends.and_time(two)).contains(&local))
}

/// Parses a zone at the start of the text and returns its end: `Z`, `+0200`, `-05:30`, `+02'00'`, `EST`, `ET` or `GMT+2`.
/// `None` if there is none, or an unknown one.
pub(super) fn at_start(text: &str) -> Option<(Zone, usize)> {
    let start = text.find(|c: char| c != ' ').unwrap_or(text.len());
    let name_end = start + length(&text[start..], |c| c.is_ascii_alphabetic());
    let name = &text[start..name_end];
    let named = match name {
        "" => None,
        _ => Some(zone_by_name(name)?),
    };
    let (zone, end) = match (named, signed(&text[name_end..])) {
        (None | Some(Zone::Fixed(0)), Some((offset_s, length))) => (Zone::Fixed(offset_s), name_end + length),
        (Some(zone), None) => (zone, name_end),
        _ => return None,
    };
    let goes_on = text[end..].starts_with(|c: char| c.is_alphanumeric() || "/_+-".contains(c));
    (!goes_on).then_some((zone, end))
}

fn zone_by_name(name: &str) -> Option<Zone> {
    let hours = |names: &[(&str, i32)]| names.iter().find(|(known, _)| *known == name).map(|(_, hours)| *hours);
    let fixed = hours(&NAMES).map(|hours| Zone::Fixed(hours * 3_600));
    fixed.or_else(|| hours(&AMERICAN).map(Zone::American))
}

/// Signed hours and optional minutes, with their length.
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

/// Length of the leading characters that satisfy a condition.
fn length(text: &str, is_one: impl Fn(char) -> bool) -> usize {
    text.find(|c: char| !is_one(c)).unwrap_or(text.len())
}
