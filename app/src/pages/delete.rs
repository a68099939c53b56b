//! Previews of deleting investigations and documents.

use super::{Visit, query_values, render_page};
use crate::prelude::*;
use views::{DeletePreview, DocumentRemovalView};

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
    let DeletePreview { going, running, parts, assessments, work_orders, sessions, model_calls, events, added } = page;
    let counts = [
        format::count(assessments, "assessment", "assessments"),
        format::count(parts, "part", "parts"),
        format::count(work_orders, "reading task", "reading tasks"),
        format::count(sessions, "agent session", "agent sessions"),
        format::count(model_calls, "recorded model call", "recorded model calls"),
        format::count(events, "event", "events"),
    ];
    let counts =
        counts.into_iter().chain(added.into_iter().map(labelled_count)).map(|count| view! { <li>{count}</li> }).collect_view();
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
                    <h2>"This will be deleted and cannot be restored"</h2>
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

/// Formats a number of rows of a feature with their label.
fn labelled_count((number, label): (u64, String)) -> String {
    format!("{} {label}", format::grouped(number))
}

async fn load_document_removal(ids: Vec<String>) -> Result<Visit<DocumentRemovalView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let ids: Vec<_> = ids.iter().filter_map(|id| id.parse().ok()).collect();
    let page = engine.document_removal_view(&viewer, &ids).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn DeleteDocumentsPage() -> impl IntoView {
    render_page(load_document_removal(query_values("id")), |Visit { viewer, page }| {
        view! { <DocumentsBody viewer page /> }.into_any()
    })
}

#[component]
pub(super) fn DocumentsBody(viewer: User, page: DocumentRemovalView) -> impl IntoView {
    let body = if page.documents.is_empty() {
        view! {
            <h1>"Nothing to delete"</h1>
            <p>"Select documents of your own in " <a href="/documents">"the library"</a> "."</p>
        }
        .into_any()
    } else {
        view! { <DocumentsPreview page /> }.into_any()
    };
    view! {
        <Title text="Delete documents" />
        <Frame viewer nav=NavItem::Documents>
            <Breadcrumbs above=[("Documents", "/documents".to_owned())] here="Delete" />
            {body}
        </Frame>
    }
}

#[component]
fn DocumentsPreview(page: DocumentRemovalView) -> impl IntoView {
    let DocumentRemovalView { documents, size_bytes, claims, entities, relationships, added, cited_in, more_citing } = page;
    let number = documents.len() as u64;
    let counts = [
        format!("{} with text and original file, {}", format::count(number, "capture", "captures"), format::bytes(size_bytes)),
        format::count(claims, "claim", "claims"),
        format!("{} that nothing else mentions", format::count(entities, "entity", "entities")),
        format!("{} that nothing else states", format::count(relationships, "relationship", "relationships")),
        "tags and notes of readers".to_owned(),
    ];
    let counts =
        counts.into_iter().chain(added.into_iter().map(labelled_count)).map(|count| view! { <li>{count}</li> }).collect_view();
    let fields =
        documents.iter().map(|(id, _)| view! { <input type="hidden" name="id" value=id.to_string() /> }).collect_view();
    let documents = documents
        .into_iter()
        .map(|(id, title)| view! { <li><a href=format!("/documents/{id}")>{title}</a></li> })
        .collect_view();
    let is_cited = !cited_in.is_empty() || more_citing > 0;
    let cited_in = cited_in
        .into_iter()
        .map(|(id, question)| view! { <li><a href=format!("/assessments/{id}/evidence?view=list#citations")>{question}</a></li> })
        .collect_view();
    let more =
        (more_citing > 0).then(|| view! { <li>{format::count(more_citing, "more assessment", "more assessments")}</li> });
    view! {
        <h1>{format!("Delete {}?", format::count(number, "document", "documents"))}</h1>
        <ul>{documents}</ul>
        <h2>"This will be deleted and cannot be restored"</h2>
        <ul>{counts}</ul>
        <h2>"This stays"</h2>
        <p>"Agent logs of past investigations keep what the agents read, until you delete these investigations."</p>
        {if is_cited {
            view! {
                <p>"These assessments cite the documents. They keep their quotes, without a link to the document:"</p>
                <ul>{cited_in} {more}</ul>
            }
            .into_any()
        } else {
            view! { <p>"No assessment cites these documents."</p> }.into_any()
        }}
        <form method="post" action="/documents/delete" class="tidy">
            {fields}
            <button type="submit">"Delete"</button>
            <a class="button outline" href="/documents">"Cancel"</a>
        </form>
    }
}
