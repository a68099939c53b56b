//! Responses and what they ease.

use super::{TensionStore, bounded, heat_state::COUNT_CHANGE, scope_list, share, visible};
use crate::{
    response::{RespondsTo, Response, ResponseId, ResponseKind, TensionResponse},
    tension::TensionId,
};
use adapters::sql::{
    execute,
    fault::Fault,
    read, rows,
    types::{Moment, count, id_list, word},
    values, write,
};
use domain::{CollectionId, DocumentId, Scope};
use engine::StoreResult;
use feature::region::Region;
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

/// Condition for an event `p` that is over, by its last day or by the link `l` with its last sight.
macro_rules! event_is_over {
    ($ended:literal, $seen:literal) => {
        concat!(
            "(p.kind = 'event' and case when coalesce(p.ends_at, p.starts_at) is null then l.last_seen <= ",
            $seen,
            " else coalesce(p.ends_at, p.starts_at) <= ",
            $ended,
            " end)"
        )
    };
}
pub(super) use event_is_over;

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
        adapters::sql::execute!($conn, $crate::store::responses::ADD; $response.id.0, $response.collection.0, $response.kind.as_str(),
            &$response.title, &$response.summary, &$response.url, $response.document.map(|id| id.0),
            $response.starts_at.map(adapters::sql::types::Moment), $response.ends_at.map(adapters::sql::types::Moment),
            &$response.region.code, $crate::store::percent($response.confidence),
            adapters::sql::types::Moment($response.created_at))
    };
}
pub(super) use insert_response;

/// Links a response to a tension by a statement, in the transaction of a connection.
macro_rules! insert_link {
    ($conn:ident, $statement:expr, $response:expr, $link:expr) => {
        adapters::sql::execute!($conn, $statement; $response.0, $link.tension.0, $crate::store::percent($link.strength), &$link.explanation,
            &$link.mechanism, adapters::sql::types::Moment($link.first_seen), adapters::sql::types::Moment($link.last_seen))
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
            let total: i64 = values!(conn.fetch_one, COUNT; scope_list(scope));
            let rows: Vec<ResponseRow> = rows!(conn.fetch_all, PAGE; scope_list(scope), limit as i64, skip.cast_signed());
            let responses = rows.into_iter().map(ResponseRow::response).collect::<Result<_, Fault>>()?;
            (responses, count(total)?)
        })
    }

    /// Returns the visible responses to some tensions, the strongest first.
    pub async fn responses_to(&self, scope: &Scope, tensions: &[TensionId]) -> StoreResult<Vec<TensionResponse>> {
        read!(self.0, conn => {
            let rows: Vec<ResponseRow> = rows!(conn.fetch_all, TO_TENSIONS; scope_list(scope),
                id_list(tensions.iter().map(|id| id.0)));
            rows.into_iter().map(ResponseRow::response).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the number of responses that belong to a collection.
    pub async fn count_responses(&self, collection: CollectionId) -> StoreResult<u64> {
        read!(self.0, conn => {
            let total: i64 = values!(conn.fetch_one, "select count(*) from responses where collection_id = $1"; collection.0);
            count(total)?
        })
    }

    /// Stores a response with what it eases. A link that exists keeps its first time and gets the new words.
    pub async fn add_response(&self, response: &Response, link: &RespondsTo) -> StoreResult<()> {
        write!(self.0, conn => {
            insert_response!(conn, response);
            insert_link!(conn, UPDATE_LINK, response.id, link);
            execute!(conn, COUNT_CHANGE);
        })
    }

    /// Removes a response from a tension, and altogether where it answers no other.
    pub async fn remove_response(&self, response: ResponseId, tension: TensionId) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "delete from responds_to where response_id = $1 and tension_id = $2"; response.0, tension.0);
            execute!(conn,
                "delete from responses where id = $1 and not exists (select 1 from responds_to l where l.response_id = responses.id)";
                response.0);
            execute!(conn, COUNT_CHANGE);
        })
    }
}
