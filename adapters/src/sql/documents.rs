//! The document library: captures, their bytes and their texts.

mod add;
mod credits;
mod details;
mod origins;
mod row;

pub(super) use add::index;

use super::{
    Db, Store,
    accounts::log_audit,
    archive::ScopeKind,
    fault::Fault,
    notify::Topic,
    search,
    sessions::delete_unused_contents,
    types::{Moment, count, id_list, text_list},
};
use async_trait::async_trait;
use bytes::Bytes;
pub(super) use details::DetailsRow;
use domain::{
    CollectionId, DocumentId, InvestigationId, Scope, Timestamp, UserId,
    annotation::Tag,
    document::{Document, DocumentText, RejectedFile},
};
use engine::{
    StoreResult,
    accounts::AuditEntry,
    graph::GraphWrite,
    library::{
        Capture, CreditedDocument, DependentRows, DocumentOrder, DocumentPage, DocumentQuery, DocumentWithRelatives, Documents,
        RejectedQuery,
        origins::{ComparedText, NearQuery},
    },
};
pub(super) use row::{DocumentRow, document_columns};

use row::{PageRow, PageStatements, REJECTED, REJECTED_OF_ONE, RelatedRow, RelativeRow, TextRow};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

/// Statement that counts a removal for the processes that keep something of the library in memory. It is the last of its transaction,
/// which waits for no other row while it holds this one.
const COUNT_REMOVAL: &str = "update library_version set number = number + 1";
/// Statements that delete unreferenced rows after a collection is removed, in dependency order.
const SWEEP: [&str; 4] = [
    "delete from text_sketches where not exists (select 1 from documents d where d.text_sha256 = text_sketches.text_sha256)",
    "delete from texts where not exists
        (select 1 from documents d where d.sha256 = texts.sha256 and d.extractor = texts.extractor
            and d.text_sha256 = texts.text_sha256)",
    "delete from blobs where not exists (select 1 from texts t where t.sha256 = blobs.sha256)",
    delete_unused_contents!(""),
];

/// The same of the given hashes, after documents are removed: of a text, then twice of bytes.
const SWEEP_HASHES: [&str; 3] = [
    "delete from text_sketches where text_sha256 in (select value from json_each($1))
        and not exists (select 1 from documents d where d.text_sha256 = text_sketches.text_sha256)",
    "delete from texts where sha256 in (select value from json_each($1))
        and not exists (select 1 from documents d where d.sha256 = texts.sha256 and d.extractor = texts.extractor
            and d.text_sha256 = texts.text_sha256)",
    "delete from blobs where sha256 in (select value from json_each($1))
        and not exists (select 1 from texts t where t.sha256 = blobs.sha256)",
];

fn scope_list(scope: &Scope) -> String {
    id_list(scope.collections().iter().map(|id| id.0))
}

impl Store {
    /// Returns a document that is not stored, if there is one.
    pub(crate) async fn missing_document(&self, ids: impl IntoIterator<Item = DocumentId>) -> StoreResult<Option<DocumentId>> {
        let ids: Vec<DocumentId> = ids.into_iter().collect();
        if ids.is_empty() {
            return Ok(None);
        }
        let stored: Vec<Uuid> = read!(self, conn => {
            values!(conn.fetch_all, "select id from documents where id in (select unhex(value) from json_each($1))";
                id_list(ids.iter().map(|id| id.0)))
        })?;
        Ok(ids.into_iter().find(|id| !stored.contains(&id.0)))
    }

    /// Records that documents are extracted, for a graph in another database. Idempotent.
    pub(crate) async fn mark_extracted(&self, writes: &[&GraphWrite]) -> StoreResult<()> {
        let mut readings: BTreeMap<(Timestamp, Option<&str>), Vec<Uuid>> = BTreeMap::new();
        for write in writes {
            readings.entry((write.at, write.in_view_of.as_deref())).or_default().push(write.document_id.0);
        }
        if readings.is_empty() {
            return Ok(());
        }
        write!(self, conn => {
            for ((at, in_view_of), ids) in &readings {
                // A document that was deleted meanwhile is left out.
                execute!(conn, "insert into extractions (document_id, at, in_view_of)
                     select d.id, $2, $3 from documents d where d.id in (select unhex(value) from json_each($1))
                     on conflict (document_id) do update set at = excluded.at, in_view_of = excluded.in_view_of
                     where extractions.in_view_of is not null"; id_list(ids.iter().copied()), Moment(*at), *in_view_of);
            }
        })
    }
}

#[async_trait]
impl Documents for Store {
    async fn add_documents(&self, captures: &[Capture]) -> StoreResult<(Vec<Document>, u64)> {
        self.add_captures(captures).await
    }

