//! Configuration files (prompts, tool descriptions, word lists) by path. The server embeds them; tests read the folder.

use std::{
    any::{Any, TypeId},
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    io,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};
use toml::{Table, Value};

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
    /// only files that an operator may add. Lists and limits that a file of the operator lacks are filled in from the file it replaces.
    pub fn overridden_by(mut self, folder: &Path) -> Result<Self, UnreadableConfig> {
        let known: Vec<String> = self.files.keys().cloned().collect();
        for path in known {
            let file = folder.join(&path);
            if file.is_file() {
                let text = std::fs::read_to_string(&file).map_err(UnreadableConfig::at(&file))?;
                let built_in = self.get(&path).filter(|_| has_lists(&path));
                let text = built_in.map_or_else(|| text.clone(), |built_in| filled(&text, built_in));
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

/// Tables of words with their values. An operator's file has them as a whole; the keys of all other tables are known to the program.
const WORD_TABLES: [&str; 7] =
    ["abbreviations", "countries", "inflection", "irregular", "irregular_nouns", "numbers", "relative_days"];

/// Returns whether a file has lists of words or limits, each under a key.
fn has_lists(path: &str) -> bool {
    let is_locale = path.starts_with("locale/") && !path.starts_with("locale/profiles/");
    path == "extractive.toml" || (is_locale && path.ends_with(".toml"))
}

/// Returns an operator's text with the keys that only the built-in text has. Broken texts stay as they are: their reader names the problem.
fn filled(text: &str, built_in: &str) -> String {
    if let (Ok(mut own), Ok(built_in)) = (toml::from_str(text), toml::from_str(built_in))
        && fill(&mut own, built_in)
        && let Ok(whole) = toml::to_string(&own)
    {
        return whole;
    }
    text.to_owned()
}

/// Adds the keys that `own` lacks; returns whether it lacked any.
fn fill(own: &mut Table, built_in: Table) -> bool {
    let mut has_lacked = false;
    for (key, value) in built_in {
        if !own.contains_key(&key) {
            own.insert(key, value);
            has_lacked = true;
        } else if !WORD_TABLES.contains(&key.as_str())
            && let (Some(Value::Table(own)), Value::Table(built_in)) = (own.get_mut(&key), value)
        {
            has_lacked |= fill(own, built_in);
        }
    }
    has_lacked
}

#[cfg(test)]
impl ConfigFiles {
    /// Returns the files of the repository.
    pub(crate) fn shipped() -> Self {
        Self::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../config")).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_an_operator_has_the_lists_that_it_lacks_from_the_built_in_one() {
        let built_in = "[limits]\nmost = 3\nleast = 1\n[stems]\nasking = \"ask\"\n[numbers]\none = 1\ntwo = 2\n";
        let own = "[limits]\nmost = 9\n[numbers]\none = 1\n";
        let whole: Table = toml::from_str(&filled(own, built_in)).unwrap();
        let expected = "[limits]\nmost = 9\nleast = 1\n[stems]\nasking = \"ask\"\n[numbers]\none = 1\n";
        assert_eq!(whole, toml::from_str::<Table>(expected).unwrap());
        for kept in [built_in, "# Mine.\nlimits = 1\nstems = 2\nnumbers = 3", "[limits"] {
            assert_eq!(filled(kept, built_in), kept, "nothing is missing, or nothing can be read");
        }
    }

    #[test]
    fn only_files_with_lists_of_words_or_limits_are_completed() {
        let paths = ["extractive.toml", "locale/en.toml", "locale/en/places.toml", "locale/names.toml"];
        assert!(paths.into_iter().all(has_lists));
        let others = ["locale/profiles/in.toml", "locale/checks.json", "prompts/analyst.md", "samples/varrow-lock/sample.toml"];
        assert!(!others.into_iter().any(has_lists));
    }
}
