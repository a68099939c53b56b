//! `autosint migrate`: copies a data directory into the databases of the scaled-out size.

use super::{
    Exit, Failure,
    audit::record,
    help,
    output::write_result,
    restore::{is_same_key, lock},
    transfer::{
        RESUMABLE, SECRETS, TransferProgress, key_instructions, start_command, summarize_counts, target_error,
        until_interrupted,
    },
};
use crate::{
    DataStore,
    config::{Config, LoadedConfig, environment},
    system::SystemClock,
};
use clap::{Args, ValueEnum};
use engine::{
    Clock,
    archive::{RecordKind, RecordSource, SnapshotPages, TransferReport, copy},
};
use secrecy::ExposeSecret;
use std::{fs, path::Path};

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["migrate --to scaled", "migrate --to scaled --data-dir OLD_FOLDER"]))]
pub(super) struct MigrateArgs {
    /// Target: `scaled` are the databases of sql.url and graph.neo4j.url
    #[arg(long, value_enum)]
    to: MigrationTarget,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MigrationTarget {
    Scaled,
}

pub(super) async fn run(loaded: LoadedConfig, args: MigrateArgs) -> Result<Exit, Failure> {
    let MigrationTarget::Scaled = args.to;
    until_interrupted(migrate(loaded), RESUMABLE).await
}

async fn migrate(loaded: LoadedConfig) -> Result<Exit, Failure> {
    let config_dir = loaded.file.as_deref().and_then(Path::parent).map(Path::to_owned);
    let config = loaded.config;
    let embedded = config.clone().in_folder(&config.server.data_dir);
    check(&config, &embedded)?;
    let from = DataStore::open_to_read(&embedded, config_dir.as_deref()).await?;
    // Nothing may change during the copy.
    let _lock = lock(&from)?;
    let to = DataStore::open(&config, config_dir.as_deref()).await?;

    let snapshot = from.archive.snapshot().await?;
    let mut source = SnapshotPages::new(from.name.clone(), from.archive.kinds(), snapshot, config.transfer.page()).await?;
    let counts = source.counts();
    let records: u64 = counts.iter().map(|(_, records)| records).sum();
    if counts.iter().any(|(kind, keys)| *kind == SECRETS && *keys > 0) {
        check_key(&from)?;
    }
    let mut bar = TransferProgress::new();
    bar.begin("copying", 2 * records);
    let received = copy(&mut source, &*to.archive, &to.store, &SystemClock, &config.transfer, &mut |step| bar.step(step)).await;
    let received = received.map_err(|error| target_error(&to, error))?;
    bar.finish();
    record(&to.store, SystemClock.now(), "migrate", &from.name).await;
    write_result(report(&from, &to, &received).as_bytes())?;
    drop(source);
    from.store.close().await;
    to.store.close().await;
    Ok(Exit::Done)
}

fn check(config: &Config, embedded: &Config) -> Result<(), Failure> {
    if !config.is_scaled_out() {
        let why = "no target: set the databases sql.url and graph.neo4j.url, in the configuration file or as \
                   AUTOSINT__SQL__URL and AUTOSINT__GRAPH__NEO4J__URL";
        return Err(Failure::new(Exit::Configuration, why));
    }
    if !DataStore::exists(embedded) {
        let folder = config.server.data_dir.display();
        let why = format!("no data to migrate in {folder}: set --data-dir");
        return Err(Failure::new(Exit::Usage, why));
    }
    Ok(())
}

/// Fails if the configured master key cannot open the sealed provider keys, which are copied unchanged.
fn check_key(from: &DataStore) -> Result<(), Failure> {
    let path = from.data_dir.secret_key();
    let (Some(given), Ok(theirs)) = (environment::secret_key(), fs::read(&path)) else { return Ok(()) };
    if is_same_key(&theirs, given.expose_secret().as_bytes()) {
        return Ok(());
    }
    let (name, path) = (environment::SECRET_KEY, path.display());
    let why = format!(
        "{name} is not the master key in {path}, which seals the stored provider keys: set that one for every process \
         (export {name}=$(cat {path}))"
    );
    Err(Failure::new(Exit::Usage, why))
}

fn report(from: &DataStore, to: &DataStore, received: &TransferReport) -> String {
    let tally = |kind: RecordKind| {
        received.tallies.iter().find(|(found, _)| *found == kind).map(|(_, tally)| *tally).unwrap_or_default()
    };
    let how = if received.resumed { ", resumed" } else { "" };
    let mut lines = vec![
        format!("Copied {} to {}{how}", from.name, to.name),
        format!("  with       {}", summarize_counts(tally)),
        "  compared   every record is identical on both sides".to_owned(),
        format!("  to start   {}", start_command(to)),
        format!("{} is unchanged: keep it until you have checked the result.", from.name),
    ];
    let keys = tally(SECRETS).records;
    if keys > 0 && environment::secret_key().is_none() {
        lines.push(format!(
            "The {keys} stored provider keys are sealed by the master key in {}: {}.",
            from.data_dir.secret_key().display(),
            key_instructions(to)
        ));
    }
    lines.push("All users have to sign in again.".into());
    lines.join("\n") + "\n"
}
