//! The bar of a report: what its reader can do with it, each in one or two actions.

use super::{AskButton, AskNext, ReportContext};
use crate::{
    parts::{Manage, Readers},
    prelude::*,
};
use domain::investigation::FollowKind;

/// Follow-up, readers, link, pieces of features, exports, and what is rarely done. The last opens beneath the bar.
#[component]
pub fn ReportActions(
    view: AssessmentView,
    viewer: User,
    /// Characters that a question may have.
    max_chars: usize,
    answer: VisibilityAnswer,
) -> impl IntoView {
    let may_ask = viewer.role.may(Action::Investigate);
    let Assessment { id, investigation_id, question, .. } = view.assessment;
    let access = view.access.filter(|_| !view.is_sample);
    let follow_up = may_ask.then(|| {
        view! {
            <details name="actions">
                <summary>"Follow up"</summary>
                <AskNext id=investigation_id max_chars />
            </details>
        }
    });
    let pieces = ReportContext::of_page().map(|context| {
        let share = Slot::Share { viewer: context.viewer.clone(), kind: Slot::ASSESSMENT, object: context.id.to_string() };
        view! {
            <Pieces at=Slot::Assessment { viewer: context.viewer.clone(), assessment: context.id } />
            {context.is_open.then(|| view! { <Pieces at=share /> })}
        }
    });
    let again =
        may_ask.then(|| view! { <AskButton draft=question text="Run again" follows=(investigation_id, FollowKind::Rerun) /> });
    let pdf = match crate::session::can_print() {
        true => view! {
            <a class="button quiet" href=format!("/assessments/{id}/brief.pdf")>"PDF of the brief"</a>
            <a class="button quiet" href=format!("/assessments/{id}/full.pdf")>"PDF in full"</a>
        }
        .into_any(),
        false => view! { <p class="hint">{NO_PDF}</p> }.into_any(),
    };
    view! {
        <div class="report-actions" role="group" aria-label="Actions">
            {follow_up}
            <Readers access form=view.visibility_form report=id answer />
            <button type="button" class="quiet needs-script" data-copy-link>"Copy link"</button>
            {pieces}
            <details name="actions" class="export">
                <summary>"Export"</summary>
                <div>
                    {pdf}
                    <a class="button quiet" href=format!("/assessments/{id}/export.md") download>"Markdown"</a>
                    <a class="button quiet" href=format!("/assessments/{id}/export.json") download>"JSON"</a>
                    <Pieces at=Slot::Exports { assessment: id } />
                </div>
            </details>
            <details name="actions" class="more">
                <summary>"More"</summary>
                <div>
                    <a class="button quiet" href=format!("/graph?report={id}")>"Show in the graph"</a>
                    {again}
                    <Manage
                        kind=TidyKind::Investigations
                        id=investigation_id.to_string()
                        may_manage=view.may_manage
                        is_archived=view.is_archived
                    />
                </div>
            </details>
        </div>
    }
}

/// Text in place of the PDF files on a server that cannot print.
const NO_PDF: &str = "This server makes no PDF files: it has no Chromium, or may not start it as root (“autosint doctor” says why). Print this page, or the other tabs, from your browser and choose “Save as PDF”.";
