//! Input files, listed in path order.

use super::{
    open::unreadable,
    uploaded::{UploadedContent, UploadedFiles},
};
use crate::{config::ReadConfig, refusal::Refusal, sniff::READABLE_KINDS};
use bytes::Bytes;
use domain::fetch::{RejectReason, Rejection};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

/// Local paths, files uploaded by a browser, or files in memory.
#[derive(Debug, Clone)]
pub enum Input {
    Paths(Vec<PathBuf>),
    Uploaded(UploadedFiles),
    InMemory(Vec<(String, Bytes)>),
}

/// File to read, with its display path.
#[derive(Debug)]
pub(super) struct InputFile {
    pub path: String,
    pub content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    File(PathBuf),
    Uploaded(UploadedContent),
    Bytes(Bytes),
}

type Entry = Result<InputFile, Rejection>;

/// Lists everything; duplicate paths get the suffix `~2`.
pub(super) async fn list(input: Input, config: &ReadConfig) -> Vec<Entry> {
    let mut entries = match input {
        Input::Uploaded(files) => files.contents().map(|(name, content)| entry(&name, Content::Uploaded(content))).collect(),
        Input::InMemory(files) => files.into_iter().map(|(name, bytes)| entry(&name, Content::Bytes(bytes))).collect(),
        Input::Paths(paths) => {
            let config = config.clone();
            tokio::task::spawn_blocking(move || list_paths(&paths, &config)).await.unwrap_or_default()
        }
    };
    entries.sort_by(|a, b| path_of(a).cmp(path_of(b)));
    let mut copies: HashMap<String, usize> = HashMap::new();
    for entry in entries.iter_mut().flatten() {
        let count = copies.entry(entry.path.clone()).or_default();
        *count += 1;
        if *count > 1 {
            entry.path = format!("{}~{count}", entry.path);
        }
    }
    entries
}

fn path_of(entry: &Entry) -> &str {
    match entry {
        Ok(listed) => &listed.path,
        Err(rejected) => &rejected.path,
    }
}

fn entry(name: &str, content: Content) -> Entry {
    let name = clean_name(name);
    let path = if name.is_empty() { "upload".to_owned() } else { name };
    Ok(InputFile { path, content })
}

/// Untrusted name as a safe relative path: no `..`, no control characters.
pub(crate) fn clean_name(name: &str) -> String {
    let name: String = name.replace('\\', "/").chars().filter(|c| !c.is_control()).collect();
    let pieces = name.split('/').map(str::trim).filter(|piece| !matches!(*piece, "" | "." | ".."));
    pieces.collect::<Vec<_>>().join("/")
}

fn list_paths(paths: &[PathBuf], config: &ReadConfig) -> Vec<Entry> {
    let mut walk = Walk { config, entries: Vec::new(), root: PathBuf::new() };
    for path in paths {
        let name = path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let label = name.unwrap_or_else(|| path.to_string_lossy().into_owned());
        match fs::metadata(path) {
            Err(error) => walk.refuse(label, unreadable(&error)),
            Ok(found) if found.is_dir() => {
                walk.root = path.canonicalize().unwrap_or_else(|_| path.clone());
                let prefix = if paths.len() > 1 { format!("{label}/") } else { String::new() };
                let before = walk.entries.len();
                walk.folder(path, &prefix, 0);
                if walk.entries.len() == before {
                    walk.refuse(label, empty_folder());
                }
            }
            Ok(found) if found.is_file() => walk.add(label, path.clone()),
            Ok(_) => walk.refuse(label, not_a_file()),
        }
    }
    walk.entries
}

struct Walk<'a> {
    config: &'a ReadConfig,
    entries: Vec<Entry>,
    root: PathBuf,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, prefix: &str, depth: usize) {
        if depth > self.config.max_folder_depth {
            let message = format!(
                "The folder is nested more than {} deep and was not read; raise `fetch.read.max_folder_depth`.",
                self.config.max_folder_depth
            );
            return self.refuse(prefix, Refusal::new(RejectReason::TooDeep, message));
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.refuse(prefix, unreadable(&error)),
        };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            if self.entries.len() > self.config.max_files {
                return;
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            match name.starts_with('.') {
                true if entry.file_type().is_ok_and(|kind| kind.is_dir()) => self.refuse(format!("{path}/"), Refusal::hidden()),
                true => self.refuse(path, Refusal::hidden()),
                false => self.entry(&entry, path, depth),
            }
        }
    }

    fn entry(&mut self, entry: &fs::DirEntry, path: String, depth: usize) {
        let file = entry.path();
        match entry.file_type() {
            Err(error) => self.refuse(path, unreadable(&error)),
            Ok(kind) if kind.is_dir() => self.folder(&file, &format!("{path}/"), depth + 1),
            Ok(kind) if kind.is_file() => self.add(path, file),
            Ok(kind) if kind.is_symlink() => self.link(&file, path),
            Ok(_) => self.refuse(path, not_a_file()),
        }
    }

    /// Symbolic links to files inside the folder are read. Linked folders inside it are read at their real place.
    fn link(&mut self, file: &Path, path: String) {
        let target = match file.canonicalize() {
            Ok(target) => target,
            Err(error) => return self.refuse(path, unreadable(&error)),
        };
        if !target.starts_with(&self.root) {
            let message = "It is a link to outside the folder and was not followed; add its target itself.";
            return self.refuse(path, Refusal::new(RejectReason::UnsafePath, message));
        }
        if target.is_file() {
            self.add(path, target);
        }
    }

    fn add(&mut self, path: String, file: PathBuf) {
        match self.entries.len().cmp(&self.config.max_files) {
            std::cmp::Ordering::Less => self.entries.push(Ok(InputFile { path, content: Content::File(file) })),
            std::cmp::Ordering::Equal => {
                let message = format!(
                    "There are more than {} files; this one and all later ones were not read. Split the folder, or raise `fetch.read.max_files`.",
                    self.config.max_files
                );
                self.refuse(path, Refusal::new(RejectReason::TooMany, message));
            }
            std::cmp::Ordering::Greater => {}
        }
    }

    fn refuse(&mut self, path: impl Into<String>, refusal: Refusal) {
        self.entries.push(Err(refusal.at(path)));
    }
}

fn empty_folder() -> Refusal {
    let message = format!("The folder contains no files; supported formats: {READABLE_KINDS}.");
    Refusal::new(RejectReason::Empty, message)
}

fn not_a_file() -> Refusal {
    Refusal::new(RejectReason::Unreadable, "It is neither a file nor a folder and cannot be read; remove it.")
}
