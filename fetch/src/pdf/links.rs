//! Links of a PDF: link annotations, then addresses in the text.

use crate::links::{self, Links};
use domain::fetch::Link;
use pdf_extract::{Dictionary, Document, Object};

/// Annotations examined per page.
const MAX_ANNOTATIONS: usize = 2_000;

/// Links in page order, without duplicates.
pub(super) fn read(document: &Document, text: &str, max: usize) -> Vec<Link> {
    let mut found = Links::new(None, max);
    for page in document.get_pages().values() {
        let Ok(annotations) = document.get_page_annotations(*page) else { continue };
        for annotation in annotations.into_iter().take(MAX_ANNOTATIONS) {
            if let Some(address) = address(document, annotation) {
                found.add(&address, "");
            }
        }
    }
    links::in_text(text, max).iter().for_each(|link| found.add(&link.url, ""));
    found.into_list()
}

fn address(document: &Document, annotation: &Dictionary) -> Option<String> {
    let action = resolve(document, annotation.get(b"A").ok()?)?.as_dict().ok()?;
    let address = resolve(document, action.get(b"URI").ok()?)?.as_str().ok()?;
    Some(String::from_utf8_lossy(address).into_owned())
}

fn resolve<'a>(document: &'a Document, object: &'a Object) -> Option<&'a Object> {
    document.dereference(object).ok().map(|(_, object)| object)
}
