//! Folders of the server that questions may read.

use serde::Deserialize;
use std::{collections::BTreeMap, path::PathBuf};

/// Maximum characters of the name of a folder.
const MAX_NAME_CHARS: usize = 60;

/// Configuration of documents on the server.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DocumentsConfig {
    /// Folders from which questions in the browser may take documents, by the name that the form shows.
    pub roots: BTreeMap<String, PathBuf>,
}

impl DocumentsConfig {
    pub(super) fn problem(&self) -> Option<String> {
        self.roots.iter().find_map(|(name, folder)| {
            if name.trim().is_empty() || name.chars().count() > MAX_NAME_CHARS {
                return Some(format!("documents.roots has the name '{name}'; it must have 1 to {MAX_NAME_CHARS} characters"));
            }
            let is_relative = !folder.is_absolute();
            is_relative.then(|| format!("documents.roots.{name} is '{}'; it must be an absolute path", folder.display()))
        })
    }
}
