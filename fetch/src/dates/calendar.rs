//! Calendar dates in words and figures, at the start of a text.

use super::zone;
use chrono::{NaiveDate, NaiveTime, TimeDelta};
use domain::{Precision, Published, PublishedBasis, Timestamp};

/// A date and, where one follows it, a time of day with its seconds east of UTC.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    date: NaiveDate,
    time: Option<(NaiveTime, i32)>,
    precision: Precision,
}

impl Found {
    pub fn published(self, basis: PublishedBasis) -> Published {
        let (clock, offset_s) = self.time.unwrap_or((NaiveTime::MIN, 0));
        let moment = self.date.and_time(clock).and_utc() - TimeDelta::seconds(offset_s.into());
        Published { value: Timestamp::from_micros(moment.timestamp_micros()), precision: self.precision, basis }
    }
}

/// Month names in English, Spanish, French, German, Portuguese and Italian, without diacritics.
const MONTHS: [&[&str]; 12] = [
    &["january", "jan", "enero", "ene", "janvier", "janv", "januar", "janner", "janeiro", "gennaio"],
    &["february", "feb", "febrero", "fevrier", "fevr", "februar", "fevereiro", "febbraio"],
    &["march", "mar", "marzo", "mars", "marz", "marco"],
    &["april", "apr", "abril", "abr", "avril", "avr", "aprile"],
    &["may", "mayo", "mai", "maio", "maggio"],
    &["june", "jun", "junio", "juin", "juni", "junho", "giugno"],
    &["july", "jul", "julio", "juillet", "juil", "juli", "julho", "luglio"],
    &["august", "aug", "agosto", "ago", "aout"],
    &["september", "sep", "sept", "septiembre", "septembre", "setembro", "settembre"],
    &["october", "oct", "octubre", "octobre", "oktober", "okt", "outubro", "ottobre"],
    &["november", "nov", "noviembre", "novembre", "novembro"],
    &["december", "dec", "diciembre", "dic", "decembre", "dezember", "dez", "dezembro", "dicembre"],
];
const WEEKDAYS: [&str; 14] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
];
const FILLERS: [&str; 6] = ["of", "de", "del", "the", "den", "le"];
/// Two-digit years up to this one belong to this century.
const LAST_SHORT_YEAR: i32 = 49;

struct Word<'a> {
    text: &'a str,
    end: usize,
    /// The character before it.
    before: char,
}

/// Reads a date that begins the text (a weekday may precede it) and where it ends.
pub(crate) fn find_date_at_start(text: &str) -> Option<(Found, usize)> {
    let words = words(text);
    let skip = words.iter().take(3).take_while(|word| is_one_of(word.text, &WEEKDAYS) || is_one_of(word.text, &FILLERS));
    let words = &words[skip.count()..];
    let (date, precision, used) = in_figures(words).or_else(|| in_words(words))?;
    let end = words.get(used - 1)?.end;
    let time = (precision == Precision::Day).then(|| time_of_day(&words[used..])).flatten();
    let (time, precision, end) = match time {
        Some((clock, clock_end)) => match zone_after(&text[clock_end..]) {
            Some((offset_s, length)) => (Some((clock, offset_s)), Precision::Minute, clock_end + length),
            None => (None, precision, clock_end),
        },
        None => (None, precision, end),
    };
    Some((Found { date, time, precision }, end))
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = None;
    let mut before = ' ';
    let mut last = ' ';
    for (at, c) in text.char_indices().take(80).chain([(text.len().min(400), ' ')]) {
        let splits = start.is_some_and(|_| last.is_ascii_digit() != c.is_ascii_digit() && c.is_alphanumeric());
        if let Some(from) = start.filter(|_| !c.is_alphanumeric() || splits) {
            if let Some(word) = text.get(from..at) {
                words.push(Word { text: word, end: at, before });
            }
            start = None;
        }
        if c.is_alphanumeric() && start.is_none() {
            start = Some(at);
            before = last;
        }
        last = c;
    }
    words
}

