//! Dates as documents write them, with the precision that they state.
//!
//! Invariant: nothing is guessed. A date without a year is none, and 3/4/2031 says no more than 2031.

mod calendar;

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime};
use domain::{Precision, Published, PublishedBasis, Timestamp};

pub(crate) use calendar::find_date_at_start;

/// Reads a whole field such as a header line or a metadata value.
pub(crate) fn published(text: &str, basis: PublishedBasis) -> Option<Published> {
    let text = text.trim().trim_matches(['"', '\'', '(', ')', '*', '_']);
    moment(text)
        .map(|(value, precision)| Published { value, precision, basis })
        .or_else(|| find_date_at_start(text).map(|(found, _)| found.published(basis)))
}

/// RFC 3339 and its relatives, and the date of mail headers.
fn moment(text: &str) -> Option<(Timestamp, Precision)> {
    if !text.is_ascii() {
        return None;
    }
    if let Ok(moment) = DateTime::parse_from_rfc2822(text) {
        return Some((utc(moment), Precision::Minute));
    }
    let is_iso = text.len() >= 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
    if !is_iso || text.len() == 10 {
        return None;
    }
    let (day, rest) = text.split_at(10);
    let rest = rest.trim_start_matches(['T', 't', ' ']);
    let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?;
    let (clock, zone) = split_zone(rest);
    let time = ["%H:%M:%S%.f", "%H:%M"].iter().find_map(|form| NaiveTime::parse_from_str(clock, form).ok());
    match time {
        Some(time) => Some((shift(day.and_time(time), zone)?, Precision::Minute)),
        None => Some((shift(day.and_time(NaiveTime::MIN), Some(0))?, Precision::Day)),
    }
}

/// The clock of a moment and its distance from UTC in seconds, where one is stated.
fn split_zone(rest: &str) -> (&str, Option<i32>) {
    let rest = rest.trim();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.').unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(end);
    let zone = zone.trim();
    let sign = match zone.as_bytes().first() {
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ => return (clock, None),
    };
    let digits: String = zone.chars().filter(char::is_ascii_digit).take(4).collect();
    let hours = digits.get(..2).and_then(|h| h.parse::<i32>().ok());
    let minutes = digits.get(2..).and_then(|m| m.parse::<i32>().ok()).unwrap_or(0);
    (clock, hours.map(|hours| sign * (hours * 3600 + minutes * 60)))
}

fn shift(local: NaiveDateTime, zone: Option<i32>) -> Option<Timestamp> {
    let offset = FixedOffset::east_opt(zone.unwrap_or(0))?;
    local.and_local_timezone(offset).single().map(utc)
}

fn utc(moment: DateTime<FixedOffset>) -> Timestamp {
    Timestamp::from_micros(moment.timestamp_micros())
}

/// `D:20310314093000+02'00'`, and any shorter beginning of it, as PDF writes dates.
pub(crate) fn published_in_pdf(text: &str) -> Option<Published> {
    let text = text.trim().trim_start_matches("D:");
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    let number = |from: usize, to: usize| digits.get(from..to).and_then(|part| part.parse::<u32>().ok());
    let year = number(0, 4).filter(|year| (1900..=2200).contains(year))? as i32;
    let (month, day) = (number(4, 6), number(6, 8));
    let date = NaiveDate::from_ymd_opt(year, month.unwrap_or(1), day.unwrap_or(1))?;
    let clock = number(8, 10).zip(number(10, 12)).and_then(|(hour, minute)| NaiveTime::from_hms_opt(hour, minute, 0));
    let precision = match (month, day, clock) {
        (None, ..) => Precision::Year,
        (_, None, _) => Precision::Month,
        (.., None) => Precision::Day,
        _ => Precision::Minute,
    };
    let (_, zone) = split_zone(text.get(digits.len()..).unwrap_or_default());
    let value = shift(date.and_time(clock.unwrap_or(NaiveTime::MIN)), zone)?;
    Some(Published { value, precision, basis: PublishedBasis::Metadata })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match published(text, PublishedBasis::Stated) {
            Some(found) => format!("{} {:?}", found.value, found.precision),
            None => "none".to_owned(),
        }
    }

    #[test]
    fn dates_keep_the_precision_that_they_state() {
        let table = [
            ("2031-03-14", "2031-03-14T00:00:00Z Day"),
            ("2031-03", "2031-03-01T00:00:00Z Month"),
            ("2031", "2031-01-01T00:00:00Z Year"),
            ("2031-03-14T09:30:00+02:00", "2031-03-14T07:30:00Z Minute"),
            ("2031-03-14T09:30Z", "2031-03-14T09:30:00Z Minute"),
            ("2031-03-14 09:30:15.250 -0530", "2031-03-14T15:00:15.250Z Minute"),
            ("Fri, 14 Mar 2031 09:30:00 +0100", "2031-03-14T08:30:00Z Minute"),
            ("3 January 1990", "1990-01-03T00:00:00Z Day"),
            ("3 JAN 90", "1990-01-03T00:00:00Z Day"),
            ("3 JAN 31", "2031-01-03T00:00:00Z Day"),
            ("JUNE 11 89", "1989-06-11T00:00:00Z Day"),
            ("Friday, March 14th, 2031", "2031-03-14T00:00:00Z Day"),
            ("Jan. 3, 1990", "1990-01-03T00:00:00Z Day"),
            ("March 2031", "2031-03-01T00:00:00Z Month"),
            ("14 de marzo de 2031", "2031-03-14T00:00:00Z Day"),
            ("14. März 2031", "2031-03-14T00:00:00Z Day"),
            ("1er mars 2031", "2031-03-01T00:00:00Z Day"),
            ("14/03/2031", "2031-03-14T00:00:00Z Day"),
            ("03/14/2031", "2031-03-14T00:00:00Z Day"),
            ("14.3.2031", "2031-03-14T00:00:00Z Day"),
            ("3/4/2031", "2031-01-01T00:00:00Z Year"),
            ("2031/03/14", "2031-03-14T00:00:00Z Day"),
            ("14 March 2031, 18:05 GMT", "2031-03-14T18:05:00Z Minute"),
            ("20310314", "2031-03-14T00:00:00Z Day"),
            ("7 FEB", "none"),
            ("31 February 2031", "none"),
            ("soon", "none"),
            ("", "none"),
            ("12345", "none"),
        ];
        for (text, expected) in table {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn a_pdf_date_may_end_anywhere() {
        let table = [
            ("D:20310314093000+02'00'", "2031-03-14T07:30:00Z Minute"),
            ("D:20310314", "2031-03-14T00:00:00Z Day"),
            ("D:2031", "2031-01-01T00:00:00Z Year"),
        ];
        for (text, expected) in table {
            let found = published_in_pdf(text).map(|found| format!("{} {:?}", found.value, found.precision));
            assert_eq!(found.as_deref(), Some(expected));
        }
        assert_eq!(published_in_pdf("D:"), None);
    }
}
