//! Calendar dates in words and digits, at the start of a text.

use super::{clock, clock::TimeOfDay};
use crate::text::is_listed;
use chrono::{NaiveDate, NaiveTime, TimeDelta};
use domain::{Precision, PublicationDate, PublishedBasis, Timestamp};

/// Date, optionally with a time of day and its offset in seconds east of UTC.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FoundDate {
    date: NaiveDate,
    time: Option<(NaiveTime, i32)>,
    precision: Precision,
}

impl FoundDate {
    /// The date with a time of day added; unchanged if the zone is unknown.
    fn at(self, clock: TimeOfDay) -> Self {
        let offset_s = clock.zone.and_then(|zone| zone.offset_s(self.date.and_time(clock.time)));
        match offset_s.filter(|_| self.precision == Precision::Day) {
            Some(offset_s) => Self { time: Some((clock.time, offset_s)), precision: Precision::Minute, ..self },
            None => self,
        }
    }

    pub fn published(self, basis: PublishedBasis) -> PublicationDate {
        let (clock, offset_s) = self.time.unwrap_or((NaiveTime::MIN, 0));
        let moment = self.date.and_time(clock).and_utc() - TimeDelta::seconds(offset_s.into());
        PublicationDate { value: Timestamp::from_micros(moment.timestamp_micros()), precision: self.precision, basis }
    }
}

/// Month names without diacritics, in Western, Northern and Eastern European languages, Turkish, Finnish and Indonesian. Left out is
/// "listopada", which is November in Polish and October in Croatian, and what is an English word too.
const MONTHS: [&str; 12] = [
    "january, jan, enero, ene, janvier, janv, januar, janner, janeiro, gennaio, gen, januari, stycznia, января, янв, січня, ledna, \
     ocak, tammikuu, tammikuuta, ianuarie",
    "february, feb, febrero, fevrier, fevr, februar, fevereiro, fev, febbraio, februari, lutego, февраля, фев, февр, лютого, unora, \
     subat, helmikuu, helmikuuta, februarie, pebruari",
    "march, mar, marzo, mars, marz, marco, maart, mrt, marca, марта, мар, март, березня, brezna, mart, maaliskuu, maaliskuuta, martie, \
     maret, marts",
    "april, apr, abril, abr, avril, avr, aprile, kwietnia, апреля, апр, квітня, dubna, nisan, huhtikuu, huhtikuuta, aprilie",
    "may, mayo, mai, maio, maggio, mei, maj, maja, мая, маи, травня, kvetna, mayis, mayıs, toukokuu, toukokuuta",
    "june, jun, junio, juin, juni, junho, giugno, giu, czerwca, июня, июн, червня, cervna, haziran, kesakuu, kesakuuta, iunie",
    "july, jul, julio, juillet, juil, juli, julho, luglio, lug, lipca, июля, июл, липня, cervence, temmuz, heinakuu, heinakuuta, iulie",
    "august, aug, agosto, ago, aout, augustus, augusti, sierpnia, августа, авг, серпня, srpna, agustos, elokuu, elokuuta, agustus",
    "september, sep, sept, septiembre, septembre, setembro, settembre, wrzesnia, сентября, сент, сен, вересня, zari, eylul, syyskuu, \
     syyskuuta, septembrie",
    "october, oct, octubre, octobre, oktober, okt, outubro, ottobre, ott, pazdziernika, октября, окт, жовтня, rijna, ekim, lokakuu, \
     lokakuuta, octombrie",
    "november, nov, noviembre, novembre, novembro, ноября, ноя, нояб, листопада, listopadu, kasim, kasım, marraskuu, marraskuuta, \
     noiembrie",
    "december, dec, diciembre, dic, decembre, dezember, dez, dezembro, dicembre, desember, grudnia, декабря, дек, грудня, prosince, \
     aralik, aralık, joulukuu, joulukuuta, decembrie, desembre",
];
const WEEKDAYS: &str = "monday, tuesday, wednesday, thursday, friday, saturday, sunday, mon, tue, wed, thu, fri, sat, sun";
const FILLERS: [&str; 6] = ["of", "de", "del", "the", "den", "le"];
/// Last two-digit year of this century.
const LAST_SHORT_YEAR: i32 = 49;

/// Run of letters or digits.
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub end: usize,
    /// Preceding character.
    pub before: char,
}

/// Parses a date at the start of the text and returns where it ends. A weekday or time may precede it: "3:58 PM ET, Wed
/// December 14, 2016".
pub(crate) fn find_date_at_start(text: &str) -> Option<(FoundDate, usize)> {
    date_first(text).or_else(|| clock_first(text))
}

/// Text behind a first word that is no part of a date, such as a weekday in any language; `None` if it does not begin with one. "Mar",
/// before a day and another month, is a Tuesday.
pub(super) fn without_weekday(text: &str) -> Option<&str> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let word = text[..start].trim_end_matches([' ', ',', '.']);
    let is_one = !word.contains(char::is_whitespace) && word.chars().all(|c| c.is_alphabetic() || c == '-');
    let names_month = words(&text[start..]).iter().any(|word| month_of(word.text).is_some());
    (is_one && !word.is_empty() && (month_of(word).is_none() || names_month)).then(|| &text[start..])
}

