//! Packs: some documents side by side as one message to a model, each between marks of its own.
//!
//! Invariant: everything that comes from outside, titles too, stands between the marks; the id stands before them.

use crate::fence::{fence, first_fenced};
use domain::{DocumentId, document::DocumentText};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Documents as they are put before a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    pub documents: Vec<DocumentId>,
    pub text: Arc<str>,
}

/// Next batch for a model: whole documents, or a part of one that is too long.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Portion {
    pub documents: Vec<DocumentId>,
    pub part: Option<TextPart>,
}

/// One of so many parts of nearly one length, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPart {
    pub number: u32,
    pub of: u32,
}

/// One document of a pack, read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedDocument<'a> {
    pub document_id: DocumentId,
    pub header: DocumentHeader,
    pub text: &'a str,
}

/// Header of a document: the first line between its marks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentHeader {
    pub title: String,
    pub outlet: Option<String>,
    pub published: Option<String>,
    pub language: Option<String>,
    /// The authors, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byline: Option<String>,
}

/// Before the question for which the documents are read, which stands behind them on one line.
pub const QUESTION_IN_VIEW: &str = "\n\nQuestion in view: ";
/// Before the ids of documents whose records are completed, on the line after the question.
const IN_FULL: &str = "\nTo be read in full, because a reading for another question left things out: ";
/// Before the id of a document, and after it where it is only a part.
const HEADING: &str = "Document ";
const PART: &str = ", part ";
/// Maximum number of bytes that a part goes on to the end of a line or sentence.
const RUN_ON: usize = 1_000;

impl Pack {
    /// Puts documents, or that part of them, side by side; `nonce` is asked for each of them.
    pub fn new(documents: &[DocumentText], part: Option<TextPart>, mut nonce: impl FnMut() -> String) -> Self {
        let text: Vec<String> = documents.iter().map(|document| render(document, part, &nonce())).collect();
        Self { documents: documents.iter().map(|read| read.document.id).collect(), text: text.join("\n\n").into() }
    }

    /// Adds the question for which the documents are read.
    pub fn with_question(self, question: &str) -> Self {
        let question = question.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { text: format!("{}{QUESTION_IN_VIEW}{question}", self.text).into(), ..self }
    }

    /// Adds which of the documents are read in full, also where they do not bear on the question.
    pub fn with_full(self, documents: &[DocumentId]) -> Self {
        if documents.is_empty() {
            return self;
        }
        let ids: Vec<String> = documents.iter().map(ToString::to_string).collect();
        Self { text: format!("{}{IN_FULL}{}", self.text, ids.join(" ")).into(), ..self }
    }

    /// The documents of a pack's text, in order.
    pub fn read(text: &str) -> Vec<PackedDocument<'_>> {
        let (mut packed, mut rest) = (vec![], text);
        while let Some((document, after)) = read_one(rest) {
            packed.push(document);
            rest = after;
        }
        packed
    }
}

impl TextPart {
    /// The two halves of this part.
    pub const fn halves(self) -> (Self, Self) {
        let of = self.of * 2;
        (Self { number: self.number * 2 - 1, of }, Self { number: self.number * 2, of })
    }

    pub const fn is_last(self) -> bool {
        self.number == self.of
    }

    /// This part of a text; the parts of a text follow each other without gap, also where one was halved.
    pub fn slice(self, text: &str) -> &str {
        &text[boundary(text, self.number - 1, self.of)..boundary(text, self.number, self.of)]
    }
}

/// End of part `number`: at the end of a line or sentence where one is near. Grows with the place, independently of the parts.
fn boundary(text: &str, number: u32, of: u32) -> usize {
    let at = text.len() as u128 * u128::from(number) / u128::from(of.max(1));
    let at = text.floor_char_boundary(usize::try_from(at).unwrap_or(text.len()));
    if at == 0 || at == text.len() {
        return at;
    }
    let near = &text[at..text.floor_char_boundary(at + RUN_ON)];
    let ends = [near.find('\n').map(|end| end + 1), near.find(". ").map(|end| end + 2)];
    at + ends.into_iter().flatten().min().unwrap_or(0)
}

fn render(read: &DocumentText, part: Option<TextPart>, nonce: &str) -> String {
    let document = &read.document;
    let header = DocumentHeader {
        title: document.title.clone(),
        outlet: document.outlet.clone(),
        published: document.published.map(|published| published.value.to_string()),
        language: document.language.clone(),
        byline: document.credits.byline.clone(),
    };
    // A map of strings can always be written.
    let header = serde_json::to_string(&header).unwrap_or_default();
    let which = part.map_or(String::new(), |part| format!("{PART}{} of {}", part.number, part.of));
    let text = part.map_or(read.text.as_str(), |part| part.slice(&read.text));
    format!("{HEADING}{}{which}\n{}", document.id, fence(&format!("{header}\n{text}"), nonce))
}

fn read_one(text: &str) -> Option<(PackedDocument<'_>, &str)> {
    let (id, rest) = text.trim_start().strip_prefix(HEADING)?.split_once('\n')?;
    let id = id.split_once(PART).map_or(id, |(id, _)| id);
    let (inner, after) = first_fenced(rest)?;
    let (header, text) = inner.split_once('\n')?;
    let header = serde_json::from_str(header).ok()?;
    Some((PackedDocument { document_id: id.parse().ok()?, header, text }, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other_without_gap_and_end_with_sentences() {
        let text = "Ein Satz über Öl steht hier. ".repeat(400);
        let (first, second) = TextPart { number: 1, of: 1 }.halves();
        let ((a, b), (c, d)) = (first.halves(), second.halves());
        let parts = [a, b, c, d].map(|part| part.slice(&text));
        assert_eq!(parts.concat(), text);
        assert_eq!([a.slice(&text), b.slice(&text), second.slice(&text)].concat(), text, "halving one leaves the others");
        assert!(parts.iter().all(|part| part.len() > 2_000 && part.starts_with("Ein Satz")));
        assert_eq!((1..=64).map(|number| TextPart { number, of: 64 }.slice("äöü")).collect::<String>(), "äöü");
        assert!(d.is_last() && !c.is_last());
    }

    #[test]
    fn a_pack_names_the_documents_to_read_in_full_after_the_question() {
        let pack = || Pack { documents: vec![], text: "texts".into() }.with_question("Who\nopened it?");
        let id = DocumentId(uuid::Uuid::nil());
        assert_eq!(pack().with_full(&[]), pack());
        let text = pack().with_full(&[id]).text;
        let (before, last) = text.rsplit_once('\n').expect("a line after the question");
        assert!(before.ends_with("Question in view: Who opened it?") && last.ends_with(&id.to_string()), "{text}");
    }
}
