//! Statements on share links.

use crate::link::{LinkId, ShareLink, ShownSources};
use adapters::sql::{
    Store,
    archive::{ScopeColumn::Owner, Table, tables},
    execute,
    fault::Fault,
    read, rows,
    types::{Moment, count},
    values, write,
};
use domain::{Timestamp, UserId};
use engine::StoreResult;
use feature::{Schema, Web};
use sqlx::migrate::Migrator;
use uuid::Uuid;

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Tables of the feature.
pub static SCHEMA: Schema = Schema { name: "share", sqlite: &SQLITE, postgres: &POSTGRES, tables: TABLES };

const TABLES: &[Table] = tables! {
    share_links 1: id Id, user_id Id, token_hash Text, kind Text, object Text, quotes Flag, bundle Flag, note Text,
        created_at Moment, expires_at Moment, views Number
        .scope(&[Owner("user_id")]);
};

/// Adds a link while the person has fewer than `$11`.
const ADD: &str = "
    insert into share_links (id, user_id, token_hash, kind, object, quotes, bundle, note, created_at, expires_at, views)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0 where (select count(*) from share_links l where l.user_id = $2) < $11";
const FIND: &str = "
    select id, user_id, token_hash, kind, object, quotes, bundle, note, created_at, expires_at, views
      from share_links where token_hash = $1 and expires_at > $2";
const LIST: &str = "
    select id, user_id, token_hash, kind, object, quotes, bundle, note, created_at, expires_at, views
      from share_links where user_id = $1 order by created_at desc, id desc";

#[derive(sqlx::FromRow)]
struct LinkRow {
    id: Uuid,
    user_id: Uuid,
    token_hash: String,
    kind: String,
    object: String,
    quotes: bool,
    bundle: Option<bool>,
    note: String,
    created_at: Moment,
    expires_at: Moment,
    views: i64,
}

impl LinkRow {
    fn link(self) -> Result<ShareLink, Fault> {
        Ok(ShareLink {
            id: LinkId(self.id),
            user: UserId(self.user_id),
            token_hash: self.token_hash,
            kind: self.kind,
            object: self.object,
            sources: ShownSources::from_choices(self.quotes, self.bundle.unwrap_or_default()),
            note: self.note,
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
            views: count(self.views)?,
        })
    }
}

/// The table of the feature in the state store. A cheap clone.
#[derive(Clone)]
pub struct ShareStore(Store);

impl From<Store> for ShareStore {
    fn from(store: Store) -> Self {
        Self(store)
    }
}

impl ShareStore {
    pub fn new(web: &Web) -> Self {
        Self::from(web.store.clone())
    }

    /// Stores a link without views. Returns false when the person has `limit` links already.
    pub async fn add(&self, link: &ShareLink, limit: u32) -> StoreResult<bool> {
        let lock = self.0.lock_of_person();
        write!(self.0, conn => {
            sqlx::query(lock).bind(link.user.0).fetch_optional(&mut *conn).await?;
            execute!(conn, ADD; link.id.0, link.user.0, &link.token_hash, &link.kind, &link.object, link.sources.have_quotes(),
                link.sources.have_bundle(), &link.note, Moment(link.created_at), Moment(link.expires_at), i64::from(limit))
                .rows_affected()
                > 0
        })
    }

    /// Returns the link of a token by its hash; none after its expiry.
    pub async fn find(&self, token_hash: &str, now: Timestamp) -> StoreResult<Option<ShareLink>> {
        read!(self.0, conn => {
            let row: Option<LinkRow> = rows!(conn.fetch_optional, FIND; token_hash, Moment(now));
            row.map(LinkRow::link).transpose()?
        })
    }

    /// Returns the links of a person, also expired ones, newest first.
    pub async fn links(&self, user: UserId) -> StoreResult<Vec<ShareLink>> {
        read!(self.0, conn => {
            let rows: Vec<LinkRow> = rows!(conn.fetch_all, LIST; user.0);
            rows.into_iter().map(LinkRow::link).collect::<Result<_, Fault>>()?
        })
    }

    /// Removes a link of a person; returns the hash of its token.
    pub async fn remove(&self, user: UserId, id: LinkId) -> StoreResult<Option<String>> {
        write!(self.0, conn => {
            values!(conn.fetch_optional, "delete from share_links where id = $1 and user_id = $2 returning token_hash"; id.0,
                user.0)
        })
    }

    /// Adds to the number of views of a link.
    pub async fn add_views(&self, token_hash: &str, views: u64) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "update share_links set views = views + $2 where token_hash = $1"; token_hash,
                i64::try_from(views).unwrap_or(i64::MAX));
        })
    }
}
