//! Metadata in the first lines of plain text: front matter, header lines, a date line or a dateline.

mod dateline;
mod headers;

use crate::dates::find_date_at_start;
use domain::{Precision, PublicationDate, PublishedBasis::Stated};

/// Non-empty lines searched for dates and datelines.
const MAX_SCANNED_LINES: usize = 6;
const MAX_DATE_LINE_CHARS: usize = 100;
/// Shortest first sentence; an earlier full stop belongs to an abbreviation.
const MIN_SENTENCE_BYTES: usize = 40;

const MAX_OUTLET_WORDS: usize = 6;
/// Words that distinguish outlets from places and persons.
const OUTLET_WORDS: &str = "agency, bulletin, chronicle, courier, daily, dispatch, echo, examiner, express, fm, gazette, globe, guardian, \
    herald, independent, inquirer, journal, ledger, magazine, mail, mirror, monitor, news, observer, post, press, \
    radio, record, register, review, standard, star, sun, telegraph, television, times, tribune, tv, voice, weekly, \
    wire, world, sentinel";

/// Metadata from the start of a text.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct FrontMatter {
    pub title: Option<String>,
    pub byline: Option<String>,
    pub outlet: Option<String>,
    pub published: Option<PublicationDate>,
    pub language: Option<String>,
    /// Offset of the body after header lines.
    pub body_start: usize,
}

/// Reads the metadata. A front matter block is removed from Markdown; everything else stays.
pub(crate) fn read_front_matter(text: String, is_markdown: bool) -> (FrontMatter, String) {
    let mut front = FrontMatter::default();
    let mut text = text;
    if let Some((matter, end)) = front_matter_block(&text) {
        matter.lines().for_each(|line| headers::read_line(&mut front, line));
        match is_markdown {
            true => text = text[end..].trim_start_matches('\n').to_owned(),
            false => front.body_start = end,
        }
    }
    headers::read_block(&mut front, &text);
    let body = &text[front.body_start..];
    let mut offset = 0;
    let mut seen = 0;
    for line in body.split_inclusive('\n') {
        if !line.trim().is_empty() {
            read_dateline(&mut front, &body[offset..], seen == 0);
            front.published = front.published.or_else(|| date_line(line));
            front.outlet = front.outlet.take().or_else(|| outlet_line(line));
            seen += 1;
        }
        offset += line.len();
        if seen >= MAX_SCANNED_LINES || (front.published.is_some() && front.outlet.is_some()) {
            break;
        }
    }
    (front, text)
}

/// Front matter block between `---` lines, with its end.
fn front_matter_block(text: &str) -> Option<(&str, usize)> {
    const MAX_BYTES: usize = 8 * 1024;
    let rest = text.strip_prefix("---\n")?;
    let end = rest.find("\n---\n").or_else(|| rest.find("\n...\n")).filter(|end| *end < MAX_BYTES)?;
    let matter = &rest[..end];
    matter.lines().any(|line| line.contains(':')).then_some((matter, 4 + end + 5))
}

fn read_dateline(front: &mut FrontMatter, from: &str, is_first: bool) {
    let Some(found) = dateline::read(from) else { return };
    front.published = front.published.or(found.published);
    front.outlet = front.outlet.take().or(found.outlet);
    if is_first && front.title.is_none() {
        front.title = opening_sentence(&from[found.end..]);
    }
}

/// First sentence of a paragraph, the title of a dispatch without one.
fn opening_sentence(text: &str) -> Option<String> {
    let paragraph = text.split("\n\n").next()?.trim_start_matches(['.', ' ']);
    let ends = |at: &usize| {
        let after = paragraph[at + 1..].chars().next();
        let word = paragraph[..*at].chars().rev().take_while(|c| c.is_alphanumeric()).count();
        after.is_none_or(char::is_whitespace) && *at > MIN_SENTENCE_BYTES && word > 3
    };
    let end = paragraph.match_indices(['.', '?', '!']).map(|(at, _)| at).find(ends);
    super::tidy_title(&paragraph[..end.unwrap_or(paragraph.len())])
}

