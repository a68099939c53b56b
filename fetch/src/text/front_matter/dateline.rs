//! Dateline of a dispatch: "PORT VELL, 3 JAN 31 (COASTAL WIRE) -- [TEXT] …".

use crate::dates::find_date_at_start;
use domain::{PublicationDate, PublishedBasis::Stated};

const MAX_HEAD_CHARS: usize = 120;
const MAX_OUTLET_CHARS: usize = 60;
const MAX_PLACE_WORDS: usize = 6;

#[derive(Debug)]
pub(super) struct Dateline {
    pub published: Option<PublicationDate>,
    pub outlet: Option<String>,
    /// Offset of the dispatch's text, after the dash and bracketed notes.
    pub end: usize,
}

/// Parses a dateline with a date, an outlet or both at the start of a text.
pub(super) fn read(text: &str) -> Option<Dateline> {
    let start = text.len() - text.trim_start_matches(['*', '_', ' ']).len();
    let (dash, dash_end) = dash(&text[start..])?;
    let head = text[start..start + dash].replace('\n', " ");
    let head = head.trim().trim_end_matches(['*', '_']);
    let (head, outlet) = split_outlet(head);
    let published = date_after_place(head)?;
    if published.is_none() && outlet.is_none() {
        return None;
    }
    let end = skip_notes(text, start + dash_end);
    Some(Dateline { published, outlet, end })
}

/// First dash, which ends a dateline.
fn dash(text: &str) -> Option<(usize, usize)> {
    let limit = text.char_indices().nth(MAX_HEAD_CHARS).map_or(text.len(), |(at, _)| at);
    let head = &text[..limit];
    let head = head.split("\n\n").next().unwrap_or(head);
    ["--", "—", "–", " - "].iter().filter_map(|mark| head.find(mark).map(|at| (at, at + mark.len()))).min()
}

/// Splits "PARIS (Reuters)".
fn split_outlet(head: &str) -> (&str, Option<String>) {
    let Some((before, outlet)) = head.strip_suffix(')').and_then(|head| head.rsplit_once('(')) else {
        return (head, None);
    };
    let outlet = outlet.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = !outlet.is_empty() && outlet.chars().count() <= MAX_OUTLET_CHARS && outlet.chars().any(char::is_alphabetic);
    (before.trim_end(), fits.then_some(outlet))
}

/// Date after the place; `None` if the head is no dateline.
fn date_after_place(head: &str) -> Option<Option<PublicationDate>> {
    let place = head.split(',').next().unwrap_or(head);
    let is_name = place.chars().next().is_some_and(char::is_uppercase)
        && place.split_whitespace().count() <= MAX_PLACE_WORDS
        && !place.contains(|c: char| c.is_ascii_digit() || ".?!;:".contains(c))
        && place.split_whitespace().all(begins_as_name);
    if !is_name {
        return None;
    }
    let mut rests = head.match_indices(',').map(|(at, _)| head[at + 1..].trim());
    let whole = |rest: &str| find_date_at_start(rest).filter(|(_, end)| rest[*end..].trim().trim_matches('.').is_empty());
    if let Some((found, _)) = rests.clone().find_map(whole) {
        return Some(Some(found.published(Stated)));
    }
    let last = rests.next_back().unwrap_or_default();
    let is_short = last.split_whitespace().count() <= 3;
    let says_when = last.is_empty() || last.eq_ignore_ascii_case("no date") || last.contains(|c: char| c.is_ascii_digit());
    (is_short && (says_when || last.split_whitespace().all(begins_as_name))).then_some(None)
}

/// Whether a word is capitalised, or a short one within a name, such as "de".
fn begins_as_name(word: &str) -> bool {
    let first = word.trim_start_matches(['(', '"', '\'']).chars().next();
    first.is_some_and(char::is_uppercase) || (word.len() <= 3 && word.chars().all(char::is_alphabetic))
}

fn skip_notes(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start_matches(['*', '_', ' ', '\n']);
        at += rest.len() - trimmed.len();
        match trimmed.strip_prefix('[').and_then(|note| note.find(']')).filter(|end| *end < 200) {
            Some(end) => at += end + 2,
            None => return at,
        }
    }
}
