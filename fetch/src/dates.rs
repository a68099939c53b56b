//! Dates in documents, with the precision that they state.
//!
//! Invariant: no guessing. Without a year there is no date. `3/4/2031` yields only the year, and a time in an unknown zone only
//! the day.

mod calendar;
mod clock;
mod zone;

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime};
use domain::{Precision, PublicationDate, PublishedBasis, Timestamp};
use zone::Zone;

pub(crate) use calendar::find_date_at_start;

/// Parses a whole field, such as a header line or a metadata value.
pub(crate) fn parse_published(text: &str, basis: PublishedBasis) -> Option<PublicationDate> {
    let text = text.trim().trim_matches(['"', '\'', '(', ')', '*', '_']);
    moment(text)
        .map(|(value, precision)| PublicationDate { value, precision, basis })
        .or_else(|| find_date_at_start(text).map(|(found, _)| found.published(basis)))
}

/// Parses a date of a feed. Its weekday may be in any language; a placeholder for a missing date is ignored.
pub(crate) fn parse_feed_date(text: &str) -> Option<PublicationDate> {
    let text = text.trim();
    let read = |text: &str| parse_published(text, PublishedBasis::Metadata);
    let found = read(text).or_else(|| read(calendar::without_weekday(text)?))?;
    // The year alone of "3/4/2031" would be shown as its first day.
    let is_whole = found.precision > Precision::Year || text.len() == 4;
    (is_whole && found.value.as_micros() != 0).then_some(found)
}

/// RFC 3339, similar forms, and RFC 2822 mail dates.
fn moment(text: &str) -> Option<(Timestamp, Precision)> {
    if !text.is_ascii() {
        return None;
    }
    if let Some(moment) = DateTime::parse_from_rfc2822(text).ok().filter(|moment| calendar::is_plausible(moment.date_naive())) {
        return Some((utc(moment), Precision::Minute));
    }
    let is_iso = text.len() >= 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
    if !is_iso || text.len() == 10 {
        return None;
    }
    let (day, rest) = text.split_at(10);
    let rest = rest.trim_start_matches(['T', 't', ' ', '@']);
    let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok().filter(|day| calendar::is_plausible(*day))?;
    let (clock, zone) = split_zone(rest);
    let time = ["%H:%M:%S%.f", "%H:%M"].iter().find_map(|form| NaiveTime::parse_from_str(clock, form).ok());
    let moment = time.map(|time| day.and_time(time)).and_then(|local| Some((local, zone?.offset_s(local)?)));
    match moment {
        Some((local, offset_s)) => Some((shift(local, offset_s)?, Precision::Minute)),
        None => Some((shift(day.and_time(NaiveTime::MIN), 0)?, Precision::Day)),
    }
}

/// Time of day and its zone, if a known one is stated.
fn split_zone(rest: &str) -> (&str, Option<Zone>) {
    let rest = rest.trim();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.').unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(end);
    (clock, zone::at_start(zone).map(|(zone, _)| zone))
}

fn shift(local: NaiveDateTime, offset_s: i32) -> Option<Timestamp> {
    let offset = FixedOffset::east_opt(offset_s)?;
    local.and_local_timezone(offset).single().map(utc)
}

fn utc(moment: DateTime<FixedOffset>) -> Timestamp {
    Timestamp::from_micros(moment.timestamp_micros())
}

