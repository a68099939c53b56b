//! Preview of deleting investigations.

use super::{Visit, query_values, render_page};
use crate::{
    AppError, format,
    parts::{Breadcrumbs, Frame, NavItem},
};
use domain::user::User;
use leptos::prelude::*;
use leptos_meta::Title;
use views::DeletePreview;

#[server]
async fn load_delete_preview(ids: Vec<String>) -> Result<Visit<DeletePreview>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let ids: Vec<_> = ids.iter().filter_map(|id| id.parse().ok()).collect();
    let page = engine.delete_preview(&viewer, &ids).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn DeletePage() -> impl IntoView {
    render_page(load_delete_preview(query_values("id")), |Visit { viewer, page }| view! { <PageBody viewer page /> }.into_any())
}

#[component]
fn PageBody(viewer: User, page: DeletePreview) -> impl IntoView {
    let DeletePreview { going, running, parts, assessments, work_orders, sessions, model_calls, events } = page;
    let counts = [
        format::count(assessments, "assessment", "assessments"),
        format::count(parts, "part", "parts"),
        format::count(work_orders, "reading task", "reading tasks"),
        format::count(sessions, "agent session", "agent sessions"),
        format::count(model_calls, "recorded model call", "recorded model calls"),
        format::count(events, "event", "events"),
    ];
    let counts = counts.into_iter().map(|count| view! { <li>{count}</li> }).collect_view();
    let fields = going.iter().map(|(id, _)| view! { <input type="hidden" name="id" value=id.to_string() /> }).collect_view();
    let title = format!("Delete {}?", format::count(going.len() as u64, "investigation", "investigations"));
    let is_empty = going.is_empty();
    let going = going
        .into_iter()
        .map(|(id, question)| view! { <li><a href=format!("/investigations/{id}")>{question}</a></li> })
        .collect_view();
    let has_running = !running.is_empty();
    let running = running.into_iter().map(|question| view! { <li>{question}</li> }).collect_view();
    view! {
        <Title text="Delete" />
        <Frame viewer nav=NavItem::Assessments>
            <Breadcrumbs above=[("Assessments", "/assessments".to_owned())] here="Delete" />
            {if is_empty {
                view! { <h1>"Nothing to delete"</h1><p>"Choose assessments of your own in " <a href="/assessments">"the list"</a> "."</p> }.into_any()
            } else {
                view! {
                    <h1>{title}</h1>
                    <ul>{going}</ul>
                    <h2>"This goes, and cannot be undone"</h2>
                    <ul>{counts}</ul>
                    <h2>"This stays"</h2>
                    <p>"Documents and their claims, and what was spent. To keep a copy of an assessment, export it first."</p>
                    <form method="post" action="/investigations/delete" class="tidy">
                        {fields}
                        <button type="submit">"Delete"</button>
                        <a class="button outline" href="/assessments">"Cancel"</a>
                    </form>
                }
                .into_any()
            }}
            {has_running.then(|| view! {
                <h2>"Still running"</h2>
                <p>"Stop these before you delete them:"</p>
                <ul>{running}</ul>
            })}
        </Frame>
    }
    .into_any()
}
