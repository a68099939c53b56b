//! Sanitiser of Markdown that a model wrote: addresses become text, and HTML, images and link definitions become harmless.
//!
//! Invariant: an analysis passes through here before it is shown on a page or written to a file.

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// Maximum number of passes; one edit may uncover the next. A text that needs more becomes a code block.
const MAX_PASSES: usize = 8;

/// Replacement of a part of the text.
type Edit = (Range<usize>, String);

/// Returns the Markdown without links, images and HTML. Their words and addresses stay as text.
pub fn without_links(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..MAX_PASSES {
        let mut edits = edits(&text);
        if edits.is_empty() {
            return text;
        }
        edits.sort_by_key(|(range, _)| range.start);
        edits.dedup();
        text = apply(&text, edits);
    }
    code_block(&text)
}

/// Returns what makes links, images, HTML and bare addresses text.
fn edits(text: &str) -> Vec<Edit> {
    let parser = Parser::new_ext(text, Options::ENABLE_TABLES);
    let escape = |at: usize| (at..at, "\\".to_owned());
    let mut edits: Vec<Edit> = parser.reference_definitions().iter().map(|(_, found)| escape(found.span.start)).collect();
    let (mut in_code, mut in_link) = (false, 0_u32);
    // Text that stands as it reads, which the parser gives in pieces.
    let mut literal = 0..0;
    for (event, range) in parser.into_offset_iter() {
        let is_literal = !in_code && in_link == 0 && matches!(&event, Event::Text(words) if text[range.clone()] == **words);
        match is_literal {
            true if literal.end == range.start => literal.end = range.end,
            true => edits.extend(address_edits(text, std::mem::replace(&mut literal, range.clone()))),
            false => edits.extend(address_edits(text, std::mem::replace(&mut literal, range.end..range.end))),
        }
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Html(_) | Event::InlineHtml(_) => {
                let opening = text[range.clone()].match_indices('<').map(|(at, _)| range.start + at);
                edits.extend(opening.map(|at| (at..at + 1, "&lt;".to_owned())));
            }
            Event::Start(Tag::Link { link_type, .. }) => {
                in_link += 1;
                match link_type {
                    LinkType::Autolink | LinkType::Email => {
                        let address = text[range.clone()].trim_start_matches('<').trim_end_matches('>');
                        edits.push((range, code(address)));
                    }
                    LinkType::Inline => edits.push(escape(range.start)),
                    // Links by reference end with their definition.
                    _ => {}
                }
            }
            Event::Start(Tag::Image { link_type, .. }) => {
                in_link += 1;
                if link_type == LinkType::Inline {
                    edits.push(escape(range.start + 1));
                }
            }
            Event::End(TagEnd::Link | TagEnd::Image) => in_link = in_link.saturating_sub(1),
            _ => {}
        }
    }
    edits.extend(address_edits(text, literal));
    edits
}

/// Returns the edits that make the addresses of a text code, which no viewer turns into links.
fn address_edits(text: &str, range: Range<usize>) -> Vec<Edit> {
    let words = &text[range.clone()];
    let edit = |part: Range<usize>| (range.start + part.start..range.start + part.end, code(&words[part]));
    addresses(words).into_iter().map(edit).collect()
}

/// Returns the places of addresses, also without a scheme, as viewers recognise them.
fn addresses(text: &str) -> Vec<Range<usize>> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '|');
    let mut found = vec![];
    let mut start = 0;
    for word in text.split_inclusive(is_end) {
        let bare = word.trim_end_matches(is_end);
        if let Some(at) = address_start(bare) {
            let end = bare.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '’', '”', '»', ')', ']', '}']).len();
            found.extend((at < end).then_some(start + at..start + end));
        }
        start += word.len();
    }
    found
}

fn address_start(word: &str) -> Option<usize> {
    let scheme = word.find("://").map(|at| {
        let letters = word[..at].chars().rev().take_while(|c| c.is_ascii_alphanumeric()).count();
        at - letters
    });
    scheme.into_iter().chain(word.to_ascii_lowercase().find("www.")).min()
}

/// Formats a text as inline code, on one line.
fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn code_block(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Applies edits in order; one that overlaps an earlier one waits for the next pass.
fn apply(text: &str, edits: Vec<Edit>) -> String {
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for (range, replacement) in edits {
        if range.start >= done {
            out.push_str(&text[done..range.start]);
            out.push_str(&replacement);
            done = range.end;
        }
    }
    out + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn links_images_and_html_become_text() {
        let cases = [
            ("It burned [1][2], *they* say.", "It burned [1][2], *they* say."),
            ("[here](https://a.example/x \"t\")", "\\[here](`https://a.example/x` \"t\")"),
            ("![](https://a.example/?d=1)", "!\\[](`https://a.example/?d=1`)"),
            ("<https://a.example/x>", "`https://a.example/x`"),
            ("See https://a.example/x, or (www.b.example).", "See `https://a.example/x`, or (`www.b.example`)."),
            ("It burned [1].\n\n[1]: https://a.example/", "It burned [1].\n\n\\[1]: `https://a.example/`"),
            ("a <img src=x> b", "a &lt;img src=x> b"),
            ("`https://a.example/` stays", "`https://a.example/` stays"),
            ("```\nhttps://a.example/\n```", "```\nhttps://a.example/\n```"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_links(text), expected, "{text}");
        }
        assert_eq!(without_links("<div>\n<img src=\"https://a.example/\">\n</div>"), {
            "&lt;div>\n&lt;img src=\"`https://a.example/`\">\n&lt;/div>"
        });
    }

    proptest! {
        #[test]
        fn no_text_becomes_a_link(parts in prop::collection::vec(prop::sample::select(vec![
            "[", "]", "(", ")", "!", "<", ">", "`", "``", "\\", "https://a.example/", "&#104;ttp://b.example", "www.c.example", "\n", "\n\n",
            " ", "x", ": ", "a", "img src=", "\"", "*", "_", "|", "-", "[1]: ", "1", "    ", "\t", "&lt;", "<!--", "-->", "> ", "- ",
        ]), 0..24)) {
            let safe = without_links(&parts.concat());
            for event in Parser::new_ext(&safe, Options::ENABLE_TABLES) {
                let leads = matches!(
                    event,
                    Event::Start(Tag::Link { .. } | Tag::Image { .. }) | Event::Html(_) | Event::InlineHtml(_)
                );
                prop_assert!(!leads, "{event:?} of {safe:?}");
            }
        }
    }
}
