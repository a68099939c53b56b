//! Comparison of two versions of an assessment.

use super::{Visit, id_in_path, query, render_page};
use crate::{parts::SnippetText, prelude::*};
use domain::assessment::{StatementChange, point_words, unmarked};
use std::collections::BTreeSet;
use views::{ComparisonView, OneSidedCitation, Snippet};

/// Characters of a quote in the list.
const QUOTE_CHARS: usize = 240;

async fn load_comparison(one: String, other: String) -> Result<Visit<ComparisonView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let missing = || AppError::not_found("pair of assessments");
    let (Ok(one), Ok(other)) = (one.parse::<domain::AssessmentId>(), other.parse::<domain::AssessmentId>()) else {
        return Err(missing());
    };
    let page = engine.comparison_view(&viewer, one, other).await?.ok_or_else(missing)?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn ComparePage() -> impl IntoView {
    let (one, other) = (id_in_path(), query("with").unwrap_or_default());
    render_page(load_comparison(one, other), |Visit { viewer, page }| view! { <PageBody viewer page /> }.into_any())
}

#[component]
pub(super) fn PageBody(viewer: User, page: ComparisonView) -> impl IntoView {
    let ComparisonView { question, sentence, earlier, later, answers, judgements, kept, added, removed, is_open } = page;
    let head = |side: &views::ComparedSide| {
        let made = format!("{}, {}", format::minute(side.created_at), side.model);
        view! { <a href=format!("/assessments/{}", side.id)>{made}</a> }
    };
    // Evidence briefs hold quotations only, which the citations compare.
    let is_judged = answers.iter().chain(&judgements).any(|row| row.probability != (None, None));
    let judgements = if is_judged { judgements } else { vec![] };
    let share = Slot::Share { viewer: viewer.clone(), kind: Slot::COMPARISON, object: format!("{},{}", earlier.id, later.id) };
    let place = Slot::Comparison { later: later.id };
    let [before, after] = [&earlier, &later].map(|side| unmarked(&side.bottom_line));
    let sides =
        [(earlier.clone(), "Earlier", marked_words(&before, &after)), (later.clone(), "Later", marked_words(&after, &before))];
    let lines = sides
        .into_iter()
        .map(|(side, name, bottom_line)| {
            let confidence = side.confidence.clone().map(|level| format!("Confidence {level}."));
            view! {
                <section class="compared">
                    <h2>{name}</h2>
                    <p class="muted">{head(&side)}</p>
                    <p><SnippetText snippet=bottom_line /></p>
                    {confidence.map(|text| view! { <p class="muted">{text}</p> })}
                </section>
            }
        })
        .collect_view();
    view! {
        <Title text="Compare versions" />
        <Frame viewer nav=NavItem::Assessments>
            <Breadcrumbs above=[("Assessments", "/assessments".to_owned()), ("Report", format!("/assessments/{}", later.id))] here="Compare" />
            <h1>{question}</h1>
            <p class="compared-sentence">{sentence}</p>
            <p><a href=format!("/assessments/{}/history", later.id)>"History of the question"</a></p>
            <Pieces at=place />
            {is_open.then(|| view! { <Pieces at=share /> })}
            <div class="pair-sides">{lines}</div>
            <Rows title="Answers" rows=answers />
            <Rows title="Judgements" rows=judgements />
            <section class="compared">
                <h2>"Citations"</h2>
                <p>{format::count(kept as u64, "citation is", "citations are")} " the same."</p>
                <Quotes title="Only in the later version" citations=added />
                <Quotes title="Only in the earlier version" citations=removed />
            </section>
            {is_judged.then(|| view! {
                <p class="hint">"Statements are matched by their words: half of them at least must be the same. Points are differences of the shares of the answers, and of the probabilities of judgements."</p>
            })}
        </Frame>
    }
    .into_any()
}

#[component]
fn Rows(title: &'static str, rows: Vec<StatementChange>) -> impl IntoView {
    (!rows.is_empty()).then(|| {
        let rows = rows
            .into_iter()
            .map(|row| {
                let points = row.points();
                let StatementChange { earlier, later, probability } = row;
                let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), format::percent);
                let change = match points {
                    Some(points) => point_words(points),
                    None if earlier.is_none() => "new".to_owned(),
                    None if later.is_none() => "gone".to_owned(),
                    None => String::new(),
                };
                let was = earlier.clone().filter(|before| later.as_ref().is_some_and(|after| after != before));
                let statement = unmarked(&later.or(earlier).unwrap_or_default());
                let statement = match was.map(|was| unmarked(&was)) {
                    None => statement.into_any(),
                    Some(was) => view! {
                        <SnippetText snippet=marked_words(&statement, &was) />
                        <span class="muted">" (earlier: " <SnippetText snippet=marked_words(&was, &statement) /> ")"</span>
                    }
                    .into_any(),
                };
                view! {
                    <tr role="row">
                        <th role="rowheader" scope="row">
                            {statement}
                        </th>
                        <td role="cell" class="number" data-label="Earlier">{shown(probability.0)}</td>
                        <td role="cell" class="number" data-label="Later">{shown(probability.1)}</td>
                        <td role="cell" class="number" data-label="Change">{change}</td>
                    </tr>
                }
            })
            .collect_view();
        view! {
            <section class="compared">
                <h2>{title}</h2>
                <table role="table" class="stacked">
                    <Columns names=&["Statement", "Earlier", "Later", "Change"] numbers=&["Earlier", "Later", "Change"] />
                    <tbody role="rowgroup">{rows}</tbody>
                </table>
            </section>
        }
    })
}

#[component]
fn Quotes(title: &'static str, citations: Vec<OneSidedCitation>) -> impl IntoView {
    (!citations.is_empty()).then(|| {
        let items = citations
            .into_iter()
            .map(|OneSidedCitation { document_id, document, quote }| {
                let source = match document_id {
                    Some(id) => view! { <a href=format!("/documents/{id}")>{document}</a> }.into_any(),
                    None => document.into_any(),
                };
                view! {
                    <li>
                        {source}
                        <blockquote>{format::abridged(&quote, QUOTE_CHARS)}</blockquote>
                    </li>
                }
            })
            .collect_view();
        view! { <h3>{title}</h3><ul class="claim-list">{items}</ul> }
    })
}

/// Marks the words of a text that the other does not have.
fn marked_words(text: &str, other: &str) -> Snippet {
    let key = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let known: BTreeSet<String> = other.split_whitespace().map(key).collect();
    let mut runs: Vec<(String, bool)> = vec![];
    for word in text.split_whitespace() {
        let is_new = !known.contains(&key(word));
        match runs.last_mut() {
            None => runs.push((word.to_owned(), is_new)),
            Some((run, was_new)) if *was_new == is_new => {
                run.push(' ');
                run.push_str(word);
            }
            Some((_, true)) => runs.push((format!(" {word}"), false)),
            Some((run, false)) => {
                run.push(' ');
                runs.push((word.to_owned(), true));
            }
        }
    }
    Snippet(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_the_other_version_lacks_are_marked() {
        let marked = marked_words("Two guards placed the charge, for money.", "Guards placed the charge");
        let runs: Vec<(&str, bool)> = marked.0.iter().map(|(text, is_new)| (text.as_str(), *is_new)).collect();
        assert_eq!(runs, [("Two", true), (" guards placed the charge, ", false), ("for money.", true)]);
        assert_eq!(marked_words("The same.", "the same").0, [("The same.".to_owned(), false)]);
    }
}
