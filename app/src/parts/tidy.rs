//! Forms that archive and delete investigations or documents.

use crate::prelude::*;

/// Kind of objects that a form archives and deletes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TidyKind {
    Investigations,
    Documents,
}

impl TidyKind {
    /// Returns the address of a form post.
    fn address(self, act: &str) -> String {
        match self {
            Self::Investigations => format!("/investigations/{act}"),
            Self::Documents => format!("/documents/{act}"),
        }
    }
}

/// Returns the text of the button that moves objects to the other list, and its act in the address.
const fn archive_act(is_archived: bool) -> (&'static str, &'static str) {
    if is_archived { ("Unarchive", "unarchive") } else { ("Archive", "archive") }
}

/// Buttons that archive and delete the object of a page; nothing for those who may not.
#[component]
pub fn Manage(kind: TidyKind, #[prop(into)] id: String, may_manage: bool, is_archived: bool) -> impl IntoView {
    may_manage.then(|| {
        let (text, act) = archive_act(is_archived);
        view! {
            <form method="post" action=kind.address(act) class="manage">
                <input type="hidden" name="id" value=id.clone() />
                <button type="submit" class="quiet">{text}</button>
                <a class="button quiet" href=format!("{}?id={id}", kind.address("delete"))>"Delete…"</a>
            </form>
        }
    })
}

/// Id of the form of the selected rows.
pub const TIDY_FORM: &str = "tidy";

/// Buttons for the selected rows. Rows that the viewer may not change have no checkbox.
#[component]
pub fn TidyForm(
    kind: TidyKind,
    is_archived: bool,
    /// Filter of the list, which comes back after the change.
    filter: Vec<(&'static str, String)>,
) -> impl IntoView {
    let (text, act) = archive_act(is_archived);
    view! {
        <form id=TIDY_FORM method="post" action=kind.address(act) class="tidy">
            <FilterField filter />
            <SelectAll name="id" />
            <button type="submit" class="outline">{format!("{text} selected")}</button>
            <button type="submit" class="outline" formmethod="get" formaction=kind.address("delete")>"Delete selected…"</button>
        </form>
    }
}

/// Hidden field with the filter of a list.
#[component]
fn FilterField(filter: Vec<(&'static str, String)>) -> impl IntoView {
    (!filter.is_empty()).then(|| view! { <input type="hidden" name="filter" value=format::query_string(filter) /> })
}

/// Check box that selects all of a name in its form; a script shows it.
#[component]
pub fn SelectAll(name: &'static str) -> impl IntoView {
    view! {
        <label class="filter-check" hidden>
            <input type="checkbox" data-select=name autocomplete="off" />
            <span>"Select all"</span>
        </label>
    }
}

/// Notice of a change, with the form that takes it back. `is_archived`: the page lists the archived ones.
#[component]
pub fn UndoNotice(
    kind: TidyKind,
    ids: Vec<String>,
    is_archived: bool,
    /// Filter of the list, which comes back after the change.
    filter: Vec<(&'static str, String)>,
) -> impl IntoView {
    (!ids.is_empty()).then(|| {
        let text = if is_archived { "Taken out of the archive." } else { "Archived." };
        // They are in the other list now.
        let (_, act) = archive_act(!is_archived);
        let fields = ids.into_iter().map(|id| view! { <input type="hidden" name="id" value=id /> }).collect_view();
        view! {
            <form method="post" action=kind.address(act) class="notice undo" role="status">
                <span>{text}</span> " " {fields} <FilterField filter />
                <button type="submit" class="quiet">"Undo"</button>
            </form>
        }
    })
}
