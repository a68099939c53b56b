//! The tool gateway: cache -> execute -> normalise -> reflect -> store, for every agent and every tool.
//!
//! Invariant: the one place that can make a `Pass`, without which no tool runs.

use super::{
    fence::fence,
    machine::{ToolEffect, ToolOutcome},
    registry::{CacheRule, Registered, Registry},
    tools::{ToolContext, ToolError, ToolReply},
};
use crate::{
    StoreError,
    evidence::sha256_hex,
    models::{ToolRequest, ToolResult},
};
use domain::{
    ToolCallId,
    agent::{ToolCall, ToolLatency},
    event::Happening,
};
use moka::future::Cache;
use serde_json::Value;
use std::{sync::Arc, time::Instant};
use tracing::Instrument;

/// Proof that a call comes through the gateway.
pub struct Pass(());

/// Calls tools for agents.
pub struct Gateway {
    registry: Registry,
    /// Calls of one key that run at the same time share one execution; what they leave goes to the store.
    in_flight: Cache<String, Result<Arc<str>, String>>,
}

/// The result before it is recorded.
struct Called {
    content: String,
    is_error: bool,
    effect: ToolEffect,
    from_cache: bool,
    latency: ToolLatency,
}

impl Gateway {
    pub fn new(registry: Registry) -> Self {
        Self { registry, in_flight: Cache::builder().max_capacity(1_024).build() }
    }

    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Calls one tool and records the call. Errors that a model can mend are results; only a failing store is an error.
    pub async fn call(&self, context: &ToolContext<'_>, request: &ToolRequest) -> Result<ToolOutcome, StoreError> {
        let started = Instant::now();
        let span = tracing::info_span!("tool_call", tool = request.name);
        let mut called = self.execute(context, request).instrument(span).await?;
        called.latency.total_ms = millis(started);
        let result = ToolResult { id: request.id.clone(), content: called.content.as_str().into(), is_error: called.is_error };
        self.count(context, request, &called, started);
        self.record(context, request, called).await.map(|effect| ToolOutcome { result, effect })
    }

    fn count(&self, context: &ToolContext<'_>, request: &ToolRequest, called: &Called, started: Instant) {
        // A model may ask for names without end that no tool has.
        let known = self.registry.get(context.role, &request.name);
        let tool = known.map_or_else(|| "unknown".to_owned(), |_| request.name.clone());
        let outcome = match (called.is_error, &called.effect) {
            (_, ToolEffect::Malformed) => "malformed",
            (true, _) => "error",
            (false, _) => "ok",
        };
        let cache = if called.from_cache { "hit" } else { "miss" };
        let labels = [("tool", tool.clone()), ("outcome", outcome.to_owned()), ("cache", cache.to_owned())];
        metrics::counter!("autosint_tool_calls_total", &labels).increment(1);
        metrics::histogram!("autosint_tool_call_seconds", "tool" => tool).record(started.elapsed().as_secs_f64());
    }

    async fn record(&self, context: &ToolContext<'_>, request: &ToolRequest, called: Called) -> Result<ToolEffect, StoreError> {
        let engine = context.engine;
        let now = engine.clock.now();
        let summary = summarise(&request.arguments);
        let call = ToolCall {
            id: ToolCallId(engine.ids.next()),
            session_id: context.session_id,
            investigation_id: context.investigation.id,
            tool: request.name.clone(),
            arguments: request.arguments.clone(),
            result: called.content,
            is_error: called.is_error,
            from_cache: called.from_cache,
            latency: called.latency,
            called_at: now,
        };
        engine.sessions.record_call(&call).await?;
        let happening = Happening::ToolCalled {
            session_id: context.session_id,
            tool: request.name.clone(),
            summary,
            is_error: called.is_error,
        };
        engine.events.append(context.investigation.id, now, happening).await?;
        Ok(called.effect)
    }

    async fn execute(&self, context: &ToolContext<'_>, request: &ToolRequest) -> Result<Called, StoreError> {
        let Some(registered) = self.registry.get(context.role, &request.name) else {
            return Ok(refusal(format!("there is no tool '{}'", request.name)));
        };
        if !context.may_call(&request.name, registered.config.offered) {
            return Ok(refusal(format!("'{}' is not available in this session", request.name)));
        }
        if let Some(problem) = registered.validator.iter_errors(&request.arguments).next() {
            return Ok(refusal(format!("arguments do not fit at '{}': {problem}", problem.instance_path())));
        }
        let outcome = match registered.config.cache {
            CacheRule::None => self.run(context, registered, &request.arguments).await,
            CacheRule::Ttl { ttl_s } => return self.run_cached(context, registered, request, ttl_s).await,
        };
        let (outcome, tool_ms) = outcome;
        finish(outcome, context, registered, ToolLatency { tool_ms, ..ToolLatency::default() }, false)
    }

