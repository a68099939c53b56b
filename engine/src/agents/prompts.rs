//! Prompts as data, with content hashes.

use super::{
    added_field::AddedField,
    machine::{Finish, JudgeMode, Phase},
    spec::{AgentSpec, PhaseSpec},
    specs,
};
use crate::{config_files::ConfigFiles, evidence::sha256_hex};
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
    /// Prompts of the phases of every role, by the name of their file and what is added.
    of_phases: BTreeMap<(&'static str, Additions), Prompt>,
    /// Prompt that scores a tool result for a question.
    pub reflector: Prompt,
    /// Configuration files, for the word lists and cards that roles of features need.
    pub files: ConfigFiles,
}

/// Additions to the prompts of a session, for phases that have them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Additions {
    pub final_session: bool,
    pub synthesis: bool,
}

impl Additions {
    const ALL: [Self; 4] = [
        Self { final_session: false, synthesis: false },
        Self { final_session: false, synthesis: true },
        Self { final_session: true, synthesis: false },
        Self { final_session: true, synthesis: true },
    ];

    /// Returns the additions that a phase has.
    const fn in_phase(self, phase: &PhaseSpec) -> Self {
        Self {
            final_session: self.final_session && phase.additions.final_session.is_some(),
            synthesis: self.synthesis && phase.additions.synthesis.is_some(),
        }
    }
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
    /// Loads the prompts of `roles`. Those of `fields` follow the prompt of the extraction.
    pub fn load(files: &ConfigFiles, roles: &[&'static AgentSpec], fields: &[AddedField]) -> Result<Self, MissingPrompt> {
        let read = |name: &str| {
            let path = format!("prompts/{name}.md");
            files.get(&path).ok_or(MissingPrompt(path))
        };
        let mut of_phases = BTreeMap::new();
        for phase in roles.iter().flat_map(|spec| spec.phases) {
            for additions in Additions::ALL.map(|additions| additions.in_phase(phase)) {
                let merge = phase.additions.synthesis.filter(|_| additions.synthesis);
                let last = phase.additions.final_session.filter(|_| additions.final_session);
                let mut text = read(phase.prompt)?.to_owned();
                let fields = fields.iter().filter(|_| phase.phase == Phase::Extract).map(|field| field.prompt);
                for added in [merge, last].into_iter().flatten().chain(fields) {
                    text += &format!("\n{}", read(added)?);
                }
                of_phases.insert((phase.prompt, additions), Prompt::new(&text));
            }
        }
        Ok(Self { of_phases, reflector: Prompt::new(read("reflector")?), files: files.clone() })
    }

    /// Returns the system prompt of a phase of a loaded role.
    pub fn system_prompt(&self, phase: &PhaseSpec, additions: Additions) -> Prompt {
        self.of_phases[&(phase.prompt, additions.in_phase(phase))].clone()
    }

    /// Returns one hash of all prompts of a role's sessions.
    pub fn hash_of(&self, role: &'static AgentSpec, additions: Additions, judging: JudgeMode) -> String {
        let hashes: Vec<String> = role.sequence(judging).map(|phase| self.system_prompt(phase, additions).hash).collect();
        match &hashes[..] {
            [only] => only.clone(),
            several => sha256_hex(several.join("\n").as_bytes()),
        }
    }

    /// Returns the hash of each prompt that leads to the product, by phase name.
    pub fn hashes(&self, additions: Additions, judging: JudgeMode) -> BTreeMap<String, String> {
        let makers = specs::KERNEL.into_iter().filter(|spec| spec.finish != Finish::Answer);
        let phases = makers.flat_map(|spec| spec.sequence(judging));
        phases.map(|phase| (phase.phase.as_str().to_owned(), self.system_prompt(phase, additions).hash)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::agent::AgentRole::{Analyst, Processor};

    #[test]
    fn additions_follow_the_prompt_of_a_phase_that_has_them() {
        let files = ConfigFiles::shipped();
        let prompts = Prompts::load(&files, &specs::KERNEL, &[]).unwrap();
        let both = Additions { final_session: true, synthesis: true };
        let texts = ["analyst", "synthesis", "final_session"].map(|name| files.get(&format!("prompts/{name}.md")).unwrap());
        let analyst = specs::for_role(Analyst).unwrap().phases.first().unwrap();
        assert_eq!(&*prompts.system_prompt(analyst, both).text, texts.join("\n"));
        assert_eq!(&*prompts.system_prompt(analyst, Additions::default()).text, texts[0]);
        let hash = |additions| prompts.hash_of(specs::for_role(Processor).unwrap(), additions, JudgeMode::Model);
        assert_eq!(hash(both), hash(Additions::default()));
    }
}
