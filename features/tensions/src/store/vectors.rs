//! Vectors of tensions and responses: 32-bit floats of their texts, compared by the caller.

use super::{TensionStore, bounded, scope_list};
use crate::{response::ResponseId, tension::TensionId};
use adapters::sql::{execute, read, rows, write};
use domain::Scope;
use engine::StoreResult;
use feature::region::NOWHERE;
use uuid::Uuid;

/// A known tension that a new one may be alike.
#[derive(Debug, Clone, PartialEq)]
pub struct AlikeCandidate {
    pub id: TensionId,
    /// Code of its region.
    pub region: String,
    pub first_day: i64,
    pub last_day: i64,
    pub vector: Vec<f32>,
}

impl AlikeCandidate {
    /// Returns whether a tension of a region and some days may be this one: in the same region or an unknown one, and near in
    /// time.
    pub fn is_near(&self, region: &str, (first_day, last_day): (i64, i64), quiet_days: i64) -> bool {
        let is_place = region == NOWHERE || self.region == NOWHERE || self.region == region;
        is_place && first_day <= self.last_day + quiet_days && last_day >= self.first_day - quiet_days
    }
}

/// Known tensions that a new one is compared with: those of its kind, or of its theme where the kind is not known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum CandidateGroup {
    Kind(String),
    Theme(String),
}

/// Id of a tension or response, with the statements on its vectors.
pub trait VectorId: Copy + From<Uuid> + Send + Sync + 'static {
    /// Selects those without a vector of the model `$1`.
    const MISSING: &'static str;
    /// Stores the vector `$3` of the model `$2`.
    const PUT: &'static str;

    fn uuid(self) -> Uuid;
}

macro_rules! vector_id {
    ($id:ty, $rows:literal, $text:literal, $vectors:literal, $key:literal) => {
        impl VectorId for $id {
            const MISSING: &'static str = concat!(
                "select t.id, t.title, t.",
                $text,
                " from ",
                $rows,
                " t where not exists (select 1 from ",
                $vectors,
                " v where v.",
                $key,
                " = t.id and v.model = $1) order by t.id limit $2"
            );
            const PUT: &'static str = concat!(
                "insert into ",
                $vectors,
                " (",
                $key,
                ", model, vector) select t.id, $2, $3 from ",
                $rows,
                " t where t.id = $1 on conflict (",
                $key,
                ", model) do update set vector = excluded.vector"
            );

            fn uuid(self) -> Uuid {
                self.0
            }
        }
    };
}
vector_id!(TensionId, "tensions", "statement", "tension_vectors", "tension_id");
vector_id!(ResponseId, "responses", "summary", "response_vectors", "response_id");

/// Active tensions with a vector of `$3`, of one kind or theme `$2`, the newest first.
macro_rules! candidates {
    ($column:literal) => {
        concat!(
            "select t.id, t.region, t.first_day, t.last_day, v.vector
               from tensions t join tension_vectors v on v.tension_id = t.id
              where t.collection_id in (select unhex(value) from json_each($1)) and t.",
            $column,
            " = $2 and t.state = 'active' and v.model = $3
              order by t.id desc",
            bounded!()
        )
    };
}
const OF_KIND: &str = candidates!("kind");
const OF_THEME: &str = candidates!("theme");

impl TensionStore {
    /// Returns the texts of tensions or responses without a vector of `model`.
    pub async fn without_vector<I: VectorId>(&self, model: &str, limit: u32) -> StoreResult<Vec<(I, String)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String, String)> = rows!(conn.fetch_all, I::MISSING; model, i64::from(limit));
            rows.into_iter().map(|(id, title, text)| (I::from(id), vector_text(&title, &text))).collect()
        })
    }

    /// Stores vectors. Those of tensions or responses that are gone are left out.
    pub async fn put_vectors<I: VectorId>(&self, model: &str, vectors: &[(I, Vec<f32>)]) -> StoreResult<()> {
        write!(self.0, conn => {
            for (id, vector) in vectors {
                execute!(conn, I::PUT; id.uuid(), model, bytes(vector));
            }
        })
    }

    /// Returns the active tensions of a group in some collections that have a vector.
    pub async fn alike_candidates(
        &self,
        scope: &Scope,
        group: &CandidateGroup,
        model: &str,
    ) -> StoreResult<Vec<AlikeCandidate>> {
        let (statement, code) = match group {
            CandidateGroup::Kind(code) => (OF_KIND, code),
            CandidateGroup::Theme(code) => (OF_THEME, code),
        };
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String, i64, i64, Vec<u8>)> = rows!(conn.fetch_all, statement; scope_list(scope), code, model);
            let candidate = |(id, region, first_day, last_day, bytes): (Uuid, String, i64, i64, Vec<u8>)| AlikeCandidate {
                id: TensionId(id),
                region,
                first_day,
                last_day,
                vector: floats(&bytes),
            };
            rows.into_iter().map(candidate).collect()
        })
    }
}

/// Returns the bytes of a vector to store.
pub(super) fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Reads the numbers of a stored vector.
pub(super) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect()
}

/// Text that the vector of a tension describes.
pub fn vector_text(title: &str, statement: &str) -> String {
    format!("{title}\n{statement}")
}
