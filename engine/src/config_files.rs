//! Configuration files (prompts, tool descriptions, word lists) by path. The server embeds them; tests read the folder.

use std::{
    any::{Any, TypeId},
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    io,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

/// Values that were parsed from files, by their types.
type ParsedValues = HashMap<TypeId, Arc<dyn Any + Send + Sync>>;

/// Text files under `config/`, by relative path (`tools/analyst/search_claims.json`).
#[derive(Debug, Clone, Default)]
pub struct ConfigFiles {
    files: BTreeMap<String, Cow<'static, str>>,
    /// Clones share it until a file changes.
    parsed: Arc<Mutex<ParsedValues>>,
}

/// Error of an unreadable configuration folder.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}: {cause}")]
pub struct UnreadableConfig {
    pub path: String,
    pub cause: io::Error,
}

impl UnreadableConfig {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        |cause| Self { path, cause }
    }
}

impl FromIterator<(String, &'static str)> for ConfigFiles {
    fn from_iter<I: IntoIterator<Item = (String, &'static str)>>(files: I) -> Self {
        Self { files: files.into_iter().map(|(path, text)| (path, Cow::Borrowed(text))).collect(), ..Self::default() }
    }
}

impl ConfigFiles {
    /// Reads every text file of a folder.
    pub fn folder(folder: impl AsRef<Path>) -> Result<Self, UnreadableConfig> {
        let mut all = Self::default();
        all.add_folder(folder.as_ref(), "")?;
        Ok(all)
    }

    fn add_folder(&mut self, folder: &Path, prefix: &str) -> Result<(), UnreadableConfig> {
        for entry in std::fs::read_dir(folder).map_err(UnreadableConfig::at(folder))? {
            let file = entry.map_err(UnreadableConfig::at(folder))?.path();
            let name = format!("{prefix}{}", file.file_name().unwrap_or_default().display());
            if file.is_dir() {
                self.add_folder(&file, &format!("{name}/"))?;
            } else if let Ok(text) = String::from_utf8(std::fs::read(&file).map_err(UnreadableConfig::at(&file))?) {
                self.set(name, text);
            }
        }
        Ok(())
    }

    /// Returns these files, overridden by files of the same path in `folder`, with its locale profiles added. Profiles are the
    /// only files that an operator may add.
    pub fn overridden_by(mut self, folder: &Path) -> Result<Self, UnreadableConfig> {
        let known: Vec<String> = self.files.keys().cloned().collect();
        for path in known {
            let file = folder.join(&path);
            if file.is_file() {
                let text = std::fs::read_to_string(&file).map_err(UnreadableConfig::at(&file))?;
                self.set(path, text);
            }
        }
        let profiles = folder.join("locale/profiles");
        if profiles.is_dir() {
            for entry in std::fs::read_dir(&profiles).map_err(UnreadableConfig::at(&profiles))? {
                let file = entry.map_err(UnreadableConfig::at(&profiles))?.path();
                if file.extension().is_some_and(|extension| extension == "toml") {
                    let name = file.file_name().unwrap_or_default().display();
                    let text = std::fs::read_to_string(&file).map_err(UnreadableConfig::at(&file))?;
                    self.set(format!("locale/profiles/{name}"), text);
                }
            }
        }
        Ok(self)
    }

    /// Adds or replaces one file.
    pub fn set(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.files.insert(path.into(), Cow::Owned(text.into()));
        self.parsed = Arc::default();
    }

    /// Returns the value of a type that is parsed from these files. `parse` runs once, unless it fails.
    pub fn parsed<T: Send + Sync + 'static, E>(&self, parse: impl FnOnce(&Self) -> Result<T, E>) -> Result<Arc<T>, E> {
        let mut values = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = values.get(&TypeId::of::<T>()).cloned().and_then(|value| value.downcast::<T>().ok());
        if let Some(known) = known {
            return Ok(known);
        }
        let value = Arc::new(parse(self)?);
        values.insert(TypeId::of::<T>(), value.clone());
        Ok(value)
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

#[cfg(test)]
impl ConfigFiles {
    /// Returns the files of the repository.
    pub(crate) fn shipped() -> Self {
        Self::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../config")).unwrap()
    }
}
