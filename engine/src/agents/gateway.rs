//! The tool gateway: cache -> execute -> normalise -> reflect -> store, for every agent and every tool.
//!
//! Invariant: the one place that can make a `Pass`, without which no tool runs.

mod cached;
mod checks;
mod lure;
mod normalise;
mod reflect;

pub(super) use normalise::{BadProfile, Normaliser, Profile};

use super::{
    lenient,
    machine::{ToolEffect, ToolOutcome},
    registry::{CacheRule, Registered, Registry},
    tools::{ToolContext, ToolError},
};
use crate::StoreError;
use cached::{Found, InFlight};
use domain::{
    ToolCallId,
    agent::{InjectionFinding, Quality, Reflection, ToolCall, ToolLatency},
    event::EventKind,
};
use protocol::{
    fence::{VERDICT_PREFIX, fence},
    model::{ToolRequest, ToolResult},
};
use serde_json::Value;
use std::time::Instant;
use tracing::Instrument;

/// Problems of one call's arguments that are told, and the longest of them: they repeat parts of the arguments.
const MAX_PROBLEMS: usize = 20;
const MAX_PROBLEM_CHARS: usize = 400;

/// Proof that a call comes through the gateway.
pub struct Pass(());

/// Calls tools for agents.
pub struct Gateway {
    registry: Registry,
    /// How values are written here.
    profile: Profile,
    in_flight: InFlight,
}

/// The result before it is recorded.
struct Called {
    content: String,
    is_error: bool,
    effect: ToolEffect,
    from_cache: bool,
    latency: ToolLatency,
    reflection: Option<Reflection>,
    /// It asked for what the session is not allowed.
    is_beyond: bool,
}

impl Gateway {
    pub fn new(registry: Registry, profile: Profile) -> Self {
        Self { registry, profile, in_flight: cached::in_flight() }
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
        let lure = if called.is_beyond { lure::of(context, request).await? } else { None };
        let result = ToolResult { id: request.id.clone(), content: called.content.as_str().into(), is_error: called.is_error };
        self.count(context, request, &called, started);
        let effect = self.record(context, request, called, lure).await?;
        Ok(ToolOutcome { result, effect, refs: context.refs.take_new() })
    }

    /// Records a call that nobody had offered: it does not run.
    pub async fn refuse(&self, context: &ToolContext<'_>, request: &ToolRequest) -> Result<(), StoreError> {
        let called = beyond(format!("'{}' was called where no tools are", request.name));
        self.count(context, request, &called, Instant::now());
        let lure = lure::of(context, request).await?;
        self.record(context, request, called, lure).await?;
        Ok(())
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
        if let Some(reflection) = &called.reflection {
            let (quality, verified) = (reflection.quality.as_str().to_owned(), reflection.verified.to_string());
            let labels = [("tool", tool.clone()), ("quality", quality), ("verified", verified)];
            metrics::counter!("autosint_tool_results_total", &labels).increment(1);
        }
        metrics::histogram!("autosint_tool_call_seconds", "tool" => tool).record(started.elapsed().as_secs_f64());
    }

    async fn record(
        &self,
        context: &ToolContext<'_>,
        request: &ToolRequest,
        called: Called,
        lure: Option<InjectionFinding>,
    ) -> Result<ToolEffect, StoreError> {
        let engine = context.engine;
        let now = engine.clock.now();
        let summary = summarise(&request.arguments);
        let call = ToolCall {
            id: ToolCallId(engine.ids.next()),
            session_id: context.session_id,
            investigation_id: context.investigation.id,
            tool: request.name.clone(),
            source: source_of(&request.arguments),
            arguments: request.arguments.clone(),
            result: called.content,
            is_error: called.is_error,
            from_cache: called.from_cache,
            latency: called.latency,
            reflection: called.reflection,
            injection: lure,
            called_at: now,
        };
        engine.sessions.record_call(&call).await?;
        let happening = EventKind::ToolCalled {
            session_id: context.session_id,
            tool: request.name.clone(),
            summary,
            is_error: called.is_error,
        };
        engine.events.append(context.investigation.id, now, happening).await?;
        if let Some(lure) = call.injection {
            self.tell(context, lure).await?;
        }
        Ok(called.effect)
    }

