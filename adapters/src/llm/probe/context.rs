//! How much a model can read, asked of its provider. Each server tells it elsewhere; what is not told stays unknown.

use super::super::{Card, Kind, http::Wire};
use serde_json::{Value, json};

type Told = (u32, &'static str);

/// Asks wherever this kind of provider may know.
pub(super) async fn ask(card: &Card) -> Option<Told> {
    let wire = &card.wire;
    match card.config.kind {
        Kind::Anthropic => {
            let url = format!("{}/v1/models/{}", wire.address(), card.model);
            number(&get(wire, &url).await?["max_input_tokens"]).map(|tokens| (tokens, "the provider"))
        }
        Kind::Openai => {
            let root = wire.address().trim_end_matches("/v1").to_owned();
            if let Some(told) = llama_cpp(wire, &root).await {
                return Some(told);
            }
            if let Some(told) = ollama(wire, &root, &card.model).await {
                return Some(told);
            }
            listed(wire, &card.model).await
        }
    }
}

/// vLLM and several gateways tell it in the list of models.
async fn listed(wire: &Wire, model: &str) -> Option<Told> {
    let models = get(wire, &format!("{}/models", wire.address())).await?;
    let entry = models["data"].as_array()?.iter().find(|entry| entry["id"] == model)?;
    let keys = ["max_model_len", "context_length", "context_window", "max_context_length"];
    keys.iter().find_map(|key| number(&entry[*key])).map(|tokens| (tokens, "the server"))
}

/// llama.cpp: what one conversation has, which is less than the model was made for.
async fn llama_cpp(wire: &Wire, root: &str) -> Option<Told> {
    let props = get(wire, &format!("{root}/props")).await?;
    number(&props["default_generation_settings"]["n_ctx"]).map(|tokens| (tokens, "llama.cpp"))
}

/// Ollama: what the running model was started with; else what its file sets. What the model was made for says nothing.
async fn ollama(wire: &Wire, root: &str, model: &str) -> Option<Told> {
    let running = get(wire, &format!("{root}/api/ps")).await?;
    let is_it = |entry: &&Value| {
        let name = entry["name"].as_str().or_else(|| entry["model"].as_str()).unwrap_or_default();
        name == model || name.strip_suffix(":latest") == Some(model)
    };
    let found = running["models"].as_array()?.iter().find(is_it).and_then(|entry| number(&entry["context_length"]));
    if let Some(tokens) = found {
        return Some((tokens, "Ollama, as it runs"));
    }
    let shown = wire.ask(&format!("{root}/api/show"), &json!({"model": model})).await.ok()?;
    let set = shown["parameters"].as_str()?.lines().find_map(|line| line.trim().strip_prefix("num_ctx"))?.trim();
    set.parse().ok().map(|tokens| (tokens, "Ollama's model file"))
}

async fn get(wire: &Wire, url: &str) -> Option<Value> {
    wire.get(url).await.ok()
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|tokens| u32::try_from(tokens).ok()).filter(|tokens| *tokens > 0)
}
