//! Session record: its setup, and each step with the machine's request.

use super::{
    machine::{Input, MachineLimits, Phase},
    offer::{Decomposition, Ending},
};
use crate::{StoreError, evidence::sha256_hex, sessions::StoredStep};
use domain::{Timestamp, agent::AgentRole, assessment::AssessmentKind, investigation::WebAccess};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Setup of a session: everything but its inputs that determines its behaviour. Equal for all sessions of a role until something
/// is edited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionSetup {
    /// Version of the program.
    pub program: String,
    pub role: AgentRole,
    pub final_session: bool,
    /// Final session that wrote from the record without searching.
    #[serde(default)]
    pub from_record: bool,
    #[serde(default)]
    pub decomposition: Decomposition,
    /// Product written by its tools.
    #[serde(default)]
    pub product: AssessmentKind,
    #[serde(default)]
    pub web: WebAccess,
    #[serde(default = "yes")]
    pub has_browser: bool,
    /// Whether its models are offered the tools that write an assessment.
    #[serde(default = "yes")]
    pub offers_drafts: bool,
    /// Prompt texts by name.
    pub prompts: BTreeMap<String, String>,
    /// Offered tools and output schemas, by name.
    pub tools: BTreeMap<String, Value>,
    pub limits: MachineLimits,
    pub max_output_tokens: u32,
}

/// Request of the machine at one step, by content hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "asked", rename_all = "snake_case")]
pub enum MachineRequest {
    Opening,
    Model {
        phase: Phase,
        prompt: String,
        /// Hash of the offered tools or of the output schema.
        offer: String,
        conversation: String,
    },
    Tools {
        calls: String,
    },
    Pack {
        documents: String,
    },
    Pairs {
        extract: String,
    },
    Note {
        refused: String,
    },
    Person {
        question: String,
    },
    Nothing,
}

/// Logged step: request and input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedStep {
    #[serde(flatten)]
    pub asked: MachineRequest,
    pub fed: Input,
}

/// Difference between two session setups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "changed", rename_all = "snake_case")]
pub enum SetupChange {
    Prompt { name: String, recorded: Option<String>, now: Option<String> },
    Tool { name: String, recorded: Option<String>, now: Option<String> },
    Limit { name: String, recorded: Value, now: Value },
    Program { recorded: String, now: String },
}

/// Returns what holds for setups without this entry.
const fn yes() -> bool {
    true
}

impl RecordedStep {
    pub fn stored(&self, number: u32, at: Timestamp) -> Result<StoredStep, StoreError> {
        let input = serde_json::to_string(self).map_err(|error| StoreError::Defect(error.to_string()))?;
        Ok(StoredStep { number, at, input })
    }

    pub fn read(stored: &StoredStep) -> Result<Self, StoreError> {
        serde_json::from_str(&stored.input).map_err(|error| StoreError::Defect(error.to_string()))
    }
}

impl SessionSetup {
    pub fn read(stored: &str) -> Result<Self, StoreError> {
        serde_json::from_str(stored).map_err(|error| StoreError::Defect(error.to_string()))
    }

    pub fn stored(&self) -> Result<String, StoreError> {
        serde_json::to_string(self).map_err(|error| StoreError::Defect(error.to_string()))
    }

    pub fn ending(&self) -> Ending {
        match (self.final_session, self.from_record) {
            (_, true) => Ending::FromRecord,
            (true, false) => Ending::Final,
            (false, false) => Ending::Open,
        }
    }

    /// Returns the differences of `now` from this recorded setup.
    pub fn changes(&self, now: &Self) -> Vec<SetupChange> {
        let mut changes = vec![];
        for (name, recorded, now) in differing(&self.prompts, &now.prompts) {
            let hash = |text: Option<&String>| text.map(|text| sha256_hex(text.as_bytes()));
            changes.push(SetupChange::Prompt { name, recorded: hash(recorded), now: hash(now) });
        }
        for (name, recorded, now) in differing(&self.tools, &now.tools) {
            changes.push(SetupChange::Tool { name, recorded: recorded.map(hash_of), now: now.map(hash_of) });
        }
        for (name, recorded, now) in differing(&self.numbers(), &now.numbers()) {
            let value = |value: Option<&Value>| value.cloned().unwrap_or_default();
            changes.push(SetupChange::Limit { name, recorded: value(recorded), now: value(now) });
        }
        if self.program != now.program {
            changes.push(SetupChange::Program { recorded: self.program.clone(), now: now.program.clone() });
        }
        changes
    }

    fn numbers(&self) -> BTreeMap<String, Value> {
        let limits = serde_json::to_value(self.limits).unwrap_or_default();
        let mut numbers: BTreeMap<String, Value> = limits.as_object().cloned().unwrap_or_default().into_iter().collect();
        numbers.insert("max_output_tokens".into(), self.max_output_tokens.into());
        numbers
    }
}

/// Returns the hex SHA-256 of a value as JSON.
pub fn hash_of(value: &(impl Serialize + ?Sized)) -> String {
    sha256_hex(&serde_json::to_vec(value).unwrap_or_default())
}

type Difference<'a, V> = (String, Option<&'a V>, Option<&'a V>);

fn differing<'a, V: PartialEq>(recorded: &'a BTreeMap<String, V>, now: &'a BTreeMap<String, V>) -> Vec<Difference<'a, V>> {
    let names: std::collections::BTreeSet<&String> = recorded.keys().chain(now.keys()).collect();
    let compared = names.into_iter().map(|name| (name.clone(), recorded.get(name), now.get(name)));
    compared.filter(|(_, recorded, now)| recorded != now).collect()
}
