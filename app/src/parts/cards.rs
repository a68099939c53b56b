//! Rows of assessments and investigations.

use crate::{
    atoms::{Age, RecordedBadge, StateBadge, StatusBadge},
    parts::{AccessMark, Phase, STOP_WARNING},
    prelude::*,
};
use domain::{
    annotation::Tag,
    assessment::unmarked,
    investigation::{ProgressSummary, Status},
};
use views::{AssessmentCard, InvestigationCard};

/// Characters of a question that a card shows.
const QUESTION_CHARS: usize = 160;

/// A finished assessment in one row: state, question, answer.
#[component]
pub fn AssessmentRow(
    card: AssessmentCard,
    now: Timestamp,
    /// Id of the form that its checkbox belongs to; none: no checkbox.
    #[prop(optional)]
    form: Option<&'static str>,
) -> impl IntoView {
    let later = match card.found_later {
        0 => None,
        1 => Some("A cited page has changed since".to_owned()),
        pages => Some(format!("{pages} cited pages have changed since")),
    };
    view! {
        <li class="assessment-row">
            <p class="row-state">
                {form.map(|form| {
                    let label = format!("Select: {}", format::abridged(&card.question, QUESTION_CHARS));
                    view! { <input type="checkbox" form=form name="id" value=card.investigation_id.to_string() aria-label=label /> " " }
                })}
                {match card.answered_parts {
                    Some(parts) => view! { <Badge tone=Tone::Warning text=parts.words() /> }.into_any(),
                    None => view! { <StateBadge state=card.state /> }.into_any(),
                }}
            </p>
            <div class="row-words">
                <p class="row-question"><a href=format!("/assessments/{}", card.id)>{format::abridged(&card.question, QUESTION_CHARS)}</a></p>
                <p class="row-answer">{unmarked(&card.bottom_line)}</p>
            </div>
            <p class="row-facts">
                <SampleBadge is_shown=card.is_sample />
                {card.access.filter(|_| !card.is_sample).map(|access| view! { <AccessMark access /> })}
                <RecordedBadge is_shown=card.is_recorded />
                {card.tags.into_iter().map(|tag| view! { <TagLink list="/assessments" tag /> }).collect_view()}
                {card.is_partial.then(|| view! { <Badge tone=Tone::Warning text="Partial report" /> })}
                {later.map(|text| view! { <Badge tone=Tone::Warning text /> })}
                {card.due.map(|day| view! { <span class="row-due" title="Next day by which one of its indicators resolves">"Due " <WrittenDay text=day /></span> })}
                {card.confidence.map(|confidence| view! {
                    <span class="row-confidence"><span class="hidden">"Confidence "</span><ConfidenceMark level=confidence.level /></span>
                })}
                <Age then=card.created_at now />
            </p>
        </li>
    }
}

/// A tag, as a link to the rows of a list that have it.
#[component]
pub fn TagLink(
    /// Address of the list.
    list: &'static str,
    tag: Tag,
) -> impl IntoView {
    let href = format!("{list}?tag={}", format::percent_encoded(tag.as_str()));
    view! { <a class="tag" href=href><span class="hidden">"Tag "</span>{tag.as_str().to_owned()}</a> }
}

/// An investigation that has no assessment yet.
#[component]
pub fn InvestigationRow(card: InvestigationCard, now: Timestamp) -> impl IntoView {
    let phase = match card.progress {
        Some(progress) if card.status != Status::Suspended => {
            view! { <Badge tone=Tone::Live text=phase(card.status, progress) /> }.into_any()
        }
        _ => view! { <StatusBadge status=card.status /> }.into_any(),
    };
    let stop = card.may_stop.then(|| {
        view! {
            <Confirm text="Stop…" about=card.question.clone() warning=STOP_WARNING>
                <form method="post" action=format!("/investigations/{}/stop", card.id)>
                    <button type="submit" class="outline">"Stop reading and write the report"</button>
                </form>
            </Confirm>
        }
    });
    let progress = card.progress.map(|ProgressSummary { cycle, claims, .. }| {
        view! {
            {(cycle > 1).then(|| view! { <span>"Round " {cycle}</span> })}
            <span>{format::count(claims, "claim", "claims")}</span>
        }
    });
    view! {
        <li class="row">
            <a class="row-title" href=format!("/investigations/{}", card.id)>{format::abridged(&card.question, QUESTION_CHARS)}</a>
            <p class="card-facts">
                {phase}
                <SampleBadge is_shown=card.is_sample />
                {card.owner.map(|owner| view! { <span>{owner}</span> })}
                {progress}
                <Age then=card.created_at now />
            </p>
            {card.reason.map(|reason| view! { <p class="hint">{reason}</p> })}
            {stop}
        </li>
    }
}

/// Phase of an investigation that runs, with its progress.
fn phase(status: Status, progress: ProgressSummary) -> String {
    let tasks = progress.orders as usize;
    Phase::at(status, tasks).text(progress.resolved as usize, tasks)
}
