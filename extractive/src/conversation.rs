//! A conversation read back: the task, and rounds of calls with their results.

use protocol::{
    fence::{first_fenced, unfenced},
    model::{Message, ToolRequest, ToolResult},
};
use serde::de::DeserializeOwned;

/// The task and the calls of a session.
pub(super) struct Conversation<'a> {
    /// The task.
    pub opening: &'a str,
    pub rounds: Vec<Vec<Exchange<'a>>>,
}

/// One call and its result.
pub(super) struct Exchange<'a> {
    pub request: &'a ToolRequest,
    pub result: &'a ToolResult,
}

impl<'a> Conversation<'a> {
    /// None when it does not begin with a task.
    pub fn read(messages: &'a [Message]) -> Option<Self> {
        let Some((Message::User { text: opening }, rest)) = messages.split_first() else { return None };
        let (mut rounds, mut asked): (Vec<Vec<Exchange<'a>>>, &[ToolRequest]) = (vec![], &[]);
        for message in rest {
            match message {
                Message::Assistant { tool_calls, .. } => asked = tool_calls,
                Message::Tools { results } => {
                    rounds.push(asked.iter().zip(results).map(|(request, result)| Exchange { request, result }).collect());
                }
                Message::User { .. } => {}
            }
        }
        Some(Self { opening, rounds })
    }

    /// The value of the line `Key: value` of the task.
    pub fn field(&self, key: &str) -> Option<&'a str> {
        self.opening.lines().find_map(|line| Some(line.strip_prefix(key)?.strip_prefix(':')?.trim()))
    }

    /// The values of all lines `Key: value` of the task.
    pub fn fields(&self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.opening.lines().filter_map(move |line| Some(line.strip_prefix(key)?.strip_prefix(':')?.trim()))
    }

    /// Earlier findings that are given with the task.
    pub fn given<T: DeserializeOwned>(&self) -> Option<T> {
        let mut rest = self.opening;
        while let Some((inner, after)) = first_fenced(rest) {
            if let Ok(given) = serde_json::from_str(inner) {
                return Some(given);
            }
            rest = after;
        }
        None
    }

    /// All exchanges with one tool, in order.
    pub fn with(&self, tool: &'static str) -> impl Iterator<Item = &Exchange<'a>> {
        self.rounds.iter().flatten().filter(move |exchange| exchange.request.name == tool)
    }
}

impl Exchange<'_> {
    /// The result, out of its fence; none when it is an error or of another shape.
    pub fn json<T: DeserializeOwned>(&self) -> Option<T> {
        if self.result.is_error {
            return None;
        }
        serde_json::from_str(unfenced(&self.result.content)).ok()
    }

    /// The arguments as they were sent.
    pub fn arguments<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(self.request.arguments.clone()).ok()
    }
}
