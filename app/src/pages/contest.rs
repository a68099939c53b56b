//! Contesting a rating of an assessment, and excluding a citation from its recount.

use super::{Visit, id_in_path, query, render_page};
use crate::{
    parts::assessment::{ContestList, Excluded, Recounted},
    prelude::*,
};
use domain::{
    ConfidenceLevel,
    annotation::{ContestedItem, ContestedValue, MAX_REASON_CHARS},
    assessment::unmarked,
};

/// Loads a report with one of its ratings, and the values of a form that was refused just now.
async fn load_contested(
    id: String,
    item: String,
    error: Option<String>,
) -> Result<Visit<(AssessmentView, ContestedItem, ContestValues)>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse() else { return Err(AppError::not_found("assessment")) };
    let page = engine.assessment_view(&viewer, id).await?.ok_or_else(|| AppError::not_found("assessment"))?;
    let item = ContestedItem::parse(&item).filter(|item| is_there(item, &page.assessment));
    let item = item.ok_or_else(|| AppError::not_found("rating"))?;
    let kept = KeptForm::take_of_page(viewer.id).await;
    let is_exclusion = kept.get("marker").is_some();
    let values = ContestValues { value: kept.value("value"), reason: kept.value("reason"), error, is_exclusion };
    Ok(Visit { viewer, page: (page, item, values) })
}

/// Values of a refused form.
#[derive(Debug, Clone, Default)]
pub(super) struct ContestValues {
    pub value: String,
    pub reason: String,
    pub error: Option<String>,
    /// The refused form was the one that excludes.
    pub is_exclusion: bool,
}

#[component]
pub fn ContestPage() -> impl IntoView {
    let load = load_contested(id_in_path(), query("item").unwrap_or_default(), query("error"));
    render_page(load, |Visit { viewer, page: (page, item, values) }| view! { <PageBody viewer page item values /> }.into_any())
}

/// Whether the assessment has the rating, or the citation that can be excluded.
fn is_there(item: &ContestedItem, assessment: &Assessment) -> bool {
    match item {
        ContestedItem::Likelihood(_) => item.original(assessment).is_some(),
        ContestedItem::Credibility(marker) => assessment.markers().contains(marker),
    }
}

#[component]
pub(super) fn PageBody(viewer: User, page: AssessmentView, item: ContestedItem, values: ContestValues) -> impl IntoView {
    let AssessmentView { assessment, annotations, may_manage, .. } = page;
    let id = assessment.id;
    let original = item.original(&assessment);
    let contests = annotations.contests_of(&item);
    let heading = match &item {
        ContestedItem::Likelihood(id) => format!("Contest {id}"),
        ContestedItem::Credibility(marker) => format!("Citation {marker}"),
    };
    let here = heading.clone();
    let report = format!("/assessments/{id}");
    let is_exclusion = values.is_exclusion;
    let exclude = match &item {
        ContestedItem::Credibility(marker) if may_manage => {
            let reason = if is_exclusion { values.reason.clone() } else { String::new() };
            let exclusion = annotations.exclusions.iter().find(|one| one.marker == *marker).cloned();
            Some(match exclusion {
                Some(exclusion) => view! { <Excluded id exclusion may_include=true /> }.into_any(),
                None => view! { <ExcludeForm assessment=assessment.clone() excluded=annotations.excluded() marker=*marker reason /> }.into_any(),
            })
        }
        _ => None,
    };
    view! {
        <Title text=heading.clone() />
        <Frame viewer=viewer.clone() nav=NavItem::Assessments>
            <Breadcrumbs above=[("Assessments", "/assessments".to_owned()), ("Report", report)] here />
            <h1>{heading}</h1>
            <NoticeBanner code=values.error.clone() />
            <Subject item=item.clone() assessment original />
            <ContestList id viewer=viewer.id contests />
            {original.map(|original| view! { <ContestForm id item original values=values.clone() /> })}
            {exclude}
        </Frame>
    }
    .into_any()
}

