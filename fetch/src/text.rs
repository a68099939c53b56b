//! Plain text and Markdown, and what every kind needs: bytes to characters, and the one normal form of a text.

mod decode;
mod front;

pub(crate) use decode::{decode, looks_like_utf16, normalise, unicode_mark};
pub(crate) use front::read_front;

use crate::{config::ParseConfig, links, parse::Parsed, refusal::Refusal};

const PLAIN: &str = "text/1";
const MARKDOWN: &str = "markdown/1";
const MAX_TITLE_CHARS: usize = 120;

/// Reads plain text or Markdown. The text stays as it was written, but for a front matter block, which is metadata.
pub(crate) fn parse(bytes: &[u8], charset: Option<&str>, is_markdown: bool, limits: &ParseConfig) -> Result<Parsed, Refusal> {
    let text = normalise(&decode(bytes, charset));
    let (front, text) = read_front(text, is_markdown);
    if text.trim().is_empty() {
        return Err(Refusal::empty());
    }
    let title = front.title.or_else(|| first_line(&text[front.body_start.min(text.len())..], is_markdown));
    Ok(Parsed {
        extractor: if is_markdown { MARKDOWN } else { PLAIN }.to_owned(),
        title,
        byline: front.byline,
        outlet: front.outlet,
        published: front.published,
        language: front.language,
        links: links::in_text(&text, limits.max_links),
        text,
        ..Parsed::default()
    })
}

/// The first heading of Markdown, else the first line with a word in it, cut to a title's length.
fn first_line(text: &str, is_markdown: bool) -> Option<String> {
    let has_word = |line: &&str| line.chars().any(char::is_alphanumeric);
    let heading = is_markdown.then(|| text.lines().take(50).find(|line| line.starts_with('#')).filter(has_word));
    let line = heading.flatten().or_else(|| text.lines().find(has_word))?;
    let line = line.trim_start_matches(['#', '>', '*', '_', '=', '-', ' ', '\t']).trim_end_matches(['#', '*', '_', ' ']);
    tidy_title(line)
}

/// White space folded, cut at a word; `None` when nothing is left.
pub(crate) fn tidy_title(title: &str) -> Option<String> {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.chars().count() <= MAX_TITLE_CHARS {
        return (!title.is_empty()).then_some(title);
    }
    let cut: String = title.chars().take(MAX_TITLE_CHARS).collect();
    let cut = cut.rsplit_once(' ').map_or(cut.as_str(), |(head, _)| head);
    Some(format!("{}…", cut.trim_end_matches([',', ';', ':'])))
}
