//! Exclusions, contests, tags and notes of an assessment; tags and notes of a document.

use super::{
    Db, Store,
    fault::{Fault, defect},
    types::{Moment, id_list},
};
use async_trait::async_trait;
use domain::{
    AssessmentId, ContestId, DocumentId, NoteId, Timestamp, UserId,
    annotation::{AnnotationSubject, Annotations, Contest, ContestedItem, ContestedValue, Exclusion, Note, Tag},
    assessment::Marker,
};
use engine::{
    StoreResult,
    annotations::{AnnotationStore, AnnotationsConfig},
};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

/// Tables that annotate one kind of subject, and the statements on them.
struct AnnotationTables {
    /// Selects what comes before tags and notes.
    more: &'static str,
    subjects: &'static str,
    tags: &'static str,
    notes: &'static str,
    /// Column of the subject.
    subject: &'static str,
    /// Selects the authors of contests after those of notes.
    contests: &'static str,
    remove_contests: Option<&'static str>,
}

const OF_ASSESSMENTS: AnnotationTables = AnnotationTables {
    more: "select 'exclusion' as kind, cast(null as uuid) as id, e.marker, cast(null as text) as item, cast(null as text) as value,
            e.reason, e.excluded_by as by_id, u.name, e.excluded_at as at
       from exclusions e join users u on u.id = e.excluded_by where e.assessment_id = $1
     union all
     select 'contest', c.id, cast(null as bigint), c.item, c.value, c.reason, c.contested_by, u.name, c.contested_at
       from (select * from contests where assessment_id = $1 order by contested_at desc, id desc limit $2) c
       join users u on u.id = c.contested_by
     union all ",
    subjects: "assessments",
    tags: "assessment_tags",
    notes: "assessment_notes",
    subject: "assessment_id",
    contests: " union all select contested_by from contests where assessment_id = $1",
    remove_contests: Some("delete from contests where assessment_id = $1 and contested_by = $2"),
};
/// Documents have no ratings.
const OF_DOCUMENTS: AnnotationTables = AnnotationTables {
    more: "",
    subjects: "documents",
    tags: "document_tags",
    notes: "document_notes",
    subject: "document_id",
    contests: "",
    remove_contests: None,
};

impl AnnotationTables {
    /// Selects what is said of the subject `$1`, with at most `$2` notes and contests, the newest.
    fn select(&self) -> AssertSqlSafe<String> {
        let Self { more, tags, notes, subject, .. } = self;
        AssertSqlSafe(format!(
            "{more}select 'tag' as kind, cast(null as uuid) as id, cast(null as bigint) as marker, t.tag as item,
                    cast(null as text) as value, cast(null as text) as reason, t.tagged_by as by_id, cast(null as text) as name,
                    t.tagged_at as at
               from {tags} t where t.{subject} = $1
             union all
             select 'note', n.id, cast(null as bigint), cast(null as text), cast(null as text), n.text, n.noted_by, u.name,
                    n.noted_at
               from (select * from {notes} where {subject} = $1 order by noted_at desc, id desc limit $2) n
               join users u on u.id = n.noted_by order by at, id"
        ))
    }

    /// Locks the subject on PostgreSQL, so that the writers of one subject wait for one another. SQLite has one writer at a time.
    fn lock(&self, db: &Db) -> AssertSqlSafe<String> {
        let lock = if matches!(db, Db::Postgres(_)) { " for no key update" } else { "" };
        AssertSqlSafe(format!("select id from {} where id = $1{lock}", self.subjects))
    }

    /// Adds a tag while the subject has fewer than `$5`.
    fn tag(&self) -> AssertSqlSafe<String> {
        let Self { tags, subject, .. } = self;
        AssertSqlSafe(format!(
            "insert into {tags} ({subject}, tag, tagged_by, tagged_at) select $1, $2, $3, $4
             where (select count(*) from {tags} t where t.{subject} = $1) < $5 on conflict do nothing"
        ))
    }

    fn is_tagged(&self) -> AssertSqlSafe<String> {
        AssertSqlSafe(format!("select exists (select 1 from {} where {} = $1 and tag = $2)", self.tags, self.subject))
    }

    /// Removes the tag `$2`, of `$3` where it is given.
    fn untag(&self) -> AssertSqlSafe<String> {
        let Self { tags, subject, .. } = self;
        AssertSqlSafe(format!("delete from {tags} where {subject} = $1 and tag = $2 and ($3 is null or tagged_by = $3)"))
    }

    /// Removes what `$2` added: notes, tags and contests.
    fn remove_all(&self) -> impl Iterator<Item = AssertSqlSafe<String>> {
        let Self { tags, notes, subject, .. } = self;
        let notes = format!("delete from {notes} where {subject} = $1 and noted_by = $2");
        let tags = format!("delete from {tags} where {subject} = $1 and tagged_by = $2");
        [notes, tags].into_iter().chain(self.remove_contests.map(str::to_owned)).map(AssertSqlSafe)
    }

