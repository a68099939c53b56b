//! Assembly of a streamed message, event by event.

use super::{
    super::{error_response::ErrorResponse, http::Failure, json, redaction::Redaction, sse::Event},
    reply::{Message, UsageCounts},
};
use protocol::model::{CallDraft, ModelError, ReplyProgress};
use serde_json::{Map, Value};

/// HTTP status for each type of error within a stream.
const STATUS: [(&str, u16); 6] = [
    ("overloaded_error", 529),
    ("rate_limit_error", 429),
    ("timeout_error", 504),
    ("authentication_error", 401),
    ("permission_error", 403),
    ("invalid_request_error", 400),
];

/// A message received so far.
#[derive(Default)]
pub(super) struct PartialMessage {
    message: Message,
    /// Partial arguments of tool calls, by block.
    arguments: Vec<String>,
    bytes: u64,
}

impl PartialMessage {
    /// Returns the progress so far.
    pub fn progress(&self) -> ReplyProgress {
        let last = self.message.content.iter().zip(&self.arguments).next_back();
        let call = last.filter(|(block, _)| block["type"] == "tool_use");
        let call = call.and_then(|(block, arguments)| CallDraft::new(block["name"].as_str()?, arguments));
        ReplyProgress { bytes: self.bytes, usage: self.message.usage.usage(), call }
    }

    /// Handles an event; returns the message with the last one.
    pub fn take(&mut self, event: &Event, redaction: &Redaction) -> Result<Option<Message>, Failure> {
        let data: Value =
            serde_json::from_str(&event.data).map_err(|_| ModelError::Malformed("an event is not JSON".into()))?;
        match data["type"].as_str().unwrap_or_default() {
            "message_start" => self.count(&data["message"]["usage"]),
            "content_block_start" => self.start(&data)?,
            "content_block_delta" => self.delta(&data)?,
            "message_delta" => {
                if let Some(reason) = data["delta"]["stop_reason"].as_str() {
                    self.message.stop_reason = Some(reason.to_owned());
                }
                self.count(&data["usage"]);
            }
            "message_stop" => return Ok(Some(self.finish())),
            "error" => {
                let kind = data["error"]["type"].as_str().unwrap_or_default();
                let status = STATUS.iter().find(|(name, _)| *name == kind).map_or(500, |(_, status)| *status);
                return Err(Failure::Response(ErrorResponse::read(status, event.data.as_bytes(), None, redaction)));
            }
            // Pings, ends of blocks, and what will be added later.
            _ => {}
        }
        Ok(None)
    }

    fn count(&mut self, usage: &Value) {
        self.message.usage.update(&UsageCounts::read(usage));
    }

    fn start(&mut self, data: &Value) -> Result<(), ModelError> {
        let block = &data["content_block"];
        if !block.is_object() {
            return Err(ModelError::Malformed("a block is not an object".into()));
        }
        self.message.content.push(block.clone());
        self.arguments.push(String::new());
        Ok(())
    }

    fn delta(&mut self, data: &Value) -> Result<(), ModelError> {
        let n = data["index"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX);
        let (Some(block), Some(arguments)) = (self.message.content.get_mut(n), self.arguments.get_mut(n)) else {
            return Err(ModelError::Malformed("an event belongs to no block".into()));
        };
        let delta = &data["delta"];
        let (key, part) = match delta["type"].as_str().unwrap_or_default() {
            "text_delta" => ("text", &delta["text"]),
            "thinking_delta" => ("thinking", &delta["thinking"]),
            "signature_delta" => ("signature", &delta["signature"]),
            "input_json_delta" => {
                let part = delta["partial_json"].as_str().unwrap_or_default();
                self.bytes += part.len() as u64;
                arguments.push_str(part);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let part = part.as_str().unwrap_or_default();
        if key != "signature" {
            self.bytes += part.len() as u64;
        }
        let whole = block[key].as_str().unwrap_or_default().to_owned() + part;
        block[key] = whole.into();
        Ok(())
    }

    fn finish(&mut self) -> Message {
        for (block, arguments) in self.message.content.iter_mut().zip(&self.arguments) {
            if !arguments.is_empty() {
                block["input"] = json::arguments(arguments.clone().into());
            } else if block["type"] == "tool_use" && !block["input"].is_object() {
                block["input"] = Value::Object(Map::new());
            }
        }
        std::mem::take(&mut self.message)
    }
}
