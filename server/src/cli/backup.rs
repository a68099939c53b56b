//! `autosint backup`: everything that is kept, as one file.

use super::{
    Exit, Failure, help,
    moving::{Bar, in_words, size},
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
        file::{Manifest, Writer, Written, check, write},
    },
};
use std::{
    fs::File,
    io::{self, BufReader, BufWriter},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// Buffer of the file.
const BUFFER_BYTES: usize = 1024 * 1024;

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
    let config_dir = loaded.file.as_deref().and_then(Path::parent).map(Path::to_owned);
    let config = loaded.config;
    must_exist(&config)?;
    let place = Place::open_to_read(&config, config_dir.as_deref()).await?;
    let key = if args.with_key { Some(master_key(&place)?) } else { None };
    let to = target(&args.to, SystemClock.now())?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let cannot = |cause| MoveError::Io { doing: "written", cause };
    // For this person only until it is whole, then under its name; one that was stopped leaves no file that looks like a backup.
    let file = NamedTempFile::with_prefix_in(".autosint-", folder).map_err(cannot)?;
    let bar = Bar::new();
    let written = fill(&place, &config, key.as_deref(), &file, &bar).await?;
    file.as_file().sync_all().map_err(cannot)?;
    let manifest = reread(&place, &file, &bar)?;
    drop(bar);
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

fn target(given: &Path, now: Timestamp) -> Result<PathBuf, Failure> {
    let is_folder = given.is_dir();
    let to = if is_folder {
        given.join(format!("autosint-{}.tar", now.to_datetime().format("%Y-%m-%d-%H%M%S")))
    } else {
        given.to_owned()
    };
    if to.exists() {
        return Err(Failure::new(Exit::Usage, format!("{} is there already: give another name", to.display())));
    }
    Ok(to)
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
            Failure::new(Exit::Usage, "there is no master key yet, as no key was ever stored: leave --with-key out")
        }
        _ => Failure::new(Exit::Io, format!("cannot read {}: {error}", path.display())),
    })
}

async fn fill(place: &Place, config: &Config, key: Option<&[u8]>, file: &NamedTempFile, bar: &Bar) -> Result<Written, Failure> {
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

/// A backup that nobody has read is none.
fn reread(place: &Place, file: &NamedTempFile, bar: &Bar) -> Result<Manifest, Failure> {
    let reopened = File::open(file.path()).map_err(|cause| MoveError::Io { doing: "read", cause })?;
    let length = reopened.metadata().map_or(0, |about| about.len());
    bar.begin("checking", length);
    let reader = BufReader::with_capacity(BUFFER_BYTES, reopened);
    Ok(check(reader, &*place.movable, &mut |part| bar.advance(part.bytes))?.manifest)
}

fn report(place: &Place, manifest: &Manifest, to: &Path, bytes: u64, with_key: bool) -> String {
    let tally = |kind: Kind| manifest.kinds.get(kind.0).copied().unwrap_or_default();
    let mut lines = vec![
        format!("Backed up {}", place.name),
        format!("  to         {} ({}, read again and whole)", to.display(), size(bytes)),
        format!("  with       {}", in_words(tally)),
        format!("  to restore autosint restore {} --data-dir NEW_FOLDER", to.display()),
    ];
    let keys = tally(Kind("secrets")).records;
    match (with_key, keys) {
        (true, _) => lines.push("The master key is in it: whoever gets the file can use the stored keys of providers.".into()),
        (false, 0) => {}
        (false, _) => lines.push(format!(
            "Stored keys of providers ({keys}) are in it sealed, and the master key that opens them is not: keep a copy of it \
             elsewhere ({}), or use --with-key.",
            match environment::secret_key() {
                Some(_) => environment::SECRET_KEY.to_owned(),
                None => place.data_dir.secret_key().display().to_string(),
            }
        )),
    }
    lines.push("Passwords are in it as hashes, documents and questions as they are: keep it like the data itself.".into());
    lines.join("\n") + "\n"
}