    /// What leads astray is told to whoever watches.
    async fn tell(&self, context: &ToolContext<'_>, lure: InjectionFinding) -> Result<(), StoreError> {
        let InjectionFinding { tool, document_id, title, .. } = lure;
        tracing::warn!(tool, %document_id, "a text led to a call that the order does not allow; it was refused");
        // Names that no tool has are without end.
        let known = self.registry.get(context.role, &tool).map_or("unknown", |_| &tool);
        metrics::counter!("autosint_injections_total", "tool" => known.to_owned()).increment(1);
        let happening = EventKind::InjectionDetected { session_id: context.session_id, tool, document_id, title };
        context.engine.events.append(context.investigation.id, context.engine.clock.now(), happening).await?;
        Ok(())
    }

    async fn execute(&self, context: &ToolContext<'_>, request: &ToolRequest) -> Result<Called, StoreError> {
        let Some(registered) = self.registry.get(context.role, &request.name) else {
            return Ok(beyond(format!("there is no tool '{}'", request.name)));
        };
        if !context.may_call(&request.name, registered.config.offered) {
            return Ok(beyond(format!("'{}' is not available in this session", request.name)));
        }
        let request = &match readable(context, registered, request) {
            Ok(arguments) => ToolRequest { arguments, ..request.clone() },
            Err(problems) => return Ok(refusal(format!("arguments do not fit:\n- {}", problems.join("\n- ")))),
        };
        let found = match registered.config.cache {
            CacheRule::Ttl { ttl_s } if may_reuse(context, registered, request).await? => {
                self.run_cached(context, registered, request, ttl_s).await?
            }
            _ => self.run(context, registered, &request.arguments).await,
        };
        self.finish(context, registered, request, found).await
    }

    async fn run(&self, context: &ToolContext<'_>, registered: &Registered, arguments: &Value) -> Found {
        let started = Instant::now();
        let limited = context.with_limits(registered.config.clone());
        let outcome = registered.tool.run(Pass(()), &limited, arguments.clone()).await;
        Found { outcome, from_cache: false, latency: ToolLatency { tool_ms: millis(started), ..ToolLatency::default() } }
    }

    /// Normalises, has the result judged, and fences what comes from outside.
    async fn finish(
        &self,
        context: &ToolContext<'_>,
        registered: &Registered,
        request: &ToolRequest,
        found: Found,
    ) -> Result<Called, StoreError> {
        let limit = context.max_result_chars(&registered.config);
        let Found { outcome, from_cache, mut latency } = found;
        let is_beyond = matches!(outcome, Err(ToolError::Beyond(_)));
        let reply = match outcome {
            Ok(reply) => reply,
            Err(ToolError::Fatal(error)) => return Err(error),
            Err(ToolError::Malformed(why)) => return Ok(Called { latency, ..refusal(why) }),
            Err(ToolError::ForModel(why) | ToolError::Beyond(why)) => {
                let reflection = registered.tool.is_outside().then(Reflection::nothing);
                let (content, effect) = (shorten(why, limit), ToolEffect::None);
                return Ok(Called { content, is_error: true, effect, from_cache, latency, reflection, is_beyond });
            }
        };
        let content = normalise::apply(&self.profile, &registered.config.normalise, reply.content);
        let started = Instant::now();
        let reflection = match registered.tool.is_outside() {
            true => Some(self.reflect(context, registered, request, reply.judged.as_deref().unwrap_or(&content)).await?),
            false => None,
        };
        latency.reflection_ms = millis(started);
        let mut content = if reply.is_fitted { content } else { shorten(content, limit) };
        if registered.tool.is_tainted() {
            content = fence(&content, &context.engine.ids.next().simple().to_string());
        }
        if let Some(verdict) = reflection.as_ref().and_then(shown) {
            content = verdict.around(content);
        }
        Ok(Called { content, is_error: reply.is_error, effect: reply.effect, from_cache, latency, reflection, is_beyond })
    }
}

/// The arguments with ids for references and numbers for numbers in text, or everything that is wrong with them, with its place.
fn readable(context: &ToolContext<'_>, registered: &Registered, request: &ToolRequest) -> Result<Value, Vec<String>> {
    let mut arguments = request.arguments.clone();
    lenient::coerce(&registered.schema, &mut arguments);
    if registered.tool.checks_arguments() {
        return Ok(arguments);
    }
    let mut problems = context.refs.expand(&mut arguments);
    let unfit = registered.validator.iter_errors(&arguments);
    problems.extend(unfit.map(|error| shorten(format!("'{}': {error}", error.instance_path()), MAX_PROBLEM_CHARS)));
    problems.truncate(MAX_PROBLEMS);
    if problems.is_empty() { Ok(arguments) } else { Err(problems) }
}

