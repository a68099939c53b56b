//! Products of the kernel as rows: reports and extracted documents, and the marks up to which sources were matched.

use super::{MonitorStore, parsed};
use adapters::{
    read_assessment, read_by,
    sql::{
        execute,
        fault::{Fault, defect},
        read, rows,
        types::{Moment, id_list},
        values, write,
    },
};
use domain::{
    AssessmentId, CollectionId, DocumentId, EntityId, ObjectId, Timestamp, UserId,
    assessment::{AssessmentSummary, BeliefChange},
    event::EventKind,
};
use engine::StoreResult;
use feature::{ProductMark, ReadPair};
use uuid::Uuid;

/// Columns of a report `a` with its summary `s`. Partial reports, and those of parts of a question, are no products.
macro_rules! reports {
    () => {
        "select a.id, a.created_at, cast(s.summary as text), cast(a.entity_ids as text)
           from assessments a join assessment_summaries s on s.assessment_id = a.id
          where not a.is_partial
            and not exists (select 1 from investigations p where p.id = a.investigation_id and p.parent_id is not null) and "
    };
}

/// Columns of a change of belief: its newer report `a` with the summary `s`, and the event of the comparison. SQLite reads the reports of
/// a `cross join` first; events have no index by their type.
macro_rules! beliefs {
    () => {
        "select a.id, a.created_at, cast(s.summary as text), cast(a.entity_ids as text), cast(e.what as text)
           from assessments a join assessment_summaries s on s.assessment_id = a.id cross join events e
          where not a.is_partial and e.investigation_id = a.investigation_id and e.what ->> 'type' = 'belief_changed'
            and unhex(replace(e.what ->> 'assessment_id', '-', '')) = a.id and "
    };
}

const ARRIVED_BELIEFS: &str =
    concat!(beliefs!(), "(a.created_at > $1 or (a.created_at = $1 and a.id > $2)) order by a.created_at, a.id limit $3");
const NEWEST_BELIEFS: &str =
    concat!(beliefs!(), "a.created_at >= $2 and ", read_assessment!("$1"), " order by a.created_at desc, a.id desc limit $3");
const READABLE_BELIEFS: &str =
    concat!(beliefs!(), "a.id in (select unhex(value) from json_each($2)) and ", read_assessment!("$1"));
const BELIEFS_BY_ID: &str = concat!(beliefs!(), "a.id in (select unhex(value) from json_each($1))");
const ARRIVED_REPORTS: &str =
    concat!(reports!(), "(a.created_at > $1 or (a.created_at = $1 and a.id > $2)) order by a.created_at, a.id limit $3");
const NEWEST_REPORTS: &str =
    concat!(reports!(), "a.created_at >= $2 and ", read_assessment!("$1"), " order by a.created_at desc, a.id desc limit $3");
const READABLE_REPORTS: &str =
    concat!(reports!(), "a.id in (select unhex(value) from json_each($2)) and ", read_assessment!("$1"));
const ARRIVED_DOCUMENTS: &str = "
    select d.id, d.collection_id, e.at, d.title from extractions e join documents d on d.id = e.document_id
     where e.at > $1 or (e.at = $1 and d.id > $2) order by e.at, d.id limit $3";
const NEWEST_DOCUMENTS: &str = concat!(
    "select d.id, d.collection_id, e.at, d.title
       from extractions e join documents d on d.id = e.document_id join collections c on c.id = d.collection_id
      where e.at >= $2 and ",
    read_by!("$1"),
    " order by e.at desc, d.id desc limit $3"
);
/// Documents of `NEWEST_DOCUMENTS`, after a mark and oldest first.
const DOCUMENTS_AFTER: &str = concat!(
    "select d.id, d.collection_id, e.at, d.title
       from extractions e join documents d on d.id = e.document_id join collections c on c.id = d.collection_id
      where (e.at > $2 or (e.at = $2 and d.id > $3)) and ",
    read_by!("$1"),
    " order by e.at, d.id limit $4"
);

/// Ends of statements over pairs of a person and a product.
const READ_REPORTS: &str = concat!(
    ") select asked.person, asked.product from asked join assessments a on a.id = asked.product where ",
    read_assessment!("asked.person")
);
const READ_DOCUMENTS: &str = concat!(
    ") select asked.person, asked.product
         from asked join documents d on d.id = asked.product join collections c on c.id = d.collection_id
        where ",
    read_by!("asked.person")
);

/// A report as a product.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportRow {
    pub id: ObjectId,
    pub at: Timestamp,
    pub summary: AssessmentSummary,
    pub entities: Vec<EntityId>,
}

/// A report that changed a belief, compared with the earlier one of its question.
#[derive(Debug, Clone, PartialEq)]
pub struct BeliefRow {
    pub report: ReportRow,
    pub earlier: AssessmentId,
    pub change: BeliefChange,
}

/// An extracted document as a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRow {
    pub id: DocumentId,
    pub collection: CollectionId,
    /// Time of its extraction.
    pub at: Timestamp,
    pub title: String,
}

type Report = (Uuid, Moment, String, String);
type Belief = (Uuid, Moment, String, String, String);
type Extracted = (Uuid, Uuid, Moment, String);

fn report((id, at, summary, entities): Report) -> Result<ReportRow, Fault> {
    let (summary, entities) = (parsed("summary of a report", &summary)?, parsed("list of entities", &entities)?);
    Ok(ReportRow { id: ObjectId(id), at: at.0, summary, entities })
}

fn belief((id, at, summary, entities, event): Belief) -> Result<BeliefRow, Fault> {
    let EventKind::BeliefChanged { earlier_id, change, .. } = parsed::<EventKind>("event", &event)? else {
        return Err(defect("change of belief", &event));
    };
    Ok(BeliefRow { report: report((id, at, summary, entities))?, earlier: earlier_id, change })
}

