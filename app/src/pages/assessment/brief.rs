//! The Brief tab of an evidence brief: its bottom line and the sections that have content.

use super::{ChangedPagesNotice, Dates, Html, NextModel, hold_panels, print::notes};
use crate::{
    atoms::StateBadge,
    parts::assessment::{AnnotationNotice, Disclosure, QuotedStatement, ReportedAnswers, Statements},
    prelude::*,
};
use domain::assessment::{AssessmentState, Body};

/// The sections of statements, with their anchors.
pub(super) struct BriefSections {
    pub evidence: Vec<QuotedStatement>,
    pub contradictions: Vec<QuotedStatement>,
    pub announced: Vec<QuotedStatement>,
    pub unknown: Vec<QuotedStatement>,
    pub effects: Vec<QuotedStatement>,
}

impl BriefSections {
    pub fn new(body: &Body) -> Self {
        let quoted = |text: &str, citations: &[u32]| QuotedStatement {
            text: text.to_owned(),
            citations: citations.to_vec(),
            ..QuotedStatement::default()
        };
        let evidence = body.key_judgements.iter();
        let announced = body.indicators.iter();
        Self {
            evidence: evidence
                .map(|one| QuotedStatement { id: Some(one.id.clone()), ..quoted(&one.statement, &one.citations) })
                .collect(),
            contradictions: body.contradictions.iter().map(|one| quoted(&one.text, &one.citations)).collect(),
            announced: announced
                .map(|one| QuotedStatement {
                    id: Some(one.id.clone()),
                    by: one.resolution.by.clone(),
                    ..quoted(&one.text, &[])
                })
                .collect(),
            unknown: body.gaps.iter().map(|one| quoted(&one.text, &[])).collect(),
            effects: body.impacts.iter().map(|one| quoted(&one.effect, &one.citations)).collect(),
        }
    }
}

#[component]
pub fn Brief(view: AssessmentView, html: Html, next: NextModel) -> impl IntoView {
    let known = KnownMarkers::new(view.assessment.markers());
    let BriefSections { evidence, contradictions, announced, unknown, effects } = BriefSections::new(&view.assessment.body);
    let Assessment { id, body, citations, .. } = view.assessment.clone();
    let (findings, count, closed) = (view.findings.clone(), citations.len(), view.closed.clone());
    let held = hold_panels(id, notes(&view.assessment));
    view! {
        <Head view next bottom_line=html.bottom_line />
        <Tabs id current=Tab::Brief citations=count />
        <AnnotationNotice />
        <Statements id="evidence" statements=evidence known=known.clone() />
        <ReportedAnswers answers=body.hypotheses citations=citations.clone() known=known.clone() closed=closed.clone() />
        <Statements id="contradictions" statements=contradictions known=known.clone() />
        <Statements id="announced" statements=announced known=known.clone() />
        <Statements id="unknown" statements=unknown known=known.clone() />
        <Statements id="effects" statements=effects known />
        <EvidencePanels citations findings closed held />
    }
}

/// The question, the quotes that answer it, and how they were chosen.
#[component]
fn Head(view: AssessmentView, next: NextModel, bottom_line: String) -> impl IntoView {
    let state = AssessmentState::from_assessment(&view.assessment);
    let Assessment { id, question, disclosure, sources, .. } = view.assessment.clone();
    let (is_title, heading) = (view.assessment.repeats_question(), view.assessment.heading().to_owned());
    let way = next.way_from(&view.assessment);
    view! {
        <header class="product-head brief-head">
            <p class="overline">"Evidence brief " <StateBadge state /></p>
            <h1>{heading}</h1>
            <div class="bottom-line" inner_html=bottom_line></div>
            {disclosure.map(|text| view! { <Disclosure text way /> })}
            <ChangedPagesNotice id findings=view.findings.clone() />
            {(!is_title).then(|| view! { <QuestionLine text=question /> })}
            <Dates
                created_at=view.created_at
                evidence=view.assessment.evidence_period()
                sources
                scope=view.assessment.scope.clone()
                is_sample=view.is_sample
            />
        </header>
    }
}
