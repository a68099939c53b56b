//! The models that a provider lists.

use super::{ApiKind, Providers, http::HttpClient};
use serde_json::Value;
use std::collections::BTreeSet;

/// Most models of a list.
const MOST: usize = 200;

impl Providers {
    /// Returns the names of the models that a provider lists, or why it lists none.
    pub async fn list_models(&self, provider: &str) -> Result<Vec<String>, String> {
        let config = self.provider(provider).map_err(|problem| problem.to_string())?;
        let path = match config.kind {
            ApiKind::Anthropic => "/v1/models?limit=200",
            ApiKind::Openai => "/models",
        };
        let client = HttpClient::new(provider, "models", &config, self.keys.clone()).map_err(|problem| problem.to_string())?;
        let url = format!("{}{path}", client.address());
        match client.get(&url).await {
            Ok(answer) => Ok(names(&answer)),
            Err(failure) => Err(client.endpoint().explain(failure).to_string()),
        }
    }
}

/// Returns the ids of a list in the form that all providers share: `{"data": [{"id": …}]}`.
fn names(answer: &Value) -> Vec<String> {
    let entries = answer.get("data").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let names: BTreeSet<&str> = entries.iter().filter_map(|entry| entry.get("id")?.as_str()).collect();
    names.into_iter().take(MOST).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn models_are_listed_once_in_order() {
        let answer = json!({"data": [{"id": "qwen3:8b"}, {"id": "llama3.2"}, {"id": "qwen3:8b"}, {"name": "none"}]});
        assert_eq!(names(&answer), ["llama3.2", "qwen3:8b"]);
        assert!(names(&json!({"models": []})).is_empty());
    }
}
