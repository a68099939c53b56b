//! Chat completions API of OpenAI and most local servers: tools, JSON schema output, and the differences of each server.

mod reply;
mod request;
mod stream;

use super::{
    ModelSpec,
    dialect::{Dialect, WireFormat},
    http::Failure,
};
use async_trait::async_trait;
use protocol::model::{ModelError, ModelReply, ModelRequest};
use reply::Completion;
use serde_json::Value;
use stream::PartialCompletion;

const PATH: &str = "/chat/completions";

/// A model behind the chat completions API.
pub(super) struct OpenAi {
    spec: ModelSpec,
}

impl OpenAi {
    pub fn new(spec: ModelSpec) -> Self {
        Self { spec }
    }

    async fn completion(&self, body: &Value, request: &ModelRequest) -> Result<Completion, Failure> {
        let client = &self.spec.client;
        let Some(progress) = &request.progress else {
            return Ok(Completion::read(&client.post(PATH, body).await?)?);
        };
        let mut events = client.stream(PATH, body).await?;
        let mut partial = PartialCompletion::default();
        while let Some(event) = events.next().await? {
            if partial.take(&event, events.redaction())? {
                break;
            }
            progress.send_replace(partial.progress());
        }
        Ok(partial.finish().ok_or_else(|| ModelError::Cut("cut the reply before its end".into()))?)
    }
}

#[async_trait]
impl WireFormat for OpenAi {
    fn spec(&self) -> &ModelSpec {
        &self.spec
    }

    async fn send(&self, request: &ModelRequest, dialect: &Dialect) -> Result<ModelReply, Failure> {
        let body = request::body(&self.spec, request, dialect);
        let completion = self.completion(&body, request).await?;
        Ok(completion.into_reply(&self.spec.name, request, &body))
    }
}
