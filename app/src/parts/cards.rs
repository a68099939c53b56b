//! Assessments and investigations in the lists of the dashboard.

use crate::{
    atoms::{Age, Badge, BriefBadge, ConfidenceMark, RecordedBadge, SampleBadge, Scale, StatusBadge, Tone},
    format,
};
use domain::{Timestamp, investigation::ProgressSummary};
use leptos::prelude::*;
use views::{AssessmentCard, InvestigationCard};

/// Characters of a question that a card shows.
const QUESTION_CHARS: usize = 160;

/// A finished assessment: the answer first.
#[component]
pub fn AssessmentCardView(card: AssessmentCard, now: Timestamp) -> impl IntoView {
    let judgement = card.judgement.map(|judgement| {
        let scale = judgement.likelihood.map(|likelihood| {
            view! {
                <div class="card-scale">
                    <Scale likelihood />
                    <span>{likelihood.term.words()} " · " {format::percent(likelihood.point)}</span>
                </div>
            }
        });
        view! { <div class="card-judgement"><p>{format::without_citations(&judgement.statement)}</p>{scale}</div> }
    });
    let later = match card.found_later {
        0 => None,
        1 => Some("A cited page has changed since".to_owned()),
        pages => Some(format!("{pages} cited pages have changed since")),
    };
    view! {
        <article class="card">
            <p class="card-question">{format::abridged(&card.question, QUESTION_CHARS)}</p>
            <h3><a href=format!("/assessments/{}", card.id)>{format::without_citations(&card.bottom_line)}</a></h3>
            {judgement}
            <p class="card-facts">
                <BriefBadge kind=card.kind />
                <SampleBadge is_shown=card.is_sample />
                <RecordedBadge is_shown=card.is_recorded />
                {card.is_partial.then(|| view! { <Badge tone=Tone::Warning text="Partial report" /> })}
                {later.map(|text| view! { <Badge tone=Tone::Warning text /> })}
                {card.confidence.map(|confidence| view! { <span>"Confidence " <ConfidenceMark level=confidence.level /></span> })}
                <span>{format::count(card.citations as u64, "citation", "citations")} " from " {format::count(card.documents as u64, "document", "documents")}</span>
                <Age then=card.created_at now />
            </p>
        </article>
    }
    .into_any()
}

/// An investigation that has no assessment yet.
#[component]
pub fn InvestigationRow(card: InvestigationCard, now: Timestamp) -> impl IntoView {
    let progress = card.progress.map(|ProgressSummary { cycle, orders, resolved, claims }| {
        view! {
            {(cycle > 0).then(|| view! { <span>"Cycle " {cycle}</span> })}
            {(orders > 0).then(|| view! { <span>{format!("{resolved} of {orders} orders")}</span> })}
            <span>{format::count(claims, "claim", "claims")}</span>
        }
    });
    view! {
        <li class="row">
            <a class="row-title" href=format!("/investigations/{}", card.id)>{format::abridged(&card.question, QUESTION_CHARS)}</a>
            <p class="card-facts">
                <StatusBadge status=card.status />
                <SampleBadge is_shown=card.is_sample />
                {progress}
                <Age then=card.created_at now />
            </p>
            {card.reason.map(|reason| view! { <p class="hint">{reason}</p> })}
        </li>
    }
    .into_any()
}
