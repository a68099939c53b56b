//! One assessment: bottom line first, then what it stands on.

use super::{Visit, id_in_path, shown};
use crate::{
    AppError,
    atoms::{Badge, ConfidenceMark, SampleBadge, Tone},
    format,
    parts::{
        Asked, Frame, Place,
        assessment::{
            Assumptions, ChangeNote, Citations, Colophon, Contents, Gaps, Hypotheses, Impacts, Indicators, Judgements, Matrix,
            Outlets, Section,
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
    let markers = view.assessment.citations.iter().map(|citation| citation.marker).collect();
    let analysis = crate::markdown::analysis(&view.assessment.body.analysis, &markers);
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
    let Assessment { body, citations, .. } = view.assessment.clone();
    let (created_at, findings) = (view.created_at, view.findings.clone());
    let counts = vec![
        ("judgements", body.key_judgements.len()),
        ("hypotheses", body.hypotheses.len()),
        ("matrix", body.evidence_matrix.len()),
        ("indicators", body.indicators.len()),
        ("gaps", body.gaps.len()),
        ("assumptions", body.assumptions.len()),
        ("impacts", body.impacts.len()),
        ("outlets", body.outlets.len()),
        ("citations", citations.len()),
    ];
    view! {
        <Title text=body.title.clone() />
        <Frame viewer place=Place::Elsewhere>
            <article class="product">
                <Head view />
                <Contents counts />
                <ChangeNote change=body.change />
                <Judgements judgements=body.key_judgements />
                <Hypotheses hypotheses=body.hypotheses.clone() />
                <Matrix rows=body.evidence_matrix hypotheses=body.hypotheses citations=citations.clone() />
                <Section id="analysis"><div class="prose" inner_html=analysis></div></Section>
                <Indicators indicators=body.indicators />
                <Gaps gaps=body.gaps />
                <Assumptions assumptions=body.assumptions />
                <Impacts impacts=body.impacts />
                <Outlets outlets=body.outlets />
                <Citations citations findings />
                <Colophon assessment=whole created_at />
            </article>
        </Frame>
    }
    .into_any()
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
fn Head(view: AssessmentView) -> impl IntoView {
    let Assessment { id, question, body, .. } = view.assessment;
    let is_title = question == body.title;
    view! {
        <header class="product-head">
            <p class="overline">
                "Assessment "
                <SampleBadge shown=view.is_sample />
                {view.is_partial.then(|| view! { <Badge tone=Tone::Warning text="Partial report: written without a model after a failure" /> })}
            </p>
            <h1>{body.title}</h1>
            {(!is_title).then(|| view! { <Asked text=question /> })}
            <p class="bottom-line">{body.bottom_line}</p>
            <FoundLater findings=view.findings />
            <div class="product-facts">
                <p><span class="muted">"Confidence "</span><ConfidenceMark level=body.overall_confidence.level /> " — " {body.overall_confidence.basis}</p>
                <p class="exports">
                    <time datetime=view.created_at.to_string()>{format::minute(view.created_at)}</time>
                    <span>"Used " {format::spent(&view.spent, &view.currency)}</span>
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
