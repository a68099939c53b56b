//! Explanation of replay differences.

use crate::agents::record::{MachineRequest, SetupChange};
use serde::Serialize;
use std::fmt;

/// First differing step with its explanation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepDifference {
    pub step: u32,
    pub what: String,
    pub reasons: Vec<Reason>,
}

/// Reason of a difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Reason {
    Setup(SetupChange),
    /// No editable input changed: the program behaves differently.
    Code {
        recorded: String,
        now: String,
    },
}

impl StepDifference {
    pub(super) fn new(step: u32, what: impl Into<String>, reasons: Vec<Reason>) -> Self {
        Self { step, what: what.into(), reasons }
    }
}

/// Explains the difference between the recorded and the current request; none when equal.
pub(super) fn explain(
    recorded: &MachineRequest,
    now: &MachineRequest,
    changes: &[SetupChange],
) -> Option<(&'static str, Vec<Reason>)> {
    if recorded == now {
        return None;
    }
    let (
        MachineRequest::Model { phase, prompt, offer, .. },
        MachineRequest::Model { phase: phase_now, prompt: prompt_now, offer: offer_now, .. },
    ) = (recorded, now)
    else {
        return Some(("another request is made", explain_limits(changes)));
    };
    Some(match () {
        () if phase != phase_now => ("another phase started", explain_limits(changes)),
        () if prompt != prompt_now => {
            ("the prompt differs", only(changes, |change| matches!(change, SetupChange::Prompt { .. })))
        }
        () if offer != offer_now => {
            ("the tools or output schema differ", only(changes, |change| matches!(change, SetupChange::Tool { .. })))
        }
        () => ("the conversation differs", explain_limits(changes)),
    })
}

/// Returns changed limits, else the program.
pub(super) fn explain_limits(changes: &[SetupChange]) -> Vec<Reason> {
    only(changes, |change| matches!(change, SetupChange::Limit { .. }))
}

pub(super) fn of_code(changes: &[SetupChange]) -> Vec<Reason> {
    only(changes, |_| false)
}

fn only(changes: &[SetupChange], fits: impl Fn(&SetupChange) -> bool) -> Vec<Reason> {
    let fitting: Vec<Reason> = changes.iter().filter(|change| fits(change)).cloned().map(Reason::Setup).collect();
    if !fitting.is_empty() {
        return fitting;
    }
    let now = env!("CARGO_PKG_VERSION").to_owned();
    let recorded = changes.iter().find_map(|change| match change {
        SetupChange::Program { recorded, .. } => Some(recorded.clone()),
        _ => None,
    });
    vec![Reason::Code { recorded: recorded.unwrap_or_else(|| now.clone()), now }]
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup(change) => change.fmt(out),
            Self::Code { recorded, now } => write!(out, "the program has changed (recorded by {recorded}, this is {now})"),
        }
    }
}

impl fmt::Display for SetupChange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |hash: &Option<String>| {
            hash.as_ref().map_or_else(|| "none".into(), |hash| hash.chars().take(12).collect::<String>())
        };
        match self {
            Self::Prompt { name, recorded, now } => {
                write!(out, "the prompt '{name}' has changed ({} then, {} now)", short(recorded), short(now))
            }
            Self::Tool { name, recorded, now } => {
                write!(out, "the schema of '{name}' has changed ({} then, {} now)", short(recorded), short(now))
            }
            Self::Limit { name, recorded, now } => write!(out, "the limit {name} was {recorded} and is {now}"),
            Self::Program { recorded, now } => write!(out, "recorded by version {recorded}, this is {now}"),
        }
    }
}
