//! The report on paper: the brief with the notes it uses, or the report in full. Nothing on it can be pressed.

use super::{BriefLists, Dates, Html, analysis::Reasoning, author, brief::BriefSections, changed_pages};
use crate::{
    atoms::PartBadges,
    parts::assessment::{
        CheckList, Colophon, Matrix, Outlets, Recounted, ReportedAnswers, RestsOn, SourceList, Sources, Statements,
        annotation_counts,
    },
    prelude::*,
};
use domain::{
    annotation::{Contest, NOTES_PER_PAGE},
    assessment::{AnalyticConfidence, AssessmentKind, Digest, markers_in},
};
use std::collections::BTreeSet;

/// Forms of the printed report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintForm {
    Brief,
    Full,
}

impl PrintForm {
    /// Part of the file name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Brief => "brief",
            Self::Full => "full",
        }
    }
}

/// Returns the body of the printed report as HTML, without scripts, forms and links to other pages of the site.
pub fn printed_body(view: AssessmentView, form: PrintForm) -> String {
    Owner::new().with(|| {
        let html = Html::new(&view.assessment);
        view! { <Printed view html form /> }.to_html()
    })
}

#[component]
fn Printed(view: AssessmentView, html: Html, form: PrintForm) -> impl IntoView {
    let is_assessment = view.assessment.kind == AssessmentKind::Assessment;
    let mut citations = view.assessment.citations.clone();
    if form == PrintForm::Brief {
        let notes = notes(&view.assessment);
        citations.retain(|citation| notes.contains(&citation.marker));
    }
    let brief = match is_assessment {
        true => view! { <PrintedBrief view=view.clone() html=html.clone() /> }.into_any(),
        false => view! { <PrintedQuotes view=view.clone() html=html.clone() /> }.into_any(),
    };
    let rest = (form == PrintForm::Full).then(|| match is_assessment {
        true => view! { <PrintedEvidence view html /> }.into_any(),
        false => view! { <PrintedDetail view html /> }.into_any(),
    });
    view! {
        <main id="main" class="printed">
            <article class="product product-narrow">
                {brief}
                {rest}
                <SourceList citations />
            </article>
        </main>
    }
    .into_any()
}

/// The citations that a brief uses.
pub(super) fn notes(assessment: &Assessment) -> BTreeSet<Marker> {
    match assessment.kind {
        AssessmentKind::Assessment => Digest::new(assessment).markers(assessment),
        // The analysis is printed in the full report only.
        AssessmentKind::EvidenceBrief => {
            let body = &assessment.body;
            let texts = body.prose().into_iter().filter(|(place, _)| place != "analysis");
            let lists = body.citation_lists().into_iter().flat_map(|(_, markers)| markers.iter().copied());
            texts.flat_map(|(_, text)| markers_in(text)).chain(lists).collect()
        }
    }
}

#[component]
fn PrintedHead(view: AssessmentView, html: Html) -> impl IntoView {
    let parts = view.assessment.parts();
    let known = KnownMarkers::new(view.assessment.markers());
    // As the page says, without its links.
    let [excluded, contested] = annotation_counts(&view.annotations);
    let notes: Vec<String> = [changed_pages(&view.findings), excluded, contested].into_iter().flatten().collect();
    let evidence = view.assessment.evidence_period();
    let (is_title, heading) = (view.assessment.repeats_question(), view.assessment.heading().to_owned());
    let Assessment { question, body, producer, sources, scope, kind, disclosure, .. } = view.assessment;
    let bottom_line = match kind {
        AssessmentKind::Assessment => {
            view! { <p class="bottom-line"><MarkedText text=body.bottom_line known=known.clone() /></p> }.into_any()
        }
        AssessmentKind::EvidenceBrief => view! { <div class="bottom-line" inner_html=html.bottom_line></div> }.into_any(),
    };
    view! {
        <header class="product-head brief-head">
            <p class="overline"><PartBadges parts /></p>
            <h1>{heading}</h1>
            {bottom_line}
            {disclosure.map(|text| view! { <p class="disclosure">{text}</p> })}
            {(!notes.is_empty()).then(|| view! { <p class="notice">{notes.join(". ")} "."</p> })}
            {(!is_title).then(|| view! { <QuestionLine text=question /> })}
            <Dates
                created_at=view.created_at
                evidence
                sources
                scope
                as_of=body.argument.as_of.clone()
                author=author(&producer)
                is_sample=view.is_sample
            />
            {body.overall_confidence.map(|AnalyticConfidence { level, basis }| view! {
                <p><span class="muted">"Confidence "</span><ConfidenceMark level /> " — " <MarkedText text=basis known /></p>
            })}
        </header>
    }
}

