//! `doctor --probe`: what is found out about a model.

use super::{
    fixtures::FixtureServer,
    setup::{WIRES, provider, providers, server, trial},
};
use adapters::llm::{ApiKind, ProviderConfig, StructuredOutput, probe::ProbeReport};
use scripted::{Fault, FaultKind, FaultPlan, Quirk};
use serde_json::json;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);

async fn probed(config: ProviderConfig, model: &str, patience: Duration) -> ProbeReport {
    let providers = providers(config);
    let tried = providers.model("test", model).unwrap();
    providers.probe("test", model, &*tried, &trial(), patience).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_probe_reports_a_fully_capable_model() {
    let server = server(FaultPlan::default()).await;
    for wire in WIRES {
        let report = probed(provider(wire, &server.url()), "scripted", PATIENCE).await;
        assert!(report.is_usable() && report.structured && report.streams, "{wire:?}: {report:?}");
        assert_eq!(report.context.map(|(tokens, _)| tokens), Some(200_000), "{wire:?}");
        assert!(report.tokens_per_second.is_some() && report.usage.tokens_in > 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_probe_reports_missing_abilities_with_their_consequences() {
    let never_calls = FaultPlan::single(FaultKind::Hostile { text: "I would rather talk.".into() });
    let cases: [(FaultPlan, &[&str]); 4] = [
        (never_calls, &["cannot call tools", "cannot answer in a given shape"]),
        (FaultPlan::single(FaultKind::Auth), &["does not answer", "401"]),
        (FaultPlan::single(FaultKind::ServerError), &["does not answer", "500"]),
        (
            FaultPlan { faults: vec![Fault::at(&[1], FaultKind::Empty)], ..FaultPlan::default() },
            &["cannot answer in a given shape", "tools,"],
        ),
    ];
    for (plan, parts) in cases {
        for wire in WIRES {
            let server = server(plan.clone()).await;
            let report = probed(provider(wire, &server.url()), "scripted", PATIENCE).await;
            for part in parts {
                assert!(report.line().contains(part), "{wire:?} {plan:?}: {}", report.line());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_probe_asks_with_the_shapes_and_tools_of_sessions() {
    for wire in WIRES {
        let server = server(FaultPlan::default()).await;
        let report = probed(provider(wire, &server.url()), "scripted", PATIENCE).await;
        assert_eq!(report.problems, Vec::<String>::new());
        let entries = server.log().entries;
        let shapes: Vec<&str> = entries.iter().filter_map(|entry| entry.schema.as_deref()).collect();
        assert_eq!(shapes, ["research_plan", "batch_extract"], "{wire:?}");
        assert!(entries.iter().any(|entry| entry.role == "analyst"), "{wire:?}: the tools of an Analyst were sent");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_probe_reports_refused_features_and_their_substitutes() {
    let quirks = vec![Quirk::NoJsonSchema, Quirk::NoJsonObject, Quirk::NoForcedTool];
    for (wire, structured, words) in [
        (ApiKind::Anthropic, StructuredOutput::Tool, "tool_choice.type: this model supports 'auto' only"),
        (ApiKind::Anthropic, StructuredOutput::Schema, "tool_choice.type: this model supports 'auto' only"),
        (ApiKind::Openai, StructuredOutput::Schema, "response_format json_object is not supported by this server"),
        (ApiKind::Openai, StructuredOutput::Tool, "This server supports 'auto' and 'none' only"),
    ] {
        let server = server(FaultPlan { quirks: quirks.clone(), ..FaultPlan::default() }).await;
        let config = ProviderConfig { structured: Some(structured), ..provider(wire, &server.url()) };
        let report = probed(config, "scripted", PATIENCE).await;
        assert!(report.structured && report.is_usable(), "{report:?}");
        let line = report.line();
        assert!(line.contains("shapes are asked for in the prompt alone, because the server refused more: "), "{line}");
        assert!(line.contains(words), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_the_provider_refuses_is_named_in_its_words() {
    for (wire, words) in [
        (ApiKind::Anthropic, "tools: test:scripted at http://127.0.0.1"),
        (
            ApiKind::Anthropic,
            "says (400): tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12",
        ),
        (ApiKind::Openai, "says (400): Invalid schema for function 'search_entities': In context=('properties', 'required'),"),
    ] {
        let server = server(FaultPlan::default()).await;
        let mut trial = trial();
        let mut tools = trial.tools.to_vec();
        tools[0].input_schema["properties"]["required"] = json!(["query"]);
        trial.tools = tools.into();
        let providers = providers(provider(wire, &server.url()));
        let tried = providers.model("test", "scripted").unwrap();
        let report = providers.probe("test", "scripted", &*tried, &trial, PATIENCE).await.unwrap();
        assert!(report.structured && !report.tools && !report.is_usable(), "{report:?}");
        assert!(report.line().contains(words), "{}", report.line());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_probe_ends_in_time() {
    let server = server(FaultPlan::single(FaultKind::Delay { ms: 5_000 })).await;
    let config = ProviderConfig { timeout_ms: 60_000, ..provider(ApiKind::Openai, &server.url()) };
    let report = probed(config, "scripted", Duration::from_millis(300)).await;
    assert!(report.line().contains("not done within"), "{}", report.line());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_server_is_asked_for_its_context_at_its_own_endpoint() {
    let said = r#"{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1}}"#;
    let ollama = [
        ("/v1/chat/completions", said),
        ("/api/ps", r#"{"models":[{"name":"m:latest","model":"m:latest","context_length":4096}]}"#),
        ("/v1/models", r#"{"object":"list","data":[{"id":"m:latest","object":"model"}]}"#),
    ];
    let stopped = [
        ("/v1/chat/completions", said),
        ("/api/ps", r#"{"models":[]}"#),
        (
            "/api/show",
            r#"{"parameters":"stop \"<|im_end|>\"\nnum_ctx                        16384","model_info":{"qwen3.context_length":40960}}"#,
        ),
    ];
    let llama =
        [("/v1/chat/completions", said), ("/props", r#"{"default_generation_settings":{"n_ctx":8192},"total_slots":1}"#)];
    let vllm =
        [("/v1/chat/completions", said), ("/v1/models", r#"{"data":[{"id":"other"},{"id":"m","max_model_len":32768}]}"#)];
    let cases: [(&[(&str, &str)], u32); 4] = [(&ollama, 4096), (&stopped, 16384), (&llama, 8192), (&vllm, 32768)];
    for (pages, expected) in cases {
        let server = FixtureServer::start(pages).await;
        let report = probed(provider(ApiKind::Openai, &server.url()), "m", PATIENCE).await;
        assert_eq!(report.context.map(|(tokens, _)| tokens), Some(expected), "{}", report.line());
    }
}