fn clock_first(text: &str) -> Option<(FoundDate, usize)> {
    let clock = clock::read(text, &words(text))?;
    let mut start = clock.end;
    if clock.zone.is_none() {
        start += unknown_zone(&text[start..]);
    }
    start += text[start..].find(|c: char| c.is_alphanumeric())?;
    let (found, end) = date_first(&text[start..])?;
    let found = if found.time.is_none() { found.at(clock) } else { found };
    Some((found, start + end))
}

/// Length of an unknown zone name in capitals, such as "CET".
fn unknown_zone(rest: &str) -> usize {
    let start = rest.find(|c: char| c != ' ').unwrap_or(rest.len());
    let end = rest[start..].find(|c: char| !c.is_ascii_uppercase()).map_or(rest.len(), |length| start + length);
    let goes_on = rest[end..].starts_with(char::is_alphanumeric);
    if (2..=5).contains(&(end - start)) && !goes_on && month_of(&rest[start..end]).is_none() { end } else { 0 }
}

fn date_first(text: &str) -> Option<(FoundDate, usize)> {
    let words = words(text);
    let skip = words.iter().take(3).take_while(|word| is_listed(WEEKDAYS, word.text) || is_one_of(word.text, &FILLERS));
    let words = &words[skip.count()..];
    let (date, precision, used) = in_figures(words).or_else(|| in_characters(words)).or_else(|| in_words(words))?;
    let end = words.get(used - 1)?.end;
    let found = FoundDate { date, time: None, precision };
    let clock = (precision == Precision::Day).then(|| clock::read(text, &words[used..])).flatten();
    Some(clock.map_or((found, end), |clock| (found.at(clock), clock.end)))
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

/// Numeric dates: 2031-03-14, 2031/03/14, 2031-03, 2031, 20310314, 14.3.2031, 14/3/2031.
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

/// Dates in Chinese, Japanese and Korean: 2031年3月14日, 2031년 3월 14일.
fn in_characters(words: &[Word<'_>]) -> Option<(NaiveDate, Precision, usize)> {
    const UNITS: [[char; 2]; 3] = [['年', '년'], ['月', '월'], ['日', '일']];
    let numbers: Vec<&Word<'_>> = words.iter().step_by(2).collect();
    let units: Vec<&Word<'_>> = words.iter().skip(1).step_by(2).collect();
    let is_right = units.len() >= 3 && units.iter().zip(UNITS).all(|(word, unit)| word.text.starts_with(unit));
    let number = |at: usize| numbers.get(at).and_then(|word| figure(word.text)).filter(|_| is_right);
    day_of(number(0)?, number(1)?, number(2)?).map(|date| (date, Precision::Day, 6))
}

/// Dates with month names: 3 January 1990, 3 JAN 90, January 3rd 1990, January 1990, 14 de marzo de 2031.
fn in_words(words: &[Word<'_>]) -> Option<(NaiveDate, Precision, usize)> {
    let mut day = None;
    let mut month_found = None;
    let is_clock = |at: usize| words.get(at + 1).is_some_and(|next| next.before == ':' && figure(next.text).is_some());
    let mut after_clock = false;
    for (at, word) in words.iter().enumerate().take(12) {
        let value = figure(word.text);
        // "Mon Jun 25 11:41:36 CEST 2018": the hour is no year.
        if month_found.is_some() && day.is_some() && (is_clock(at) || after_clock && word.before == ':') {
            after_clock = true;
            continue;
        }
        match (value, month_found) {
            (Some(value), Some(month)) if word.text.len() == 4 || (word.text.len() == 2 && day.is_some() && !after_clock) => {
                let year = if word.text.len() == 4 { value } else { full_year(value) };
                let precision = if day.is_some() { Precision::Day } else { Precision::Month };
                return day_of(year, month, day.unwrap_or(1)).map(|date| (date, precision, at + 1));
            }
            (Some(value), _) if day.is_none() && word.text.len() <= 2 => day = Some(value),
            (None, None) if month_of(word.text).is_some() => month_found = month_of(word.text),
            (None, _) if is_one_of(word.text, &FILLERS) || is_ordinal(word.text) => {}
            (None, _) if after_clock && word.text.bytes().all(|byte| byte.is_ascii_uppercase()) => {}
            _ => return None,
        }
    }
    None
}

pub(super) fn figure(text: &str) -> Option<i32> {
    (text.len() <= 8 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

fn full_year(short: i32) -> i32 {
    if short <= LAST_SHORT_YEAR { 2000 + short } else { 1900 + short }
}

fn day_of(year: i32, month: i32, day: i32) -> Option<NaiveDate> {
    let date = NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?)?;
    is_plausible(date).then_some(date)
}

/// Whether the year can be one of publication: `0001-01-01` is how programs write that there is no date.
pub(super) fn is_plausible(date: NaiveDate) -> bool {
    use chrono::Datelike;
    (1500..=2200).contains(&date.year())
}

fn month_of(word: &str) -> Option<i32> {
    let folded = fold(word);
    MONTHS.iter().position(|names| is_listed(names, &folded)).map(|at| at as i32 + 1)
}

/// Lower case without diacritics, sufficient for month names.
fn fold(word: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    word.nfd().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
}

fn is_ordinal(word: &str) -> bool {
    is_one_of(word, &["st", "nd", "rd", "th", "d", "er", "º"])
}

pub(super) fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|item| word.eq_ignore_ascii_case(item))
}
