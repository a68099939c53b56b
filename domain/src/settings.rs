//! How models are set up, as the settings page shows it. Never a key: only whether there is one.

use crate::{
    Timestamp, UserId,
    budget::{BudgetLevel, OwnCap},
};
use serde::{Deserialize, Serialize};

/// The settings page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingsView {
    /// For administrators.
    pub setup: Option<Setup>,
    /// The caps, and the viewer's own spending.
    pub spending: Spending,
    pub now: Timestamp,
}

/// Budgets as they are configured, and what was used of them today.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Spending {
    pub currency: String,
    pub caps: Vec<CapLine>,
}

/// A cap of one level.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CapLine {
    pub level: BudgetLevel,
    pub tokens: Option<u64>,
    pub money: Option<f64>,
    /// What holds for the viewer in the place of it.
    #[serde(default)]
    pub own: OwnCap,
    /// None where it is not of one day, or not the viewer's to know.
    pub used: Option<SpendToday>,
}

/// What was used today.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpendToday {
    pub tokens: u64,
    pub cost_micros: u64,
}

/// What one person has used today, and may.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonSpend {
    pub id: UserId,
    pub name: String,
    pub used: SpendToday,
    pub cap: OwnCap,
}

/// Something that is called and may fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CircuitLine {
    pub dependency: String,
    pub outage: Outage,
    /// What the last failure said.
    pub reason: Option<String>,
}

/// How a dependency stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Outage {
    /// It is called; so many calls in a row have failed.
    None { failures: u32 },
    /// It is not called before then.
    Down { retry_at: Option<Timestamp> },
    /// One call tries whether it is back.
    Probing,
}

/// Who plays which role, and what is known of the providers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    pub roles: Vec<RoleModels>,
    pub providers: Vec<ProviderLine>,
    pub models: Vec<ModelLine>,
    pub circuits: Vec<CircuitLine>,
    pub people: Vec<PersonSpend>,
}

/// The models of a role as the configuration names them, the preferred one first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleModels {
    pub role: String,
    pub models: Vec<String>,
}

/// A provider as it is configured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderCard {
    pub name: String,
    /// What it speaks, in words.
    pub kind: String,
    pub address: String,
    /// Where in the environment its key is looked for. None: it needs no key.
    pub key_variable: Option<String>,
}

/// A provider and its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderLine {
    pub card: ProviderCard,
    pub key: KeyState,
    /// A key is stored, used or not.
    pub is_stored: bool,
}

/// Whether there is a key, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    NotNeeded,
    Missing,
    /// In the environment; goes before a stored one.
    Environment,
    Stored,
    /// Stored, but sealed by another master key.
    Unreadable,
}

/// A model that a role names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelLine {
    pub name: String,
    pub trial: ModelTest,
}

/// What trying a model out has shown since the program started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ModelTest {
    None,
    Running,
    Done { at: Timestamp, is_usable: bool, line: String },
}
