//! Opening and migration of the state store.

use super::{
    Db, Inner, Schema, SqlConfig, SqlitePools, Store, Synchronous,
    fault::{Fault, wait_out},
    notify::{self, ChangeNotifier, TransportTimings, postgres},
};
use crate::redis::{self, Redis};
use engine::{
    Clock, Ids, StoreError, StoreResult,
    reliability::{RetryConfig, retry::Backoff},
};
use sqlx::{
    ConnectOptions, Connection, PgConnection, Sqlite, SqliteConnection,
    migrate::{MigrateError, Migrator},
    pool::PoolOptions,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Arc, Once},
    time::Duration,
};
use tokio::time::Instant;

// Invariant: from version 0.1.0 on a migration never changes. A changed one is refused on existing data: add another.
static SQLITE: Migrator = sqlx::migrate!("../migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("../migrations/postgres");

impl Store {
    /// Opens the file at `path`, creating and migrating it as needed. Safe for several processes at once. Needs a tokio runtime.
    pub async fn open_sqlite(path: &Path, config: SqlConfig, clock: Arc<dyn Clock>) -> StoreResult<Self> {
        Self::open_sqlite_with(path, config, clock, &[]).await
    }

    /// Like `open_sqlite`, with the tables of features.
    pub async fn open_sqlite_with(
        path: &Path,
        config: SqlConfig,
        clock: Arc<dyn Clock>,
        schemas: &'static [&'static Schema],
    ) -> StoreResult<Self> {
        prepare_sqlite();
        let opening = lock_for_opening(path).await?;
        let writer = pool(&config, 1)
            .after_release(|connection, _| Box::pin(is_outside_transaction(connection)))
            .connect_with(options(path, &config))
            .await
            .map_err(Fault::from)?;
        SQLITE.run(&writer).await.map_err(migration)?;
        for schema in schemas {
            schema.named(schema.sqlite).run(&writer).await.map_err(migration)?;
        }
        drop(opening);
        let limit = Duration::from_millis(config.read_timeout_ms);
        let reader = pool(&config, config.readers.max(1))
            .after_connect(move |connection, _| Box::pin(limit_reads(connection, limit)))
            .before_acquire(move |connection, _| {
                Box::pin(async move {
                    limit_reads(connection, limit).await?;
                    Ok(true)
                })
            })
            .connect_lazy_with(options(path, &config).pragma("query_only", "on"));
        let db = Db::Sqlite(SqlitePools { reader, writer });
        let store = Self::assemble(db, config, schemas, clock, ChangeNotifier::default(), None);
        store.fill_summaries().await?;
        Ok(store)
    }

    /// Connects to a PostgreSQL database and migrates it. Processes notify each other of changes through `redis`, if given.
    pub async fn open_postgres(
        url: &str,
        config: SqlConfig,
        clock: Arc<dyn Clock>,
        redis: Option<&Redis>,
    ) -> StoreResult<Self> {
        Self::open_postgres_with(url, config, clock, redis, &[]).await
    }

    /// Like `open_postgres`, with the tables of features.
    pub async fn open_postgres_with(
        url: &str,
        config: SqlConfig,
        clock: Arc<dyn Clock>,
        redis: Option<&Redis>,
        schemas: &'static [&'static Schema],
    ) -> StoreResult<Self> {
        let milliseconds = |ms: u64| format!("{ms}ms");
        let options = PgConnectOptions::from_str(url).map_err(Fault::from)?.application_name("autosint").options([
            ("statement_timeout", milliseconds(config.statement_timeout_ms)),
            ("lock_timeout", milliseconds(config.busy_timeout_ms)),
            // An index of vectors goes on until it has found as many as are asked for that a reader may see.
            ("hnsw.iterative_scan", "strict_order".to_owned()),
        ]);
        let jitter = super::ClockJitter(clock.clone());
        // A pool tries until its time is up, and does not say what was in its way: the first connection is made without one.
        migrate_postgres(connect(&options, &config, &jitter).await?, schemas).await?;
        let pool = PgPoolOptions::new()
            .max_connections(config.connections.max(2))
            .acquire_timeout(Duration::from_millis(config.acquire_timeout_ms))
            .connect_lazy_with(options);
        let notifier = ChangeNotifier::default();
        // A silence that is over at once would make new connections without end.
        let [after_publish, after_error, max_silence] =
            [config.follow_pause_ms, config.recheck_ms.max(1), config.silence_ms.max(100)].map(Duration::from_millis);
        let transport = match redis {
            Some(redis) => redis::pubsub::start(
                redis,
                &notifier,
                TransportTimings { after_publish: Duration::ZERO, after_error, max_silence },
            ),
            None => postgres::start(&pool, &notifier, &jitter, TransportTimings { after_publish, after_error, max_silence }),
        };
        let store = Self::assemble(Db::Postgres(pool), config, schemas, clock, notifier, Some(transport));
        store.fill_summaries().await?;
        Ok(store)
    }

    fn assemble(
        db: Db,
        config: SqlConfig,
        schemas: &'static [&'static Schema],
        clock: Arc<dyn Clock>,
        notifier: ChangeNotifier,
        transport: Option<notify::Transport>,
    ) -> Self {
        let news = tokio::sync::Mutex::new(notifier.subscribe(notify::Topic::Investigations));
        let jitter = super::ClockJitter(clock.clone());
        let inner = Arc::new(Inner { db, config, schemas, clock, jitter, notifier, _transport: transport, news });
        notify::poll_other_processes(&inner);
        Self { inner }
    }
}