/// Date of a line that is a date or ends in one: "By A. Reporter, 3 March 2031".
fn date_line(line: &str) -> Option<PublicationDate> {
    let line = line.trim().trim_matches(['*', '_', '(', ')', '[', ']', ' ', '#', '>']);
    if line.chars().count() > MAX_DATE_LINE_CHARS {
        return None;
    }
    let line = ["Published on ", "Published ", "Posted on ", "Posted "]
        .iter()
        .fold(line, |line, cue| line.strip_prefix(cue).unwrap_or(line));
    let candidates = [", ", ". ", " — ", " – ", " | ", " · ", " - "]
        .iter()
        .flat_map(|mark| line.match_indices(mark).map(|(at, mark)| &line[at + mark.len()..]));
    std::iter::once(line).chain(candidates).find_map(whole_date)
}

/// Outlet of a line that names it before a date: "The Morning Ledger, 11 March 2031. By A. Reporter".
fn outlet_line(line: &str) -> Option<String> {
    let line = line.trim().trim_matches(['*', '_', ' ', '#', '>']);
    let (at, _) = line.match_indices(", ").find(|(at, mark)| whole_date(&line[at + mark.len()..]).is_some())?;
    let name = line[..at].rsplit(", ").next()?.trim();
    let words: Vec<&str> = name.split_whitespace().collect();
    let capital = words.iter().all(|word| word.starts_with(char::is_uppercase) || matches!(*word, "of" | "the" | "and"));
    let is_outlet = words.iter().any(|word| super::is_listed(OUTLET_WORDS, word));
    let fits = line.chars().count() <= MAX_DATE_LINE_CHARS && words.len() <= MAX_OUTLET_WORDS && words.first() != Some(&"By");
    (fits && capital && is_outlet).then(|| name.to_owned())
}

