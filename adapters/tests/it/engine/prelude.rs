//! Names that most tests of the engine use.

pub(super) use super::{
    fault_injection::{FaultPoint, guard},
    material::{FIRE_QUESTION, Paper, SAMPLE_QUESTION, sample, three_reports},
    script::{After, Line, Script, assessment, calls, extractive_then_hang, order, says, unplanned, vague_order},
    table::chain,
    world::{Folder, World, folder, suspensions, without_cost, without_ids},
};
pub(super) use crate::eventually::eventually;
pub(super) use adapters::llm::ApiKind;
pub(super) use async_trait::async_trait;
pub(super) use bytes::Bytes;
pub(super) use domain::{
    ClaimId, CollectionId, CollectionKind, DocumentId, EntityId, HolderId, InvestigationId, RelationshipId, Scope, SessionId,
    Timestamp, UserId,
    agent::{AgentRole, AgentSession, SessionOwner, SessionStatus},
    assessment::{Assessment, AssessmentKind},
    budget::{BudgetLevel, CallOutcome, ModelCall},
    document::RejectedFile,
    event::{Event, EventKind},
    fetch::{FeedEntry, FetchError, FetchRequest},
    investigation::{FollowKind, Investigation, Status},
    user::{Role, User},
    work_order::{WorkOrder, WorkOrderStatus},
};
pub(super) use engine::{
    Engine, EngineConfig, Parts, StoreResult,
    accounts::{Actor, AuditEntry},
    agents::{Agents, ToolContext, ToolOffer},
    assessments::{AssessmentQuery, StoredAssessment},
    budget::{day_keys, prompt_tokens},
    fetch::WebPage,
    graph::EntityQuery,
    investigations::{InvestigationFilter, ProcessRole},
    library::DocumentQuery,
    reliability::{Chain, CircuitState, RetryConfig},
};
pub(super) use futures::StreamExt;
pub(super) use protocol::model::{Message, Model, ModelError, ModelReply, ModelRequest, Price, ToolRequest, Usage};
pub(super) use scripted::{Fallback, FaultKind, FaultPlan, Options, Server, Transcript};
pub(super) use serde_json::{Value, json};
pub(super) use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
pub(super) use tokio_util::sync::CancellationToken;
pub(super) use uuid::Uuid;
