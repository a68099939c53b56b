//! `autosint restore`: imports a backup into an empty store.

use super::{
    Exit, Failure,
    audit::record,
    help,
    output::write_result,
    transfer::{
        BUFFER_BYTES, RESUMABLE, SECRETS, TransferProgress, key_instructions, read_through, start_command, summarize_counts,
        target_error, until_interrupted,
    },
};
use crate::{
    DataStore,
    config::{LoadedConfig, environment},
    data_dir::WorkLock,
    system::SystemClock,
};
use clap::Args;
use engine::{
    Clock,
    archive::{
        RecordKind, RecordSource, Tally, TransferReport, copy,
        file::{ArchiveSource, KEY, VerifiedArchive},
    },
};
use secrecy::ExposeSecret;
use std::{
    fs::{self, File, OpenOptions},
    io::{BufReader, Write},
    path::{Path, PathBuf},
};

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&[
    "restore autosint-2031-03-14-093000.tar --data-dir NEW_FOLDER",
    "serve --data-dir NEW_FOLDER",
]))]
pub(super) struct RestoreArgs {
    /// Backup file of `autosint backup`; verified before anything is restored
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) async fn run(loaded: LoadedConfig, args: RestoreArgs) -> Result<Exit, Failure> {
    until_interrupted(restore(loaded, args), RESUMABLE).await
}

async fn restore(loaded: LoadedConfig, args: RestoreArgs) -> Result<Exit, Failure> {
    let config_dir = loaded.file.as_deref().and_then(Path::parent).map(Path::to_owned);
    let config = loaded.config;
    // Checked before the data directory is created.
    drop(open(&args.file)?);
    let data = DataStore::open(&config, config_dir.as_deref()).await?;
    let _lock = lock(&data)?;
    let mut bar = TransferProgress::new();
    let checked = read_through(&data, open(&args.file)?, &bar).await?;
    check_key(&data, &checked)?;

    let file = BufReader::with_capacity(BUFFER_BYTES, open(&args.file)?);
    let mut source = ArchiveSource::new(file, checked.clone(), data.archive.clone())?;
    let records: u64 = source.counts().iter().map(|(_, records)| records).sum();
    bar.begin("restoring", 2 * records);
    let received =
        copy(&mut source, &*data.archive, &data.store, &SystemClock, &config.transfer, &mut |step| bar.step(step)).await;
    let received = received.map_err(|error| target_error(&data, error))?;
    bar.finish();
    write_key(&data, &checked)?;
    record(&data.store, SystemClock.now(), "restore", &args.file.display().to_string()).await;
    write_result(report(&data, &received, &checked, &args.file).as_bytes())?;
    data.store.close().await;
    Ok(Exit::Done)
}

fn open(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(|error| Failure::new(Exit::Usage, format!("cannot open {}: {error}", path.display())))
}

/// Takes the work lock, so that nothing works on a store during the import.
pub(super) fn lock(data: &DataStore) -> Result<WorkLock, Failure> {
    let lock = data.data_dir.try_lock().map_err(|error| Failure::new(Exit::Io, format!("{}: {error}", data.name)))?;
    let folder = data.data_dir.path().display();
    lock.ok_or_else(|| Failure::new(Exit::Usage, format!("an autosint process works on {folder}: stop it first")))
}

/// Fails if the archive's master key conflicts with an existing one. Keys are never replaced.
fn check_key(data: &DataStore, checked: &VerifiedArchive) -> Result<(), Failure> {
    if let (Some(ours), Some(given)) = (&checked.key, environment::secret_key()) {
        let why = format!(
            "{} is not the master key in the archive and cannot open the stored provider keys: set that one, or \
             none",
            environment::SECRET_KEY
        );
        return is_same_key(ours, given.expose_secret().as_bytes()).then_some(()).ok_or_else(|| Failure::new(Exit::Usage, why));
    }
    if data.is_scaled_out {
        return Ok(());
    }
    let path = data.data_dir.secret_key();
    match (&checked.key, fs::read(&path)) {
        (Some(ours), Ok(theirs)) if !is_same_key(ours, &theirs) => {
            let why = format!("{} is not the master key in the archive: move it away first", path.display());
            Err(Failure::new(Exit::Usage, why))
        }
        _ => Ok(()),
    }
}

/// Compares master keys regardless of case and surrounding white space.
pub(super) fn is_same_key(ours: &[u8], theirs: &[u8]) -> bool {
    ours.trim_ascii().eq_ignore_ascii_case(theirs.trim_ascii())
}

/// Writes the master key into the restored folder. Skipped for databases, where this machine is arbitrary.
fn write_key(data: &DataStore, checked: &VerifiedArchive) -> Result<(), Failure> {
    if data.is_scaled_out {
        return Ok(());
    }
    let path = data.data_dir.secret_key();
    let Some(key) = checked.key.as_ref().filter(|_| !path.exists()) else { return Ok(()) };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let written = options.open(&path).and_then(|mut file| file.write_all(key).and_then(|()| file.sync_all()));
    written.map_err(|error| Failure::new(Exit::Io, format!("cannot write {}: {error}", path.display())))
}

fn report(data: &DataStore, received: &TransferReport, checked: &VerifiedArchive, file: &Path) -> String {
    let tally = |kind: RecordKind| -> Tally {
        received.tallies.iter().find(|(found, _)| *found == kind).map(|(_, tally)| *tally).unwrap_or_default()
    };
    let how = if received.resumed { ", resumed" } else { "" };
    let mut lines = vec![
        format!("Restored the backup of {} (version {}){how}", checked.opening.made_at, checked.opening.program),
        format!("  in         {}", data.name),
        format!("  with       {}", summarize_counts(tally)),
        "  compared   every record is identical".to_owned(),
        format!("  to start   {}", start_command(data)),
    ];
    let keys = tally(SECRETS).records;
    if keys > 0 && (checked.key.is_none() || data.is_scaled_out) {
        let key = match (&checked.key, environment::secret_key()) {
            (None, _) => format!("of the original installation, its secret.key or {}", environment::SECRET_KEY),
            (Some(_), None) => format!("in the archive (tar -xOf {} {KEY})", file.display()),
            (Some(_), Some(_)) => "in the archive, which is already set here".to_owned(),
        };
        lines.push(format!(
            "The {keys} stored provider keys are sealed by the master key {key}: {}, or store the keys again on the page /settings.",
            key_instructions(data)
        ));
    }
    lines.push("All users have to sign in again.".into());
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_comparison_ignores_case_and_white_space() {
        assert!(is_same_key(b"5aBc", b" 5AbC\r\n"));
        assert!(!is_same_key(b"5abc", b"5abd"));
    }
}
