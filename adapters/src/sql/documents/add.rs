//! Insertion of captures: bytes and texts once per hash, one document per natural key.
//!
//! Invariant: what somebody stored refuses and changes no capture of another. The same bytes may have several texts, as their charset and
//! address were stated.

use super::{
    details::insert_details,
    origins::{TextSketch, insert_sketches},
    row::{DocumentRow, document_columns},
};
use crate::sql::{
    Db, Store,
    fault::Fault,
    types::{Moment, id_list, text_list},
};
use domain::{
    CollectionId, DocumentId, InvestigationId,
    document::{Document, DocumentDetails, RejectedFile},
};
use engine::{
    StoreError, StoreResult,
    evidence::sha256_hex,
    library::{Capture, origins::Sketch},
};
use sqlx::{QueryBuilder, types::Json};
use std::collections::{HashMap, HashSet};

/// Rows per insert statement, well under either database's limit of bound values.
const BATCH: usize = 256;

const INDEX_SQLITE: &str = "insert into documents_search (rowid, title, body)
     select d.row_id, d.title, t.body from documents d join texts t on t.sha256 = d.sha256 and t.extractor = d.extractor and t.text_sha256 = d.text_sha256
     where d.row_id in (select value from json_each($1))";
/// Indexes a row's full text. PostgreSQL limits a row's index to a megabyte, so only the beginning of a very long text is searchable.
const INDEX_POSTGRES: &str = "update documents d
     set search = to_tsvector('simple', search_fold(d.title || ' ' || left(t.body, 500000)))
     from texts t where t.sha256 = d.sha256 and t.extractor = d.extractor and t.text_sha256 = d.text_sha256
     and d.row_id in (select value::bigint from json_each($1))";

/// Returns the statements that replace the full text of rows (a JSON list).
pub(in crate::sql) const fn index(db: &Db) -> &'static [&'static str] {
    match db {
        Db::Sqlite(_) => &["delete from documents_search where rowid in (select value from json_each($1))", INDEX_SQLITE],
        Db::Postgres(_) => &[INDEX_POSTGRES],
    }
}

/// Inserts rows in statements of bounded size.
macro_rules! insert_all {
    ($conn:expr, $rows:expr, $into:literal, |$row:ident, $item:ident| $push:expr, $conflict:literal) => {
        for batch in $rows.chunks(BATCH) {
            let mut insert = QueryBuilder::new($into);
            insert.push_values(batch, |mut $row, $item| {
                $push;
            });
            insert.push($conflict);
            insert.build().persistent(false).execute(&mut *$conn).await?;
        }
    };
}

type Key = (CollectionId, String, String, String);

fn key_of(document: &Document) -> Key {
    (document.collection_id, document.path.clone(), document.sha256.clone(), document.text_sha256.clone())
}

