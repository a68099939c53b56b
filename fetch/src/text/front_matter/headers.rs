//! Header lines such as "Outlet: …" and "Date: …" at the top of a text, and in front matter.

use super::FrontMatter;
use crate::{
    dates,
    text::{is_listed, tidy_title},
};
use domain::PublishedBasis::Stated;

const OUTLET: &str =
    "outlet, source, publisher, publication, newspaper, agency, news agency, station, network, broadcaster, site";
const DATE: &str = "date, published, publication date, date published, published on, published at, issued, released, posted, dated, \
    pubdate";
const TITLE: &str = "title, headline, subject";
const BYLINE: &str = "byline, by, author, authors, reporter, correspondent, written by";
const LANGUAGE: &str = "language, lang";
/// Header lines without metadata.
const OTHER: &str = "editor, edition, section, url, link, id, ref, reference, updated, place, location, dateline, category, tags, \
    type, page, slug, classification";
/// Title lines that may precede the header lines.
const MAX_TITLE_LINES: usize = 2;
const MAX_LINES: usize = 20;
const MAX_VALUE_CHARS: usize = 200;
const MAX_OUTLET_CHARS: usize = 80;

/// Reads the header lines near the top of `text` from `front.body_start` on, and moves that behind them.
pub(super) fn read_block(front: &mut FrontMatter, text: &str) {
    let mut at = front.body_start;
    let mut title_lines = 0;
    let mut end = None;
    for line in text[at..].split_inclusive('\n').take(MAX_LINES) {
        at += line.len();
        let is_header = split(line).is_some_and(|(key, _)| is_known(&key));
        match (line.trim().is_empty(), is_header) {
            (true, _) => continue,
            (_, true) => {
                read_line(front, line);
                end = Some(at);
            }
            _ if end.is_some() || title_lines == MAX_TITLE_LINES => break,
            _ => title_lines += 1,
        }
    }
    if let Some(end) = end {
        let above = text[front.body_start..end].lines().find(|line| !line.trim().is_empty());
        let title = above.filter(|line| split(line).is_none_or(|(key, _)| !is_known(&key)));
        let title = title.map(|line| line.trim_matches(['#', '*', '_', ' ', '=']));
        front.title = front.title.take().or_else(|| title.and_then(tidy_title));
        front.body_start = end;
    }
}

/// Reads one "Key: value" line; the first value of a field wins.
pub(super) fn read_line(front: &mut FrontMatter, line: &str) {
    let Some((key, value)) = split(line) else { return };
    let is = |list| is_listed(list, &key);
    if is(OUTLET) && value.chars().count() <= MAX_OUTLET_CHARS {
        front.outlet.get_or_insert_with(|| value.to_owned());
    } else if is(DATE) {
        front.published = front.published.or_else(|| dates::parse_published(value, Stated));
    } else if is(TITLE) {
        front.title = front.title.take().or_else(|| tidy_title(value));
    } else if is(BYLINE) {
        front.byline.get_or_insert_with(|| value.to_owned());
    } else if is(LANGUAGE) {
        front.language.get_or_insert_with(|| value.to_owned());
    }
}

/// Lower-case key, and value without quotes and emphasis.
fn split(line: &str) -> Option<(String, &str)> {
    let trim: &[char] = &['*', '_', '-', '>', '#', ' ', '\t'];
    let (key, value) = line.trim().trim_start_matches(trim).split_once(':')?;
    let key = key.trim_matches(trim).to_lowercase();
    let value = value.trim_matches(['*', '_', ' ', '\t']).trim_matches(['"', '\'']);
    let fits = !value.is_empty() && value.chars().count() <= MAX_VALUE_CHARS;
    fits.then_some((key, value))
}

fn is_known(key: &str) -> bool {
    [OUTLET, DATE, TITLE, BYLINE, LANGUAGE, OTHER].iter().any(|list| is_listed(list, key))
}
