//! Markdown text building: paragraphs, lists and escaping.

use domain::{
    PublicationDate, Timestamp,
    assessment::{Marker, lenient::last_day_of},
};
use std::collections::BTreeSet;

/// Markdown document of paragraphs.
#[derive(Default)]
pub(super) struct MarkdownPage(String);

impl MarkdownPage {
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.0.push_str(text.as_ref());
        self.0.push_str("\n\n");
    }

    pub fn section(&mut self, title: &str) {
        self.line(format!("## {title}"));
    }

    /// Adds a list, unless empty.
    pub fn items(&mut self, items: Vec<String>) {
        if !items.is_empty() {
            let list: Vec<String> = items.iter().map(|item| format!("- {item}")).collect();
            self.line(list.join("\n"));
        }
    }

    /// Adds a section with a list, or with a sentence when it is empty.
    pub fn list(&mut self, title: &str, nothing: &str, items: Vec<String>) {
        self.section(title);
        if items.is_empty() {
            return self.line(nothing);
        }
        self.items(items);
    }

    pub fn finished(self) -> String {
        format!("{}\n", self.0.trim_end())
    }
}

/// `[1][12]`.
pub(super) fn markers(markers: &[Marker]) -> String {
    markers.iter().map(|marker| format!("[{marker}]")).collect()
}

/// Escapes a text but keeps markers of `known` citations.
pub(super) fn marked(text: &str, known: &BTreeSet<Marker>) -> String {
    known.iter().fold(plain(text), |text, marker| text.replace(&format!("\\[{marker}\\]"), &format!("[{marker}]")))
}

/// Puts outside text on one line and escapes markup. A number and its percent sign stay together.
pub(super) fn plain(text: &str) -> String {
    const NO_BREAK_SPACE: char = '\u{a0}';
    let mut out = String::with_capacity(text.len());
    let words = text.split(|c: char| c.is_whitespace() && c != NO_BREAK_SPACE).filter(|word| !word.is_empty());
    for word in words {
        if !out.is_empty() {
            out.push(' ');
        }
        for character in word.chars() {
            if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~') {
                out.push('\\');
            }
            out.push(character);
        }
    }
    out
}

/// Demotes headings to the third level and below. Code blocks stay unchanged.
pub(super) fn demoted(text: &str) -> String {
    const TOP: usize = 3;
    const LOWEST: usize = 6;
    let mut in_code = false;
    let lines: Vec<(&str, Option<usize>)> = text
        .lines()
        .map(|line| {
            let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
            in_code ^= is_fence;
            (line, heading_level(line).filter(|_| !in_code))
        })
        .collect();
    let Some(highest) = lines.iter().filter_map(|(_, level)| *level).min() else { return text.to_owned() };
    let demoted = lines.into_iter().map(|(line, level)| match level {
        Some(level) => {
            let title = line.trim_start().trim_start_matches('#');
            format!("{}{title}", "#".repeat((level + TOP - highest).min(LOWEST)))
        }
        None => line.to_owned(),
    });
    demoted.collect::<Vec<_>>().join("\n")
}

/// Returns the level of a `#` heading.
fn heading_level(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let marks = line[indent..].len() - line[indent..].trim_start_matches('#').len();
    let after = &line[indent + marks..];
    (indent < 4 && (1..=6).contains(&marks) && (after.is_empty() || after.starts_with([' ', '\t']))).then_some(marks)
}

/// `20 May 2031` of `2031-05-20`; what is no day stays as it is.
pub(super) fn date(text: &str) -> String {
    last_day_of(text).map_or_else(|| plain(text), |day| day.format("%-d %B %Y").to_string())
}

/// `14 March 2031`, as exactly as it is known.
pub(super) fn day(published: &PublicationDate) -> String {
    let format = match published.precision {
        domain::Precision::Year => "%Y",
        domain::Precision::Month => "%B %Y",
        domain::Precision::Day | domain::Precision::Minute => "%-d %B %Y",
    };
    published.value.to_datetime().format(format).to_string()
}

/// `14 March 2031, 09:30 UTC`.
pub(super) fn exact(moment: Timestamp) -> String {
    moment.to_datetime().format("%-d %B %Y, %H:%M UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_stays_text() {
        assert_eq!(plain("a [link](x)\n# <b>*"), "a \\[link\\](x) \\# \\<b\\>\\*");
        assert_eq!(plain(" 50\u{a0}%\u{2028} of\r\n it "), "50\u{a0}% of it");
        assert_eq!(markers(&[1, 12]), "[1][12]");
    }

    #[test]
    fn a_marker_is_written_alike_everywhere_and_other_brackets_are_text() {
        let known = BTreeSet::from([1, 2]);
        assert_eq!(
            marked("It burned [1][2], they say [9]\nand [a].", &known),
            "It burned [1][2], they say \\[9\\] and \\[a\\]."
        );
        assert_eq!(
            marked("\\[1\\]", &known),
            "\\\\[1\\\\\\]".replace("\\\\[", "\\\\\\["),
            "what was escaped before stays text"
        );
    }

    #[test]
    fn headings_of_the_analysis_are_below_its_section() {
        assert_eq!(demoted("# A\n\ntext\n## B\n"), "### A\n\ntext\n#### B");
        assert_eq!(demoted("## A\n#### C\n#hash"), "### A\n##### C\n#hash");
        assert_eq!(demoted("```\n# no heading\n```\n# A"), "```\n# no heading\n```\n### A");
        assert_eq!(demoted("no heading"), "no heading");
    }

    #[test]
    fn days_are_written_out_and_other_words_stay() {
        assert_eq!([date("2031-05-20"), date("in spring")], ["20 May 2031", "in spring"]);
    }
}
