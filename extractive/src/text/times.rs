//! Absolute and relative dates, normalised to the days they cover.

use std::ops::Range;

use chrono::{Datelike, Days, Months, NaiveDate};

use super::span::Span;
use super::tokens::{Token, TokenKind};
use super::{Class, Text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    Day,
    Month,
    Year,
    Decade,
}

/// A date or period; without `start` where it is relative and the text's own date is not known.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeExpression {
    pub span: Span,
    /// The first day.
    pub start: Option<NaiveDate>,
    /// The last day.
    pub end: Option<NaiveDate>,
    pub precision: Precision,
    /// Whether it is counted from the day of publication.
    pub relative: bool,
}

/// Years that a bare number of four digits may mean.
const YEARS: std::ops::RangeInclusive<i32> = 1000..=2100;
/// Two-digit years up to this are of the 21st century.
const CENTURY_PIVOT: i32 = 40;

type DateMatch = (usize, Option<(NaiveDate, NaiveDate)>, Precision, bool);

impl Text<'_> {
    /// All dates and periods, in order.
    pub fn times(&self, published: Option<NaiveDate>) -> Vec<TimeExpression> {
        let published = published.or_else(|| self.dateline()?.date?.start);
        self.times_in(0..self.tokens.len(), published)
    }

    pub(super) fn times_in(&self, range: Range<usize>, published: Option<NaiveDate>) -> Vec<TimeExpression> {
        let mut found = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let tokens = &self.tokens[at..range.end];
            let Some((len, days, precision, relative)) = self.time_at(at, tokens, published) else {
                at += 1;
                continue;
            };
            let days = days.filter(|(start, end)| YEARS.contains(&start.year()) && YEARS.contains(&end.year()));
            let (start, end) = days.map_or((None, None), |(start, end)| (Some(start), Some(end)));
            found.push(TimeExpression { span: self.span_of(at..at + len), start, end, precision, relative });
            at += len.max(1);
        }
        found
    }

    fn time_at(&self, at: usize, tokens: &[Token], published: Option<NaiveDate>) -> Option<DateMatch> {
        self.calendar_date(tokens, published)
            .or_else(|| self.month_and_year(at, tokens, published))
            .or_else(|| iso_date(tokens))
            .or_else(|| decade_or_year(at, &self.tokens, tokens))
            .or_else(|| self.relative_day(tokens, published))
            .or_else(|| self.relative_period(tokens, published))
            .or_else(|| self.weekday(tokens, published))
    }

    /// "3 January 1990", "3 JAN 90", "January 3, 1990", "Jan. 3", "the 3rd of January".
    fn calendar_date(&self, tokens: &[Token], published: Option<NaiveDate>) -> Option<DateMatch> {
        let (day, month, mut used) = if let Some(day) = day_of(&tokens[0]) {
            let of = usize::from(tokens.get(1).is_some_and(|token| &*token.fold == "of"));
            (day, month_of(tokens.get(1 + of)?)?, 2 + of)
        } else {
            let month = month_of(&tokens[0])?;
            let stop = usize::from(tokens.get(1).is_some_and(|token| token.is_mark(".")));
            (day_of(tokens.get(1 + stop)?)?, month, 2 + stop)
        };
        if tokens.get(used).is_some_and(|token| token.is_mark(".")) && tokens.get(used + 1).and_then(year_of).is_some() {
            used += 1;
        }
        let comma = usize::from(tokens.get(used).is_some_and(|token| token.is_mark(",")));
        let year = tokens.get(used + comma).and_then(|token| year_of(token).or_else(|| short_year(token, comma)));
        let length = year.map_or(used, |_| used + comma + 1);
        let date = match year {
            Some(year) => NaiveDate::from_ymd_opt(year, month, day),
            None => published.and_then(|published| nearest(published, month, day)),
        };
        (date.is_some() || published.is_none() || year.is_none())
            .then(|| (length, date.map(|date| (date, date)), Precision::Day, year.is_none()))
    }

    /// "January 1990", "in January".
    fn month_and_year(&self, at: usize, tokens: &[Token], published: Option<NaiveDate>) -> Option<DateMatch> {
        let month = month_of(&tokens[0])?;
        let skip =
            usize::from(tokens.get(1).is_some_and(|token| token.is_mark(",") || &*token.fold == "of" || token.is_mark(".")));
        if let Some(year) = tokens.get(1 + skip).and_then(year_of) {
            return Some((2 + skip, month_days(year, month), Precision::Month, false));
        }
        let before = at.checked_sub(1).map(|before| &self.tokens[before]);
        if !before.is_some_and(|token| {
            token.is(Class::Preposition) || matches!(&*token.fold, "last" | "next" | "early" | "late" | "mid")
        }) {
            return None;
        }
        let days =
            published.and_then(|published| nearest(published, month, 1)).and_then(|day| month_days(day.year(), day.month()));
        Some((1, days, Precision::Month, true))
    }

    /// "yesterday", "this morning", "the day before yesterday".
    fn relative_day(&self, tokens: &[Token], published: Option<NaiveDate>) -> Option<DateMatch> {
        let (len, name) = match tokens[0].phrase {
            Some((len, classes)) if classes.has(Class::RelativeDay) => (len as usize, join(&tokens[..len as usize])),
            _ if tokens[0].is(Class::RelativeDay) => (1, tokens[0].fold.to_string()),
            _ => return None,
        };
        let offset = self.lexicon.relative_day(&name)?;
        let day = published.and_then(|published| published.checked_add_signed(chrono::TimeDelta::days(offset)));
        Some((len, day.map(|day| (day, day)), Precision::Day, true))
    }

    /// "last week", "next year", "three days ago", "in two months".
    fn relative_period(&self, tokens: &[Token], published: Option<NaiveDate>) -> Option<DateMatch> {
        let unit = |token: &Token| Period::from_lemma(self.lexicon.lemma(&token.fold).as_str());
        let shift = match &*tokens[0].fold {
            "last" | "past" => Some(-1),
            "next" | "coming" => Some(1),
            "this" => Some(0),
            _ => None,
        };
        if let Some(shift) = shift {
            let unit = unit(tokens.get(1)?)?;
            return Some((2, published.and_then(|day| unit.period_around(day, shift)), unit.precision(), true));
        }
        let count = self.small_number(&tokens[0])?;
        let unit = unit(tokens.get(1)?)?;
        let after = tokens.get(2)?;
        let backward = matches!(&*after.fold, "ago" | "earlier");
        let forward = &*after.fold == "later" || &*after.fold == "hence";
        if !(backward || forward) {
            return None;
        }
        let shift = if backward { -count } else { count };
        Some((3, published.and_then(|day| unit.period_around(day, shift)), unit.precision(), true))
    }

    /// "on Monday": the last one up to the day of publication; "next Monday" the one after.
    fn weekday(&self, tokens: &[Token], published: Option<NaiveDate>) -> Option<DateMatch> {
        let skip = usize::from(matches!(&*tokens[0].fold, "next" | "last"));
        let name = tokens.get(skip).filter(|token| token.is(Class::Weekday) && token.is_capital() && token.fold.len() > 4)?;
        let weekday: chrono::Weekday = name.fold.parse().ok()?;
        let day = published.and_then(|published| {
            let back = (7 + published.weekday().num_days_from_monday() - weekday.num_days_from_monday()) % 7;
            match &*tokens[0].fold {
                "next" => published.checked_add_days(Days::new(u64::from(if back == 0 { 7 } else { 7 - back }))),
                "last" if back == 0 => published.checked_sub_days(Days::new(7)),
                _ => published.checked_sub_days(Days::new(u64::from(back))),
            }
        });
        Some((skip + 1, day.map(|day| (day, day)), Precision::Day, true))
    }

    fn small_number(&self, token: &Token) -> Option<i32> {
        const LARGEST: f64 = 1000.0;
        let value = match token.kind {
            TokenKind::Number => token.fold.parse().ok(),
            TokenKind::Word if matches!(&*token.fold, "a" | "an") => Some(1.0),
            TokenKind::Word => self.lexicon.number(&token.fold),
            TokenKind::Mark => None,
        };
        value.filter(|value: &f64| (0.0..=LARGEST).contains(value)).map(|value| value as i32)
    }
}

