//! `autosint restore`: an empty place gets what a backup holds.

use super::{
    Exit, Failure, help,
    moving::{
        BUFFER_BYTES, Bar, GOES_ON, SECRETS, in_place, in_words, place_of_key, read_through, to_start, until_interrupted,
    },
    output::write_out,
};
use crate::{
    Place,
    config::{Loaded, environment},
    data_dir::WorkLock,
    system::SystemClock,
};
use clap::Args;
use engine::archive::{
    Kind, Received, Source, Tally,
    file::{ArchiveSource, Checked, KEY},
    receive,
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
    /// What `autosint backup` wrote; it is read through before anything is restored
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) async fn run(loaded: Loaded, args: RestoreArgs) -> Result<Exit, Failure> {
    until_interrupted(restore(loaded, args), GOES_ON).await
}

async fn restore(loaded: Loaded, args: RestoreArgs) -> Result<Exit, Failure> {
    let config_dir = loaded.file.as_deref().and_then(Path::parent).map(Path::to_owned);
    let config = loaded.config;
    // Before a folder is made for it.
    drop(open(&args.file)?);
    let place = Place::open(&config, config_dir.as_deref()).await?;
    let _lock = lock(&place)?;
    let mut bar = Bar::new();
    let checked = read_through(&place, open(&args.file)?, &bar).await?;
    key_fits(&place, &checked)?;

    let file = BufReader::with_capacity(BUFFER_BYTES, open(&args.file)?);
    let mut source = ArchiveSource::new(file, checked.clone(), place.movable.clone())?;
    let records: u64 = source.counts().iter().map(|(_, records)| records).sum();
    bar.begin("restoring", 2 * records);
    let received =
        receive(&mut source, &*place.movable, &place.store, &SystemClock, &config.moving, &mut |step| bar.step(step)).await;
    let received = received.map_err(|error| in_place(&place, error))?;
    bar.finish();
    put_key(&place, &checked)?;
    write_out(report(&place, &received, &checked, &args.file).as_bytes())?;
    place.store.close().await;
    Ok(Exit::Done)
}

fn open(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(|error| Failure::new(Exit::Usage, format!("cannot open {}: {error}", path.display())))
}

/// Nobody works on a store that is being filled.
pub(super) fn lock(place: &Place) -> Result<WorkLock, Failure> {
    let lock = place.data_dir.try_lock().map_err(|error| Failure::new(Exit::Io, format!("{}: {error}", place.name)))?;
    let folder = place.data_dir.path().display();
    lock.ok_or_else(|| Failure::new(Exit::Usage, format!("an autosint is working on {folder}: stop it first")))
}

/// A key that is there already is never replaced, and one that is given goes before any file.
fn key_fits(place: &Place, checked: &Checked) -> Result<(), Failure> {
    if let (Some(ours), Some(given)) = (&checked.key, environment::secret_key()) {
        let why = format!(
            "{} is another master key than the one in the archive, and would not open the stored keys of providers: give that one, or \
             none",
            environment::SECRET_KEY
        );
        return is_same(ours, given.expose_secret().as_bytes()).then_some(()).ok_or_else(|| Failure::new(Exit::Usage, why));
    }
    if place.is_scaled_out {
        return Ok(());
    }
    let path = place.data_dir.secret_key();
    match (&checked.key, fs::read(&path)) {
        (Some(ours), Ok(theirs)) if !is_same(ours, &theirs) => {
            let why = format!("{} is another master key than the one in the archive: move it away first", path.display());
            Err(Failure::new(Exit::Usage, why))
        }
        _ => Ok(()),
    }
}

/// As a master key is read: in either case, whatever white space is around it.
pub(super) fn is_same(ours: &[u8], theirs: &[u8]) -> bool {
    ours.trim_ascii().eq_ignore_ascii_case(theirs.trim_ascii())
}

/// Into the folder that was filled: where databases were, it would be on the machine that happened to do it.
fn put_key(place: &Place, checked: &Checked) -> Result<(), Failure> {
    if place.is_scaled_out {
        return Ok(());
    }
    let path = place.data_dir.secret_key();
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

fn report(place: &Place, received: &Received, checked: &Checked, file: &Path) -> String {
    let tally = |kind: Kind| -> Tally {
        received.tallies.iter().find(|(found, _)| *found == kind).map(|(_, tally)| *tally).unwrap_or_default()
    };
    let how = if received.resumed { ", going on with what was there" } else { "" };
    let mut lines = vec![
        format!("Restored the backup of {} (version {}){how}", checked.opening.made_at, checked.opening.program),
        format!("  in         {}", place.name),
        format!("  with       {}", in_words(tally)),
        "  compared   every record is as it was".to_owned(),
        format!("  to start   {}", to_start(place)),
    ];
    let keys = tally(SECRETS).records;
    if keys > 0 && (checked.key.is_none() || place.is_scaled_out) {
        let key = match (&checked.key, environment::secret_key()) {
            (None, _) => format!("of the old place, its secret.key or {}", environment::SECRET_KEY),
            (Some(_), None) => format!("in the archive (tar -xOf {} {KEY})", file.display()),
            (Some(_), Some(_)) => "in the archive, which is the one that was given here".to_owned(),
        };
        lines.push(format!(
            "Stored keys of providers ({keys}) are sealed by the master key {key}: {}, or store the keys again on the page /settings.",
            place_of_key(place)
        ));
    }
    lines.push("Everybody has to sign in again.".into());
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_same_however_it_is_written() {
        assert!(is_same(b"5aBc", b" 5AbC\r\n"));
        assert!(!is_same(b"5abc", b"5abd"));
    }
}
