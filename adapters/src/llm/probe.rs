//! A probe of a model with the program's own schemas and tools: structured answers, a round of tools, streaming, and context size. Used
//! by `autosint doctor` and the settings page.

mod context;
mod questions;

use super::{ApiKind, BadProvider, Providers, StructuredOutput, dialect::Dialect};
use protocol::{
    model::{Message, Model, ModelError, ModelReply, OutputSchema, ReplyProgress, ToolResult, ToolSchema, Usage},
    schema::violations,
    tools::{BatchExtract, ResearchPlan, parse_json_answer},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{sync::Arc, time::Duration, time::Instant};
use tokio::sync::watch;

/// Context needed for a session with its documents, in tokens.
const USEFUL_CONTEXT: u32 = 32_000;

/// The inputs of a probe: those of real sessions, so that a refusal is found here.
#[derive(Clone)]
pub struct ProbeInput {
    pub plan: Arc<OutputSchema>,
    pub extract: Arc<OutputSchema>,
    /// Tools of an Analyst.
    pub tools: Arc<[ToolSchema]>,
}

/// The result of a probe.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProbeReport {
    /// Whether it answers in JSON of the plan and extract schemas.
    pub structured: bool,
    /// Whether it calls a tool and continues with the result.
    pub tools: bool,
    /// Whether it streams.
    pub streams: bool,
    /// Context size in tokens, and who reported it.
    pub context: Option<(u32, &'static str)>,
    pub tokens_per_second: Option<f64>,
    pub usage: Usage,
    /// The reason why it does not answer at all.
    pub down: Option<String>,
    /// Problems with a schema or the tools, in the words of the provider or of the check.
    pub problems: Vec<String>,
}

impl ProbeReport {
    /// Whether sessions can run on it.
    pub fn is_usable(&self) -> bool {
        self.down.is_none() && self.tools
    }

    /// Returns one line with its abilities, problems and their consequences.
    pub fn line(&self) -> String {
        if let Some(why) = &self.down {
            return format!("does not answer: {why}");
        }
        let can = |does: bool, what: &'static str| does.then(|| what.to_owned());
        let speed = self.tokens_per_second.map(|speed| format!("{speed:.0} tokens/s"));
        let context = self.context.map(|(tokens, by)| format!("{tokens} tokens of context ({by})"));
        let parts = [
            can(self.structured, "structured answers"),
            can(self.tools, "tools"),
            can(self.streams, "streams"),
            context,
            speed,
        ];
        let can = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let cannot = self.shortcomings().into_iter().chain(self.problems.iter().cloned()).collect::<Vec<_>>().join("; ");
        match (can.is_empty(), cannot.is_empty()) {
            (_, true) => can,
            (true, false) => cannot,
            (false, false) => format!("{can}; {cannot}"),
        }
    }

    fn shortcomings(&self) -> Vec<String> {
        let lacks = |does: bool, what: &str| (!does).then(|| what.to_owned());
        let context = match self.context {
            None => Some("its context is not known: set models.context_tokens, or long conversations fail late".to_owned()),
            Some((tokens, _)) if tokens < USEFUL_CONTEXT => Some(format!(
                "a context of {tokens} is small: conversations are cut short, and some servers drop their beginning unsaid"
            )),
            Some(_) => None,
        };
        [
            lacks(self.tools, "cannot call tools, so no session can run on it: choose another model"),
            lacks(self.structured, "cannot answer in a given shape, so extraction has to ask again and may miss claims"),
            lacks(self.streams, "cannot be watched while it writes, so a person waits without a sign of life"),
            context,
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

impl Providers {
    /// Probes the model within a time limit. `tried` is that model from `Providers::model`, with a call counter around it.
    pub async fn probe(
        &self,
        provider: &str,
        model: &str,
        tried: &dyn Model,
        trial: &ProbeInput,
        patience: Duration,
    ) -> Result<ProbeReport, BadProvider> {
        let spec = self.spec(provider, model)?;
        // Asked as if nothing were known: the server may have learned something since.
        spec.dialect.set(Dialect::new(&spec.config));
        let mut report = ProbeReport::default();
        match tokio::time::timeout(patience, try_out(tried, trial, &mut report)).await {
            Ok(Ok(())) => {}
            // That it does not answer the line says.
            Ok(Err(ModelError::Unavailable { message, .. } | ModelError::Cut(message))) => report.down = Some(message),
            Ok(Err(error)) => report.down = Some(error.to_string()),
            Err(_) => report.down = Some(format!("not done within {} s (models.probe_timeout_ms)", patience.as_secs())),
        }
        report.problems.extend(simpler(&spec.dialect.get()));
        if report.down.is_none() {
            let told = tokio::time::timeout(patience, context::ask(&spec)).await.ok().flatten();
            report.context = told.or(spec.context_tokens.map(|tokens| (tokens, "configured")));
        }
        Ok(report)
    }
}

/// Describes the method of structured output after the server has refused another.
fn simpler(dialect: &Dialect) -> Option<String> {
    let refusal = dialect.shape_error.as_ref()?;
    let way = match (dialect.structured, dialect.kind) {
        (StructuredOutput::Tool, _) => "by a forced tool",
        (StructuredOutput::Json, ApiKind::Openai) => "as JSON of any shape, with the schema in the prompt",
        _ => "in the prompt alone",
    };
    Some(format!("shapes are asked for {way}, because the server refused more: {refusal}"))
}

/// Runs all parts of the probe; a failed part does not stop the others, a model that does not answer does.
async fn try_out(model: &dyn Model, trial: &ProbeInput, report: &mut ProbeReport) -> Result<(), ModelError> {
    report.structured = true;
    let parts = [
        (&trial.plan, questions::PLAN, is_answer::<ResearchPlan> as Check),
        (&trial.extract, questions::EXTRACT, is_answer::<BatchExtract>),
    ];
    for (shape, question, fits) in parts {
        let answered = answers_in_shape(model, shape, question, fits, report).await;
        report.structured &= survive(answered, &shape.name, report)?;
    }
    let tools = round_of_tools(model, &trial.tools, report).await;
    report.tools = survive(tools, "tools", report)?;
    // It has answered before, so that this failure is one of streaming.
    report.streams = streamed(model, report).await.unwrap_or(false);
    Ok(())
}

/// Records an unusable reply as a missing ability; other errors end the probe.
fn survive(tried: Result<(), ProbeFailure>, what: &str, report: &mut ProbeReport) -> Result<bool, ModelError> {
    let why = match tried {
        Ok(()) => return Ok(true),
        Err(ProbeFailure::Reply(why)) => why,
        // What the provider refuses for one kind of request it may take for another.
        Err(ProbeFailure::Error(ModelError::Rejected(why) | ModelError::Malformed(why))) => why,
        Err(ProbeFailure::Error(error @ ModelError::ContextTooLong { .. })) => error.to_string(),
        Err(ProbeFailure::Error(error)) => return Err(error),
    };
    report.problems.push(format!("{what}: {why}"));
    Ok(false)
}

/// The failure of a part of the probe.
enum ProbeFailure {
    /// An unusable reply.
    Reply(String),
    Error(ModelError),
}

impl From<ModelError> for ProbeFailure {
    fn from(error: ModelError) -> Self {
        Self::Error(error)
    }
}

/// A check of an answer.
type Check = fn(&str) -> bool;

/// Whether sessions could parse the answer: optional fields may be missing.
fn is_answer<T: DeserializeOwned>(text: &str) -> bool {
    parse_json_answer::<T>(text).is_some()
}

async fn answers_in_shape(
    model: &dyn Model,
    shape: &Arc<OutputSchema>,
    question: &str,
    fits: Check,
    report: &mut ProbeReport,
) -> Result<(), ProbeFailure> {
    let reply = model.call(&questions::in_shape(question, shape)).await?;
    report.usage += reply.usage;
    if fits(&reply.text) {
        return Ok(());
    }
    let answer = parse_json_answer::<Value>(&reply.text).ok_or_else(|| ProbeFailure::Reply("the answer is not JSON".into()))?;
    Err(ProbeFailure::Reply(
        misfit(&shape.schema, &answer).unwrap_or_else(|| "the answer has values that cannot be read".into()),
    ))
}

/// Returns the path at which a value violates its schema. The value is a model's and is not shown.
fn misfit(schema: &Value, value: &Value) -> Option<String> {
    let path = violations(schema, value).into_iter().next()?.path;
    let place = if path.is_empty() { "as a whole".to_owned() } else { format!("at {path}") };
    Some(format!("the answer does not fit the schema {place}"))
}

async fn round_of_tools(model: &dyn Model, tools: &Arc<[ToolSchema]>, report: &mut ProbeReport) -> Result<(), ProbeFailure> {
    let Some(tool) = tools.iter().find(|tool| tool.name == questions::TOOL).or(tools.first()) else {
        return Err(ProbeFailure::Reply("there are none to try".into()));
    };
    let mut request = questions::with_tools(tool, tools);
    let reply = model.call(&request).await?;
    report.usage += reply.usage;
    let Some(call) = reply.tool_calls.iter().find(|call| call.name == tool.name) else {
        return Err(ProbeFailure::Reply(format!("it was asked to call {} and did not", tool.name)));
    };
    if let Some(why) = misfit(&tool.input_schema, &call.arguments) {
        return Err(ProbeFailure::Reply(format!("{}: {why}", tool.name)));
    }
    let results =
        reply.tool_calls.iter().map(|call| ToolResult { id: call.id.clone(), content: "none".into(), is_error: false });
    let results = results.collect();
    let ModelReply { text, tool_calls, thinking, .. } = reply;
    request.messages.extend([Message::Assistant { text, tool_calls, thinking }, Message::Tools { results }]);
    let reply = model.call(&request).await?;
    report.usage += reply.usage;
    Ok(())
}

async fn streamed(model: &dyn Model, report: &mut ProbeReport) -> Result<bool, ModelError> {
    let (progress, watched) = watch::channel(ReplyProgress::default());
    let mut request = questions::request(questions::COUNT);
    request.progress = Some(progress);
    let started = Instant::now();
    let reply = model.call(&request).await?;
    let seconds = started.elapsed().as_secs_f64();
    report.usage += reply.usage;
    if reply.usage.tokens_out > 0 && seconds > 0.0 {
        report.tokens_per_second = Some(reply.usage.tokens_out as f64 / seconds);
    }
    Ok(watched.borrow().bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_the_consequences_of_missing_abilities() {
        let good = ProbeReport {
            structured: true,
            tools: true,
            streams: true,
            context: Some((200_000, "the provider")),
            ..ProbeReport::default()
        };
        assert_eq!(good.line(), "structured answers, tools, streams, 200000 tokens of context (the provider)");
        assert!(good.is_usable());
        let poor = ProbeReport { streams: true, context: Some((4096, "the server")), ..ProbeReport::default() };
        assert!(!poor.is_usable());
        for part in ["no session can run", "extraction has to ask again", "4096 is small"] {
            assert!(poor.line().contains(part), "{}", poor.line());
        }
        let refused = ProbeReport { problems: vec!["tools: says (400): no".into()], ..good.clone() };
        assert!(refused.line().ends_with("; tools: says (400): no"), "{}", refused.line());
        let down = ProbeReport { down: Some("no".into()), ..good };
        assert_eq!((down.line().as_str(), down.is_usable()), ("does not answer: no", false));
    }
}
