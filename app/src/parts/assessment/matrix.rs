//! The evidence matrix: each piece of evidence against each hypothesis, in words, letters and colour.

use crate::{
    atoms::cite,
    format,
    parts::assessment::{Contests, ReportContext, Section, Tab, is_excluded},
};
use domain::{
    AssessmentId,
    annotation::ContestedItem,
    assessment::{Body, Citation, MatrixRow, Rating},
};
use leptos::prelude::*;
use std::collections::BTreeMap;

/// Characters of a hypothesis at the head of its column.
const HEAD_CHARS: usize = 48;
/// Characters of a quote that is not opened.
const QUOTE_CHARS: usize = 160;

/// Rows that tell the hypotheses apart come first; the others are folded, except on paper.
#[component]
pub fn Matrix(rows: Vec<MatrixRow>, body: Body, citations: Vec<Citation>) -> impl IntoView {
    let report = ReportContext::of_page().map(|context| context.id);
    let shares = body.shares();
    let ids: Vec<String> = body.hypotheses.iter().map(|hypothesis| hypothesis.id.clone()).collect();
    let mut rows = rows;
    rows.sort_by_key(|row| std::cmp::Reverse(spread(row)));
    let is_empty = rows.is_empty();
    let line = |row: MatrixRow| {
        let citation = citations.iter().find(|citation| citation.marker == row.citation).cloned();
        line(row, citation, &ids)
    };
    let (telling, flat): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| report.is_none() || spread(row) > 0);
    let lines = telling.into_iter().map(line).collect_view();
    let flat_count = flat.len();
    let flat = flat.into_iter().map(line).collect_view();
    let flat = (flat_count > 0).then(|| {
        view! {
            <details class="matrix-flat">
                <summary>{format!("{} the same with every hypothesis", format::count(flat_count as u64, "piece of evidence is", "pieces of evidence are"))}</summary>
                <div class="scroll" role="region" aria-label="Evidence that separates no hypotheses, scrolls sideways" tabindex="0">
                    <table class="matrix">
                        <caption class="hidden">"Evidence that separates no hypotheses"</caption>
                        <thead>{head_row(&body, &shares, report)}</thead>
                        <tbody>{flat}</tbody>
                    </table>
                </div>
            </details>
        }
    });
    let head = head_row(&body, &shares, report);
    view! {
        <Section id="matrix">
            {if is_empty {
                view! { <p class="muted">"No evidence was rated."</p> }.into_any()
            } else {
                view! {
                    <Legend />
                    <div class="scroll" role="region" aria-label="Evidence matrix, scrolls sideways" tabindex="0">
                        <table class="matrix">
                            <caption class="hidden">"How each piece of evidence bears on each hypothesis"</caption>
                            <thead>{head}</thead>
                            <tbody>{lines}</tbody>
                        </table>
                    </div>
                    {flat}
                }.into_any()
            }}
        </Section>
    }
    .into_any()
}

fn head_row(body: &Body, shares: &BTreeMap<&str, u32>, report: Option<AssessmentId>) -> AnyView {
    let heads = body.hypotheses.iter().map(|hypothesis| {
        let anchor = hypothesis.id.to_lowercase();
        let href = report.map_or_else(|| format!("#{anchor}"), |id| format!("{}#{anchor}", Tab::Analysis.address(id)));
        let share = shares.get(hypothesis.id.as_str()).map(|share| format!("{share} %"));
        view! {
            <th scope="col" class="matrix-hypothesis">
                <a href=href title=hypothesis.statement.clone()>{hypothesis.id.clone()}</a>
                <span class="matrix-statement">{format::abridged(&hypothesis.statement, HEAD_CHARS)}</span>
                <span>{share}</span>
            </th>
        }
    });
    view! {
        <tr>
            <th scope="col">"Evidence"</th>
            <th scope="col">"Credibility"</th>
            <th scope="col">"Relevance"</th>
            {heads.collect_view()}
        </tr>
    }
    .into_any()
}

