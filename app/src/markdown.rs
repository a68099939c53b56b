//! The Markdown of an analysis as safe HTML: raw HTML and addresses in it stay text, `[n]` becomes a link to the citation.

use ammonia::Builder;
use domain::assessment::{Marker, with_whole_percents};
use engine::assessments::without_links;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, TextMergeStream, html::push_html};
use std::{collections::BTreeSet, sync::LazyLock};

static SANITISER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder
        .rm_tags(["img"])
        .url_schemes([].into())
        .add_allowed_classes("a", &["cite"])
        .link_rel(Some("noopener noreferrer nofollow"));
    builder
});

/// Renders `text`; `markers` are the citations that exist.
pub fn analysis(text: &str, markers: &BTreeSet<Marker>) -> String {
    let text = &without_links(text);
    let mut in_code = false;
    let mut events = vec![];
    for event in TextMergeStream::new(Parser::new_ext(text, Options::ENABLE_TABLES)) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            _ => {}
        }
        match event {
            Event::Text(text) if !in_code => link_markers(&text, markers, &mut events),
            Event::Start(Tag::Heading { level, id, classes, attrs }) => {
                events.push(Event::Start(Tag::Heading { level: lower(level), id, classes, attrs }));
            }
            Event::End(TagEnd::Heading(level)) => events.push(Event::End(TagEnd::Heading(lower(level)))),
            other => events.push(other),
        }
    }
    let mut html = String::with_capacity(text.len() * 2);
    push_html(&mut html, events.into_iter());
    SANITISER.clean(&html).to_string()
}

/// The page has a title and section headings of its own above these.
fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 | HeadingLevel::H3 => HeadingLevel::H3,
        _ => HeadingLevel::H4,
    }
}

fn link_markers<'a>(text: &str, markers: &BTreeSet<Marker>, events: &mut Vec<Event<'a>>) {
    let mut rest = text;
    while let Some((before, marker, after)) = next_marker(rest) {
        let linked = markers.contains(&marker);
        let shown = if linked { before } else { &rest[..rest.len() - after.len()] };
        events.push(Event::Text(CowStr::from(with_whole_percents(shown))));
        if linked {
            events.push(Event::InlineHtml(CowStr::from(format!(
                "<a class=\"cite\" href=\"#c{marker}\"><i>[</i>{marker}<i>]</i></a>"
            ))));
        }
        rest = after;
    }
    events.push(Event::Text(CowStr::from(with_whole_percents(rest))));
}

/// Splits a text at its first `[n]` into text before, number and text after.
fn next_marker(text: &str) -> Option<(&str, Marker, &str)> {
    text.match_indices('[').find_map(|(start, _)| {
        let (digits, after) = text[start + 1..].split_once(']')?;
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        Some((&text[..start], digits.parse().ok().filter(|_| is_number)?, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html_of(text: &str) -> String {
        analysis(text, &BTreeSet::from([1, 2]))
    }

    #[test]
    fn markers_of_citations_become_links_and_others_stay() {
        let html = html_of("It burned [1][2], they say [9] and [a], with 70 % certainty.");
        assert_eq!(html.matches("class=\"cite\"").count(), 2, "{html}");
        assert!(html.contains("href=\"#c2\"") && html.contains("[9] and [a]") && html.contains("70&nbsp;%"), "{html}");
        assert!(html.contains("<i>[</i>2<i>]</i></a>, they"), "pasted, a number does not run into a word: {html}");
    }

    #[test]
    fn markup_from_outside_is_harmless() {
        let html = html_of("<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))\n\n# Title");
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("href=\"javascript"), "{html}");
        assert!(html.contains("<h3>Title</h3>"), "{html}");
        let html =
            html_of("[here](https://a.example/x) ![](https://b.example/) <https://c.example/> [1]\n\n[1]: https://d.example/");
        assert_eq!(html.matches("<a ").count(), html.matches("class=\"cite\"").count(), "only citations: {html}");
        for address in ["https://a.example/x", "https://b.example/", "https://c.example/", "https://d.example/"] {
            assert!(html.contains(&format!("<code>{address}</code>")), "{address}: {html}");
        }
    }
}
