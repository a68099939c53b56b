//! Changes since the last visit.

use crate::{atoms::Age, prelude::*};
use views::{VisitChange, VisitChangeKind, VisitChanges};

/// Characters of a question in one line.
const TITLE_CHARS: usize = 120;

/// Changes that stand open.
const OPEN_LINES: usize = 3;

/// One line per change, newest first, those beyond the first folded; or that nothing changed.
#[component]
pub fn SinceVisit(changes: VisitChanges, now: Timestamp) -> impl IntoView {
    let VisitChanges { since, changes } = changes;
    let list = if changes.is_empty() {
        let text = format!("Nothing changed since {}.", format::since(since, now));
        view! { <p class="muted">{text}</p> }.into_any()
    } else {
        let mut lines: Vec<AnyView> = changes.into_iter().map(|change| view! { <Line change now /> }.into_any()).collect();
        let rest = lines.split_off(lines.len().min(OPEN_LINES));
        let more = format!("{} more", rest.len());
        let rest = (!rest.is_empty()).then(|| view! { <details><summary>{more}</summary><ul>{rest}</ul></details> });
        view! { <ul>{lines}</ul> {rest} }.into_any()
    };
    view! {
        <section class="since" aria-labelledby="since-title">
            <h2 id="since-title">"Since your last visit"</h2>
            {list}
        </section>
    }
}

#[component]
fn Line(change: VisitChange, now: Timestamp) -> impl IntoView {
    let kind = match change.kind {
        VisitChangeKind::Finished => "Finished: ",
        VisitChangeKind::Failed => "Failed: ",
        VisitChangeKind::CitedPageChanged => "Cited page changed: ",
    };
    view! {
        <li>
            <span class="muted">{kind}</span>
            <a href=change.href>{format::abridged(&change.title, TITLE_CHARS)}</a>
            " "
            <span class="muted"><Age then=change.at now /></span>
        </li>
    }
}
