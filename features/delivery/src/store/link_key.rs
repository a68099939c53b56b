//! Statements on the key of links.

use super::DeliveryStore;
use crate::mail::LinkKeyId;
use adapters::sql::{execute, read, values, write};
use engine::StoreResult;
use uuid::Uuid;

impl DeliveryStore {
    /// Returns the id of the key of links, if there is one.
    pub async fn link_key(&self) -> StoreResult<Option<LinkKeyId>> {
        read!(self.0, conn => {
            let id: Option<Uuid> = values!(conn.fetch_optional, "select key_id from delivery_link_key where name = 'main'");
            id.map(LinkKeyId)
        })
    }

    /// Notes the first key of links; returns false when there is one.
    pub async fn add_link_key(&self, id: LinkKeyId) -> StoreResult<bool> {
        write!(self.0, conn => {
            let added = execute!(conn,
                "insert into delivery_link_key (name, key_id) values ('main', $1) on conflict (name) do nothing"; id.0);
            added.rows_affected() > 0
        })
    }

    /// Notes another key of links.
    pub async fn put_link_key(&self, id: LinkKeyId) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "insert into delivery_link_key (name, key_id) values ('main', $1)
                 on conflict (name) do update set key_id = excluded.key_id"; id.0);
        })
    }
}
