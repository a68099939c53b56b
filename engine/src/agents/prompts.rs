//! Prompts as data, with content hashes.

use super::machine::{JudgeMode, Phase};
use crate::{config_files::ConfigFiles, evidence::sha256_hex};
use domain::agent::AgentRole;
use std::{collections::BTreeMap, sync::Arc};

/// Prompt with its content hash, which sessions and assessments record.
#[derive(Debug, Clone)]
pub struct Prompt {
    pub text: Arc<str>,
    /// Hex SHA-256 of the text.
    pub hash: String,
}

/// Prompts of all phases, and of calls outside sessions.
#[derive(Debug, Clone)]
pub struct Prompts {
    analyst: Prompt,
    /// Analyst prompt with the addition for sessions that must end with the assessment.
    final_session: Prompt,
    /// Both Analyst prompts with the addition for divided questions.
    synthesis: Prompt,
    final_synthesis: Prompt,
    plan: Prompt,
    research: Prompt,
    extract: Prompt,
    /// Prompt that scores a tool result for a question.
    pub reflector: Prompt,
    /// Prompt that judges whether two names denote one entity.
    judge: Prompt,
}

/// Optional additions to the Analyst prompt; other roles have none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Additions {
    pub final_session: bool,
    pub synthesis: bool,
}

/// Error of a missing prompt file.
#[derive(Debug, thiserror::Error)]
#[error("config/{0} is missing")]
pub struct MissingPrompt(String);

impl Prompt {
    fn new(text: &str) -> Self {
        Self { text: text.into(), hash: sha256_hex(text.as_bytes()) }
    }
}

impl Prompts {
    pub fn load(files: &ConfigFiles) -> Result<Self, MissingPrompt> {
        let read = |name: &str| {
            let path = format!("prompts/{name}.md");
            files.get(&path).ok_or(MissingPrompt(path))
        };
        let (analyst, last, merge) = (read("analyst")?, read("final_session")?, read("synthesis")?);
        Ok(Self {
            analyst: Prompt::new(analyst),
            final_session: Prompt::new(&format!("{analyst}\n{last}")),
            synthesis: Prompt::new(&format!("{analyst}\n{merge}")),
            final_synthesis: Prompt::new(&format!("{analyst}\n{merge}\n{last}")),
            plan: Prompt::new(read("processor_plan")?),
            research: Prompt::new(read("processor_research")?),
            extract: Prompt::new(read("extractor")?),
            reflector: Prompt::new(read("reflector")?),
            judge: Prompt::new(read("entity_judge")?),
        })
    }

    /// Returns the system prompt of a phase.
    pub fn system_prompt(&self, phase: Phase, additions: Additions) -> Prompt {
        let prompt = match phase {
            Phase::Analyse => match (additions.synthesis, additions.final_session) {
                (false, false) => &self.analyst,
                (false, true) => &self.final_session,
                (true, false) => &self.synthesis,
                (true, true) => &self.final_synthesis,
            },
            Phase::Plan => &self.plan,
            Phase::Research => &self.research,
            Phase::Extract => &self.extract,
            Phase::Judge => &self.judge,
        };
        prompt.clone()
    }

    /// Returns one hash of all prompts of a role's sessions.
    pub fn hash_of(&self, role: AgentRole, additions: Additions, judging: JudgeMode) -> String {
        let hashes: Vec<String> =
            Phase::sequence(role, judging).iter().map(|phase| self.system_prompt(*phase, additions).hash).collect();
        match &hashes[..] {
            [only] => only.clone(),
            several => sha256_hex(several.join("\n").as_bytes()),
        }
    }

    /// Returns the hash of each prompt by phase name.
    pub fn hashes(&self, additions: Additions, judging: JudgeMode) -> BTreeMap<String, String> {
        let roles = [AgentRole::Analyst, AgentRole::Processor];
        let phases = roles.iter().flat_map(|role| Phase::sequence(*role, judging));
        phases.map(|phase| (phase.as_str().to_owned(), self.system_prompt(*phase, additions).hash)).collect()
    }
}
