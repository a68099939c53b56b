//! Data directory of an installation, readable by its owner only, with the lock of the working process.

use std::{
    fs::{self, DirBuilder, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// File name of the database.
pub(crate) const DATABASE: &str = "autosint.db";

/// Folder of one installation.
#[derive(Debug, Clone)]
pub struct DataDir(PathBuf);

/// Lock of the process that runs orchestrator and workers on this folder. Released on drop and when the process dies.
#[derive(Debug)]
pub struct WorkLock {
    _file: File,
}

impl DataDir {
    /// Opens the folder, and creates it if it is missing.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        builder.create(path)?;
        // Canonical path, so that later errors are independent of the working directory.
        Ok(Self(fs::canonicalize(path)?))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn database(&self) -> PathBuf {
        self.0.join(DATABASE)
    }

    /// Cache folder. Its content can be deleted at any time and is not backed up.
    pub fn cache(&self) -> PathBuf {
        self.0.join("cache")
    }

    /// Master key file, created on first use. Excluded from backups, because it opens the secrets in them.
    pub fn secret_key(&self) -> PathBuf {
        self.0.join("secret.key")
    }

    /// Takes the work lock; `None` if another process holds it.
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
    fn only_one_process_holds_the_lock() {
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
    fn the_folder_is_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(&folder.path().join("data")).unwrap();
        assert_eq!(fs::metadata(dir.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
