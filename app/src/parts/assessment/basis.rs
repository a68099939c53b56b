//! Basis of a report, as the program counts it, and the sentence of it that stands on the Brief.

use crate::{parts::assessment::CollectButton, prelude::*};
use domain::assessment::{Basis, PrimarySource};

/// Primary sources that stand open.
const OPEN_SOURCES: usize = 5;

/// Shares, single supports, order of the answers, disputed texts, and sources that are known through others only.
#[component]
pub fn RestsOn(assessment: Assessment, known: KnownMarkers) -> impl IntoView {
    let Basis { lines, primary_sources } = Basis::new(&assessment);
    (!lines.is_empty() || !primary_sources.is_empty()).then(|| {
        let lines = lines.into_iter().map(|text| view! { <li><p><MarkedText text known=known.clone() /></p></li> }).collect_view();
        view! {
            <Section id="basis">
                <p class="muted">
                    "Counted by the program from the citations and the matrix. It computes no probabilities: those are the author’s."
                </p>
                <ul class="notes">{lines}</ul>
                <PrimarySources sources=primary_sources known />
            </Section>
        }
        .into_any()
    })
}

#[component]
fn PrimarySources(sources: Vec<PrimarySource>, known: KnownMarkers) -> impl IntoView {
    let items = sources.into_iter().map(|PrimarySource { line, draft }| {
        view! { <li><p><MarkedText text=line known=known.clone() /></p> <CollectButton draft /></li> }.into_any()
    });
    let mut open: Vec<AnyView> = items.collect();
    // On paper, all stand open.
    let count = if ReportContext::of_page().is_some() { OPEN_SOURCES.min(open.len()) } else { open.len() };
    let folded = open.split_off(count);
    let more = (!folded.is_empty()).then(|| {
        let text = format::count(folded.len() as u64, "more source", "more sources");
        view! { <details class="more-entries"><summary>{text}</summary><ul class="digest digest-actions">{folded}</ul></details> }
    });
    (!open.is_empty()).then(|| {
        view! {
            <h3>"Quoted through others, not cited at first hand"</h3>
            <ul class="digest digest-actions">{open}</ul>
            {more}
        }
        .into_any()
    })
}

/// The sentence on the basis, on the web with a link to the others; nothing where there is none.
#[component]
pub fn BasisLine(line: Option<String>, known: KnownMarkers) -> impl IntoView {
    line.map(|text| {
        let href = ReportContext::of_page().map(|context| format!("{}#basis", Tab::Evidence.address(context.id)));
        view! {
            <p class="basis-line">
                <MarkedText text known /> {href.map(|href| view! { " " <a href=href>"What it rests on"</a> })}
            </p>
        }
        .into_any()
    })
}
