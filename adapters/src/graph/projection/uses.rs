//! Relationships and values that rest on claims, from the rows of a backend.

use domain::{DocumentId, EntityId, RelationshipId};
use engine::graph::{ClaimUse, ClaimUses};
use serde::Deserialize;
use sqlx::FromRow;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// A relationship, a value of an entity, or a document of a claim that states one of them.
#[derive(Deserialize, FromRow)]
pub(in crate::graph) struct UseRow {
    relationship: Option<Uuid>,
    /// Source of the relationship, or the entity.
    entity: Option<Uuid>,
    target: Option<Uuid>,
    /// Description of the relationship, or name of the value.
    text: Option<String>,
    document: Option<Uuid>,
}

pub(in crate::graph) fn claim_uses(rows: Vec<UseRow>) -> ClaimUses {
    let mut found = ClaimUses::default();
    for row in rows {
        found.documents.extend(row.document.map(DocumentId));
        let (Some(entity), Some(text)) = (row.entity.map(EntityId), row.text) else { continue };
        found.uses.push(match (row.relationship.map(RelationshipId), row.target.map(EntityId)) {
            (Some(id), Some(target)) => ClaimUse::Relationship { description: text, source: entity, target, id },
            _ => ClaimUse::Value { name: text, entity },
        });
    }
    found.uses.sort_unstable();
    found.uses.dedup();
    found.documents.sort_unstable();
    found
}

/// A document of a claim that states a relationship, which the rows of its ends and its words tell apart.
#[derive(Deserialize, FromRow)]
pub(in crate::graph) struct StatingRow {
    source: i64,
    target: i64,
    words: String,
    document: Uuid,
}

pub(in crate::graph) fn stating_documents(rows: Vec<StatingRow>) -> Vec<Vec<DocumentId>> {
    let mut found: BTreeMap<(i64, i64, String), BTreeSet<DocumentId>> = BTreeMap::new();
    for StatingRow { source, target, words, document } in rows {
        found.entry((source, target, words)).or_default().insert(DocumentId(document));
    }
    let mut found: Vec<Vec<DocumentId>> = found.into_values().map(|documents| documents.into_iter().collect()).collect();
    found.sort_unstable();
    found
}
