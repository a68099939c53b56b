//! Recount without excluded citations, beside the original figures.

use crate::{atoms::numbered_link, prelude::*};
use domain::assessment::{AnswerRecount, BeforeAfter, Evidence, JudgementRecount, Recount, checks, unmarked};
use std::collections::BTreeSet;

/// Characters of a statement in the table.
const STATEMENT_CHARS: usize = 140;

/// Figures with all the evidence and without the excluded citations; nothing where none is excluded.
#[component]
pub fn Recounted(
    assessment: Assessment,
    excluded: BTreeSet<Marker>,
    /// Whether the exclusion has not been stored yet.
    #[prop(optional)]
    is_preview: bool,
) -> impl IntoView {
    (!excluded.is_empty()).then(|| {
        let recount = Recount::new(&assessment, &excluded);
        let title = format!("Without {}", format::count(excluded.len() as u64, "citation", "citations"));
        let links = excluded.iter().map(|marker| {
            let href = format!("/assessments/{}/evidence#c{marker}", assessment.id);
            view! { " " {numbered_link(href, format!("Citation {marker}"), marker)} }
        });
        let links = links.collect_view();
        let has_answers = !recount.answers.is_empty();
        let lead = if is_preview { "If you exclude it, the counts change as follows" } else { "The owner excludes" };
        view! {
            <Section id="recount">
                <p>
                    <strong>{title}</strong> ". " {lead} {(!is_preview).then_some(links)}
                    ". The program counts and checks again by the same rules. Probabilities and likelihoods are judgements of the author, who saw all the evidence: "
                    "they are not computed, so they stay. Run the question again for new ones."
                </p>
                {has_answers.then(|| view! { <Answers answers=recount.answers /> })}
                <Judgements judgements=recount.judgements />
                <dl class="facts">
                    <dt>"Cited documents"</dt><dd>{change(recount.sources.before.documents, recount.sources.after.documents)}</dd>
                    <dt>"Independent origins"</dt><dd>{change(recount.sources.before.origins, recount.sources.after.origins)}</dd>
                    <dt>"Citations"</dt><dd>{change(recount.sources.before.citations, recount.sources.after.citations)}</dd>
                </dl>
                <Findings recount=recount.findings />
            </Section>
        }
        .into_any()
    })
}

#[component]
fn Answers(answers: Vec<AnswerRecount>) -> impl IntoView {
    let rows = answers.into_iter().map(|answer| {
        let AnswerRecount { id, statement, share, supporting, against, inconsistent } = answer;
        view! {
            <tr role="row">
                <th role="rowheader" scope="row"><span class="key">{id}</span> {format::abridged(&statement, STATEMENT_CHARS)}</th>
                <td role="cell" class="number" data-label="Probability, with all evidence">{share.map_or_else(|| "–".to_owned(), |share| format!("{share}\u{a0}%"))}</td>
                <td role="cell" class="number" data-label="For">{evidence_change(supporting)}</td>
                <td role="cell" class="number" data-label="Against">{evidence_change(against)}</td>
                <td role="cell" class="number" data-label="Rated inconsistent">{change(inconsistent.before as u64, inconsistent.after as u64)}</td>
            </tr>
        }
    });
    view! {
        <table role="table" class="stacked" aria-label="Answers with and without the excluded citations">
            <Columns
                names=&["Answer", "Probability, with all evidence", "For", "Against", "Rated inconsistent"]
                numbers=&["Probability, with all evidence", "For", "Against", "Rated inconsistent"]
            />
            <tbody role="rowgroup">{rows.collect_view()}</tbody>
        </table>
    }
}

/// Judgements whose evidence changes.
#[component]
fn Judgements(judgements: Vec<JudgementRecount>) -> impl IntoView {
    let items = judgements.into_iter().filter(|one| one.evidence.is_changed()).map(|one| {
        let JudgementRecount { id, statement, evidence: counts } = one;
        let note = (counts.after.citations == 0).then_some(" Nothing else is cited for it.");
        view! {
            <li>
                <p>
                    <span class="key">{id}</span> " "
                    {unmarked(&format::abridged(&statement, STATEMENT_CHARS)).trim_end_matches('.').to_owned()} ": "
                    {evidence_change(counts)} {note}
                </p>
            </li>
        }
    });
    let items: Vec<_> = items.collect();
    (!items.is_empty())
        .then(|| view! { <p class="recount-title">"Judgements that rest on it"</p><ul class="notes">{items}</ul> })
}

#[component]
fn Findings(recount: Vec<domain::assessment::Finding>) -> impl IntoView {
    let items: Vec<_> = recount
        .into_iter()
        .map(|finding| {
            let title = checks::title(&finding.check).to_owned();
            view! { <li><p>"Not passed any more: " {title} " (" {finding.text} ", " <code>{finding.at}</code> ")"</p></li> }
        })
        .collect();
    (!items.is_empty()).then(|| view! { <ul class="notes">{items}</ul> })
}

/// `5 citations, 3 origins → 4, 2`; one figure where nothing changes.
fn evidence_change(counts: BeforeAfter<Evidence>) -> String {
    let words = |Evidence { citations, origins }: Evidence| {
        format!(
            "{} of {}",
            format::count(citations as u64, "citation", "citations"),
            format::count(origins as u64, "origin", "origins")
        )
    };
    match counts.is_changed() {
        true => format!("{} → {}", words(counts.before), words(counts.after)),
        false => words(counts.before),
    }
}

fn change(before: u64, after: u64) -> String {
    if before == after { before.to_string() } else { format!("{before} → {after}") }
}
