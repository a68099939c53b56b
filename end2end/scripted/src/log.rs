//! Log of requests, for tests.

use serde::{Deserialize, Serialize};

/// Maximum entries kept; the totals count all requests.
const MAX_ENTRIES: usize = 20_000;

/// Request log.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RequestLog {
    pub requests: u64,
    /// Characters of all prompts, cached or not: system, messages, tools.
    pub characters: u64,
    pub entries: Vec<LogEntry>,
}

/// Log entry of one request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    pub call: u64,
    pub wire: String,
    pub role: String,
    pub model: String,
    pub messages: usize,
    pub characters: usize,
    /// Tokens of the whole request; 0 if it was refused.
    #[serde(default)]
    pub tokens: u64,
    /// Tokens read from the prompt cache.
    #[serde(default)]
    pub kept_tokens: u64,
    pub is_streamed: bool,
    /// Name of the requested output schema.
    pub schema: Option<String>,
    /// Error message, if the request was refused.
    pub refused: Option<String>,
    /// Injected faults.
    pub faults: Vec<String>,
}

impl RequestLog {
    pub(crate) fn add(&mut self, entry: LogEntry) {
        self.requests += 1;
        self.characters += entry.characters as u64;
        if self.entries.len() < MAX_ENTRIES {
            self.entries.push(entry);
        }
    }
}
