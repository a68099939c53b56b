//! The parts of an evidence brief: what sources say, in their words, and nothing else.

use super::ids::anchor;
use crate::prelude::*;
use domain::assessment::{Hypothesis, markers_beside};
use std::collections::BTreeSet;

/// A statement of sources in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuotedStatement {
    /// The anchor, for what has an id.
    pub id: Option<String>,
    pub text: String,
    pub citations: Vec<Marker>,
    /// The day that it names.
    pub by: Option<String>,
}

/// The line that says how a brief was made, and the way to an assessment.
#[component]
pub fn Disclosure(text: String, way: Option<AnyView>) -> impl IntoView {
    let way = way.map(|way| view! { " " {way} "." });
    view! { <p class="disclosure" role="note">{text} {way}</p> }.into_any()
}

/// A section of statements; nothing where there are none.
#[component]
pub fn Statements(id: &'static str, statements: Vec<QuotedStatement>, known: KnownMarkers) -> impl IntoView {
    (!statements.is_empty()).then(|| {
        let items = statements.into_iter().map(|QuotedStatement { id, text, citations, by }| {
            let others = markers_beside(&text, &citations);
            view! {
                <li class="quoted" id=id.as_deref().map(anchor)>
                    <p><MarkedText text known=known.clone() /> " " <Cites markers=others /></p>
                    {by.map(|by| view! { <p class="quoted-day">"By " <WrittenDay text=by /></p> })}
                </li>
            }
        });
        let items = items.collect_view();
        view! { <Section id><ul class="quoted-list">{items}</ul></Section> }.into_any()
    })
}

/// Rival answers in order of support, each with the outlets that report it and those that deny it.
#[component]
pub fn ReportedAnswers(
    answers: Vec<Hypothesis>,
    citations: Vec<Citation>,
    known: KnownMarkers,
    /// Documents that the reader may not open.
    closed: BTreeSet<DocumentId>,
) -> impl IntoView {
    (!answers.is_empty()).then(|| {
        let items = answers.into_iter().map(|Hypothesis { id, statement, supporting, against, .. }| {
            view! {
                <li class="answer" id=anchor(&id)>
                    <h3><MarkedText text=statement known=known.clone() /></h3>
                    <dl class="facts">
                        {side("Reported by", &supporting, &citations, &closed)}
                        {side("Denial reported by", &against, &citations, &closed)}
                    </dl>
                </li>
            }
        });
        let items = items.collect_view();
        view! { <Section id="answers"><ol class="answers">{items}</ol></Section> }.into_any()
    })
}

/// The outlets of one side with the lines that they are quoted with.
fn side(title: &'static str, cited: &[Marker], citations: &[Citation], closed: &BTreeSet<DocumentId>) -> Option<AnyView> {
    let cited = cited.iter().filter_map(|marker| citations.iter().find(|citation| citation.marker == *marker));
    let lines: Vec<AnyView> = cited.map(|citation| line(citation.clone(), closed)).collect();
    (!lines.is_empty()).then(|| view! { <dt>{title}</dt><dd><ul class="answer-sources">{lines}</ul></dd> }.into_any())
}

fn line(citation: Citation, closed: &BTreeSet<DocumentId>) -> AnyView {
    let href = super::citations::address(&citation, closed);
    view! {
        <li>
            {super::citations::credit(&citation)}
            ", " <Day published=citation.published_at /> ": "
            {super::citations::quote(href, format!("“{}”", citation.quote))}
            " " <Cites markers=vec![citation.marker] />
        </li>
    }
    .into_any()
}
