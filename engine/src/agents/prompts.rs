//! The prompts of the roles, as data with a content hash.

use crate::{config_files::ConfigFiles, evidence::sha256_hex};
use domain::agent::AgentRole;
use std::sync::Arc;

/// One prompt with the hash under which sessions and assessments record it.
#[derive(Debug, Clone)]
pub struct Prompt {
    pub text: Arc<str>,
    /// Hex SHA-256 of the text.
    pub hash: String,
}

/// The prompts of all roles.
#[derive(Debug, Clone)]
pub struct Prompts {
    analyst: Prompt,
    /// Appended to the Analyst's when the session must end with the assessment.
    final_session: Prompt,
    processor: Prompt,
}

/// A prompt file is missing.
#[derive(Debug, thiserror::Error)]
#[error("config/{0} is missing")]
pub struct MissingPrompt(String);

impl Prompts {
    pub fn load(files: &ConfigFiles) -> Result<Self, MissingPrompt> {
        let read = |name: &str| {
            let path = format!("prompts/{name}.md");
            let text = files.get(&path).ok_or(MissingPrompt(path))?;
            Ok(Prompt { text: text.into(), hash: sha256_hex(text.as_bytes()) })
        };
        Ok(Self { analyst: read("analyst")?, final_session: read("final_session")?, processor: read("processor")? })
    }

    /// What a session of this role is told as its system prompt.
    pub fn of(&self, role: AgentRole, final_session: bool) -> Prompt {
        match role {
            AgentRole::Processor => self.processor.clone(),
            AgentRole::Analyst if final_session => {
                let text: Arc<str> = format!("{}\n{}", self.analyst.text, self.final_session.text).into();
                Prompt { hash: sha256_hex(text.as_bytes()), text }
            }
            AgentRole::Analyst => self.analyst.clone(),
        }
    }
}
