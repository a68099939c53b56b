//! Rows of documents, and the statements that list them.

use crate::sql::{
    Db,
    fault::Fault,
    types::{Moment, count, word},
};
use domain::{
    CollectionId, DocumentId, Precision, PublicationDate, PublishedBasis,
    document::{Credits, Document, DocumentText},
};
use engine::library::DocumentWithRelatives;
use uuid::Uuid;

/// The columns of a document `d` for `DocumentRow`. Not `d.*`: on PostgreSQL that includes the text index, up to a megabyte per row.
macro_rules! document_columns {
    () => {
        "d.id, d.collection_id, d.path, d.title, d.outlet, d.published_value, d.published_precision, d.published_basis,
         d.language, d.media_type, d.sha256, d.size_bytes, d.text_sha256, d.text_bytes, d.extractor, d.captured_at,
         (select x.agency from document_credits x where x.document_id = d.id) as agency,
         (select x.byline from document_credits x where x.document_id = d.id) as byline"
    };
}
pub(in crate::sql) use document_columns;

/// Selects the newest row per collection. Rows are numbered in order of insertion.
macro_rules! newest_row {
    () => {
        "(select coalesce(max((select max(n.row_id) from documents n where n.collection_id = unhex(c.value))), 0)
          from json_each($1) c)"
    };
}

/// The statements behind a page of documents. Parameters: scope, only unextracted, words (unused without), last row,
/// first moment of publication, first moment beyond, archived or not, tag, question, limit, offset. Each row has the newest row and the number of matches, which
/// counting gives alone, for a page without rows. Without a last row everything counts.
pub(super) struct PageStatements {
    pub(super) count: &'static str,
    pub(super) stable: &'static str,
    pub(super) newest: &'static str,
    pub(super) relevance: &'static str,
}

macro_rules! statements {
    ($matching:literal, $ranked_from:literal, $ranked:literal, $relevance:literal) => {
        PageStatements {
            count: concat!("select ", newest_row!(), ", count(*)", statements!(@from "documents d", $matching)),
            stable: statements!(
                @documents $matching, "documents d", $matching, " order by d.text_sha256, d.path, d.id limit $10 offset $11"
            ),
            newest: statements!(
                @documents $matching, "documents d", $matching,
                " order by d.published_value desc nulls last, d.text_sha256, d.path, d.id limit $10 offset $11"
            ),
            relevance: statements!(
                @documents $matching, $ranked_from, $ranked,
                " order by ", $relevance,
                " d.published_value desc nulls last, d.text_sha256, d.path, d.id limit $10 offset $11"
            ),
        }
    };
    (@documents $counted:literal, $from:literal, $matching:literal, $($order:literal),+) => {
        concat!(
            "select ",
            newest_row!(),
            " as newest, (select count(*)",
            statements!(@from "documents d", $counted),
            ") as matching, ",
            document_columns!(),
            statements!(@from $from, $matching),
            $($order),+
        )
    };
    (@from $from:literal, $matching:literal) => {
        concat!(
            " from ",
            $from,
            " where d.collection_id in (select unhex(value) from json_each($1))
               and (cast($4 as bigint) is null or d.row_id <= $4)
               and (not $2 or not exists (select 1 from extractions e where e.document_id = d.id
                   and (e.in_view_of is null or cast($9 as text) is null or e.in_view_of = $9)))
               and ($5 is null or d.published_value >= $5) and ($6 is null or d.published_value < $6)
               and $7 = exists (select 1 from archived_documents z where z.document_id = d.id)
               and (cast($8 as text) is null or exists (select 1 from document_tags t where t.document_id = d.id and t.tag = $8)) and ",
            $matching
        )
    };
}

const EVERY: PageStatements = statements!("$3 is null", "documents d", "$3 is null", "");
/// The rank is that of BM25 with a fixed mean length and without the number of texts that have a word: other people's are among these.
const MATCHING_SQLITE: PageStatements = statements!(
    "d.row_id in (select rowid from documents_search where documents_search match ($3 ->> 'match'))",
    "documents d left join (
        select x.row_id, sum(t.times / (t.times + 1.2 * (0.25 + 0.75 * x.text_bytes / 2400.0))) as score
        from (select i.doc, i.term, count(*) * 1.0 as times from json_each($3, '$.terms') w
              cross join documents_terms i on i.term = w.value group by 1, 2) t
        cross join documents x on x.row_id = t.doc where x.collection_id in (select unhex(value) from json_each($1))
        group by 1) s on s.row_id = d.row_id",
    "d.row_id in (select rowid from documents_search where documents_search match ($3 ->> 'match'))",
    "round(coalesce(s.score, 0), 6) desc,"
);
const MATCHING_POSTGRES: PageStatements = statements!(
    "d.search @@ to_tsquery('simple', $3)",
    "documents d",
    "d.search @@ to_tsquery('simple', $3)",
    "ts_rank(d.search, to_tsquery('simple', $3)) desc,"
);

