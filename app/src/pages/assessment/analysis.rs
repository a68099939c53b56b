//! The Analysis tab: the reasoning in full. The full report on paper has it as well.

use super::{Html, ShortHead};
use crate::{
    parts::assessment::{
        Actors, Assumptions, Causes, Chronology, Contents, ContentsEntry, Disagreements, DissentSection, Figures, Gaps,
        Hypotheses, Impacts, Indicators, Judgements, Scenarios,
    },
    prelude::*,
};
use domain::assessment::{Argument, Body, Dissent};

#[component]
pub fn Analysis(view: AssessmentView, html: Html) -> impl IntoView {
    let known = KnownMarkers::new(view.assessment.markers());
    let Assessment { id, body, dissent, citations, .. } = view.assessment.clone();
    let (findings, closed, count) = (view.findings.clone(), view.closed.clone(), citations.len());
    let entries = contents(&body, dissent.is_some());
    view! {
        <ShortHead view />
        <Tabs id current=Tab::Analysis citations=count />
        <Contents entries />
        <Reasoning body dissent html known />
        <EvidencePanels citations findings closed />
    }
}

/// The sections of the reasoning in the order of the report; those that an author may leave out have content. A wide screen has two
/// columns: the analysis with its judgements, and what they weigh.
#[component]
pub fn Reasoning(body: Body, dissent: Option<Dissent>, html: Html, known: KnownMarkers) -> impl IntoView {
    let argument = body.argument.clone();
    view! {
        <div class="reasoning">
            <div>
                <Section id="analysis"><div class="prose" inner_html=html.analysis></div></Section>
                <Judgements judgements=body.key_judgements.clone() known=known.clone() />
            </div>
            <div>
                <Hypotheses body=body.clone() known=known.clone() />
                {dissent.map(|dissent| view! { <DissentSection dissent body=body.clone() known=known.clone() /> })}
                <Actors actors=argument.actors.clone() known=known.clone() />
                <Chronology argument=argument.clone() known=known.clone() />
                <Disagreements disagreements=argument.disagreements.clone() known=known.clone() />
                <Figures argument />
                <Causes chains=body.cause_chains() known=known.clone() />
                <Impacts impacts=body.impacts.clone() known=known.clone() />
                <Indicators body=body.clone() />
                <Scenarios body=body.clone() />
                <Gaps gaps=body.gaps known=known.clone() />
                <Assumptions assumptions=body.assumptions known />
            </div>
        </div>
    }
}

/// Entries of the sections that the page has.
fn contents(body: &Body, has_dissent: bool) -> Vec<ContentsEntry> {
    let Argument { actors, chronology, disagreements, ranges, base_rate, scenarios, .. } = &body.argument;
    let figures = ranges.len() + usize::from(base_rate.is_some());
    let filled = |id: &'static str, count: usize| (count > 0).then_some((id, Some(count)));
    let sections = [
        Some(("analysis", None)),
        Some(("judgements", Some(body.key_judgements.len()))),
        Some(("hypotheses", Some(body.hypotheses.len()))),
        has_dissent.then_some(("dissent", None)),
        filled("actors", actors.len()),
        filled("chronology", chronology.len()),
        filled("disagreements", disagreements.len()),
        filled("figures", figures),
        filled("causes", body.causes.len()),
        Some(("impacts", Some(body.impacts.len()))),
        Some(("indicators", Some(body.indicators.len()))),
        filled("scenarios", scenarios.len()),
        Some(("gaps", Some(body.gaps.len()))),
        Some(("assumptions", Some(body.assumptions.len()))),
    ];
    sections.into_iter().flatten().collect()
}
