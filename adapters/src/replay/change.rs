//! Differences between a recording and a request that it does not contain.

use super::recording::{Recording, documents, kind, schemas};
use protocol::model::{Message, ModelRequest};
use std::collections::BTreeMap;

/// Hint to the guide for new recordings.
const GUIDE: &str = "docs/recordings.md says how to record again";
/// Maximum number of names per message.
const MAX_NAMES: usize = 5;

/// Explains why the recording has no reply to a request.
pub fn explain(recording: &Recording, request: &ModelRequest) -> String {
    format!("the recording has no reply to this request, because {}: {GUIDE}", changes(recording, request).join(", and "))
}

fn changes(recording: &Recording, request: &ModelRequest) -> Vec<String> {
    let kind = kind(request);
    let Some(prompt) = recording.prompts.get(&kind) else {
        return vec![format!("it holds no call of the kind '{kind}'")];
    };
    let mut changes = vec![];
    if *prompt != engine::evidence::sha256_hex(request.system.as_bytes()) {
        changes.push(format!("the prompt has changed ({})", prompt_files(request)));
    }
    let known = schemas(request).into_iter().filter(|(name, _)| recording.schemas.contains_key(name));
    changes.extend(differing("schema", &recording.schemas, known.collect()));
    changes.extend(differing("document", &recording.documents, documents(request)));
    if changes.is_empty() {
        changes.push(input(recording, request));
    }
    changes
}

/// Lists the names whose hash differs from the recording or is missing there.
fn differing(what: &str, recorded: &BTreeMap<String, String>, now: Vec<(String, String)>) -> Option<String> {
    let differs = now.into_iter().filter(|(name, hash)| recorded.get(name) != Some(hash));
    let names: Vec<String> = differs.map(|(name, _)| format!("'{name}'")).collect();
    let more = names.len().saturating_sub(MAX_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let listed = names.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => None,
        1 => Some(format!("the {what} {listed} has changed")),
        _ => Some(format!("{} {what}s have changed ({listed}{more})", names.len())),
    }
}

/// Describes a difference in the conversation, where prompt, schemas and documents are the same.
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

/// Returns the files of a request's prompt.
fn prompt_files(request: &ModelRequest) -> &'static str {
    match (request.role, request.output_schema.as_ref().map(|shape| shape.name.as_str())) {
        (domain::agent::AgentRole::Analyst, _) => "config/prompts/analyst.md; in a last session also final_session.md",
        (domain::agent::AgentRole::Processor, Some("research_plan")) => "config/prompts/processor_plan.md",
        (domain::agent::AgentRole::Processor, Some("batch_extract")) => "config/prompts/extractor.md",
        (domain::agent::AgentRole::Processor, Some(_)) => "config/prompts",
        (domain::agent::AgentRole::Processor, None) => "config/prompts/processor_research.md",
    }
}
