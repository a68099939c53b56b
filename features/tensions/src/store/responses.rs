//! Responses and what they ease.

use super::{TensionStore, bounded, scope_list, share, visible};
use crate::{
    region::Region,
    response::{RespondsTo, Response, ResponseId, ResponseKind, TensionResponse},
    tension::TensionId,
};
use adapters::sql::{
    fault::Fault,
    read,
    types::{Moment, count, id_list, word},
    write,
};
use domain::{CollectionId, DocumentId, Scope};
use engine::StoreResult;
use uuid::Uuid;

/// Condition for a response `p` that the scope `$1` sees: its collection, and the page that it was read on.
macro_rules! visible_response {
    () => {
        "p.collection_id in (select unhex(value) from json_each($1))
         and (p.document_id is null or exists (select 1 from documents o where o.id = p.document_id
                and o.collection_id in (select unhex(value) from json_each($1))))"
    };
}
pub(super) use visible_response;

/// Visible responses `p` with their links `l` to visible tensions `t`.
macro_rules! linked_responses {
    () => {
        concat!(
            " from responds_to l join responses p on p.id = l.response_id join tensions t on t.id = l.tension_id
             where t.state = 'active' and ",
            visible_response!(),
            " and ",
            visible!()
        )
    };
}

/// Columns of a `ResponseRow` but its last.
macro_rules! response_columns {
    () => {
        "select p.id, p.collection_id, p.kind, p.title, p.summary, p.url, p.document_id, p.starts_at, p.ends_at, p.region,
                p.confidence, p.created_at, l.tension_id, l.strength, l.explanation, l.mechanism, l.first_seen, l.last_seen, "
    };
}
const COUNT: &str = concat!("select count(*)", linked_responses!());
const PAGE: &str = concat!(
    response_columns!(),
    "t.title as tension_title",
    linked_responses!(),
    " order by l.last_seen desc, p.title, p.id, l.tension_id limit $2 offset $3"
);
const TO_TENSIONS: &str = concat!(
    response_columns!(),
    "'' as tension_title
       from responds_to l join responses p on p.id = l.response_id
      where l.tension_id in (select unhex(value) from json_each($2)) and ",
    visible_response!(),
    " order by l.strength desc, p.title, p.id",
    bounded!()
);

