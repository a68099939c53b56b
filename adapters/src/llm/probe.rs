//! Tries a model out with the program's own shapes and tools: structured answers, a round of tools, a stream, and how much it can read.
//! For `autosint doctor`.

mod context;
mod questions;

use super::{BadProvider, Kind, Providers, Structured, dialect::Dialect};
use protocol::{
    model::{Message, Model, ModelError, ModelReply, OutputSchema, ReplyProgress, ToolResult, ToolSchema, Usage},
    tools::{BatchExtract, ResearchPlan, parse_json_answer},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{sync::Arc, time::Duration, time::Instant};
use tokio::sync::watch;

/// A conversation of one session with its documents needs about this much.
const USEFUL_CONTEXT: u32 = 32_000;

/// What a model is asked with: what sessions send, so that a refusal is found here.
#[derive(Clone)]
pub struct Trial {
    pub plan: Arc<OutputSchema>,
    pub extract: Arc<OutputSchema>,
    /// The tools of an Analyst.
    pub tools: Arc<[ToolSchema]>,
}

/// What was found out about a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// Whether it answers in JSON of the shapes of plans and extracts.
    pub structured: bool,
    /// Whether it calls a tool and goes on with its result.
    pub tools: bool,
    /// Whether it can be watched while it writes.
    pub streams: bool,
    /// How much it can read and write in one conversation, and who says so.
    pub context: Option<(u32, &'static str)>,
    pub tokens_per_second: Option<f64>,
    pub usage: Usage,
    /// Why it does not answer at all.
    pub down: Option<String>,
    /// What went wrong with a shape or the tools, in the words of the provider or of the check.
    pub problems: Vec<String>,
}

impl Report {
    /// Whether sessions can run on it.
    pub fn is_usable(&self) -> bool {
        self.down.is_none() && self.tools
    }

    /// One line: what it can do, what it cannot, and what follows.
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
    /// Tries the model out, within so much time. `tried` is that model, as `Providers::model` makes it, with whatever counts its calls.
    pub async fn probe(
        &self,
        provider: &str,
        model: &str,
        tried: &dyn Model,
        trial: &Trial,
        patience: Duration,
    ) -> Result<Report, BadProvider> {
        let card = self.card(provider, model)?;
        // Asked as if nothing were known: the server may have learned something since.
        card.dialect.set(Dialect::new(&card.config));
        let mut report = Report::default();
        match tokio::time::timeout(patience, try_out(tried, trial, &mut report)).await {
            Ok(Ok(())) => {}
            // That it does not answer the line says.
            Ok(Err(ModelError::Unavailable { message, .. } | ModelError::Cut(message))) => report.down = Some(message),
            Ok(Err(error)) => report.down = Some(error.to_string()),
            Err(_) => report.down = Some(format!("not done within {} s (models.probe_timeout_ms)", patience.as_secs())),
        }
        report.problems.extend(simpler(&card.dialect.get()));
        if report.down.is_none() {
            let told = tokio::time::timeout(patience, context::ask(&card)).await.ok().flatten();
            report.context = told.or(card.context_tokens.map(|tokens| (tokens, "configured")));
        }
        Ok(report)
    }
}

/// How shapes are asked for after the server has refused another way.
fn simpler(dialect: &Dialect) -> Option<String> {
    let refusal = dialect.shape_refusal.as_ref()?;
    let way = match (dialect.structured, dialect.kind) {
        (Structured::Tool, _) => "by a forced tool",
        (Structured::Json, Kind::Openai) => "as JSON of any shape, with the schema in the prompt",
        _ => "in the prompt alone",
    };
    Some(format!("shapes are asked for {way}, because the server refused more: {refusal}"))
}

/// A model that cannot do one thing may still do the others; only one that does not answer ends the trial.
async fn try_out(model: &dyn Model, trial: &Trial, report: &mut Report) -> Result<(), ModelError> {
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
    // It has answered before: what goes wrong now is the stream's.
    report.streams = streamed(model, report).await.unwrap_or(false);
    Ok(())
}

/// A reply that cannot be used says that the model cannot do this; anything else that nothing can be done.
fn survive(tried: Result<(), Flaw>, what: &str, report: &mut Report) -> Result<bool, ModelError> {
    let why = match tried {
        Ok(()) => return Ok(true),
        Err(Flaw::Reply(why)) => why,
        // What the provider refuses for one kind of request it may take for another.
        Err(Flaw::Error(ModelError::Rejected(why) | ModelError::Malformed(why))) => why,
        Err(Flaw::Error(error @ ModelError::ContextTooLong { .. })) => error.to_string(),
        Err(Flaw::Error(error)) => return Err(error),
    };
    report.problems.push(format!("{what}: {why}"));
    Ok(false)
}

/// Why a part of the trial failed.
enum Flaw {
    /// The model answered with something else.
    Reply(String),
    Error(ModelError),
}

impl From<ModelError> for Flaw {
    fn from(error: ModelError) -> Self {
        Self::Error(error)
    }
}

/// Whether an answer can be used.
type Check = fn(&str) -> bool;

/// As sessions read an answer: fields that may be left out may be missing.
fn is_answer<T: DeserializeOwned>(text: &str) -> bool {
    parse_json_answer::<T>(text).is_some()
}

async fn answers_in_shape(
    model: &dyn Model,
    shape: &Arc<OutputSchema>,
    question: &str,
    fits: Check,
    report: &mut Report,
) -> Result<(), Flaw> {
    let reply = model.call(&questions::in_shape(question, shape)).await?;
    report.usage += reply.usage;
    if fits(&reply.text) {
        return Ok(());
    }
    let answer = parse_json_answer::<Value>(&reply.text).ok_or_else(|| Flaw::Reply("the answer is not JSON".into()))?;
    Err(Flaw::Reply(misfit(&shape.schema, &answer).unwrap_or_else(|| "the answer has values that cannot be read".into())))
}

/// Where a value does not fit its schema. The value is a model's and is not shown.
fn misfit(schema: &Value, value: &Value) -> Option<String> {
    let validator = match jsonschema::validator_for(schema) {
        Ok(validator) => validator,
        Err(error) => return Some(format!("the schema cannot be used: {error}")),
    };
    let error = validator.iter_errors(value).next()?;
    let place = error.instance_path().to_string();
    let place = if place.is_empty() { "as a whole".to_owned() } else { format!("at {place}") };
    Some(format!("the answer does not fit the schema {place}"))
}

async fn round_of_tools(model: &dyn Model, tools: &Arc<[ToolSchema]>, report: &mut Report) -> Result<(), Flaw> {
    let Some(tool) = tools.iter().find(|tool| tool.name == questions::TOOL).or(tools.first()) else {
        return Err(Flaw::Reply("there are none to try".into()));
    };
    let mut request = questions::with_tools(tool, tools);
    let reply = model.call(&request).await?;
    report.usage += reply.usage;
    let Some(call) = reply.tool_calls.iter().find(|call| call.name == tool.name) else {
        return Err(Flaw::Reply(format!("it was asked to call {} and did not", tool.name)));
    };
    if let Some(why) = misfit(&tool.input_schema, &call.arguments) {
        return Err(Flaw::Reply(format!("{}: {why}", tool.name)));
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

async fn streamed(model: &dyn Model, report: &mut Report) -> Result<bool, ModelError> {
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
    fn the_line_says_what_follows_from_what_a_model_cannot_do() {
        let good = Report {
            structured: true,
            tools: true,
            streams: true,
            context: Some((200_000, "the provider")),
            ..Report::default()
        };
        assert_eq!(good.line(), "structured answers, tools, streams, 200000 tokens of context (the provider)");
        assert!(good.is_usable());
        let poor = Report { streams: true, context: Some((4096, "the server")), ..Report::default() };
        assert!(!poor.is_usable());
        for part in ["no session can run", "extraction has to ask again", "4096 is small"] {
            assert!(poor.line().contains(part), "{}", poor.line());
        }
        let refused = Report { problems: vec!["tools: says (400): no".into()], ..good.clone() };
        assert!(refused.line().ends_with("; tools: says (400): no"), "{}", refused.line());
        let down = Report { down: Some("no".into()), ..good };
        assert_eq!((down.line().as_str(), down.is_usable()), ("does not answer: no", false));
    }
}
