//! Search for claims by words, vector similarity, entity, outlet, document, time and attribution.

use super::{
    all::Searches,
    full_text::{RANKED_ITEM, words},
    listing,
    similarity::{self, RowFilter},
};
use crate::{
    graph::{
        claim_columns::StoredClaim,
        enum_text::to_text,
        projection::Hits,
        sqlite::{SqliteGraph, claim_rows, json, read, row_numbers},
    },
    sql::{fault::Fault, types::id_list},
};
use domain::{EntityId, Scope, claim::Claim};
use engine::{
    embeddings::VectorKind,
    graph::{Candidate, ClaimOrder, ClaimQuery},
};
use sqlx::{AssertSqlSafe, FromRow, QueryBuilder, Sqlite, SqliteConnection};
use uuid::Uuid;

/// A claim query with its ids resolved to row numbers.
pub(super) struct ClaimSearch<'a> {
    pub query: &'a ClaimQuery,
    pub collections: Vec<i64>,
    pub entity: Option<i64>,
    pub outlet: Option<i64>,
}

pub(in crate::graph::sqlite) async fn claims(
    graph: &SqliteGraph,
    scope: &Scope,
    query: &ClaimQuery,
) -> Result<Vec<Candidate<Claim>>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let collections = row_numbers::collection_rows(&mut conn, scope).await?;
    let Some(search) = ClaimSearch::new(&mut conn, &collections, query).await? else { return Ok(Vec::new()) };
    if search.is_listing() && search.is_narrow() {
        return Ok(Hits::default().claims(listing::load_narrow(&mut conn, &search).await?, query));
    }
    let searches = Searches { collections, claims: Some(search), ..Searches::default() };
    let hits = searches.hits(&mut conn, graph).await?.claims;
    let scope = json::list(searches.collections);
    Ok(hits.claims(read::load_claims(&mut conn, &scope, &hits.rows()).await?, query))
}

/// Returns the newest claims about each entity, by survivor and from new to old.
pub(in crate::graph::sqlite) async fn newest_claims(
    graph: &SqliteGraph,
    scope: &Scope,
    entities: &[EntityId],
    each: u32,
) -> Result<Vec<(EntityId, Claim)>, Fault> {
    #[derive(FromRow)]
    struct Row {
        about: Uuid,
        #[sqlx(flatten)]
        claim: StoredClaim,
    }
    let sql = format!(
        "with visible as (select n from graph_collections where removed = 0 and id in (select unhex(value) from json_each($2))),
        about as (
            select distinct e.root, x.claim from entities i join entities e on e.root = i.root
            join claim_entities x on x.entity = e.n where i.id in (select unhex(value) from json_each($1))),
        placed as (
            select a.root, a.claim, row_number() over (partition by a.root order by c.published_value is null,
                c.published_value desc, d.document_order, c.span_start, c.content_hash, c.id) as place
            from about a join claims c on c.n = a.claim join graph_documents d on d.n = c.document
            where c.collection in (select n from visible))
        {}, s.id as about from placed p cross join entities s on s.n = p.root cross join claims c on c.n = p.claim
        cross join graph_documents d on d.n = c.document cross join graph_collections k on k.n = c.collection
        where p.place <= $3 order by s.id, p.place",
        claim_rows::select("root")
    );
    let ids = id_list(entities.iter().map(|id| id.0));
    let collections = id_list(scope.collections().iter().map(|id| id.0));
    let query = sqlx::query_as(AssertSqlSafe(sql)).bind(ids).bind(collections).bind(each);
    let rows: Vec<Row> = query.fetch_all(&graph.reader).await?;
    rows.into_iter().map(|row| Ok((EntityId(row.about), row.claim.claim()?))).collect()
}

/// Adds hits by similarity to those by words, or hits by filters alone.
pub(super) async fn add_similar(
    conn: &mut SqliteConnection,
    graph: &SqliteGraph,
    search: &ClaimSearch<'_>,
    hits: &mut Hits,
) -> Result<(), Fault> {
    let query = search.query;
    let text = words(query.text.as_ref());
    match similarity::vector_query(conn, &graph.config, VectorKind::Claim, query.vector.as_ref()).await? {
        // A time order is of what the words match; likeness has no end and would fill it up.
        Some(near) if text.is_none() || query.order == ClaimOrder::Relevance => {
            let only = if search.query.has_filters() { Some(search.filtered_rows(conn).await?) } else { None };
            let among = RowFilter { collections: Some(&search.collections), only };
            hits.similarity.extend(near.best(conn, among, query.candidates).await?);
            hits.similarity.extend(near.similarities(conn, &hits.without_similarity()).await?);
        }
        Some(near) => hits.similarity.extend(near.similarities(conn, &hits.rows()).await?),
        None if text.is_none() => hits.listed = listing::list_all(conn, search).await?,
        None => {}
    }
    Ok(())
}

