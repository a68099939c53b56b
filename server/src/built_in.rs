//! Built-in configuration files: everything under `config/`, embedded in the binary, and what features add.

use crate::features::FEATURES;
use engine::config_files::{ConfigFiles, UnreadableConfig};
use include_dir::{Dir, DirEntry, include_dir};
use std::path::Path;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../config");

/// Returns the embedded files, overridden by those of the operator's folder.
pub fn config_files(folder: Option<&Path>) -> Result<ConfigFiles, UnreadableConfig> {
    let files: ConfigFiles = kernel_files().into_iter().chain(feature::config_files(FEATURES)).collect();
    match folder {
        Some(folder) => files.overridden_by(folder),
        None => Ok(files),
    }
}

/// Returns the files under `config/` by their paths.
pub(crate) fn kernel_files() -> Vec<(String, &'static str)> {
    embedded_texts(&EMBEDDED)
}

fn embedded_texts(dir: &'static Dir<'static>) -> Vec<(String, &'static str)> {
    let texts = dir.entries().iter().map(|entry| match entry {
        DirEntry::Dir(inner) => embedded_texts(inner),
        DirEntry::File(file) => {
            file.contents_utf8().map(|text| (file.path().to_string_lossy().into_owned(), text)).into_iter().collect()
        }
    });
    texts.flatten().collect()
}
