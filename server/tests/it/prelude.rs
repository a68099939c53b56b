//! Names that most tests use.

pub use crate::{
    app::{App, PASSWORD, open_folder, spawn_app, spawn_for, spawn_playing, spawn_with},
    client::Browser,
    eventually::eventually,
};
pub use domain::{InvestigationId, user::Role};
pub use serde_json::{Value, json};
pub use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};
