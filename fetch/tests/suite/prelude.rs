//! Names that most tests use.

pub use crate::{support::*, web::local_web::serve};
pub use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{Html, IntoResponse},
    routing::get,
};
pub use domain::fetch::{BrowseCommand, FetchFailure, FetchRequest};
pub use fetch::{Documents, FetchConfig, Input, ParserPool};
pub use futures::StreamExt;
pub use std::{
    collections::HashMap,
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
