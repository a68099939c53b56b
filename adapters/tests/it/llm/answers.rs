//! Incompatibilities of servers, and answers of a given shape: every server gives the same reply.

use super::setup::{WIRES, model, provider, request, server, shaped};
use adapters::llm::{ApiKind, ProviderConfig, StructuredOutput};
use protocol::model::StopReason;
use scripted::{FaultKind, FaultPlan, Quirk};
use serde_json::Value;
use std::collections::BTreeSet;

const CALLS: [Quirk; 14] = [
    Quirk::ObjectArguments,
    Quirk::NoIds,
    Quirk::SameIds,
    Quirk::NoUsage,
    Quirk::NullContent,
    Quirk::CallsAsText,
    Quirk::StopWithCalls,
    Quirk::OldMaxTokens,
    Quirk::NewMaxTokens,
    Quirk::NoStreamOptions,
    Quirk::NoDone,
    Quirk::NoIndex,
    Quirk::ThinkTags,
    Quirk::PlainErrors,
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_is_the_same_from_every_incompatible_server() {
    let server = server(FaultPlan::default()).await;
    let right = model(provider(ApiKind::Openai, &server.url())).call(&request(false)).await.unwrap();
    for quirk in CALLS {
        for is_streamed in [false, true] {
            server.follow(FaultPlan::with_quirk(quirk));
            let model = model(provider(ApiKind::Openai, &server.url()));
            let reply =
                model.call(&request(is_streamed)).await.unwrap_or_else(|error| panic!("{quirk:?} {is_streamed}: {error}"));
            let named = |reply: &protocol::model::ModelReply| {
                reply.tool_calls.iter().map(|call| (call.name.clone(), call.arguments.clone())).collect::<Vec<_>>()
            };
            assert_eq!(named(&reply), named(&right), "{quirk:?} {is_streamed}");
            assert_eq!((reply.stop, &*reply.text), (StopReason::ToolUse, ""), "{quirk:?} {is_streamed}");
            let ids: BTreeSet<&str> = reply.tool_calls.iter().map(|call| call.id.as_str()).collect();
            assert!(ids.len() == 3 && !ids.contains(""), "{quirk:?} {is_streamed}: {ids:?}");
            assert!(reply.usage.tokens_in > 50 && reply.usage.tokens_out > 0, "{quirk:?} {is_streamed}: {:?}", reply.usage);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_is_the_same_from_a_server_with_several_incompatibilities() {
    let quirks =
        [vec![Quirk::NoIds, Quirk::NoIndex, Quirk::ObjectArguments, Quirk::NoUsage, Quirk::NoDone], CALLS[5..12].to_vec()];
    for quirks in quirks {
        // No server refuses both names of the limit.
        let quirks = quirks.into_iter().filter(|quirk| *quirk != Quirk::NewMaxTokens).collect();
        let server = server(FaultPlan { quirks, ..FaultPlan::default() }).await;
        for is_streamed in [false, true] {
            let reply = model(provider(ApiKind::Openai, &server.url())).call(&request(is_streamed)).await.unwrap();
            assert_eq!(reply.tool_calls.len(), 3, "streamed={is_streamed}: {reply:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_that_looks_like_success_is_an_error() {
    let plan =
        FaultPlan { quirks: vec![Quirk::ErrorInSuccess], ..FaultPlan::single(FaultKind::ContextOverflow { above_tokens: 1 }) };
    let server = server(plan).await;
    let error = model(provider(ApiKind::Openai, &server.url())).call(&request(false)).await.unwrap_err();
    assert!(matches!(error, protocol::model::ModelError::ContextTooLong { .. }), "{error:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_of_a_given_shape_comes_as_json_however_it_is_asked_for() {
    let server = server(FaultPlan::default()).await;
    for wire in WIRES {
        for structured in [StructuredOutput::Tool, StructuredOutput::Schema, StructuredOutput::Json, StructuredOutput::Prompt] {
            for is_streamed in [false, true] {
                let config = ProviderConfig { structured: Some(structured), ..provider(wire, &server.url()) };
                let told = format!("{wire:?} {structured:?} streamed={is_streamed}");
                let reply = model(config).call(&shaped(is_streamed)).await.unwrap_or_else(|error| panic!("{told}: {error}"));
                let answer: Value = serde_json::from_str(&reply.text).unwrap();
                assert!(answer["city"].is_string() && answer["letters"].is_u64(), "{told}: {answer}");
                assert_eq!((reply.stop, reply.tool_calls.len()), (StopReason::EndTurn, 0), "{told}");
            }
        }
    }
    assert!(server.log().entries.iter().all(|entry| entry.refused.is_none()), "{:?}", server.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unsupported_feature_is_left_out_of_later_requests() {
    let plan = FaultPlan { quirks: vec![Quirk::NoJsonSchema, Quirk::NoJsonObject], ..FaultPlan::default() };
    let server = server(plan).await;
    let model = model(provider(ApiKind::Openai, &server.url()));
    for _ in 0..3 {
        model.call(&shaped(false)).await.unwrap();
    }
    let refused: Vec<bool> = server.log().entries.iter().map(|entry| entry.refused.is_some()).collect();
    assert_eq!(refused, [true, true, false, false, false]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_small_context_shortens_later_replies() {
    let server = server(FaultPlan::with_quirk(Quirk::SmallWindow)).await;
    let model = model(provider(ApiKind::Openai, &server.url()));
    for _ in 0..2 {
        let long = protocol::model::ModelRequest { max_output_tokens: 16_384, ..request(false) };
        model.call(&long).await.unwrap();
    }
    let refused: Vec<bool> = server.log().entries.iter().map(|entry| entry.refused.is_some()).collect();
    assert_eq!(refused, [true, true, false, false], "16384, 4096, then 1024 twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn json_in_a_fence_is_taken_out_of_it() {
    let server = server(FaultPlan::with_quirk(Quirk::FencedJson)).await;
    let reply = model(provider(ApiKind::Openai, &server.url())).call(&shaped(false)).await.unwrap();
    assert!(reply.text.starts_with('{') && reply.text.ends_with('}'), "{}", reply.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_streamed_reply_reports_its_progress() {
    let server = server(FaultPlan::default()).await;
    for wire in WIRES {
        let request = request(true);
        let watched = request.progress.as_ref().unwrap().subscribe();
        let streamed = model(provider(wire, &server.url())).call(&request).await.unwrap();
        assert!(watched.borrow().bytes > 40, "{wire:?}: {:?}", *watched.borrow());
        let whole = model(provider(wire, &server.url())).call(&super::setup::request(false)).await.unwrap();
        assert_eq!((streamed.stop, streamed.text.clone()), (whole.stop, whole.text.clone()));
        let written = watched.borrow().call.clone().expect("a call is seen while it is written");
        assert_eq!(Some(&written.name), whole.tool_calls.last().map(|call| &call.name));
        let arguments = |reply: &protocol::model::ModelReply| {
            reply.tool_calls.iter().map(|call| call.arguments.clone()).collect::<Vec<_>>()
        };
        assert_eq!(arguments(&streamed), arguments(&whole));
    }
}
