//! Vectors of assessments: one table per model; on PostgreSQL also an index with the model's dimensions.

use super::{AssessmentRow, scope_list};
use crate::sql::{Db, Store, types::count};
use domain::{Scope, assessment::Assessment};
use engine::{StoreError, StoreResult, assessments::NearAssessment, embeddings::VectorText, evidence::sha256_hex};
use pgvector::Vector;
use sqlx::{AssertSqlSafe, Database, Encode, Postgres, Sqlite, Type, encode::IsNull, error::BoxDynError, types::Json};
use uuid::Uuid;

/// Maximum dimensions that pgvector can index; longer vectors are compared one by one.
const MAX_INDEXED: usize = 2_000;

const NEAR_SQLITE: &str = concat!(
    "select a.body, a.collections, a.entity_ids, a.is_partial, a.created_at,
         1.0 - vec_distance_cosine(v.vector, $3) as similarity,
         exists (select 1 from archived_investigations z where z.investigation_id = a.investigation_id) as is_archived
     from assessment_vectors v join assessments a on a.id = v.assessment_id
     where v.model = $2 and v.dimensions = $4 and ",
    super::visible!(),
    " order by vec_distance_cosine(v.vector, $3), a.created_at desc, a.id desc limit $5"
);

/// Builds the nearest-neighbour query; model and dimensions stand in its text so that the index is used.
fn near_postgres(model: &str, dimensions: usize) -> String {
    format!(
        "select a.body, a.collections, a.entity_ids, a.is_partial, a.created_at,
             1.0 - ((v.vector::vector({dimensions})) <=> $3) as similarity,
             exists (select 1 from archived_investigations z where z.investigation_id = a.investigation_id) as is_archived
         from assessment_vectors v join assessments a on a.id = v.assessment_id
         where v.model = {} and v.model = $2 and v.dimensions = $4 and {}
         order by (v.vector::vector({dimensions})) <=> $3 limit $5",
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

/// Vector as a parameter: little-endian 32-bit floats for sqlite-vec, `vector` in PostgreSQL.
struct VectorValue(Vector);

impl VectorValue {
    fn new(vector: &[f32]) -> Self {
        Self(Vector::from(vector.to_vec()))
    }
}

impl Type<Sqlite> for VectorValue {
    fn type_info() -> <Sqlite as Database>::TypeInfo {
        <Vec<u8> as Type<Sqlite>>::type_info()
    }
}

impl Encode<'_, Sqlite> for VectorValue {
    fn encode_by_ref(&self, buffer: &mut <Sqlite as Database>::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let bytes: Vec<u8> = self.0.as_slice().iter().flat_map(|number| number.to_le_bytes()).collect();
        <Vec<u8> as Encode<'_, Sqlite>>::encode(bytes, buffer)
    }
}

impl Type<Postgres> for VectorValue {
    fn type_info() -> <Postgres as Database>::TypeInfo {
        <Vector as Type<Postgres>>::type_info()
    }
}

impl Encode<'_, Postgres> for VectorValue {
    fn encode_by_ref(&self, buffer: &mut <Postgres as Database>::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
        <Vector as Encode<'_, Postgres>>::encode_by_ref(&self.0, buffer)
    }
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
            let (all, done): (i64, i64) = rows!(conn.fetch_one,
                "select (select count(*) from assessments), (select count(*) from assessment_vectors where model = $1)"; model);
            let (all, done) = (count::<u64>(all)?, count::<u64>(done)?);
            (all.saturating_sub(done), done)
        })
    }

    pub(super) async fn vectors_missing(&self, model: &str, limit: u32) -> StoreResult<Vec<VectorText>> {
        read!(self, conn => {
            let rows: Vec<(Uuid, Json<Assessment>)> = rows!(conn.fetch_all, "select a.id, a.body from assessments a
                 where not exists (select 1 from assessment_vectors v where v.assessment_id = a.id and v.model = $1)
                 order by a.row_id limit $2"; model, i64::from(limit));
            let text = |(id, Json(assessment)): (Uuid, Json<Assessment>)| VectorText {
                id,
                text: format!("{}\n{}", assessment.body.title, assessment.bottom_line_text()),
            };
            rows.into_iter().map(text).collect()
        })
    }

    pub(super) async fn keep_vectors(&self, model: &str, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()> {
        let Some(dimensions) = vectors.first().map(|(_, vector)| vector.len()) else { return Ok(()) };
        let index = match self.db() {
            Db::Sqlite(_) => None,
            Db::Postgres(_) => (dimensions <= MAX_INDEXED).then(|| index(model, dimensions)),
        };
        write!(self, conn => {
            let known: Option<i64> = values!(conn.fetch_optional,
                "select dimensions from assessment_vectors where model = $1 limit 1"; model);
            match (known, &index) {
                (None, Some(index)) => {
                    execute!(conn, AssertSqlSafe(index.clone()));
                }
                (Some(known), _) if usize::try_from(known).ok() != Some(dimensions) => {
                    let message = format!("vectors of '{model}' have {known} dimensions, not {dimensions}: use another model name");
                    return Err(StoreError::Invalid(message).into());
                }
                _ => {}
            }
            for (id, vector) in vectors {
                execute!(conn, "insert into assessment_vectors (assessment_id, model, dimensions, vector)
                     select id, $2, $3, $4 from assessments where id = $1 on conflict (assessment_id, model) do nothing";
                    *id, model, dimensions as i64, VectorValue::new(vector));
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
            let rows: Vec<NearRow> = rows!(conn.fetch_all, AssertSqlSafe(statement); scope_list(scope), model,
                VectorValue::new(vector), vector.len() as i64, i64::from(limit));
            rows.into_iter().map(NearRow::near).collect::<Vec<_>>()
        })
    }
}