/// 2031-03-14, 2031/03/14, 2031-03, 2031, 20310314, 14.3.2031, 14/3/2031.
fn in_figures(words: &[Word<'_>]) -> Option<(NaiveDate, Precision, usize)> {
    let number = |at: usize| words.get(at).and_then(|word| figure(word.text));
    let joined = |at: usize| words.get(at).is_some_and(|word| "-/.".contains(word.before));
    let first = words.first()?.text;
    let has_year_first = first.len() == 4;
    match (number(0)?, number(1).filter(|_| joined(1)), number(2).filter(|_| joined(2))) {
        (_, None, _) if first.len() == 8 => {
            let date = NaiveDate::parse_from_str(first, "%Y%m%d").ok()?;
            is_plausible(date).then_some((date, Precision::Day, 1))
        }
        (year, Some(month), Some(day)) if has_year_first => day_of(year, month, day).map(|date| (date, Precision::Day, 3)),
        (year, Some(month), None) if has_year_first => day_of(year, month, 1).map(|date| (date, Precision::Month, 2)),
        (year, None, _) if has_year_first && words.len() == 1 => day_of(year, 1, 1).map(|date| (date, Precision::Year, 1)),
        (a, Some(b), Some(year)) if words[2].text.len() == 4 => {
            let dotted = words[1].before == '.';
            match (a, b) {
                (day, month) if dotted || day > 12 || day == month => {
                    day_of(year, month, day).map(|date| (date, Precision::Day, 3))
                }
                (month, day) if day > 12 => day_of(year, month, day).map(|date| (date, Precision::Day, 3)),
                _ => day_of(year, 1, 1).map(|date| (date, Precision::Year, 3)),
            }
        }
        _ => None,
    }
}

/// 3 January 1990, 3 JAN 90, January 3rd 1990, January 1990, 14 de marzo de 2031.
fn in_words(words: &[Word<'_>]) -> Option<(NaiveDate, Precision, usize)> {
    let mut day = None;
    let mut month_found = None;
    for (at, word) in words.iter().enumerate().take(8) {
        let value = figure(word.text);
        match (value, month_found) {
            (Some(value), Some(month)) if word.text.len() == 4 || (word.text.len() == 2 && day.is_some()) => {
                let year = if word.text.len() == 4 { value } else { full_year(value) };
                let precision = if day.is_some() { Precision::Day } else { Precision::Month };
                return day_of(year, month, day.unwrap_or(1)).map(|date| (date, precision, at + 1));
            }
            (Some(value), _) if day.is_none() && word.text.len() <= 2 => day = Some(value),
            (None, None) if month_of(word.text).is_some() => month_found = month_of(word.text),
            (None, _) if is_one_of(word.text, &FILLERS) || is_ordinal(word.text) => {}
            _ => return None,
        }
    }
    None
}

/// A time that follows a date: "18:05 GMT", "at 6:05 pm".
fn time_of_day(words: &[Word<'_>]) -> Option<(NaiveTime, usize)> {
    let skip = words.iter().take(1).filter(|word| is_one_of(word.text, &["at", "t"])).count();
    let (hour, minute) = (words.get(skip)?, words.get(skip + 1)?);
    if minute.before != ':' || minute.text.len() != 2 {
        return None;
    }
    let (mut h, m) = (figure(hour.text)? as u32, figure(minute.text)? as u32);
    let mut end = minute.end;
    let seconds = words.get(skip + 2).filter(|word| word.before == ':' && word.text.len() == 2 && figure(word.text).is_some());
    if let Some(seconds) = seconds {
        end = seconds.end;
    }
    let next = skip + 2 + usize::from(seconds.is_some());
    if let Some(half) = words.get(next).filter(|word| is_one_of(word.text, &["am", "pm"])) {
        h = h % 12 + if half.text.eq_ignore_ascii_case("pm") { 12 } else { 0 };
        end = half.end;
    }
    NaiveTime::from_hms_opt(h, m, 0).map(|time| (time, end))
}

/// The zone of a clock. A minus without a space is none: `09:00-10:00` is a span of time.
fn zone_after(rest: &str) -> Option<(i32, usize)> {
    zone::at_start(rest).filter(|_| !rest.starts_with('-'))
}

fn figure(text: &str) -> Option<i32> {
    (text.len() <= 8 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

fn full_year(short: i32) -> i32 {
    if short <= LAST_SHORT_YEAR { 2000 + short } else { 1900 + short }
}

fn day_of(year: i32, month: i32, day: i32) -> Option<NaiveDate> {
    let date = NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?)?;
    is_plausible(date).then_some(date)
}

fn is_plausible(date: NaiveDate) -> bool {
    use chrono::Datelike;
    (1500..=2200).contains(&date.year())
}

fn month_of(word: &str) -> Option<i32> {
    let folded = fold(word);
    MONTHS.iter().position(|names| names.contains(&folded.as_str())).map(|at| at as i32 + 1)
}

/// Lower case without diacritics, as far as month names need it.
fn fold(word: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    word.nfd().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect()
}

fn is_ordinal(word: &str) -> bool {
    is_one_of(word, &["st", "nd", "rd", "th", "d", "er", "º"])
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|item| word.eq_ignore_ascii_case(item))
}