#[component]
fn PrintedBrief(view: AssessmentView, html: Html) -> impl IntoView {
    let known = KnownMarkers::new(view.assessment.markers());
    let (digest, assessment) = (Digest::new(&view.assessment), view.assessment.clone());
    view! {
        <PrintedHead view html />
        <BriefLists digest assessment known />
    }
}

#[component]
fn PrintedQuotes(view: AssessmentView, html: Html) -> impl IntoView {
    let known = KnownMarkers::new(view.assessment.markers());
    let BriefSections { evidence, contradictions, announced, unknown, effects } = BriefSections::new(&view.assessment.body);
    let (Assessment { body, citations, .. }, closed) = (view.assessment.clone(), view.closed.clone());
    view! {
        <PrintedHead view html />
        <Statements id="evidence" statements=evidence known=known.clone() />
        <ReportedAnswers answers=body.hypotheses citations known=known.clone() closed />
        <Statements id="contradictions" statements=contradictions known=known.clone() />
        <Statements id="announced" statements=announced known=known.clone() />
        <Statements id="unknown" statements=unknown known=known.clone() />
        <Statements id="effects" statements=effects known />
    }
}

#[component]
fn PrintedEvidence(view: AssessmentView, html: Html) -> impl IntoView {
    let known = KnownMarkers::new(view.assessment.markers());
    let (whole, excluded) = (view.assessment.clone(), view.annotations.excluded());
    let (contests, created_at, records) = (view.annotations.contests, view.created_at, view.outlet_records);
    let evidence = view.assessment.evidence_period();
    let Assessment { body, citations, sources, checks, dissent, .. } = view.assessment;
    view! {
        <Recounted assessment=whole.clone() excluded />
        <PrintedContests contests />
        <Reasoning body=body.clone() dissent html known=known.clone() />
        <RestsOn assessment=whole.clone() known=known.clone() />
        <Matrix rows=body.evidence_matrix.clone() body=body.clone() citations />
        {sources.map(|sources| view! { <Sources sources evidence /> })}
        <Outlets outlets=body.outlets records known />
        {checks.map(|checks| view! { <CheckList checks /> })}
        <Colophon assessment=whole created_at />
    }
}

#[component]
fn PrintedDetail(view: AssessmentView, html: Html) -> impl IntoView {
    let (whole, excluded, created_at) = (view.assessment.clone(), view.annotations.excluded(), view.created_at);
    let evidence = view.assessment.evidence_period();
    let Assessment { sources, body, .. } = view.assessment;
    let has_detail = !body.analysis.trim().is_empty();
    view! {
        <Recounted assessment=whole.clone() excluded />
        {has_detail.then(|| view! { <Section id="detail"><div class="prose" inner_html=html.analysis></div></Section> })}
        {sources.map(|sources| view! { <Sources sources evidence /> })}
        <Colophon assessment=whole created_at />
    }
}

/// Contested ratings as a list.
#[component]
fn PrintedContests(contests: Vec<Contest>) -> impl IntoView {
    let more = contests.len().saturating_sub(NOTES_PER_PAGE);
    let items = contests.into_iter().skip(more).map(|Contest { item, value, reason, name, at, .. }| {
        let item = item.to_string();
        view! { <li><p><strong>{item} ": " {name} " says " {value.words()}</strong> ", " {format::day(at)} ": " {reason}</p></li> }
    });
    let items: Vec<_> = items.collect();
    (!items.is_empty()).then(|| {
        let more = (more > 0).then(|| view! { <p>{format!("{more} earlier not shown")}</p> });
        view! { <Section id="contests"><ul class="notes">{items}</ul> {more}</Section> }
    })
}
