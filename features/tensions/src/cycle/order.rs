//! Cycle orders with their stages and tasks, as they are stored.

use crate::tension::TensionId;
use domain::{CollectionId, Timestamp, UserId};
use std::collections::BTreeMap;
use uuid::Uuid;

domain::ids! {
    /// Order to run the cycle, or to scout one tension.
    CycleOrderId = "cycle order";
    /// One session of an agent that a stage needs.
    CycleTaskId = "cycle task";
}

/// Figures of a stage or task by their names.
pub type Counts = BTreeMap<String, u64>;

/// Adds to a figure.
pub fn add_count(counts: &mut Counts, name: &str, number: usize) {
    *counts.entry(name.to_owned()).or_default() += number as u64;
}

/// Returns figures as text: `3 links, 2 sessions`.
pub fn figures_text(counts: &Counts) -> String {
    let figures = counts.iter().map(|(name, number)| format!("{number} {}", name.replace('_', " ")));
    figures.collect::<Vec<_>>().join(", ")
}

domain::words! {
    /// Kind of a cycle order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum OrderKind {
        /// All stages.
        Cycle = "cycle",
        /// Scouting and story only.
        Scout = "scout",
    }
}

impl OrderKind {
    /// Returns the stages of such an order, in sequence.
    pub const fn stages(self) -> &'static [Stage] {
        match self {
            Self::Cycle => &Stage::ALL,
            Self::Scout => &[Stage::Scout, Stage::Story],
        }
    }
}

domain::words! {
    /// Stage of the cycle.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Stage {
        /// Unexplained claims are grouped.
        Situations = "situations",
        /// Known responses are linked to tensions by likeness.
        Mapping = "mapping",
        /// An agent asks which strain is behind each situation.
        Curiosity = "curiosity",
        /// An agent looks for responses to neglected tensions.
        Scout = "scout",
        /// A model tells what happened, what feeds a tension and what eases it.
        Story = "story",
        /// Tensions of low confidence with further independent origins gain confidence.
        Corroboration = "corroboration",
    }
}

impl Stage {
    /// Name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Situations => "Situations",
            Self::Mapping => "Known responses",
            Self::Curiosity => "Curiosity",
            Self::Scout => "Response scout",
            Self::Story => "Stories",
            Self::Corroboration => "Corroboration",
        }
    }
}

/// Order to run the cycle, or to scout one tension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CycleOrder {
    pub id: CycleOrderId,
    pub kind: OrderKind,
    /// Person whose budget is used.
    pub user: UserId,
    /// Whether it reads what everybody reads, and everybody sees it; otherwise it reads what its person reads.
    pub is_shared: bool,
    /// The one tension to scout; none for neglected ones.
    pub tension: Option<TensionId>,
    /// Maximum number of tensions to scout.
    pub max_targets: u32,
    pub ordered_at: Timestamp,
    /// Occurrence of the schedule.
    pub due_at: Option<Timestamp>,
    /// Reason for which it waits; empty while it does not.
    pub reason: String,
    pub ended_at: Option<Timestamp>,
}

impl CycleOrder {
    /// An order of a person over what they read, for one tension at most.
    pub const fn new(id: CycleOrderId, kind: OrderKind, user: UserId, now: Timestamp) -> Self {
        Self {
            id,
            kind,
            user,
            is_shared: false,
            tension: None,
            max_targets: 1,
            ordered_at: now,
            due_at: None,
            reason: String::new(),
            ended_at: None,
        }
    }
}

/// Lease of one run on an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderLease {
    pub order: CycleOrderId,
    /// Id of the run.
    pub holder: Uuid,
}

/// Stage of an order with its figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageRun {
    pub order: CycleOrderId,
    pub stage: Stage,
    pub started_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    pub counts: Counts,
    /// Reason of an early end; empty otherwise.
    pub error: String,
}

impl StageRun {
    /// Figures as text: `3 links, 2 sessions`.
    pub fn figures(&self) -> String {
        figures_text(&self.counts)
    }
}

/// One session of an agent that a stage needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CycleTask {
    pub id: CycleTaskId,
    pub order: CycleOrderId,
    pub stage: Stage,
    /// Collection where pages are stored and results belong.
    pub collection: CollectionId,
    /// None for a situation, whose claims are listed.
    pub tension: Option<TensionId>,
    pub counts: Counts,
    pub is_ended: bool,
}

impl CycleTask {
    /// An open task of an order.
    pub const fn new(
        id: CycleTaskId,
        order: CycleOrderId,
        stage: Stage,
        collection: CollectionId,
        tension: Option<TensionId>,
    ) -> Self {
        Self { id, order, stage, collection, tension, counts: Counts::new(), is_ended: false }
    }
}