pub(super) const ADD: &str = "
    insert into responses (id, collection_id, kind, title, summary, url, document_id, starts_at, ends_at, region, confidence,
                           created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (id) do nothing";
/// Links a response to a tension. A link that exists gets the new words.
const UPDATE_LINK: &str = "
    insert into responds_to (response_id, tension_id, strength, explanation, mechanism, first_seen, last_seen)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (response_id, tension_id) do update
    set strength = excluded.strength, explanation = excluded.explanation, mechanism = excluded.mechanism,
        last_seen = excluded.last_seen";

/// Stores a response in the transaction of a connection.
macro_rules! insert_response {
    ($conn:ident, $response:expr) => {
        sqlx::query($crate::store::responses::ADD)
            .bind($response.id.0)
            .bind($response.collection.0)
            .bind($response.kind.as_str())
            .bind(&$response.title)
            .bind(&$response.summary)
            .bind(&$response.url)
            .bind($response.document.map(|id| id.0))
            .bind($response.starts_at.map(adapters::sql::types::Moment))
            .bind($response.ends_at.map(adapters::sql::types::Moment))
            .bind(&$response.region.code)
            .bind($crate::store::percent($response.confidence))
            .bind(adapters::sql::types::Moment($response.created_at))
            .execute(&mut *$conn)
            .await?
    };
}
pub(super) use insert_response;

/// Links a response to a tension by a statement, in the transaction of a connection.
macro_rules! insert_link {
    ($conn:ident, $statement:expr, $response:expr, $link:expr) => {
        sqlx::query($statement)
            .bind($response.0)
            .bind($link.tension.0)
            .bind($crate::store::percent($link.strength))
            .bind(&$link.explanation)
            .bind(&$link.mechanism)
            .bind(adapters::sql::types::Moment($link.first_seen))
            .bind(adapters::sql::types::Moment($link.last_seen))
            .execute(&mut *$conn)
            .await?
    };
}
pub(super) use insert_link;

#[derive(sqlx::FromRow)]
struct ResponseRow {
    id: Uuid,
    collection_id: Uuid,
    kind: String,
    title: String,
    summary: String,
    url: String,
    document_id: Option<Uuid>,
    starts_at: Option<Moment>,
    ends_at: Option<Moment>,
    region: String,
    confidence: i64,
    created_at: Moment,
    tension_id: Uuid,
    strength: i64,
    explanation: String,
    mechanism: String,
    first_seen: Moment,
    last_seen: Moment,
    tension_title: String,
}

impl ResponseRow {
    fn response(self) -> Result<TensionResponse, Fault> {
        let response = Response {
            id: ResponseId(self.id),
            collection: CollectionId(self.collection_id),
            kind: word("kind of a response", &self.kind, ResponseKind::parse)?,
            title: self.title,
            summary: self.summary,
            url: self.url,
            document: self.document_id.map(DocumentId),
            starts_at: self.starts_at.map(|at| at.0),
            ends_at: self.ends_at.map(|at| at.0),
            region: Region { code: self.region },
            confidence: share(self.confidence),
            created_at: self.created_at.0,
        };
        let link = RespondsTo {
            tension: TensionId(self.tension_id),
            strength: share(self.strength),
            explanation: self.explanation,
            mechanism: self.mechanism,
            first_seen: self.first_seen.0,
            last_seen: self.last_seen.0,
        };
        Ok(TensionResponse { response, link, tension_title: self.tension_title })
    }
}

impl TensionStore {
    /// Returns a page of the visible responses to active tensions, the newest first, and their number.
    pub async fn responses(&self, scope: &Scope, skip: u64, limit: usize) -> StoreResult<(Vec<TensionResponse>, u64)> {
        read!(self.0, conn => {
            let total: i64 = sqlx::query_scalar(COUNT).bind(scope_list(scope)).fetch_one(&mut *conn).await?;
            let rows: Vec<ResponseRow> = sqlx::query_as(PAGE)
                .bind(scope_list(scope))
                .bind(limit as i64)
                .bind(skip.cast_signed())
                .fetch_all(&mut *conn)
                .await?;
            let responses = rows.into_iter().map(ResponseRow::response).collect::<Result<_, Fault>>()?;
            (responses, count(total)?)
        })
    }

    /// Returns the visible responses to some tensions, the strongest first.
    pub async fn responses_to(&self, scope: &Scope, tensions: &[TensionId]) -> StoreResult<Vec<TensionResponse>> {
        read!(self.0, conn => {
            let rows: Vec<ResponseRow> = sqlx::query_as(TO_TENSIONS)
                .bind(scope_list(scope))
                .bind(id_list(tensions.iter().map(|id| id.0)))
                .fetch_all(&mut *conn)
                .await?;
            rows.into_iter().map(ResponseRow::response).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the number of responses that belong to a collection.
    pub async fn count_responses(&self, collection: CollectionId) -> StoreResult<u64> {
        read!(self.0, conn => {
            let total: i64 = sqlx::query_scalar("select count(*) from responses where collection_id = $1")
                .bind(collection.0)
                .fetch_one(&mut *conn)
                .await?;
            count(total)?
        })
    }

    /// Stores a response with what it eases. A link that exists keeps its first time and gets the new words.
    pub async fn add_response(&self, response: &Response, link: &RespondsTo) -> StoreResult<()> {
        write!(self.0, conn => {
            insert_response!(conn, response);
            insert_link!(conn, UPDATE_LINK, response.id, link);
        })
    }

    /// Removes a response from a tension, and altogether where it answers no other.
    pub async fn remove_response(&self, response: ResponseId, tension: TensionId) -> StoreResult<()> {
        write!(self.0, conn => {
            sqlx::query("delete from responds_to where response_id = $1 and tension_id = $2")
                .bind(response.0)
                .bind(tension.0)
                .execute(&mut *conn)
                .await?;
            sqlx::query(
                "delete from responses where id = $1 and not exists (select 1 from responds_to l where l.response_id = responses.id)",
            )
            .bind(response.0)
            .execute(&mut *conn)
            .await?;
        })
    }
}
