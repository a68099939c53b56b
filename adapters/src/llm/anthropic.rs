//! Anthropic Messages API: tools, prompt caching, thinking, and structured answers through one forced tool.

mod reply;
mod request;
mod stream;

use super::{
    ModelSpec,
    dialect::{Dialect, WireFormat},
    http::Failure,
};
use async_trait::async_trait;
use protocol::model::{ModelError, ModelReply, ModelRequest, ReplyProgress, Usage};
use reply::Message;
use serde_json::json;
use stream::PartialMessage;

const PATH: &str = "/v1/messages";

/// Maximum number of continuations of a turn that the provider paused.
const MAX_PAUSES: usize = 3;

/// A model behind the Messages API.
pub(super) struct Anthropic {
    spec: ModelSpec,
}

impl Anthropic {
    pub fn new(spec: ModelSpec) -> Self {
        Self { spec }
    }

    /// Sends one message; `before` is the usage of earlier parts of the same turn.
    async fn message(&self, body: &serde_json::Value, request: &ModelRequest, before: Usage) -> Result<Message, Failure> {
        let client = &self.spec.client;
        let Some(progress) = &request.progress else {
            return Ok(Message::read(&client.post(PATH, body).await?)?);
        };
        let mut events = client.stream(PATH, body).await?;
        let mut partial = PartialMessage::default();
        while let Some(event) = events.next().await? {
            if let Some(message) = partial.take(&event, events.redaction())? {
                return Ok(message);
            }
            let written = partial.progress();
            progress.send_replace(ReplyProgress { usage: before + written.usage, ..written });
        }
        Err(Failure::Other(ModelError::Cut("cut the reply before its end".into())))
    }
}

#[async_trait]
impl WireFormat for Anthropic {
    fn spec(&self) -> &ModelSpec {
        &self.spec
    }

    async fn send(&self, request: &ModelRequest, dialect: &Dialect) -> Result<ModelReply, Failure> {
        let mut body = request::body(&self.spec, request, dialect);
        let asked = body["messages"].as_array().map_or(0, Vec::len);
        let mut whole = Message::default();
        for _ in 0..=MAX_PAUSES {
            let message = self.message(&body, request, whole.usage.usage()).await?;
            let paused = message.is_paused();
            whole.append(message);
            if !paused {
                return Ok(whole.into_reply(&self.spec.name, request, &body)?);
            }
            let begun = json!({"role": "assistant", "content": whole.content});
            if let Some(messages) = body["messages"].as_array_mut() {
                messages.truncate(asked);
                messages.push(begun);
            }
        }
        Err(Failure::Other(ModelError::Malformed("the provider paused the turn too often".into())))
    }
}
