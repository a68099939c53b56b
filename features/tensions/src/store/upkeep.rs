//! Upkeep of tensions whose evidence changed: documents go with their evidence, and what was derived from them must go, too.

use super::{REFRESH, TensionStore, heat_state::COUNT_CHANGE, search_text};
use crate::tension::TensionId;
use adapters::sql::{
    execute, read, rows,
    types::{Moment, id_list},
    values, write,
};
use domain::{ClaimId, CollectionId, DocumentId, Timestamp};
use engine::StoreResult;
use uuid::Uuid;

/// A tension whose statement has to be chosen, with the most severe, latest claim in its collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueLead {
    pub tension: TensionId,
    pub collection: CollectionId,
    pub kind: String,
    pub title: String,
    /// Whether title and statement were quoted, not written by an agent.
    pub is_stated: bool,
    pub claim: ClaimId,
    pub document: DocumentId,
}

#[derive(sqlx::FromRow)]
struct DueRow {
    id: Uuid,
    collection_id: Uuid,
    kind: String,
    title: String,
    origin: String,
    claim_id: Uuid,
    document_id: Uuid,
}

/// Tensions that no document in their collection states any more. What agents wrote may rest on evidence elsewhere only, and
/// goes as soon as some of that goes.
macro_rules! orphans {
    () => {
        "select t.id from tensions t
          where not exists (select 1 from tension_evidence e join documents d on d.id = e.document_id
                             where e.tension_id = t.id and d.collection_id = t.collection_id and not e.is_against)
            and (t.origin = 'extraction'
                 or t.evidence_rows > (select count(*) from tension_evidence r where r.tension_id = t.id)
                 or not exists (select 1 from tension_evidence r where r.tension_id = t.id))"
    };
}
/// Condition for tensions `r` that become orphans when the documents of the id list `$2` go.
pub const LOST_WITH_DOCUMENTS: &str = "
    exists (select 1 from tension_evidence g where g.tension_id = r.id
               and g.document_id in (select unhex(value) from json_each($2)))
    and not exists (select 1 from tension_evidence e join documents k on k.id = e.document_id
                     where e.tension_id = r.id and k.collection_id = r.collection_id and not e.is_against
                       and e.document_id not in (select unhex(value) from json_each($2)))";
/// Lets what documents elsewhere state be found again.
const SEARCH_AGAIN: &str = concat!(
    "delete from strain_searches where document_id in
        (select v.document_id from tension_evidence v where v.tension_id in (",
    orphans!(),
    "))"
);
const REMOVE_ORPHANS: &str = concat!("delete from tensions where id in (", orphans!(), ")");
const CHANGED: &str = "
    select t.id from tensions t
     where t.evidence_rows <> (select count(*) from tension_evidence e where e.tension_id = t.id) order by t.id limit $1";
/// Steps for the tensions `$1`, before their figures are derived: what lost evidence loses its statement and the record of its
/// heat; what an agent wrote rests on its most severe, latest document.
const STEPS: [&str; 3] = [
    "delete from heat_snapshots where tension_id in
        (select t.id from tensions t where t.id in (select unhex(value) from json_each($1))
            and t.evidence_rows > (select count(*) from tension_evidence e where e.tension_id = t.id))",
    "update tensions set statement_document_id = null
      where id in (select unhex(value) from json_each($1))
        and evidence_rows > (select count(*) from tension_evidence e where e.tension_id = tensions.id)",
    "update tensions set statement_document_id =
            (select e.document_id from tension_evidence e join documents d on d.id = e.document_id
              where e.tension_id = tensions.id and d.collection_id = tensions.collection_id and not e.is_against
              order by e.severity desc, e.day desc, e.claim_id limit 1)
      where id in (select unhex(value) from json_each($1)) and origin <> 'extraction' and evidence_rows = 0",
];
const COUNT_EVIDENCE: &str = "
    update tensions set evidence_rows = (select count(*) from tension_evidence e where e.tension_id = tensions.id)
     where id in (select unhex(value) from json_each($1))";
const DUE: &str = "
    select t.id, t.collection_id, t.kind, t.title, t.origin, e.claim_id, e.document_id
      from tensions t join tension_evidence e on e.tension_id = t.id
     where t.statement_document_id is null and (t.origin = 'extraction' or t.evidence_rows > 0) and t.id > $1
       and e.claim_id = (select b.claim_id from tension_evidence b join documents d on d.id = b.document_id
                          where b.tension_id = t.id and d.collection_id = t.collection_id and not b.is_against
                          order by b.severity desc, b.day desc, b.claim_id limit 1)
     order by t.id limit $2";

impl TensionStore {
    /// Removes the tensions that no document in their collection states any more, and has documents elsewhere searched again.
    /// Returns how many there were.
    pub async fn remove_orphans(&self) -> StoreResult<u64> {
        write!(self.0, conn => {
            execute!(conn, SEARCH_AGAIN);
            let removed = execute!(conn, REMOVE_ORPHANS).rows_affected();
            if removed > 0 {
                execute!(conn, COUNT_CHANGE);
            }
            removed
        })
    }

    /// Derives again what rests on evidence that came or went; returns the number of tensions.
    pub async fn refresh_changed(&self, limit: u32, now: Timestamp) -> StoreResult<usize> {
        write!(self.0, conn => {
            let changed: Vec<Uuid> = values!(conn.fetch_all, CHANGED; i64::from(limit));
            let (ids, number) = (id_list(changed.iter().copied()), changed.len());
            if number > 0 {
                for step in STEPS {
                    execute!(conn, step; &ids);
                }
                execute!(conn, REFRESH; &ids, Moment(now));
                execute!(conn, COUNT_EVIDENCE; &ids);
                execute!(conn, COUNT_CHANGE);
            }
            number
        })
    }

    /// Returns tensions after one whose statement has to be chosen.
    pub async fn due_leads(&self, after: TensionId, limit: u32) -> StoreResult<Vec<DueLead>> {
        read!(self.0, conn => {
            let rows: Vec<DueRow> = rows!(conn.fetch_all, DUE; after.0, i64::from(limit));
            let due = |row: DueRow| DueLead {
                tension: TensionId(row.id),
                collection: CollectionId(row.collection_id),
                kind: row.kind,
                title: row.title,
                is_stated: row.origin == "extraction",
                claim: ClaimId(row.claim_id),
                document: DocumentId(row.document_id),
            };
            rows.into_iter().map(due).collect()
        })
    }

    /// Stores title and statement with the document that they rest on. A vector of other words goes.
    pub async fn put_lead(&self, tension: TensionId, title: &str, statement: &str, document: DocumentId) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "delete from tension_vectors where tension_id = $1
                    and exists (select 1 from tensions t where t.id = $1 and (t.title <> $2 or t.statement <> $3))";
                tension.0, title, statement);
            execute!(conn, "update tensions set title = $2, statement = $3, statement_document_id = $4, search_text = $5
                  where id = $1 and exists (select 1 from documents d where d.id = $4)";
                tension.0, title, statement, document.0, search_text(title, statement));
            execute!(conn, COUNT_CHANGE);
        })
    }
}
