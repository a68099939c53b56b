//! Cache of raw tool results by canonical parameters, with one execution for concurrent equal calls.
//!
//! Invariant: a session receives no cached result it may not see (`Tool::may_reuse`), and gains the same permissions as from its
//! own call (`Tool::reuse`).

use super::{Gateway, millis};
use crate::{
    StoreError,
    agents::{
        context::{ToolContext, ToolError, ToolReply},
        machine::ToolEffect,
        registry::RegisteredTool,
    },
    evidence::sha256_hex,
};
use domain::agent::ToolLatency;
use moka::future::Cache;
use protocol::model::ToolRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Time a shared result stays available to waiters whose caller was dropped, or still has it judged.
const LINGER: Duration = Duration::from_secs(1);

/// Concurrent calls by cache key; each key has one execution, whose result goes to the store.
pub(super) type InFlight = Cache<String, Arc<SharedRun>>;

/// Outcome of one tool run, before post-processing.
pub(super) struct ToolRun {
    pub outcome: Result<ToolReply, ToolError>,
    pub from_cache: bool,
    pub latency: ToolLatency,
    /// Result for the cache, once it is judged.
    pub fresh: Option<FreshResult>,
}

/// Result that is not cached yet: only its verdict decides on that.
pub(super) struct FreshResult {
    pub key: String,
    /// Whether this call executed the tool; others wait for it.
    pub is_mine: bool,
    ttl_s: u64,
    raw: CachedResult,
}

impl FreshResult {
    pub async fn cache(&self, context: &ToolContext<'_>) -> Result<(), StoreError> {
        keep(context, &self.key, &self.raw, self.ttl_s).await
    }
}

/// Cached result of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct CachedResult {
    content: String,
    effect: ToolEffect,
    is_fitted: bool,
}

/// Outcome of one execution, shared by all waiters.
pub(super) enum SharedRun {
    Fresh(CachedResult),
    /// Another process stored it in the meantime.
    Stored(CachedResult),
    Malformed(String),
    ForModel(String),
    Beyond(String),
    Fatal(StoreError),
}

pub(super) fn in_flight() -> InFlight {
    Cache::builder().max_capacity(1_024).time_to_live(LINGER).build()
}

impl Gateway {
    /// Returns a cached result, or the result of one shared execution.
    pub(super) async fn run_cached(
        &self,
        context: &ToolContext<'_>,
        registered: &RegisteredTool,
        request: &ToolRequest,
        ttl_s: u64,
    ) -> Result<ToolRun, StoreError> {
        let key = cache_key(context, request);
        let started = Instant::now();
        if let Some(raw) = stored(context, &key).await? {
            let outcome = raw.reuse_for(context, registered).await;
            let latency = ToolLatency { cache_ms: millis(started), ..ToolLatency::default() };
            return Ok(ToolRun { outcome, from_cache: true, latency, fresh: None });
        }
        let cache_ms = millis(started);
        let run = async { Arc::new(self.run_once(context, registered, request, &key).await) };
        let entry = self.in_flight.entry(key.clone()).or_insert_with(run).await;
        let is_mine = entry.is_fresh();
        let shared = entry.into_value();
        let fresh = match &*shared {
            SharedRun::Fresh(raw) => Some(FreshResult { key, is_mine, ttl_s, raw: raw.clone() }),
            _ if is_mine => {
                self.in_flight.invalidate(&key).await;
                None
            }
            _ => None,
        };
        let latency = ToolLatency { cache_ms, tool_ms: millis(started) - cache_ms, ..ToolLatency::default() };
        let (outcome, from_cache) = match &*shared {
            SharedRun::Fresh(raw) if is_mine => (Ok(raw.clone().reply()), false),
            SharedRun::Fresh(raw) | SharedRun::Stored(raw) => (raw.clone().reuse_for(context, registered).await, true),
            SharedRun::Malformed(why) => (Err(ToolError::Malformed(why.clone())), false),
            SharedRun::ForModel(why) => (Err(ToolError::ForModel(why.clone())), false),
            SharedRun::Beyond(why) => (Err(ToolError::Beyond(why.clone())), false),
            SharedRun::Fatal(error) => return Err(copy_error(error)),
        };
        Ok(ToolRun { outcome, from_cache, latency, fresh })
    }

