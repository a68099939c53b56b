//! Change note: differences from the previous assessment, and the outcome of its indicators.

use crate::{
    parts::assessment::{
        digest::{entries, fold},
        ids::anchor,
    },
    prelude::*,
};
use domain::assessment::{Change, DigestList, ItemOutcome, SettledItem, unmarked};

#[component]
pub fn ChangeNote(change: Option<Change>, settled: DigestList<SettledItem>, known: KnownMarkers) -> impl IntoView {
    change.map(|change| {
        let score = change.score();
        let Change { previous_id, summary, .. } = change;
        let DigestList { open, folded } = entries(settled, |item| view! { <Item previous_id item /> }.into_any());
        let has_settled = !open.is_empty();
        let more = fold("settled", folded, ("outcome", "outcomes"));
        view! {
            <aside class="change" aria-label="Change from the previous assessment">
                <p>
                    <strong>"What changed: "</strong>
                    <MarkedText text=summary known />
                    " "
                    <a href=format!("/assessments/{previous_id}")>"Previous assessment"</a>
                </p>
                {has_settled.then(|| view! {
                    <p class="change-title">"Outcome of its indicators"</p>
                    <ul class="settled">{open}</ul>
                })}
                {more}
                {score.map(|score| view! { <p class="muted">{score}</p> })}
            </aside>
        }
        .into_any()
    })
}

#[component]
fn Item(previous_id: AssessmentId, item: SettledItem) -> impl IntoView {
    let words = item.outcome_words();
    let SettledItem { previous_item, text, outcome, citations, .. } = item;
    let tone = match outcome {
        ItemOutcome::Happened => Tone::Good,
        ItemOutcome::DidNotHappen => Tone::Bad,
        ItemOutcome::Partly => Tone::Warning,
        ItemOutcome::StillOpen | ItemOutcome::CannotBeTold => Tone::Quiet,
    };
    let href = format!("{}#{}", Tab::Analysis.address(previous_id), anchor(&previous_item));
    view! {
        <li>
            <a class="key" href=href>{previous_item}</a>
            {text.as_deref().map(unmarked)}
            " "
            <Badge tone text=words />
            " "
            <Cites markers=citations />
        </li>
    }
    .into_any()
}
