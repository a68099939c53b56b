//! Plain text and Markdown, and text normalisation for all formats.

mod decode;
mod front_matter;

pub(crate) use decode::{decode, looks_like_utf16, normalise, unicode_mark};
pub(crate) use front_matter::read_front_matter;

use crate::{config::ParseConfig, links, parse::ParsedDocument, refusal::Refusal};

const PLAIN: &str = "text/1";
const MARKDOWN: &str = "markdown/1";
const MAX_TITLE_CHARS: usize = 120;

/// Parses plain text or Markdown. The text is kept as written, except for a front matter block, which is metadata.
pub(crate) fn parse(
    bytes: &[u8],
    charset: Option<&str>,
    is_markdown: bool,
    limits: &ParseConfig,
) -> Result<ParsedDocument, Refusal> {
    let text = normalise(&decode(bytes, charset));
    let (front, text) = read_front_matter(text, is_markdown);
    if text.trim().is_empty() {
        return Err(Refusal::empty());
    }
    let title = front.title.or_else(|| first_line(&text[front.body_start.min(text.len())..], is_markdown));
    Ok(ParsedDocument {
        extractor: if is_markdown { MARKDOWN } else { PLAIN }.to_owned(),
        title,
        byline: front.byline,
        outlet: front.outlet,
        published: front.published,
        language: front.language,
        links: links::in_text(&text, limits.max_links),
        text,
        ..ParsedDocument::default()
    })
}

/// First heading of Markdown, otherwise the first line with a word, cut to a title's length.
fn first_line(text: &str, is_markdown: bool) -> Option<String> {
    let has_word = |line: &&str| line.chars().any(char::is_alphanumeric);
    let heading = is_markdown.then(|| text.lines().take(50).find(|line| line.starts_with('#')).filter(has_word));
    let line = heading.flatten().or_else(|| text.lines().find(has_word))?;
    let line = line.trim_start_matches(['#', '>', '*', '_', '=', '-', ' ', '\t']).trim_end_matches(['#', '*', '_', ' ']);
    tidy_title(line)
}

/// Whether a word list, with ", " between its entries, contains `entry`.
pub(crate) fn is_listed(list: &str, entry: &str) -> bool {
    list.split(", ").any(|listed| listed.eq_ignore_ascii_case(entry))
}

/// Text without control characters other than line ends and tabs.
pub(crate) fn without_controls(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || c.is_whitespace()).collect()
}

/// Title with folded white space, cut at a word; `None` if empty.
pub(crate) fn tidy_title(title: &str) -> Option<String> {
    let title = without_controls(title).split_whitespace().collect::<Vec<_>>().join(" ");
    if title.chars().count() <= MAX_TITLE_CHARS {
        return (!title.is_empty()).then_some(title);
    }
    let cut: String = title.chars().take(MAX_TITLE_CHARS).collect();
    let cut = cut.rsplit_once(' ').map_or(cut.as_str(), |(head, _)| head);
    Some(format!("{}…", cut.trim_end_matches([',', ';', ':'])))
}
