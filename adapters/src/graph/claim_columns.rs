//! Columns of a claim, under the same names in both backends, and the one mapping between them and claims.

use super::enum_text::{from_text, occurred, published, to_text};
use domain::{
    ClaimId, CollectionId, DocumentId, EntityId, Timestamp,
    claim::{Claim, Span},
};
use engine::{StoreResult, graph::NewClaim};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use std::collections::HashSet;
use uuid::Uuid;

macro_rules! columns {
    ($($(#[$attribute:meta])* $name:ident: $type:ty,)+) => {
        /// Columns with a statement of a document.
        #[derive(FromRow, Serialize, Deserialize)]
        pub(super) struct ClaimColumns {
            $($(#[$attribute])* $name: $type,)+
        }

        /// Names of the columns, from which both backends build their statements.
        pub(super) const COLUMNS: &[&str] = &[$(stringify!($name)),+];
    };
}

columns! {
    content: String,
    quote: String,
    #[sqlx(try_from = "i64")]
    span_start: u64,
    #[sqlx(try_from = "i64")]
    span_end: u64,
    published_value: Option<i64>,
    published_precision: Option<String>,
    published_basis: Option<String>,
    occurred_from: Option<i64>,
    occurred_to: Option<i64>,
    occurred_precision: Option<String>,
    occurred_to_precision: Option<String>,
    attribution: String,
    information: String,
    speaker: Option<String>,
    mode: String,
    language: Option<String>,
    content_hash: String,
}

impl ClaimColumns {
    pub fn new(claim: &NewClaim) -> Self {
        let (published, occurred) = (claim.published, claim.occurred);
        Self {
            content: claim.content.clone(),
            quote: claim.quote.clone(),
            span_start: claim.span.start,
            span_end: claim.span.end,
            published_value: published.map(|published| published.value.as_micros()),
            published_precision: published.map(|published| to_text(published.precision)),
            published_basis: published.map(|published| to_text(published.basis)),
            occurred_from: occurred.map(|occurred| occurred.from.as_micros()),
            occurred_to: occurred.map(|occurred| occurred.to.as_micros()),
            occurred_precision: occurred.map(|occurred| to_text(occurred.precision)),
            occurred_to_precision: occurred.and_then(|occurred| occurred.to_precision).map(to_text),
            attribution: to_text(claim.attribution),
            information: to_text(claim.information),
            speaker: claim.speaker.clone(),
            mode: to_text(claim.mode),
            language: claim.language.clone(),
            content_hash: claim.content_hash.clone(),
        }
    }
}

/// A stored claim with its ids.
#[derive(FromRow, Deserialize)]
pub(super) struct StoredClaim {
    pub n: i64,
    id: Uuid,
    document_id: Uuid,
    collection_id: Uuid,
    ingested_at: i64,
    outlet_id: Option<Uuid>,
    #[sqlx(json)]
    entity_ids: Vec<Uuid>,
    #[sqlx(flatten)]
    columns: ClaimColumns,
}

impl StoredClaim {
    pub fn claim(self) -> StoreResult<Claim> {
        let columns = self.columns;
        let published =
            published(columns.published_value, columns.published_precision.as_deref(), columns.published_basis.as_deref())?;
        let occurred = occurred(
            columns.occurred_from,
            columns.occurred_to,
            columns.occurred_precision.as_deref(),
            columns.occurred_to_precision.as_deref(),
        )?;
        let mut seen = HashSet::new();
        Ok(Claim {
            id: ClaimId(self.id),
            document_id: DocumentId(self.document_id),
            collection_id: CollectionId(self.collection_id),
            content: columns.content,
            quote: columns.quote,
            span: Span { start: columns.span_start, end: columns.span_end },
            published,
            occurred,
            ingested_at: Timestamp::from_micros(self.ingested_at),
            attribution: from_text(&columns.attribution)?,
            information: from_text(&columns.information)?,
            speaker: columns.speaker,
            mode: from_text(&columns.mode)?,
            language: columns.language,
            content_hash: columns.content_hash,
            outlet_id: self.outlet_id.map(EntityId),
            entity_ids: self.entity_ids.into_iter().map(EntityId).filter(|id| seen.insert(*id)).collect(),
        })
    }
}
