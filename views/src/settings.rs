//! View models of the settings page. Keys are never included, only whether they exist.

use domain::{
    Timestamp, UserId,
    budget::{BudgetLevel, OwnCap},
    model_choice::ModelChoices,
};
use serde::{Deserialize, Serialize};

/// Name of the built-in model, which needs no provider.
pub const BUILT_IN_MODEL: &str = "extractive";

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
    /// Personal cap of the viewer, which replaces it.
    #[serde(default)]
    pub own: OwnCap,
    /// None where it is not of one day, or not the viewer's to know.
    pub used: Option<SpendToday>,
}

/// Spend of today.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpendToday {
    pub tokens: u64,
    pub cost_micros: u64,
}

/// Spend of a person today, and the personal cap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonSpend {
    pub id: UserId,
    pub name: String,
    pub used: SpendToday,
    pub cap: OwnCap,
}

/// A dependency and its circuit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CircuitLine {
    pub dependency: String,
    pub outage: Outage,
    /// Message of the last failure.
    pub reason: Option<String>,
}

/// State of a dependency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Outage {
    /// Calls are allowed; number of failures in a row.
    None { failures: u32 },
    /// Calls are blocked until then.
    Down { retry_at: Option<Timestamp> },
    /// One probe call is allowed.
    Probing,
}

/// Roles, providers, models, dependencies and people, for administrators.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// As configured.
    pub roles: Vec<RoleModels>,
    /// Roles that features add.
    pub features: Vec<FeatureRole>,
    /// Chosen in the app, which goes before the configuration.
    pub choices: ModelChoices,
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

/// A role that a feature adds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureRole {
    /// Its own models; none: those of `fallback`.
    pub models: RoleModels,
    /// Role of the kernel.
    pub fallback: String,
}

/// A provider as it is configured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderCard {
    pub name: String,
    /// API dialect, in words.
    pub kind: String,
    pub address: String,
    /// Environment variable of the key. `None`: no key needed.
    pub key_variable: Option<String>,
}

/// A provider and its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderLine {
    pub card: ProviderCard,
    pub key: KeyState,
    /// A key is stored, used or not.
    pub is_stored: bool,
    /// Its models, once they were asked for.
    pub listed: Option<ListedModels>,
}

/// Answer of a provider to the question for its models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListedModels {
    Names(Vec<String>),
    /// Reason for which there is no list.
    Problem(String),
}

/// State of a key.
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

/// Result of the last connection test of a model since the program started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ModelTest {
    None,
    Running,
    Done { at: Timestamp, is_usable: bool, line: String },
}

/// A model that does not answer, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SilentModel {
    pub name: String,
    pub why: String,
}
