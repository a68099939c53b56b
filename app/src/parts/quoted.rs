//! The text of a document with one quote marked.

use domain::claim::Span;
use leptos::prelude::*;
use views::TextWindow;

/// Paragraphs as they stand in the stored text; the part inside `quote` is marked, its beginning is `#quote`.
#[component]
pub fn QuotedText(text: TextWindow, quote: Option<Span>) -> impl IntoView {
    let quote = quote.and_then(|span| text.place_of(span));
    let mut is_first = true;
    let paragraphs = paragraphs(&text.text)
        .map(|(start, paragraph)| {
            let Some([before, marked, after]) = quote.and_then(|quote| cut(paragraph, start, quote)) else {
                return view! { <p>{paragraph.to_owned()}</p> }.into_any();
            };
            let mark = if std::mem::take(&mut is_first) {
                view! { <mark id="quote" tabindex="-1" autofocus>{marked.to_owned()}</mark> }.into_any()
            } else {
                view! { <mark>{marked.to_owned()}</mark> }.into_any()
            };
            view! { <p>{before.to_owned()} {mark} {after.to_owned()}</p> }.into_any()
        })
        .collect_view();
    view! { <div class="document-text">{paragraphs}</div> }
}

/// Each paragraph with where it starts in bytes. Empty lines part paragraphs.
fn paragraphs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split("\n\n").filter_map(move |paragraph| {
        let at = start;
        start += paragraph.len() + 2;
        (!paragraph.trim().is_empty()).then_some((at, paragraph))
    })
}

/// The parts of a paragraph before, in and after the quote; none when they do not meet.
fn cut(paragraph: &str, start: usize, quote: Span) -> Option<[&str; 3]> {
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).saturating_sub(start).min(paragraph.len());
    let (from, to) = (place(quote.start), place(quote.end));
    (from < to).then(|| [&paragraph[..from], &paragraph[from..to], &paragraph[to..]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_may_run_over_several_paragraphs() {
        let text = "One — two.\n\n\nThree four.\n\nFive.";
        let start = text.find("two").unwrap() as u64;
        let end = text.find(" four").unwrap() as u64;
        let found: Vec<_> = paragraphs(text)
            .filter_map(|(at, paragraph)| cut(paragraph, at, Span { start, end }))
            .map(|parts| parts[1])
            .collect();
        assert_eq!(found, ["two.", "\nThree"]);
    }
}
