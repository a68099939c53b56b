//! Conversations of several turns: pairs of calls and results, thinking that goes back as it came, and changes of provider.

use super::setup::{WIRES, model, one_round, provider, request, server, shaped};
use adapters::llm::{ApiKind, ProviderConfig, ThinkingMode};
use protocol::model::{Message, ModelError, ModelRequest, Usage};
use scripted::{FaultPlan, Quirk};

fn thinking_provider(url: &str, thinking: ThinkingMode) -> ProviderConfig {
    ProviderConfig { thinking, ..provider(ApiKind::Anthropic, url) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_conversation_goes_on_over_each_wire() {
    let server = server(FaultPlan::default()).await;
    for wire in WIRES {
        for is_streamed in [false, true] {
            let model = model(provider(wire, &server.url()));
            let mut conversation = request(is_streamed);
            for _ in 0..3 {
                let reply = model.call(&conversation).await.unwrap();
                conversation = one_round(&conversation, &reply);
            }
            // The driver may add a message after the results, and a turn may have been empty.
            let nothing = Message::Assistant { text: "".into(), tool_calls: vec![], thinking: vec![] };
            conversation.messages.extend([nothing, Message::User { text: "Go on.".into() }, Message::User { text: "".into() }]);
            model.call(&conversation).await.unwrap();
        }
    }
    assert!(server.log().entries.iter().all(|entry| entry.refused.is_none()), "{:?}", server.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thoughts_go_back_as_they_came() {
    for thinking in [ThinkingMode::Adaptive, ThinkingMode::Tokens(2048)] {
        for is_streamed in [false, true] {
            let server = server(FaultPlan::default()).await;
            let model = model(thinking_provider(&server.url(), thinking));
            let first = request(is_streamed);
            let reply = model.call(&first).await.unwrap();
            assert!(reply.thinking.iter().any(|part| part.block["type"] == "thinking"), "{reply:?}");
            assert!(!reply.text.contains("messages so far"), "thoughts are no text");
            // Stored and read again, as the step log does.
            let stored: protocol::model::ModelReply = serde_json::from_str(&serde_json::to_string(&reply).unwrap()).unwrap();
            let second = one_round(&first, &stored);
            model.call(&second).await.unwrap();

            let mut changed = second.clone();
            let Some(Message::Assistant { thinking, .. }) = changed.messages.get_mut(1) else { panic!() };
            thinking[0].block["thinking"] = "something else".into();
            let error = model.call(&changed).await.unwrap_err();
            assert!(matches!(&error, ModelError::Rejected(message) if message.contains("signature")), "{error:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_provider_can_go_on_where_one_stopped() {
    let odd = server(FaultPlan::with_quirk(Quirk::SameIds)).await;
    let strict = server(FaultPlan::default()).await;
    let local = model(provider(ApiKind::Openai, &odd.url()));
    let mut conversation = request(false);
    for _ in 0..2 {
        let reply = local.call(&conversation).await.unwrap();
        conversation = one_round(&conversation, &reply);
    }
    for thinking in [ThinkingMode::Off, ThinkingMode::Adaptive, ThinkingMode::Tokens(2048)] {
        let anthropic = model(thinking_provider(&strict.url(), thinking));
        let reply = anthropic.call(&conversation).await.unwrap();
        // And back again: what only the one understands does not reach the other.
        let back = one_round(&conversation, &reply);
        model(provider(ApiKind::Openai, &strict.url())).call(&back).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arguments_that_are_no_object_do_not_spoil_the_conversation() {
    let server = server(FaultPlan::default()).await;
    for wire in WIRES {
        let model = model(provider(wire, &server.url()));
        let first = request(false);
        let mut reply = model.call(&first).await.unwrap();
        reply.tool_calls[0].arguments = "{\"a\":".into();
        model.call(&one_round(&first, &reply)).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cached_tokens_are_counted_separately() {
    let server = server(FaultPlan::default()).await;
    let model = model(provider(ApiKind::Anthropic, &server.url()));
    // Shorter prompts are not kept.
    let system: std::sync::Arc<str> = "You are the Analyst. ".repeat(300).into();
    let ask = |is_streamed: bool| ModelRequest { system: system.clone(), ..request(is_streamed) };
    let first: Usage = model.call(&ask(false)).await.unwrap().usage;
    let second: Usage = model.call(&ask(true)).await.unwrap().usage;
    assert!(first.cache_written > 0 && first.cache_read == 0, "{first:?}");
    assert!(second.cache_read > 0 && second.cache_written == 0, "{second:?}");
    assert!(second.tokens_in > second.cache_read && first.tokens_in > first.cache_written);
    let kept: Vec<u64> = server.log().entries.iter().map(|entry| entry.kept_tokens).collect();
    assert_eq!(kept, [0, second.cache_read]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_that_are_read_once_are_not_put_into_the_cache() {
    let server = server(FaultPlan::default()).await;
    let model = model(provider(ApiKind::Anthropic, &server.url()));
    let pack = "Ada Karlsen opened the bridge at Vell. ".repeat(500);
    let system: std::sync::Arc<str> = "You are being tested. ".repeat(300).into();
    let messages = vec![Message::User { text: pack.into() }];
    let usage = model.call(&ModelRequest { system, messages, ..shaped(false) }).await.unwrap().usage;
    assert!(usage.cache_written > 1_024 && usage.cache_written < usage.tokens_in / 2, "{usage:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn extra_fields_of_the_configuration_are_sent() {
    let server = server(FaultPlan::default()).await;
    for wire in WIRES {
        let mut config = provider(wire, &server.url());
        config.extra.insert("no_such_field".into(), 1.into());
        let error = model(config).call(&ModelRequest { tools: [].into(), ..request(false) }).await.unwrap_err();
        assert!(matches!(&error, ModelError::Rejected(message) if message.contains("no_such_field")), "{error:?}");
    }
}
