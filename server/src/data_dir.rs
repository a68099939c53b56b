//! Data directory of an installation, readable by its owner only, with the lock of the working process.

use std::{
    fs::{self, DirBuilder, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// File name of the database.
pub(crate) const DATABASE: &str = "autosint.db";
const LOCK: &str = "autosint.lock";
const SECRET_KEY: &str = "secret.key";

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
        close_to_others(path)?;
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

    /// Folder of uploads that are being read. It holds files without names, which need no cleaning up.
    pub fn uploads(&self) -> PathBuf {
        self.cache().join("uploads")
    }

    /// Master key file, created on first use. Excluded from backups, because it opens the secrets in them.
    pub fn secret_key(&self) -> PathBuf {
        self.0.join(SECRET_KEY)
    }

    /// Takes the work lock; `None` if another process holds it.
    pub fn try_lock(&self) -> io::Result<Option<WorkLock>> {
        let file = File::create(self.0.join(LOCK))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(WorkLock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// Returns whether the folder is empty or an installation, rather than a folder with files of somebody else.
#[cfg(unix)]
fn is_ours(path: &Path) -> io::Result<bool> {
    Ok([DATABASE, LOCK, SECRET_KEY].iter().any(|name| path.join(name).exists()) || fs::read_dir(path)?.next().is_none())
}

/// Takes the rights of other accounts off the folder, which may have existed before.
fn close_to_others(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path)?.permissions().mode();
        if mode & 0o077 != 0 {
            let advice = "other accounts may open it; choose a folder for AutOSINT alone, or run chmod 700 on it";
            if !is_ours(path)? {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, advice));
            }
            fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700))
                .map_err(|error| io::Error::new(error.kind(), format!("{advice}: {error}")))?;
        }
    }
    Ok(())
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
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(dir.path()), 0o700);
        let existing = folder.path().join("existing");
        fs::create_dir(&existing).unwrap();
        fs::set_permissions(&existing, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(mode(DataDir::open(&existing).unwrap().path()), 0o700);
        let shared = folder.path().join("shared");
        fs::create_dir(&shared).unwrap();
        fs::write(shared.join("letter.txt"), "").unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(DataDir::open(&shared).unwrap_err().to_string().contains("chmod 700"));
        assert_eq!(mode(&shared), 0o755);
    }
}
