//! Texts of an assessment: markers of citations in them, and words from outside that must not be read as markers or markup.

use super::Marker;
use std::collections::BTreeSet;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment<'a> {
    Text(&'a str),
    Marker(Marker),
}

/// The text with the markers of `known` citations apart; any other number in brackets is text.
pub fn segments<'a>(text: &'a str, known: &BTreeSet<Marker>) -> Vec<Segment<'a>> {
    let (mut segments, mut end) = (vec![], 0);
    for (start, stop, marker) in places(text).filter(|(.., marker)| known.contains(marker)) {
        if end < start {
            segments.push(Segment::Text(&text[end..start]));
        }
        segments.push(Segment::Marker(marker));
        end = stop;
    }
    if end < text.len() {
        segments.push(Segment::Text(&text[end..]));
    }
    segments
}

/// The citations that `text` does not carry as markers already.
pub fn markers_beside(text: &str, citations: &[Marker]) -> Vec<Marker> {
    let inside: BTreeSet<Marker> = markers_in(text).collect();
    citations.iter().copied().filter(|marker| !inside.contains(marker)).collect()
}

/// The `[n]` markers in a text, in order.
pub fn markers_in(text: &str) -> impl Iterator<Item = Marker> + '_ {
    places(text).map(|(.., marker)| marker)
}

/// Where each marker begins and ends.
fn places(text: &str) -> impl Iterator<Item = (usize, usize, Marker)> + '_ {
    text.match_indices('[').filter_map(|(start, _)| {
        let inner = &text[start + 1..];
        let end = inner.find(']')?;
        let digits = &inner[..end];
        let is_marker = !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
        Some((start, start + end + 2, digits.parse().ok().filter(|_| is_marker)?))
    })
}

/// The sentence of a text without its markers and its full stop, to stand in another sentence.
pub fn as_clause(text: &str) -> String {
    unmarked(text).trim_end_matches('.').to_owned()
}

/// A text for another page than that of its report: without markers, whose numbers mean nothing there.
pub fn unmarked(text: &str) -> String {
    let (mut words, mut end) = (String::with_capacity(text.len()), 0);
    for (start, stop, _) in places(text) {
        words.push_str(text[end..start].trim_end());
        end = stop;
    }
    words.push_str(&text[end..]);
    words.trim().to_owned()
}

/// A text in which no line ends between a number and its percent sign.
pub fn with_whole_percents(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(" %") {
        whole.push_str(before);
        whole.push_str(if before.ends_with(|c: char| c.is_ascii_digit()) { "\u{a0}%" } else { " %" });
        rest = after;
    }
    whole.push_str(rest);
    whole
}

/// The word joiner is not seen, and keeps a number in brackets from being read as a marker.
const WORD_JOINER: char = '\u{2060}';

/// Words from outside in which no number in brackets is a marker. They look the same.
pub fn without_markers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut end = 0;
    for (start, ..) in places(text) {
        plain.push_str(&text[end..=start]);
        plain.push(WORD_JOINER);
        end = start + 1;
    }
    plain.push_str(&text[end..]);
    plain
}

/// Outside text as plain Markdown text on one line: nothing in it is markup, a link or a marker, not even after it was parsed once.
pub fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for character in text.chars() {
        match character {
            '[' => {
                escaped.push_str("\\[");
                escaped.push(WORD_JOINER);
            }
            '\\' | '`' | '*' | '_' | ']' | '<' | '>' | '#' | '|' | '~' | '&' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '\n' | '\r' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Markdown as the words that a reader sees, in one line.
pub fn text_of_markdown(markdown: &str) -> String {
    let mut text = String::with_capacity(markdown.len());
    for line in markdown.lines() {
        let mut characters = without_block_marks(line).chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\\' => text.extend(characters.next_if(char::is_ascii_punctuation).or(Some('\\'))),
                '*' | '_' | '`' | WORD_JOINER => {}
                other => text.push(other),
            }
        }
        text.push('\n');
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line of Markdown without what makes it a heading, a quotation or an item of a list.
fn without_block_marks(line: &str) -> &str {
    let line = line.trim_start();
    let after_hashes = line.trim_start_matches('#');
    if after_hashes.len() < line.len() && after_hashes.starts_with(' ') {
        return after_hashes;
    }
    let item = ["- ", "* ", "+ ", "> "].iter().find_map(|mark| line.strip_prefix(mark));
    item.map_or(line, without_block_marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_numbers_in_brackets_and_nothing_else() {
        let found: Vec<_> = markers_in("As [1] says [TEXT] and [12][3] but not [a1], [] or [4").collect();
        assert_eq!(found, [1, 12, 3]);
    }

    #[test]
    fn citation_markers_are_separated_from_other_numbers() {
        let known = BTreeSet::from([1, 2]);
        assert_eq!(
            segments("It burned [1][2], they say [9].", &known),
            [Segment::Text("It burned "), Segment::Marker(1), Segment::Marker(2), Segment::Text(", they say [9].")]
        );
        assert_eq!(segments("[2]", &known), [Segment::Marker(2)]);
        assert!(segments("", &known).is_empty());
    }

    #[test]
    fn a_clause_has_no_markers_and_no_full_stop() {
        assert_eq!(as_clause("Guards placed it [1][2], and left [3]."), "Guards placed it, and left");
        assert_eq!(unmarked("It is likely [1][2]. Nobody knows [3], so far."), "It is likely. Nobody knows, so far.");
        assert_eq!(unmarked("[4] Guards placed it [1][2] in 2030 [x]."), "Guards placed it in 2030 [x].");
    }

    #[test]
    fn a_percent_sign_stays_with_its_number() {
        let text = "It is likely (70 %), 5.5 % more than % of 3 %";
        assert_eq!(with_whole_percents(text), "It is likely (70\u{a0}%), 5.5\u{a0}% more than % of 3\u{a0}%");
    }

    #[test]
    fn outside_text_contains_no_markers() {
        let plain = without_markers("see [12] and [a] [3]");
        assert_eq!(markers_in(&plain).count(), 0);
        assert_eq!(plain.replace(WORD_JOINER, ""), "see [12] and [a] [3]");
    }

    #[test]
    fn markdown_becomes_one_line_of_plain_text() {
        let markdown = "> “It is **closed**” [1]\n> — *Tessin Courier*, 4 May\n\n- a\\_b\n## Title\n#5";
        assert_eq!(text_of_markdown(markdown), "“It is closed” [1] — Tessin Courier, 4 May a_b Title #5");
        let quote = "see [12] <b> and 3*4 \\ x_y";
        assert_eq!(text_of_markdown(&escape_markdown(quote)), quote);
    }

    #[test]
    fn a_number_in_brackets_of_a_quote_is_no_marker_before_and_after_parsing() {
        let escaped = escape_markdown("see [12] <b>");
        assert_eq!(markers_in(&escaped).count(), 0);
        let parsed = escaped.replace('\\', "");
        assert_eq!(markers_in(&parsed).count(), 0);
        assert_eq!(parsed.replace(WORD_JOINER, ""), "see [12] <b>");
    }
}
