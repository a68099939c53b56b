//! The Evidence tab: the citations of a report and what they amount to, in the view and with the filter that the address names.

use super::{Html, ShortHead};
use crate::{
    atoms::KnownMarkers,
    parts::assessment::{
        Citations, Contents, ContentsEntry, EvidenceFilter, EvidencePanels, EvidenceView, EvidenceViews, FilterForm, Matrix,
        Origins, Outlets, Recounted, RestsOn, Section, Sources, Tab, Tabs, Timeline, Unused,
    },
};
use domain::{
    EntityId,
    assessment::{Assessment, AssessmentKind, Basis, Citation},
    document::Document,
    outlet::OutletRecord,
};
use leptos::prelude::*;
use views::AssessmentView;

#[component]
pub fn Evidence(
    view: AssessmentView,
    html: Html,
    filter: EvidenceFilter,
    shown: EvidenceView,
    unused: Vec<Document>,
) -> impl IntoView {
    let whole = view.assessment.clone();
    let (id, total, is_filtered) = (whole.id, whole.citations.len(), filter.is_active());
    let matching = filter.matching(&whole);
    let mut citations = whole.citations.clone();
    citations.retain(|citation| matching.contains(&citation.marker));
    let count = citations.len();
    let (findings, closed) = (view.findings.clone(), view.closed.clone());
    let panels = view! { <EvidencePanels citations=citations.clone() findings=findings.clone() closed=closed.clone() /> };
    let content = match shown {
        EvidenceView::Unused => view! { <Unused documents=unused /> }.into_any(),
        _ if is_filtered && count == 0 => view! { <p>"No citation matches. Choose less, or clear the filters."</p> }.into_any(),
        EvidenceView::List if is_filtered => view! { <Citations citations findings closed /> }.into_any(),
        EvidenceView::List => view! { <List view=view.clone() html /> }.into_any(),
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
    let has_matrix = whole.kind == AssessmentKind::Assessment;
    let views = view! { <EvidenceViews id current=shown filter=filter.clone() has_matrix /> };
    let form = (shown != EvidenceView::Unused).then(|| view! { <FilterForm assessment=whole filter shown=count view=shown /> });
    view! {
        <ShortHead view />
        <Tabs id current=Tab::Evidence citations=total />
        {views}
        {form}
        {content}
    }
    .into_any()
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
    .into_any()
}

/// Basis of the report, and every citation.
#[component]
fn List(view: AssessmentView, html: Html) -> impl IntoView {
    let known = KnownMarkers::new(view.assessment.markers());
    let (whole, excluded) = (view.assessment.clone(), view.annotations.excluded());
    let entries = contents(&whole, !excluded.is_empty());
    let AssessmentView { assessment, findings, closed, .. } = view;
    let basis = match whole.kind {
        AssessmentKind::Assessment => view! { <RestsOn assessment known /> }.into_any(),
        AssessmentKind::EvidenceBrief => {
            let has_detail = !whole.body.analysis.trim().is_empty();
            let detail = || view! { <Section id="detail"><div class="prose" inner_html=html.analysis></div></Section> };
            has_detail.then(detail).into_any()
        }
    };
    let citations = whole.citations.clone();
    view! {
        <Contents entries />
        <Recounted assessment=whole excluded />
        {basis}
        <Citations citations findings closed />
    }
    .into_any()
}

/// The sections of the list; what an assessment of an earlier program does not have is left out.
fn contents(assessment: &Assessment, has_recount: bool) -> Vec<ContentsEntry> {
    let recount = has_recount.then_some(("recount", None));
    let citations = Some(("citations", Some(assessment.citations.len())));
    let basis = match assessment.kind {
        AssessmentKind::EvidenceBrief => (!assessment.body.analysis.trim().is_empty()).then_some(("detail", None)),
        AssessmentKind::Assessment => (Basis::new(assessment) != Basis::default()).then_some(("basis", None)),
    };
    [recount, basis, citations].into_iter().flatten().collect()
}
