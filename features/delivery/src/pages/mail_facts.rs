//! State of a mail or webhook message, with its time and problem.

use crate::mail::{Mail, MailState};
use app::{
    atoms::{Badge, Tone},
    format,
};
use domain::Timestamp;
use leptos::prelude::*;

#[component]
pub fn MailFacts(mail: Mail, now: Timestamp) -> impl IntoView {
    let (tone, state) = match mail.state {
        MailState::Waiting if mail.attempts > 0 => (Tone::Warning, "Will be tried again"),
        MailState::Waiting => (Tone::Live, "Waiting"),
        MailState::Sent => (Tone::Good, "Sent"),
        MailState::Dropped => (Tone::Quiet, "Not needed any more"),
        MailState::Failed => (Tone::Bad, "Failed"),
    };
    view! {
        <p class="card-facts">
            <Badge tone text=state />
            <time datetime=mail.created_at.to_string()>{format::since(mail.created_at, now)}</time>
            {mail.problem.map(|problem| view! { <span>{problem.describe()}</span> })}
        </p>
    }
    .into_any()
}