/// Connects, retrying for `sql.acquire_timeout_ms`, because databases are often started at the same time.
async fn connect(options: &PgConnectOptions, config: &SqlConfig, jitter: &dyn Ids) -> Result<PgConnection, Fault> {
    const SLOW: Duration = Duration::from_secs(5);
    const LONGEST_PAUSE_MS: u64 = 1_000;
    let (began, patience) = (Instant::now(), Duration::from_millis(config.acquire_timeout_ms));
    // A silent server is called again as well, though not before a slow one may answer.
    let part = (patience / 3).max(SLOW);
    let longest_pause_ms = config.retry.max_backoff_ms.clamp(10, LONGEST_PAUSE_MS);
    let timings = RetryConfig {
        max_attempts: u32::MAX,
        initial_backoff_ms: config.retry.initial_backoff_ms.clamp(10, LONGEST_PAUSE_MS),
        max_backoff_ms: longest_pause_ms,
        ..config.retry
    };
    let mut backoff = Backoff::new(&timings, jitter);
    loop {
        let given = part.min(patience.saturating_sub(began.elapsed()));
        let failed = match tokio::time::timeout(given, options.connect()).await {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(failed)) => failed,
            Err(_) => {
                let why = format!("nobody there answered as PostgreSQL does within {} ms", given.as_millis());
                sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, why))
            }
        };
        let is_late = began.elapsed() + Duration::from_millis(longest_pause_ms) >= patience;
        if is_late || is_of_certificates(&failed) {
            return Err(failed.into());
        }
        wait_out(failed, &mut backoff).await?;
    }
}

/// Whether the error is about certificates, which a retry cannot fix.
fn is_of_certificates(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Tls(_) => true,
        sqlx::Error::Io(error) => error.kind() == io::ErrorKind::InvalidData,
        _ => false,
    }
}

/// Migrates without a statement timeout.
async fn migrate_postgres(mut connection: PgConnection, schemas: &[&Schema]) -> StoreResult<()> {
    sqlx::query("set statement_timeout = 0").execute(&mut connection).await.map_err(Fault::from)?;
    sqlx::query("set lock_timeout = 0").execute(&mut connection).await.map_err(Fault::from)?;
    POSTGRES.run(&mut connection).await.map_err(migration)?;
    for schema in schemas {
        schema.named(schema.postgres).run(&mut connection).await.map_err(migration)?;
    }
    connection.close().await.map_err(|error| Fault::from(error).into())
}

