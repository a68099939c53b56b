//! Names that most suites of the stores use.

pub(super) use super::backends::{TestBackend, capture, entry, id, not_yet, soon, stored_assessment};
pub(super) use crate::eventually::eventually;
pub(super) use adapters::sql::{SqlConfig, Store};
pub(super) use domain::{
    AssessmentId, CollectionId, CollectionKind, DocumentId, HolderId, InvestigationId, Scope, SessionId, Timestamp, UserId,
    Word, WorkOrderId,
    agent::{AgentRole, SessionOwner},
    event::EventKind,
    investigation::{Investigation, Period, Progress, Status},
    live::GraphCounts,
    work_order::Priority,
};
pub(super) use engine::{
    StoreError,
    accounts::AuditEntry,
    assessments::AssessmentQuery,
    investigations::{InvestigationFilter, StagedOrders},
    library::DocumentQuery,
};
pub(super) use futures::future::join_all;
pub(super) use std::{
    collections::{BTreeMap, BTreeSet},
    slice::from_ref,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
