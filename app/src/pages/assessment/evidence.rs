//! The Evidence tab: the citations of a report and what they amount to, in the view and with the filter that the address names.

use super::{Html, ShortHead};
use crate::{
    parts::assessment::{
        Citations, EvidenceFilter, EvidenceViews, FilterForm, Matrix, Origins, Outlets, Recounted, RestsOn, Sources, Timeline,
        Unused,
    },
    prelude::*,
};
use domain::{assessment::AssessmentKind, document::Document, outlet::OutletRecord};
use std::collections::BTreeSet;

#[component]
pub fn Evidence(
    view: AssessmentView,
    html: Html,
    filter: EvidenceFilter,
    shown: EvidenceView,
    unused: Vec<Document>,
    /// Page of the list, from 1.
    page: usize,
) -> impl IntoView {
    let whole = view.assessment.clone();
    let (id, total, is_filtered) = (whole.id, whole.citations.len(), filter.is_active());
    let has_matrix = whole.kind == AssessmentKind::Assessment && !whole.body.evidence_matrix.is_empty();
    let first = if has_matrix { EvidenceView::Matrix } else { EvidenceView::List };
    let shown = if shown == EvidenceView::Matrix { first } else { shown };
    let matching = filter.matching(&whole);
    let mut citations = whole.citations.clone();
    citations.retain(|citation| matching.contains(&citation.marker));
    let count = citations.len();
    let (findings, closed) = (view.findings.clone(), view.closed.clone());
    let panels = view! { <EvidencePanels citations=citations.clone() findings=findings.clone() closed /> };
    let content = match shown {
        EvidenceView::Unused => view! { <Unused documents=unused /> }.into_any(),
        _ if is_filtered && count == 0 => view! { <p>"No citation matches. Choose less, or clear the filters."</p> }.into_any(),
        EvidenceView::List => {
            let (hypotheses, filter) = (whole.body.hypotheses.clone(), filter.clone());
            view! { <Citations id citations hypotheses findings filter page /> {panels} }.into_any()
        }
        EvidenceView::Matrix => {
            let mut body = whole.body.clone();
            let mut rows = std::mem::take(&mut body.evidence_matrix);
            rows.retain(|row| matching.contains(&row.citation));
            view! { <Matrix rows body citations /> {panels} }.into_any()
        }
        EvidenceView::Timeline => view! { <Timeline citations /> {panels} }.into_any(),
        EvidenceView::Origins => {
            view! { <ByOrigin assessment=whole.clone() records=view.outlet_records.clone() citations /> {panels} }.into_any()
        }
    };
    let is_opening = shown == first && !is_filtered && page <= 1;
    let excluded = if is_opening { view.annotations.excluded() } else { BTreeSet::new() };
    let recount = view! { <Recounted assessment=whole.clone() excluded /> };
    let basis = is_opening.then(|| view! { <Foundation assessment=whole.clone() html /> });
    let views = view! { <EvidenceViews id current=shown filter=filter.clone() has_matrix /> };
    let form = (shown != EvidenceView::Unused).then(|| view! { <FilterForm assessment=whole filter shown=count view=shown /> });
    view! {
        <ShortHead view />
        <Tabs id current=Tab::Evidence citations=total />
        {views}
        {form}
        {recount}
        {content}
        {basis}
    }
}

/// Citations by origin, with what is known of sources and outlets.
#[component]
fn ByOrigin(assessment: Assessment, records: Vec<(EntityId, OutletRecord)>, citations: Vec<Citation>) -> impl IntoView {
    let known = KnownMarkers::new(assessment.markers());
    let evidence = assessment.evidence_period();
    let Assessment { kind, body, sources, .. } = assessment;
    let outlets = kind.is_assessment().then(|| view! { <Outlets outlets=body.outlets records known /> });
    view! {
        <Origins citations />
        {sources.map(|sources| view! { <Sources sources evidence /> })}
        {outlets}
    }
}

/// Basis of the report; of an evidence brief, its detail.
#[component]
fn Foundation(assessment: Assessment, html: Html) -> impl IntoView {
    match assessment.kind {
        AssessmentKind::Assessment => {
            let known = KnownMarkers::new(assessment.markers());
            view! { <RestsOn assessment known /> }.into_any()
        }
        AssessmentKind::EvidenceBrief => {
            let has_detail = !assessment.body.analysis.trim().is_empty();
            let detail = || view! { <Section id="detail"><div class="prose" inner_html=html.analysis></div></Section> };
            has_detail.then(detail).into_any()
        }
    }
}