fn pool(config: &SqlConfig, size: u32) -> PoolOptions<Sqlite> {
    SqlitePoolOptions::new()
        .max_connections(size)
        .acquire_timeout(Duration::from_millis(config.acquire_timeout_ms))
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// Interrupts what a connection still reads after `limit`, from now on: a reader holds it for one page or step.
async fn limit_reads(connection: &mut SqliteConnection, limit: Duration) -> Result<(), sqlx::Error> {
    /// Steps of SQLite's virtual machine between two looks at the time.
    const STEPS: i32 = 10_000;
    if limit.is_zero() {
        return Ok(());
    }
    let began = std::time::Instant::now();
    connection.lock_handle().await?.set_progress_handler(STEPS, move || began.elapsed() < limit);
    Ok(())
}

/// Lifts the limit of a connection that reads for long: a backup.
pub(super) async fn lift_read_limit(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    connection.lock_handle().await?.remove_progress_handler();
    Ok(())
}

/// Whether a returned connection is outside a transaction. On a full disk SQLite rolls back by itself while the driver still counts a
/// transaction; such a connection is closed, because the driver would refuse every later transaction on it.
async fn is_outside_transaction(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    if connection.is_in_transaction() {
        // Runs the rollback of a dropped transaction.
        connection.ping().await?;
    }
    Ok(!connection.is_in_transaction())
}

fn options(path: &Path, config: &SqlConfig) -> SqliteConnectOptions {
    const PAGE_BYTES: u32 = 4096;
    let max_pages = config.max_mib.map(|mib| mib.saturating_mul(1024 * 1024 / PAGE_BYTES));
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(match config.synchronous {
            Synchronous::Normal => SqliteSynchronous::Normal,
            Synchronous::Full => SqliteSynchronous::Full,
        })
        .busy_timeout(Duration::from_millis(config.busy_timeout_ms))
        // A negative size is in KiB, a positive one in pages.
        .pragma("cache_size", format!("-{}", config.cache_kib))
        // Pages that many commits touch are copied into the file less often than after every megabyte.
        .pragma("wal_autocheckpoint", config.checkpoint_pages.to_string())
        .pragma("temp_store", "memory")
        .page_size(PAGE_BYTES);
    match max_pages {
        Some(pages) => options.pragma("max_page_count", pages.to_string()),
        None => options,
    }
}

/// Locks the opening of a file, so that two processes never migrate it at the same time.
async fn lock_for_opening(path: &Path) -> StoreResult<File> {
    let mut name = path.as_os_str().to_owned();
    name.push(".opening");
    let name = PathBuf::from(name);
    let locked = tokio::task::spawn_blocking(move || {
        let file = File::create(name)?;
        file.lock()?;
        Ok::<_, std::io::Error>(file)
    });
    match locked.await {
        Ok(Ok(file)) => Ok(file),
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::StorageFull => Err(StoreError::Full),
        Ok(Err(error)) => Err(StoreError::Unavailable(format!("cannot write to {}: {error}", path.display()))),
        Err(error) => Err(StoreError::Defect(error.to_string())),
    }
}

/// Message about data whose migrations differ from those of this build.
const OTHER_SCHEMA: &str = "this data was written by a newer version, or by a build before 0.1.0. Update AutOSINT; or run \
    `autosint backup` with the build that wrote it, and `autosint restore` with this one, into an empty folder or empty databases";

fn migration(error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => Fault::from(error).into(),
        MigrateError::VersionMissing(_) | MigrateError::VersionMismatch(_) => StoreError::Invalid(OTHER_SCHEMA.into()),
        other => StoreError::Defect(other.to_string()),
    }
}

