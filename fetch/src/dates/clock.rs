//! Times of day as newspapers print them: "18:05 GMT", "at 6:05 pm", "3:58 p.m. ET", "4:45:51 EST PM".

use super::{
    calendar::{Word, figure, is_one_of},
    zone::{self, Zone},
};
use chrono::NaiveTime;

/// Time of day with the zone next to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TimeOfDay {
    pub time: NaiveTime,
    /// `None` if no zone, or an unknown one, is stated.
    pub zone: Option<Zone>,
    /// End offset in the text.
    pub end: usize,
}

/// Half of the day on a twelve-hour clock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DayHalf {
    Morning,
    Afternoon,
}

/// Parses a time of day at the start of `words`.
pub(super) fn read(text: &str, words: &[Word<'_>]) -> Option<TimeOfDay> {
    let skip = words.iter().take(1).filter(|word| is_one_of(word.text, &["at", "t"])).count();
    let (hour, minute) = (words.get(skip)?, words.get(skip + 1)?);
    let is_part = |word: &&Word<'_>| word.before == ':' && word.text.len() == 2 && figure(word.text).is_some();
    is_part(&minute).then_some(())?;
    let seconds = words.get(skip + 2).filter(is_part);
    let mut end = seconds.unwrap_or(minute).end;
    let next = skip + 2 + usize::from(seconds.is_some());
    let mut half = half_of_day(text, &words[next..]);
    end = half.map_or(end, |(_, end)| end);
    let mut zone = None;
    if let Some((found, length)) = zone_after(&text[end..]) {
        (zone, end) = (Some(found), end + length);
        // Some pages print the zone before AM or PM.
        if half.is_none() {
            let behind = words.iter().position(|word| word.end > end).unwrap_or(words.len());
            half = half_of_day(text, &words[behind..]);
            end = half.map_or(end, |(_, end)| end);
        }
    }
    let hour = u32::try_from(figure(hour.text)?).ok()?;
    let hour = match half {
        Some((_, _)) if !(1..=12).contains(&hour) => hour,
        Some((DayHalf::Morning, _)) => hour % 12,
        Some((DayHalf::Afternoon, _)) => hour % 12 + 12,
        None => hour,
    };
    let minute = u32::try_from(figure(minute.text)?).ok()?;
    NaiveTime::from_hms_opt(hour, minute, 0).map(|time| TimeOfDay { time, zone, end })
}

/// "am", "PM" or "p.m.", with its end offset.
fn half_of_day(text: &str, words: &[Word<'_>]) -> Option<(DayHalf, usize)> {
    let first = words.first()?;
    let named = |word: &str, morning: &str, afternoon: &str| match word {
        word if word.eq_ignore_ascii_case(morning) => Some(DayHalf::Morning),
        word if word.eq_ignore_ascii_case(afternoon) => Some(DayHalf::Afternoon),
        _ => None,
    };
    if let Some(half) = named(first.text, "am", "pm") {
        return Some((half, first.end));
    }
    let half = named(first.text, "a", "p")?;
    let second = words.get(1).filter(|word| word.before == '.' && word.text.eq_ignore_ascii_case("m"))?;
    Some((half, second.end + usize::from(text[second.end..].starts_with('.'))))
}

/// Zone after a time. A minus without a space is a range, as in `09:00-10:00`.
fn zone_after(rest: &str) -> Option<(Zone, usize)> {
    zone::at_start(rest).filter(|_| !rest.starts_with('-'))
}
