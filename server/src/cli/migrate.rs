//! `autosint migrate`: what is in one folder, into the databases of the scaled-out size.

use super::{
    Exit, Failure, help,
    moving::{Bar, GOES_ON, SECRETS, in_place, in_words, place_of_key, to_start, until_interrupted},
    output::write_out,
    restore::{is_same, lock},
};
use crate::{
    Place,
    config::{Config, Loaded, environment},
    system::SystemClock,
};
use clap::{Args, ValueEnum};
use engine::archive::{Kind, Pages, Received, Source, receive};
use secrecy::ExposeSecret;
use std::{fs, path::Path};

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["migrate --to scaled", "migrate --to scaled --data-dir OLD_FOLDER"]))]
pub(super) struct MigrateArgs {
    /// Where to: `scaled` are the databases that sql.url and graph.neo4j.url name
    #[arg(long, value_enum)]
    to: To,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    Scaled,
}

pub(super) async fn run(loaded: Loaded, args: MigrateArgs) -> Result<Exit, Failure> {
    let To::Scaled = args.to;
    until_interrupted(migrate(loaded), GOES_ON).await
}

async fn migrate(loaded: Loaded) -> Result<Exit, Failure> {
    let config_dir = loaded.file.as_deref().and_then(Path::parent).map(Path::to_owned);
    let config = loaded.config;
    let embedded = config.clone().in_folder(&config.server.data_dir);
    check(&config, &embedded)?;
    let from = Place::open_to_read(&embedded, config_dir.as_deref()).await?;
    // Whatever came while it is copied would stay behind.
    let _lock = lock(&from)?;
    let to = Place::open(&config, config_dir.as_deref()).await?;

    let snapshot = from.movable.snapshot().await?;
    let mut source = Pages::new(from.name.clone(), from.movable.kinds(), snapshot, config.moving.page()).await?;
    let counts = source.counts();
    let records: u64 = counts.iter().map(|(_, records)| records).sum();
    if counts.iter().any(|(kind, keys)| *kind == SECRETS && *keys > 0) {
        key_fits(&from)?;
    }
    let mut bar = Bar::new();
    bar.begin("copying", 2 * records);
    let received =
        receive(&mut source, &*to.movable, &to.store, &SystemClock, &config.moving, &mut |step| bar.step(step)).await;
    let received = received.map_err(|error| in_place(&to, error))?;
    bar.finish();
    write_out(report(&from, &to, &received).as_bytes())?;
    drop(source);
    from.store.close().await;
    to.store.close().await;
    Ok(Exit::Done)
}

fn check(config: &Config, embedded: &Config) -> Result<(), Failure> {
    if !config.is_scaled_out() {
        let why = "where to is not set: name the databases by sql.url and graph.neo4j.url, in the configuration file or as \
                   AUTOSINT__SQL__URL and AUTOSINT__GRAPH__NEO4J__URL";
        return Err(Failure::new(Exit::Configuration, why));
    }
    if !Place::exists(embedded) {
        let folder = config.server.data_dir.display();
        let why = format!("there is nothing to migrate in {folder}: say where the data is with --data-dir");
        return Err(Failure::new(Exit::Usage, why));
    }
    Ok(())
}

/// The stored keys of providers go as they are, sealed: another master key would not open them.
fn key_fits(from: &Place) -> Result<(), Failure> {
    let path = from.data_dir.secret_key();
    let (Some(given), Ok(theirs)) = (environment::secret_key(), fs::read(&path)) else { return Ok(()) };
    if is_same(&theirs, given.expose_secret().as_bytes()) {
        return Ok(());
    }
    let (name, path) = (environment::SECRET_KEY, path.display());
    let why = format!(
        "{name} is another master key than the one in {path}, which seals the stored keys of providers: give every process that one \
         (export {name}=$(cat {path}))"
    );
    Err(Failure::new(Exit::Usage, why))
}

fn report(from: &Place, to: &Place, received: &Received) -> String {
    let tally =
        |kind: Kind| received.tallies.iter().find(|(found, _)| *found == kind).map(|(_, tally)| *tally).unwrap_or_default();
    let how = if received.resumed { ", going on with what was there" } else { "" };
    let mut lines = vec![
        format!("Copied {} to {}{how}", from.name, to.name),
        format!("  with       {}", in_words(tally)),
        "  compared   every record is the same on both sides".to_owned(),
        format!("  to start   {}", to_start(to)),
        format!("{} is unchanged: keep it until you have looked around.", from.name),
    ];
    let keys = tally(SECRETS).records;
    if keys > 0 && environment::secret_key().is_none() {
        lines.push(format!(
            "Stored keys of providers ({keys}) are sealed by the master key in {}: {}.",
            from.data_dir.secret_key().display(),
            place_of_key(to)
        ));
    }
    lines.push("Everybody has to sign in again.".into());
    lines.join("\n") + "\n"
}
