//! `autosint backup`: everything that is kept, as one file.

use super::{
    Exit, Failure, help,
    moving::{BUFFER_BYTES, Bar, SECRETS, in_words, read_through, size, until_interrupted},
    output::write_out,
};
use crate::{
    Place,
    config::{Config, Loaded, environment},
    system::SystemClock,
};
use clap::Args;
use domain::Timestamp;
use engine::{
    Clock,
    archive::{
        Kind, MoveError, Pages, Source,
        file::{Manifest, Writer, Written, write},
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
    /// File to write, or a folder in which it gets a name with the time; nothing is overwritten
    #[arg(value_name = "FILE|FOLDER", default_value = ".")]
    to: PathBuf,
    /// Put the master key in too, which opens the stored keys of providers: whoever gets the file can then use them
    #[arg(long)]
    with_key: bool,
}

pub(super) async fn run(loaded: Loaded, args: BackupArgs) -> Result<Exit, Failure> {
    until_interrupted(back_up(loaded, args), "interrupted: there is no backup").await
}

async fn back_up(loaded: Loaded, args: BackupArgs) -> Result<Exit, Failure> {
    let config_dir = loaded.file.as_deref().and_then(Path::parent).map(Path::to_owned);
    let config = loaded.config;
    must_exist(&config)?;
    let place = Place::open_to_read(&config, config_dir.as_deref()).await?;
    let key = if args.with_key { Some(master_key(&place)?) } else { None };
    let (folder, to) = target(&args.to, SystemClock.now())?;
    let cannot = |cause| MoveError::Io { doing: "written", cause };
    // For this person only, and under another name until it is whole: one that was killed leaves nothing that looks like a backup.
    let file = tempfile::Builder::new().prefix("autosint-").suffix(".partial").tempfile_in(&folder).map_err(cannot)?;
    let bar = Bar::new();
    let written = fill(&place, &config, key.as_deref(), &file, &bar).await.map_err(|error| in_folder(error, &folder))?;
    file.as_file().sync_all().map_err(cannot)?;
    // A backup that nobody has read is none.
    let reopened = File::open(file.path()).map_err(|cause| MoveError::Io { doing: "read", cause })?;
    let manifest = read_through(&place, reopened, &bar).await?.manifest;
    bar.finish();
    let bytes = file.as_file().metadata().map_err(cannot)?.len();
    file.persist_noclobber(&to).map_err(|error| cannot(error.error))?;
    debug_assert_eq!(manifest, written.manifest);
    let to = std::path::absolute(&to).unwrap_or(to);
    write_out(report(&place, &manifest, &to, bytes, args.with_key).as_bytes())?;
    place.store.close().await;
    Ok(Exit::Done)
}

/// A backup of a folder that was mistyped would be one of nothing.
fn must_exist(config: &Config) -> Result<(), Failure> {
    let folder = &config.server.data_dir;
    if Place::exists(config) {
        return Ok(());
    }
    let why = format!("there is nothing to back up in {}: say where the data is with --data-dir", folder.display());
    Err(Failure::new(Exit::Usage, why))
}

/// The folder, and the file in it.
fn target(given: &Path, now: Timestamp) -> Result<(PathBuf, PathBuf), Failure> {
    if given.is_dir() {
        let name = format!("autosint-{}.tar", now.to_datetime().format("%Y-%m-%d-%H%M%S"));
        return Ok((given.to_owned(), given.join(name)));
    }
    let folder = given.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Failure::new(
            Exit::Usage,
            format!("there is no folder {}: make it first, or name another", folder.display()),
        ));
    }
    if given.exists() {
        return Err(Failure::new(Exit::Usage, format!("{} is there already: give another name", given.display())));
    }
    Ok((folder.to_owned(), given.to_owned()))
}

/// A full disk with the folder that is on it.
fn in_folder(error: MoveError, folder: &Path) -> Failure {
    match error {
        MoveError::Io { cause, .. } if cause.kind() == io::ErrorKind::StorageFull => {
            let why = format!("there is no room for the backup in {}: free some, or name another place", folder.display());
            Failure::new(Exit::Io, why)
        }
        other => other.into(),
    }
}

fn master_key(place: &Place) -> Result<Vec<u8>, Failure> {
    if environment::secret_key().is_some() {
        let name = environment::SECRET_KEY;
        let why =
            format!("the master key comes from {name}, not from a file: keep it where you keep that, and leave --with-key out");
        return Err(Failure::new(Exit::Usage, why));
    }
    let path = place.data_dir.secret_key();
    std::fs::read(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let why =
                format!("there is no master key in {}, as no key was stored from here: leave --with-key out", path.display());
            Failure::new(Exit::Usage, why)
        }
        _ => Failure::new(Exit::Io, format!("cannot read {}: {error}", path.display())),
    })
}

async fn fill(
    place: &Place,
    config: &Config,
    key: Option<&[u8]>,
    file: &NamedTempFile,
    bar: &Bar,
) -> Result<Written, MoveError> {
    let snapshot = place.movable.snapshot().await?;
    let mut pages = Pages::new(place.name.clone(), place.movable.kinds(), snapshot, config.moving.page()).await?;
    let out = BufWriter::with_capacity(BUFFER_BYTES, file.as_file());
    let store = place.store.describe().await?;
    let mut writer = Writer::new(out, env!("CARGO_PKG_VERSION"), store, SystemClock.now())?;
    if let Some(key) = key {
        writer.key(key)?;
    }
    bar.begin("writing", pages.counts().iter().map(|(_, records)| records).sum());
    write(&mut writer, &mut pages, &mut |batch| bar.advance(batch.records.len() as u64)).await?;
    let (written, out) = writer.finish()?;
    out.into_inner().map_err(|error| MoveError::Io { doing: "written", cause: error.into_error() })?;
    Ok(written)
}

fn report(place: &Place, manifest: &Manifest, to: &Path, bytes: u64, with_key: bool) -> String {
    let tally = |kind: Kind| manifest.kinds.get(kind.0).copied().unwrap_or_default();
    let mut lines = vec![
        format!("Backed up {}", place.name),
        format!("  to         {} ({}, read again and whole)", to.display(), size(bytes)),
        format!("  with       {}", in_words(tally)),
        format!("  to restore autosint restore {} --data-dir NEW_FOLDER", to.display()),
    ];
    let keys = tally(SECRETS).records;
    match (with_key, keys) {
        (true, _) => lines.push("The master key is in it: whoever gets the file can use the stored keys of providers.".into()),
        (false, 0) => {}
        (false, _) => lines.push(format!(
            "Stored keys of providers ({keys}) are in it sealed, and the master key that opens them is not: keep a copy of it \
             elsewhere ({}).",
            match environment::secret_key() {
                Some(_) => environment::SECRET_KEY.to_owned(),
                None => format!("{}, or use --with-key", place.data_dir.secret_key().display()),
            }
        )),
    }
    lines.push("Passwords are in it as hashes, documents and questions as they are: keep it like the data itself.".into());
    lines.join("\n") + "\n"
}
