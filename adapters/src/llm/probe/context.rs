//! The context size of a model, as reported by its provider. Each server reports it elsewhere; an unreported size stays unknown.

use super::super::{ApiKind, ModelSpec, http::HttpClient};
use serde_json::{Value, json};

type ContextSize = (u32, &'static str);

/// Queries the endpoints where this kind of provider may report it.
pub(super) async fn ask(spec: &ModelSpec) -> Option<ContextSize> {
    let client = &spec.client;
    match spec.config.kind {
        ApiKind::Anthropic => {
            let url = format!("{}/v1/models/{}", client.address(), spec.model);
            number(&get(client, &url).await?["max_input_tokens"]).map(|tokens| (tokens, "the provider"))
        }
        ApiKind::Openai => {
            let root = client.address().trim_end_matches("/v1").to_owned();
            if let Some(told) = llama_cpp(client, &root).await {
                return Some(told);
            }
            if let Some(told) = ollama(client, &root, &spec.model).await {
                return Some(told);
            }
            from_model_list(client, &spec.model).await
        }
    }
}

/// vLLM and several gateways report it in the list of models.
async fn from_model_list(client: &HttpClient, model: &str) -> Option<ContextSize> {
    let models = get(client, &format!("{}/models", client.address())).await?;
    let entry = models["data"].as_array()?.iter().find(|entry| entry["id"] == model)?;
    let keys = ["max_model_len", "context_length", "context_window", "max_context_length"];
    keys.iter().find_map(|key| number(&entry[*key])).map(|tokens| (tokens, "the server"))
}

/// llama.cpp reports the context of one conversation, which is less than the model's maximum.
async fn llama_cpp(client: &HttpClient, root: &str) -> Option<ContextSize> {
    let props = get(client, &format!("{root}/props")).await?;
    number(&props["default_generation_settings"]["n_ctx"]).map(|tokens| (tokens, "llama.cpp"))
}

/// Ollama reports the context of the running model, else that of its model file. The model's maximum is irrelevant.
async fn ollama(client: &HttpClient, root: &str, model: &str) -> Option<ContextSize> {
    let running = get(client, &format!("{root}/api/ps")).await?;
    let is_it = |entry: &&Value| {
        let name = entry["name"].as_str().or_else(|| entry["model"].as_str()).unwrap_or_default();
        name == model || name.strip_suffix(":latest") == Some(model)
    };
    let found = running["models"].as_array()?.iter().find(is_it).and_then(|entry| number(&entry["context_length"]));
    if let Some(tokens) = found {
        return Some((tokens, "Ollama, as it runs"));
    }
    let shown = client.ask(&format!("{root}/api/show"), &json!({"model": model})).await.ok()?;
    let set = shown["parameters"].as_str()?.lines().find_map(|line| line.trim().strip_prefix("num_ctx"))?.trim();
    set.parse().ok().map(|tokens| (tokens, "Ollama's model file"))
}

async fn get(client: &HttpClient, url: &str) -> Option<Value> {
    client.get(url).await.ok()
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|tokens| u32::try_from(tokens).ok()).filter(|tokens| *tokens > 0)
}
