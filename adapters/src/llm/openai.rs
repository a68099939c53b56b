//! Chat completions, as OpenAI and most local servers speak them: tools, JSON schema output, and what each server does otherwise.

mod reply;
mod request;
mod stream;

use super::{
    Card,
    dialect::{self, Dialect, Exchange},
    http::Failure,
};
use async_trait::async_trait;
use protocol::model::{Model, ModelError, ModelReply, ModelRequest, Price};
use reply::Completion;
use serde_json::Value;
use stream::Writing;

const PATH: &str = "/chat/completions";

/// One model of a provider that speaks chat completions.
pub(super) struct OpenAi {
    card: Card,
}

impl OpenAi {
    pub fn new(card: Card) -> Self {
        Self { card }
    }

    async fn completion(&self, body: &Value, request: &ModelRequest) -> Result<Completion, Failure> {
        let wire = &self.card.wire;
        let Some(progress) = &request.progress else {
            return Ok(Completion::read(&wire.post(PATH, body).await?)?);
        };
        let mut events = wire.stream(PATH, body).await?;
        let mut writing = Writing::default();
        while let Some(event) = events.next().await? {
            if writing.take(&event, events.redaction())? {
                break;
            }
            progress.send_replace(writing.written());
        }
        Ok(writing.finish().ok_or_else(|| ModelError::Cut("cut the reply before its end".into()))?)
    }
}

#[async_trait]
impl Exchange for OpenAi {
    fn card(&self) -> &Card {
        &self.card
    }

    async fn once(&self, request: &ModelRequest, dialect: &Dialect) -> Result<ModelReply, Failure> {
        let body = request::body(&self.card, request, dialect);
        let completion = self.completion(&body, request).await?;
        Ok(completion.into_reply(&self.card.name, request, &body)?)
    }
}

#[async_trait]
impl Model for OpenAi {
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
