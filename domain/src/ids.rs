//! Newtype identifiers. All are UUIDv7, made by an `Ids` port of the engine, never from the air.

/// The text given was not a UUID; carries what was expected and what came.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is no {kind} id; it looks like 0192d3c4-…")]
pub struct BadId {
    pub kind: &'static str,
    pub given: String,
}

/// Defines newtypes of `Uuid`, each with its kind in words.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $kind:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(transparent)]
        pub struct $name(pub ::uuid::Uuid);

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!($kind, ":{}"), self.0)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::BadId;
            fn from_str(text: &str) -> Result<Self, $crate::BadId> {
                ::uuid::Uuid::parse_str(text)
                    .map(Self)
                    .map_err(|_| $crate::BadId { kind: $kind, given: text.chars().take(60).collect() })
            }
        }

        impl From<::uuid::Uuid> for $name {
            fn from(id: ::uuid::Uuid) -> Self {
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
    /// One object of a feature, of a kind that the feature names.
    ObjectId = "object";
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
}
