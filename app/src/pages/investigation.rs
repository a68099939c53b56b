//! One investigation, live.

use super::{Visit, id_in_path, number, query, render_page};
use crate::{
    islands::{LiveInvestigation, investigation_body},
    parts::{LiveScripts, QuestionHeading, Readers, ReadersNotice, Rejected},
    prelude::*,
};
use domain::{assessment::QuestionScope, investigation::WebAccess};
use views::{InvestigationView, RejectedPage};

async fn load_investigation(id: String, rejected: u64) -> Result<Visit<InvestigationView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse() else { return Err(AppError::not_found("investigation")) };
    let page = engine.investigation_view(&viewer, id, rejected).await?.ok_or_else(|| AppError::not_found("investigation"))?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn InvestigationPage() -> impl IntoView {
    let answer = VisibilityAnswer::new(query("error"), query("visibility"), query("saved").is_some());
    render_page(load_investigation(id_in_path(), number("rejected")), move |Visit { viewer, page }| {
        view! { <PageBody viewer page answer /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(viewer: User, page: InvestigationView, #[prop(optional)] answer: VisibilityAnswer) -> impl IntoView {
    let (id, is_open) = (page.id, !page.live.status.is_terminal());
    let here = format!("/investigations/{}", page.id);
    let sessions = format!("{here}/sessions");
    let graph = match page.assessment {
        Some(report) => format!("/graph?report={report}"),
        None => format!("/graph?investigation={}", page.id),
    };
    let (may_change_plan, plan) = (page.may_stop && page.sees_records, format!("{here}/plan"));
    let (rejected, sees_records) = (page.rejected.clone(), page.sees_records);
    let address = here.clone();
    let is_live = is_open && sees_records;
    // The island draws from the events; it needs no second copy of these.
    let live = InvestigationView { rejected: RejectedPage::default(), visibility_form: None, access: None, ..page.clone() };
    view! {
        <Title text=format!("Work · {}", format::abridged(&page.question, 120)) />
        <Frame viewer nav=NavItem::Other>
            <Breadcrumbs above=[("Home", "/".to_owned())] here=page.question.clone() />
            <p class="overline">"Investigation " <SampleBadge is_shown=page.is_sample /></p>
            <QuestionHeading text=page.question />
            {page.parent.map(|(id, question)| view! {
                <p class="muted">"Part of: "<a href=format!("/investigations/{id}")>{question}</a></p>
            })}
            {page.scope.filter(|scope| *scope != QuestionScope::off_web()).map(|scope| view! { <p class="muted">{scope.sentence()}</p> })}
            {(page.web == WebAccess::Off).then(|| view! {
                <p class="muted">"Stays off the web: its agents read only documents of the library."</p>
            })}
            <ReadersNotice answer=answer.clone() />
            <Readers access=page.access.filter(|_| !page.is_sample) form=page.visibility_form answer />
            {(is_open && !sees_records).then(|| view! { <p class="hint">"Reload this page to see how far it is."</p> })}
            {is_live.then(|| view! {
                <noscript>
                    <meta http-equiv="refresh" content="5" />
                    <p class="hint">"This page reloads every five seconds. "<a href=here>"Refresh now"</a></p>
                </noscript>
            })}
            {is_open.then(|| view! {
                // A script shows the button where the browser can notify.
                <p class="while-running">
                    <button type="button" class="quiet" data-notify=id.to_string() hidden>"Notify me when it is done"</button>
                    " " <span class="hint" role="status"></span>
                </p>
            })}
            {if is_live {
                view! { <LiveInvestigation view=live /> <LiveScripts /> }.into_any()
            } else {
                investigation_body(live)
            }}
            {may_change_plan.then(|| view! { <p class="while-running"><a class="button outline" href=plan>"Change the plan"</a></p> })}
            {sees_records.then(|| view! { <p><a href=sessions>"Agent log"</a> " · " <a href=graph>"Show in the graph"</a></p> })}
            <Rejected page=rejected address />
        </Frame>
    }
    .into_any()
}
