//! Short references of one session: `c17` is the 17th claim that its tools have shown, `d3` for a document, `e5` for an entity.
//!
//! An id is 36 characters and stands in a conversation once per claim, document and entity; a reference is three.
//!
//! Invariant: references are numbered in the order of first use. What a call has numbered is stored with its result, so that a session
//! that goes on after a crash, and its replay, use the same ones.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// Target of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefKind {
    Assessment,
    Claim,
    Document,
    Entity,
    Origin,
    Relationship,
}

impl RefKind {
    const fn letter(self) -> char {
        match self {
            Self::Assessment => 'a',
            Self::Claim => 'c',
            Self::Document => 'd',
            Self::Entity => 'e',
            Self::Origin => 'o',
            Self::Relationship => 'r',
        }
    }

    /// The kind that the argument of this name takes, and the tool that shows such references.
    fn of_argument(name: &str) -> Option<(Self, &'static str)> {
        Some(match name {
            "entity_id"
            | "source_entity_id"
            | "target_entity_id"
            | "entity_refs"
            | "referenced_entities"
            | "referenced_entity_ids" => (Self::Entity, "search_entities"),
            "claim_id" | "claim_ids" => (Self::Claim, "search_claims"),
            "document_id" | "document_ids" => (Self::Document, "search_claims"),
            "assessment_id" | "previous_id" => (Self::Assessment, "search_assessments"),
            "relationship_id" => (Self::Relationship, "search_relationships"),
            _ => return None,
        })
    }
}

/// An issued reference: `number` of its kind refers to `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewRef {
    pub kind: RefKind,
    pub number: u32,
    pub id: String,
}

/// A reference that no tool has shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{pointer}': {rule}")]
pub struct UnknownRef {
    /// Its place in the arguments, as a JSON pointer (`/claim_refs/1/claim_id`).
    pub pointer: String,
    /// The rule that it breaks, with the remedy.
    pub rule: String,
}

/// The references of one session.
#[derive(Debug, Default)]
pub struct SessionRefs {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    numbers: HashMap<(RefKind, String), u32>,
    ids: HashMap<(RefKind, u32), String>,
    last: HashMap<RefKind, u32>,
    /// Given out since `take_new`.
    new: Vec<NewRef>,
}

impl Inner {
    fn insert(&mut self, new: &NewRef) {
        self.numbers.insert((new.kind, new.id.clone()), new.number);
        self.ids.insert((new.kind, new.number), new.id.clone());
        let last = self.last.entry(new.kind).or_default();
        *last = (*last).max(new.number);
    }
}

impl SessionRefs {
    /// The reference of `id`; a new one where it has none yet.
    pub fn give(&self, kind: RefKind, id: impl ToString) -> String {
        let id = id.to_string();
        let mut inner = self.lock();
        let known = inner.numbers.get(&(kind, id.clone())).copied();
        let number = known.unwrap_or_else(|| {
            let number = inner.last.get(&kind).copied().unwrap_or(0) + 1;
            let new = NewRef { kind, number, id };
            inner.insert(&new);
            inner.new.push(new);
            number
        });
        format!("{}{number}", kind.letter())
    }

    /// Returns the references issued since the last call, to be stored with the result of the call.
    pub fn take_new(&self) -> Vec<NewRef> {
        std::mem::take(&mut self.lock().new)
    }

    /// Has `take_new` give these once more: their call is stored as a part of something else.
    pub fn give_again(&self, given: Vec<NewRef>) {
        self.lock().new.extend(given);
    }

    /// Returns the ids of this kind that have references, latest first.
    pub fn ids(&self, kind: RefKind) -> Vec<String> {
        let inner = self.lock();
        let last = inner.last.get(&kind).copied().unwrap_or(0);
        (1..=last).rev().filter_map(|number| inner.ids.get(&(kind, number)).cloned()).collect()
    }

    /// Takes over what an earlier process of this session gave out.
    pub fn restore(&self, stored: &[NewRef]) {
        let mut inner = self.lock();
        stored.iter().for_each(|new| inner.insert(new));
    }

    /// Replaces the references in arguments by their ids, and unknown ones by the nil id. Returns the unknown ones.
    pub fn expand(&self, arguments: &mut Value) -> Vec<UnknownRef> {
        let mut unknown = vec![];
        self.expand_at(arguments, "", None, &mut unknown);
        unknown
    }

    fn expand_at(&self, value: &mut Value, at: &str, argument: Option<(RefKind, &'static str)>, unknown: &mut Vec<UnknownRef>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.expand_at(value, &format!("{at}/{name}"), RefKind::of_argument(name), unknown);
                }
            }
            Value::Array(items) => {
                for (n, item) in items.iter_mut().enumerate() {
                    self.expand_at(item, &format!("{at}/{n}"), argument, unknown);
                }
            }
            Value::String(text) => {
                let Some((kind, tool)) = argument else { return };
                match self.id_of(kind, text) {
                    Some(id) => *text = id,
                    None if uuid::Uuid::parse_str(text).is_ok() => {}
                    None => {
                        let example = kind.letter();
                        let rule = format!("'{text}' is unknown; use a reference such as {example}1 from {tool}");
                        unknown.push(UnknownRef { pointer: at.to_owned(), rule });
                        *text = uuid::Uuid::nil().to_string();
                    }
                }
            }
            _ => {}
        }
    }

    /// Returns the id of a reference of this kind.
    pub fn id_of(&self, kind: RefKind, text: &str) -> Option<String> {
        let text = text.trim().trim_matches(['[', ']']);
        let number = text.strip_prefix(kind.letter())?.parse().ok()?;
        self.lock().ids.get(&(kind, number)).cloned()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ONE: &str = "01890000-0000-7000-8000-000000000001";

    #[test]
    fn a_reference_means_the_same_id_after_a_crash() {
        let refs = SessionRefs::default();
        assert_eq!((refs.give(RefKind::Claim, ONE), refs.give(RefKind::Entity, ONE)), ("c1".into(), "e1".into()));
        assert_eq!(refs.give(RefKind::Claim, ONE), "c1");
        let stored = refs.take_new();
        assert_eq!((stored.len(), refs.take_new().len()), (2, 0));
        let later = SessionRefs::default();
        later.restore(&stored);
        assert_eq!((later.give(RefKind::Claim, "another"), later.give(RefKind::Claim, ONE)), ("c2".into(), "c1".into()));
    }

    #[test]
    fn references_in_arguments_become_ids_and_unknown_ones_are_named() {
        let refs = SessionRefs::default();
        refs.give(RefKind::Claim, ONE);
        let mut arguments = json!({"claim_refs": [{"marker": 1, "claim_id": "c1"}, {"marker": 2, "claim_id": "c9"}],
            "document_ids": [ONE, "Martin"], "query": "c1", "content": {"change": {"previous_id": "a1"}}});
        let unknown: Vec<String> = refs.expand(&mut arguments).iter().map(ToString::to_string).collect();
        assert_eq!(arguments["claim_refs"][0]["claim_id"], ONE);
        assert_eq!(arguments["query"], "c1", "only where a reference is meant");
        let expected = [
            "'/claim_refs/1/claim_id': 'c9' is unknown; use a reference such as c1 from search_claims",
            "'/content/change/previous_id': 'a1' is unknown; use a reference such as a1 from search_assessments",
            "'/document_ids/1': 'Martin' is unknown; use a reference such as d1 from search_claims",
        ];
        assert_eq!(unknown, expected);
    }
}
