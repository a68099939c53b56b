//! Names that most tests of the engine use.

pub(super) use super::{
    material::{FIRE_QUESTION, Paper, three_reports},
    script::{After, Line, Script, assessment, calls, order, says, vague_order},
    world::{Folder, World, folder, without_cost, without_ids},
};
pub(super) use crate::eventually::eventually;
pub(super) use adapters::llm::ApiKind;
pub(super) use async_trait::async_trait;
pub(super) use domain::{
    InvestigationId, Scope,
    agent::{AgentRole, SessionStatus},
    assessment::AssessmentKind,
    event::{Event, EventKind},
    investigation::{Investigation, Status},
    work_order::WorkOrderStatus,
};
pub(super) use engine::{Parts, agents::Agents, library::DocumentQuery, reliability::Chain};
pub(super) use futures::StreamExt;
pub(super) use protocol::model::{Message, Model, ModelError, ModelRequest};
pub(super) use scripted::{Options, Server};
pub(super) use serde_json::{Value, json};
pub(super) use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};
