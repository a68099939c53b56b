//! Web provenance of documents, and the addresses that sessions may open.

use super::{
    Store,
    documents::{DetailsRow, DocumentRow, document_columns},
    fault::Fault,
    types::{Moment, count, id_list, text_list, word},
};
use async_trait::async_trait;
use domain::{
    DocumentId, InvestigationId, Scope, SessionId, Timestamp,
    fetch::{Hop, PageFinding, PageState, RetrievalMethod, WebCapture},
};
use engine::{
    StoreResult,
    fetch::{Captures, CitedPage, Provenance},
};
use sqlx::types::Json;
use std::collections::BTreeMap;
use uuid::Uuid;

const RECORD: &str = "insert into web_captures
         (document_id, url, final_url, canonical_url, status, hops, headers, fetched_at, reached)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (document_id) do update
     set url = excluded.url, final_url = excluded.final_url, canonical_url = excluded.canonical_url, status = excluded.status,
         hops = excluded.hops, headers = excluded.headers, fetched_at = excluded.fetched_at, reached = excluded.reached";

const PROVENANCE: &str =
    "select d.id as document_id, w.url, w.final_url, w.canonical_url, w.status, w.hops, w.headers, w.fetched_at,
         w.reached, c.finding, c.note, c.found_at, x.byline, x.updated_value, x.updated_precision, x.updated_basis,
         coalesce(x.tables, '[]') as tables
     from documents d
     left join web_captures w on w.document_id = d.id
     left join citation_watch c on c.document_id = d.id
     left join document_details x on x.document_id = d.id
     where d.id = $2 and d.collection_id in (select unhex(value) from json_each($1))";

const ALLOW: &str = "insert into session_addresses (session_id, address, steps)
     select $1, a.value, $3 from json_each($2) a where 1 = 1
     on conflict (session_id, address) do update set steps = excluded.steps where excluded.steps < session_addresses.steps";

const ADD_LISTED: &str = "insert into investigation_addresses (investigation_id, address)
     select $1, a.value from json_each($2) a where 1 = 1 on conflict do nothing";

const IS_LISTED: &str = "select exists (select 1 from investigation_addresses where investigation_id = $1 and address = $2)";

const WATCH: &str = "insert into citation_watch (document_id, looked_at)
     select w.document_id, w.fetched_at from web_captures w where w.document_id in (select unhex(value) from json_each($1))
     on conflict (document_id) do nothing";

const DUE: &str = concat!(
    "select ",
    document_columns!(),
    ", w.url as page_url, w.reached from citation_watch c
     join web_captures w on w.document_id = c.document_id join documents d on d.id = c.document_id
     where c.looked_at < $1 order by c.looked_at, d.text_sha256, d.id limit $2"
);

/// A finding that is made again keeps the time of the first.
const LOOKED: &str = "update citation_watch
        set looked_at = $2, finding = $3, found_at = case when finding = $3 then found_at else $4 end, note = $5
      where document_id = $1";

const FINDINGS: &str = "select c.document_id, c.finding, c.note, c.found_at from citation_watch c
     join documents d on d.id = c.document_id
     where c.finding is not null and d.collection_id in (select unhex(value) from json_each($1))
       and c.document_id in (select unhex(value) from json_each($2)) order by c.document_id";

#[derive(sqlx::FromRow)]
struct DueRow {
    #[sqlx(flatten)]
    document: DocumentRow,
    page_url: String,
    reached: Option<String>,
}

#[derive(sqlx::FromRow)]
struct FindingRow {
    document_id: Uuid,
    finding: String,
    note: String,
    found_at: Moment,
}

/// A document with the columns of its capture, of the citation watch and of its details; null where there is none.
#[derive(sqlx::FromRow)]
struct ProvenanceRow {
    document_id: Uuid,
    url: Option<String>,
    final_url: Option<String>,
    canonical_url: Option<String>,
    status: Option<i64>,
    hops: Option<Json<Vec<Hop>>>,
    headers: Option<Json<BTreeMap<String, String>>>,
    fetched_at: Option<Moment>,
    reached: Option<String>,
    finding: Option<String>,
    note: Option<String>,
    found_at: Option<Moment>,
    #[sqlx(flatten)]
    details: DetailsRow,
}

