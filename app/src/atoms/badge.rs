//! Short words in a frame: states and marks.

use domain::{
    assessment::{AssessmentKind, Producer},
    investigation::Status,
    pages::Belongs,
};
use leptos::prelude::*;

/// What a badge wants of the eye.
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

/// Marks an evidence brief.
#[component]
pub fn BriefBadge(kind: AssessmentKind) -> impl IntoView {
    (!kind.is_assessment()).then(|| view! { <Badge tone=Tone::Quiet text="Evidence brief, no model" /> })
}

/// Marks what belongs to the sample.
#[component]
pub fn SampleBadge(shown: bool) -> impl IntoView {
    shown.then(|| view! { <span class="badge badge-sample" title="Invented documents that come with AutOSINT">"Sample"</span> })
}

/// Marks what recorded replies of a language model wrote.
#[component]
pub fn RecordedBadge(shown: bool) -> impl IntoView {
    shown.then(|| view! { <Badge tone=Tone::Quiet text=Producer::RECORDED /> })
}

/// Whose a document is.
#[component]
pub fn BelongsBadge(of: Belongs) -> impl IntoView {
    match of {
        Belongs::Yours => view! { <Badge tone=Tone::Quiet text="Yours" /> }.into_any(),
        Belongs::Shared => view! { <Badge tone=Tone::Quiet text="Shared" /> }.into_any(),
        Belongs::Sample => view! { <SampleBadge shown=true /> }.into_any(),
    }
}

/// The state of an investigation in words.
#[component]
pub fn StatusBadge(status: Status) -> impl IntoView {
    let (tone, text) = match status {
        Status::Pending => (Tone::Quiet, "Waiting"),
        Status::AnalystRunning => (Tone::Live, "Analyst at work"),
        Status::Processing => (Tone::Live, "Reading"),
        Status::Suspended => (Tone::Warning, "Suspended"),
        Status::Completed => (Tone::Good, "Completed"),
        Status::Failed => (Tone::Bad, "Failed"),
    };
    view! { <Badge tone text /> }
}