    async fn run_once(
        &self,
        context: &ToolContext<'_>,
        registered: &RegisteredTool,
        request: &ToolRequest,
        key: &str,
    ) -> SharedRun {
        // A concurrent call may have stored it since the first look-up.
        match stored(context, key).await {
            Ok(Some(raw)) => return SharedRun::Stored(raw),
            Ok(None) => {}
            Err(error) => return SharedRun::Fatal(error),
        }
        let reply = match self.run(context, registered, &request.arguments).await.outcome {
            Ok(reply) => reply,
            Err(ToolError::Malformed(why)) => return SharedRun::Malformed(why),
            Err(ToolError::ForModel(why)) => return SharedRun::ForModel(why),
            Err(ToolError::Beyond(why)) => return SharedRun::Beyond(why),
            Err(ToolError::Fatal(error)) => return SharedRun::Fatal(error),
        };
        SharedRun::Fresh(CachedResult { content: reply.content, effect: reply.effect, is_fitted: reply.is_fitted })
    }
}

impl CachedResult {
    fn reply(self) -> ToolReply {
        ToolReply { effect: self.effect, is_fitted: self.is_fitted, ..ToolReply::text(self.content) }
    }

    /// Prepares the result for a session that did not run the call.
    async fn reuse_for(self, context: &ToolContext<'_>, registered: &RegisteredTool) -> Result<ToolReply, ToolError> {
        registered.tool.reuse(context, &self.content).await?;
        Ok(self.reply())
    }
}

/// Loads the cached value of a key; a value of another version counts as missing.
pub(super) async fn load_cached<T: for<'a> Deserialize<'a>>(
    context: &ToolContext<'_>,
    key: &str,
) -> Result<Option<T>, StoreError> {
    let text = context.engine.tool_cache.cached(key, context.engine.clock.now()).await?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

pub(super) async fn keep(context: &ToolContext<'_>, key: &str, value: &impl Serialize, ttl_s: u64) -> Result<(), StoreError> {
    let text = serde_json::to_string(value).map_err(|error| StoreError::Defect(error.to_string()))?;
    let lives_ms = i64::try_from(ttl_s.saturating_mul(1_000)).unwrap_or(i64::MAX);
    context.engine.tool_cache.keep(key, &text, context.engine.clock.now().plus_ms(lives_ms)).await
}

async fn stored(context: &ToolContext<'_>, key: &str) -> Result<Option<CachedResult>, StoreError> {
    load_cached(context, key).await
}

/// Copies an error, once per waiter.
fn copy_error(error: &StoreError) -> StoreError {
    match error {
        StoreError::Unavailable(why) => StoreError::Unavailable(why.clone()),
        StoreError::Full => StoreError::Full,
        StoreError::Stale(why) => StoreError::Stale(why),
        StoreError::Invalid(why) => StoreError::Invalid(why.clone()),
        StoreError::Defect(why) => StoreError::Defect(why.clone()),
    }
}

fn cache_key(context: &ToolContext<'_>, request: &ToolRequest) -> String {
    let scope: Vec<String> = context.investigation.scope.collections().iter().map(ToString::to_string).collect();
    let period = context.investigation.terms.period;
    let period = if period.is_open() { String::new() } else { format!("\n{period:?}") };
    sha256_hex(format!("{}\n{}\n{}{period}", request.name, canonical(&request.arguments), scope.join(",")).as_bytes())
}

/// Returns JSON with sorted keys. The sorting is explicit because serde_json's map order depends on a feature.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<_> = map.keys().collect();
            keys.sort_unstable();
            let parts: Vec<_> =
                keys.iter().map(|key| format!("{}:{}", Value::from(key.as_str()), canonical(&map[*key]))).collect();
            format!("{{{}}}", parts.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_parameters_in_another_order_are_one_key() {
        assert_eq!(canonical(&json!({"b": [1, {"y": 1, "x": 2}], "a": "t"})), r#"{"a":"t","b":[1,{"x":2,"y":1}]}"#);
    }
}
