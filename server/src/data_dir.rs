//! The data directory: one folder with everything, for this person's eyes only, and the lock that says who works on it.

use std::{
    fs::{self, DirBuilder, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// The name of the database's file in the folder.
pub(crate) const DATABASE: &str = "autosint.db";

/// The folder of one installation.
#[derive(Debug, Clone)]
pub struct DataDir(PathBuf);

/// Held by the one process that runs orchestrator and workers on this folder; let go when dropped, also by a killed process.
#[derive(Debug)]
pub struct WorkLock {
    _file: File,
}

impl DataDir {
    /// Makes the folder when it is missing.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        builder.create(path)?;
        // Errors later name the folder whatever the working directory is then.
        Ok(Self(fs::canonicalize(path)?))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn database(&self) -> PathBuf {
        self.0.join(DATABASE)
    }

    /// What can be thrown away at any time; not for backups.
    pub fn cache(&self) -> PathBuf {
        self.0.join("cache")
    }

    /// Seals what is secret in the database; made when it is first needed. Not for backups: beside them it would open what they hold.
    pub fn secret_key(&self) -> PathBuf {
        self.0.join("secret.key")
    }

    /// None when another process has it.
    pub fn try_lock(&self) -> io::Result<Option<WorkLock>> {
        let file = File::create(self.0.join("autosint.lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(WorkLock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_the_lock_until_it_lets_go() {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(&folder.path().join("new/data")).unwrap();
        let held = dir.try_lock().unwrap();
        assert!(held.is_some());
        assert!(dir.try_lock().unwrap().is_none());
        drop(held);
        assert!(dir.try_lock().unwrap().is_some());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_look_in() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(&folder.path().join("data")).unwrap();
        assert_eq!(fs::metadata(dir.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
