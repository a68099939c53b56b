//! The master key: supplied by the operator, or kept in a file that only this user can read.

use engine::{StoreError, StoreResult};
use ring::rand::{SecureRandom, SystemRandom};
use std::{
    fmt,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

const KEY_BYTES: usize = 32;

/// 32 key bytes, wiped on drop.
pub(super) type KeyBytes = Zeroizing<[u8; KEY_BYTES]>;

/// The master key, or the file that holds it.
#[derive(Clone)]
pub struct MasterKey(KeySource);

#[derive(Clone)]
enum KeySource {
    Inline(KeyBytes),
    /// Created when the first secret is stored.
    File(PathBuf),
}

/// The text is not a valid key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a master key is 64 hexadecimal digits, such as `openssl rand -hex 32` prints")]
pub struct BadMasterKey;

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            KeySource::Inline(_) => "MasterKey(given)",
            KeySource::File(_) => "MasterKey(file)",
        })
    }
}

impl MasterKey {
    /// Parses 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Self, BadMasterKey> {
        Ok(Self(KeySource::Inline(parse(text).ok_or(BadMasterKey)?)))
    }

    /// A file, which may not exist yet.
    pub fn from_file(path: PathBuf) -> Self {
        Self(KeySource::File(path))
    }

    /// Loads the key; `None` if it was never created.
    pub(super) fn load(&self) -> StoreResult<Option<KeyBytes>> {
        match &self.0 {
            KeySource::Inline(key) => Ok(Some(key.clone())),
            KeySource::File(path) => read(path),
        }
    }

    /// Loads the key, or creates it.
    pub(super) fn load_or_create(&self) -> StoreResult<KeyBytes> {
        if let Some(key) = self.load()? {
            return Ok(key);
        }
        let KeySource::File(path) = &self.0 else { return Err(StoreError::Defect("a given key is always there".into())) };
        make_file(path, &KeyBytes::new(random_bytes()?))?;
        read(path)?.ok_or_else(|| StoreError::Defect("the new master key file is missing".into()))
    }
}

/// Returns random bytes of the operating system. Secrets must be unpredictable, also when a session is replayed.
pub fn random_bytes<const N: usize>() -> StoreResult<[u8; N]> {
    let mut bytes = [0; N];
    let drawn = SystemRandom::new().fill(&mut bytes);
    drawn.map(|()| bytes).map_err(|_| StoreError::Unavailable("the operating system returned no random numbers".into()))
}

fn parse(text: &str) -> Option<KeyBytes> {
    let mut key = KeyBytes::default();
    hex::decode_to_slice(text.trim(), key.as_mut_slice()).ok()?;
    Some(key)
}

fn read(path: &Path) -> StoreResult<Option<KeyBytes>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(path, &error)),
    };
    let others = readable_by_others(&file).map_err(|error| unusable(path, &error))?;
    if let Some(mode) = others {
        let path = path.display();
        let why = format!("the master key in {path} can be read by others (mode {mode:o}): run chmod 600 {path}");
        return Err(StoreError::Invalid(why));
    }
    let mut text = Zeroizing::new(String::new());
    file.read_to_string(&mut text).map_err(|error| unusable(path, &error))?;
    let key = parse(&text).ok_or_else(|| StoreError::Invalid(format!("{}: {BadMasterKey}", path.display())))?;
    Ok(Some(key))
}

/// Returns the mode of an open file if its group or others can access it.
#[cfg(unix)]
fn readable_by_others(file: &File) -> io::Result<Option<u32>> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata()?.permissions().mode() & 0o777;
    Ok((mode & 0o077 != 0).then_some(mode))
}

/// On other systems the folder decides about access.
#[cfg(not(unix))]
fn readable_by_others(_: &File) -> io::Result<Option<u32>> {
    Ok(None)
}

/// Creates the key file atomically: written in full beside its path and then linked there, so that no reader sees half a key. Unlike a
/// rename, a link makes the first of two creators win.
fn make_file(path: &Path, key: &KeyBytes) -> StoreResult<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let beside = folder.join(format!("secret.{}.new", hex::encode(random_bytes::<16>()?)));
    let made = write_beside(&beside, key).and_then(|()| match fs::hard_link(&beside, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    let removed = fs::remove_file(&beside);
    made.and(removed).and_then(|()| File::open(folder)?.sync_all()).map_err(|error| unusable(path, &error))
}

fn write_beside(beside: &Path, key: &KeyBytes) -> io::Result<()> {
    let text = Zeroizing::new(hex::encode(key.as_slice()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn unusable(path: &Path, error: &io::Error) -> StoreError {
    match error.kind() {
        io::ErrorKind::StorageFull => StoreError::Full,
        _ => StoreError::Unavailable(format!("the master key in {} cannot be used: {error}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_for_this_person_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        let master = MasterKey::from_file(path.clone());
        assert!(master.load().unwrap().is_none() && !path.exists(), "looking makes nothing");
        let key = master.load_or_create().unwrap();
        assert_eq!(*MasterKey::from_file(path.clone()).load_or_create().unwrap(), *key);
        assert_ne!(*key, [0; KEY_BYTES]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::write(&path, "nonsense").unwrap();
        assert!(matches!(master.load_or_create(), Err(StoreError::Invalid(_))), "a broken key is never replaced unasked");
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_may_read_is_refused_with_what_to_do() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        let master = MasterKey::from_file(path.clone());
        let key = master.load_or_create().unwrap();
        for mode in [0o640, 0o604, 0o620] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            for refused in [master.load().map(drop), master.load_or_create().map(drop)] {
                assert!(
                    matches!(&refused, Err(StoreError::Invalid(why)) if why.contains("chmod 600")),
                    "{mode:o}: {refused:?}"
                );
            }
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
        assert_eq!(*master.load_or_create().unwrap(), *key);
    }

    #[test]
    fn concurrent_processes_create_one_key() {
        let folder = tempfile::tempdir().unwrap();
        let master = MasterKey::from_file(folder.path().join("secret.key"));
        let keys = std::thread::scope(|scope| {
            let makers: Vec<_> = (0..8).map(|_| scope.spawn(|| *master.load_or_create().unwrap())).collect();
            makers.into_iter().map(|maker| maker.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(keys.iter().all(|key| *key == keys[0]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn a_given_key_is_hexadecimal_and_is_not_shown() {
        let text = "5e".repeat(KEY_BYTES);
        let master = MasterKey::from_hex(&format!(" {text}\n")).unwrap();
        assert_eq!(*master.load_or_create().unwrap(), [0x5e; KEY_BYTES]);
        assert!(!format!("{master:?}").contains("5e5e"));
        for bad in ["", "5e", &"g".repeat(64), &"5e".repeat(33)] {
            assert_eq!(MasterKey::from_hex(bad).err(), Some(BadMasterKey), "{bad}");
        }
    }
}
