//! `autosint backup`: a snapshot of all data in one file.

use super::{
    Exit, Failure,
    audit::record,
    help,
    output::write_result,
    transfer::{BUFFER_BYTES, SECRETS, TransferProgress, human_bytes, read_through, summarize_counts, until_interrupted},
};
use crate::{
    DataStore,
    config::{Config, LoadedConfig, environment},
    system::SystemClock,
};
use clap::Args;
use domain::Timestamp;
use engine::{
    Clock,
    archive::{
        RecordKind, RecordSource, SnapshotPages, TransferError,
        file::{ArchiveSummary, Manifest, Writer, write},
    },
};
use std::{
    fs::File,
    io::{self, BufWriter},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["backup", "backup /mnt/safe", "backup before-the-update.tar --with-key"]))]
pub(super) struct BackupArgs {
    /// File to write, or a folder for a file named by the time; existing files are never overwritten
    #[arg(value_name = "FILE|FOLDER", default_value = ".")]
    to: PathBuf,
    /// Include the master key, which opens the stored provider keys: anyone with the file can then use them
    #[arg(long)]
    with_key: bool,
}

pub(super) async fn run(loaded: LoadedConfig, args: BackupArgs) -> Result<Exit, Failure> {
    until_interrupted(back_up(loaded, args), "interrupted: no backup was written").await
}

async fn back_up(loaded: LoadedConfig, args: BackupArgs) -> Result<Exit, Failure> {
    let config_dir = loaded.file.as_deref().and_then(Path::parent).map(Path::to_owned);
    let config = loaded.config;
    ensure_exists(&config)?;
    let data = DataStore::open_to_read(&config, config_dir.as_deref()).await?;
    let key = if args.with_key { Some(master_key(&data)?) } else { None };
    let (folder, to) = target(&args.to, SystemClock.now())?;
    let cannot = |cause| TransferError::Io { doing: "written", cause };
    // Private to the user, and under a temporary name until it is complete.
    let file = tempfile::Builder::new().prefix("autosint-").suffix(".partial").tempfile_in(&folder).map_err(cannot)?;
    let bar = TransferProgress::new();
    let written = fill(&data, &config, key.as_deref(), &file, &bar).await.map_err(|error| name_folder(error, &folder))?;
    file.as_file().sync_all().map_err(cannot)?;
    // Verifies the backup by reading it.
    let reopened = File::open(file.path()).map_err(|cause| TransferError::Io { doing: "read", cause })?;
    let manifest = read_through(&data, reopened, &bar).await?.manifest;
    bar.finish();
    let bytes = file.as_file().metadata().map_err(cannot)?.len();
    file.persist_noclobber(&to).map_err(|error| cannot(error.error))?;
    debug_assert_eq!(manifest, written.manifest);
    let to = std::path::absolute(&to).unwrap_or(to);
    let object = if args.with_key { format!("{} with the master key", to.display()) } else { to.display().to_string() };
    record(&data.store, SystemClock.now(), "backup", &object).await;
    write_result(report(&data, &manifest, &to, bytes, args.with_key).as_bytes())?;
    data.store.close().await;
    Ok(Exit::Done)
}

/// Fails if there is no data, for example because the folder was mistyped.
fn ensure_exists(config: &Config) -> Result<(), Failure> {
    let folder = &config.server.data_dir;
    if DataStore::exists(config) {
        return Ok(());
    }
    let why = format!("no data to back up in {}: set --data-dir", folder.display());
    Err(Failure::new(Exit::Usage, why))
}

/// Returns the target folder and file.
fn target(given: &Path, now: Timestamp) -> Result<(PathBuf, PathBuf), Failure> {
    if given.is_dir() {
        let name = format!("autosint-{}.tar", now.to_datetime().format("%Y-%m-%d-%H%M%S"));
        return Ok((given.to_owned(), given.join(name)));
    }
    let folder = given.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Failure::new(Exit::Usage, format!("folder {} not found: create it, or choose another", folder.display())));
    }
    if given.exists() {
        return Err(Failure::new(Exit::Usage, format!("{} already exists: choose another name", given.display())));
    }
    Ok((folder.to_owned(), given.to_owned()))
}

/// Names the folder if the disk is full.
fn name_folder(error: TransferError, folder: &Path) -> Failure {
    match error {
        TransferError::Io { cause, .. } if cause.kind() == io::ErrorKind::StorageFull => {
            let why = format!("not enough space for the backup in {}: free some, or choose another folder", folder.display());
            Failure::new(Exit::Io, why)
        }
        other => other.into(),
    }
}

fn master_key(data: &DataStore) -> Result<Vec<u8>, Failure> {
    if environment::secret_key().is_some() {
        let name = environment::SECRET_KEY;
        let why = format!("the master key comes from {name}, not from a file: keep that variable safe, and omit --with-key");
        return Err(Failure::new(Exit::Usage, why));
    }
    let path = data.data_dir.secret_key();
    std::fs::read(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let why = format!("no master key in {}, because no provider key was stored: omit --with-key", path.display());
            Failure::new(Exit::Usage, why)
        }
        _ => Failure::new(Exit::Io, format!("cannot read {}: {error}", path.display())),
    })
}

async fn fill(
    data: &DataStore,
    config: &Config,
    key: Option<&[u8]>,
    file: &NamedTempFile,
    bar: &TransferProgress,
) -> Result<ArchiveSummary, TransferError> {
    let snapshot = data.archive.snapshot().await?;
    let mut pages = SnapshotPages::new(data.name.clone(), data.archive.kinds(), snapshot, config.transfer.page()).await?;
    let out = BufWriter::with_capacity(BUFFER_BYTES, file.as_file());
    let store = data.store.describe().await?;
    let mut writer = Writer::new(out, env!("CARGO_PKG_VERSION"), store, SystemClock.now())?;
    if let Some(key) = key {
        writer.key(key)?;
    }
    bar.begin("writing", pages.counts().iter().map(|(_, records)| records).sum());
    write(&mut writer, &mut pages, &mut |batch| bar.advance(batch.records.len() as u64)).await?;
    let (written, out) = writer.finish()?;
    out.into_inner().map_err(|error| TransferError::Io { doing: "written", cause: error.into_error() })?;
    Ok(written)
}

fn report(data: &DataStore, manifest: &Manifest, to: &Path, bytes: u64, with_key: bool) -> String {
    let tally = |kind: RecordKind| manifest.kinds.get(kind.0).copied().unwrap_or_default();
    let mut lines = vec![
        format!("Backed up {}", data.name),
        format!("  to         {} ({}, verified)", to.display(), human_bytes(bytes)),
        format!("  with       {}", summarize_counts(tally)),
        format!("  to restore autosint restore {} --data-dir NEW_FOLDER", to.display()),
    ];
    let keys = tally(SECRETS).records;
    match (with_key, keys) {
        (true, _) => lines.push("It contains the master key: anyone with the file can use the stored provider keys.".into()),
        (false, 0) => {}
        (false, _) => lines.push(format!(
            "It contains {keys} sealed provider keys but not the master key that opens them: keep a copy of the master key \
             elsewhere ({}).",
            match environment::secret_key() {
                Some(_) => environment::SECRET_KEY.to_owned(),
                None => format!("{}, or use --with-key", data.data_dir.secret_key().display()),
            }
        )),
    }
    lines.push("It contains password hashes, documents and questions: protect it like the data itself.".into());
    lines.join("\n") + "\n"
}
