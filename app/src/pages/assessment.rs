//! One assessment: bottom line first, then what it stands on.

use super::{Visit, id_in_path, shown};
use crate::{
    AppError,
    atoms::{Badge, ConfidenceMark, KnownMarkers, MarkedText, RecordedBadge, SampleBadge, Tone},
    format,
    parts::{
        Asked, Frame, Place,
        assessment::{
            Assumptions, Causes, ChangeNote, CheckList, Citations, Colophon, Contents, Gaps, Hypotheses, Impacts, Indicators,
            Judgements, Listed, Matrix, Outlets, Period, Section, Sources,
        },
    },
};
use domain::{assessment::Assessment, fetch::PageFinding, pages::AssessmentView, user::User};
use leptos::prelude::*;
use leptos_meta::Title;

/// An assessment with its analysis as safe HTML.
type Page = (AssessmentView, String);

#[server]
async fn load_assessment(id: String) -> Result<Visit<Page>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse() else { return Err(AppError::not_found("assessment")) };
    let view = engine.assessment_view(&viewer, id).await?.ok_or_else(|| AppError::not_found("assessment"))?;
    let analysis = crate::markdown::analysis(&view.assessment.body.analysis, &view.assessment.markers());
    Ok(Visit { viewer, page: (view, analysis) })
}

#[component]
pub fn AssessmentPage() -> impl IntoView {
    shown(load_assessment(id_in_path()), |Visit { viewer, page: (view, analysis) }| {
        view! { <Whole viewer view analysis /> }.into_any()
    })
}

#[component]
pub(super) fn Whole(viewer: User, view: AssessmentView, analysis: String) -> impl IntoView {
    let whole = view.assessment.clone();
    let known = KnownMarkers::new(view.assessment.markers());
    let listed = listed(&view.assessment);
    let Assessment { body, citations, information, sources, checks, .. } = view.assessment.clone();
    let (created_at, findings) = (view.created_at, view.findings.clone());
    let has_causes = !body.causes.is_empty();
    let causes = body.causes.clone();
    view! {
        <Title text=body.title.clone() />
        <Frame viewer place=Place::Elsewhere>
            <article class="product">
                <Head view known=known.clone() />
                <Contents listed />
                <ChangeNote change=body.change.clone() known=known.clone() />
                <Judgements judgements=body.key_judgements.clone() known=known.clone() />
                <Hypotheses body=body.clone() known=known.clone() />
                <Matrix rows=body.evidence_matrix hypotheses=body.hypotheses citations=citations.clone() />
                <Section id="analysis"><div class="prose" inner_html=analysis></div></Section>
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
fn listed(assessment: &Assessment) -> Vec<(&'static str, Listed)> {
    let body = &assessment.body;
    let where_known = |is_known| if is_known { Listed::Plain } else { Listed::Absent };
    let causes = if body.causes.is_empty() { Listed::Absent } else { Listed::Counted(body.causes.len()) };
    vec![
        ("judgements", Listed::Counted(body.key_judgements.len())),
        ("hypotheses", Listed::Counted(body.hypotheses.len())),
        ("matrix", Listed::Counted(body.evidence_matrix.len())),
        ("causes", causes),
        ("indicators", Listed::Counted(body.indicators.len())),
        ("gaps", Listed::Counted(body.gaps.len())),
        ("assumptions", Listed::Counted(body.assumptions.len())),
        ("impacts", Listed::Counted(body.impacts.len())),
        ("sources", where_known(assessment.sources.is_some())),
        ("outlets", Listed::Counted(body.outlets.len())),
        ("checks", where_known(assessment.checks.is_some())),
        ("citations", Listed::Counted(assessment.citations.len())),
    ]
}

/// What has become of cited pages since.
#[component]
fn FoundLater(findings: Vec<PageFinding>) -> impl IntoView {
    let count = findings.len() as u64;
    let say = if count == 1 { "says" } else { "say" };
    let text = format!(
        "{} no longer {say} what was taken from there: see the marks at the ",
        format::count(count, "cited page", "cited pages")
    );
    (count > 0).then(|| view! { <p class="notice" role="note">{text} <a href="#citations">"citations"</a> "."</p> })
}

/// The question, the answer, how sure, and the exports.
#[component]
fn Head(view: AssessmentView, known: KnownMarkers) -> impl IntoView {
    let Assessment { id, question, body, information, checks, producer, cost, .. } = view.assessment;
    let is_title = question == body.title;
    let score = checks.map(|checks| checks.score());
    let recorded = producer.recorded_note();
    view! {
        <header class="product-head">
            <p class="overline">
                "Assessment "
                <SampleBadge shown=view.is_sample />
                <RecordedBadge shown=recorded.is_some() />
                {view.is_partial.then(|| view! { <Badge tone=Tone::Warning text="Partial report: written without a model after a failure" /> })}
            </p>
            <h1>{body.title}</h1>
            <p class="product-dates">
                <span>"Written " <time datetime=view.created_at.to_string()>{format::minute(view.created_at)}</time></span>
                {information.until.is_some().then(|| view! { <span>"Information: " <Period information /></span> })}
            </p>
            {(!is_title).then(|| view! { <Asked text=question /> })}
            <p class="bottom-line"><MarkedText text=body.bottom_line known=known.clone() /></p>
            {recorded.map(|note| view! { <p class="hint">{note}</p> })}
            <FoundLater findings=view.findings />
            <div class="product-facts">
                <p><span class="muted">"Confidence "</span><ConfidenceMark level=body.overall_confidence.level /> " — " <MarkedText text=body.overall_confidence.basis known /></p>
                <p class="exports">
                    {score.map(|score| view! { <a href="#checks">{score}</a> })}
                    <span>"Used " {format::spent_if_priced(&view.spent, &view.currency, cost.amount.is_some())}</span>
                    <span>
                        <a class="button quiet" href=format!("/assessments/{id}/export.md") download>"Markdown"</a>
                        <a class="button quiet" href=format!("/assessments/{id}/export.json") download>"JSON"</a>
                    </span>
                </p>
            </div>
        </header>
    }
    .into_any()
}
