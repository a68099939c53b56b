//! What goes wrong with one call: before the model answers, in its answer, and on the way back.

use super::{Shared, Wire};
use crate::{Answer, Asked, Kind, Plan, Stop, anthropic, openai, sse, sse::Course};
use axum::{
    http::{StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use protocol::model::ToolRequest;
use serde_json::json;
use std::time::Duration;

/// What comes instead of an answer.
pub(super) async fn before(shared: &Shared, wire: Wire, asked: &Asked, fault: &Kind) -> Option<Response> {
    let overloaded = StatusCode::from_u16(529).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    Some(match fault {
        Kind::Delay { ms } => {
            tokio::time::sleep(Duration::from_millis(*ms)).await;
            return None;
        }
        Kind::RateLimit { retry_after_s } => shared.wait(wire, *retry_after_s),
        Kind::ServerError => shared.refuse(wire, StatusCode::INTERNAL_SERVER_ERROR, "Internal server error"),
        Kind::Overloaded => shared.refuse(wire, overloaded, "Overloaded"),
        Kind::Auth => shared.refuse(wire, StatusCode::UNAUTHORIZED, "invalid key"),
        Kind::UnknownModel => shared.refuse(wire, StatusCode::NOT_FOUND, "the model 'scripted' was not found"),
        Kind::BadRequest => shared.refuse(wire, StatusCode::BAD_REQUEST, "messages.1: unexpected role"),
        // Ends the task of this connection, and the connection with it, without a word on standard error.
        Kind::Reset => std::panic::resume_unwind(Box::new("reset")),
        Kind::ContextOverflow { above_tokens } if asked.tokens > *above_tokens => {
            let message = match wire {
                Wire::Anthropic => anthropic::too_long(asked.tokens, *above_tokens),
                Wire::Openai => openai::too_long(asked.tokens, *above_tokens),
            };
            shared.refuse(wire, StatusCode::BAD_REQUEST, &message)
        }
        Kind::StreamError if asked.is_streamed => match wire {
            Wire::Anthropic => sse::stream(anthropic::broken_off(), Course::default()),
            Wire::Openai => sse::stream(openai::broken_off(), Course::default()),
        },
        _ => return None,
    })
}

/// What the model does wrong.
pub(super) fn change(asked: &Asked, fault: &Kind, answer: &mut Answer) {
    let call = |name: &str, arguments| ToolRequest { id: String::new(), name: name.to_owned(), arguments };
    match fault {
        Kind::WrongTool => answer.calls = vec![call("no_such_tool", json!({}))],
        Kind::BadArguments => {
            let name = answer.calls.first().map(|call| call.name.clone());
            let name = name.or_else(|| asked.request.tools.first().map(|tool| tool.name.clone()));
            answer.calls = vec![call(&name.unwrap_or_default(), json!({"no_such_argument": [1, {"deep": null}]}))];
        }
        Kind::EndlessTools => {
            let harmless = ["get_investigation_history", "fetch_source_catalog", "search_entities"];
            let on_offer = |name: &&&str| asked.request.tools.iter().any(|tool| tool.name == **name);
            let name = harmless.iter().find(on_offer).copied().unwrap_or("search_entities");
            let arguments = if name == "search_entities" { json!({"query": "again"}) } else { json!({}) };
            *answer = Answer { calls: vec![call(name, arguments)], ..Answer::default() };
        }
        Kind::Empty => *answer = Answer::default(),
        Kind::Hostile { text } => *answer = Answer { text: text.clone(), ..Answer::default() },
        Kind::Refusal => {
            *answer = Answer { text: "I cannot help with that.".into(), stop: Some(Stop::Refused), ..Answer::default() }
        }
        Kind::MaxTokens => answer.stop = Some(Stop::MaxTokens),
        Kind::WindowFull => answer.stop = Some(Stop::WindowFull),
        Kind::Pause => *answer = Answer { text: "Let me ".into(), stop: Some(Stop::Paused), ..Answer::default() },
        _ => {}
    }
}

/// A body that holds half of its JSON: to its end, or until the connection breaks.
pub(super) fn cut_body(wire: Wire, asked: &Asked, answer: &Answer, plan: &Plan, fault: &Kind) -> Option<Response> {
    if asked.is_streamed {
        return None;
    }
    let body = match wire {
        Wire::Anthropic => anthropic::body(asked, answer),
        Wire::Openai => openai::body(asked, answer, plan),
    };
    let text = body.to_string();
    let half: String = text.chars().take(text.chars().count() / 2).collect();
    match fault {
        Kind::TruncatedJson => Some(([(CONTENT_TYPE, "application/json")], half).into_response()),
        Kind::CutStream { .. } => {
            Some(sse::stream(vec![half, String::new()], Course { cut_after: Some(1), stall_after: None }))
        }
        _ => None,
    }
}

/// How a stream ends. One that is cut by its own end has no mark of an end either.
pub(super) fn course(due: &[Kind]) -> Course {
    let mut course = Course::default();
    for fault in due {
        match fault {
            Kind::CutStream { after_events } => course.cut_after = Some(*after_events),
            Kind::TruncatedJson => course.cut_after = Some(3),
            Kind::Stall { after_events, ms } => course.stall_after = Some((*after_events, *ms)),
            _ => {}
        }
    }
    course
}