/// Date that fills the text, or is followed by a full stop.
fn whole_date(text: &str) -> Option<PublicationDate> {
    let (found, end) = find_date_at_start(text)?;
    let rest = text[end..].trim();
    let ends = rest.is_empty() || rest.starts_with(['.', '(', '|', '·']);
    let published = found.published(Stated);
    (ends && published.precision >= Precision::Month).then_some(published)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, is_markdown: bool) -> String {
        let (front, text) = read_front_matter(text.to_owned(), is_markdown);
        let date = front.published.map(|found| found.value.to_string()[..10].to_owned());
        format!(
            "{} | {} | {} | {}",
            front.title.as_deref().unwrap_or("-"),
            front.outlet.as_deref().unwrap_or("-"),
            date.as_deref().unwrap_or("-"),
            text[front.body_start..].trim().chars().take(12).collect::<String>()
        )
    }

    #[test]
    fn the_front_of_a_text_is_read() {
        let table = [
            (
                "---\ntitle: \"Gates shut\"\noutlet: The Harbour Post\ndate: 2031-03-14\n---\n\nThe harbour is shut.",
                "Gates shut | The Harbour Post | 2031-03-14 | The harbour ",
            ),
            (
                "# Gates shut\n\n**Outlet:** The Harbour Post\n**Published:** 14 March 2031\n\nThe harbour is shut.",
                "Gates shut | The Harbour Post | 2031-03-14 | The harbour ",
            ),
            (
                "Outlet: The Harbour Post\nDate: 14 March 2031\nByline: A. Reporter\n\nGates shut\n\nThe harbour",
                "- | The Harbour Post | 2031-03-14 | Gates shut\n\n",
            ),
            ("Gates shut\nSource: Coastal Wire\n\nThe harbour is shut.", "Gates shut | Coastal Wire | - | The harbour "),
            ("GATES SHUT\n \nMarch 14, 2031\n\nMr. Speaker,", "- | - | 2031-03-14 | GATES SHUT\n "),
            ("GATES SHUT\n\nMarch 14, 2031. Dated March 10, 2031\n\nTo the Congress", "- | - | 2031-03-14 | GATES SHUT\n\n"),
            ("Address on the gates. March 14, 2031\nMr. Speaker,", "- | - | 2031-03-14 | Address on t"),
            ("Gates shut\nBy A. Reporter, 14 March 2031\n\nThe harbour", "- | - | 2031-03-14 | Gates shut\nB"),
            ("Gates shut\nBy A. Reporter\n3:58 PM ET, Fri March 14, 2031\n\nThe harbour", "- | - | 2031-03-14 | Gates shut\nB"),
            ("Gates shut\nPublished March 14, 2031 4:45:51 EST PM\n\nThe harbour", "- | - | 2031-03-14 | Gates shut\nP"),
            ("The gates were shut on 14 March 2031, he said, and they stay shut.", "- | - | - | The gates we"),
        ];
        for (text, expected) in table {
            assert_eq!(read(text, true), expected, "{text}");
        }
    }

    #[test]
    fn a_line_of_outlet_and_day_names_the_outlet() {
        let table = [
            ("# Gates shut\n\n*Harbour Post, 14 March 2031. By A. Reporter*\n\nThe harbour", "Harbour Post | 2031-03-14"),
            (
                "Gates shut\n\nCoastal News Agency, 14 March 2031\n\nPORT VELL (CNA) - The harbour",
                "Coastal News Agency | 2031-03-14",
            ),
            ("Gates shut\n\nBy A. Reporter, Harbour Post, 14 March 2031\n\nThe harbour", "Harbour Post | 2031-03-14"),
            ("Gates shut\n\nPort Vell, 14 March 2031\n\nThe harbour", "- | 2031-03-14"),
            ("Outlet: Morning Wire\n\nHarbour Post, 14 March 2031\n\nThe harbour", "Morning Wire | 2031-03-14"),
        ];
        for (text, expected) in table {
            let (front, _) = read_front_matter(text.to_owned(), true);
            let date = front.published.map(|found| found.value.to_string()[..10].to_owned());
            let fields = [front.outlet, date].map(|field| field.unwrap_or("-".into()));
            assert_eq!(fields.join(" | "), expected, "{text}");
        }
    }

    #[test]
    fn plain_text_keeps_its_front_matter() {
        let text = "---\ntitle: Gates\n---\nThe harbour";
        assert_eq!(read(text, false), "Gates | - | - | The harbour");
        assert_eq!(read_front_matter(text.to_owned(), false).1, text);
    }

    #[test]
    fn a_wire_dateline_states_date_and_outlet() {
        let table = [
            (
                "SAN SALVADOR, 3 JAN 90 (ACAN-EFE) -- [TEXT] THE GATES OF THE HARBOUR\nHAVE BEEN SHUT, THE MAYOR SAID. MORE FOLLOWS.",
                "ACAN-EFE | 1990-01-03 | THE GATES OF THE HARBOUR HAVE BEEN SHUT, THE MAYOR SAID",
            ),
            (
                "LIMA, 15 JAN 90 (EFE) -- [TEXT] ...AN ATTACK ON A BUILDING WHERE U.S. DIPLOMATS LIVE HURT MAJ. DIAZ TODAY. MORE.",
                "EFE | 1990-01-15 | AN ATTACK ON A BUILDING WHERE U.S. DIPLOMATS LIVE HURT MAJ. DIAZ TODAY",
            ),
            ("PERTH (AUSTRALIA), JUNE 11 89 (AFP) -- [TEXT] GATES", "AFP | 1989-06-11 | GATES"),
            ("LIMA, 7 FEB (REUTER) -- [TEXT] GATES", "REUTER | - | GATES"),
            ("LIMA, NO DATE (TCS TELEVISION) -- [SPEECH] [TEXT] GATES", "TCS TELEVISION | - | GATES"),
            ("PARIS (Reuters) - Gates were shut", "Reuters | - | Gates were shut"),
            ("PORT VELL, Jan. 3, 1990 — The gates", "- | 1990-01-03 | The gates"),
            ("SAN SALVADOR,\n4 JAN 90 -- [TEXT] GATES", "- | 1990-01-04 | GATES"),
            ("The mayor (a sailor) -- he was elected in 1990 -- said so", "- | - | -"),
            ("Well - what of it?", "- | - | -"),
        ];
        for (text, expected) in table {
            let (front, _) = read_front_matter(text.to_owned(), false);
            let date = front.published.map(|found| found.value.to_string()[..10].to_owned());
            let fields = [front.outlet, date, front.title].map(|field| field.unwrap_or("-".into()));
            assert_eq!(fields.join(" | "), expected, "{text}");
        }
    }
}
