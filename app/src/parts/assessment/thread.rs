//! Thread of a report: earlier and later questions, versions, and the field for the next question.

use crate::prelude::*;
use domain::assessment::BeliefChange;
use views::{FollowedReport, ThreadLine, previous_version};

/// Characters of a question in the list.
const QUESTION_CHARS: usize = 120;

/// Questions of the thread, oldest first. Other versions of this question have a link to the comparison with this one.
#[component]
pub fn Thread(id: AssessmentId, lines: Vec<ThreadLine>) -> impl IntoView {
    (!lines.is_empty()).then(|| {
        let current = lines.iter().find(|line| line.is_current).cloned();
        let items = lines.into_iter().map(|line| {
            let is_version = current.as_ref().is_some_and(|current| line.is_version_of(current));
            view! { <Entry id line is_version /> }
        });
        let items = items.collect_view();
        view! {
            <nav class="thread" aria-label="Thread">
                <p class="muted">"This question, its versions and follow-ups"</p>
                <ol>{items}</ol>
            </nav>
        }
    })
}

#[component]
fn Entry(
    id: AssessmentId,
    line: ThreadLine,
    /// Whether it is a version of the question of the report.
    is_version: bool,
) -> impl IntoView {
    let ThreadLine { investigation_id, question, assessment, version, versions, is_current, created_at, .. } = line;
    let href = format::report_address(investigation_id, assessment);
    let number = (versions > 1).then(|| format!("v{version} of {versions} · "));
    let compare = assessment.filter(|other| *other != id && is_version).map(|other| {
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
}

/// Path to a report: the list, and the version of its question with its other versions and what changed. A follow-up has the question
/// before it.
#[component]
pub fn ReportCrumbs(
    id: AssessmentId,
    lines: Vec<ThreadLine>,
    change: Option<BeliefChange>,
    followed: Option<FollowedReport>,
) -> impl IntoView {
    let followed = followed.map(|FollowedReport { id, question, change }| {
        let moved = change.map_or_else(|| "not comparable, no hypothesis in common".to_owned(), |change| change.words());
        let question = format::abridged(&question, QUESTION_CHARS);
        view! { " · follows " <a href=format!("/assessments/{id}")>{question}</a> ": " {moved} }
    });
    let here = versions(id, &lines, change).unwrap_or_else(|| "Report".into_any());
    view! {
        <nav aria-label="Breadcrumbs" class="crumbs">
            <ol>
                <li><a href="/assessments">"Assessments"</a></li>
                <li aria-current="page">{here} {followed}</li>
            </ol>
        </nav>
    }
    .into_any()
}

/// The version, the way to the others, the comparison with the previous one, and the history; nothing for a single version.
fn versions(id: AssessmentId, lines: &[ThreadLine], change: Option<BeliefChange>) -> Option<AnyView> {
    let current = lines.iter().find(|line| line.is_current && line.versions > 1)?;
    let changed = previous_version(lines).map(|previous| {
        // Evidence briefs have no probabilities.
        let change = change.filter(|change| change.is_other_leader || change.leader_points.is_some());
        let moved = change.map(|change| format!(": {}", change.words()));
        view! { " · " <a href=format!("/assessments/{id}/compare?with={previous}")>"what changed"</a> {moved} }
    });
    let links = lines.iter().filter(|line| line.is_version_of(current)).filter_map(|line| {
        let assessment = line.assessment?;
        let is_current = (assessment == id).then_some("page");
        let text = format!("v{} · {}", line.version, format::day(line.created_at));
        Some(view! { <li><a href=format!("/assessments/{assessment}") aria-current=is_current>{text}</a></li> })
    });
    let links: Vec<_> = links.collect();
    Some(
        view! {
            <details class="versions">
                <summary>{format!("v{} of {}", current.version, current.versions)}</summary>
                <ul aria-label="Versions">{links}</ul>
            </details>
            {changed}
            " · "
            <a href=format!("/assessments/{id}/history")>"history"</a>
        }
        .into_any(),
    )
}

/// Field for a question that continues this one. It starts at once, with the choices of this one.
#[component]
pub fn AskNext(id: InvestigationId, max_chars: usize) -> impl IntoView {
    view! {
        <form method="post" action="/investigations/follow-up" class="ask-next">
            <label for="ask-next">"Ask a follow-up question"</label>
            <input type="hidden" name="follows" value=id.to_string() />
            <div class="search">
                <input id="ask-next" name="question" type="text" maxlength=max_chars.to_string() required />
                <button type="submit">"Ask"</button>
            </div>
            <p class="hint">"It starts at once and searches where this question did."</p>
        </form>
    }
}