/// Difference between the highest and the lowest rating of a row: how well it tells the hypotheses apart.
fn spread(row: &MatrixRow) -> i8 {
    let ratings = row.ratings.values().map(|rating| match rating {
        Rating::CC => 2,
        Rating::C => 1,
        Rating::N => 0,
        Rating::I => -1,
        Rating::II => -2,
    });
    let (low, high) = ratings.fold((2, -2), |(low, high): (i8, i8), rating: i8| (low.min(rating), high.max(rating)));
    (high - low).max(0)
}

/// A quote that opens to its whole text where it is long.
fn opened_quote(quote: String) -> AnyView {
    let short = format::abridged(&quote, QUOTE_CHARS);
    if short == quote || ReportContext::of_page().is_none() {
        return view! { <span class="matrix-quote">{short}</span> }.into_any();
    }
    view! { <details class="matrix-whole"><summary class="matrix-quote">{short}</summary><p>{quote}</p></details> }.into_any()
}

fn line(row: MatrixRow, citation: Option<Citation>, ids: &[String]) -> AnyView {
    let cells = ids.iter().map(|id| cell(row.ratings.get(id).copied())).collect_view();
    let (outlet, quote) = citation.map(|citation| (citation.source_name(), citation.quote)).unwrap_or_default();
    let item = ContestedItem::Credibility(row.citation);
    let is_out = is_excluded(row.citation);
    view! {
        <tr class=is_out.then_some("is-excluded")>
            <th scope="row">
                {cite(row.citation)}
                <span class="matrix-outlet">{outlet}</span>
                {opened_quote(quote)}
                {is_out.then(|| view! { <span class="badge badge-warning">"Excluded"</span> })}
            </th>
            <td>{row.credibility.as_str()} <Contests item /></td>
            <td>{row.relevance.as_str()}</td>
            {cells}
        </tr>
    }
    .into_any()
}

fn cell(rating: Option<Rating>) -> AnyView {
    let Some(rating) = rating else { return view! { <td class="rating">"–"</td> }.into_any() };
    let (class, letters, words) = rated(rating);
    view! { <td class=format!("rating rating-{class}")><abbr title=words>{letters}</abbr></td> }.into_any()
}

const fn rated(rating: Rating) -> (&'static str, &'static str, &'static str) {
    match rating {
        Rating::CC => ("cc", "CC", "very consistent"),
        Rating::C => ("c", "C", "consistent"),
        Rating::N => ("n", "N", "neutral"),
        Rating::I => ("i", "I", "inconsistent"),
        Rating::II => ("ii", "II", "very inconsistent"),
    }
}

#[component]
fn Legend() -> impl IntoView {
    let items = [Rating::CC, Rating::C, Rating::N, Rating::I, Rating::II]
        .map(|rating| {
            let (class, letters, words) = rated(rating);
            view! { <li><span class=format!("rating rating-{class}")>{letters}</span>{words}</li> }
        })
        .collect_view();
    view! { <ul class="legend" aria-label="Ratings">{items}</ul> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::assessment::MatrixRow;

    fn row(ratings: &[(&str, Rating)]) -> MatrixRow {
        let ratings: BTreeMap<&str, Rating> = ratings.iter().copied().collect();
        serde_json::from_value(serde_json::json!({
            "citation": 1, "credibility": "high", "relevance": "high", "ratings": ratings,
        }))
        .unwrap()
    }

    #[test]
    fn the_spread_is_the_distance_between_ratings() {
        assert_eq!(spread(&row(&[("H1", Rating::CC), ("H2", Rating::II)])), 4);
        assert_eq!(spread(&row(&[("H1", Rating::N), ("H2", Rating::I)])), 1);
        assert_eq!(spread(&row(&[("H1", Rating::C), ("H2", Rating::C)])), 0);
        assert_eq!(spread(&row(&[])), 0);
    }
}
