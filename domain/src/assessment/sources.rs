//! Source statement: number of sources, first-hand reports, owners and fruitless searches. The program computes it.

use crate::work_order::PlanChangeKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Figures on the sources of an assessment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceStatement {
    /// Documents that the work orders of the investigation read, and those that are cited, which an earlier one may have read. Readers
    /// see them as "consulted".
    pub documents_read: u64,
    pub documents_cited: u64,
    /// Independent texts among the cited documents.
    pub origins_cited: u64,
    pub citations: u64,
    /// Citations whose outlet reports at first hand.
    pub first_hand: u64,
    /// Owners of the cited outlets, where the graph names one.
    pub owners: Vec<OutletOwner>,
    /// Work orders that brought no document, and sources that gave nothing.
    pub searched_in_vain: Vec<FruitlessSearch>,
    /// Changes that people made to the plan, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plan_changes: Vec<PlanNote>,
}

/// A change of the plan, and who made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanNote {
    pub kind: PlanChangeKind,
    /// The objective of the work order.
    pub objective: String,
    /// User name.
    pub by: String,
}

impl PlanNote {
    /// Returns the change as a sentence: “ada added: Read the gate log.”
    pub fn sentence(&self) -> String {
        let Self { kind, objective, by } = self;
        let act = match kind {
            PlanChangeKind::Added => "added",
            PlanChangeKind::Removed => "removed",
            PlanChangeKind::Raised => "moved to the front",
        };
        format!("{by} {act}: {objective}")
    }
}

/// An outlet and one of those who own it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct OutletOwner {
    pub outlet: String,
    pub owner: String,
    /// The words of the relationship that says so.
    pub link: String,
}

/// A search that brought nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FruitlessSearch {
    /// The objective of the work order, or the id of the source.
    pub what: String,
    pub why: String,
}

/// The owning end of a relationship.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnerEnd {
    Source,
    Target,
}

/// The end that the words of a relationship name as owner; none where they do not speak of ownership.
pub fn owner_end(description: &str) -> Option<OwnerEnd> {
    const TARGET_OWNS: [&str; 4] = ["owned by", "belongs to", "subsidiary of", "property of"];
    const SOURCE_OWNS: [&str; 4] = ["owns", "owner", "co-owns", "parent company of"];
    const OWNED_BEFORE: [&str; 14] = [
        "not",
        "no longer",
        "former",
        "formerly",
        "previous",
        "previously",
        "once",
        "until",
        "used to",
        "was",
        "were",
        "had",
        "ex-owner",
        "sold",
    ];
    let lower = format!(" {} ", description.to_lowercase());
    let says = |words: &&str| lower.contains(&format!(" {words} "));
    if OWNED_BEFORE.iter().any(says) {
        None
    } else if TARGET_OWNS.iter().any(says) {
        Some(OwnerEnd::Target)
    } else if SOURCE_OWNS.iter().any(says) {
        Some(OwnerEnd::Source)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_relationship_say_which_end_owns_the_other() {
        let ends = ["owns", "is owned by", "is the owner of", "belongs to", "is a subsidiary of"].map(owner_end);
        let (source, target) = (Some(OwnerEnd::Source), Some(OwnerEnd::Target));
        assert_eq!(ends, [source, target, source, target, target]);
        assert_eq!(["publishes", "no longer owns", "former owner of", "disowns", ""].map(owner_end), [None; 5]);
        assert_eq!(["was owned by", "formerly owned by", "owned until 2020", "used to belong to"].map(owner_end), [None; 4]);
    }
}