/// Registers sqlite-vec for every connection of this process, and turns off statistics of memory, which would lock a mutex for each
/// allocation.
fn prepare_sqlite() {
    type Init = unsafe extern "C" fn(
        *mut libsqlite3_sys::sqlite3,
        *mut *mut std::os::raw::c_char,
        *const libsqlite3_sys::sqlite3_api_routines,
    ) -> std::os::raw::c_int;
    static ONCE: Once = Once::new();
    #[allow(unsafe_code, reason = "the one way to configure SQLite and to register a statically linked extension")]
    ONCE.call_once(|| {
        // SAFETY: the option takes one int. SQLite that is already in use refuses it, and goes on with the statistics.
        unsafe { libsqlite3_sys::sqlite3_config(libsqlite3_sys::SQLITE_CONFIG_MEMSTATUS, 0) };
        // SAFETY: sqlite-vec exports its entry point with an opaque signature; it is built for exactly this SQLite and has the
        // signature that SQLite calls extensions by. `Once` runs it before the first connection of the process is opened.
        let code = unsafe {
            let init = std::mem::transmute::<*const (), Init>(sqlite_vec::sqlite3_vec_init as *const ());
            libsqlite3_sys::sqlite3_auto_extension(Some(init))
        };
        debug_assert_eq!(code, libsqlite3_sys::SQLITE_OK, "sqlite-vec registers");
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_databases_have_the_same_migrations() {
        let names = |migrator: &Migrator| migrator.iter().map(|m| (m.version, m.description.to_string())).collect::<Vec<_>>();
        assert_eq!(names(&SQLITE), names(&POSTGRES));
    }

    /// Migrations of builds before 0.1.0 had higher numbers, and other texts under the same numbers.
    #[tokio::test]
    async fn data_of_an_earlier_build_is_refused_with_advice() {
        const TABLE: &str = "create table _sqlx_migrations (version bigint primary key, description text not null,
            installed_on timestamp not null default current_timestamp, success boolean not null, checksum blob not null,
            execution_time bigint not null)";
        const APPLIED: &str = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
            values ($1, 'x', true, x'00', 0)";
        for version in [93, 1] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("state.db");
            let mut conn = SqliteConnectOptions::new().filename(&path).create_if_missing(true).connect().await.unwrap();
            sqlx::query(TABLE).execute(&mut conn).await.unwrap();
            sqlx::query(APPLIED).bind(version).execute(&mut conn).await.unwrap();
            conn.close().await.unwrap();
            let clock = Arc::new(crate::sql::StoppedClock);
            let refused = Store::open_sqlite(&path, SqlConfig::default(), clock).await;
            let Err(StoreError::Invalid(message)) = refused else { panic!("migration {version}: it was opened") };
            assert!(message.contains("autosint backup") && message.contains("autosint restore"), "{message}");
        }
    }

    #[tokio::test]
    async fn a_read_without_end_is_interrupted_and_the_connection_goes_on() {
        const ENDLESS: &str = "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n";
        let folder = tempfile::tempdir().unwrap();
        let config = SqlConfig { read_timeout_ms: 50, readers: 1, ..SqlConfig::default() };
        let clock = Arc::new(crate::sql::StoppedClock);
        let store = Store::open_sqlite(&folder.path().join("test.db"), config, clock).await.unwrap();
        let pool = &store.sqlite().unwrap().reader;
        for _ in 0..2 {
            let failed = sqlx::query_scalar::<_, i64>(ENDLESS).fetch_one(pool).await.unwrap_err();
            assert!(matches!(StoreError::from(Fault::from(failed)), StoreError::Unavailable(_)));
            assert_eq!(sqlx::query_scalar::<_, i64>("select 1").fetch_one(pool).await.unwrap(), 1);
        }
    }

    #[test]
    fn a_number_has_one_migration() {
        for migrator in [&SQLITE, &POSTGRES] {
            let numbers: Vec<_> = migrator.iter().map(|migration| migration.version).collect();
            assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
        }
    }
}
