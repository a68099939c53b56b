//! The questions of a probe: small tasks like those of sessions.

use domain::agent::AgentRole;
use protocol::model::{Message, ModelRequest, OutputSchema, ToolSchema};
use std::sync::Arc;

/// Output limit: enough for the answers, and for a model that thinks first.
const MAX_OUTPUT_TOKENS: u32 = 2048;

const SYSTEM: &str = "You are being tested. Do exactly what you are asked, briefly.";

pub(super) const PLAN: &str = "Work order: find out who opened the bridge at Vell. There is one source, `documents`. \
    Plan to ask it once, for everything: leave out every other restriction.";

pub(super) const EXTRACT: &str = "Extract what this document says: one claim, and the entities that it names.\n\
    Document 01890a5d-ac96-774b-bcce-b302099a8057: \"Ada Karlsen opened the bridge at Vell on 3 May 2031, the mayor said.\"";

pub(super) const COUNT: &str = "Count from one to sixty in words, one after the other, and write nothing else.";

/// Name of the tool to call; the first tool if it is not offered.
pub(super) const TOOL: &str = "search_entities";

pub(super) fn request(question: &str) -> ModelRequest {
    ModelRequest {
        role: AgentRole::Processor,
        system: SYSTEM.into(),
        messages: vec![Message::User { text: question.into() }],
        tools: Arc::new([]),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        output_schema: None,
        progress: None,
    }
}

pub(super) fn in_shape(question: &str, shape: &Arc<OutputSchema>) -> ModelRequest {
    ModelRequest { output_schema: Some(shape.clone()), ..request(question) }
}

pub(super) fn with_tools(tool: &ToolSchema, tools: &Arc<[ToolSchema]>) -> ModelRequest {
    let name = &tool.name;
    let question = format!("Call the tool `{name}` once, to look for \"Ada Karlsen\". When you have its result, say \"done\".");
    ModelRequest { tools: tools.clone(), ..request(&question) }
}
