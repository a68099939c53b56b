//! The evidence matrix: each piece of evidence against each hypothesis, in words, letters and colour.

use crate::parts::assessment::{Contests, Section, is_excluded};
use domain::{
    annotation::ContestedItem,
    assessment::{Citation, Hypothesis, MatrixRow, Rating},
};
use leptos::prelude::*;

#[component]
pub fn Matrix(rows: Vec<MatrixRow>, hypotheses: Vec<Hypothesis>, citations: Vec<Citation>) -> impl IntoView {
    let ids: Vec<String> = hypotheses.iter().map(|hypothesis| hypothesis.id.clone()).collect();
    let heads = hypotheses
        .into_iter()
        .map(|hypothesis| {
            let href = format!("#{}", hypothesis.id.to_lowercase());
            view! { <th scope="col" class="matrix-hypothesis"><a href=href title=hypothesis.statement>{hypothesis.id}</a></th> }
        })
        .collect_view();
    let is_empty = rows.is_empty();
    let lines = rows
        .into_iter()
        .map(|row| {
            let citation = citations.iter().find(|citation| citation.marker == row.citation).cloned();
            line(row, citation, &ids)
        })
        .collect_view();
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
                            <thead>
                                <tr>
                                    <th scope="col">"Evidence"</th>
                                    <th scope="col">"Credibility"</th>
                                    <th scope="col">"Relevance"</th>
                                    {heads}
                                </tr>
                            </thead>
                            <tbody>{lines}</tbody>
                        </table>
                    </div>
                }.into_any()
            }}
        </Section>
    }
    .into_any()
}

fn line(row: MatrixRow, citation: Option<Citation>, ids: &[String]) -> AnyView {
    let cells = ids.iter().map(|id| cell(row.ratings.get(id).copied())).collect_view();
    let (outlet, quote) = citation
        .map(|citation| (citation.outlet.unwrap_or_else(|| "outlet unknown".to_owned()), citation.quote))
        .unwrap_or_default();
    let quote: String = quote.chars().take(160).collect();
    let item = ContestedItem::Credibility(row.citation);
    let is_out = is_excluded(row.citation);
    view! {
        <tr class=is_out.then_some("is-excluded")>
            <th scope="row">
                <a class="cite" href=format!("#c{}", row.citation) aria-label=format!("Citation {}", row.citation)>{row.citation}</a>
                <span class="matrix-outlet">{outlet}</span>
                <span class="matrix-quote">{quote}</span>
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