fn document((id, collection, at, title): Extracted) -> DocumentRow {
    DocumentRow { id: DocumentId(id), collection: CollectionId(collection), at: at.0, title }
}

impl MonitorStore {
    /// Returns reports of everybody after a mark, oldest first.
    pub async fn arrived_reports(&self, after: ProductMark, limit: u32) -> StoreResult<Vec<ReportRow>> {
        read!(self.0, conn => {
            let rows: Vec<Report> = rows!(conn.fetch_all, ARRIVED_REPORTS; Moment(after.at), after.id, i64::from(limit));
            rows.into_iter().map(report).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns reports since a time that a person reads, newest first.
    pub async fn newest_reports(&self, reader: UserId, since: Timestamp, limit: u32) -> StoreResult<Vec<ReportRow>> {
        read!(self.0, conn => {
            let rows: Vec<Report> = rows!(conn.fetch_all, NEWEST_REPORTS; reader.0, Moment(since), i64::from(limit));
            rows.into_iter().map(report).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns those of some reports that a person reads.
    pub async fn readable_reports(&self, reader: UserId, ids: &[ObjectId]) -> StoreResult<Vec<ReportRow>> {
        read!(self.0, conn => {
            let rows: Vec<Report> = rows!(conn.fetch_all, READABLE_REPORTS; reader.0, id_list(ids.iter().map(|id| id.0)));
            rows.into_iter().map(report).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns changes of belief of everybody after a mark, oldest first.
    pub async fn arrived_beliefs(&self, after: ProductMark, limit: u32) -> StoreResult<Vec<BeliefRow>> {
        read!(self.0, conn => {
            let rows: Vec<Belief> = rows!(conn.fetch_all, ARRIVED_BELIEFS; Moment(after.at), after.id, i64::from(limit));
            rows.into_iter().map(belief).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns changes of belief since a time whose newer report a person reads, newest first.
    pub async fn newest_beliefs(&self, reader: UserId, since: Timestamp, limit: u32) -> StoreResult<Vec<BeliefRow>> {
        read!(self.0, conn => {
            let rows: Vec<Belief> = rows!(conn.fetch_all, NEWEST_BELIEFS; reader.0, Moment(since), i64::from(limit));
            rows.into_iter().map(belief).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns those of some changes of belief, by their newer report, that a person reads.
    pub async fn readable_beliefs(&self, reader: UserId, ids: &[ObjectId]) -> StoreResult<Vec<BeliefRow>> {
        read!(self.0, conn => {
            let rows: Vec<Belief> = rows!(conn.fetch_all, READABLE_BELIEFS; reader.0, id_list(ids.iter().map(|id| id.0)));
            rows.into_iter().map(belief).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns some changes of belief of everybody, by their newer report.
    pub async fn beliefs_by_id(&self, ids: &[ObjectId]) -> StoreResult<Vec<BeliefRow>> {
        read!(self.0, conn => {
            let rows: Vec<Belief> = rows!(conn.fetch_all, BELIEFS_BY_ID; id_list(ids.iter().map(|id| id.0)));
            rows.into_iter().map(belief).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns those of some pairs whose person reads the report.
    pub async fn read_reports(&self, pairs: &[ReadPair]) -> StoreResult<Vec<ReadPair>> {
        self.0.read_pairs(READ_REPORTS, pairs).await
    }

    /// Returns those of some pairs whose person reads the document.
    pub async fn read_documents(&self, pairs: &[ReadPair]) -> StoreResult<Vec<ReadPair>> {
        self.0.read_pairs(READ_DOCUMENTS, pairs).await
    }

    /// Returns extracted documents of everybody after a mark, oldest first.
    pub async fn arrived_documents(&self, after: ProductMark, limit: u32) -> StoreResult<Vec<DocumentRow>> {
        read!(self.0, conn => {
            let rows: Vec<Extracted> = rows!(conn.fetch_all, ARRIVED_DOCUMENTS; Moment(after.at), after.id, i64::from(limit));
            rows.into_iter().map(document).collect()
        })
    }

    /// Returns documents extracted since a time that a person reads, newest first.
    pub async fn newest_documents(&self, reader: UserId, since: Timestamp, limit: u32) -> StoreResult<Vec<DocumentRow>> {
        read!(self.0, conn => {
            let rows: Vec<Extracted> = rows!(conn.fetch_all, NEWEST_DOCUMENTS; reader.0, Moment(since), i64::from(limit));
            rows.into_iter().map(document).collect()
        })
    }

    /// Returns documents after a mark that a person reads, oldest first.
    pub async fn documents_after(&self, reader: UserId, after: ProductMark, limit: u32) -> StoreResult<Vec<DocumentRow>> {
        read!(self.0, conn => {
            let rows: Vec<Extracted> = rows!(conn.fetch_all, DOCUMENTS_AFTER; reader.0, Moment(after.at), after.id,
                i64::from(limit));
            rows.into_iter().map(document).collect()
        })
    }

    /// Returns the time up to which a source was read; none before the first round.
    pub async fn mark(&self, source: &str) -> StoreResult<Option<Timestamp>> {
        read!(self.0, conn => {
            let at: Option<Moment> = values!(conn.fetch_optional, "select at from product_marks where source = $1"; source);
            at.map(|at| at.0)
        })
    }

    /// Records the time up to which a source was read.
    pub async fn set_mark(&self, source: &str, at: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn,
                "insert into product_marks (source, at) values ($1, $2) on conflict (source) do update set at = excluded.at";
                source, Moment(at));
        })
    }
}
