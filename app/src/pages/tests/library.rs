//! Tests of the library and of the page of a document.

use super::{assert_shows, rendered};
use crate::{
    pages::{document::PageBody as DocumentWhole, documents::PageBody as DocumentsWhole, fixtures},
    prelude::*,
};
use domain::claim::Span;
use views::{DocumentFilter, DocumentView, DocumentsView, LibraryTab};

fn document(name: &str, page: DocumentView, quote: Option<Span>) -> String {
    rendered(name, || view! { <DocumentWhole viewer=fixtures::viewer() page quote /> })
}

fn documents(name: &str, page: DocumentsView) -> String {
    rendered(name, || view! { <DocumentsWhole viewer=fixtures::viewer() page /> })
}

#[test]
fn a_document_marks_the_quote() {
    let page = fixtures::document_view();
    let quote = page.claims[0].span;
    let html = document("document", page, Some(quote));
    let mark = html.split_once("<mark id=\"quote\"").unwrap().1.split_once("</mark>").unwrap().0;
    assert!(mark.ends_with("class=\"claimed\">Somebody opened the yard gate with a key</a>"), "{mark}");
}

#[test]
fn a_quote_outside_the_text_marks_nothing() {
    let quote = Some(Span { start: 3, end: 1_000_000 });
    let html = document("document-unmarked", fixtures::document_view(), quote);
    assert!(!html.contains("<mark"));
}

#[test]
fn a_document_shows_its_byline_its_change_its_tables_and_how_it_came() {
    let html = document("document-details", fixtures::document_view(), None);
    assert_shows(
        &html,
        "<dt>By</dt><dd>Ruth Amsel</dd>|<dt>Changed</dt>|5 May 2031|<caption>Ferries that ran</caption>|\
             <td>0 &lt;of&gt; 9</td>|2 more tables are in the text only.|Captures|\
             https://courier.example/2031/dark|(301)|<dd>203</dd>|rendered in the browser|\
             https://courier.example/dark-terminal",
    );
    assert!(!html.contains("href=\"http"), "following an address would tell its site");
}

#[test]
fn the_library_lists_documents_with_a_filter_and_leads_to_rejected_files() {
    let html = documents("documents", fixtures::documents_view());
    assert!(html.contains("Terminal dark") && html.contains("Next page") && html.contains(">Harbour reports<"));
    assert!(html.contains("?tab=rejected") && !html.contains("It is encrypted"), "{html}");
    assert!(html.contains(">Shared<") && html.contains(">Sample<"), "whose each is: {html}");
    assert_eq!(html.matches("name=\"id\"").count(), 1, "only what one may delete is selected: {html}");
}

#[test]
fn documents_are_archived_tagged_and_noted() {
    let document = |viewer: User, is_archived, may_edit| {
        let page = DocumentView { is_archived, is_in_view_only: is_archived, may_edit, ..fixtures::document_view() };
        rendered("document-archived", || view! { <DocumentWhole viewer page quote=None error=Some("bad_tag".to_owned()) /> })
    };
    let html = document(fixtures::viewer(), true, true);
    assert_shows(
        &html,
        "not read for new questions|Read in view of a question only|action=\"/documents/unarchive\"|/documents?tag=night%20shift|\
             ask the harbour",
    );
    assert!(html.contains("/notes/remove\"") && html.contains("A tag has 1 to 40 characters"), "{html}");
    let reader = User { role: Role::Reader, id: UserId(fixtures::uuid(5)), ..fixtures::viewer() };
    let html = document(reader, false, false);
    assert!(!html.contains("action=\"/documents/archive\"") && !html.contains("not read for new questions"), "{html}");
    assert!(!html.contains("Read in view"), "{html}");
    assert!(html.contains("/notes\"") && !html.contains("/notes/remove\""), "others' notes stay: {html}");

    let list = |is_archived| {
        let filter = DocumentFilter { is_archived, tag: "night shift".into(), ..Default::default() };
        let page = DocumentsView { filter, ..fixtures::documents_view() };
        let undo = vec!["1".to_owned()];
        rendered("documents-archived", || view! { <DocumentsWhole viewer=fixtures::viewer() page undo /> })
    };
    let (current, archived) = (list(false), list(true));
    assert_shows(&current, "Archive selected|formaction=\"/documents/delete\"|Archived.|action=\"/documents/unarchive\"");
    assert!(current.contains("href=\"/documents\">Clear filters") && current.contains("data-select=\"id\""), "{current}");
    assert!(archived.contains("href=\"/documents?view=archived\">Clear filters"), "its tab stays: {archived}");
    assert!(current.contains("name=\"tag\" value=\"night shift\"") && !current.contains("name=\"view\""), "{current}");
    assert_shows(
        &archived,
        "Archived documents|Unarchive selected|action=\"/documents/archive\"|\
             name=\"view\" value=\"archived\"",
    );
}

#[test]
fn rejected_files_have_a_tab_of_their_own() {
    let page = DocumentsView { tab: LibraryTab::Rejected, documents: vec![], ..fixtures::documents_view() };
    let html = documents("documents-rejected", page);
    assert!(html.contains("It is encrypted") && html.contains("name=\"tab\" value=\"rejected\""), "{html}");
    assert!(!html.contains("class=\"library") && html.contains("/documents/rejected/dismiss"), "{html}");
    let others = DocumentsView { tab: LibraryTab::Rejected, may_dismiss: false, ..fixtures::documents_view() };
    assert!(!documents("documents-rejected-by-others", others).contains("/documents/rejected/dismiss"));
}
