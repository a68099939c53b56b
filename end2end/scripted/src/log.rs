//! What was asked, for tests to count.

use serde::{Deserialize, Serialize};

/// Entries that are kept; all are counted.
const MAX_ENTRIES: usize = 20_000;

/// All requests for a reply so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Log {
    pub requests: u64,
    /// Of all prompts, cached or not: system, messages, tools.
    pub characters: u64,
    pub entries: Vec<Entry>,
}

/// One request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub call: u64,
    pub wire: String,
    pub role: String,
    pub model: String,
    pub messages: usize,
    pub characters: usize,
    /// As this server counts the whole request; 0 where it was refused.
    #[serde(default)]
    pub tokens: u64,
    /// Of these: read from what earlier requests left in the prompt cache.
    #[serde(default)]
    pub kept_tokens: u64,
    pub is_streamed: bool,
    /// Whether an answer of a given shape was asked for, and which.
    pub schema: Option<String>,
    /// What was wrong with the request, as a real service would say.
    pub refused: Option<String>,
    /// What went wrong by plan.
    pub faults: Vec<String>,
}

impl Log {
    pub(crate) fn add(&mut self, entry: Entry) {
        self.requests += 1;
        self.characters += entry.characters as u64;
        if self.entries.len() < MAX_ENTRIES {
            self.entries.push(entry);
        }
    }
}
