//! The dissent: the case against the leading answer, with its figures beside those of the assessment.

use crate::{parts::assessment::Folded, prelude::*};
use domain::assessment::{Body, DeceptionNote, Dissent, markers_beside};

/// The result in one line: `The dissent did not refute the leading answer. H1 88 % · dissent 70 %`.
#[component]
pub fn DissentNote(dissent: Dissent, body: Body) -> impl IntoView {
    let figures = dissent.leaders_beside(&body);
    view! { <p><strong>{dissent.verdict()}</strong> " " <span class="muted">{figures}</span></p> }.into_any()
}

/// The dissent in full. Its figures, and its notes on outlets, stand behind a line that counts them.
#[component]
pub fn DissentSection(dissent: Dissent, body: Body, known: KnownMarkers) -> impl IntoView {
    let figures = dissent.beside(&body);
    let count = figures.len() as u64;
    let figures = figures.into_iter();
    let figures = figures.map(|(one, figures)| view! { <dt>{figures}</dt><dd>{one.statement.clone()}</dd> }).collect_view();
    let figures = (count > 0).then(|| {
        let summary = format::count(count, "figure beside that of the report", "figures beside those of the report");
        view! { <Folded summary><dl class="facts">{figures}</dl></Folded> }
    });
    let Dissent { paragraph, citations, deception, .. } = dissent.clone();
    let citations = markers_beside(&paragraph, &citations);
    let count = deception.len() as u64;
    let notes = deception.into_iter().map(|note| view! { <Deception note known=known.clone() /> }).collect_view();
    let notes = (count > 0).then(|| {
        let summary = format::count(count, "note on whether an outlet might deceive", "notes on whether outlets might deceive");
        view! {
            <Folded summary>
                <table class="stacked" role="table" aria-label="Whether an outlet might deceive">
                    <thead>
                        <tr>
                            <th scope="col">"Outlet"</th>
                            <th scope="col">"Motive"</th>
                            <th scope="col">"Opportunity"</th>
                            <th scope="col">"Means"</th>
                            <th scope="col">"Record"</th>
                        </tr>
                    </thead>
                    <tbody>{notes}</tbody>
                </table>
            </Folded>
        }
    });
    view! {
        <Section id="dissent">
            <p class="muted">"Another session of a model was given the same citations, and asked to refute the leading answer."</p>
            <DissentNote dissent body />
            <p><MarkedText text=paragraph known /> " " <Cites markers=citations /></p>
            {figures}
            {notes}
        </Section>
    }
}

#[component]
fn Deception(note: DeceptionNote, known: KnownMarkers) -> impl IntoView {
    let DeceptionNote { outlet, motive, opportunity, means, record } = note;
    view! {
        <tr>
            <th scope="row">{outlet}</th>
            <td data-label="Motive"><MarkedText text=motive known=known.clone() /></td>
            <td data-label="Opportunity"><MarkedText text=opportunity known=known.clone() /></td>
            <td data-label="Means"><MarkedText text=means known=known.clone() /></td>
            <td data-label="Record"><MarkedText text=record known /></td>
        </tr>
    }
}