    async fn add_rejected(
        &self,
        collection: CollectionId,
        investigation: Option<InvestigationId>,
        files: &[RejectedFile],
    ) -> StoreResult<()> {
        self.add_rejected_files(collection, investigation, files).await
    }

    async fn dismiss_rejected(&self, scope: &Scope, entry: &AuditEntry) -> StoreResult<bool> {
        write!(self, conn => {
            let dismissed = execute!(conn,
                "delete from rejected_files where collection_id in (select unhex(value) from json_each($1))"; scope_list(scope));
            let were_any = dismissed.rows_affected() > 0;
            if were_any {
                log_audit!(conn, entry);
            }
            were_any
        })
    }

    async fn rejected(&self, scope: &Scope, query: &RejectedQuery) -> StoreResult<(Vec<RejectedFile>, u64)> {
        let (counting, listing) = if query.investigation.is_some() { REJECTED_OF_ONE } else { REJECTED };
        read!(self, conn => {
            let rows: Vec<(String, String, i64)> = rows!(conn.fetch_all, listing; scope_list(scope),
                query.investigation.map(|id| id.0), i64::from(query.limit), i64::try_from(query.offset).unwrap_or(i64::MAX));
            let all: i64 = match rows.first() {
                Some((_, _, all)) => *all,
                None if query.offset == 0 && query.limit > 0 => 0,
                None => values!(conn.fetch_one, counting; scope_list(scope), query.investigation.map(|id| id.0)),
            };
            (rows.into_iter().map(|(path, reason, _)| RejectedFile { path, reason }).collect(), count(all)?)
        })
    }

    async fn document(&self, scope: &Scope, id: DocumentId) -> StoreResult<Option<Document>> {
        read!(self, conn => {
            let row: Option<DocumentRow> = rows!(conn.fetch_optional, concat!(
                "select ",
                document_columns!(),
                " from documents d where d.id = $2 and d.collection_id in (select unhex(value) from json_each($1))",
            ); scope_list(scope), id.0);
            row.map(DocumentRow::document).transpose()?
        })
    }

    async fn documents(&self, scope: &Scope, ids: &[DocumentId]) -> StoreResult<Vec<Document>> {
        let found: Vec<Document> = read!(self, conn => {
            let rows: Vec<DocumentRow> = rows!(conn.fetch_all, concat!(
                "select ",
                document_columns!(),
                " from documents d where d.collection_id in (select unhex(value) from json_each($1))
                 and d.id in (select unhex(value) from json_each($2))",
            ); scope_list(scope), id_list(ids.iter().map(|id| id.0)));
            rows.into_iter().map(DocumentRow::document).collect::<Result<_, Fault>>()?
        })?;
        let by_id: HashMap<DocumentId, Document> = found.into_iter().map(|document| (document.id, document)).collect();
        Ok(ids.iter().filter_map(|id| by_id.get(id).cloned()).collect())
    }

    async fn read_for(&self, scope: &Scope, investigation: InvestigationId) -> StoreResult<Vec<Document>> {
        read!(self, conn => {
            let rows: Vec<DocumentRow> = rows!(conn.fetch_all, concat!(
                "select ",
                document_columns!(),
                " from documents d where d.collection_id in (select unhex(value) from json_each($1))
                 and d.id in (select x.document_id from work_orders w join work_order_documents x on x.work_order_id = w.id
                              where w.investigation_id = $2)
                 order by d.title, d.id",
            ); scope_list(scope), investigation.0);
            rows.into_iter().map(DocumentRow::document).collect::<Result<_, Fault>>()?
        })
    }

    async fn known_texts(&self, scope: &Scope, text_sha256: &[&str]) -> StoreResult<BTreeSet<String>> {
        read!(self, conn => {
            let rows: Vec<String> = values!(conn.fetch_all,
                "select distinct text_sha256 from documents where collection_id in (select unhex(value) from json_each($1))
                 and text_sha256 in (select value from json_each($2))";
                id_list(scope.collections().iter().map(|id| id.0)), text_list(text_sha256.iter().copied()));
            rows.into_iter().collect()
        })
    }

    async fn extracted(&self, ids: &[DocumentId]) -> StoreResult<BTreeSet<DocumentId>> {
        read!(self, conn => {
            let rows: Vec<Uuid> = values!(conn.fetch_all,
                "select document_id from extractions where document_id in (select unhex(value) from json_each($1))";
                id_list(ids.iter().map(|id| id.0)));
            rows.into_iter().map(DocumentId).collect()
        })
    }

