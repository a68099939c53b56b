//! Statements of the feature: which of the encrypted secrets is the key.

use adapters::sql::{
    Store,
    archive::{ScopeColumn::Unscoped, Table, tables},
    execute, read, values, write,
};
use domain::ObjectId;
use engine::StoreResult;
use feature::{Schema, Web};
use sqlx::migrate::Migrator;
use uuid::Uuid;

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Tables of the feature.
pub static SCHEMA: Schema = Schema { name: "bundle", sqlite: &SQLITE, postgres: &POSTGRES, tables: TABLES };

const TABLES: &[Table] = tables! {
    bundle_key 1: name Text, key_id Id
        .scope(&[Unscoped("the id of the installation's signing key, which is an encrypted secret")]);
};

/// The table of the feature in the state store. A cheap clone.
#[derive(Clone)]
pub struct BundleStore(Store);

impl From<Store> for BundleStore {
    fn from(store: Store) -> Self {
        Self(store)
    }
}

impl BundleStore {
    pub fn new(web: &Web) -> Self {
        Self::from(web.store.clone())
    }

    /// Returns the id of the key, if there is one.
    pub async fn key(&self) -> StoreResult<Option<ObjectId>> {
        read!(self.0, conn => {
            let id: Option<Uuid> = values!(conn.fetch_optional, "select key_id from bundle_key where name = 'main'");
            id.map(ObjectId)
        })
    }

    /// Notes the first key; returns false when there is one.
    pub async fn add_key(&self, id: ObjectId) -> StoreResult<bool> {
        write!(self.0, conn => {
            let added = execute!(conn,
                "insert into bundle_key (name, key_id) values ('main', $1) on conflict (name) do nothing"; id.0);
            added.rows_affected() > 0
        })
    }

    /// Notes another key.
    pub async fn put_key(&self, id: ObjectId) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "insert into bundle_key (name, key_id) values ('main', $1)
                 on conflict (name) do update set key_id = excluded.key_id"; id.0);
        })
    }
}
