//! Tool-result cache in the state store. Bodies are stored once by content hash.

use super::{
    Store,
    sessions::{body_text, store_content},
    types::Moment,
};
use async_trait::async_trait;
use domain::Timestamp;
use engine::{StoreResult, agents::cache::ToolCache};

#[async_trait]
impl ToolCache for Store {
    async fn cached(&self, key: &str, now: Timestamp) -> StoreResult<Option<String>> {
        read!(self, conn => {
            let body: Option<Vec<u8>> = values!(conn.fetch_optional,
                "select c.body from tool_cache t join contents c on c.sha256 = t.result where t.key = $1 and t.expires_at > $2";
                key, Moment(now));
            body.map(body_text).transpose()?
        })
    }

    async fn keep(&self, key: &str, result: &str, expires_at: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            let result = store_content!(conn, result.as_bytes());
            execute!(conn, "insert into tool_cache (key, result, expires_at) values ($1, $2, $3)
                 on conflict (key) do update set result = excluded.result, expires_at = excluded.expires_at";
                key, &result, Moment(expires_at));
        })
    }
}