impl ProvenanceRow {
    fn provenance(self) -> Result<Provenance, Fault> {
        let document_id = DocumentId(self.document_id);
        let capture = match (self.url, self.final_url, self.status, self.hops, self.headers, self.fetched_at) {
            (Some(url), Some(final_url), Some(status), Some(hops), Some(headers), Some(fetched_at)) => Some(WebCapture {
                document_id,
                url,
                final_url,
                canonical_url: self.canonical_url,
                status: count(status)?,
                hops: hops.0,
                headers: headers.0,
                fetched_at: fetched_at.0,
                reached: reached(self.reached.as_deref())?,
            }),
            _ => None,
        };
        let finding = match (self.finding, self.note, self.found_at) {
            (Some(finding), Some(note), Some(found_at)) => {
                Some(FindingRow { document_id: self.document_id, finding, note, found_at }.finding()?)
            }
            _ => None,
        };
        Ok(Provenance { capture, finding, details: self.details.details()? })
    }
}

/// Parses how a page was reached; `None` means fetched, as before this column existed.
fn reached(text: Option<&str>) -> Result<RetrievalMethod, Fault> {
    text.map_or(Ok(RetrievalMethod::Fetched), |text| word("reached", text, RetrievalMethod::parse))
}

impl FindingRow {
    fn finding(self) -> Result<PageFinding, Fault> {
        Ok(PageFinding {
            document_id: DocumentId(self.document_id),
            state: word("finding", &self.finding, PageState::parse)?,
            note: self.note,
            at: self.found_at.0,
        })
    }
}

#[async_trait]
impl Captures for Store {
    async fn record_captures(&self, captures: &[WebCapture]) -> StoreResult<()> {
        write!(self, conn => {
            for capture in captures {
                execute!(conn, RECORD; capture.document_id.0, &capture.url, &capture.final_url, &capture.canonical_url,
                    i64::from(capture.status), Json(&capture.hops), Json(&capture.headers), Moment(capture.fetched_at),
                    capture.reached.as_str());
            }
        })
    }

    async fn provenance(&self, scope: &Scope, document: DocumentId) -> StoreResult<Provenance> {
        read!(self, conn => {
            let row: Option<ProvenanceRow> = rows!(conn.fetch_optional, PROVENANCE;
                id_list(scope.collections().iter().map(|id| id.0)), document.0);
            row.map(ProvenanceRow::provenance).transpose()?.unwrap_or_default()
        })
    }

    async fn allow(&self, session: SessionId, addresses: &[String], steps: u32) -> StoreResult<()> {
        let once: std::collections::BTreeSet<&str> = addresses.iter().map(String::as_str).collect();
        write!(self, conn => {
            execute!(conn, ALLOW; session.0, text_list(once), i64::from(steps));
        })
    }

    async fn allowed(&self, session: SessionId, address: &str) -> StoreResult<Option<u32>> {
        read!(self, conn => {
            let steps: Option<i64> = values!(conn.fetch_optional,
                "select steps from session_addresses where session_id = $1 and address = $2"; session.0, address);
            steps.map(count).transpose()?
        })
    }

    async fn add_listed(&self, investigation: InvestigationId, addresses: &[String]) -> StoreResult<()> {
        let once: std::collections::BTreeSet<&str> = addresses.iter().map(String::as_str).collect();
        write!(self, conn => {
            execute!(conn, ADD_LISTED; investigation.0, text_list(once));
        })
    }

    async fn is_listed(&self, investigation: InvestigationId, address: &str) -> StoreResult<bool> {
        read!(self, conn => {
            values!(conn.fetch_one, IS_LISTED; investigation.0, address)
        })
    }

    async fn watch(&self, documents: &[DocumentId]) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, WATCH; id_list(documents.iter().map(|id| id.0)));
        })
    }

    async fn due_pages(&self, before: Timestamp, limit: u32) -> StoreResult<Vec<CitedPage>> {
        read!(self, conn => {
            let rows: Vec<DueRow> = rows!(conn.fetch_all, DUE; Moment(before), i64::from(limit));
            let page = |row: DueRow| {
                Ok(CitedPage { document: row.document.document()?, url: row.page_url, reached: reached(row.reached.as_deref())? })
            };
            rows.into_iter().map(page).collect::<Result<Vec<_>, Fault>>()?
        })
    }

    async fn record_check(&self, document: DocumentId, at: Timestamp, finding: Option<&PageFinding>) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, LOOKED; document.0, Moment(at), finding.map(|finding| finding.state.as_str()),
                finding.map(|finding| Moment(finding.at)), finding.map(|finding| finding.note.as_str()));
        })
    }

    async fn findings(&self, scope: &Scope, documents: &[DocumentId]) -> StoreResult<Vec<PageFinding>> {
        read!(self, conn => {
            let rows: Vec<FindingRow> = rows!(conn.fetch_all, FINDINGS; id_list(scope.collections().iter().map(|id| id.0)),
                id_list(documents.iter().map(|id| id.0)));
            rows.into_iter().map(FindingRow::finding).collect::<Result<Vec<_>, Fault>>()?
        })
    }
}
