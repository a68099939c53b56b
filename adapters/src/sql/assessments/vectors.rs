//! Vectors of assessments: one table per model; on PostgreSQL also an index with the model's dimensions.

use super::{AssessmentRow, scope_list};
use crate::sql::{Db, Store, types::count};
use domain::{Scope, assessment::Assessment};
use engine::{StoreError, StoreResult, assessments::NearAssessment, embeddings::VectorText, evidence::sha256_hex};
use sqlx::{AssertSqlSafe, types::Json};
use uuid::Uuid;

/// Maximum dimensions that pgvector can index; longer vectors are compared one by one.
const MAX_INDEXED: usize = 2_000;

const NEAR_SQLITE: &str = concat!(
    "select a.body, a.collections, a.entity_ids, a.is_partial, a.created_at,
         1.0 - vec_distance_cosine(v.vector, vec_f32($3)) as similarity,
         exists (select 1 from archived_investigations z where z.investigation_id = a.investigation_id) as is_archived
     from assessment_vectors v join assessments a on a.id = v.assessment_id
     where v.model = $2 and v.dimensions = $4 and ",
    super::visible!(),
    " order by vec_distance_cosine(v.vector, vec_f32($3)), a.created_at desc, a.id desc limit $5"
);

/// Builds the nearest-neighbour query; model and dimensions stand in its text so that the index is used.
fn near_postgres(model: &str, dimensions: usize) -> String {
    format!(
        "select a.body, a.collections, a.entity_ids, a.is_partial, a.created_at,
             1.0 - ((v.vector::vector({dimensions})) <=> cast($3 as text)::vector({dimensions})) as similarity,
             exists (select 1 from archived_investigations z where z.investigation_id = a.investigation_id) as is_archived
         from assessment_vectors v join assessments a on a.id = v.assessment_id
         where v.model = {} and v.model = $2 and v.dimensions = $4 and {}
         order by (v.vector::vector({dimensions})) <=> cast($3 as text)::vector({dimensions}) limit $5",
        quoted(model),
        super::visible!()
    )
}

fn index(model: &str, dimensions: usize) -> String {
    format!(
        "create index if not exists assessment_vectors_{} on assessment_vectors
         using hnsw ((vector::vector({dimensions})) vector_cosine_ops) where model = {}",
        &sha256_hex(model.as_bytes())[..16],
        quoted(model)
    )
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''").replace('\0', ""))
}

/// Formats a vector as text for both databases.
fn written(vector: &[f32]) -> String {
    let numbers: Vec<String> = vector.iter().map(ToString::to_string).collect();
    format!("[{}]", numbers.join(","))
}

/// Row of `NearAssessment`.
#[derive(sqlx::FromRow)]
struct NearRow {
    #[sqlx(flatten)]
    assessment: AssessmentRow,
    similarity: f64,
    is_archived: bool,
}

impl NearRow {
    fn near(self) -> NearAssessment {
        NearAssessment { stored: self.assessment.stored(), similarity: self.similarity, is_archived: self.is_archived }
    }
}

impl Store {
    pub(super) async fn vectors_done(&self, model: &str) -> StoreResult<(u64, u64)> {
        read!(self, conn => {
            let (all, done): (i64, i64) = sqlx::query_as(
                "select (select count(*) from assessments), (select count(*) from assessment_vectors where model = $1)",
            )
            .bind(model)
            .fetch_one(&mut *conn)
            .await?;
            let (all, done) = (count::<u64>(all)?, count::<u64>(done)?);
            (all.saturating_sub(done), done)
        })
    }

    pub(super) async fn vectors_missing(&self, model: &str, limit: u32) -> StoreResult<Vec<VectorText>> {
        read!(self, conn => {
            let rows: Vec<(Uuid, Json<Assessment>)> = sqlx::query_as(
                "select a.id, a.body from assessments a
                 where not exists (select 1 from assessment_vectors v where v.assessment_id = a.id and v.model = $1)
                 order by a.row_id limit $2",
            )
            .bind(model)
            .bind(i64::from(limit))
            .fetch_all(&mut *conn)
            .await?;
            let text = |(id, Json(assessment)): (Uuid, Json<Assessment>)| VectorText {
                id,
                text: format!("{}\n{}", assessment.body.title, assessment.bottom_line_text()),
            };
            rows.into_iter().map(text).collect()
        })
    }

    pub(super) async fn keep_vectors(&self, model: &str, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()> {
        let Some(dimensions) = vectors.first().map(|(_, vector)| vector.len()) else { return Ok(()) };
        let (read, index) = match self.db() {
            Db::Sqlite(_) => ("vec_f32($4)", None),
            Db::Postgres(_) => ("cast($4 as text)::vector", (dimensions <= MAX_INDEXED).then(|| index(model, dimensions))),
        };
        let insert = format!(
            "insert into assessment_vectors (assessment_id, model, dimensions, vector)
             select id, $2, $3, {read} from assessments where id = $1 on conflict (assessment_id, model) do nothing"
        );
        write!(self, conn => {
            let known: Option<i64> =
                sqlx::query_scalar("select dimensions from assessment_vectors where model = $1 limit 1")
                    .bind(model)
                    .fetch_optional(&mut *conn)
                    .await?;
            match (known, &index) {
                (None, Some(index)) => {
                    sqlx::query(AssertSqlSafe(index.clone())).execute(&mut *conn).await?;
                }
                (Some(known), _) if usize::try_from(known).ok() != Some(dimensions) => {
                    let message = format!("vectors of '{model}' have {known} dimensions, not {dimensions}: use another model name");
                    return Err(StoreError::Invalid(message).into());
                }
                _ => {}
            }
            for (id, vector) in vectors {
                sqlx::query(AssertSqlSafe(insert.clone()))
                    .bind(*id)
                    .bind(model)
                    .bind(dimensions as i64)
                    .bind(written(vector))
                    .execute(&mut *conn)
                    .await?;
            }
        })
    }

    pub(super) async fn nearest(
        &self,
        scope: &Scope,
        model: &str,
        vector: &[f32],
        limit: u32,
    ) -> StoreResult<Vec<NearAssessment>> {
        let statement = match self.db() {
            Db::Sqlite(_) => NEAR_SQLITE.to_owned(),
            Db::Postgres(_) => near_postgres(model, vector.len()),
        };
        read!(self, conn => {
            let rows: Vec<NearRow> = sqlx::query_as(AssertSqlSafe(statement))
                .bind(scope_list(scope))
                .bind(model)
                .bind(written(vector))
                .bind(vector.len() as i64)
                .bind(i64::from(limit))
                .fetch_all(&mut *conn)
                .await?;
            rows.into_iter().map(NearRow::near).collect::<Vec<_>>()
        })
    }
}
