//! The library: every document that one may see, searched, filtered and paged; archived ones and rejected files have tabs of their own.

use super::{Visit, number, period, query, query_values, render_page};
use crate::{
    atoms::OwnershipBadge,
    parts::{CollectionFilter, Rejected, TIDY_FORM, TagFilter, TagLink, TidyForm, UndoNotice},
    prelude::*,
};
use domain::document::outlet_name;
use views::{CollectionReaders, DocumentFilter, DocumentLine, DocumentsView, LibraryTab};

async fn load_documents(tab: LibraryTab, filter: DocumentFilter, page: u64) -> Result<Visit<DocumentsView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.documents_view(&viewer, tab, filter, page).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn DocumentsPage() -> impl IntoView {
    let (tab, page) = match query("tab").as_deref() {
        Some("rejected") => (LibraryTab::Rejected, number("rejected")),
        _ => (LibraryTab::Documents, number("page")),
    };
    let filter = DocumentFilter {
        words: query("q").unwrap_or_default(),
        collection: query("collection").and_then(|id| id.parse().ok()),
        period: period(),
        hides_sample: query("sample").as_deref() == Some("hidden"),
        shows_sample: query("sample").as_deref() == Some("shown"),
        is_archived: query("view").as_deref() == Some("archived"),
        tag: query("tag").unwrap_or_default(),
    };
    let (deleted, error) = (query("deleted").and_then(|text| text.parse().ok()), query("error"));
    let added = query("added").and_then(|text| text.parse().ok());
    let undo = query_values("undo");
    let is_shared = query("readers").as_deref() == Some("saved");
    render_page(load_documents(tab, filter, page), move |Visit { viewer, page }| {
        view! { <PageBody viewer page undo deleted added error is_shared /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(
    viewer: User,
    page: DocumentsView,
    /// Documents whose archiving can be undone.
    #[prop(optional)]
    undo: Vec<String>,
    #[prop(optional_no_strip)] deleted: Option<u64>,
    /// Number of documents that were added just now.
    #[prop(optional_no_strip)]
    added: Option<u64>,
    #[prop(optional_no_strip)] error: Option<String>,
    /// The readers of the collection were changed just now.
    #[prop(optional)]
    is_shared: bool,
) -> impl IntoView {
    let is_archived = page.tab == LibraryTab::Documents && page.filter.is_archived;
    let may_add = viewer.role.may(Action::Investigate);
    let body = match page.tab {
        LibraryTab::Documents => view! { <Documents page=page.clone() is_shared may_add /> }.into_any(),
        LibraryTab::Rejected if page.rejected.total == 0 => {
            view! { <EmptyState text="No file was rejected." href="/documents" button="All documents" /> }.into_any()
        }
        LibraryTab::Rejected => {
            let fields = vec![("tab", "rejected".to_owned())];
            view! {
                <Rejected page=page.rejected.clone() address="/documents".to_owned() fields />
                {page.may_dismiss.then(|| view! {
                    <form method="post" action="/documents/rejected/dismiss">
                        <button type="submit" class="quiet">"Dismiss those of your documents"</button>
                    </form>
                })}
            }
            .into_any()
        }
    };
    view! {
        <Title text="Documents" />
        <Frame viewer nav=NavItem::Documents>
            <h1>{if is_archived { "Archived documents" } else { "Documents" }}</h1>
            <NoticeBanner code=error />
            <UndoNotice kind=TidyKind::Documents ids=undo is_archived filter=fields(&page.filter) />
            {deleted.map(|number| view! {
                <p class="notice" role="status">{format!("{} deleted.", format::count(number, "document", "documents"))}</p>
            })}
            {added.map(|number| view! { <p class="notice" role="status">{added_text(number)}</p> })}
            {may_add.then(|| view! { <AddFiles /> })}
            <Tabs tab=page.tab is_archived documents=page.total rejected=page.rejected.total />
            {body}
        </Frame>
    }
    .into_any()
}

fn added_text(number: u64) -> String {
    match number {
        0 => "These files are in the library already.".to_owned(),
        number => {
            let added = format::count(number, "document", "documents");
            format!("{added} added. The next question that reads them draws their claims.")
        }
    }
}

/// Form that adds files. A script (`public/drop.js`) takes what is dropped anywhere on the page.
#[component]
fn AddFiles() -> impl IntoView {
    view! {
        <form method="post" action="/documents/add" enctype="multipart/form-data" class="add-files" data-drop>
            <label for="add-files">"Add documents: drop files here, or choose"</label>
            <input id="add-files" name="files" type="file" multiple required />
            <button type="submit">"Add"</button>
        </form>
        <script type="module" src="/drop.js"></script>
    }
}

/// Links to the documents, the archived ones and the rejected files, with the numbers that are known.
#[component]
fn Tabs(tab: LibraryTab, is_archived: bool, documents: u64, rejected: u64) -> impl IntoView {
    let item = |is_current: bool, address: &'static str, text: &'static str, count: Option<u64>| {
        let count = count.map(|count| view! { " " <span class="tab-count">{format::grouped(count)}</span> });
        view! { <li><a href=address aria-current=is_current.then_some("page")>{text} {count}</a></li> }
    };
    let is_list = tab == LibraryTab::Documents;
    view! {
        <nav class="report-tabs" aria-label="Parts of the library">
            <ul>
                {item(is_list && !is_archived, "/documents", "Documents", (!is_archived).then_some(documents))}
                {item(is_list && is_archived, "/documents?view=archived", "Archived", is_archived.then_some(documents))}
                {item(!is_list, "/documents?tab=rejected", "Rejected files", Some(rejected))}
            </ul>
        </nav>
    }
}

#[component]
fn Documents(page: DocumentsView, is_shared: bool, may_add: bool) -> impl IntoView {
    let DocumentsView { documents, total, has_sample, is_sample_hidden, page, per_page, filter, collections, readers, .. } =
        page;
    let last = total.div_ceil(per_page.max(1)).max(1);
    let found = found_text(total, &filter.words);
    let fields = fields(&filter);
    // The tab is no filter: clearing them stays in it.
    let (is_filtered, all) = (
        fields.iter().any(|(name, _)| *name != "view"),
        if filter.is_archived { "/documents?view=archived" } else { "/documents" },
    );
    let is_empty = documents.is_empty();
    let is_archived = filter.is_archived;
    let may_select = documents.iter().any(|line| line.may_edit);
    let rows = documents.into_iter().map(|line| view! { <Row line /> }).collect_view();
    view! {
        <Filters filter collections has_sample />
        {readers.map(|readers| view! { <Readers readers is_saved=is_shared /> })}
        <p class="muted" role="status">
            {found} {is_sample_hidden.then_some(", without the sample")} {is_filtered.then(|| view! { " · " <a href=all>"Clear filters"</a> })}
        </p>
        {(!is_empty).then(|| view! {
            <table class="library stacked" role="table" aria-label="Documents">
                <Columns names=&["Title", "Outlet", "Published", "Claims", "Size"] numbers=&["Claims", "Size"] />
                <tbody role="rowgroup">{rows}</tbody>
            </table>
        })}
        {is_empty.then(|| nothing_here(is_filtered, is_archived, may_add))}
        {may_select.then(|| view! { <TidyForm kind=TidyKind::Documents is_archived filter=fields.clone() /> })}
        <PageLinks label="Pages" address="/documents".to_owned() name="page" fields page last />
    }
    .into_any()
}

/// Way on from an empty list. Those who may add files have the form above, and a link clears filters.
fn nothing_here(is_filtered: bool, is_archived: bool, may_add: bool) -> Option<AnyView> {
    match (is_filtered, is_archived, may_add) {
        (true, ..) | (false, false, true) => None,
        (false, true, _) => {
            Some(view! { <EmptyState text="Nothing is archived." href="/documents" button="All documents" /> }.into_any())
        }
        (false, false, false) => Some(
            view! { <EmptyState text="No document is open to you yet." href="/teams" button="See your teams" /> }.into_any(),
        ),
    }
}

#[component]
fn Filters(filter: DocumentFilter, collections: Vec<(CollectionId, String)>, has_sample: bool) -> impl IntoView {
    let DocumentFilter { words, collection, period, hides_sample, shows_sample, is_archived, tag } = filter;
    let sample = match (hides_sample, shows_sample) {
        (true, _) => "hidden",
        (false, true) => "shown",
        (false, false) => "",
    };
    view! {
        <form method="get" action="/documents" class="filters" role="search" aria-label="Filter the documents">
            <div class="filter-words">
                <label for="q" class="hidden">"Search documents"</label>
                <input id="q" name="q" type="search" value=words placeholder="Search documents" />
            </div>
            <CollectionFilter collections chosen=collection />
            <TagFilter tag />
            <PeriodFields label="Published from" from=period.from until=period.until />
            {is_archived.then(|| view! { <input type="hidden" name="view" value="archived" /> })}
            {has_sample.then(|| view! {
                <FilterSelect
                    name="sample"
                    label="Sample"
                    every="Where there is nothing else"
                    chosen=sample
                    options=vec![("shown", "Shown"), ("hidden", "Hidden")]
                />
            })}
            <button type="submit" class="outline">"Apply"</button>
        </form>
    }
    .into_any()
}

/// Returns the fields of the address that keep the filter from page to page.
fn fields(filter: &DocumentFilter) -> Vec<(&'static str, String)> {
    let DocumentFilter { words, collection, period, hides_sample, shows_sample, is_archived, tag } = filter;
    let fields = [
        ("q", Some(words.clone()).filter(|words| !words.is_empty())),
        ("collection", collection.map(|id| id.to_string())),
        ("from", period.from.map(|date| date.to_string())),
        ("until", period.until.map(|date| date.to_string())),
        ("sample", hides_sample.then(|| "hidden".to_owned()).or(shows_sample.then(|| "shown".to_owned()))),
        ("view", is_archived.then(|| "archived".to_owned())),
        ("tag", Some(tag.clone()).filter(|tag| !tag.is_empty())),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// Returns the line above the rows.
fn found_text(total: u64, words: &str) -> String {
    match (total, words) {
        (0, "") => "No documents".to_owned(),
        (0, words) => format!("No document contains “{words}”"),
        (_, "") => format::count(total, "document", "documents"),
        (_, words) => format!("{} with “{words}”", format::count(total, "document", "documents")),
    }
}

/// Readers of a collection of one's own, and the form that changes them.
#[component]
fn Readers(
    readers: CollectionReaders,
    /// They were changed just now.
    is_saved: bool,
) -> impl IntoView {
    let CollectionReaders { id, name, team, teams } = readers;
    let chosen = teams.iter().find(|found| Some(found.id) == team).map(|found| format!("you and team {}", found.name));
    let is_empty = teams.is_empty();
    let options = teams.into_iter().map(|found| {
        view! { <option value=found.id.to_string() selected={Some(found.id) == team}>{format!("Team {}", found.name)}</option> }
    });
    let options = options.collect_view();
    let saved = is_saved.then(|| {
        let text = chosen
            .as_ref()
            .map_or_else(|| "Saved: only you can read it now.".to_owned(), |who| format!("Saved: {who} can read it now."));
        view! { <p class="notice" role="status">{text}</p> }
    });
    view! {
        {saved}
        <details class="readers">
            <summary>"Who can read “" {name} "”: " <strong>{chosen.unwrap_or_else(|| "only you".to_owned())}</strong></summary>
            <form method="post" action=format!("/collections/{id}/team") class="form">
                <div class="field">
                    <label for="team">"Readers"</label>
                    <select id="team" name="team">
                        <option value="">"Only you"</option>
                        {options}
                    </select>
                    <p class="hint">
                        "Members of the team read all its documents, also later ones, what was drawn from them, and reports that use only these documents. "
                        "They can quote them in reports that they show to others. Only you can delete them."
                        {is_empty.then(|| view! { " " <a href="/teams">"Create a team"</a> " first." })}
                    </p>
                </div>
                <button type="submit" class="outline">"Save"</button>
            </form>
        </details>
    }
    .into_any()
}

#[component]
fn Row(line: DocumentLine) -> impl IntoView {
    let DocumentLine { document, claims, ownership, tags, may_edit } = line;
    let tags = tags.into_iter().map(|tag| view! { <TagLink list="/documents" tag /> " " }).collect_view();
    let outlet = outlet_name(document.outlet.as_deref(), None).map(str::to_owned);
    let select = may_edit.then(|| {
        let label = format!("Select: {}", document.title);
        view! { <input type="checkbox" form=TIDY_FORM name="id" value=document.id.to_string() aria-label=label /> " " }
    });
    view! {
        <tr role="row">
            <th role="rowheader" scope="row">
                {select}
                <a href=format!("/documents/{}", document.id)>{document.title}</a>
                <OwnershipBadge ownership /> " " {tags}
                <span class="path">{document.path}</span>
            </th>
            <td role="cell" data-label="Outlet">{outlet}</td>
            <td role="cell" data-label="Published"><Day published=document.published /></td>
            <td role="cell" data-label="Claims" class="number">{format::grouped(claims)}</td>
            <td role="cell" data-label="Size" class="number">{format::bytes(document.size_bytes)}</td>
        </tr>
    }
    .into_any()
}