#[derive(Clone, Copy)]
enum Period {
    Day,
    Week,
    Month,
    Year,
    Decade,
}

impl Period {
    fn from_lemma(lemma: &str) -> Option<Self> {
        Some(match lemma {
            "day" | "night" => Self::Day,
            "week" | "weekend" => Self::Week,
            "month" => Self::Month,
            "year" => Self::Year,
            "decade" => Self::Decade,
            _ => return None,
        })
    }

    fn precision(self) -> Precision {
        match self {
            Self::Day | Self::Week => Precision::Day,
            Self::Month => Precision::Month,
            Self::Year => Precision::Year,
            Self::Decade => Precision::Decade,
        }
    }

    /// The first and last day of the period so many periods from a day.
    fn period_around(self, day: NaiveDate, shift: i32) -> Option<(NaiveDate, NaiveDate)> {
        match self {
            Self::Day => day.checked_add_signed(chrono::TimeDelta::days(shift.into())).map(|day| (day, day)),
            Self::Week => {
                let monday = day - Days::new(u64::from(day.weekday().num_days_from_monday()));
                let start = monday.checked_add_signed(chrono::TimeDelta::weeks(shift.into()))?;
                Some((start, start.checked_add_days(Days::new(6))?))
            }
            Self::Month => {
                let months = Months::new(shift.unsigned_abs());
                let first = day.with_day(1)?;
                let first = if shift < 0 { first.checked_sub_months(months) } else { first.checked_add_months(months) }?;
                month_days(first.year(), first.month())
            }
            Self::Year => year_days(day.year() + shift, 1),
            Self::Decade => year_days(day.year() + shift * 10, 10),
        }
    }
}

