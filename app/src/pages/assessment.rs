//! One assessment: bottom line first, then its evidence.

mod brief;

use super::{Visit, id_in_path, render_page};
use crate::{
    AppError,
    atoms::{Badge, ConfidenceMark, KnownMarkers, MarkedText, RecordedBadge, SampleBadge, Tone},
    format,
    parts::{
        Breadcrumbs, Frame, NavItem, QuestionLine,
        assessment::{
            Assumptions, Causes, ChangeNote, CheckList, Citations, Colophon, Contents, ContentsEntry, Gaps, Hypotheses,
            Impacts, Indicators, Judgements, Matrix, Outlets, Period, Section, Sources,
        },
    },
};
use brief::Brief;
use domain::{
    Timestamp,
    assessment::{AnalyticConfidence, Assessment, AssessmentKind, InformationPeriod},
    fetch::PageFinding,
    user::User,
};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::{Deserialize, Serialize};
use views::AssessmentView;

/// The Markdown of an assessment as safe HTML.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Html {
    pub analysis: String,
    /// Of an evidence brief: the bottom line of an assessment is text.
    pub bottom_line: String,
}

#[cfg(feature = "ssr")]
impl Html {
    pub fn new(assessment: &Assessment) -> Self {
        let markers = assessment.markers();
        let html = |markdown: &str| crate::markdown::analysis(markdown, &markers);
        let bottom_line = match assessment.kind {
            AssessmentKind::Assessment => String::new(),
            AssessmentKind::EvidenceBrief => html(&assessment.body.bottom_line),
        };
        Self { analysis: html(&assessment.body.analysis), bottom_line }
    }
}

type Page = (AssessmentView, Html);

#[server]
async fn load_assessment(id: String) -> Result<Visit<Page>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse() else { return Err(AppError::not_found("assessment")) };
    let view = engine.assessment_view(&viewer, id).await?.ok_or_else(|| AppError::not_found("assessment"))?;
    let html = Html::new(&view.assessment);
    Ok(Visit { viewer, page: (view, html) })
}

