//! Configuration files (prompts, tool descriptions): from the configuration folder, else embedded in the binary.

use include_dir::{Dir, include_dir};
use std::{borrow::Cow, collections::BTreeMap, path::Path};

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../config");

/// Text files under `config/`, by relative path (`tools/analyst/search_claims.json`).
#[derive(Debug, Clone)]
pub struct ConfigFiles {
    files: BTreeMap<String, Cow<'static, str>>,
}

/// Error of an unreadable configuration folder.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}: {cause}")]
pub struct UnreadableConfig {
    pub path: String,
    pub cause: std::io::Error,
}

impl ConfigFiles {
    /// Returns the embedded files.
    pub fn embedded() -> Self {
        let mut files = BTreeMap::new();
        collect_embedded(&EMBEDDED, &mut files);
        Self { files }
    }

    /// Returns the embedded files, overridden by files of the same path in `folder`.
    pub fn with_folder(folder: &Path) -> Result<Self, UnreadableConfig> {
        let mut all = Self::embedded();
        let known: Vec<String> = all.files.keys().cloned().collect();
        for path in known {
            let file = folder.join(&path);
            if !file.is_file() {
                continue;
            }
            let text =
                std::fs::read_to_string(&file).map_err(|cause| UnreadableConfig { path: file.display().to_string(), cause })?;
            all.files.insert(path, Cow::Owned(text));
        }
        all.add_profiles(folder)?;
        Ok(all)
    }

    /// Adds locale profiles, the only files an operator may add.
    fn add_profiles(&mut self, folder: &Path) -> Result<(), UnreadableConfig> {
        let profiles = folder.join("locale/profiles");
        let unreadable = |cause| UnreadableConfig { path: profiles.display().to_string(), cause };
        let entries = match std::fs::read_dir(&profiles) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(unreadable)?,
        };
        for entry in entries {
            let name = entry.map_err(unreadable)?.file_name().to_string_lossy().into_owned();
            if name.ends_with(".toml") {
                let text = std::fs::read_to_string(profiles.join(&name)).map_err(unreadable)?;
                self.files.insert(format!("locale/profiles/{name}"), Cow::Owned(text));
            }
        }
        Ok(())
    }

    pub fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(AsRef::as_ref)
    }

    /// Returns the files under a folder, with their paths, in order.
    pub fn under<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files
            .iter()
            .filter(move |(path, _)| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
            .map(|(path, text)| (path.as_str(), text.as_ref()))
    }
}

fn collect_embedded(dir: &'static Dir<'static>, files: &mut BTreeMap<String, Cow<'static, str>>) {
    for file in dir.files() {
        if let Some(text) = file.contents_utf8() {
            files.insert(file.path().to_string_lossy().replace('\\', "/"), Cow::Borrowed(text));
        }
    }
    for inner in dir.dirs() {
        collect_embedded(inner, files);
    }
}
