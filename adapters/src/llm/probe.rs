//! Tries a model out: an answer of a given shape, a round of tools, a stream, and how much it can read. For `autosint doctor`.

mod context;

use super::{BadProvider, Providers};
use domain::agent::AgentRole;
use engine::models::{
    Message, Model, ModelError, ModelReply, ModelRequest, OutputSchema, ToolResult, ToolSchema, Usage, Written,
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration, time::Instant};
use tokio::sync::watch;

/// Enough for these answers, and for a model that thinks first.
const MAX_OUTPUT_TOKENS: u32 = 2048;

/// A conversation of one session with its documents needs about this much.
const USEFUL_CONTEXT: u32 = 32_000;

const TOOL: &str = "note";

/// What was found out about a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// Whether it answers in JSON of a given shape.
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
        let cannot = self.shortcomings().join("; ");
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
        patience: Duration,
    ) -> Result<Report, BadProvider> {
        let card = self.card(provider, model)?;
        let mut report = Report::default();
        let trial = try_out(tried, &mut report);
        match tokio::time::timeout(patience, trial).await {
            Ok(Ok(())) => {}
            // That it does not answer the line says.
            Ok(Err(ModelError::Unavailable { message, .. } | ModelError::Cut(message))) => report.down = Some(message),
            Ok(Err(error)) => report.down = Some(error.to_string()),
            Err(_) => report.down = Some(format!("not done within {} s (models.probe_timeout_ms)", patience.as_secs())),
        }
        if report.down.is_none() {
            let told = tokio::time::timeout(patience, context::ask(&card)).await.ok().flatten();
            report.context = told.or(card.context_tokens.map(|tokens| (tokens, "configured")));
        }
        Ok(report)
    }
}

/// A model that cannot do one thing may still do the others; only one that does not answer ends the trial.
async fn try_out(model: &dyn Model, report: &mut Report) -> Result<(), ModelError> {
    report.structured = match model.call(&structured()).await {
        Ok(reply) => {
            report.usage += reply.usage;
            fits(&reply.text)
        }
        Err(error) => survive(error)?,
    };
    report.tools = match round_of_tools(model, report).await {
        Ok(does) => does,
        Err(error) => survive(error)?,
    };
    // It has answered before: what goes wrong now is the stream's.
    report.streams = streamed(model, report).await.unwrap_or(false);
    Ok(())
}

/// A reply that cannot be used says that the model cannot do this; anything else that nothing can be done.
fn survive(error: ModelError) -> Result<bool, ModelError> {
    match error {
        ModelError::Malformed(_) | ModelError::ContextTooLong { .. } => Ok(false),
        // What the provider refuses for one kind of request it may take for another.
        ModelError::Rejected(_) => Ok(false),
        error => Err(error),
    }
}

fn request(question: &str) -> ModelRequest {
    ModelRequest {
        role: AgentRole::Processor,
        system: "You are being tested. Do exactly what you are asked, briefly.".into(),
        messages: vec![Message::User { text: question.into() }],
        tools: Arc::new([]),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        output_schema: None,
        progress: None,
    }
}

fn structured() -> ModelRequest {
    let schema = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "letters": {"type": "integer"}},
        "required": ["city", "letters"],
        "additionalProperties": false,
    });
    let schema = Arc::new(OutputSchema { name: "answer".into(), schema });
    ModelRequest { output_schema: Some(schema), ..request("What is the capital of France, and how many letters has its name?") }
}

fn fits(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|answer| answer["city"].is_string() && answer["letters"].is_i64())
}

async fn round_of_tools(model: &dyn Model, report: &mut Report) -> Result<bool, ModelError> {
    let tool = ToolSchema {
        name: TOOL.into(),
        description: "Writes a text down.".into(),
        input_schema: json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}),
    };
    let mut request = request("Call the tool `note` with the text \"ready\". When you have its result, say \"done\".");
    request.tools = Arc::new([tool]);
    let reply = model.call(&request).await?;
    report.usage += reply.usage;
    let called = reply.tool_calls.first().is_some_and(|call| call.name == TOOL && call.arguments["text"].is_string());
    if !called {
        return Ok(false);
    }
    let results =
        reply.tool_calls.iter().map(|call| ToolResult { id: call.id.clone(), content: "written".into(), is_error: false });
    let results = results.collect();
    let ModelReply { text, tool_calls, thinking, .. } = reply;
    request.messages.extend([Message::Assistant { text, tool_calls, thinking }, Message::Tools { results }]);
    let reply = model.call(&request).await?;
    report.usage += reply.usage;
    Ok(true)
}

async fn streamed(model: &dyn Model, report: &mut Report) -> Result<bool, ModelError> {
    let (progress, watched) = watch::channel(Written::default());
    let mut request = request("Count from one to sixty in words, one after the other, and write nothing else.");
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
        let down = Report { down: Some("no".into()), ..good };
        assert_eq!((down.line().as_str(), down.is_usable()), ("does not answer: no", false));
    }
}
