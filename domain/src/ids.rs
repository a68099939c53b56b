//! Newtype identifiers. All are UUIDv7, made by an `Ids` port of the engine, never from the air.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// The text given was not a UUID; carries what was expected and what came.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is no {kind} id; it looks like 0192d3c4-…")]
pub struct BadId {
    pub kind: &'static str,
    pub given: String,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $kind:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($kind, ":{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = BadId;
            fn from_str(text: &str) -> Result<Self, BadId> {
                Uuid::parse_str(text)
                    .map(Self)
                    .map_err(|_| BadId { kind: $kind, given: text.chars().take(60).collect() })
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
    )*};
}

ids! {
    InvestigationId = "investigation";
    WorkOrderId = "work order";
    /// One agent conversation.
    SessionId = "session";
    /// One recorded tool call of a session.
    ToolCallId = "tool call";
    /// One call of a model.
    ModelCallId = "model call";
    DocumentId = "document";
    CollectionId = "collection";
    ClaimId = "claim";
    EntityId = "entity";
    RelationshipId = "relationship";
    AssessmentId = "assessment";
    UserId = "user";
    TeamId = "team";
    /// One running process that may hold leases.
    HolderId = "holder";
    /// One merge of two entities, kept so that it can be undone.
    MergeId = "merge";
    /// One pair of entities that may be the same and waits for a person or a model.
    ReviewId = "review";
    /// One contested rating of an assessment.
    ContestId = "contest";
    /// One note of a reader.
    NoteId = "note";
    /// One indicator that a person watches.
    WatchId = "watch";
    /// One saved filter of the list of assessments.
    SavedViewId = "saved view";
}