    /// Adds a note while its author has fewer than `$6` notes and contests, and the subject fewer than `$7`.
    fn note(&self) -> AssertSqlSafe<String> {
        let (notes, subject, few) = (self.notes, self.subject, self.while_few());
        AssertSqlSafe(format!("insert into {notes} ({subject}, id, text, noted_by, noted_at) select $1, $2, $3, $4, $5{few}"))
    }

    fn remove_note(&self) -> AssertSqlSafe<String> {
        let Self { notes, subject, .. } = self;
        AssertSqlSafe(format!("delete from {notes} where id = $1 and {subject} = $2 and ($3 is null or noted_by = $3)"))
    }

    /// Adds a contest of an assessment within the limits of notes and contests, as a note is added.
    fn contest(&self) -> AssertSqlSafe<String> {
        let few = self.while_few();
        AssertSqlSafe(format!(
            "insert into contests (assessment_id, id, item, contested_by, contested_at, value, reason)
             select $1, $2, $3, $4, $5, $8, $9{few}"
        ))
    }

    /// Table and condition of an insert: one row while the person `$4` has fewer than `$6` notes and contests of the subject `$1`,
    /// and all have fewer than `$7`.
    fn while_few(&self) -> String {
        let Self { notes, subject, contests, .. } = self;
        format!(
            " from (select count(*) as remarks, coalesce(sum(case when r.by_id = $4 then 1 else 0 end), 0) as own_remarks
                      from (select noted_by as by_id from {notes} where {subject} = $1{contests}) r) c
              where c.own_remarks < $6 and c.remarks < $7 on conflict (id) do nothing"
        )
    }
}

/// Returns the tables of a subject, and its id.
const fn tables_of(subject: AnnotationSubject) -> (&'static AnnotationTables, Uuid) {
    match subject {
        AnnotationSubject::Assessment(id) => (&OF_ASSESSMENTS, id.0),
        AnnotationSubject::Document(id) => (&OF_DOCUMENTS, id.0),
    }
}

/// Selects the tags of the assessments `$1` and the documents `$2`.
const TAGS: &str = "select false as is_document, assessment_id as id, tag from assessment_tags
     where assessment_id in (select unhex(value) from json_each($1))
     union all
     select true, document_id, tag from document_tags where document_id in (select unhex(value) from json_each($2))
     order by tag";

#[derive(sqlx::FromRow)]
struct Row {
    kind: String,
    id: Option<Uuid>,
    marker: Option<i64>,
    item: Option<String>,
    value: Option<String>,
    reason: Option<String>,
    by_id: Uuid,
    name: Option<String>,
    at: Moment,
}

impl Row {
    fn add_to(self, annotations: &mut Annotations, viewer: UserId) -> Result<(), Fault> {
        let (by, at) = (UserId(self.by_id), self.at.0);
        let (name, reason) = (self.name.unwrap_or_default(), self.reason.unwrap_or_default());
        match (self.kind.as_str(), self.id, self.marker, self.item, self.value) {
            ("exclusion", None, Some(marker), ..) => {
                let marker = Marker::try_from(marker).map_err(|_| defect("citation", &marker.to_string()))?;
                annotations.exclusions.push(Exclusion { marker, reason, by, name, at });
            }
            ("contest", Some(id), _, Some(item), Some(value)) => {
                let item = ContestedItem::parse(&item).ok_or_else(|| defect("contested item", &item))?;
                let value = ContestedValue::read(&value).ok_or_else(|| defect("contested value", &value))?;
                annotations.contests.push(Contest { id: ContestId(id), item, value, reason, by, name, at });
            }
            ("tag", _, _, Some(tag), _) => {
                let tag = Tag::parse(&tag);
                annotations.own_tags.extend(tag.clone().filter(|_| by == viewer));
                annotations.tags.extend(tag);
            }
            ("note", Some(id), ..) => annotations.notes.push(Note { id: NoteId(id), text: reason, by, name, at }),
            _ => return Err(defect("annotation", &reason)),
        }
        Ok(())
    }
}

#[async_trait]
impl AnnotationStore for Store {
    async fn annotations(&self, subject: AnnotationSubject, user: UserId, limit: u64) -> StoreResult<Annotations> {
        let (tables, id) = tables_of(subject);
        read!(self, conn => {
            let rows: Vec<Row> = rows!(conn.fetch_all, tables.select(); id, limit.cast_signed());
            let mut annotations = Annotations::default();
            for row in rows {
                row.add_to(&mut annotations, user)?;
            }
            annotations.tags.sort();
            annotations.own_tags.sort();
            annotations
        })
    }

