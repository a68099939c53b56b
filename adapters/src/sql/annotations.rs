//! Exclusions, contests, watches, tags and notes of an assessment.

use super::{
    Store,
    fault::{Fault, defect},
    types::{Moment, id_list},
};
use async_trait::async_trait;
use domain::{
    AssessmentId, ContestId, NoteId, Timestamp, UserId, WatchId,
    annotation::{Annotations, Contest, ContestedItem, ContestedValue, Exclusion, Note, Tag},
    assessment::Marker,
};
use engine::{StoreResult, annotations::AnnotationStore};
use uuid::Uuid;

/// Selects the annotations of the assessment `$1` with the watches of the person `$2`.
const SELECT: &str = "
    select 'exclusion' as kind, cast(null as uuid) as id, e.marker, cast(null as text) as item, cast(null as text) as value, e.reason,
           e.excluded_by as by_id, u.name, e.excluded_at as at
      from exclusions e join users u on u.id = e.excluded_by where e.assessment_id = $1
    union all
    select 'contest', c.id, cast(null as bigint), c.item, c.value, c.reason, c.contested_by, u.name, c.contested_at
      from contests c join users u on u.id = c.contested_by where c.assessment_id = $1
    union all
    select 'watch', w.id, cast(null as bigint), w.item, cast(null as text), cast(null as text), w.user_id, cast(null as text), w.watched_at
      from watched_indicators w where w.assessment_id = $1 and w.user_id = $2
    union all
    select 'tag', cast(null as uuid), cast(null as bigint), t.tag, cast(null as text), cast(null as text), t.tagged_by, cast(null as text), t.tagged_at
      from assessment_tags t where t.assessment_id = $1
    union all
    select 'note', n.id, cast(null as bigint), cast(null as text), cast(null as text), n.text, n.noted_by, u.name, n.noted_at
      from assessment_notes n join users u on u.id = n.noted_by where n.assessment_id = $1
    order by at, id";

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
    fn add_to(self, annotations: &mut Annotations) -> Result<(), Fault> {
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
            ("watch", Some(id), _, Some(item), _) => annotations.watched.push((WatchId(id), item)),
            ("tag", _, _, Some(tag), _) => annotations.tags.extend(Tag::parse(&tag)),
            ("note", Some(id), ..) => annotations.notes.push(Note { id: NoteId(id), text: reason, by, name, at }),
            _ => return Err(defect("annotation", &reason)),
        }
        Ok(())
    }
}

#[async_trait]
impl AnnotationStore for Store {
    async fn annotations(&self, assessment: AssessmentId, user: UserId) -> StoreResult<Annotations> {
        read!(self, conn => {
            let rows: Vec<Row> =
                sqlx::query_as(SELECT).bind(assessment.0).bind(user.0).fetch_all(&mut *conn).await?;
            let mut annotations = Annotations::default();
            for row in rows {
                row.add_to(&mut annotations)?;
            }
            annotations.tags.sort();
            annotations
        })
    }

    async fn tags_of(&self, assessments: &[AssessmentId]) -> StoreResult<Vec<(AssessmentId, Tag)>> {
        read!(self, conn => {
            let rows: Vec<(Uuid, String)> = sqlx::query_as(
                "select assessment_id, tag from assessment_tags
                 where assessment_id in (select unhex(value) from json_each($1)) order by tag",
            )
            .bind(id_list(assessments.iter().map(|id| id.0)))
            .fetch_all(&mut *conn)
            .await?;
            rows.into_iter().filter_map(|(id, tag)| Some((AssessmentId(id), Tag::parse(&tag)?))).collect()
        })
    }

    async fn tag(&self, assessment: AssessmentId, tag: &Tag, by: UserId, at: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            sqlx::query(
                "insert into assessment_tags (assessment_id, tag, tagged_by, tagged_at) values ($1, $2, $3, $4)
                 on conflict (assessment_id, tag) do nothing",
            )
            .bind(assessment.0)
            .bind(tag.as_str())
            .bind(by.0)
            .bind(Moment(at))
            .execute(&mut *conn)
            .await?;
        })
    }

    async fn untag(&self, assessment: AssessmentId, tag: &Tag) -> StoreResult<bool> {
        write!(self, conn => {
            let removed = sqlx::query("delete from assessment_tags where assessment_id = $1 and tag = $2");
            removed.bind(assessment.0).bind(tag.as_str()).execute(&mut *conn).await?.rows_affected() > 0
        })
    }

    async fn note(&self, assessment: AssessmentId, note: &Note) -> StoreResult<()> {
        write!(self, conn => {
            sqlx::query(
                "insert into assessment_notes (id, assessment_id, text, noted_by, noted_at) values ($1, $2, $3, $4, $5)
                 on conflict (id) do nothing",
            )
            .bind(note.id.0)
            .bind(assessment.0)
            .bind(&note.text)
            .bind(note.by.0)
            .bind(Moment(note.at))
            .execute(&mut *conn)
            .await?;
        })
    }

    async fn remove_note(&self, assessment: AssessmentId, note: NoteId, by: Option<UserId>) -> StoreResult<bool> {
        write!(self, conn => {
            sqlx::query(
                "delete from assessment_notes where id = $1 and assessment_id = $2 and ($3 is null or noted_by = $3)",
            )
            .bind(note.0)
            .bind(assessment.0)
            .bind(by.map(|by| by.0))
            .execute(&mut *conn)
            .await?
            .rows_affected()
                > 0
        })
    }

    async fn exclude(&self, assessment: AssessmentId, exclusion: &Exclusion) -> StoreResult<()> {
        write!(self, conn => {
            sqlx::query(
                "insert into exclusions (assessment_id, marker, reason, excluded_by, excluded_at) values ($1, $2, $3, $4, $5)
                 on conflict (assessment_id, marker) do update set
                     reason = excluded.reason, excluded_by = excluded.excluded_by, excluded_at = excluded.excluded_at",
            )
            .bind(assessment.0)
            .bind(i64::from(exclusion.marker))
            .bind(&exclusion.reason)
            .bind(exclusion.by.0)
            .bind(Moment(exclusion.at))
            .execute(&mut *conn)
            .await?;
        })
    }

    async fn include(&self, assessment: AssessmentId, marker: Marker) -> StoreResult<bool> {
        write!(self, conn => {
            sqlx::query("delete from exclusions where assessment_id = $1 and marker = $2")
                .bind(assessment.0)
                .bind(i64::from(marker))
                .execute(&mut *conn)
                .await?
                .rows_affected()
                > 0
        })
    }

    async fn contest(&self, assessment: AssessmentId, contest: &Contest) -> StoreResult<()> {
        write!(self, conn => {
            sqlx::query(
                "insert into contests (id, assessment_id, item, value, reason, contested_by, contested_at)
                 values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing",
            )
            .bind(contest.id.0)
            .bind(assessment.0)
            .bind(contest.item.to_string())
            .bind(contest.value.stored())
            .bind(&contest.reason)
            .bind(contest.by.0)
            .bind(Moment(contest.at))
            .execute(&mut *conn)
            .await?;
        })
    }

    async fn withdraw(&self, assessment: AssessmentId, contest: ContestId, user: UserId) -> StoreResult<bool> {
        write!(self, conn => {
            sqlx::query("delete from contests where id = $1 and assessment_id = $2 and contested_by = $3")
                .bind(contest.0)
                .bind(assessment.0)
                .bind(user.0)
                .execute(&mut *conn)
                .await?
                .rows_affected()
                > 0
        })
    }
}