/// The rated thing: a statement with its likelihood, or a quote with its credibility.
#[component]
fn Subject(item: ContestedItem, assessment: Assessment, original: Option<ContestedValue>) -> impl IntoView {
    let rated = original.map(|original| {
        let by = assessment.producer.model.clone();
        view! { <p>"Rated " <strong>{original.words()}</strong> " by the author (" {by} "). This stays as it is." </p> }
    });
    let subject = match item {
        ContestedItem::Likelihood(id) => {
            let judgements = assessment.body.key_judgements.iter().map(|one| (&one.id, &one.statement));
            let hypotheses = assessment.body.hypotheses.iter().map(|one| (&one.id, &one.statement));
            let statement = judgements.chain(hypotheses).find(|(other, _)| **other == id).map(|(_, text)| text.clone());
            view! { <p class="lead">{unmarked(&statement.unwrap_or_default())}</p> }.into_any()
        }
        ContestedItem::Credibility(marker) => {
            let citation = assessment.citations.iter().find(|citation| citation.marker == marker).cloned();
            citation.map(|citation| view! { <Quote citation /> }).into_any()
        }
    };
    view! { {subject} {rated} }
}

#[component]
fn Quote(citation: Citation) -> impl IntoView {
    let outlet = citation.source_name();
    let published = citation.published_at.map_or_else(|| "undated".to_owned(), format::published);
    view! {
        <blockquote class="contest-quote">{citation.quote}</blockquote>
        <p class="muted">{outlet} ", " {published} ", " {format::attribution(citation.attribution)} ", " <cite>{citation.document_title}</cite></p>
    }
}

#[component]
fn ContestForm(id: AssessmentId, item: ContestedItem, original: ContestedValue, values: ContestValues) -> impl IntoView {
    let (value, reason) = if values.is_exclusion { Default::default() } else { (values.value, values.reason) };
    let field = match original {
        ContestedValue::Percent(_) => view! {
            <div class="field">
                <label for="value">"Your likelihood, in percent"</label>
                <input id="value" name="value" type="text" inputmode="numeric" maxlength="5" value=value required />
            </div>
        }
        .into_any(),
        ContestedValue::Level(_) => {
            let options = ConfidenceLevel::ALL.map(|level| {
                let selected = value == level.as_str();
                view! { <option value=level.as_str() selected=selected>{level.as_str()}</option> }
            });
            view! {
                <div class="field">
                    <label for="value">"Your rating of the source"</label>
                    <select id="value" name="value">{options.into_iter().collect_view()}</select>
                </div>
            }
            .into_any()
        }
    };
    view! {
        <section class="contest-section">
            <h2>"Contest it"</h2>
            <p class="hint">"Your value stands beside the author’s, with your name and the date. Everyone who may read the report sees it. You can withdraw it."</p>
            <form method="post" action=format!("/assessments/{id}/contest") class="form">
                <input type="hidden" name="item" value=item.to_string() />
                {field}
                <Reason id="reason" reason />
                <button type="submit">"Contest"</button>
            </form>
        </section>
    }
}

#[component]
fn ExcludeForm(
    assessment: Assessment,
    excluded: std::collections::BTreeSet<Marker>,
    marker: Marker,
    reason: String,
) -> impl IntoView {
    let id = assessment.id;
    let mut excluded = excluded;
    excluded.insert(marker);
    view! {
        <section class="contest-section">
            <h2>"Exclude it"</h2>
            <p class="hint">"It stays in the report and is marked. The Evidence tab shows the counts without it beside the original ones. You can include it again."</p>
            <form method="post" action=format!("/assessments/{id}/exclude") class="form">
                <input type="hidden" name="marker" value=marker.to_string() />
                <Reason id="exclude-reason" reason />
                <button type="submit" class="outline">"Exclude"</button>
            </form>
            <Recounted assessment excluded is_preview=true />
        </section>
    }
}

#[component]
fn Reason(id: &'static str, reason: String) -> impl IntoView {
    view! {
        <div class="field">
            <label for=id>"Reason"</label>
            <textarea id=id name="reason" rows="3" maxlength=MAX_REASON_CHARS.to_string() required>{format::as_text(&reason)}</textarea>
        </div>
    }
}