    async fn tags_of(&self, subjects: &[AnnotationSubject]) -> StoreResult<Vec<(AnnotationSubject, Tag)>> {
        let (mut assessments, mut documents) = (vec![], vec![]);
        for subject in subjects {
            match subject {
                AnnotationSubject::Assessment(id) => assessments.push(id.0),
                AnnotationSubject::Document(id) => documents.push(id.0),
            }
        }
        read!(self, conn => {
            let rows: Vec<(bool, Uuid, String)> = rows!(conn.fetch_all, TAGS; id_list(assessments.iter().copied()),
                id_list(documents.iter().copied()));
            let subject = |is_document, id| match is_document {
                true => AnnotationSubject::Document(DocumentId(id)),
                false => AnnotationSubject::Assessment(AssessmentId(id)),
            };
            rows.into_iter().filter_map(|(is_document, id, tag)| Some((subject(is_document, id), Tag::parse(&tag)?))).collect()
        })
    }

    async fn tag(
        &self,
        subject: AnnotationSubject,
        tag: &Tag,
        by: UserId,
        at: Timestamp,
        limits: &AnnotationsConfig,
    ) -> StoreResult<bool> {
        let (tables, id) = tables_of(subject);
        let lock = tables.lock(self.db());
        write!(self, conn => {
            sqlx::query(lock).bind(id).fetch_optional(&mut *conn).await?;
            let added = execute!(conn, tables.tag(); id, tag.as_str(), by.0, Moment(at), limits.tags.cast_signed());
            let is_added = added.rows_affected() > 0;
            is_added
                || values!(conn.fetch_one, tables.is_tagged(); id, tag.as_str())
        })
    }

    async fn untag(&self, subject: AnnotationSubject, tag: &Tag, by: Option<UserId>) -> StoreResult<bool> {
        let (tables, id) = tables_of(subject);
        write!(self, conn => {
            execute!(conn, tables.untag(); id, tag.as_str(), by.map(|by| by.0)).rows_affected() > 0
        })
    }

    async fn remove_all_of(&self, subject: AnnotationSubject, user: UserId) -> StoreResult<u64> {
        let (tables, id) = tables_of(subject);
        write!(self, conn => {
            let mut removed = 0;
            for statement in tables.remove_all() {
                removed += execute!(conn, statement; id, user.0).rows_affected();
            }
            removed
        })
    }

    async fn note(&self, subject: AnnotationSubject, note: &Note, limits: &AnnotationsConfig) -> StoreResult<bool> {
        let (tables, id) = tables_of(subject);
        let lock = tables.lock(self.db());
        write!(self, conn => {
            sqlx::query(lock).bind(id).fetch_optional(&mut *conn).await?;
            execute!(conn, tables.note(); id, note.id.0, &note.text, note.by.0, Moment(note.at),
                limits.per_person.cast_signed(), limits.per_subject.cast_signed())
                .rows_affected()
                > 0
        })
    }

    async fn remove_note(&self, subject: AnnotationSubject, note: NoteId, by: Option<UserId>) -> StoreResult<bool> {
        let (tables, id) = tables_of(subject);
        write!(self, conn => {
            execute!(conn, tables.remove_note(); note.0, id, by.map(|by| by.0)).rows_affected() > 0
        })
    }

    async fn exclude(&self, assessment: AssessmentId, exclusion: &Exclusion) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn,
                "insert into exclusions (assessment_id, marker, reason, excluded_by, excluded_at) values ($1, $2, $3, $4, $5)
                 on conflict (assessment_id, marker) do update set
                     reason = excluded.reason, excluded_by = excluded.excluded_by, excluded_at = excluded.excluded_at";
                assessment.0, i64::from(exclusion.marker), &exclusion.reason, exclusion.by.0, Moment(exclusion.at));
        })
    }

    async fn include(&self, assessment: AssessmentId, marker: Marker) -> StoreResult<bool> {
        write!(self, conn => {
            execute!(conn, "delete from exclusions where assessment_id = $1 and marker = $2"; assessment.0, i64::from(marker))
                .rows_affected()
                > 0
        })
    }

    async fn contest(&self, assessment: AssessmentId, contest: &Contest, limits: &AnnotationsConfig) -> StoreResult<bool> {
        let lock = OF_ASSESSMENTS.lock(self.db());
        write!(self, conn => {
            sqlx::query(lock).bind(assessment.0).fetch_optional(&mut *conn).await?;
            execute!(conn, OF_ASSESSMENTS.contest(); assessment.0, contest.id.0, contest.item.to_string(), contest.by.0,
                Moment(contest.at), limits.per_person.cast_signed(), limits.per_subject.cast_signed(), contest.value.stored(),
                &contest.reason)
                .rows_affected()
                > 0
        })
    }

    async fn withdraw(&self, assessment: AssessmentId, contest: ContestId, user: UserId) -> StoreResult<bool> {
        write!(self, conn => {
            execute!(conn, "delete from contests where id = $1 and assessment_id = $2 and contested_by = $3"; contest.0,
                assessment.0, user.0)
                .rows_affected()
                > 0
        })
    }
}
