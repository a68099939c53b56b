//! Names that most handlers use.

pub(super) use super::{
    WebState,
    answer::{ApiError, redirect, redirect_back, refuse, store_notice},
    auth::Caller,
    client_address::ClientAddress,
};
pub(super) use app::Notice;
pub(super) use axum::{
    Form,
    body::Body,
    extract::{Path, Request, State},
    http::{HeaderMap, Response, StatusCode, header},
    middleware::Next,
    response::IntoResponse,
};
pub(super) use domain::{
    AssessmentId, DocumentId, InvestigationId, UserId,
    user::{Action, User},
};
pub(super) use engine::{StoreError, StoreResult, accounts::Actor};
pub(super) use feature::{AnyFields, FormPost};
pub(super) use serde::Deserialize;
pub(super) use tower_sessions::Session;
