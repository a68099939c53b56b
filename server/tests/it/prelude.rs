//! Names that most tests use.

pub use crate::{
    app::{App, PASSWORD, files_below, open_folder, spawn_app, spawn_for, spawn_playing, spawn_with},
    client::{Answer, Browser},
    eventually::{eventually, pause},
    reports::{CAUSE_REPORT, DENIAL_REPORT, POLICE_REPORT, QUESTION},
};
pub use adapters::llm::{ApiKind, ProviderConfig};
pub use async_trait::async_trait;
pub use axum::{Json, Router, http::StatusCode};
pub use domain::{
    CollectionKind, EntityId, InvestigationId, Timestamp,
    agent::AgentRole,
    event::EventKind,
    investigation::{Investigation, Status, WebAccess},
    user::{Role, User},
    work_order::WorkOrderStatus,
};
pub use engine::{Engine, graph::GraphWrite, investigations::InvestigationFilter, library::DocumentQuery};
pub use fetch::Exception;
pub use protocol::model::{ModelError, ModelReply, ModelRequest};
pub use scripted::Options;
pub use serde_json::{Value, json};
pub use server::Program;
pub use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};
pub use tempfile::TempDir;
pub use testkit::without_ids;
pub use tokio_util::sync::CancellationToken;
