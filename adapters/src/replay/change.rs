//! Differences between a recording and a request that it does not contain.

use super::{
    canonical::kind,
    recording::{Recording, documents},
};
use protocol::model::{Message, ModelRequest};

/// Hint to the guide for new recordings.
const GUIDE: &str = "docs/recordings.md says how to record again";
/// Maximum number of names per message.
const MAX_NAMES: usize = 5;

/// Explains why the recording has no reply to a request.
pub fn explain(recording: &Recording, request: &ModelRequest) -> String {
    format!("the recording has no reply to this request, because {}: {GUIDE}", changes(recording, request))
}

fn changes(recording: &Recording, request: &ModelRequest) -> String {
    let kind = kind(request);
    if recording.of_kind(&kind).next().is_none() {
        return format!("it holds no call of the kind '{kind}'");
    }
    changed_documents(recording, request).unwrap_or_else(|| input(recording, request))
}

/// Names the documents of the request that differ from the recording or are missing there.
fn changed_documents(recording: &Recording, request: &ModelRequest) -> Option<String> {
    let differs = documents(request).into_iter().filter(|(name, hash)| recording.documents.get(name) != Some(hash));
    let names: Vec<String> = differs.map(|(name, _)| format!("'{name}'")).collect();
    let more = names.len().saturating_sub(MAX_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let listed = names.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => None,
        1 => Some(format!("the document {listed} has changed")),
        _ => Some(format!("{} documents have changed ({listed}{more})", names.len())),
    }
}

/// Describes a difference in the conversation, where the documents are the same.
fn input(recording: &Recording, request: &ModelRequest) -> String {
    let turn = request.messages.len();
    if recording.has_last_message(request) {
        return format!("the conversation before its message {turn} has changed");
    }
    let called = request.messages.iter().rev().find_map(|message| match message {
        Message::Assistant { tool_calls, .. } => Some(tool_calls),
        _ => None,
    });
    match (called, request.messages.last()) {
        (Some(called), Some(Message::Tools { .. })) => {
            let names: Vec<&str> = called.iter().map(|call| call.name.as_str()).collect();
            format!(
                "the tools answer otherwise at message {turn} ({}): their code, limits or data have changed",
                names.join(", ")
            )
        }
        _ => format!("message {turn} has changed: the question, the order, the documents of a pack or a limit"),
    }
}