    async fn extracted_for(&self, ids: &[DocumentId], question: Option<&str>) -> StoreResult<BTreeSet<DocumentId>> {
        read!(self, conn => {
            let rows: Vec<Uuid> = values!(conn.fetch_all, "select document_id from extractions
                 where document_id in (select unhex(value) from json_each($1)) and (in_view_of is null or in_view_of = $2)";
                id_list(ids.iter().map(|id| id.0)), question);
            rows.into_iter().map(DocumentId).collect()
        })
    }

    async fn texts(&self, scope: &Scope, ids: &[DocumentId]) -> StoreResult<Vec<DocumentText>> {
        let found: Vec<DocumentText> = read!(self, conn => {
            let rows: Vec<TextRow> = rows!(conn.fetch_all, concat!(
                "select ",
                document_columns!(),
                ", t.body from documents d join texts t on t.sha256 = d.sha256 and t.extractor = d.extractor and t.text_sha256 = d.text_sha256
                 where d.collection_id in (select unhex(value) from json_each($1))
                   and d.id in (select unhex(value) from json_each($2))",
            ); scope_list(scope), id_list(ids.iter().map(|id| id.0)));
            rows.into_iter().map(TextRow::text).collect::<Result<_, Fault>>()?
        })?;
        let by_id: HashMap<DocumentId, DocumentText> = found.into_iter().map(|text| (text.document.id, text)).collect();
        Ok(ids.iter().filter_map(|id| by_id.get(id).cloned()).collect())
    }

    async fn documents_with_texts(
        &self,
        scope: &Scope,
        ids: &[DocumentId],
        texts: &[DocumentId],
    ) -> StoreResult<Vec<(Document, Option<String>)>> {
        read!(self, conn => {
            let rows: Vec<RelatedRow> = rows!(conn.fetch_all, concat!(
                "select ",
                document_columns!(),
                ", t.body from documents d
                 left join texts t on t.sha256 = d.sha256 and t.extractor = d.extractor and t.text_sha256 = d.text_sha256
                     and d.id in (select unhex(value) from json_each($3))
                 where d.collection_id in (select unhex(value) from json_each($1))
                   and d.id in (select unhex(value) from json_each($2))",
            ); scope_list(scope), id_list(ids.iter().map(|id| id.0)), id_list(texts.iter().map(|id| id.0)));
            rows.into_iter().map(RelatedRow::document).collect::<Result<_, Fault>>()?
        })
    }

