//! Dates in passages, and the date by which a question asks whether something comes about.

use super::super::corpus::Corpus;
use super::super::lexicon::Lexicon;
use super::super::question::Question;
use super::super::words::{Shape, Word, split, stem};

/// Days are numbered so that their order is right; months have 31 of them.
const MONTH: i32 = 31;
const YEAR: i32 = 12 * MONTH;
/// A part of a month ("the end of June") stands at most so many words before it.
const PART_REACH: usize = 3;

/// The days that some words of a passage may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dates {
    /// First of the words.
    pub(super) at: usize,
    /// The first day.
    pub(super) from: i32,
    /// The last day.
    pub(super) to: i32,
}

/// The dates in some words; one without a year is the next after the day of publication where the words look ahead, else the
/// nearest.
pub(super) fn dates(words: &[Word], published: Option<&str>, lexicon: &Lexicon) -> Vec<Dates> {
    let ahead = words.iter().any(|w| lexicon.forward.contains(&w.norm) || lexicon.role("deadlines", &w.norm));
    let anchor = published.and_then(iso).map(|day| Anchor { day, ahead });
    let mut found = Vec::new();
    let mut i = 0;
    while i < words.len() {
        let (at, next, date) = match month_at(words, i, anchor, lexicon) {
            Some(date) => date,
            None => match year_at(words, i, lexicon) {
                Some(year) => (i, i + 1, Dates { at: i, from: year * YEAR, to: year * YEAR + YEAR - 1 }),
                None => {
                    i += 1;
                    continue;
                }
            },
        };
        found.push(part(words, at, date, lexicon));
        i = next;
    }
    found
}

/// The last day that the question speaks of: as it names it, or as the passages date what it names ("before the harvest").
pub(super) fn deadline(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Option<i32> {
    let latest = corpus.units.iter().filter_map(|u| u.passage.published).max();
    let words = split(&question.text).list;
    if let Some(named) = dates(&words, latest, lexicon).last() {
        return Some(named.to);
    }
    let mark = words.iter().position(|w| lexicon.role("deadlines", &w.norm))?;
    let event = words[mark + 1..].iter().find(|w| !lexicon.stop.contains(&w.norm))?;
    let event = stem(&event.norm);
    let dated = (0..corpus.units.len()).filter_map(|u| {
        let unit = &corpus.units[u];
        let list = &unit.words.list;
        let at = list.iter().position(|w| stem(&w.norm) == event)?;
        let begins = list[at..].iter().any(|w| lexicon.role("beginnings", &w.norm));
        let day = dates(list, unit.passage.published, lexicon).into_iter().find(|d| begins && d.at > at)?;
        Some((unit.passage.published, std::cmp::Reverse(unit.order()), day.from))
    });
    dated.max().map(|(_, _, day)| day)
}

/// "30 June", "June 30, 2031", "September": where it begins, where it ends, and the days.
fn month_at(words: &[Word], i: usize, anchor: Option<Anchor>, lexicon: &Lexicon) -> Option<(usize, usize, Dates)> {
    let month = lexicon.month(&words.get(i)?.norm)?;
    let number = |k: usize| words.get(k).filter(|w| w.shape == Shape::Number).and_then(|w| w.norm.parse::<i32>().ok());
    let day = |k: usize| number(k).filter(|n| (1..=31).contains(n));
    let before = i.checked_sub(1).and_then(day);
    let after = if before.is_none() { day(i + 1) } else { None };
    let mut next = i + 1 + usize::from(after.is_some());
    let comma = usize::from(words.get(next).is_some_and(|w| w.norm == ","));
    let year = number(next + comma).filter(|n| (1000..3000).contains(n));
    if year.is_some() {
        next += comma + 1;
    }
    let day = before.or(after);
    // "may" is a verb far oftener than a month.
    if day.is_none() && year.is_none() && words[i].shape != Shape::Title {
        return None;
    }
    let first = (month - 1) * MONTH + day.map_or(0, |d| d - 1);
    let last = if day.is_some() { first } else { first + MONTH - 1 };
    let year = year.unwrap_or_else(|| anchor.map_or(0, |anchor| anchor.year_of(first)));
    let at = i - usize::from(before.is_some());
    Some((at, next, Dates { at, from: year * YEAR + first, to: year * YEAR + last }))
}

fn year_at(words: &[Word], i: usize, lexicon: &Lexicon) -> Option<i32> {
    let marked = i > 0 && (lexicon.role("dated", &words[i - 1].norm) || lexicon.of.contains(&words[i - 1].norm));
    let word = words.get(i).filter(|w| w.shape == Shape::Number && w.norm.len() == 4 && marked)?;
    word.norm.parse().ok().filter(|year| (1000..3000).contains(year))
}

/// "the end of June" is its last day, "the middle of July" its fifteenth.
fn part(words: &[Word], at: usize, date: Dates, lexicon: &Lexicon) -> Dates {
    let before = words[at.saturating_sub(PART_REACH)..at].iter();
    let middle = date.from + (date.to - date.from) / 2;
    let told = before.rev().find_map(|w| match w.norm.as_str() {
        norm if lexicon.role("ends", norm) => Some(date.to),
        norm if lexicon.role("middles", norm) => Some(middle),
        _ => None,
    });
    told.map_or(date, |day| Dates { from: day, to: day, ..date })
}

/// The day of publication, and whether the words look ahead from it.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    day: i32,
    ahead: bool,
}

impl Anchor {
    /// The year that is meant by a day of the year.
    fn year_of(self, day: i32) -> i32 {
        let year = self.day / YEAR;
        let distance = |y: &i32| y * YEAR + day - self.day;
        let years = year - 1..=year + 1;
        let next = years.clone().find(|y| self.ahead && distance(y) >= -MONTH);
        next.or_else(|| years.min_by_key(|y| distance(y).abs())).unwrap_or(year)
    }
}

fn iso(day: &str) -> Option<i32> {
    let mut parts = day.get(..10)?.split('-').map(str::parse::<i32>);
    let (year, month, day) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    Some(year * YEAR + (month - 1) * MONTH + day - 1)
}
