//! Tensions that models named while they read documents.

use super::{TensionStore, bounded};
use crate::extracted::ExtractedTension;
use adapters::sql::{execute, read, rows, types::id_list, write};
use domain::DocumentId;
use engine::{StoreResult, evidence::sha256_hex};
use serde_json::Value;
use std::collections::BTreeMap;
use uuid::Uuid;

const ADD: &str = "
    insert into extracted_tensions (document_id, item_hash, item)
    select d.id, $2, $3 from documents d where d.id = $1
    on conflict (document_id, item_hash) do nothing";
const OF_DOCUMENTS: &str = concat!(
    "select document_id, item from extracted_tensions
      where document_id in (select unhex(value) from json_each($1)) order by document_id, item_hash",
    bounded!()
);

impl TensionStore {
    /// Stores items of a document; those that are stored already stay as they are.
    pub async fn add_extracted(&self, document: DocumentId, items: &[Value]) -> StoreResult<()> {
        let items: Vec<String> = items.iter().map(Value::to_string).collect();
        write!(self.0, conn => {
            for item in &items {
                execute!(conn, ADD; document.0, sha256_hex(item.as_bytes()), item);
            }
        })
    }

    /// Returns the items of documents. Items that this version cannot read are left out.
    pub async fn extracted(&self, documents: &[DocumentId]) -> StoreResult<BTreeMap<DocumentId, Vec<ExtractedTension>>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String)> = rows!(conn.fetch_all, OF_DOCUMENTS; id_list(documents.iter().map(|id| id.0)));
            let mut found: BTreeMap<DocumentId, Vec<ExtractedTension>> = BTreeMap::new();
            for (id, item) in rows {
                if let Ok(tension) = serde_json::from_str(&item) {
                    found.entry(DocumentId(id)).or_default().push(tension);
                }
            }
            found
        })
    }
}