#[component]
pub fn AssessmentPage() -> impl IntoView {
    render_page(load_assessment(id_in_path()), |Visit { viewer, page: (view, html) }| {
        view! { <PageBody viewer view html /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(viewer: User, view: AssessmentView, html: Html) -> impl IntoView {
    match view.assessment.kind {
        AssessmentKind::Assessment => view! { <FullAssessment viewer view html /> }.into_any(),
        AssessmentKind::EvidenceBrief => view! { <Brief viewer view html /> }.into_any(),
    }
}

#[component]
fn FullAssessment(viewer: User, view: AssessmentView, html: Html) -> impl IntoView {
    let whole = view.assessment.clone();
    let known = KnownMarkers::new(view.assessment.markers());
    let contents = contents(&view.assessment);
    let Assessment { body, citations, information, sources, checks, .. } = view.assessment.clone();
    let (created_at, findings) = (view.created_at, view.findings.clone());
    let has_causes = !body.causes.is_empty();
    let causes = body.causes.clone();
    view! {
        <Title text=format!("Report · {}", body.title) />
        <Frame viewer nav=NavItem::Assessments>
            <Breadcrumbs above=[("Assessments", "/assessments".to_owned())] here=body.title.clone() />
            <article class="product">
                <Head view known=known.clone() />
                <Contents entries=contents />
                <ChangeNote change=body.change.clone() known=known.clone() />
                <Judgements judgements=body.key_judgements.clone() known=known.clone() />
                <Hypotheses body=body.clone() known=known.clone() />
                <Matrix rows=body.evidence_matrix hypotheses=body.hypotheses citations=citations.clone() />
                <Section id="analysis"><div class="prose" inner_html=html.analysis></div></Section>
                {has_causes.then(|| view! { <Causes causes known=known.clone() /> })}
                <Indicators indicators=body.indicators />
                <Gaps gaps=body.gaps known=known.clone() />
                <Assumptions assumptions=body.assumptions known=known.clone() />
                <Impacts impacts=body.impacts known=known.clone() />
                {sources.map(|sources| view! { <Sources sources information /> })}
                <Outlets outlets=body.outlets known />
                {checks.map(|checks| view! { <CheckList checks /> })}
                <Citations citations findings />
                <Colophon assessment=whole created_at />
            </article>
        </Frame>
    }
    .into_any()
}

/// The sections of the page; what an assessment of an earlier program does not have is left out.
fn contents(assessment: &Assessment) -> Vec<ContentsEntry> {
    let body = &assessment.body;
    let sections = [
        Some(("judgements", Some(body.key_judgements.len()))),
        Some(("hypotheses", Some(body.hypotheses.len()))),
        Some(("matrix", Some(body.evidence_matrix.len()))),
        Some(("analysis", None)),
        (!body.causes.is_empty()).then_some(("causes", Some(body.causes.len()))),
        Some(("indicators", Some(body.indicators.len()))),
        Some(("gaps", Some(body.gaps.len()))),
        Some(("assumptions", Some(body.assumptions.len()))),
        Some(("impacts", Some(body.impacts.len()))),
        assessment.sources.is_some().then_some(("sources", None)),
        Some(("outlets", Some(body.outlets.len()))),
        assessment.checks.is_some().then_some(("checks", None)),
        Some(("citations", Some(assessment.citations.len()))),
        Some(("colophon", None)),
    ];
    sections.into_iter().flatten().collect()
}

/// Note about cited pages that have changed.
#[component]
fn ChangedPagesNotice(findings: Vec<PageFinding>) -> impl IntoView {
    let count = findings.len() as u64;
    let say = if count == 1 { "says" } else { "say" };
    let text =
        format!("{} no longer {say} what was cited: see the marks at the ", format::count(count, "cited page", "cited pages"));
    (count > 0).then(|| view! { <p class="notice" role="note">{text} <a href="#citations">"citations"</a> "."</p> })
}

/// The question, the answer, how sure, and the exports.
#[component]
fn Head(view: AssessmentView, known: KnownMarkers) -> impl IntoView {
    let Assessment { question, body, information, producer, .. } = view.assessment.clone();
    let is_title = question == body.title;
    let recorded = producer.recorded_note();
    view! {
        <header class="product-head">
            <p class="overline">
                "Assessment "
                <SampleBadge is_shown=view.is_sample />
                <RecordedBadge is_shown=recorded.is_some() />
                {view.is_partial.then(|| view! { <Badge tone=Tone::Warning text="Partial report: written without a model after a failure" /> })}
            </p>
            <h1>{body.title}</h1>
            <Dates created_at=view.created_at information />
            {(!is_title).then(|| view! { <QuestionLine text=question /> })}
            <p class="bottom-line"><MarkedText text=body.bottom_line known=known.clone() /></p>
            {recorded.map(|note| view! { <p class="hint">{note}</p> })}
            <ChangedPagesNotice findings=view.findings.clone() />
            <div class="product-facts">
                {body.overall_confidence.map(|AnalyticConfidence { level, basis }| view! {
                    <p><span class="muted">"Confidence "</span><ConfidenceMark level /> " — " <MarkedText text=basis known /></p>
                })}
                <Exports view />
            </div>
        </header>
    }
    .into_any()
}

/// When it was written, and how far the information reaches.
#[component]
fn Dates(created_at: Timestamp, information: InformationPeriod) -> impl IntoView {
    view! {
        <p class="product-dates">
            <span>"Written " <time datetime=created_at.to_string()>{format::minute(created_at)}</time></span>
            {information.until.is_some().then(|| view! { <span>"Information: " <Period information /></span> })}
        </p>
    }
    .into_any()
}

/// Checks score, spend and exports.
#[component]
fn Exports(view: AssessmentView) -> impl IntoView {
    let Assessment { id, checks, cost, .. } = view.assessment;
    let score = checks.map(|checks| checks.score());
    view! {
        <p class="exports">
            {score.map(|score| view! { <a href="#checks">{score}</a> })}
            <span>"Used " {format::spend_if_priced(&view.spent, &view.currency, cost.amount.is_some())}</span>
            <span>
                <a class="button quiet" href=format!("/assessments/{id}/export.md") download>"Markdown"</a>
                <a class="button quiet" href=format!("/assessments/{id}/export.json") download>"JSON"</a>
            </span>
        </p>
    }
    .into_any()
}
