//! The plan of a running investigation, to change: reading tasks that have not begun, and a form for another.

use super::{Visit, id_in_path, query, render_page};
use crate::prelude::*;
use domain::work_order::WorkOrderStatus;
use views::{PlanTask, PlanView};

async fn load_plan(id: String) -> Result<Visit<(PlanView, TypedTask)>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse() else { return Err(AppError::not_found("plan")) };
    let page = engine.plan_view(&viewer, id).await?.ok_or_else(|| AppError::not_found("plan"))?;
    let kept = KeptForm::take_of_page(viewer.id).await;
    let typed = TypedTask { objective: kept.value("objective"), addresses: kept.value("addresses") };
    Ok(Visit { viewer, page: (page, typed) })
}

/// Typed values of a refused task, to show them again.
#[derive(Debug, Clone, Default)]
pub(super) struct TypedTask {
    pub objective: String,
    pub addresses: String,
}

#[component]
pub fn PlanPage() -> impl IntoView {
    let error = query("error");
    render_page(load_plan(id_in_path()), move |Visit { viewer, page: (page, typed) }| {
        view! { <PageBody viewer page error typed /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(
    viewer: User,
    page: PlanView,
    error: Option<String>,
    #[prop(optional)] typed: TypedTask,
) -> impl IntoView {
    let PlanView { id, question, tasks, is_reading, is_open, has_web, max_task_chars } = page;
    let above = [("Home", "/".to_owned()), ("Investigation", format!("/investigations/{id}"))];
    let is_empty = tasks.is_empty();
    let rows = tasks.into_iter().map(|task| view! { <Row id task /> }).collect_view();
    view! {
        <Title text=format!("Plan · {}", format::abridged(&question, 120)) />
        <Frame viewer nav=NavItem::Other>
            <Breadcrumbs above here="Plan" />
            <h1>"Change the plan"</h1>
            <NoticeBanner code=error />
            <p class="muted">{question}</p>
            {(!is_open).then(|| view! {
                <p>"This investigation has ended, so its plan stays as it was. "<a href=format!("/investigations/{id}")>"See the result"</a></p>
            })}
            <section aria-labelledby="tasks-title">
                <h2 id="tasks-title">"Reading tasks"</h2>
                {is_empty.then(|| view! { <p class="muted">"No reading tasks yet. They are listed here once the planning is done."</p> })}
                <ol class="orders">{rows}</ol>
                {is_open.then(|| view! { <p><a href=format!("/investigations/{id}/plan")>"Refresh the list"</a></p> })}
            </section>
            {is_reading.then(|| view! { <NewTask id has_web max_chars=max_task_chars typed /> })}
        </Frame>
    }
    .into_any()
}

#[component]
fn Row(id: InvestigationId, task: PlanTask) -> impl IntoView {
    let PlanTask { id: order, objective, status, is_first, may_change } = task;
    let (tone, text) = match status {
        WorkOrderStatus::Staged | WorkOrderStatus::Queued => (Tone::Quiet, "Waiting"),
        WorkOrderStatus::Assigned => (Tone::Live, "Running"),
        WorkOrderStatus::Completed => (Tone::Good, "Completed"),
        WorkOrderStatus::Failed => (Tone::Bad, "Failed"),
        WorkOrderStatus::Cancelled => (Tone::Quiet, "Removed"),
    };
    let form = |act: &str, text: &'static str| {
        let label = format!("{text}: {objective}");
        view! {
            <form method="post" action=format!("/investigations/{id}/plan/{act}")>
                <input type="hidden" name="task" value=order.to_string() />
                <button type="submit" class="quiet" aria-label=label>{text}</button>
            </form>
        }
    };
    let forms = may_change.then(|| view! { {(!is_first).then(|| form("first", "Read first"))} {form("remove", "Remove")} });
    view! {
        <li class="order">
            <p>{objective.clone()}</p>
            <div class="card-facts">
                <Badge tone text />
                {(is_first && may_change).then_some(view! { <span>"Reads first"</span> })}
                {forms}
            </div>
        </li>
    }
    .into_any()
}

#[component]
fn NewTask(id: InvestigationId, has_web: bool, max_chars: usize, typed: TypedTask) -> impl IntoView {
    view! {
        <section aria-labelledby="add-title">
            <h2 id="add-title">"Add a reading task"</h2>
            <form method="post" action=format!("/investigations/{id}/plan/add") class="form">
                <div class="field">
                    <label for="objective">"What to find"</label>
                    <textarea id="objective" name="objective" rows="3" maxlength=max_chars.to_string() aria-describedby="objective-hint">{format::as_text(&typed.objective)}</textarea>
                    <p class="hint" id="objective-hint">"Say what to look for, not what to conclude: “Find the gate log of 3 May.”"</p>
                </div>
                {match has_web {
                    true => view! {
                        <div class="field">
                            <label for="addresses">"Web pages to read"</label>
                            <textarea id="addresses" name="addresses" rows="2" spellcheck="false">{format::as_text(&typed.addresses)}</textarea>
                        </div>
                    }
                    .into_any(),
                    false => view! { <p class="hint">"This investigation stays off the web, so the task can only read documents of the library."</p> }.into_any(),
                }}
                <button type="submit">"Add to the plan"</button>
            </form>
        </section>
    }
}
