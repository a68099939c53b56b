//! Model with a scripted override for some requests; the `extractive` provider answers the others.

use crate::prelude::*;
use extractive::Extractive;
use protocol::model::{Message, Model, StopReason, ToolRequest, Usage};
use std::sync::atomic::AtomicBool;

type Script = Box<dyn Fn(&ModelRequest) -> Option<ModelReply> + Send + Sync>;

pub struct ScriptedModel {
    play: Script,
    rest: Extractive,
}

impl ScriptedModel {
    /// Script; `None` falls back to the provider.
    pub fn new(play: impl Fn(&ModelRequest) -> Option<ModelReply> + Send + Sync + 'static) -> Self {
        let files = server::built_in::config_files(None).unwrap();
        Self { play: Box::new(play), rest: Extractive::new(|path| files.get(path)).unwrap() }
    }

    /// Returns a model whose Analyst creates these work orders first.
    pub fn ordering(orders: Vec<Value>) -> Self {
        let is_ordered = AtomicBool::new(false);
        Self::new(move |request| match request.messages.last()? {
            Message::User { .. } if !is_ordered.swap(true, Ordering::SeqCst) => {
                Some(calls(orders.iter().map(|order| ("create_work_order", order.clone())).collect()))
            }
            Message::Tools { results } if results.iter().all(|result| result.content.contains("work_order")) => {
                Some(says("Ordered."))
            }
            _ => None,
        })
    }
}

#[async_trait]
impl Model for ScriptedModel {
    fn provider(&self) -> &'static str {
        "player"
    }

    fn model(&self) -> &'static str {
        "player-1"
    }

    fn wants_vectors(&self) -> bool {
        false
    }

    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        match (self.play)(request) {
            Some(reply) => Ok(reply),
            None => scripted::stand_in::reply(&self.rest, request).await,
        }
    }
}

pub fn says(text: &str) -> ModelReply {
    answers(text, vec![])
}

pub fn calls(calls: Vec<(&str, Value)>) -> ModelReply {
    answers("", calls)
}

pub fn answers(text: &str, calls: Vec<(&str, Value)>) -> ModelReply {
    let named = (0..).zip(calls);
    let tool_calls: Vec<_> =
        named.map(|(n, (name, arguments))| ToolRequest { id: format!("c{n}"), name: name.into(), arguments }).collect();
    let stop = if tool_calls.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse };
    ModelReply { text: text.into(), tool_calls, stop, usage: Usage::default(), thinking: vec![] }
}

/// Returns the name of the output schema; empty in a conversation with tools.
pub fn shape(request: &ModelRequest) -> &str {
    request.output_schema.as_ref().map_or("", |shape| &shape.name)
}