fn join(tokens: &[Token]) -> String {
    tokens.iter().map(|token| &*token.fold).collect::<Vec<_>>().join(" ")
}

fn month_of(token: &Token) -> Option<u32> {
    if !token.is(Class::Month) || !token.is_capital() {
        return None;
    }
    let month: chrono::Month = token.fold.get(..3)?.parse().ok()?;
    Some(month.number_from_month())
}

fn day_of(token: &Token) -> Option<u32> {
    if token.kind != TokenKind::Number {
        return None;
    }
    let digits = token.fold.trim_end_matches(char::is_alphabetic);
    let ending = &token.fold[digits.len()..];
    let day = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
    matches!(ending, "" | "st" | "nd" | "rd" | "th" | "d").then_some(day)
}

fn year_of(token: &Token) -> Option<i32> {
    let digits = token.kind == TokenKind::Number && token.fold.len() == 4;
    token.fold.parse().ok().filter(|year| digits && YEARS.contains(year))
}

fn short_year(token: &Token, comma: usize) -> Option<i32> {
    let digits = token.kind == TokenKind::Number && token.fold.len() == 2 && comma == 0;
    let year: i32 = token.fold.trim_start_matches('\'').parse().ok().filter(|_| digits)?;
    Some(if year <= CENTURY_PIVOT { 2000 + year } else { 1900 + year })
}

/// The year in which a month and day lie closest to a day.
fn nearest(around: NaiveDate, month: u32, day: u32) -> Option<NaiveDate> {
    (-1..=1)
        .filter_map(|shift| NaiveDate::from_ymd_opt(around.year() + shift, month, day))
        .min_by_key(|date| (*date - around).num_days().abs())
}

fn month_days(year: i32, month: u32) -> Option<(NaiveDate, NaiveDate)> {
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    Some((first, first.checked_add_months(Months::new(1))?.pred_opt()?))
}

fn year_days(year: i32, years: i32) -> Option<(NaiveDate, NaiveDate)> {
    Some((NaiveDate::from_ymd_opt(year, 1, 1)?, NaiveDate::from_ymd_opt(year + years - 1, 12, 31)?))
}

fn iso_date(tokens: &[Token]) -> Option<DateMatch> {
    let token = &tokens[0];
    if token.kind != TokenKind::Number || token.fold.len() < 10 {
        return None;
    }
    let date: NaiveDate = token.fold.get(..10)?.parse().ok().filter(|date: &NaiveDate| YEARS.contains(&date.year()))?;
    Some((1, Some((date, date)), Precision::Day, false))
}

