//! Chat completions, as OpenAI and most local servers speak them: tools, JSON schema output, and what each server does otherwise.

mod learned;
mod reply;
mod request;
mod stream;

use super::{Card, http::Failure};
use async_trait::async_trait;
use engine::models::{Model, ModelError, ModelReply, ModelRequest, Price, StopReason, Usage};
use learned::Learned;
use reply::Completion;
use serde_json::Value;
use std::sync::Mutex;
use stream::Writing;

const PATH: &str = "/chat/completions";

/// One model of a provider that speaks chat completions.
pub(super) struct OpenAi {
    card: Card,
    /// What the server has refused so far: it is not asked for again.
    learned: Mutex<Learned>,
}

impl OpenAi {
    pub fn new(card: Card) -> Self {
        let learned = Mutex::new(Learned::new(&card.config));
        Self { card, learned }
    }

    fn learned(&self) -> Learned {
        *self.learned.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// What helped is kept.
    fn learn(&self, known: Learned, learned: Learned) {
        if learned != known {
            tracing::info!(model = %self.card.name, now = ?learned, "the server does not take every request; asking it otherwise from now on");
            *self.learned.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = learned;
        }
    }

    async fn once(&self, body: &Value, request: &ModelRequest) -> Result<Completion, Failure> {
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
        let known = self.learned();
        let mut learned = known;
        loop {
            let body = request::body(&self.card, request, learned);
            let refusal = match self.once(&body, request).await {
                Ok(completion) => {
                    self.learn(known, learned);
                    return completion.into_reply(&self.card.name, request, &body);
                }
                Err(Failure::Refused(refusal)) => refusal,
                Err(failure) => return Err(self.card.wire.place().explain(failure)),
            };
            if refusal.is_filter() {
                return Ok(refused(&refusal.message));
            }
            // Each refusal takes away one thing that can be refused, so this ends.
            match learned.after(&refusal, request) {
                Some(simpler) => learned = simpler,
                None => return Err(self.card.wire.place().explain(Failure::Refused(refusal))),
            }
        }
    }
}

fn refused(why: &str) -> ModelReply {
    let stop = StopReason::Refused;
    ModelReply { text: why.into(), tool_calls: vec![], stop, usage: Usage::default(), thinking: vec![] }
}
