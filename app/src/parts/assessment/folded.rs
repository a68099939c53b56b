//! Folds of the Analysis: of a list the first entries stand open, and many citations share one line. On paper, everything stands open.

use super::ReportContext;
use crate::prelude::*;

/// Citations that stand open in one line.
const OPEN_CITES: usize = 3;

/// A list of which the first entries stand open, and a line that counts the others and unfolds them; nothing without entries.
#[component]
pub fn FoldedList(
    entries: Vec<AnyView>,
    /// Class of the list, of its open and of its folded part.
    class: &'static str,
    /// Number of entries that stand open.
    #[prop(default = 1)]
    open: usize,
    /// Names of one further entry and of several.
    names: (&'static str, &'static str),
    /// Whether the order of the entries means something.
    #[prop(optional)]
    is_ordered: bool,
) -> impl IntoView {
    let mut entries = entries;
    let is_paper = ReportContext::of_page().is_none();
    let folded = if is_paper { vec![] } else { entries.split_off(open.min(entries.len())) };
    let list = move |entries: Vec<AnyView>| match is_ordered {
        true => view! { <ol class=class>{entries}</ol> }.into_any(),
        false => view! { <ul class=class>{entries}</ul> }.into_any(),
    };
    let summary = format::count(folded.len() as u64, &format!("more {}", names.0), &format!("more {}", names.1));
    let folded = (!folded.is_empty()).then(|| view! { <Folded summary>{list(folded)}</Folded> });
    (!entries.is_empty()).then(|| view! { {list(entries)} {folded} }.into_any())
}

/// A part of a section behind a line that says what it is; on paper, the part without the line.
#[component]
pub fn Folded(summary: String, children: Children) -> impl IntoView {
    match ReportContext::of_page() {
        Some(_) => view! { <details class="more-items"><summary>{summary}</summary>{children()}</details> }.into_any(),
        None => children().into_any(),
    }
}

/// The citations of one line; many share one stop of the keyboard, with their number.
#[component]
pub fn CitesLine(markers: Vec<Marker>) -> impl IntoView {
    let count = markers.len();
    let links = view! { <Cites markers /> };
    match ReportContext::of_page() {
        Some(_) if count > OPEN_CITES => {
            let summary = format::count(count as u64, "citation", "citations");
            view! { <details class="cites-fold"><summary>{summary}</summary>{links}</details> }.into_any()
        }
        _ => links.into_any(),
    }
}
