//! Every schema that leaves the program, over both wires, and what happens where a provider refuses one.

use super::{
    fixtures::FixtureServer,
    setup::{WIRES, model, provider, providers, registry, request, server, shaped},
};
use adapters::llm::{ApiKind, ProviderConfig, StructuredOutput};
use domain::{agent::AgentRole, assessment::AssessmentKind, investigation::WebAccess};
use engine::agents::{ToolOffer, shapes::Shapes};
use protocol::model::{ModelError, ModelRequest, OutputSchema, ToolSchema};
use scripted::{FaultPlan, Quirk};
use serde_json::{Value, json};
use std::sync::Arc;

const WAYS: [StructuredOutput; 4] =
    [StructuredOutput::Tool, StructuredOutput::Schema, StructuredOutput::Json, StructuredOutput::Prompt];

/// A request for an answer of this shape.
fn asking_for(shape: &Arc<OutputSchema>) -> ModelRequest {
    ModelRequest { output_schema: Some(shape.clone()), ..shaped(false) }
}

/// A shape that no provider takes: a list where a property should be.
fn invalid() -> Arc<OutputSchema> {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}, "required": ["city"]}});
    Arc::new(OutputSchema { name: "answer".into(), schema })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_shape_and_every_tool_is_taken_by_both_providers() {
    let server = server(FaultPlan::default()).await;
    for wire in WIRES {
        for way in WAYS {
            let model = model(ProviderConfig { structured: Some(way), ..provider(wire, &server.url()) });
            for shape in Shapes::default().all() {
                model.call(&asking_for(shape)).await.unwrap_or_else(|error| panic!("{wire:?} {way:?} {}: {error}", shape.name));
            }
        }
        let model = model(provider(wire, &server.url()));
        for role in [AgentRole::Analyst, AgentRole::Processor] {
            let tools = registry().schemas(role, ToolOffer::All, AssessmentKind::Assessment, WebAccess::On);
            model.call(&ModelRequest { tools, ..request(false) }).await.unwrap_or_else(|error| panic!("{wire:?}: {error}"));
        }
    }
    // No refusal was hidden by asking more simply.
    let refused: Vec<_> = server.log().entries.into_iter().filter_map(|entry| entry.refused).collect();
    assert_eq!(refused, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_shape_is_held_to_strictly_where_that_is_possible() {
    let completion = r#"{"choices":[{"message":{"content":"{}"},"finish_reason":"stop"}]}"#;
    let message = r#"{"content":[{"type":"text","text":"{}"}],"stop_reason":"end_turn"}"#;
    let server = FixtureServer::start(&[("/v1/chat/completions", completion), ("/v1/messages", message)]).await;
    let map = json!({"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}},
        "required": ["a"], "additionalProperties": false});
    let map = Arc::new(OutputSchema { name: "map".into(), schema: map });
    let shapes = Shapes::default();
    for shape in shapes.all().chain([&map]) {
        let is_strict = shape.name != "map";
        for wire in WIRES {
            let config = ProviderConfig { structured: Some(StructuredOutput::Schema), ..provider(wire, &server.url()) };
            model(config).call(&asking_for(shape)).await.unwrap();
            let sent: Value = server.seen.lock().unwrap().last().unwrap().clone();
            match wire {
                ApiKind::Openai => assert_eq!(sent["response_format"]["json_schema"]["strict"], is_strict, "{}", shape.name),
                // There it is strict or a tool.
                ApiKind::Anthropic => {
                    assert_eq!(sent["output_config"]["format"].is_object(), is_strict, "{}", shape.name);
                    assert_eq!(sent["tool_choice"]["name"] == shape.name.as_str(), !is_strict, "{}", shape.name);
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_shape_is_asked_for_more_simply_and_that_is_remembered() {
    for (wire, way, refusals) in [
        (ApiKind::Anthropic, StructuredOutput::Tool, 1),
        // It is not strict, so that it goes as a tool in any case.
        (ApiKind::Anthropic, StructuredOutput::Schema, 2),
        (ApiKind::Openai, StructuredOutput::Schema, 1),
        (ApiKind::Openai, StructuredOutput::Tool, 1),
    ] {
        let server = server(FaultPlan::default()).await;
        let providers = providers(ProviderConfig { structured: Some(way), ..provider(wire, &server.url()) });
        for _ in 0..3 {
            // Each time another instance, as each investigation may have one.
            providers.model("test", "scripted").unwrap().call(&asking_for(&invalid())).await.unwrap();
        }
        let refused: Vec<bool> = server.log().entries.iter().map(|entry| entry.refused.is_some()).collect();
        assert_eq!(refused.iter().filter(|refused| **refused).count(), refusals, "{wire:?} {way:?}: {refused:?}");
        assert!(refused[..refusals].iter().all(|refused| *refused) && refused.len() == 3 + refusals, "{wire:?} {way:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn anthropic_goes_from_its_own_schemas_to_a_tool_to_the_prompt() {
    let plan = FaultPlan { quirks: vec![Quirk::NoJsonSchema, Quirk::NoForcedTool], ..FaultPlan::default() };
    let server = server(plan).await;
    let config = ProviderConfig { structured: Some(StructuredOutput::Schema), ..provider(ApiKind::Anthropic, &server.url()) };
    let model = model(config);
    for _ in 0..2 {
        let answer: Value = serde_json::from_str(&model.call(&shaped(false)).await.unwrap().text).unwrap();
        assert!(answer["city"].is_string(), "the prompt holds the schema: {answer}");
    }
    let refused: Vec<Option<String>> = server.log().entries.into_iter().map(|entry| entry.refused).collect();
    assert_eq!(refused.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false, false], "{refused:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_tool_of_a_session_is_an_error_in_the_words_of_the_provider() {
    let tool = ToolSchema { name: "look".into(), description: "Looks.".into(), input_schema: invalid().schema.clone() };
    for (wire, words) in [
        (ApiKind::Anthropic, "tools.0.custom.input_schema: JSON schema is invalid."),
        (
            ApiKind::Openai,
            "Invalid schema for function 'look': In context=('properties', 'required'), [\"city\"] is not of type",
        ),
    ] {
        let server = server(FaultPlan::default()).await;
        let asked = ModelRequest { tools: [tool.clone()].into(), ..request(false) };
        let error = model(provider(wire, &server.url())).call(&asked).await.unwrap_err();
        assert!(matches!(&error, ModelError::Rejected(told) if told.contains(words)), "{wire:?}: {error:?}");
        assert_eq!(server.log().requests, 1, "it is not sent again");
    }
}
