//! Short words in a frame: states and marks.

use domain::{
    assessment::{AssessmentState, PartState, Producer},
    investigation::Status,
};
use leptos::prelude::*;
use views::Ownership;

/// Tone of a badge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Quiet,
    Live,
    Good,
    Warning,
    Bad,
}

#[component]
pub fn Badge(tone: Tone, #[prop(into)] text: String) -> impl IntoView {
    let class = match tone {
        Tone::Quiet => "badge",
        Tone::Live => "badge badge-live",
        Tone::Good => "badge badge-good",
        Tone::Warning => "badge badge-warning",
        Tone::Bad => "badge badge-bad",
    };
    view! { <span class=class>{text}</span> }
}

/// State of an assessment.
#[component]
pub fn StateBadge(state: AssessmentState) -> impl IntoView {
    view! { <Badge tone=tone(state) text=state.words() /> }
}

/// State of each part of the question of an assessment, with its figure.
#[component]
pub fn PartBadges(parts: Vec<PartState>) -> impl IntoView {
    parts.into_iter().map(|part| view! { <Badge tone=tone(part.state) text=part.words() /> " " }).collect_view()
}

const fn tone(state: AssessmentState) -> Tone {
    match state {
        AssessmentState::Answered => Tone::Good,
        AssessmentState::Contested | AssessmentState::Tentative => Tone::Warning,
        AssessmentState::Forecast | AssessmentState::NotAnswered | AssessmentState::Quotes | AssessmentState::NotSettled => {
            Tone::Quiet
        }
    }
}

/// Marks what belongs to the sample.
#[component]
pub fn SampleBadge(is_shown: bool) -> impl IntoView {
    is_shown
        .then(|| view! { <span class="badge badge-sample" title="Invented documents that come with AutOSINT">"Sample"</span> })
}

/// Marks what recorded replies of a language model wrote.
#[component]
pub fn RecordedBadge(is_shown: bool) -> impl IntoView {
    is_shown.then(|| view! { <Badge tone=Tone::Quiet text=Producer::RECORDED /> })
}

/// Ownership of a document.
#[component]
pub fn OwnershipBadge(ownership: Ownership) -> impl IntoView {
    match ownership {
        Ownership::Yours => view! { <Badge tone=Tone::Quiet text="Yours" /> }.into_any(),
        Ownership::Shared => view! { <Badge tone=Tone::Quiet text="Shared" /> }.into_any(),
        Ownership::Team => view! { <Badge tone=Tone::Quiet text="Team" /> }.into_any(),
        Ownership::Sample => view! { <SampleBadge is_shown=true /> }.into_any(),
    }
}

/// The state of an investigation in words.
#[component]
pub fn StatusBadge(status: Status) -> impl IntoView {
    let (tone, text) = match status {
        Status::Pending => (Tone::Quiet, "Queued"),
        Status::AnalystRunning => (Tone::Live, "Analyst running"),
        Status::Processing => (Tone::Live, "Reading"),
        Status::Suspended => (Tone::Warning, "Suspended"),
        Status::Completed => (Tone::Good, "Completed"),
        Status::Failed => (Tone::Bad, "Failed"),
    };
    view! { <Badge tone text /> }
}
