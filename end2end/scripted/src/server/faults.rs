//! Injection of faults: before the model answers, in its answer, and in the response.

use super::{ServerState, Wire};
use crate::{AnswerStop, FaultKind, FaultPlan, ModelAnswer, ParsedRequest, anthropic, openai, sse, sse::StreamFault};
use axum::{
    http::{StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use protocol::model::ToolRequest;
use serde_json::json;
use std::time::Duration;

/// Returns the response that replaces an answer, if any.
pub(super) async fn before(shared: &ServerState, wire: Wire, parsed: &ParsedRequest, fault: &FaultKind) -> Option<Response> {
    let overloaded = StatusCode::from_u16(529).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    Some(match fault {
        FaultKind::Delay { ms } => {
            tokio::time::sleep(Duration::from_millis(*ms)).await;
            return None;
        }
        FaultKind::RateLimit { retry_after_s } => shared.wait(wire, *retry_after_s),
        FaultKind::ServerError => shared.refuse(wire, StatusCode::INTERNAL_SERVER_ERROR, "Internal server error"),
        FaultKind::Overloaded => shared.refuse(wire, overloaded, "Overloaded"),
        FaultKind::Auth => shared.refuse(wire, StatusCode::UNAUTHORIZED, "invalid key"),
        FaultKind::UnknownModel => shared.refuse(wire, StatusCode::NOT_FOUND, "the model 'scripted' was not found"),
        FaultKind::BadRequest => shared.refuse(wire, StatusCode::BAD_REQUEST, "messages.1: unexpected role"),
        // Aborts the connection's task, and with it the connection, without output.
        FaultKind::Reset => std::panic::resume_unwind(Box::new("reset")),
        FaultKind::ContextOverflow { above_tokens } if parsed.tokens > *above_tokens => {
            let message = match wire {
                Wire::Anthropic => anthropic::too_long_message(parsed.tokens, *above_tokens),
                Wire::Openai => openai::too_long_message(parsed.tokens, *above_tokens),
            };
            shared.refuse(wire, StatusCode::BAD_REQUEST, &message)
        }
        FaultKind::StreamError if parsed.is_streamed => match wire {
            Wire::Anthropic => sse::stream(anthropic::aborted_stream(), StreamFault::default()),
            Wire::Openai => sse::stream(openai::aborted_stream(), StreamFault::default()),
        },
        _ => return None,
    })
}

/// Applies faults to the model's answer.
pub(super) fn change(parsed: &ParsedRequest, fault: &FaultKind, answer: &mut ModelAnswer) {
    let call = |name: &str, arguments| ToolRequest { id: String::new(), name: name.to_owned(), arguments };
    match fault {
        FaultKind::WrongTool => answer.calls = vec![call("no_such_tool", json!({}))],
        FaultKind::BadArguments => {
            let name = answer.calls.first().map(|call| call.name.clone());
            let name = name.or_else(|| parsed.request.tools.first().map(|tool| tool.name.clone()));
            answer.calls = vec![call(&name.unwrap_or_default(), json!({"no_such_argument": [1, {"deep": null}]}))];
        }
        FaultKind::EndlessTools => {
            let harmless = ["get_investigation_history", "fetch_source_catalog", "search_entities"];
            let on_offer = |name: &&&str| parsed.request.tools.iter().any(|tool| tool.name == **name);
            let name = harmless.iter().find(on_offer).copied().unwrap_or("search_entities");
            let arguments = if name == "search_entities" { json!({"query": "again"}) } else { json!({}) };
            *answer = ModelAnswer { calls: vec![call(name, arguments)], ..ModelAnswer::default() };
        }
        FaultKind::Empty => *answer = ModelAnswer::default(),
        FaultKind::Hostile { text } => *answer = ModelAnswer { text: text.clone(), ..ModelAnswer::default() },
        FaultKind::Refusal => {
            *answer = ModelAnswer {
                text: "I cannot help with that.".into(),
                stop: Some(AnswerStop::Refused),
                ..ModelAnswer::default()
            }
        }
        FaultKind::FencedCalls if !answer.calls.is_empty() => {
            let written = std::mem::take(&mut answer.calls).into_iter();
            let written: Vec<_> = written.map(|call| json!({"name": call.name, "arguments": call.arguments})).collect();
            answer.text = format!("I use the tools now.\n\n```json\n{}\n```\nThat is what I need.", json!(written));
        }
        FaultKind::FencedCalls if parsed.request.output_schema.is_some() && !parsed.is_forced_tool => {
            answer.text = format!("Here is the answer:\n```json\n{}\n```", answer.text);
        }
        FaultKind::MaxTokens => answer.stop = Some(AnswerStop::MaxTokens),
        FaultKind::WindowFull => answer.stop = Some(AnswerStop::WindowFull),
        FaultKind::Pause => {
            *answer = ModelAnswer { text: "Let me ".into(), stop: Some(AnswerStop::Paused), ..ModelAnswer::default() }
        }
        _ => {}
    }
}

/// Returns a body with half of its JSON, complete or with a broken connection.
pub(super) fn cut_body(
    wire: Wire,
    parsed: &ParsedRequest,
    answer: &ModelAnswer,
    plan: &FaultPlan,
    fault: &FaultKind,
) -> Option<Response> {
    if parsed.is_streamed {
        return None;
    }
    let body = match wire {
        Wire::Anthropic => anthropic::body(parsed, answer),
        Wire::Openai => openai::body(parsed, answer, plan),
    };
    let text = body.to_string();
    let half: String = text.chars().take(text.chars().count() / 2).collect();
    match fault {
        FaultKind::TruncatedJson => Some(([(CONTENT_TYPE, "application/json")], half).into_response()),
        FaultKind::CutStream { .. } => {
            Some(sse::stream(vec![half, String::new()], StreamFault { cut_after: Some(1), stall_after: None }))
        }
        _ => None,
    }
}

/// Returns how the stream fails. A cut stream has no end marker either.
pub(super) fn stream_fault(faults: &[FaultKind]) -> StreamFault {
    let mut stream_fault = StreamFault::default();
    for fault in faults {
        match fault {
            FaultKind::CutStream { after_events } => stream_fault.cut_after = Some(*after_events),
            FaultKind::TruncatedJson => stream_fault.cut_after = Some(3),
            FaultKind::Stall { after_events, ms } => stream_fault.stall_after = Some((*after_events, *ms)),
            _ => {}
        }
    }
    stream_fault
}
