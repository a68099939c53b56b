//! The text of a document with one quote marked and the quotes of claims linked.

use crate::prelude::*;
use domain::{ClaimId, claim::Span};
use views::TextWindow;

/// Paragraphs as they stand in the stored text. The part inside `quote` is marked, its beginning is `#quote`; what claims quote is
/// underlined and leads to the claim, the first of several.
#[component]
pub fn QuotedText(text: TextWindow, quote: Option<Span>, claims: Vec<(Span, ClaimId)>) -> impl IntoView {
    let quote = quote.and_then(|span| text.place_of(span));
    let claims: Vec<(Span, ClaimId)> = claims.into_iter().filter_map(|(span, id)| Some((text.place_of(span)?, id))).collect();
    let mut is_first = true;
    let paragraphs = paragraphs(&text.text)
        .map(|(start, paragraph)| {
            let runs = runs(paragraph, start, quote, &claims).into_iter().map(|run| {
                let linked = match run.claim {
                    Some(id) => view! { <a class="claimed" href=format!("/claims/{id}")>{run.text.to_owned()}</a> }.into_any(),
                    None => run.text.to_owned().into_any(),
                };
                match run.is_quoted {
                    true if std::mem::take(&mut is_first) => {
                        view! { <mark id="quote" tabindex="-1" autofocus>{linked}</mark> }.into_any()
                    }
                    true => view! { <mark>{linked}</mark> }.into_any(),
                    false => linked,
                }
            });
            view! { <p>{runs.collect_view()}</p> }.into_any()
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

/// Part of a paragraph that is quoted throughout or not at all, and claimed by one claim or by none.
#[derive(Debug, PartialEq)]
struct Run<'a> {
    text: &'a str,
    is_quoted: bool,
    claim: Option<ClaimId>,
}

/// Returns the bytes of white space at the beginning, so that no mark begins with a blank.
fn leading_space(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Cuts a paragraph that starts at `start` wherever a quote begins or ends.
fn runs<'a>(paragraph: &'a str, start: usize, quote: Option<Span>, claims: &[(Span, ClaimId)]) -> Vec<Run<'a>> {
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).saturating_sub(start).min(paragraph.len());
    let within = |span: Span| Some((place(span.start), place(span.end))).filter(|(from, to)| from < to);
    let quote = quote.and_then(within).and_then(|(from, to)| Some((from + leading_space(paragraph.get(from..to)?), to)));
    let claims: Vec<((usize, usize), ClaimId)> = claims.iter().filter_map(|(span, id)| Some((within(*span)?, *id))).collect();
    let mut cuts = vec![0, paragraph.len()];
    cuts.extend(quote.iter().chain(claims.iter().map(|(span, _)| span)).flat_map(|(from, to)| [*from, *to]));
    cuts.sort_unstable();
    cuts.dedup();
    let run = |ends: &[usize]| {
        let holds = |(from, to): (usize, usize)| from <= ends[0] && ends[1] <= to;
        Some(Run {
            text: paragraph.get(ends[0]..ends[1])?,
            is_quoted: quote.is_some_and(holds),
            claim: claims.iter().find(|(span, _)| holds(*span)).map(|(_, id)| *id),
        })
    };
    cuts.windows(2).filter_map(run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: usize, end: usize) -> Span {
        Span { start: start as u64, end: end as u64 }
    }

    #[test]
    fn a_quote_may_run_over_several_paragraphs() {
        let text = "One — two.\n\n\nThree four.\n\nFive.";
        let quote = span(text.find("two").unwrap(), text.find(" four").unwrap());
        let found: Vec<_> = paragraphs(text)
            .flat_map(|(at, paragraph)| runs(paragraph, at, Some(quote), &[]))
            .filter(|run| run.is_quoted)
            .map(|run| run.text)
            .collect();
        assert_eq!(found, ["two.", "Three"], "without blanks before");
    }

    #[test]
    fn quotes_of_claims_may_overlap_each_other_and_the_quote() {
        let id = |number: u32| format!("00000000-0000-0000-0000-{number:012}").parse::<ClaimId>().unwrap();
        let claims = [(span(0, 7), id(1)), (span(4, 11), id(2))];
        let found = runs("One two three four.", 0, Some(span(4, 13)), &claims);
        let found: Vec<_> = found.into_iter().map(|run| (run.text, run.is_quoted, run.claim)).collect();
        let expected = [
            ("One ", false, Some(id(1))),
            ("two", true, Some(id(1))),
            (" thr", true, Some(id(2))),
            ("ee", true, None),
            (" four.", false, None),
        ];
        assert_eq!(found, expected);
    }
}
