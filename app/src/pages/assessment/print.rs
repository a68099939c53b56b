//! The report on paper: the brief in about two pages, or the report in full. Nothing on it can be pressed.

use super::{Dates, Html, analysis::Reasoning, brief::BriefSections, changed_pages};
use crate::{
    atoms::{ConfidenceMark, KnownMarkers, MarkedText, RecordedBadge, SampleBadge, StateBadge},
    format,
    parts::{
        QuestionLine,
        assessment::{
            Answers, BasisLine, ChangeNote, CheckList, Colophon, Matrix, Matters, Outlets, Recounted, ReportedAnswers, RestsOn,
            Section, SourceList, Sources, Statements, Unknown, Why, WouldChange, annotation_counts,
        },
    },
};
use domain::{
    annotation::{Contest, NOTES_PER_PAGE},
    assessment::{AnalyticConfidence, Assessment, AssessmentKind, AssessmentState, Digest, with_whole_percents},
};
use leptos::prelude::*;
use views::AssessmentView;

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
    let citations = view.assessment.citations.clone();
    let brief = match is_assessment {
        true => view! { <PrintedBrief view=view.clone() html=html.clone() form /> }.into_any(),
        false => view! { <PrintedQuotes view=view.clone() html=html.clone() /> }.into_any(),
    };
    let rest = (form == PrintForm::Full).then(|| match is_assessment {
        true => view! { <PrintedEvidence view html /> }.into_any(),
        false => view! { <PrintedDetail view html /> }.into_any(),
    });
    view! {
        <main id="main" class="printed">
            <article class="product product-narrow">{brief} {rest} <SourceList citations /></article>
        </main>
    }
    .into_any()
}

#[component]
fn PrintedHead(view: AssessmentView, html: Html) -> impl IntoView {
    let state = AssessmentState::from_assessment(&view.assessment);
    let known = KnownMarkers::new(view.assessment.markers());
    // As the page says, without its links.
    let [excluded, contested] = annotation_counts(&view.annotations);
    let notes: Vec<String> = [changed_pages(&view.findings), excluded, contested].into_iter().flatten().collect();
    let evidence = view.assessment.evidence_period();
    let Assessment { question, body, producer, sources, scope, kind, disclosure, .. } = view.assessment;
    let is_title = question == body.title;
    let headline = body.headline(state).map(|text| with_whole_percents(&text));
    let is_recorded = producer.is_recorded();
    let bottom_line = match kind {
        AssessmentKind::Assessment => {
            let class = if headline.is_some() { "bottom-line bottom-line-beneath" } else { "bottom-line" };
            view! { <p class=class><MarkedText text=body.bottom_line known=known.clone() /></p> }.into_any()
        }
        AssessmentKind::EvidenceBrief => view! { <div class="bottom-line" inner_html=html.bottom_line></div> }.into_any(),
    };
    view! {
        <header class="product-head">
            <p class="overline">
                <StateBadge state />
                <SampleBadge is_shown=view.is_sample />
                <RecordedBadge is_shown=is_recorded />
            </p>
            <h1>{body.title}</h1>
            <Dates created_at=view.created_at evidence sources scope as_of=body.argument.as_of.clone() author=producer.model />
            {(!is_title).then(|| view! { <QuestionLine text=question /> })}
            {headline.map(|text| view! { <p class="bottom-line">{text}</p> })}
            {bottom_line}
            {disclosure.map(|text| view! { <p class="disclosure">{text}</p> })}
            {(!notes.is_empty()).then(|| view! { <p class="notice">{notes.join(". ")} "."</p> })}
            {body.overall_confidence.map(|AnalyticConfidence { level, basis }| view! {
                <p><span class="muted">"Confidence "</span><ConfidenceMark level /> " — " <MarkedText text=basis known /></p>
            })}
        </header>
    }
    .into_any()
}

#[component]
fn PrintedBrief(view: AssessmentView, html: Html, form: PrintForm) -> impl IntoView {
    let known = KnownMarkers::new(view.assessment.markers());
    let Digest { mut judgements, mut linchpin, mut indicators, mut gaps, mut impacts, .. } = Digest::new(&view.assessment);
    // The full report prints the folded entries, so it does not count them.
    if form == PrintForm::Full {
        judgements.folded.clear();
        linchpin.folded.clear();
        indicators.folded.clear();
        gaps.folded.clear();
        impacts.folded.clear();
    }
    let assessment = view.assessment.clone();
    let Assessment { body, citations, .. } = assessment.clone();
    view! {
        <PrintedHead view html />
        <ChangeNote change=body.change.clone() known=known.clone() />
        <BasisLine assessment known=known.clone() />
        <Answers body=body.clone() citations known=known.clone() />
        <Why judgements known=known.clone() />
        <WouldChange linchpin indicators known=known.clone() />
        <Unknown gaps known=known.clone() />
        <Matters impacts body known />
    }
    .into_any()
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
    .into_any()
}

#[component]
fn PrintedEvidence(view: AssessmentView, html: Html) -> impl IntoView {
    let known = KnownMarkers::new(view.assessment.markers());
    let (whole, excluded) = (view.assessment.clone(), view.annotations.excluded());
    let (contests, created_at, records) = (view.annotations.contests, view.created_at, view.outlet_records);
    let evidence = view.assessment.evidence_period();
    let Assessment { body, citations, sources, checks, .. } = view.assessment;
    view! {
        <div class="print-break"></div>
        <Recounted assessment=whole.clone() excluded />
        <PrintedContests contests />
        <Reasoning body=body.clone() html known=known.clone() />
        <RestsOn assessment=whole.clone() known=known.clone() />
        <Matrix rows=body.evidence_matrix.clone() body=body.clone() citations />
        {sources.map(|sources| view! { <Sources sources evidence /> })}
        <Outlets outlets=body.outlets records known />
        {checks.map(|checks| view! { <CheckList checks /> })}
        <Colophon assessment=whole created_at />
    }
    .into_any()
}

#[component]
fn PrintedDetail(view: AssessmentView, html: Html) -> impl IntoView {
    let (whole, excluded, created_at) = (view.assessment.clone(), view.annotations.excluded(), view.created_at);
    let evidence = view.assessment.evidence_period();
    let Assessment { sources, body, .. } = view.assessment;
    let has_detail = !body.analysis.trim().is_empty();
    view! {
        <div class="print-break"></div>
        <Recounted assessment=whole.clone() excluded />
        {has_detail.then(|| view! { <Section id="detail"><div class="prose" inner_html=html.analysis></div></Section> })}
        {sources.map(|sources| view! { <Sources sources evidence /> })}
        <Colophon assessment=whole created_at />
    }
    .into_any()
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