impl PageStatements {
    pub(super) fn select(db: &Db, with_words: bool) -> Self {
        match (with_words, db) {
            (false, _) => EVERY,
            (true, Db::Sqlite(_)) => MATCHING_SQLITE,
            (true, Db::Postgres(_)) => MATCHING_POSTGRES,
        }
    }
}

/// Selects unreadable files: their total number, and one page. Parameters: scope, investigation (unused without), limit, offset.
macro_rules! rejected {
    ($table:literal, $of:literal) => {
        (
            concat!(
                "select count(*) from ",
                $table,
                " where collection_id in (select unhex(value) from json_each($1)) and ",
                $of
            ),
            concat!(
                "select path, reason, count(*) over () from ",
                $table,
                " where collection_id in (select unhex(value) from json_each($1)) and ",
                $of,
                " order by path, reason limit $3 offset $4"
            ),
        )
    };
}

pub(super) const REJECTED: (&str, &str) = rejected!("rejected_files", "$2 is null");
pub(super) const REJECTED_OF_ONE: (&str, &str) = rejected!("rejected_of_investigations", "investigation_id = $2");

#[derive(sqlx::FromRow)]
pub(in crate::sql) struct DocumentRow {
    id: Uuid,
    collection_id: Uuid,
    path: String,
    title: String,
    outlet: Option<String>,
    published_value: Option<Moment>,
    published_precision: Option<String>,
    published_basis: Option<String>,
    language: Option<String>,
    media_type: String,
    sha256: String,
    size_bytes: i64,
    text_sha256: String,
    text_bytes: i64,
    extractor: String,
    captured_at: Moment,
    agency: Option<String>,
    byline: Option<String>,
}

/// A document of a page.
#[derive(sqlx::FromRow)]
pub(super) struct PageRow {
    pub newest: i64,
    pub matching: i64,
    #[sqlx(flatten)]
    pub document: DocumentRow,
}

#[derive(sqlx::FromRow)]
pub(super) struct TextRow {
    #[sqlx(flatten)]
    document: DocumentRow,
    body: String,
}

impl TextRow {
    pub(super) fn text(self) -> Result<DocumentText, Fault> {
        Ok(DocumentText { document: self.document.document()?, text: self.body })
    }
}

/// A document, with its text where that was asked for.
#[derive(sqlx::FromRow)]
pub(super) struct RelatedRow {
    #[sqlx(flatten)]
    document: DocumentRow,
    body: Option<String>,
}

impl RelatedRow {
    pub(super) fn document(self) -> Result<(Document, Option<String>), Fault> {
        Ok((self.document.document()?, self.body))
    }
}

/// A document, with its text where it is the wanted one, among its relatives.
#[derive(sqlx::FromRow)]
pub(super) struct RelativeRow {
    #[sqlx(flatten)]
    document: DocumentRow,
    body: Option<String>,
    is_archived: bool,
    is_in_view_only: bool,
}

impl RelativeRow {
    /// Parts the document with the text from the others; `None` without it.
    pub(super) fn split(rows: Vec<Self>) -> Result<Option<DocumentWithRelatives>, Fault> {
        let (mut wanted, mut relatives) = (None, vec![]);
        for Self { document, body, is_archived, is_in_view_only } in rows {
            let document = document.document()?;
            match body {
                Some(text) => wanted = Some((DocumentText { document, text }, is_archived, is_in_view_only)),
                None => relatives.push(document),
            }
        }
        let found =
            |(text, is_archived, is_in_view_only)| DocumentWithRelatives { text, is_archived, is_in_view_only, relatives };
        Ok(wanted.map(found))
    }
}

impl DocumentRow {
    fn published(&self) -> Result<Option<PublicationDate>, Fault> {
        publication_date(self.published_value, self.published_precision.as_deref(), self.published_basis.as_deref())
    }

    pub(in crate::sql) fn document(self) -> Result<Document, Fault> {
        Ok(Document {
            id: DocumentId(self.id),
            collection_id: CollectionId(self.collection_id),
            published: self.published()?,
            path: self.path,
            title: self.title,
            outlet: self.outlet,
            language: self.language,
            media_type: self.media_type,
            sha256: self.sha256,
            size_bytes: count(self.size_bytes)?,
            text_sha256: self.text_sha256,
            text_bytes: count(self.text_bytes)?,
            extractor: self.extractor,
            captured_at: self.captured_at.0,
            credits: Credits { agency: self.agency, byline: self.byline },
        })
    }
}

/// Returns the date of three columns; none when one is null.
pub(super) fn publication_date(
    value: Option<Moment>,
    precision: Option<&str>,
    basis: Option<&str>,
) -> Result<Option<PublicationDate>, Fault> {
    let (Some(value), Some(precision), Some(basis)) = (value, precision, basis) else { return Ok(None) };
    Ok(Some(PublicationDate {
        value: value.0,
        precision: word("precision", precision, Precision::parse)?,
        basis: word("basis of a date", basis, PublishedBasis::parse)?,
    }))
}
