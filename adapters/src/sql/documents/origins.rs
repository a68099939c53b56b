//! Text sketches for origin detection, and texts that share a band of them.

use super::scope_list;
use crate::sql::{Store, types::text_list};
use domain::Scope;
use engine::{
    StoreError, StoreResult,
    library::origins::{AgencyCredit, Band, ComparedText, NearQuery, Sketch},
};
use std::collections::HashMap;

/// Bands per insert statement, well under either database's limit of bound values.
pub(super) const BATCH: usize = 4_000;

/// Selects similar texts, by a shared band or by an agency credited within some days, with each visible document's credit.
const NEAR: &str = "with alike as (
     select s.text_sha256, s.sketch from text_sketches s
     where s.text_sha256 in (
         select near.text_sha256 from text_sketches own
         join text_bands band on band.sketch_id = own.id
         join text_bands other on other.band = band.band
         join text_sketches near on near.id = other.sketch_id
         where own.text_sha256 in (select value from json_each($2))
         union
         select o.text_sha256 from documents d
         join document_credits c on c.document_id = d.id
         join document_credits x on x.agency_key = c.agency_key and x.day between c.day - $4 and c.day + $4
         join documents o on o.id = x.document_id
         where d.text_sha256 in (select value from json_each($2))
           and d.collection_id in (select unhex(value) from json_each($1))
           and o.collection_id in (select unhex(value) from json_each($1)))
       and exists (select 1 from documents d where d.text_sha256 = s.text_sha256
                   and d.collection_id in (select unhex(value) from json_each($1)))
     order by s.text_sha256 limit $3)
     select s.text_sha256, s.sketch, c.agency_key, c.day, d.title from alike s
     join documents d on d.text_sha256 = s.text_sha256 and d.collection_id in (select unhex(value) from json_each($1))
     left join document_credits c on c.document_id = d.id and c.agency_key is not null
     order by s.text_sha256, c.agency_key, c.day, d.title";
const WITHOUT_SKETCH: &str = "select t.text_sha256, t.body from texts t
     where not exists (select 1 from text_sketches s where s.text_sha256 = t.text_sha256)
     order by t.text_sha256 limit $1";

#[derive(sqlx::FromRow)]
struct SimilarRow {
    text_sha256: String,
    sketch: Option<Vec<u8>>,
    agency_key: Option<String>,
    day: Option<i64>,
    title: String,
}

/// A text's hash and its sketch; `None` for texts that are too short.
pub(super) type TextSketch = (String, Option<Sketch>);

/// Inserts missing sketches with their bands, in the transaction of `$conn`.
macro_rules! insert_sketches {
    ($conn:expr, $sketched:expr) => {{
        let sketched: &[$crate::sql::documents::origins::TextSketch] = $sketched;
        let mut new: Vec<(i64, String)> = vec![];
        for batch in sketched.chunks(256) {
            let mut insert = sqlx::QueryBuilder::new("insert into text_sketches (text_sha256, sketch) ");
            insert.push_values(batch, |mut row, (text, sketch)| {
                row.push_bind(text).push_bind(sketch.as_ref().map(|sketch| sketch.to_bytes()));
            });
            insert.push(" on conflict (text_sha256) do nothing returning id, text_sha256");
            let rows: Vec<(i64, String)> = insert.build_query_as().persistent(false).fetch_all(&mut *$conn).await?;
            new.extend(rows);
        }
        let bands = $crate::sql::documents::origins::bands(sketched, &new);
        for batch in bands.chunks($crate::sql::documents::origins::BATCH) {
            let mut insert = sqlx::QueryBuilder::new("insert into text_bands (band, sketch_id) ");
            insert.push_values(batch, |mut row, (band, sketch)| {
                row.push_bind(*band).push_bind(*sketch);
            });
            insert.push(" on conflict do nothing");
            insert.build().persistent(false).execute(&mut *$conn).await?;
        }
    }};
}
pub(super) use insert_sketches;

/// Returns the bands of new sketches with their rows.
pub(super) fn bands(sketched: &[TextSketch], new: &[(i64, String)]) -> Vec<(Band, i64)> {
    let by_text: HashMap<&str, &Sketch> =
        sketched.iter().filter_map(|(text, sketch)| Some((text.as_str(), sketch.as_ref()?))).collect();
    let of_row = |(row, text): &(i64, String)| {
        let row = *row;
        by_text.get(text.as_str()).map(|sketch| sketch.bands().map(move |band| (band, row)).collect::<Vec<_>>())
    };
    new.iter().filter_map(of_row).flatten().collect()
}

impl Store {
    pub(super) async fn near(&self, scope: &Scope, texts: &[String], query: NearQuery) -> StoreResult<Vec<ComparedText>> {
        let rows: Vec<SimilarRow> = read!(self, conn => {
            rows!(conn.fetch_all, NEAR; scope_list(scope), text_list(texts.iter().map(String::as_str)), i64::from(query.limit),
                i64::from(query.agency_days))
        })?;
        let mut found: Vec<ComparedText> = vec![];
        for SimilarRow { text_sha256, sketch, agency_key, day, title } in rows {
            let credit = agency_key.map(|agency| AgencyCredit { agency, day, title });
            match found.last_mut().filter(|last| last.text_sha256 == text_sha256) {
                Some(last) => last.credits.extend(credit),
                None => found.push(ComparedText {
                    sketch: sketch.and_then(|bytes| Sketch::from_bytes(&bytes)),
                    credits: credit.into_iter().collect(),
                    text_sha256,
                }),
            }
        }
        Ok(found)
    }

    pub(super) async fn sketch_some(&self, limit: u32) -> StoreResult<u64> {
        let texts: Vec<(String, String)> = read!(self, conn => {
            rows!(conn.fetch_all, WITHOUT_SKETCH; i64::from(limit))
        })?;
        let made = u64::try_from(texts.len()).unwrap_or(u64::MAX);
        let sketched = tokio::task::spawn_blocking(move || -> Vec<TextSketch> {
            let mut sketched: Vec<TextSketch> = texts
                .into_iter()
                .map(|(text, body)| {
                    let sketch = Sketch::from_text(&body);
                    (text, sketch)
                })
                .collect();
            sketched.dedup_by(|a, b| a.0 == b.0);
            sketched
        });
        let sketched = sketched.await.map_err(|error| StoreError::Defect(error.to_string()))?;
        write!(self, conn => {
            insert_sketches!(conn, &sketched);
        })?;
        Ok(made)
    }
}
