//! The library: every document that one may see, searched and paged.

use super::{Visit, number, query, render_page};
use crate::{
    AppError,
    atoms::{Day, OwnershipBadge},
    format,
    parts::{Frame, NavItem, PageLinks, Rejected},
};
use domain::user::User;
use leptos::prelude::*;
use leptos_meta::Title;
use views::{DocumentLine, DocumentsView};

#[server]
async fn load_documents(words: String, page: u64, rejected: u64) -> Result<Visit<DocumentsView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.documents_view(&viewer, &words, page, rejected).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn DocumentsPage() -> impl IntoView {
    let words = query("q").unwrap_or_default();
    render_page(load_documents(words, number("page"), number("rejected")), |Visit { viewer, page }| {
        view! { <PageBody viewer page /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(viewer: User, page: DocumentsView) -> impl IntoView {
    let DocumentsView { documents, total, page, per_page, query, rejected } = page;
    let found = format::count(total, "document", "documents");
    let found = if query.is_empty() { found } else { format!("{found} with “{query}”") };
    let last = total.div_ceil(per_page.max(1)).max(1);
    let words = vec![("q", query.clone())];
    let is_empty = documents.is_empty();
    let rows = documents.into_iter().map(|line| view! { <Row line /> }).collect_view();
    view! {
        <Title text="Documents" />
        <Frame viewer nav=NavItem::Documents>
            <h1>"Documents"</h1>
            <form method="get" action="/documents" class="search" role="search">
                <label for="q" class="hidden">"Search documents"</label>
                <input id="q" name="q" type="search" value=query placeholder="Search documents" />
                <button type="submit">"Search"</button>
            </form>
            <p class="muted" role="status">{found}</p>
            {(!is_empty).then(|| view! {
                <table class="library stacked" role="table" aria-label="Documents">
                    <thead role="rowgroup">
                        <tr role="row">
                            <th role="columnheader" scope="col">"Title"</th>
                            <th role="columnheader" scope="col">"Outlet"</th>
                            <th role="columnheader" scope="col">"Published"</th>
                            <th role="columnheader" scope="col" class="number">"Claims"</th>
                            <th role="columnheader" scope="col" class="number">"Size"</th>
                        </tr>
                    </thead>
                    <tbody role="rowgroup">{rows}</tbody>
                </table>
            })}
            <PageLinks label="Pages" address="/documents".to_owned() name="page" fields=words page last />
            <Rejected page=rejected address="/documents".to_owned() />
        </Frame>
    }
    .into_any()
}

#[component]
fn Row(line: DocumentLine) -> impl IntoView {
    let DocumentLine { document, claims, ownership } = line;
    view! {
        <tr role="row">
            <th role="rowheader" scope="row">
                <a href=format!("/documents/{}", document.id)>{document.title}</a>
                <OwnershipBadge ownership />
                <span class="path">{document.path}</span>
            </th>
            <td role="cell" data-label="Outlet">{document.outlet}</td>
            <td role="cell" data-label="Published"><Day published=document.published /></td>
            <td role="cell" data-label="Claims" class="number">{format::grouped(claims)}</td>
            <td role="cell" data-label="Size" class="number">{format::bytes(document.size_bytes)}</td>
        </tr>
    }
    .into_any()
}
