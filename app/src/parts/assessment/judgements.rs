//! Key judgements: what is held to be true, how likely, and how good the basis is. All on one scale, to be compared.

use super::ids::{IdLinks, anchor};
use crate::{atoms::ScaleAxis, parts::assessment::Contests, prelude::*};
use domain::{
    annotation::ContestedItem,
    assessment::{AnalyticConfidence, Judgement, markers_beside},
};

/// Judgements that stand open.
const OPEN_JUDGEMENTS: usize = 3;

#[component]
pub fn Judgements(judgements: Vec<Judgement>, known: KnownMarkers) -> impl IntoView {
    let rows = judgements.into_iter().enumerate();
    let rows = rows.map(|(place, judgement)| {
        let is_first = place == 0;
        view! { <Row judgement is_first known=known.clone() /> }.into_any()
    });
    let rows: Vec<AnyView> = rows.collect();
    view! {
        <Section id="judgements">
            <ScaleAxis />
            <FoldedList entries=rows class="judgements" open=OPEN_JUDGEMENTS names=("judgement", "judgements") is_ordered=true />
        </Section>
    }
    .into_any()
}

#[component]
fn Row(
    judgement: Judgement,
    /// Whether its basis stands open.
    is_first: bool,
    known: KnownMarkers,
) -> impl IntoView {
    let Judgement { id, statement, likelihood, confidence, horizon, would_change, hypotheses, citations } = judgement;
    // What the sentence cites already does not stand behind it again.
    let others = markers_beside(&statement, &citations);
    let has_facts = horizon.is_some() || would_change.is_some() || !hypotheses.is_empty();
    let facts = has_facts.then(|| {
        view! {
            <dl class="facts">
                {horizon.map(|day| view! { <dt>"Until"</dt><dd><WrittenDay text=day /></dd> })}
                {(!hypotheses.is_empty()).then(|| view! { <dt>"Rests on"</dt><dd><IdLinks ids=hypotheses /></dd> })}
                {would_change.map(|text| view! { <dt>"What would change it"</dt><dd><MarkedText text known=known.clone() /></dd> })}
            </dl>
        }
        .into_any()
    });
    let anchor = anchor(&id);
    let item = ContestedItem::Likelihood(id.clone());
    view! {
        <li class="judgement" id=anchor>
            <div class="judgement-text">
                <p class="judgement-statement">
                    <span class="key">{id}</span>
                    <MarkedText text=statement known=known.clone() />
                    " "
                    <Cites markers=others />
                </p>
                <div class="judgement-more">
                    <BasisOfJudgement confidence facts is_open=is_first known />
                    <Contests item />
                </div>
            </div>
            {likelihood.map(|likelihood| {
                let (low, high) = likelihood.term.range();
                view! {
                    <div class="judgement-scale">
                        <Scale likelihood />
                        <p><strong>{likelihood.term.words()}</strong> " " <span class="muted">{format::percents(low, high)}</span> " " <span class="point">{format::percent(likelihood.point)}</span></p>
                    </div>
                }
            })}
        </li>
    }
}

/// The basis of a judgement and what would change it, behind the line of its confidence; on paper, beneath it.
#[component]
fn BasisOfJudgement(
    confidence: Option<AnalyticConfidence>,
    facts: Option<AnyView>,
    is_open: bool,
    known: KnownMarkers,
) -> impl IntoView {
    let is_paper = ReportContext::of_page().is_none();
    match confidence {
        Some(AnalyticConfidence { level, basis }) if is_paper => view! {
            <p class="judgement-basis">"Confidence " <ConfidenceMark level /> " — " <MarkedText text=basis known /></p>
            {facts}
        }
        .into_any(),
        Some(AnalyticConfidence { level, basis }) => view! {
            <details class="entry" open=is_open>
                <summary><span class="muted">"Confidence "</span><ConfidenceMark level /></summary>
                <p class="judgement-basis"><MarkedText text=basis known /></p>
                {facts}
            </details>
        }
        .into_any(),
        None if is_paper => facts.into_any(),
        None => {
            let facts = facts.map(|facts| {
                view! { <details class="entry" open=is_open><summary class="muted">"What it rests on"</summary>{facts}</details> }
            });
            facts.into_any()
        }
    }
}
