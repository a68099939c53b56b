//! A time of day as newspapers print it: "18:05 GMT", "at 6:05 pm", "3:58 p.m. ET", "4:45:51 EST PM".

use super::{
    calendar::{Word, figure, is_one_of},
    zone::{self, Zone},
};
use chrono::NaiveTime;

/// A time of day with the zone that stands beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Clock {
    pub time: NaiveTime,
    /// None where no zone is stated, or one that is not known.
    pub zone: Option<Zone>,
    /// Where it ends in the text.
    pub end: usize,
}

/// The half of the day that a twelve-hour clock names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Morning,
    Afternoon,
}

/// Reads the time of day that `words` of `text` begin with.
pub(super) fn read(text: &str, words: &[Word<'_>]) -> Option<Clock> {
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
        // Some pages print the zone before the half of the day.
        if half.is_none() {
            let behind = words.iter().position(|word| word.end > end).unwrap_or(words.len());
            half = half_of_day(text, &words[behind..]);
            end = half.map_or(end, |(_, end)| end);
        }
    }
    let hour = u32::try_from(figure(hour.text)?).ok()?;
    let hour = match half {
        Some((_, _)) if !(1..=12).contains(&hour) => hour,
        Some((Half::Morning, _)) => hour % 12,
        Some((Half::Afternoon, _)) => hour % 12 + 12,
        None => hour,
    };
    let minute = u32::try_from(figure(minute.text)?).ok()?;
    NaiveTime::from_hms_opt(hour, minute, 0).map(|time| Clock { time, zone, end })
}

/// "am", "PM" or "p.m.", and where it ends.
fn half_of_day(text: &str, words: &[Word<'_>]) -> Option<(Half, usize)> {
    let first = words.first()?;
    let named = |word: &str, morning: &str, afternoon: &str| match word {
        word if word.eq_ignore_ascii_case(morning) => Some(Half::Morning),
        word if word.eq_ignore_ascii_case(afternoon) => Some(Half::Afternoon),
        _ => None,
    };
    if let Some(half) = named(first.text, "am", "pm") {
        return Some((half, first.end));
    }
    let half = named(first.text, "a", "p")?;
    let second = words.get(1).filter(|word| word.before == '.' && word.text.eq_ignore_ascii_case("m"))?;
    Some((half, second.end + usize::from(text[second.end..].starts_with('.'))))
}

/// The zone of a clock. A minus without a space is none: `09:00-10:00` is a span of time.
fn zone_after(rest: &str) -> Option<(Zone, usize)> {
    zone::at_start(rest).filter(|_| !rest.starts_with('-'))
}
