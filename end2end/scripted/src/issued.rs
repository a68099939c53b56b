//! Blocks issued by the server that must come back unchanged: thinking, and paused turns.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// Issued blocks.
#[derive(Default)]
pub(crate) struct IssuedBlocks {
    /// Thinking blocks by the call that followed them.
    thoughts: HashMap<String, Value>,
    /// Last blocks of paused turns, the only assistant turns that may end a conversation.
    paused: HashSet<String>,
}

/// Returns the signature of a thinking block, which reveals changes.
pub(crate) fn signature(thought: &str) -> String {
    hex::encode(Sha256::digest(format!("scripted {thought}")))
}

pub(crate) fn block(thought: &str) -> Value {
    json!({"type": "thinking", "thinking": thought, "signature": signature(thought)})
}

impl IssuedBlocks {
    pub fn remember(&mut self, call_id: &str, thought: &str) {
        self.thoughts.insert(call_id.to_owned(), block(thought));
    }

    pub fn remember_pause(&mut self, content: &Value) {
        self.paused.extend(content.as_array().and_then(|blocks| Some(blocks.last()?.to_string())));
    }

    /// Returns whether this is a paused turn.
    pub fn is_paused(&self, turn: &Value) -> bool {
        let last = turn["content"].as_array().and_then(|blocks| blocks.last());
        turn["role"] == "assistant" && last.is_some_and(|block| self.paused.contains(&block.to_string()))
    }

    /// Returns the problem with the thinking blocks of a turn. `is_last`: the turn that the current results belong to.
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