    async fn run(
        &self,
        context: &ToolContext<'_>,
        registered: &Registered,
        arguments: &Value,
    ) -> (Result<ToolReply, ToolError>, u64) {
        let started = Instant::now();
        let limited = context.with_limits(registered.config.clone());
        let outcome = registered.tool.run(Pass(()), &limited, arguments.clone()).await;
        (outcome, millis(started))
    }

    /// Raw results by canonical parameters; what another call is fetching just now is waited for.
    async fn run_cached(
        &self,
        context: &ToolContext<'_>,
        registered: &Registered,
        request: &ToolRequest,
        ttl_s: u64,
    ) -> Result<Called, StoreError> {
        let key = cache_key(context, request);
        let now = context.engine.clock.now();
        let started = Instant::now();
        if let Some(content) = context.engine.tool_cache.cached(&key, now).await? {
            let latency = ToolLatency { cache_ms: millis(started), ..ToolLatency::default() };
            return finish(Ok(ToolReply::text(content)), context, registered, latency, true);
        }
        let cache_ms = millis(started);
        let run = async {
            match self.run(context, registered, &request.arguments).await.0 {
                Ok(reply) => Ok(Arc::from(reply.content)),
                Err(error) => Err(error.to_string()),
            }
        };
        let shared = self.in_flight.get_with(key.clone(), run).await;
        self.in_flight.invalidate(&key).await;
        let latency = ToolLatency { cache_ms, tool_ms: millis(started) - cache_ms, ..ToolLatency::default() };
        let outcome = match shared {
            Ok(content) => {
                let expires_at = now.plus_ms(i64::try_from(ttl_s.saturating_mul(1_000)).unwrap_or(i64::MAX));
                context.engine.tool_cache.keep(&key, &content, expires_at).await?;
                Ok(ToolReply::text(content.to_string()))
            }
            Err(message) => Err(ToolError::ForModel(message)),
        };
        finish(outcome, context, registered, latency, false)
    }
}

/// Normalises and, where the result carries outside text, fences it. Reflection has its place here: it judges `content` before it is given out.
fn finish(
    outcome: Result<ToolReply, ToolError>,
    context: &ToolContext<'_>,
    registered: &Registered,
    latency: ToolLatency,
    from_cache: bool,
) -> Result<Called, StoreError> {
    let limit = registered.config.max_result_chars.unwrap_or(context.engine.config.max_tool_result_chars);
    match outcome {
        Ok(reply) => {
            let mut content = if reply.is_fitted { reply.content } else { shorten(reply.content, limit) };
            if registered.tool.is_tainted() {
                content = fence(&content, &context.engine.ids.next().simple().to_string());
            }
            Ok(Called { content, is_error: false, effect: reply.effect, from_cache, latency })
        }
        Err(ToolError::Fatal(error)) => Err(error),
        Err(ToolError::Malformed(why)) => Ok(Called { latency, ..refusal(why) }),
        Err(ToolError::ForModel(why)) => {
            Ok(Called { content: shorten(why, limit), is_error: true, effect: ToolEffect::None, from_cache, latency })
        }
    }
}

fn refusal(why: String) -> Called {
    Called { content: why, is_error: true, effect: ToolEffect::Malformed, from_cache: false, latency: ToolLatency::default() }
}

/// Cuts at a character, and says that it did.
fn shorten(content: String, max_chars: usize) -> String {
    match content.char_indices().nth(max_chars) {
        None => content,
        Some((at, _)) => format!("{}\n[cut after {max_chars} characters: ask for fewer items or use offset]", &content[..at]),
    }
}

fn cache_key(context: &ToolContext<'_>, request: &ToolRequest) -> String {
    let scope: Vec<String> = context.investigation.scope.collections().iter().map(ToString::to_string).collect();
    sha256_hex(format!("{}\n{}\n{}", request.name, canonical(&request.arguments), scope.join(",")).as_bytes())
}

/// JSON with sorted keys; serde_json's map is sorted unless a feature changes that, so it is spelled out.
fn canonical(value: &Value) -> String {
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

/// The arguments in a few words for the live view.
fn summarise(arguments: &Value) -> String {
    let text = match arguments.as_object() {
        Some(map) => map
            .iter()
            .map(|(key, value)| match value {
                Value::String(text) => format!("{key}: {text}"),
                Value::Array(items) => format!("{key}: {} items", items.len()),
                Value::Object(_) => format!("{key}: …"),
                scalar => format!("{key}: {scalar}"),
            })
            .collect::<Vec<_>>()
            .join(", "),
        None => String::new(),
    };
    text.chars().take(160).collect()
}

fn millis(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_parameters_in_another_order_are_one_key() {
        assert_eq!(canonical(&json!({"b": [1, {"y": 1, "x": 2}], "a": "t"})), r#"{"a":"t","b":[1,{"x":2,"y":1}]}"#);
    }

    #[test]
    fn a_result_is_cut_at_a_character_and_says_so() {
        assert_eq!(shorten("äöü".into(), 3), "äöü");
        assert!(shorten("äöü".into(), 2).starts_with("äö\n[cut after 2"));
    }
}
