//! Heat on one day, as numbers, words and classes of the style sheet.

use crate::board::HeatSeries;
use chrono::NaiveDate;
use std::cmp::Ordering;

/// Independent origins below which a number is marked as uncertain.
const FEW_ORIGINS: u8 = 3;

/// Returns the direction of a change in hundredths; `Equal` below the least one that counts.
pub fn direction(change: i16, least: u8) -> Ordering {
    if change.unsigned_abs() < u16::from(least.max(1)) { Ordering::Equal } else { change.cmp(&0) }
}

/// Heat in percent on one day, and its change since the start of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    pub heat: u8,
    /// Independent origins of the hottest tension.
    pub origins: u8,
    /// None where the window starts before the series.
    change: Option<i16>,
    direction: Ordering,
}

impl Reading {
    /// Reads a series on a day. Changes of dated evidence below `least` hundredths count as steady.
    pub fn new(series: &HeatSeries, day: usize, window: u16, least: u8) -> Option<Self> {
        let heat = *series.heat.get(day)?;
        let origins = series.origins.get(day).copied().unwrap_or_default();
        let compared = series.compared_heat();
        let before = day.checked_sub(usize::from(window)).and_then(|before| compared.get(before));
        let change = before.zip(compared.get(day)).map(|(before, now)| i16::from(*now) - i16::from(*before));
        Some(Self { heat, origins, change, direction: direction(change.unwrap_or_default(), least) })
    }

    /// Returns the sign of the trend; nothing for steady heat, and where it is not known.
    pub const fn arrow(self) -> &'static str {
        match self.direction {
            Ordering::Equal => "",
            Ordering::Greater => "▲",
            Ordering::Less => "▼",
        }
    }

    /// Returns the trend in words.
    pub fn trend(self, window: u16) -> String {
        let Some(change) = self.change else { return format!("no trend over {window} days known") };
        let direction = match self.direction {
            Ordering::Equal => return format!("steady over {window} days"),
            Ordering::Greater => "up",
            Ordering::Less => "down",
        };
        format!("{direction} {} in {window} days", hundredths(change.unsigned_abs()))
    }

    /// Returns whether few origins support the number.
    const fn is_uncertain(self) -> bool {
        self.heat > 0 && self.origins < FEW_ORIGINS
    }
}

/// Classes of a cell: the step of the colour ramp, and the hatch of few origins.
pub fn classes(reading: Option<Reading>) -> String {
    let Some(reading) = reading else { return "heat-none".to_owned() };
    let few = if reading.is_uncertain() { " heat-few" } else { "" };
    format!("heat heat-{}{few}", step(reading.heat))
}

/// Step of the colour ramp, 0 to 9.
pub fn step(heat: u8) -> u8 {
    (heat / 10).min(9)
}

/// Words that a screen reader adds to the number of a cell.
pub fn note(reading: Option<Reading>, window: u16) -> String {
    let Some(reading) = reading else { return String::new() };
    let few = if reading.is_uncertain() { ", few origins" } else { "" };
    format!(", {}{few}", reading.trend(window))
}

/// Number of a reading, as in ".71".
pub fn figure(reading: Option<Reading>) -> String {
    reading.map_or_else(|| "–".to_owned(), |reading| hundredths(reading.heat))
}

/// A share in percent: heat in hundredths, as it is printed.
pub fn percent(share: f64) -> u8 {
    (share.clamp(0.0, 1.0) * 100.0).round() as u8
}

/// Hundredths as a number below or equal to one.
pub fn hundredths(value: impl Into<u16>) -> String {
    let value = value.into();
    if value < 100 { format!(".{value:02}") } else { "1.00".to_owned() }
}

/// Day in words, as in "28 Nov 2026".
pub fn day_in_words(day: &str) -> String {
    day.parse::<NaiveDate>().map_or_else(|_| day.to_owned(), |day| day.format("%-d %b %Y").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(heat: [u8; 3], window: u16) -> Reading {
        let series = HeatSeries {
            place: "466".to_owned(),
            theme: None,
            tensions: 1,
            unanswered: 0,
            heat: heat.to_vec(),
            origins: vec![9, 9, 2],
            dated_heat: vec![],
        };
        assert_eq!(Reading::new(&series, 3, window, 5), None);
        Reading::new(&series, 2, window, 5).unwrap()
    }

    #[test]
    fn a_trend_is_the_change_over_the_window() {
        let rising = reading([50, 60, 71], 2);
        assert_eq!((rising.arrow(), rising.trend(2)), ("▲", "up .21 in 2 days".to_owned()));
        assert_eq!(reading([90, 60, 71], 2).trend(2), "down .19 in 2 days");
        assert_eq!((reading([75, 0, 71], 2).arrow(), reading([75, 0, 71], 2).trend(2)), ("", "steady over 2 days".to_owned()));
        assert_eq!((reading([66, 0, 71], 2).arrow(), reading([0, 0, 71], 2).arrow()), ("▲", "▲"), "from the least change on");
        assert_eq!(direction(0, 0), Ordering::Equal);
    }

    #[test]
    fn a_trend_compares_dated_evidence_only() {
        let series = HeatSeries {
            place: "466".to_owned(),
            theme: None,
            tensions: 1,
            unanswered: 0,
            heat: vec![50, 60, 71],
            origins: vec![9; 3],
            dated_heat: vec![50; 3],
        };
        let reading = Reading::new(&series, 2, 2, 5).unwrap();
        assert_eq!((reading.heat, reading.trend(2)), (71, "steady over 2 days".to_owned()));
    }

    #[test]
    fn a_window_that_starts_before_the_board_has_no_trend() {
        let cut = reading([0, 0, 71], 7);
        assert_eq!((cut.arrow(), cut.trend(7)), ("", "no trend over 7 days known".to_owned()));
    }

    #[test]
    fn every_number_has_one_of_ten_steps() {
        assert_eq!([0, 9, 10, 71, 99, 100].map(step), [0, 0, 1, 7, 9, 9]);
        assert_eq!(classes(Some(reading([0, 0, 44], 1))), "heat heat-4 heat-few");
        assert_eq!(classes(Some(reading([0, 9, 0], 1))), "heat heat-0", "no heat is not uncertain");
        assert_eq!((classes(None), figure(None)), ("heat-none".to_owned(), "–".to_owned()));
    }

    #[test]
    fn numbers_and_days_are_printed_as_people_write_them() {
        assert_eq!([7_u8, 71, 100].map(hundredths), [".07", ".71", "1.00"]);
        assert_eq!((day_in_words("2026-11-03"), day_in_words("soon")), ("3 Nov 2026".to_owned(), "soon".to_owned()));
    }
}