impl<'a> ClaimSearch<'a> {
    /// Resolves the ids of a query; `None` where nothing can match.
    pub async fn new(conn: &mut SqliteConnection, collections: &[i64], query: &'a ClaimQuery) -> Result<Option<Self>, Fault> {
        let rows = row_numbers::entity_rows(conn, query.entity_id.into_iter().chain(query.outlet_id)).await?;
        let root = |id| rows.get(&id).map(|row| row.root);
        let (entity, outlet) = (query.entity_id.and_then(root), query.outlet_id.and_then(root));
        let is_known = entity.is_some() == query.entity_id.is_some() && outlet.is_some() == query.outlet_id.is_some();
        Ok((is_known && !collections.is_empty()).then(|| Self { query, collections: collections.to_vec(), entity, outlet }))
    }

    /// Appends the filters of a search by words.
    pub fn push_filter(&self, sql: &mut QueryBuilder<Sqlite>) {
        if self.query.has_filters() {
            sql.push("cross join claims c on c.n = ").push(RANKED_ITEM);
        }
        sql.push(" where true");
        self.filter(sql);
    }

    /// Returns every visible row that passes the filters.
    async fn filtered_rows(&self, conn: &mut SqliteConnection) -> Result<Vec<i64>, Fault> {
        let mut sql = similarity::row_query("c.n");
        sql.push("claims c where true");
        self.filter(&mut sql);
        self.within(&mut sql, "c");
        similarity::fetch_rows(sql, conn).await
    }

    /// Whether the query asks for neither words nor likeness.
    fn is_listing(&self) -> bool {
        words(self.query.text.as_ref()).is_none() && self.query.vector.is_none()
    }

    /// Whether a filter leaves so few claims that sorting them is cheaper than walking an index.
    pub fn is_narrow(&self) -> bool {
        self.entity.is_some() || self.outlet.is_some() || !self.query.document_ids.is_empty()
    }

    pub fn within(&self, sql: &mut QueryBuilder<Sqlite>, row: &str) {
        sql.push(" and ").push(row).push(".collection in (select value from json_each(");
        sql.push_bind(json::list(self.collections.iter().copied())).push("))");
    }

    pub fn filter(&self, sql: &mut QueryBuilder<Sqlite>) {
        let query = self.query;
        if let Some(root) = self.entity {
            sql.push(" and c.n in (select x.claim from entities e join claim_entities x on x.entity = e.n where e.root = ");
            sql.push_bind(root).push(")");
        }
        if let Some(root) = self.outlet {
            sql.push(" and c.outlet in (select n from entities where root = ").push_bind(root).push(")");
        }
        if query.is_without_outlet {
            sql.push(" and c.outlet is null");
        }
        if !query.document_ids.is_empty() {
            let ids = id_list(query.document_ids.iter().map(|id| id.0));
            sql.push(" and c.document in (select n from graph_documents where id in (select unhex(value) from json_each(");
            sql.push_bind(ids).push(")))");
        }
        if let Some(after) = query.published_after {
            sql.push(" and c.published_value >= ").push_bind(after.as_micros());
        }
        if let Some(before) = query.published_before {
            sql.push(" and c.published_value < ").push_bind(before.as_micros());
        }
        if let Some(after) = query.occurred_after {
            sql.push(" and c.occurred_to >= ").push_bind(after.as_micros());
        }
        if let Some(before) = query.occurred_before {
            sql.push(" and c.occurred_from < ").push_bind(before.as_micros());
        }
        if let Some(attribution) = query.attribution {
            sql.push(" and c.attribution = ").push_bind(to_text(attribution));
        }
        if let Some(mode) = query.mode {
            sql.push(" and c.mode = ").push_bind(to_text(mode));
        }
    }
}
