//! Packs: some documents side by side as one message to a model, each between marks of its own.
//!
//! Invariant: everything that comes from outside, titles too, stands between the marks; the id stands before them.

use super::fence::{fence, first_fenced};
use domain::{DocumentId, document::DocumentText};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Documents as they are put before a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    pub documents: Vec<DocumentId>,
    pub text: Arc<str>,
}

/// One document of a pack, read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed<'a> {
    pub document_id: DocumentId,
    pub about: About,
    pub text: &'a str,
}

/// What a document says of itself: the first line between its marks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    pub title: String,
    pub outlet: Option<String>,
    pub published: Option<String>,
    pub language: Option<String>,
}

/// Before the id of a document.
const HEADING: &str = "Document ";

impl Pack {
    /// Puts documents side by side; `nonce` is asked for each of them.
    pub fn new(documents: &[DocumentText], mut nonce: impl FnMut() -> String) -> Self {
        let text: Vec<String> = documents.iter().map(|document| render(document, &nonce())).collect();
        Self { documents: documents.iter().map(|read| read.document.id).collect(), text: text.join("\n\n").into() }
    }

    /// The documents of a pack's text, in order.
    pub fn read(text: &str) -> Vec<Packed<'_>> {
        let (mut packed, mut rest) = (vec![], text);
        while let Some((document, after)) = read_one(rest) {
            packed.push(document);
            rest = after;
        }
        packed
    }
}

fn render(read: &DocumentText, nonce: &str) -> String {
    let document = &read.document;
    let about = About {
        title: document.title.clone(),
        outlet: document.outlet.clone(),
        published: document.published.map(|published| published.value.to_string()),
        language: document.language.clone(),
    };
    // A map of strings can always be written.
    let about = serde_json::to_string(&about).unwrap_or_default();
    format!("{HEADING}{}\n{}", document.id, fence(&format!("{about}\n{}", read.text), nonce))
}

fn read_one(text: &str) -> Option<(Packed<'_>, &str)> {
    let (id, rest) = text.trim_start().strip_prefix(HEADING)?.split_once('\n')?;
    let (inner, after) = first_fenced(rest)?;
    let (about, text) = inner.split_once('\n')?;
    let about = serde_json::from_str(about).ok()?;
    Some((Packed { document_id: id.parse().ok()?, about, text }, after))
}
