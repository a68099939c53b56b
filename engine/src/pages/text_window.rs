//! Cutting of the part of a long text that a page shows, at ends of paragraphs where possible.

use super::PagesConfig;
use views::{TextPlace, TextWindow};

/// Limits on a part: bytes, and paragraphs, because each costs a page far more than its bytes.
#[derive(Debug, Clone, Copy)]
struct PartLimits {
    bytes: usize,
    paragraphs: usize,
}

impl PartLimits {
    const fn third(self) -> Self {
        Self { bytes: self.bytes / 3, paragraphs: self.paragraphs / 3 }
    }
}

const PARAGRAPH_END: &str = "\n\n";

/// Returns the part of a text at a place; the whole text if it fits.
pub(super) fn text_window(text: &str, place: TextPlace, config: &PagesConfig) -> TextWindow {
    let limits = PartLimits { bytes: config.document_part_bytes, paragraphs: config.document_part_paragraphs };
    let boundary = |at: u64| text.floor_char_boundary(usize::try_from(at).unwrap_or(usize::MAX));
    let (start, end) = match place {
        _ if fits(text, limits) => (0, text.len()),
        TextPlace::From(at) => (boundary(at), end_after(text, boundary(at), limits)),
        TextPlace::Until(at) => (start_before(text, boundary(at), limits), boundary(at)),
        TextPlace::Around(span) => {
            let third = limits.third();
            let quote_start = boundary(span.start);
            let quote_end = boundary(span.end).clamp(quote_start, end_after(text, quote_start, third));
            (start_before(text, quote_start, third), end_after(text, quote_end, third))
        }
    };
    TextWindow { text: text[start..end].to_owned(), start: start as u64, total: text.len() as u64 }
}

fn fits(text: &str, limits: PartLimits) -> bool {
    text.len() <= limits.bytes && text.matches(PARAGRAPH_END).count() <= limits.paragraphs
}

/// Returns the end of a part that begins at `start`.
fn end_after(text: &str, start: usize, limits: PartLimits) -> usize {
    let longest = text.floor_char_boundary(start.saturating_add(limits.bytes));
    let part = &text[start..longest];
    if let Some((at, found)) = part.match_indices(PARAGRAPH_END).nth(limits.paragraphs - 1) {
        return start + at + found.len();
    }
    if longest == text.len() {
        return longest;
    }
    let is_late = |at: &usize| *at >= part.len() / 2;
    let paragraph = part.rfind(PARAGRAPH_END).map(|at| at + PARAGRAPH_END.len()).filter(is_late);
    let word = || part.char_indices().rfind(|(_, c)| c.is_whitespace()).map(|(at, c)| at + c.len_utf8()).filter(is_late);
    start + paragraph.or_else(word).unwrap_or(part.len())
}

/// Returns the start of a part that ends at `end`.
fn start_before(text: &str, end: usize, limits: PartLimits) -> usize {
    let longest = text.ceil_char_boundary(end.saturating_sub(limits.bytes));
    let part = &text[longest..end];
    if let Some((at, found)) = part.rmatch_indices(PARAGRAPH_END).nth(limits.paragraphs - 1) {
        return longest + at + found.len();
    }
    if longest == 0 {
        return 0;
    }
    let is_early = |at: &usize| *at <= part.len() / 2;
    let paragraph = part.find(PARAGRAPH_END).map(|at| at + PARAGRAPH_END.len()).filter(is_early);
    let word = || part.char_indices().find(|(_, c)| c.is_whitespace()).map(|(at, c)| at + c.len_utf8()).filter(is_early);
    longest + paragraph.or_else(word).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::claim::Span;
    use proptest::prelude::*;

    fn config() -> PagesConfig {
        PagesConfig { document_part_bytes: 60, document_part_paragraphs: 6, ..PagesConfig::default() }
    }

    fn check_size(window: &TextWindow) {
        assert!(window.text.len() <= 60 && window.text.matches("\n\n").count() <= 6, "{window:?}");
    }

    #[test]
    fn a_text_that_fits_is_shown_whole() {
        let window = text_window("One.\n\nTwo.", TextPlace::From(5), &config());
        assert_eq!((window.text.as_str(), window.start, window.total), ("One.\n\nTwo.", 0, 10));
    }

    #[test]
    fn a_part_ends_with_a_paragraph() {
        let text = format!("{}\n\n{}", "word ".repeat(10).trim(), "more ".repeat(40));
        let first = text_window(&text, TextPlace::From(0), &config());
        assert_eq!(first.text, format!("{}\n\n", "word ".repeat(10).trim()));
        let next = text_window(&text, TextPlace::From(first.end()), &config());
        assert!(next.text.starts_with("more ") && next.text.ends_with(' '), "{next:?}");
        assert_eq!(text_window(&text, TextPlace::Until(first.end()), &config()), first);
    }

    #[test]
    fn a_quote_has_text_before_and_after_it() {
        let text = format!("{}the quote{}", "before ".repeat(50), " after".repeat(50));
        let span = Span { start: 350, end: 359 };
        let window = text_window(&text, TextPlace::Around(span), &config());
        assert_eq!(window.text, "before before the quote after after after ");
        assert_eq!(window.place_of(span).and_then(|place| place.slice(&window.text)), Some("the quote"));
    }

    proptest! {
        #[test]
        fn parts_are_bounded_and_make_the_whole_text(text in "([a-zä　]{0,9}(\n\n| |){1,3}){0,60}", at in 0_u64..900, length in 0_u64..900) {
            let (mut forward, mut end) = (String::new(), 0);
            while end < text.len() as u64 {
                let part = text_window(&text, TextPlace::From(end), &config());
                check_size(&part);
                prop_assert!(part.end() > end);
                end = part.end();
                forward.push_str(&part.text);
            }
            prop_assert_eq!(&forward, &text);
            let (mut backward, mut start) = (String::new(), text.len() as u64);
            while start > 0 {
                let part = text_window(&text, TextPlace::Until(start), &config());
                check_size(&part);
                prop_assert!(part.start < start);
                start = part.start;
                backward.insert_str(0, &part.text);
            }
            prop_assert_eq!(&backward, &text);
            let around = text_window(&text, TextPlace::Around(Span { start: at, end: at + length }), &config());
            // Line ends of two neighbouring thirds may make one paragraph end more.
            prop_assert!(around.text.len() <= 60 && around.text.matches("\n\n").count() <= 8, "{:?}", around);
        }
    }
}
