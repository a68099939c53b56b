//! Conversation with a running digest, which identifies what a model was sent without storing it twice.

use protocol::{
    fence::first_fenced,
    model::{Message, ModelReply, StopReason},
};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Name of the tool that takes a whole draft, and of the one that corrects the last draft.
pub const DRAFT_TOOL: &str = "produce_assessment";
pub const AMEND_TOOL: &str = "amend_assessment";

/// Placeholder for a draft that a later one replaces.
const OLDER_DRAFT: &str = "a later draft replaces it";

/// Placeholder for results dropped because the conversation was too long.
const LEFT_OUT: &str = "[left out: the conversation was too long for the model; ask again for what you need]";

/// Placeholder for a reply truncated before any text.
const CUT: &str = "[cut]";

/// Messages of a session.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    messages: Vec<Message>,
    digest: [u8; 32],
    /// Places of messages that are texts from the program alone.
    program_texts: Vec<usize>,
    /// Whether it was reduced since the last reply.
    is_reduced: bool,
}

impl Conversation {
    pub(super) fn opened(text: Arc<str>) -> Self {
        let mut conversation = Self::default();
        conversation.push(Message::User { text });
        conversation
    }

    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Returns the messages without texts from the program.
    pub(super) fn without_program_texts(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter().enumerate().filter(|(place, _)| !self.program_texts.contains(place)).map(|(_, message)| message)
    }

    /// Returns the hex SHA-256 of all messages.
    pub fn digest(&self) -> String {
        hex::encode(self.digest)
    }

    pub(super) fn push(&mut self, message: Message) {
        let mut hash = Sha256::new();
        hash.update(self.digest);
        // Messages are strings and JSON, so serialisation cannot fail.
        hash.update(serde_json::to_vec(&message).unwrap_or_default());
        self.digest = hash.finalize().into();
        self.messages.push(message);
    }

    pub(super) fn push_reply(&mut self, reply: &ModelReply) {
        let (text, tool_calls, thinking) = match reply.stop {
            // Tool calls of a truncated reply may be incomplete, so they are dropped.
            StopReason::MaxTokens if reply.text.is_empty() => (CUT.into(), vec![], vec![]),
            StopReason::MaxTokens => (reply.text.clone(), vec![], vec![]),
            _ => (reply.text.clone(), reply.tool_calls.clone(), reply.thinking.clone()),
        };
        self.is_reduced = false;
        self.push(Message::Assistant { text, tool_calls, thinking });
    }

    /// Adds text from the program, merged into the preceding message of the same role.
    pub(super) fn say(&mut self, text: &str) {
        let mut messages = std::mem::take(&mut self.messages);
        let said = match messages.pop() {
            Some(Message::User { text: last }) => Message::User { text: format!("{last}\n\n{text}").into() },
            other => {
                messages.extend(other);
                self.program_texts.push(messages.len());
                Message::User { text: text.into() }
            }
        };
        self.digest = <[u8; 32]>::default();
        messages.into_iter().chain([said]).for_each(|message| self.push(message));
    }

    /// Drops the drafts before the last whole one, which replaces them. Evidence stays.
    pub(super) fn leave_out_older_drafts(&mut self) {
        let is_whole = |message: &Message| match message {
            Message::Assistant { tool_calls, .. } => tool_calls.iter().any(|call| call.name == DRAFT_TOOL),
            _ => false,
        };
        let Some(last) = self.messages.iter().rposition(is_whole) else { return };
        let messages = std::mem::take(&mut self.messages);
        self.digest = <[u8; 32]>::default();
        for (n, mut message) in messages.into_iter().enumerate() {
            if let Message::Assistant { tool_calls, .. } = &mut message {
                let older = tool_calls.iter_mut().filter(|call| n < last && [DRAFT_TOOL, AMEND_TOOL].contains(&&*call.name));
                older.for_each(|call| call.arguments = json!({"left_out": OLDER_DRAFT}));
            }
            self.push(message);
        }
    }

    /// Drops older tool results, or halves the latest ones; once between two replies. Returns false when nothing can be dropped.
    pub(super) fn reduce(&mut self) -> bool {
        let rounds = self.messages.iter().filter(|message| matches!(message, Message::Tools { .. })).count();
        if self.is_reduced || rounds == 0 {
            return false;
        }
        let (mut seen, messages) = (0, std::mem::take(&mut self.messages));
        self.digest = <[u8; 32]>::default();
        for mut message in messages {
            if let Message::Tools { results } = &mut message {
                seen += 1;
                for result in results {
                    if seen < rounds {
                        result.content = LEFT_OUT.into();
                    } else if rounds == 1 {
                        result.content = half(&result.content).into();
                    }
                }
            }
            self.push(message);
        }
        self.is_reduced = true;
        true
    }
}

/// Halves a text. Fenced text is halved inside; the fence stays complete.
fn half(content: &str) -> String {
    let halved = |text: &str| text.chars().take(text.chars().count() / 2).collect::<String>();
    match first_fenced(content) {
        Some((inner, after)) => {
            let (opened, closed) = content[..content.len() - after.len()].rsplit_once(inner).unwrap_or_default();
            format!("{opened}{}{closed}\n{LEFT_OUT}", halved(inner))
        }
        None => format!("{}\n{LEFT_OUT}", halved(content)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{
        fence::{fence, first_fenced},
        model::{ToolRequest, ToolResult},
    };

    #[test]
    fn a_fence_is_never_cut() {
        let shorter = half(&fence("aaaabbbb", "n1"));
        assert_eq!(first_fenced(&shorter).unwrap().0, "aaaa");
        assert!(shorter.ends_with(LEFT_OUT), "{shorter}");
        assert_eq!(half("äöüß"), format!("äö\n{LEFT_OUT}"));
    }

    #[test]
    fn a_later_draft_replaces_the_older_ones_and_evidence_stays() {
        let mut conversation = Conversation::opened("Question".into());
        for (name, title) in
            [("search_claims", "Q"), (DRAFT_TOOL, "A"), (AMEND_TOOL, "B"), (DRAFT_TOOL, "C"), (AMEND_TOOL, "D")]
        {
            let call = ToolRequest { id: title.into(), name: name.into(), arguments: json!({"title": title}) };
            conversation.push(Message::Assistant { text: "".into(), tool_calls: vec![call], thinking: vec![] });
            let result = ToolResult { id: title.into(), content: title.into(), is_error: false };
            conversation.push(Message::Tools { results: vec![result] });
        }
        conversation.leave_out_older_drafts();
        let text = serde_json::to_string(conversation.messages()).unwrap();
        let kept = ["Q", "A", "B", "C", "D"].map(|title| text.contains(&format!(r#"{{"title":"{title}"}}"#)));
        assert_eq!(kept, [true, false, false, true, true]);
        assert!(["Q", "A", "B"].iter().all(|result| text.contains(&format!(r#""content":"{result}""#))), "{text}");
    }
}
