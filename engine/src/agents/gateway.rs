//! Tool gateway: cache -> execute -> normalise -> reflect -> store, for every agent and every tool.
//!
//! Invariant: only this module creates a `token::GatewayToken`, without which no tool runs.

mod cached;
mod checks;
mod injection;
pub(super) mod normalise;
mod reflect;
pub mod token;

use super::{
    context::{ToolContext, ToolError},
    handler_config::CacheRule,
    lenient,
    machine::{ToolEffect, ToolOutcome},
    registry::{RegisteredTool, Registry},
    schema::{MAX_PROBLEMS, unfit_arguments},
};
use crate::StoreError;
use cached::{FreshResult, InFlight, ToolRun};
use domain::{
    ToolCallId,
    agent::{InjectionFinding, Quality, Reflection, ToolCall, ToolLatency},
    event::EventKind,
};
use normalise::Profile;
use protocol::{
    fence::{VERDICT_PREFIX, fence},
    model::{OutputSchema, ToolRequest, ToolResult},
};
use serde_json::Value;
use std::{sync::Arc, time::Instant};
use token::GatewayToken;
use tracing::Instrument;

/// Likeness from which a tool is named instead of an unknown one.
const NEAR: f64 = 0.5;
/// Difference of likeness within which several tools are named.
const NEAR_TIE: f64 = 0.05;

/// Gateway through which agents call tools.
pub struct Gateway {
    registry: Registry,
    /// Locale profile of result values.
    profile: Profile,
    /// Output schema of a verdict on a result.
    reflection: Arc<OutputSchema>,
    in_flight: InFlight,
}

/// Result of a tool call before it is recorded.
struct ToolCallResult {
    content: String,
    /// Result of the tool, where `content` is not all of it.
    raw: Option<String>,
    is_error: bool,
    effect: ToolEffect,
    from_cache: bool,
    latency: ToolLatency,
    reflection: Option<Reflection>,
    /// The call exceeded the session's permissions.
    is_beyond: bool,
}

impl Gateway {
    pub fn new(registry: Registry, profile: Profile, reflection: Arc<OutputSchema>) -> Self {
        Self { registry, profile, reflection, in_flight: cached::in_flight() }
    }

    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Calls one tool and records the call. Errors that a model can correct are results; only a failing store is an error.
    pub async fn call(&self, context: &ToolContext<'_>, request: &ToolRequest) -> Result<ToolOutcome, StoreError> {
        let started = Instant::now();
        let span = tracing::info_span!("tool_call", tool = request.name);
        let mut called = self.execute(context, request).instrument(span).await?;
        called.latency.total_ms = millis(started);
        let finding = if called.is_beyond { injection::find(context, request).await? } else { None };
        let result = ToolResult { id: request.id.clone(), content: called.content.as_str().into(), is_error: called.is_error };
        self.count(context, request, &called, started);
        let effect = self.record(context, request, called, finding).await?;
        Ok(ToolOutcome { result, effect, refs: context.refs.take_new() })
    }

    /// Records a call of a tool that was not offered, without running it.
    pub async fn refuse(&self, context: &ToolContext<'_>, request: &ToolRequest) -> Result<(), StoreError> {
        let called = beyond(format!("'{}' was called where no tools are", request.name));
        self.count(context, request, &called, Instant::now());
        let finding = injection::find(context, request).await?;
        self.record(context, request, called, finding).await?;
        Ok(())
    }

    fn count(&self, context: &ToolContext<'_>, request: &ToolRequest, called: &ToolCallResult, started: Instant) {
        // Unknown tool names share one label, to bound the label set.
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
        called: ToolCallResult,
        finding: Option<InjectionFinding>,
    ) -> Result<ToolEffect, StoreError> {
        let engine = context.engine;
        let now = engine.clock.now();
        let summary = summarise(&request.arguments);
        let call = ToolCall {
            id: ToolCallId(engine.ids.next()),
            session_id: context.session_id,
            investigation_id: context.investigation.stored_id(),
            tool: request.name.clone(),
            source: source_of(&request.arguments),
            arguments: request.arguments.clone(),
            result: called.content,
            raw: called.raw,
            is_error: called.is_error,
            from_cache: called.from_cache,
            latency: called.latency,
            reflection: called.reflection,
            injection: finding,
            called_at: now,
        };
        engine.sessions.record_call(&call).await?;
        let event = EventKind::ToolCalled {
            session_id: context.session_id,
            tool: request.name.clone(),
            summary,
            is_error: called.is_error,
        };
        context.record_event(event).await?;
        if let Some(finding) = call.injection {
            self.report_injection(context, finding).await?;
        }
        Ok(called.effect)
    }

