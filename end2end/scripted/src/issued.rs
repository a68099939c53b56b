//! What was given out and must come back as it went: thoughts, and turns that were paused.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// What the service remembers of what it said.
#[derive(Default)]
pub(crate) struct Issued {
    /// Thinking blocks by the call that followed them.
    thoughts: HashMap<String, Value>,
    /// Last blocks of turns that were paused: with these alone a conversation may end.
    paused: HashSet<String>,
}

/// What stands behind a thought, so that a changed one is found out.
pub(crate) fn signature(thought: &str) -> String {
    hex::encode(Sha256::digest(format!("scripted {thought}")))
}

pub(crate) fn block(thought: &str) -> Value {
    json!({"type": "thinking", "thinking": thought, "signature": signature(thought)})
}

impl Issued {
    pub fn remember(&mut self, call_id: &str, thought: &str) {
        self.thoughts.insert(call_id.to_owned(), block(thought));
    }

    pub fn remember_pause(&mut self, content: &Value) {
        self.paused.extend(content.as_array().and_then(|blocks| Some(blocks.last()?.to_string())));
    }

    /// Whether this is a turn that waits to be taken up again.
    pub fn is_paused(&self, turn: &Value) -> bool {
        let last = turn["content"].as_array().and_then(|blocks| blocks.last());
        turn["role"] == "assistant" && last.is_some_and(|block| self.paused.contains(&block.to_string()))
    }

    /// What is wrong with the thoughts in a turn of the model; `is_last` in the turn that the results on hand belong to.
    pub fn problem(&self, blocks: &[Value], is_last: bool) -> Option<String> {
        for block in blocks.iter().filter(|block| block["type"] == "thinking") {
            let (thought, signed) = (block["thinking"].as_str(), block["signature"].as_str());
            let (Some(thought), Some(signed)) = (thought, signed) else {
                return Some("thinking.signature: Field required".into());
            };
            if signature(thought) != signed {
                return Some("Invalid `signature` in `thinking` block".into());
            }
        }
        let calls = blocks.iter().filter(|block| block["type"] == "tool_use").filter_map(|block| block["id"].as_str());
        for given in calls.filter_map(|id| self.thoughts.get(id)).filter(|_| is_last) {
            if !blocks.contains(given) {
                return Some("Expected `thinking` or `redacted_thinking`, but found `tool_use`".into());
            }
        }
        None
    }
}
