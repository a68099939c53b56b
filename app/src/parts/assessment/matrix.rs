//! The evidence matrix: each piece of evidence against each hypothesis, in words, letters and colour.

use crate::{atoms::cite, parts::assessment::is_excluded, prelude::*};
use domain::assessment::{Body, Hypothesis, MatrixRow, Question, Rating, shares};

/// Characters of a hypothesis at the head of its column.
const HEAD_CHARS: usize = 36;
/// Characters of a quote.
const QUOTE_CHARS: usize = 160;
/// Rows of a table that stand open.
const OPEN_ROWS: usize = 25;

/// One table per question. Rows that tell the hypotheses apart come first; the others are folded, except on paper.
#[component]
pub fn Matrix(rows: Vec<MatrixRow>, body: Body, citations: Vec<Citation>) -> impl IntoView {
    let sets = body.hypothesis_sets();
    let tables = sets.iter().filter_map(|(question, answers)| {
        let question = question.filter(|_| sets.len() > 1);
        table_of(question, answers, &rows, &citations)
    });
    let tables: Vec<AnyView> = tables.collect();
    view! {
        <Section id="matrix">
            {if tables.is_empty() {
                view! { <p class="muted">"No evidence was rated."</p> }.into_any()
            } else {
                view! { <Legend /> {tables} }.into_any()
            }}
        </Section>
    }
}

/// The table of one question, with its text where there are several; none where nothing is rated for its answers.
fn table_of(
    question: Option<&Question>,
    answers: &[&Hypothesis],
    rows: &[MatrixRow],
    citations: &[Citation],
) -> Option<AnyView> {
    let ids: Vec<&str> = answers.iter().map(|answer| answer.id.as_str()).collect();
    let mut rated: Vec<&MatrixRow> = rows.iter().filter(|row| ids.iter().any(|id| row.ratings.contains_key(*id))).collect();
    if rated.is_empty() {
        return None;
    }
    rated.sort_by_key(|row| std::cmp::Reverse(spread(row, &ids)));
    let telling = match rated.iter().filter(|row| spread(row, &ids) > 0).count() {
        0 => rated.len(),
        telling => telling,
    };
    let is_on_paper = ReportContext::of_page().is_none();
    let folded = if is_on_paper { vec![] } else { rated.split_off(telling.min(OPEN_ROWS)) };
    let name = question.map_or_else(String::new, |question| format!(" for {}", question.id));
    let table = |label: String, rows: &[&MatrixRow]| {
        let lines = rows.iter().map(|row| {
            let citation = citations.iter().find(|citation| citation.marker == row.citation);
            line(row, citation, &ids)
        });
        let caption = label.clone();
        view! {
            <div class="scroll" role="region" aria-label=label tabindex="0">
                <table class="matrix">
                    <caption class="hidden">{caption}</caption>
                    <thead>{head_row(answers)}</thead>
                    <tbody>{lines.collect_view()}</tbody>
                </table>
            </div>
        }
        .into_any()
    };
    let open = table(format!("How each piece of evidence bears on each hypothesis{name}"), &rated);
    let folded = (!folded.is_empty()).then(|| {
        let count = folded.len() as u64;
        let summary = match folded.iter().all(|row| spread(row, &ids) == 0) {
            true => format!(
                "{} the same with every hypothesis",
                format::count(count, "piece of evidence is", "pieces of evidence are")
            ),
            false => format::count(count, "more piece of evidence", "more pieces of evidence"),
        };
        let table = table(format!("Further evidence{name}"), &folded);
        view! { <details class="matrix-flat"><summary>{summary}</summary>{table}</details> }
    });
    let title = question.map(|question| view! { <h3>{question.text.clone()}</h3> });
    Some(view! { {title} {open} {folded} }.into_any())
}

fn head_row(answers: &[&Hypothesis]) -> AnyView {
    let report = ReportContext::of_page().map(|context| context.id);
    let heads = answers.iter().zip(shares(answers)).map(|(hypothesis, share)| {
        let anchor = hypothesis.id.to_lowercase();
        let share = hypothesis.probability.is_some().then(|| format!("{share}\u{a0}%"));
        let href = report.map_or_else(|| format!("#{anchor}"), |id| format!("{}#{anchor}", Tab::Analysis.address(id)));
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
            {heads.collect_view()}
        </tr>
    }
    .into_any()
}

/// Difference between the highest and the lowest rating of a row for these hypotheses: how well it tells them apart.
fn spread(row: &MatrixRow, ids: &[&str]) -> i8 {
    let ratings = ids.iter().filter_map(|id| row.ratings.get(*id)).map(|rating| match rating {
        Rating::CC => 2,
        Rating::C => 1,
        Rating::N => 0,
        Rating::I => -1,
        Rating::II => -2,
    });
    let (low, high) = ratings.fold((2, -2), |(low, high): (i8, i8), rating: i8| (low.min(rating), high.max(rating)));
    (high - low).max(0)
}

fn line(row: &MatrixRow, citation: Option<&Citation>, ids: &[&str]) -> AnyView {
    let cells = ids.iter().map(|id| cell(row.ratings.get(*id).copied())).collect_view();
    let outlet = citation.map(Citation::source_name);
    let quote = citation.map(|citation| format::abridged(&citation.quote, QUOTE_CHARS));
    let worth = format!("{} credibility, {} relevance", row.credibility.as_str(), row.relevance.as_str());
    let is_out = is_excluded(row.citation);
    view! {
        <tr class=is_out.then_some("is-excluded")>
            <th scope="row">
                {cite(row.citation)}
                <span class="matrix-outlet">{outlet}</span> " " <span class="matrix-worth">{worth}</span>
                <span class="matrix-quote">{quote}</span>
                {is_out.then(|| view! { <span class="badge badge-warning">"Excluded"</span> })}
            </th>
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
    use std::collections::BTreeMap;

    fn row(ratings: &[(&str, Rating)]) -> MatrixRow {
        let ratings: BTreeMap<&str, Rating> = ratings.iter().copied().collect();
        serde_json::from_value(serde_json::json!({
            "citation": 1, "credibility": "high", "relevance": "high", "ratings": ratings,
        }))
        .unwrap()
    }

    #[test]
    fn the_spread_is_the_distance_between_ratings() {
        assert_eq!(spread(&row(&[("H1", Rating::CC), ("H2", Rating::II)]), &["H1", "H2"]), 4);
        assert_eq!(spread(&row(&[("H1", Rating::N), ("H2", Rating::I)]), &["H1", "H2"]), 1);
        assert_eq!(spread(&row(&[("H1", Rating::C), ("H2", Rating::C)]), &["H1", "H2"]), 0);
        assert_eq!(spread(&row(&[]), &["H1", "H2"]), 0);
    }
}
