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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_lists_and_limits_of_an_operator_do_not_stop_the_start() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("locale")).unwrap();
        for (path, text) in [
            ("extractive.toml", "[figures]\nrounding = 0.2\n"),
            ("locale/question.en.toml", "[stems]\nasking = \"ask tell\"\n"),
            ("locale/names.toml", "titles = [\"dr\"]\n"),
        ] {
            std::fs::write(folder.path().join(path), text).unwrap();
        }
        let files = config_files(Some(folder.path())).unwrap();
        let rules = extractive::Extractive::new(|path| files.get(path));
        assert!(rules.is_ok(), "{:?}", rules.err());
        let names = engine::names::NameMatcher::new(files.get("locale/names.toml"), Default::default());
        assert!(names.is_ok(), "{:?}", names.err());
        assert!(files.get("extractive.toml").is_some_and(|text| text.contains("rounding = 0.2")));
    }
}
