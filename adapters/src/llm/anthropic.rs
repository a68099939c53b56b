//! Anthropic Messages: tools, prompt caching, thinking, structured answers by one forced tool.

mod reply;
mod request;
mod stream;

use super::{
    Card,
    dialect::{self, Dialect, Exchange},
    http::Failure,
};
use async_trait::async_trait;
use protocol::model::{Model, ModelError, ModelReply, ModelRequest, Price, ReplyProgress, Usage};
use reply::Message;
use serde_json::json;
use stream::Writing;

const PATH: &str = "/v1/messages";

/// How often a turn that the provider paused is taken up again.
const MAX_PAUSES: usize = 3;

/// One model of a provider that speaks Messages.
pub(super) struct Anthropic {
    card: Card,
}

impl Anthropic {
    pub fn new(card: Card) -> Self {
        Self { card }
    }

    /// `before` is what earlier parts of the same turn have used.
    async fn message(&self, body: &serde_json::Value, request: &ModelRequest, before: Usage) -> Result<Message, Failure> {
        let wire = &self.card.wire;
        let Some(progress) = &request.progress else {
            return Ok(Message::read(&wire.post(PATH, body).await?)?);
        };
        let mut events = wire.stream(PATH, body).await?;
        let mut writing = Writing::default();
        while let Some(event) = events.next().await? {
            if let Some(message) = writing.take(&event, events.redaction())? {
                return Ok(message);
            }
            let written = writing.written();
            progress.send_replace(ReplyProgress { usage: before + written.usage, ..written });
        }
        Err(Failure::Other(ModelError::Cut("cut the reply before its end".into())))
    }
}

#[async_trait]
impl Exchange for Anthropic {
    fn card(&self) -> &Card {
        &self.card
    }

    async fn once(&self, request: &ModelRequest, dialect: &Dialect) -> Result<ModelReply, Failure> {
        let mut body = request::body(&self.card, request, dialect);
        let asked = body["messages"].as_array().map_or(0, Vec::len);
        let mut whole = Message::default();
        for _ in 0..=MAX_PAUSES {
            let message = self.message(&body, request, whole.usage.usage()).await?;
            let paused = message.is_paused();
            whole.append(message);
            if !paused {
                return Ok(whole.into_reply(&self.card.name, request)?);
            }
            let begun = json!({"role": "assistant", "content": whole.content});
            if let Some(messages) = body["messages"].as_array_mut() {
                messages.truncate(asked);
                messages.push(begun);
            }
        }
        Err(Failure::Other(ModelError::Malformed("the provider paused the turn again and again".into())))
    }
}

#[async_trait]
impl Model for Anthropic {
    fn provider(&self) -> &str {
        &self.card.provider
    }

    fn model(&self) -> &str {
        &self.card.model
    }

    fn price(&self) -> Price {
        self.card.price.clone()
    }

    fn context_tokens(&self) -> Option<u32> {
        self.card.context_tokens
    }

    fn streams(&self) -> bool {
        self.card.config.streams()
    }

    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        dialect::call(self, request).await
    }
}
