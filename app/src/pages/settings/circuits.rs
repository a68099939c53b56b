//! Dependencies that have failed, in words.

use crate::prelude::*;
use views::settings::{CircuitLine, Outage};

/// Dependencies with failures since their last success.
#[component]
pub fn Circuits(circuits: Vec<CircuitLine>, now: Timestamp) -> impl IntoView {
    let failed: Vec<_> = circuits.into_iter().filter(|line| line.outage != Outage::None { failures: 0 }).collect();
    let is_empty = failed.is_empty();
    let rows = failed.into_iter().map(|line| view! { <Row line now /> }).collect_view();
    view! {
        <section aria-labelledby="circuits-title" class="settings-part">
            <h2 id="circuits-title">"Service health"</h2>
            {is_empty.then(|| view! { <p class="muted">"All services respond."</p> })}
            <ul class="setting-list">{rows}</ul>
        </section>
    }
}

#[component]
fn Row(line: CircuitLine, now: Timestamp) -> impl IntoView {
    let CircuitLine { dependency, outage, reason } = line;
    let (tone, words) = match outage {
        Outage::None { failures } => (Tone::Warning, format!("Up; {failures} failures in a row")),
        Outage::Down { retry_at: Some(at) } if at > now => (Tone::Bad, format!("Down: next try at {} UTC", format::clock(at))),
        // Without a waiting caller nothing is retried.
        Outage::Down { .. } => (Tone::Bad, "Down: ready for a retry".to_owned()),
        Outage::Probing => (Tone::Live, "Recovering: probing".to_owned()),
    };
    view! {
        <li class="setting">
            <div>
                <p><strong>{dependency}</strong> " " <Badge tone text=words /></p>
                {reason.map(|reason| view! { <p class="hint">{reason}</p> })}
            </div>
        </li>
    }
    .into_any()
}