    async fn bytes(&self, scope: &Scope, id: DocumentId) -> StoreResult<Option<Bytes>> {
        read!(self, conn => {
            let bytes: Option<Vec<u8>> = values!(conn.fetch_optional,
                "select b.bytes from documents d join blobs b on b.sha256 = d.sha256
                 where d.id = $2 and d.collection_id in (select unhex(value) from json_each($1))"; scope_list(scope), id.0);
            bytes.map(Bytes::from)
        })
    }

    async fn list(&self, scope: &Scope, query: &DocumentQuery) -> StoreResult<DocumentPage> {
        let words = match (&query.text, self.db()) {
            (None, _) => None,
            (Some(text), Db::Sqlite(_)) => Some(search::every_word_sqlite(text)),
            (Some(text), Db::Postgres(_)) => Some(search::every_word_postgres(text)),
        };
        // Asked for words and given none: nothing matches.
        if words == Some(None) {
            return Ok(DocumentPage { documents: vec![], total: 0, as_of: query.as_of.unwrap_or(0) });
        }
        let words = words.flatten();
        let PageStatements { count: counting, stable, newest, relevance } = PageStatements::select(self.db(), words.is_some());
        let listing = match query.order {
            DocumentOrder::Stable => stable,
            DocumentOrder::Newest => newest,
            DocumentOrder::Relevance => relevance,
        };
        read!(self, conn => {
            let as_of = query.as_of.map(|as_of| i64::try_from(as_of).unwrap_or(i64::MAX));
            let rows: Vec<PageRow> = match query.limit {
                0 => vec![],
                _ => rows!(conn.fetch_all, listing; scope_list(scope), query.only_unextracted, &words, as_of,
                    query.period.after().map(Moment), query.period.before().map(Moment), query.is_archived,
                    query.tag.as_ref().map(Tag::as_str), &query.question, i64::from(query.limit),
                    i64::try_from(query.offset).unwrap_or(i64::MAX)),
            };
            let (newest, total): (i64, i64) = match rows.first() {
                Some(row) => (row.newest, row.matching),
                None => rows!(conn.fetch_one, counting; scope_list(scope), query.only_unextracted, &words, as_of,
                    query.period.after().map(Moment), query.period.before().map(Moment), query.is_archived,
                    query.tag.as_ref().map(Tag::as_str), &query.question),
            };
            let documents = rows.into_iter().map(|row| row.document.document()).collect::<Result<_, Fault>>()?;
            DocumentPage { documents, total: count(total)?, as_of: count(as_of.unwrap_or(newest))? }
        })
    }

    async fn has_files(&self, scope: &Scope) -> StoreResult<bool> {
        read!(self, conn => {
            values!(conn.fetch_one,
                "select exists (select 1 from documents d where d.collection_id in (select unhex(value) from json_each($1))
                     and not exists (select 1 from web_captures w where w.document_id = d.id))"; scope_list(scope))
        })
    }

    async fn with_relatives(&self, scope: &Scope, id: DocumentId) -> StoreResult<Option<DocumentWithRelatives>> {
        read!(self, conn => {
            let rows: Vec<RelativeRow> = rows!(conn.fetch_all, concat!(
                "select ",
                document_columns!(),
                ", t.body, exists (select 1 from archived_documents z where z.document_id = d.id) as is_archived,
                     exists (select 1 from extractions x where x.document_id = d.id and x.in_view_of is not null) as is_in_view_only
                 from documents d left join texts t on d.id = $2 and t.sha256 = d.sha256 and t.extractor = d.extractor and t.text_sha256 = d.text_sha256
                 where (d.text_sha256 = (select o.text_sha256 from documents o where o.id = $2)
                        or d.path = (select o.path from documents o where o.id = $2))
                   and d.collection_id in (select unhex(value) from json_each($1))
                 order by d.path, d.captured_at desc, d.id",
            ); scope_list(scope), id.0);
            RelativeRow::split(rows)?
        })
    }

    async fn add_credits(&self, credits: &[CreditedDocument]) -> StoreResult<()> {
        self.note_credits(credits).await
    }

    async fn near_texts(&self, scope: &Scope, texts: &[String], query: NearQuery) -> StoreResult<Vec<ComparedText>> {
        self.near(scope, texts, query).await
    }

    async fn sketch_texts(&self, limit: u32) -> StoreResult<u64> {
        self.sketch_some(limit).await
    }

    async fn archive_documents(&self, documents: &[DocumentId], by: UserId, at: Timestamp) -> StoreResult<Vec<DocumentId>> {
        write!(self, conn => {
            let archived: Vec<Uuid> = values!(conn.fetch_all,
                "insert into archived_documents (document_id, archived_by, archived_at)
                 select d.id, $2, $3 from documents d where d.id in (select unhex(value) from json_each($1))
                 on conflict (document_id) do nothing returning document_id";
                id_list(documents.iter().map(|id| id.0)), by.0, Moment(at));
            archived.into_iter().map(DocumentId).collect()
        })
    }

    async fn unarchive_documents(&self, documents: &[DocumentId]) -> StoreResult<Vec<DocumentId>> {
        write!(self, conn => {
            let removed: Vec<Uuid> = values!(conn.fetch_all,
                "delete from archived_documents where document_id in (select unhex(value) from json_each($1)) returning document_id";
                id_list(documents.iter().map(|id| id.0)));
            removed.into_iter().map(DocumentId).collect()
        })
    }

    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()> {
        let id: Uuid = collection.0;
        write!(self, conn => {
            execute!(conn, "delete from queue where work_order_id in (select w.id from work_orders w
                 join investigations i on i.id = w.investigation_id where i.collection_id = $1)"; id);
            // Takes its documents, rejected files and investigations along.
            execute!(conn, "delete from collections where id = $1"; id);
            for statement in SWEEP {
                execute!(conn, statement);
            }
            execute!(conn, COUNT_REMOVAL);
        })?;
        // Followers of the removed investigations stop waiting.
        self.inner.notifier.publish(Topic::Events);
        Ok(())
    }

    async fn dependents(&self, viewer: UserId, documents: &[DocumentId]) -> StoreResult<Vec<DependentRows>> {
        self.count_dependents(viewer, ScopeKind::Document, &id_list(documents.iter().map(|id| id.0))).await
    }

    async fn remove_documents(&self, documents: &[DocumentId], entry: &AuditEntry) -> StoreResult<u64> {
        write!(self, conn => {
            let removed: Vec<(String, String)> = rows!(conn.fetch_all,
                "delete from documents where id in (select unhex(value) from json_each($1)) returning sha256, text_sha256";
                id_list(documents.iter().map(|id| id.0)));
            if removed.is_empty() {
                return Ok(0);
            }
            let blobs = text_list(removed.iter().map(|(sha256, _)| sha256.as_str()));
            let texts = text_list(removed.iter().map(|(_, text)| text.as_str()));
            for (statement, hashes) in SWEEP_HASHES.into_iter().zip([texts, blobs.clone(), blobs]) {
                execute!(conn, statement; hashes);
            }
            log_audit!(conn, entry);
            execute!(conn, COUNT_REMOVAL);
            removed.len() as u64
        })
    }
}