/// PDF date such as `D:20310314093000+02'00'`, or any prefix of it.
pub(crate) fn parse_pdf_date(text: &str) -> Option<PublicationDate> {
    let text = text.trim().trim_start_matches("D:");
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    let number = |from: usize, to: usize| digits.get(from..to).and_then(|part| part.parse::<u32>().ok());
    let year = number(0, 4).filter(|year| (1900..=2200).contains(year))? as i32;
    let (month, day) = (number(4, 6), number(6, 8));
    let date = NaiveDate::from_ymd_opt(year, month.unwrap_or(1), day.unwrap_or(1))?;
    let clock = number(8, 10).zip(number(10, 12)).and_then(|(hour, minute)| NaiveTime::from_hms_opt(hour, minute, 0));
    let (_, zone) = split_zone(text.get(digits.len()..).unwrap_or_default());
    let moment = clock.and_then(|clock| Some((clock, zone?.offset_s(date.and_time(clock))?)));
    let precision = match (month, day, moment) {
        (None, ..) => Precision::Year,
        (_, None, _) => Precision::Month,
        (.., None) => Precision::Day,
        _ => Precision::Minute,
    };
    let (clock, offset_s) = moment.unwrap_or((NaiveTime::MIN, 0));
    let value = shift(date.and_time(clock), offset_s)?;
    Some(PublicationDate { value, precision, basis: PublishedBasis::Metadata })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match parse_published(text, PublishedBasis::Stated) {
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
            ("2031-03-14 23:30 EST", "2031-03-15T04:30:00Z Minute"),
            ("2031-03-14 23:30 PDT", "2031-03-15T06:30:00Z Minute"),
            ("2031-03-14 09:30 UTC", "2031-03-14T09:30:00Z Minute"),
            ("2031-03-14 09:30 GMT+2", "2031-03-14T07:30:00Z Minute"),
            ("2031-03-14T23:30:00", "2031-03-14T00:00:00Z Day"),
            ("2031-03-14 23:30 IST", "2031-03-14T00:00:00Z Day"),
            ("2031-03-14 23:30 Europe/Berlin", "2031-03-14T00:00:00Z Day"),
            ("Fri, 14 Mar 2031 09:30:00 +0100", "2031-03-14T08:30:00Z Minute"),
            ("Fri, 14 Mar 2031 09:30:00 EST", "2031-03-14T14:30:00Z Minute"),
            ("Fri, 14 Mar 2031 09:30:00 CET", "2031-03-14T00:00:00Z Day"),
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
            ("March 14, 2031 at 11:05 pm EDT", "2031-03-15T03:05:00Z Minute"),
            ("14 March 2031 18:05:30 +01:00", "2031-03-14T17:05:00Z Minute"),
            ("14 March 2031, 18:05", "2031-03-14T00:00:00Z Day"),
            ("14 mars 2031 18:05 est ouvert", "2031-03-14T00:00:00Z Day"),
            ("14 March 2031 09:00-10:00", "2031-03-14T00:00:00Z Day"),
            ("20310314", "2031-03-14T00:00:00Z Day"),
            ("2031-03-14@05:36:50 CST", "2031-03-14T11:36:50Z Minute"),
            // The zone precedes AM or PM.
            ("December 17, 2016 4:45:51 EST PM", "2016-12-17T21:45:00Z Minute"),
            ("December 17, 2016 4:45:51 EST AM", "2016-12-17T09:45:00Z Minute"),
            ("December 17, 2016 4:45:51 EST, a Saturday", "2016-12-17T09:45:00Z Minute"),
            ("December 17, 2016 12:05 EST AM", "2016-12-17T05:05:00Z Minute"),
            ("December 17, 2016 12:05 PM EST", "2016-12-17T17:05:00Z Minute"),
            ("December 17, 2016 4:45 p.m. EST", "2016-12-17T21:45:00Z Minute"),
            ("December 17, 2016, 16:45 EST", "2016-12-17T21:45:00Z Minute"),
            // The time precedes the day, in a zone with daylight saving.
            ("3:58 PM ET, Wed December 14, 2016", "2016-12-14T20:58:00Z Minute"),
            ("3:58 PM ET, Thu July 14, 2016", "2016-07-14T19:58:00Z Minute"),
            ("3:58 p.m. PT, Dec. 14, 2016", "2016-12-14T23:58:00Z Minute"),
            ("15:58 GMT, 14 December 2016", "2016-12-14T15:58:00Z Minute"),
            ("15:58 CET, 14 December 2016", "2016-12-14T00:00:00Z Day"),
            ("15:58, 14 December 2016", "2016-12-14T00:00:00Z Day"),
            ("3:58 PM ET", "none"),
            ("Wed, Nov 20 2019 • 4:29 AM ET", "2019-11-20T09:29:00Z Minute"),
            ("Nov. 19, 2019 8:21 am CT", "2019-11-19T14:21:00Z Minute"),
            // Daylight time ended on 6 November 2016 and began on 12 March 2017; until 2006 it began in April.
            ("November 5, 2016 11:59 PM ET", "2016-11-06T03:59:00Z Minute"),
            ("November 6, 2016 3:00 AM ET", "2016-11-06T08:00:00Z Minute"),
            ("March 12, 2017 1:59 AM ET", "2017-03-12T06:59:00Z Minute"),
            ("March 12, 2017 3:00 AM ET", "2017-03-12T07:00:00Z Minute"),
            ("March 20, 2006 9:00 AM ET", "2006-03-20T14:00:00Z Minute"),
            ("October 30, 2000 9:00 AM ET", "2000-10-30T14:00:00Z Minute"),
            ("July 14, 1975 9:00 AM ET", "1975-07-14T00:00:00Z Day"),
            ("2016-12-14 15:58 ET", "2016-12-14T20:58:00Z Minute"),
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
    fn a_date_of_a_feed_is_right_or_absent() {
        let table = [
            ("Mo, 25 Jun 2018 11:41:36", "2018-06-25T00:00:00Z Day"),
            ("Mi, 09 Mai 2018 11:41:36 +0200", "2018-05-09T09:41:00Z Minute"),
            ("So., 4. März 2018", "2018-03-04T00:00:00Z Day"),
            ("Fr, 07 Okt 2022 08:00:00 +0200", "2022-10-07T06:00:00Z Minute"),
            ("mar., 5 juin 2018 10:00:00 GMT", "2018-06-05T10:00:00Z Minute"),
            ("Tue, 06 Mar 2018 10:00:00 GMT", "2018-03-06T10:00:00Z Minute"),
            ("lun, 25 dic 2017", "2017-12-25T00:00:00Z Day"),
            ("segunda-feira, 25 de junho de 2018", "2018-06-25T00:00:00Z Day"),
            ("пн, 25 июня 2018 11:41", "2018-06-25T00:00:00Z Day"),
            ("wt., 25 września 2018", "2018-09-25T00:00:00Z Day"),
            ("Pzt, 25 Haziran 2018", "2018-06-25T00:00:00Z Day"),
            ("2018年6月25日 11:41", "2018-06-25T00:00:00Z Day"),
            ("2018년 6월 25일", "2018-06-25T00:00:00Z Day"),
            ("2016/6/29 15:07:41", "2016-06-29T00:00:00Z Day"),
            ("29/06/2016 15:07", "2016-06-29T00:00:00Z Day"),
            ("6/7/2016 15:07", "none"),
            ("Tue, 18 Sept 2018 15:53:56 +0300", "2018-09-18T12:53:00Z Minute"),
            ("WED,23 MAY 2012 02:23:01", "2012-05-23T00:00:00Z Day"),
            ("WED,23MAY2012", "2012-05-23T00:00:00Z Day"),
            ("Thu, 03 Sep 15 00:01:01 GMT", "2015-09-03T00:01:01Z Minute"),
            ("03-Sep-98", "1998-09-03T00:00:00Z Day"),
            ("Mon Jun 25 11:41:36 CEST 2018", "2018-06-25T00:00:00Z Day"),
            ("Mon Jun 25 11:41:36 2018", "2018-06-25T00:00:00Z Day"),
            ("25 Jun 11:41", "none"),
            ("5 listopada 2018", "none"),
            ("Thu, 01 Jan 1970 00:00:00 +0000", "none"),
            ("Mon, 25 Jun 0018 11:41:36 GMT", "none"),
            ("next Tuesday", "none"),
            ("30 Feb 2018", "none"),
            ("2018", "2018-01-01T00:00:00Z Year"),
        ];
        for (text, expected) in table {
            let found = parse_feed_date(text).map(|found| format!("{} {:?}", found.value, found.precision));
            assert_eq!(found.as_deref().unwrap_or("none"), expected, "{text}");
        }
    }

    #[test]
    fn a_pdf_date_may_end_anywhere() {
        let table = [
            ("D:20310314093000+02'00'", "2031-03-14T07:30:00Z Minute"),
            ("D:20310314093000-05'30", "2031-03-14T15:00:00Z Minute"),
            ("D:20310314093000Z", "2031-03-14T09:30:00Z Minute"),
            ("D:20310314093000", "2031-03-14T00:00:00Z Day"),
            ("D:20310314", "2031-03-14T00:00:00Z Day"),
            ("D:2031", "2031-01-01T00:00:00Z Year"),
        ];
        for (text, expected) in table {
            let found = parse_pdf_date(text).map(|found| format!("{} {:?}", found.value, found.precision));
            assert_eq!(found.as_deref(), Some(expected));
        }
        assert_eq!(parse_pdf_date("D:"), None);
    }
}
