//! Embeddings over HTTP: the embeddings API of OpenAI, Ollama, vLLM, llama.cpp and compatible servers.

use super::{
    ApiKind, BadProvider, Providers,
    http::{Failure, HttpClient},
};
use crate::embed::normalise;
use async_trait::async_trait;
use engine::embeddings::{EmbedError, Embedder};
use serde::Deserialize;
use serde_json::json;

const PATH: &str = "/embeddings";

/// An embedding model behind the embeddings API.
pub struct RemoteEmbedder {
    /// `provider:model`.
    model: String,
    /// Name at the provider.
    remote_name: String,
    dimensions: usize,
    max_chars: usize,
    client: HttpClient,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    /// Position of the text; servers that leave it out answer in order.
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl Providers {
    /// Returns an embedding model, ready to be called. Texts above `max_chars` are cut.
    pub fn embedder(
        &self,
        provider: &str,
        model: &str,
        dimensions: usize,
        max_chars: usize,
    ) -> Result<RemoteEmbedder, BadProvider> {
        let config = self.provider(provider)?;
        if config.kind == ApiKind::Anthropic {
            let problem = "it has no embeddings API; name a provider of kind \"openai\" in embed.model".to_owned();
            return Err(BadProvider::Unusable { name: provider.to_owned(), problem });
        }
        let client = HttpClient::new(provider, model, &config, self.keys.clone())?;
        let remote_name = model.to_owned();
        Ok(RemoteEmbedder { model: format!("{provider}:{model}"), remote_name, dimensions, max_chars, client })
    }
}

impl RemoteEmbedder {
    fn error(&self, problem: &str) -> EmbedError {
        EmbedError(format!("{} {problem}", self.model))
    }

    /// Returns the vectors in the order of the texts.
    fn vectors(&self, answer: Answer, texts: usize) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut rows: Vec<(usize, Vec<f32>)> =
            answer.data.into_iter().enumerate().map(|(at, row)| (row.index.unwrap_or(at), row.embedding)).collect();
        rows.sort_by_key(|(at, _)| *at);
        if rows.len() != texts || rows.iter().enumerate().any(|(at, (index, _))| at != *index) {
            return Err(self.error(&format!("sent {} vectors for {texts} texts", rows.len())));
        }
        let mut vectors: Vec<Vec<f32>> = rows.into_iter().map(|(_, vector)| vector).collect();
        if let Some(other) = vectors.iter().find(|vector| vector.len() != self.dimensions) {
            let (sent, set) = (other.len(), self.dimensions);
            return Err(
                self.error(&format!("sends vectors of {sent} dimensions: set embed.dimensions, which is {set}, to {sent}"))
            );
        }
        vectors.iter_mut().for_each(|vector| normalise(vector));
        Ok(vectors)
    }
}

#[async_trait]
impl Embedder for RemoteEmbedder {
    fn model(&self) -> &str {
        &self.model
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if texts.is_empty() {
            return Ok(vec![]);
        }
        let cut = |text: &String| text.chars().take(self.max_chars).collect::<String>();
        let body = json!({"model": self.remote_name, "input": texts.iter().map(cut).collect::<Vec<_>>()});
        let answer = self.client.post(PATH, &body).await.map_err(|failure| match failure {
            Failure::Response(refused) => self.error(&format!("answered with status {}: {}", refused.status, refused.message)),
            Failure::Other(error) => self.error(&error.to_string()),
        })?;
        let answer = serde_json::from_value(answer).map_err(|_| self.error("sent something else than vectors"))?;
        self.vectors(answer, texts.len())
    }
}
