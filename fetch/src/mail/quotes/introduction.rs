//! Lines that introduce a quotation: "On Tue, 6 May 2031 at 10:00, Port Office <office@port.example> wrote:".

use super::{QuotedHead, is_blank, is_marked};
use crate::dates::find_date_at_start;
use domain::{Precision, PublicationDate, PublishedBasis::Stated};

/// Lines over which programs wrap an introduction.
const MAX_LINES: usize = 3;
const MAX_CHARS: usize = 300;
const MAX_NAME_WORDS: usize = 6;
/// Words in lower case within names.
const PARTICLES: [&str; 16] =
    ["van", "der", "den", "von", "zu", "zur", "de", "del", "la", "le", "da", "di", "du", "bin", "al", "el"];
/// Words in capitals around a time of day.
const CLOCK_WORDS: [&str; 6] = ["AM", "PM", "Uhr", "UTC", "GMT", "CET"];

pub(super) struct Introduction {
    pub head: QuotedHead,
    pub lines: usize,
    /// It has an address and a day, which never precede the sender's own text.
    pub is_certain: bool,
}

impl Introduction {
    /// Introduction that begins with the first line.
    pub fn read(lines: &[&str]) -> Option<Self> {
        (1..=MAX_LINES.min(lines.len())).find_map(|count| {
            let from = &lines[..count];
            let is_plain = from.iter().all(|line| !is_blank(line) && !is_marked(line));
            parse(from).filter(|found| is_plain && found.head.sender.is_some() && found.is_certain)
        })
    }

    /// Introduction that ends with the last line.
    pub fn before(lines: &[&str]) -> Option<Self> {
        let counts = 1..=MAX_LINES.min(lines.len());
        let mut named = None;
        for count in counts {
            let from = &lines[lines.len() - count..];
            if from.iter().any(|line| is_blank(line)) || count > 1 && from[0].trim_end().ends_with(['.', '!', '?']) {
                break;
            }
            let found = parse(from).filter(|found| found.head.sender.is_some());
            let is_better = found.as_ref().is_some_and(|found| found.head.date.is_some());
            named = if is_better { found } else { named.or(found) };
            if is_better {
                break;
            }
        }
        named
    }
}

fn parse(lines: &[&str]) -> Option<Introduction> {
    let text = lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    let text = text.strip_suffix([':', '：'])?.trim_end();
    if text.chars().count() > MAX_CHARS {
        return None;
    }
    let date = date_in(text);
    let address = address_in(text);
    let has_address = address.is_some();
    let is_certain = has_address && date.is_some();
    let sender = match address {
        Some((at, address)) => trailing_name(&text[..at]).or(Some(address)),
        None if date.is_some() || text.split_whitespace().count() <= MAX_NAME_WORDS => {
            let verbs = text.split_whitespace().rev().take_while(|word| word.starts_with(char::is_lowercase));
            let end = verbs.fold(text, |text, word| text.strip_suffix(word).unwrap_or(text).trim_end());
            trailing_name(end).or_else(|| leading_name(text))
        }
        None => None,
    };
    // "The minister wrote:" names no sender; a single word needs a date or an address beside it.
    let sender = sender.filter(|name| has_address || date.is_some() || name.contains(' '));
    Some(Introduction { head: QuotedHead { sender, date, subject: None }, lines: lines.len(), is_certain })
}

/// First mail address, with where its brackets begin.
pub(super) fn address_in(text: &str) -> Option<(usize, String)> {
    let sign = text.find('@')?;
    let is_part = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
    let local = text[..sign].chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    let domain = text[sign + 1..].chars().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    let (start, end) = (sign - local, sign + 1 + domain);
    let address = text[start..end].trim_end_matches(['.', '-']);
    let before = text[..start].strip_suffix("mailto:").unwrap_or(&text[..start]);
    let outside = before.trim_end_matches(|c: char| c.is_whitespace() || "<([\"'".contains(c)).len();
    (local > 0 && address[local + 1..].contains('.')).then(|| (outside, address.to_owned()))
}

/// First whole day in a text.
pub(super) fn date_in(text: &str) -> Option<PublicationDate> {
    let starts = text.char_indices().filter(|(at, c)| {
        let goes_on = text[..*at].chars().next_back().is_some_and(|before| before.is_alphanumeric() || "./-".contains(before));
        c.is_alphanumeric() && !goes_on
    });
    starts.take(12).find_map(|(at, _)| {
        let (found, end) = find_date_at_start(&text[at..])?;
        let goes_on = text[at + end..].starts_with(|c: char| c.is_ascii_digit());
        Some(found.published(Stated)).filter(|date| date.precision >= Precision::Day && !goes_on)
    })
}

/// Name at the end of a text: words that begin with a capital, or of a script without case.
fn trailing_name(text: &str) -> Option<String> {
    let start = text.rfind(|c: char| c.is_numeric() || ",;:/()[]<>，、،年月日時分".contains(c));
    let text = start.map_or(text, |at| &text[at + text[at..].chars().next().map_or(0, char::len_utf8)..]);
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_name = |word: &&&str| {
        let first = word.trim_start_matches(['"', '\'', '(', '«', '„', '“']).chars().next();
        PARTICLES.contains(*word) || **word == "&" || first.is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
    };
    let count = words.iter().rev().take_while(is_name).count();
    tidy_name(&words[words.len() - count..])
}

/// Name at the start of a text that goes on in lower case or figures: "Port Office wrote on 6 May".
fn leading_name(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_name = |word: &&&str| word.starts_with(char::is_uppercase);
    let count = words.iter().take_while(is_name).count();
    let goes_on_in_figures = words.get(count).is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    if count < 2 || goes_on_in_figures { None } else { tidy_name(&words[..count]) }
}

fn tidy_name(words: &[&str]) -> Option<String> {
    let skip = words.iter().take_while(|word| PARTICLES.contains(word) || CLOCK_WORDS.contains(word)).count();
    let name = words[skip..].join(" ");
    let name = name.trim_matches(|c: char| c.is_whitespace() || "\"'«»„“”.,".contains(c));
    let fits = name.chars().filter(|c| c.is_alphabetic()).count() >= 2 && words.len() - skip <= MAX_NAME_WORDS;
    fits.then(|| name.to_owned())
}