/// Whether a result of another call will do; a call that is not in order is left to its run, which says why.
async fn may_reuse(context: &ToolContext<'_>, registered: &Registered, request: &ToolRequest) -> Result<bool, StoreError> {
    match registered.tool.may_reuse(context, request.arguments.clone()).await {
        Ok(may) => Ok(may),
        Err(ToolError::Fatal(error)) => Err(error),
        Err(_) => Ok(false),
    }
}

/// What a model is told of a verdict.
enum Verdict {
    /// What comes before the result.
    Line(String),
    /// What stands in place of the result: nothing in it is of use (S-10).
    Instead(String),
}

impl Verdict {
    fn around(self, content: String) -> String {
        match self {
            Self::Line(line) => format!("{content}\n{line}"),
            Self::Instead(line) => line,
        }
    }
}

/// Only what a model has judged is told to a model: what the fixed rules say is on record, and changes no result.
fn shown(reflection: &Reflection) -> Option<Verdict> {
    if reflection.by != domain::agent::ReflectedBy::Model {
        return None;
    }
    let (quality, confidence) = (reflection.quality.as_str(), reflection.confidence);
    let sure = if reflection.verified { "verified" } else { "not verified" };
    let line = format!("{VERDICT_PREFIX}{quality} for the question, confidence {confidence} of 100, {sure}]");
    Some(match reflection.quality == Quality::Poor && reflection.verified {
        true => Verdict::Instead(format!("{line}\n[it is left out; ask for something else]")),
        false => Verdict::Line(line),
    })
}

fn refusal(why: String) -> Called {
    Called {
        content: why,
        is_error: true,
        effect: ToolEffect::Malformed,
        from_cache: false,
        latency: ToolLatency::default(),
        reflection: None,
        is_beyond: false,
    }
}

/// The refusal of what the session is not allowed.
fn beyond(why: String) -> Called {
    Called { is_beyond: true, ..refusal(why) }
}

/// Cuts at a character, and says that it did.
fn shorten(content: String, max_chars: usize) -> String {
    match content.char_indices().nth(max_chars) {
        None => content,
        Some((at, _)) => format!("{}\n[cut after {max_chars} characters: ask for fewer items or use offset]", &content[..at]),
    }
}

/// What a call asks: the source it names, or the web, where it names an address.
fn source_of(arguments: &Value) -> Option<String> {
    let named = arguments.get("source_id").and_then(Value::as_str).map(|source| source.chars().take(100).collect());
    named.or_else(|| arguments.get("url").map(|_| domain::fetch::WEB.to_owned()))
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
    use domain::agent::ReflectedBy;
    use serde_json::json;

    #[test]
    fn a_result_is_cut_at_a_character_and_says_so() {
        assert_eq!(shorten("äöü".into(), 3), "äöü");
        assert!(shorten("äöü".into(), 2).starts_with("äö\n[cut after 2"));
    }

    #[test]
    fn a_model_reads_a_verdict_that_a_model_gave_and_no_result_that_is_of_no_use() {
        let judged = |quality, verified| Reflection { quality, verified, by: ReflectedBy::Model, ..Reflection::unverified() };
        let told = |reflection: &Reflection| shown(reflection).map(|verdict| verdict.around("text".into()));
        assert_eq!(told(&Reflection::unverified()), None);
        assert_eq!(told(&Reflection::nothing()), None);
        assert!(told(&judged(Quality::Good, true)).is_some_and(|told| told.starts_with("text\n[result judged good")));
        assert!(told(&judged(Quality::Poor, true)).is_some_and(|told| !told.contains("text")));
        assert!(
            told(&judged(Quality::Poor, false))
                .is_some_and(|told| told.starts_with("text\n") && told.ends_with("not verified]"))
        );
    }

    #[test]
    fn a_call_says_what_it_asked() {
        assert_eq!(source_of(&json!({"source_id": "gdelt"})).as_deref(), Some("gdelt"));
        assert_eq!(source_of(&json!({"url": "https://a.test"})).as_deref(), Some("web"));
        assert_eq!(source_of(&json!({})), None);
    }
}
