//! The worked example over both wire formats, with a server that checks requests as strictly as the services do.

use super::talk::{Stage, ask, extractions, move_on, web_with};
use crate::rounds::run_round;
use adapters::llm::{ApiKind, LlmConfig, ProviderConfig, Providers};
use async_trait::async_trait;
use engine::models::{Keys, Secret};
use protocol::model::Model;
use scripted::{Options, Server, Transcript};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};

struct NoKeys;

#[async_trait]
impl Keys for NoKeys {
    async fn key(&self, _: &str) -> Option<Secret> {
        None
    }
}

/// The model of a server.
fn model(kind: ApiKind, is_streamed: bool, server: &Server) -> Arc<dyn Model> {
    let url = server.url();
    let base_url = if kind == ApiKind::Anthropic { url } else { format!("{url}/v1") };
    let provider = ProviderConfig { base_url: Some(base_url), stream: Some(is_streamed), ..ProviderConfig::new(kind) };
    let config = LlmConfig { providers: BTreeMap::from([("test".to_owned(), provider)]), ..LlmConfig::default() };
    Providers::new(config, Arc::new(NoKeys)).model("test", "scripted").unwrap()
}

/// One reply with calls of tools, then nothing.
fn transcript(text: &str, calls: &[(&str, Value)]) -> Transcript {
    let calls: Vec<Value> = calls.iter().map(|(name, arguments)| json!({"name": name, "arguments": arguments})).collect();
    serde_json::from_value(json!({"replies": [{"text": text, "calls": calls}], "then": "empty"})).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_worked_example_is_played_to_the_letter_over_both_wires() {
    let [first, second, third] = extractions();
    let farewell = "That's a pattern worth noticing. Let's keep going.";
    let rounds = [
        ("", vec![ask("Who was Sarah?")], Some("A friend from college. We haven't seen each other in months.")),
        (
            "",
            vec![first, ask("What did you tell yourself to make it okay to cancel?")],
            Some("That she'd understand. That work is important. That we'd reschedule."),
        ),
        ("", vec![second, ask("Did you reschedule?")], Some("No. I meant to but...")),
        (farewell, vec![third, move_on("signals_extracted")], None),
    ];
    let wires = [ApiKind::Anthropic, ApiKind::Openai].into_iter().flat_map(|kind| [(kind, false), (kind, true)]);
    for (kind, is_streamed) in wires {
        let server = Server::start(Options { wants_key: false, ..Options::default() }).await.unwrap();
        let (stage, model) = (Stage::new().await, model(kind, is_streamed, &server));
        stage.choose(0).await;
        for (text, calls, answer) in &rounds {
            server.play(transcript(text, calls));
            run_round(&web_with(&stage.backend, model.clone())).await.unwrap();
            if let Some(answer) = answer {
                stage.answer(answer).await;
            }
        }
        stage.assert_worked_example().await;
        let log = server.log();
        assert!(log.entries.iter().all(|entry| entry.refused.is_none() && entry.is_streamed == is_streamed), "{log:?}");
        assert_eq!(log.requests, 4, "one call for each turn");
        stage.backend.close().await;
    }
}