/// "the 1990s", "1988-1991", "in 1990": a bare number is a year after a word that such a year follows.
fn decade_or_year(at: usize, all: &[Token], tokens: &[Token]) -> Option<DateMatch> {
    let token = &tokens[0];
    if token.kind != TokenKind::Number {
        return None;
    }
    if let Some(decade) = token.fold.strip_suffix('s').filter(|digits| digits.len() == 4 && digits.ends_with('0')) {
        let year = decade.parse().ok().filter(|year| YEARS.contains(year))?;
        return Some((1, year_days(year, 10), Precision::Decade, false));
    }
    if let Some((from, to)) = token.fold.split_once('-').filter(|(from, to)| from.len() == 4 && matches!(to.len(), 2 | 4)) {
        let first: i32 = from.parse().ok().filter(|year| YEARS.contains(year))?;
        let last: i32 = if to.len() == 4 {
            to.parse().ok()?
        } else {
            from[..2].to_owned().parse::<i32>().ok()? * 100 + to.parse::<i32>().ok()?
        };
        let days = NaiveDate::from_ymd_opt(first, 1, 1)
            .zip(NaiveDate::from_ymd_opt(last, 12, 31))
            .filter(|(start, end)| start <= end && YEARS.contains(&last))?;
        return Some((1, Some(days), Precision::Year, false));
    }
    let year = year_of(token)?;
    let before = at.checked_sub(1).map(|before| &all[before]);
    let fits_before = before.is_none_or(|token| {
        token.is(Class::Preposition)
            || token.is(Class::Conjunction)
            || token.is(Class::Month)
            || token.is_mark("(")
            || token.is_mark(",")
            || token.is_dash()
            || matches!(
                &*token.fold,
                "the" | "early" | "late" | "mid" | "year" | "summer" | "winter" | "spring" | "autumn" | "fall"
            )
    });
    let follows = tokens.get(1).is_some_and(|next| matches!(&*next.fold, "local" | "hours" | "gmt" | "utc"));
    if follows || before.is_some_and(|token| &*token.fold == "at") {
        return None;
    }
    let counted = tokens
        .get(1)
        .is_some_and(|next| next.is(Class::Unit) || (next.is(Class::Common) && !next.is_function() && !next.is_capital()));
    let round = year % 100 == 0 && counted;
    (fits_before && !round && !(counted && before.is_some_and(|token| token.is(Class::Approximate))))
        .then(|| (1, year_days(year, 1), Precision::Year, false))
}

#[cfg(test)]
mod tests {
    use super::super::Lexicon;
    use super::*;

    fn check(text: &str, expect: &[(&str, &str, &str)]) {
        let published = NaiveDate::from_ymd_opt(1990, 1, 10);
        let found = Text::new(Lexicon::english(), text).times(published);
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
        let found: Vec<_> =
            found.iter().map(|time| (time.span.slice(text).to_owned(), day(time.start), day(time.end))).collect();
        let expect: Vec<_> =
            expect.iter().map(|(text, start, end)| (text.to_string(), start.to_string(), end.to_string())).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn absolute_dates() {
        check(
            "On 3 January 1990 and Jan. 5, 1991.",
            &[("3 January 1990", "1990-01-03", "1990-01-03"), ("Jan. 5, 1991", "1991-01-05", "1991-01-05")],
        );
        check("ON 30 DECEMBER IN SAN LUIS", &[("30 DECEMBER", "1989-12-30", "1989-12-30")]);
        check(
            "In March 2011, 2012-05-06 and the 1980s.",
            &[
                ("March 2011", "2011-03-01", "2011-03-31"),
                ("2012-05-06", "2012-05-06", "2012-05-06"),
                ("1980s", "1980-01-01", "1989-12-31"),
            ],
        );
        check("He served in 1985, with 2000 men.", &[("1985", "1985-01-01", "1985-12-31")]);
        check("From 1988-1991", &[("1988-1991", "1988-01-01", "1991-12-31")]);
    }

    #[test]
    fn relative_dates_count_from_publication() {
        check(
            "It fell yesterday, two months ago and last week.",
            &[
                ("yesterday", "1990-01-09", "1990-01-09"),
                ("two months ago", "1989-11-01", "1989-11-30"),
                ("last week", "1990-01-01", "1990-01-07"),
            ],
        );
        check(
            "On Monday; next Friday.",
            &[("Monday", "1990-01-08", "1990-01-08"), ("next Friday", "1990-01-12", "1990-01-12")],
        );
        check("It may march in December.", &[("December", "1989-12-01", "1989-12-31")]);
    }

    #[test]
    fn impossible_dates_are_not_dates() {
        check("On 31 February 1990 at 99999999999 of 0000-00-00.", &[("February 1990", "1990-02-01", "1990-02-28")]);
        check("Version 0217-04-05 came in the year 0900; ice fell a thousand years ago.", &[("thousand years ago", "", "")]);
        check("They counted 1500-2500 boats.", &[]);
    }
}
