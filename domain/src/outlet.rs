//! Outlets as entities of the graph: owners, base, record and conflicts of interest, as one reader sees them.

use crate::{ClaimId, EntityId};
use serde::{Deserialize, Serialize};

/// Profile of an outlet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutletProfile {
    /// Entities that a relationship names as its owners.
    pub owners: Vec<OutletOwnership>,
    pub bases: Vec<OutletBase>,
    pub record: OutletRecord,
    pub conflicts: Vec<ConflictOfInterest>,
}

/// An owner of an outlet, with the evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutletOwnership {
    pub owner: EntityId,
    pub name: String,
    /// The words of the relationship that says so.
    pub link: String,
    pub claims: Vec<ClaimId>,
}

/// A place in which an outlet is based, with the evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutletBase {
    pub place: String,
    /// None where a property of the outlet names it.
    pub entity: Option<EntityId>,
    pub claims: Vec<ClaimId>,
}

/// An owner about whom an outlet published claims.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictOfInterest {
    pub party: EntityId,
    pub name: String,
    /// The owner of the outlet that the party owns; none where the party is the owner.
    pub through: Option<String>,
    /// Claims about the party that the outlet published, at most as many as its record counts.
    pub claims: u64,
    pub newest: ClaimId,
}

/// Counts of what an outlet published, and what became of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutletRecord {
    pub claims: u64,
    /// Whether it published more claims than are counted, which are its latest.
    pub is_cut: bool,
    pub documents: u64,
    /// Cited pages whose cited passages have changed, that were taken back, or that are gone.
    pub changed: u64,
    pub retracted: u64,
    pub gone: u64,
    /// Relationships that the claims state, and those of them that no other origin states.
    pub relationships: u64,
    pub only_origin: u64,
}

/// A number of the record with its definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLine {
    pub name: String,
    pub count: u64,
    pub definition: String,
}

impl OutletRecord {
    /// Returns every number with its definition.
    pub fn lines(&self) -> Vec<RecordLine> {
        let line = |name: &str, count, definition: &str| RecordLine {
            name: name.to_owned(),
            count,
            definition: definition.to_owned(),
        };
        let claims = match self.is_cut {
            true => "Its latest claims that you may read. It published more, which are not counted here.",
            false => "Claims from its documents that you may read.",
        };
        vec![
            line("Claims", self.claims, claims),
            line("Documents", self.documents, "Documents that these claims are from."),
            line(
                "Only origin",
                self.only_origin,
                &format!("Of {} relationships that these claims state: those that no other origin states.", self.relationships),
            ),
            line("Pages changed", self.changed, "Cited pages that no longer have a quoted passage: corrected or rewritten."),
            line("Pages taken back", self.retracted, "Cited pages that now say that they were retracted."),
            line(
                "Pages gone",
                self.gone,
                "Cited pages that no longer exist. Pages that no report cites are not checked again.",
            ),
        ]
    }

    /// Returns the record in one line. The page around it says whose reading rights it counts by.
    pub fn sentence(&self) -> String {
        let Self { claims, is_cut, documents, changed, retracted, gone, relationships, only_origin } = self;
        let latest = if *is_cut { "latest " } else { "" };
        format!(
            "Its {latest}claims: {claims}, from documents: {documents}. Relationships that they state: {relationships}, of which \
             no other origin states {only_origin}. Cited pages since changed: {changed}, taken back: {retracted}, gone: {gone}."
        )
    }
}

/// Keys of properties that name the place of an outlet.
pub const BASE_KEYS: [&str; 6] = ["base", "based_in", "headquarters", "location", "city", "country"];

/// Returns whether the words of a relationship say that its source is based in its target.
pub fn is_base(description: &str) -> bool {
    const WORDS: [&str; 4] = ["based in", "headquartered in", "located in", "headquarters in"];
    let words = format!(" {} ", description.to_lowercase());
    let has = |wanted: &str| words.contains(&format!(" {wanted} "));
    WORDS.iter().any(|wanted| has(wanted)) && !["not", "no longer", "formerly", "previously"].iter().any(|wanted| has(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_relationship_name_a_base() {
        assert!(["is based in", "Headquartered in"].iter().all(|words| is_base(words)));
        assert!(["was formerly based in", "is not based in", "reports on", "rebased in"].iter().all(|words| !is_base(words)));
    }
}