    /// Records an injection finding in log, metrics and events.
    async fn report_injection(&self, context: &ToolContext<'_>, finding: InjectionFinding) -> Result<(), StoreError> {
        let InjectionFinding { tool, document_id, title, .. } = finding;
        tracing::warn!(tool, %document_id, "injection detected, tool call refused");
        // Unknown tool names share one label, to bound the label set.
        let known = self.registry.get(context.role, &tool).map_or("unknown", |_| &tool);
        metrics::counter!("autosint_injections_total", "tool" => known.to_owned()).increment(1);
        let event = EventKind::InjectionDetected { session_id: context.session_id, tool, document_id, title };
        context.record_event(event).await
    }

    async fn execute(&self, context: &ToolContext<'_>, request: &ToolRequest) -> Result<ToolCallResult, StoreError> {
        let Some(registered) = self.registry.get(context.role, &request.name) else {
            return Ok(beyond(no_such_tool(&request.name, self.registry.callable(context))));
        };
        if !registered.is_callable(&request.name, context) {
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

    /// Caches a fresh result unless it was judged poor, and ends its sharing with concurrent calls.
    async fn cache_unless_poor(
        &self,
        context: &ToolContext<'_>,
        fresh: FreshResult,
        reflection: Option<&Reflection>,
    ) -> Result<(), StoreError> {
        let is_poor = reflection.is_some_and(|reflection| reflection.quality == Quality::Poor);
        let cached = if is_poor { Ok(()) } else { fresh.cache(context).await };
        if fresh.is_mine {
            self.in_flight.invalidate(&fresh.key).await;
        }
        cached
    }

    async fn run(&self, context: &ToolContext<'_>, registered: &RegisteredTool, arguments: &Value) -> ToolRun {
        let started = Instant::now();
        let limited = context.with_limits(registered.config.clone());
        let outcome = registered.tool.run(GatewayToken(()), &limited, arguments.clone()).await;
        let latency = ToolLatency { tool_ms: millis(started), ..ToolLatency::default() };
        ToolRun { outcome, from_cache: false, latency, fresh: None }
    }

    /// Normalises the result, has it scored, caches it unless it is poor, and fences outside text.
    async fn finish(
        &self,
        context: &ToolContext<'_>,
        registered: &RegisteredTool,
        request: &ToolRequest,
        found: ToolRun,
    ) -> Result<ToolCallResult, StoreError> {
        let limit = context.max_result_chars(&registered.config);
        let ToolRun { outcome, from_cache, mut latency, fresh } = found;
        let is_beyond = matches!(outcome, Err(ToolError::Beyond(_)));
        let reply = match outcome {
            Ok(reply) => reply,
            Err(ToolError::Fatal(error)) => return Err(error),
            Err(ToolError::Malformed(why)) => return Ok(ToolCallResult { latency, ..refusal(why) }),
            Err(ToolError::ForModel(why) | ToolError::Beyond(why)) => {
                let reflection = registered.tool.is_outside().then(Reflection::nothing);
                let (content, effect) = (shorten(why, limit), ToolEffect::None);
                let raw = None;
                return Ok(ToolCallResult { content, raw, is_error: true, effect, from_cache, latency, reflection, is_beyond });
            }
        };
        let content = normalise::apply(&self.profile, &registered.config.normalise, reply.content.clone());
        let started = Instant::now();
        let reflection = match registered.tool.is_outside() {
            true => Some(self.reflect(context, registered, request, &reply, &content).await?),
            false => None,
        };
        latency.reflection_ms = millis(started);
        if let Some(fresh) = fresh {
            self.cache_unless_poor(context, fresh, reflection.as_ref()).await?;
        }
        let mut content = if reply.is_fitted { content } else { shorten(content, limit) };
        let verdict = reflection.as_ref().and_then(model_verdict);
        let is_whole = content == reply.content && !matches!(verdict, Some(VerdictNote::Instead(_)));
        let raw = (!is_whole).then_some(reply.content);
        if registered.tool.is_tainted() {
            content = fence(&content, &context.engine.ids.next().simple().to_string());
        }
        if let Some(verdict) = verdict {
            content = verdict.apply_to(content);
        }
        Ok(ToolCallResult {
            content,
            raw,
            is_error: reply.is_error,
            effect: reply.effect,
            from_cache,
            latency,
            reflection,
            is_beyond,
        })
    }
}

/// Returns the arguments with references expanded and numeric text converted, or every problem with its location.
fn readable(context: &ToolContext<'_>, registered: &RegisteredTool, request: &ToolRequest) -> Result<Value, Vec<String>> {
    let mut arguments = request.arguments.clone();
    lenient::coerce(&registered.schema, &mut arguments);
    if registered.tool.checks_arguments() {
        return Ok(arguments);
    }
    let mut problems: Vec<String> = context.refs.expand(&mut arguments).iter().map(ToString::to_string).collect();
    problems.extend(unfit_arguments(&registered.schema, &arguments));
    problems.truncate(MAX_PROBLEMS);
    if problems.is_empty() { Ok(arguments) } else { Err(problems) }
}

/// Words the refusal of an unknown tool, with the nearest name among those that the session may call.
fn no_such_tool(name: &str, callable: Vec<&str>) -> String {
    let mut tools: Vec<(f64, &str)> = callable.iter().map(|tool| (strsim::sorensen_dice(name, tool), *tool)).collect();
    tools.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = tools.first().map_or(0.0, |(likeness, _)| *likeness);
    let near = tools.iter().filter(|(likeness, _)| best >= NEAR && best - likeness <= NEAR_TIE);
    match near.map(|(_, tool)| format!("'{tool}'")).collect::<Vec<_>>() {
        near if near.is_empty() => format!("there is no tool '{name}'; there are: {}", callable.join(", ")),
        near => format!("there is no tool '{name}'; did you mean {}?", near.join(" or ")),
    }
}

/// Returns whether a cached result may be used. An invalid call is left to its run, which reports the problem.
async fn may_reuse(context: &ToolContext<'_>, registered: &RegisteredTool, request: &ToolRequest) -> Result<bool, StoreError> {
    match registered.tool.may_reuse(context, request.arguments.clone()).await {
        Ok(may) => Ok(may),
        Err(ToolError::Fatal(error)) => Err(error),
        Err(_) => Ok(false),
    }
}

/// Text of a verdict as shown to a model.
enum VerdictNote {
    /// Line added to the result.
    Line(String),
    /// Replacement of a useless result.
    Instead(String),
}

impl VerdictNote {
    fn apply_to(self, content: String) -> String {
        match self {
            Self::Line(line) => format!("{content}\n{line}"),
            Self::Instead(line) => line,
        }
    }
}

/// Returns the verdict shown to the model. Only verdicts by a model are shown; rule-based ones are only recorded.
fn model_verdict(reflection: &Reflection) -> Option<VerdictNote> {
    if reflection.by != domain::agent::ReflectedBy::Model {
        return None;
    }
    let (quality, confidence) = (reflection.quality.as_str(), reflection.confidence);
    let sure = if reflection.verified { "verified" } else { "not verified" };
    let line = format!("{VERDICT_PREFIX}{quality} for the question, confidence {confidence} of 100, {sure}]");
    Some(match reflection.quality == Quality::Poor && reflection.verified {
        true => VerdictNote::Instead(format!("{line}\n[it is left out; ask for something else]")),
        false => VerdictNote::Line(line),
    })
}

fn refusal(why: String) -> ToolCallResult {
    ToolCallResult {
        content: why,
        raw: None,
        is_error: true,
        effect: ToolEffect::Malformed,
        from_cache: false,
        latency: ToolLatency::default(),
        reflection: None,
        is_beyond: false,
    }
}

/// Builds the refusal of a call beyond the session's permissions.
fn beyond(why: String) -> ToolCallResult {
    ToolCallResult { is_beyond: true, ..refusal(why) }
}

/// Truncates at a character boundary and appends a notice.
fn shorten(content: String, max_chars: usize) -> String {
    match content.char_indices().nth(max_chars) {
        None => content,
        Some((at, _)) => format!("{}\n[cut after {max_chars} characters: ask for fewer items or use offset]", &content[..at]),
    }
}

/// Returns the source that a call names, or the web when it names an address.
fn source_of(arguments: &Value) -> Option<String> {
    let named = arguments.get("source_id").and_then(Value::as_str).map(|source| source.chars().take(100).collect());
    named.or_else(|| arguments.get("url").map(|_| domain::fetch::WEB.to_owned()))
}

/// Summarises the arguments for the live view.
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
        let told = |reflection: &Reflection| model_verdict(reflection).map(|verdict| verdict.apply_to("text".into()));
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
    fn an_unknown_tool_is_answered_with_the_nearest_one() {
        let tools = || vec!["search_claims", "create_work_order", "produce_assessment", "get_assessment"];
        for (name, near) in [
            ("create_order", "'create_work_order'"),
            ("createWorkOrder", "'create_work_order'"),
            ("search_claim", "'search_claims'"),
            ("write_assessment", "'get_assessment' or 'produce_assessment'"),
        ] {
            let answer = no_such_tool(name, tools());
            assert!(answer.ends_with(&format!("did you mean {near}?")), "{answer}");
        }
        assert!(
            no_such_tool("google", tools())
                .ends_with("there are: search_claims, create_work_order, produce_assessment, get_assessment")
        );
    }

    #[test]
    fn a_call_is_described_by_its_arguments() {
        assert_eq!(source_of(&json!({"source_id": "gdelt"})).as_deref(), Some("gdelt"));
        assert_eq!(source_of(&json!({"url": "https://a.test"})).as_deref(), Some("web"));
        assert_eq!(source_of(&json!({})), None);
    }
}