impl Store {
    pub(super) async fn add_captures(&self, captures: &[Capture]) -> StoreResult<(Vec<Document>, u64)> {
        for capture in captures {
            check(capture)?;
        }
        let key = |document: &Document| (document.sha256.clone(), document.extractor.clone(), document.text_sha256.clone());
        let texts = unique(captures, key);
        let sketched: Vec<TextSketch> = unique(captures, |document| document.text_sha256.clone())
            .iter()
            .map(|capture| (capture.document.text_sha256.clone(), Sketch::from_text(&capture.text)))
            .collect();
        let index = match self.db() {
            Db::Sqlite(_) => INDEX_SQLITE,
            Db::Postgres(_) => INDEX_POSTGRES,
        };
        let (stored, new) = write!(self, conn => {
            let blobs = unique(captures, |document| document.sha256.clone());
            insert_all!(conn, blobs, "insert into blobs (sha256, bytes) ", |row, capture| {
                row.push_bind(&capture.document.sha256).push_bind(capture.bytes.as_ref())
            }, " on conflict (sha256) do nothing");
            insert_all!(conn, texts, "insert into texts (sha256, extractor, text_sha256, body) ", |row, capture| {
                let document = &capture.document;
                row.push_bind(&document.sha256)
                    .push_bind(&document.extractor)
                    .push_bind(&document.text_sha256)
                    .push_bind(&capture.text)
            }, " on conflict (sha256, extractor, text_sha256) do nothing");
            let mut added: Vec<i64> = vec![];
            for batch in captures.chunks(BATCH) {
                let mut insert = QueryBuilder::new(
                    "insert into documents (id, collection_id, path, title, outlet, published_value, published_precision,
                     published_basis, language, media_type, sha256, size_bytes, text_sha256, text_bytes, extractor, captured_at) ",
                );
                insert.push_values(batch, |mut row, Capture { document, .. }| {
                    row.push_bind(document.id.0)
                        .push_bind(document.collection_id.0)
                        .push_bind(&document.path)
                        .push_bind(&document.title)
                        .push_bind(&document.outlet)
                        .push_bind(document.published.map(|published| Moment(published.value)))
                        .push_bind(document.published.map(|published| published.precision.as_str()))
                        .push_bind(document.published.map(|published| published.basis.as_str()))
                        .push_bind(&document.language)
                        .push_bind(&document.media_type)
                        .push_bind(&document.sha256)
                        .push_bind(document.size_bytes as i64)
                        .push_bind(&document.text_sha256)
                        .push_bind(document.text_bytes as i64)
                        .push_bind(&document.extractor)
                        .push_bind(Moment(document.captured_at));
                });
                insert.push(" on conflict (collection_id, path, sha256, text_sha256) do nothing returning row_id");
                let rows: Vec<i64> = insert.build_query_scalar().persistent(false).fetch_all(&mut *conn).await?;
                added.extend(rows);
            }
            insert_sketches!(conn, &sketched);
            let new = added.len() as u64;
            execute!(conn, index; serde_json::Value::from(added).to_string());
            let stored: Vec<DocumentRow> = rows!(conn.fetch_all, concat!(
                "select ",
                document_columns!(),
                " from documents d where d.collection_id in (select unhex(value) from json_each($1))
                 and d.path in (select value from json_each($2))",
            );
                id_list(captures.iter().map(|capture| capture.document.collection_id.0).collect::<HashSet<_>>()),
                text_list(captures.iter().map(|capture| capture.document.path.as_str())));
            let stored = stored.into_iter().map(DocumentRow::document).collect::<Result<Vec<_>, Fault>>()?;
            let stored = in_order(captures, stored)?;
            let pairs = with_ids(captures, &stored);
            insert_details!(conn, pairs);
            (stored, new)
        })?;
        Ok((stored, new))
    }

    pub(super) async fn add_rejected_files(
        &self,
        collection: CollectionId,
        investigation: Option<InvestigationId>,
        files: &[RejectedFile],
    ) -> StoreResult<()> {
        // The last word on a path counts: one statement must not touch a row twice.
        let last: HashMap<&str, &RejectedFile> = files.iter().map(|file| (file.path.as_str(), file)).collect();
        let files: Vec<&RejectedFile> = last.into_values().collect();
        write!(self, conn => {
            insert_all!(
                conn, files, "insert into rejected_files (collection_id, path, reason) ", |row, file| {
                    row.push_bind(collection.0).push_bind(&file.path).push_bind(&file.reason)
                },
                " on conflict (collection_id, path) do update set reason = excluded.reason"
            );
            if let Some(investigation) = investigation {
                insert_all!(
                    conn, files, "insert into rejected_of_investigations (investigation_id, collection_id, path, reason) ",
                    |row, file| {
                        row.push_bind(investigation.0)
                            .push_bind(collection.0)
                            .push_bind(&file.path)
                            .push_bind(&file.reason)
                    },
                    " on conflict (investigation_id, collection_id, path) do update set reason = excluded.reason"
                );
            }
        })
    }
}

/// Returns each capture once per stored document, with the id of that.
fn with_ids<'a>(captures: &'a [Capture], stored: &[Document]) -> Vec<(DocumentId, &'a Capture)> {
    let mut seen = HashSet::new();
    stored.iter().map(|document| document.id).zip(captures).filter(|(id, _)| seen.insert(*id)).collect()
}

/// Returns the stored document of each capture, in order.
fn in_order(captures: &[Capture], stored: Vec<Document>) -> StoreResult<Vec<Document>> {
    let by_key: HashMap<Key, Document> = stored.into_iter().map(|document| (key_of(&document), document)).collect();
    let missing = || StoreError::Defect("a stored document is missing".into());
    captures.iter().map(|capture| by_key.get(&key_of(&capture.document)).cloned().ok_or_else(missing)).collect()
}

/// Returns the first capture of each key.
fn unique<K: std::hash::Hash + Eq>(captures: &[Capture], key: impl Fn(&Document) -> K) -> Vec<&Capture> {
    let mut seen = HashSet::new();
    captures.iter().filter(|capture| seen.insert(key(&capture.document))).collect()
}

/// Checks that bytes and text match their hashes.
fn check(capture: &Capture) -> StoreResult<()> {
    let Capture { document, bytes, text, .. } = capture;
    let refuse = |what: &str| Err(StoreError::Invalid(format!("{}: {what}", document.path)));
    if sha256_hex(bytes) != document.sha256 || bytes.len() as u64 != document.size_bytes {
        return refuse("sha256 or size_bytes is not that of the bytes");
    }
    if sha256_hex(text.as_bytes()) != document.text_sha256 || text.len() as u64 != document.text_bytes {
        return refuse("text_sha256 or text_bytes is not that of the text");
    }
    if text.contains('\0') {
        return refuse("the text holds U+0000");
    }
    Ok(())
}
