//! Thread of a report: earlier and later questions, versions, and the field for the next question.

use crate::format;
use domain::{AssessmentId, InvestigationId, investigation::FollowKind};
use leptos::prelude::*;
use views::ThreadLine;

/// Characters of a question in the list.
const QUESTION_CHARS: usize = 120;

/// Questions of the thread, oldest first, with a link to the comparison of each with this one.
#[component]
pub fn Thread(id: AssessmentId, lines: Vec<ThreadLine>) -> impl IntoView {
    (!lines.is_empty()).then(|| {
        let items = lines.into_iter().map(|line| view! { <Entry id line /> }).collect_view();
        view! { <nav class="thread" aria-label="Thread"><ol>{items}</ol></nav> }
    })
}

#[component]
fn Entry(id: AssessmentId, line: ThreadLine) -> impl IntoView {
    let ThreadLine { investigation_id, question, assessment, version, versions, is_current, created_at, .. } = line;
    let href =
        assessment.map_or_else(|| format!("/investigations/{investigation_id}"), |found| format!("/assessments/{found}"));
    let number = (versions > 1).then(|| format!("v{version} of {versions} · "));
    let compare = assessment.filter(|other| *other != id && versions > 1).map(|other| {
        let (name, href) = (format!(" with version {version}"), format!("/assessments/{id}/compare?with={other}"));
        view! { " " <a href=href>"Compare" <span class="hidden">{name}</span></a> }
    });
    view! {
        <li>
            <span class="muted">{number} {format::day(created_at)} " "</span>
            <a href=href aria-current=is_current.then_some("page")>{format::abridged(&question, QUESTION_CHARS)}</a>
            {assessment.is_none().then(|| view! { <span class="muted">" (no assessment yet)"</span> })}
            {compare}
        </li>
    }
    .into_any()
}

/// Field for a question that continues this one; it opens the question form.
#[component]
pub fn AskNext(id: InvestigationId, may_ask: bool) -> impl IntoView {
    may_ask.then(|| {
        view! {
            <form method="get" action="/investigations/new" class="ask-next">
                <label for="ask-next">"Ask a follow-up question"</label>
                <input type="hidden" name="follows" value=id.to_string() />
                <input type="hidden" name="kind" value=FollowKind::FollowUp.as_str() />
                <div class="search">
                    <input id="ask-next" name="draft" type="text" maxlength="1000" required />
                    <button type="submit" class="outline">"Ask"</button>
                </div>
            </form>
        }
    })
}
