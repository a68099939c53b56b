//! Heat on one day, as numbers, words and classes of the style sheet.

use chrono::NaiveDate;

/// Change in hundredths below which heat counts as steady.
const STEADY_BELOW: u16 = 3;
/// Independent origins below which a number is marked as uncertain.
const FEW_ORIGINS: u32 = 3;

/// Heat in percent on one day, and its change since the start of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    pub heat: u8,
    change: i16,
}

impl Reading {
    /// Reads a series. A window that starts before it is cut to its first day.
    pub fn new(heat: &[u8], day: usize, window: u16) -> Option<Self> {
        let now = *heat.get(day)?;
        let before = *heat.get(day.saturating_sub(usize::from(window)))?;
        Some(Self { heat: now, change: i16::from(now) - i16::from(before) })
    }

    /// Returns the sign of the trend; nothing for steady heat.
    pub fn arrow(self) -> &'static str {
        match self.change {
            change if change.unsigned_abs() < STEADY_BELOW => "",
            1.. => "▲",
            _ => "▼",
        }
    }

    /// Returns the trend in words.
    pub fn trend(self, window: u16) -> String {
        let direction = match self.arrow() {
            "" => return format!("steady over {window} days"),
            "▲" => "up",
            _ => "down",
        };
        format!("{direction} {} in {window} days", hundredths(self.change.unsigned_abs()))
    }
}

/// Classes of a cell: the step of the colour ramp, and the hatch of few origins.
pub fn classes(reading: Option<Reading>, origins: u32) -> String {
    let Some(Reading { heat, .. }) = reading else { return "heat-none".to_owned() };
    let few = if origins < FEW_ORIGINS { " heat-few" } else { "" };
    format!("heat heat-{}{few}", step(heat))
}

/// Step of the colour ramp, 0 to 9.
pub fn step(heat: u8) -> u8 {
    (heat / 10).min(9)
}

/// Words that a screen reader adds to the number of a cell.
pub fn note(reading: Option<Reading>, origins: u32, window: u16) -> String {
    let few = if origins < FEW_ORIGINS { ", few origins" } else { "" };
    reading.map(|reading| format!(", {}{few}", reading.trend(window))).unwrap_or_default()
}

/// Number of a reading, as in ".71".
pub fn figure(reading: Option<Reading>) -> String {
    reading.map_or_else(|| "–".to_owned(), |reading| hundredths(u16::from(reading.heat)))
}

/// Hundredths as a number below or equal to one.
pub fn hundredths(value: u16) -> String {
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
        Reading::new(&heat, 2, window).unwrap()
    }

    #[test]
    fn a_trend_is_the_change_over_the_window() {
        let rising = reading([50, 60, 71], 2);
        assert_eq!((rising.arrow(), rising.trend(2)), ("▲", "up .21 in 2 days".to_owned()));
        assert_eq!(reading([90, 60, 71], 30).trend(30), "down .19 in 30 days");
        assert_eq!((reading([72, 0, 71], 7).arrow(), reading([72, 0, 71], 7).trend(7)), ("", "steady over 7 days".to_owned()));
        assert_eq!(Reading::new(&[1, 2], 2, 7), None);
    }

    #[test]
    fn every_number_has_one_of_ten_steps() {
        assert_eq!([0, 9, 10, 71, 99, 100].map(step), [0, 0, 1, 7, 9, 9]);
        assert_eq!(classes(Some(reading([0, 0, 44], 1)), 2), "heat heat-4 heat-few");
        assert_eq!((classes(None, 9), figure(None)), ("heat-none".to_owned(), "–".to_owned()));
    }

    #[test]
    fn numbers_and_days_are_printed_as_people_write_them() {
        assert_eq!([7, 71, 100].map(hundredths), [".07", ".71", "1.00"]);
        assert_eq!((day_in_words("2026-11-03"), day_in_words("soon")), ("3 Nov 2026".to_owned(), "soon".to_owned()));
    }
}
