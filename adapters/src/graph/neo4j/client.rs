//! The Neo4j client: statements with parameters, transactions, time-outs and error translation.
//!
//! Invariant: a transaction dropped half way keeps its locks on the server until its connection is used again. So its drop makes the pool
//! use every idle connection at once, which resets or closes it.

use super::cypher;
use crate::{Address, graph::Neo4jConfig};
use engine::{
    StoreError, StoreResult,
    models::Secret,
    reliability::{
        CircuitOpen, DependencyGuard,
        retry::{Backoff, RetryAdvice},
    },
};
use futures::future::join_all;
use neo4rs::{BoltType, ConfigBuilder, Graph, Neo4jClientErrorKind, Neo4jErrorKind, Query, Txn};
use secrecy::ExposeSecret;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::{collections::HashMap, sync::Arc, time::Duration};

/// Rows per message of the protocol.
const ROWS_PER_MESSAGE: usize = 2_000;
/// Log target of every statement, without its parameters (`log.level = "neo4j::query=debug"`).
const STATEMENTS: &str = "neo4j::query";

/// One statement with its parameters.
pub(super) struct Statement {
    query: Query,
    /// A parameter that cannot be sent; reported when the statement runs.
    bad: Option<&'static str>,
}

impl Statement {
    /// A statement of `cypher` without parameters.
    pub fn new(text: impl Into<String>) -> Self {
        Self { query: Query::new(text.into()), bad: None }
    }

    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        match BoltType::try_from(value.into()) {
            Ok(value) => self.query = self.query.param(name, value),
            Err(_) => self.bad = Some(name),
        }
        self
    }

    /// Binds a moment in Neo4j's own type, or null.
    pub fn with_moment(mut self, name: &'static str, moment: Option<domain::Timestamp>) -> Self {
        self.query = self.query.param(name, moment.map(domain::Timestamp::to_datetime));
        self
    }

    /// Binds a vector.
    pub fn with_numbers(mut self, name: &'static str, numbers: &[f32]) -> Self {
        self.query = self.query.param(name, numbers.iter().copied().map(f64::from).collect::<Vec<f64>>());
        self
    }

    /// Logs the statement like the SQL driver does, and returns the driver's query. Every statement passes here.
    fn query(self) -> StoreResult<Query> {
        tracing::debug!(target: STATEMENTS, statement = self.query.query());
        match self.bad {
            Some(name) => Err(StoreError::Invalid(format!("a number in '{name}' is too large to be stored"))),
            None => Ok(self.query),
        }
    }
}

/// Returns a moment as seconds and nanoseconds, for use inside a row.
pub(super) fn moment(moment: domain::Timestamp) -> [i64; 2] {
    const MICROS: i64 = 1_000_000;
    [moment.as_micros().div_euclid(MICROS), moment.as_micros().rem_euclid(MICROS) * 1000]
}

/// A pool of connections; a cheap clone.
#[derive(Clone)]
pub(super) struct Client {
    graph: Graph,
    connections: usize,
    guard: Option<Arc<DependencyGuard>>,
}

impl Client {
    /// Creates a client without connecting.
    pub fn new(config: &Neo4jConfig, url: &Address, password: Option<&Secret>) -> StoreResult<Self> {
        if url.names_somebody() {
            // It would be shown wherever the address is, and the driver reads neither from there.
            return Err(StoreError::Invalid(format!(
                "take user and password out of graph.neo4j.url ({url}): the user is graph.neo4j.user, the password goes into the \
                 environment as AUTOSINT_NEO4J_PASSWORD"
            )));
        }
        let invalid = |error: neo4rs::Error| StoreError::Invalid(format!("graph.neo4j.url '{url}' cannot be used: {error}"));
        let password = password.map(|secret| secret.expose_secret().to_owned()).unwrap_or_default();
        let built = ConfigBuilder::default()
            .uri(url.exposed())
            .user(config.user.as_str())
            .password(password)
            .db(config.database.as_str())
            .max_connections(config.connections)
            .fetch_size(ROWS_PER_MESSAGE)
            // It bounds each answer too, not only the way there.
            .connection_timeout(Duration::from_millis(config.timeout_ms))
            // What this version of the driver takes for the time to wait for a free connection.
            .max_lifetime(Duration::from_millis(config.acquire_timeout_ms))
            .build()
            .map_err(invalid)?;
        Ok(Self { graph: Graph::connect(built).map_err(invalid)?, connections: config.connections, guard: None })
    }

    /// Adds a circuit breaker around statements outside transactions and the begin of transactions.
    pub fn guarded_by(self, guard: DependencyGuard) -> Self {
        Self { guard: Some(Arc::new(guard)), ..self }
    }

    /// Reports to the circuit breaker that a call got no answer in time.
    pub async fn note_silence(&self, reason: &str) {
        if let Some(guard) = &self.guard {
            guard.note(Some(reason)).await;
        }
    }

    async fn call<T>(&self, call: impl Future<Output = Result<T, neo4rs::Error>>) -> StoreResult<T> {
        let Some(guard) = &self.guard else { return call.await.map_err(translate) };
        let outage = |result: &Result<T, neo4rs::Error>| {
            result.as_ref().err().filter(|error| is_outage(error)).map(|error| format!("Neo4j: {error}"))
        };
        match guard.call(call, outage).await {
            Ok(result) => result.map_err(translate),
            Err(CircuitOpen { reason }) => Err(StoreError::Unavailable(reason)),
        }
    }

    /// Runs one statement outside a transaction and returns its rows.
    pub async fn read<T: DeserializeOwned>(&self, statement: Statement) -> StoreResult<Vec<T>> {
        let query = statement.query()?;
        let rows = self.call(async {
            let mut stream = self.graph.execute(query).await?;
            let mut rows = Vec::new();
            while let Some(row) = stream.next().await? {
                rows.push(row);
            }
            Ok(rows)
        });
        let row = |row: neo4rs::Row| row.to_strict().map_err(|error| StoreError::Defect(error.to_string()));
        rows.await?.into_iter().map(row).collect()
    }

    /// Runs one statement outside a transaction, without rows.
    pub async fn run(&self, statement: Statement) -> StoreResult<()> {
        let query = statement.query()?;
        self.call(self.graph.run(query)).await
    }

    /// Creates a constraint or an index unless it exists. A concurrent creation by another process counts as success.
    pub async fn make(&self, statement: Statement) -> StoreResult<()> {
        const THERE_NOW: &str = "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists";
        match self.graph.run(statement.query()?).await {
            Err(neo4rs::Error::Neo4j(error)) if error.code() == THERE_NOW => Ok(()),
            made => made.map_err(translate),
        }
    }

    pub async fn begin(&self) -> StoreResult<Transaction> {
        let transaction = self.call(self.graph.start_txn()).await?;
        Ok(Transaction { transaction: Some(transaction), client: self.clone() })
    }

    /// Uses every idle connection once.
    async fn look_at_all(&self) {
        join_all((0..self.connections).map(|_| self.graph.run(Query::new(cypher::schema::PING.to_owned())))).await;
    }
}

/// A transaction; rolled back if dropped without `commit`.
pub(super) struct Transaction {
    transaction: Option<Txn>,
    client: Client,
}

impl Transaction {
    fn open(&mut self) -> StoreResult<&mut Txn> {
        self.transaction.as_mut().ok_or_else(|| StoreError::Defect("the transaction is over".into()))
    }

    pub async fn read<T: DeserializeOwned>(&mut self, statement: Statement) -> StoreResult<Vec<T>> {
        let query = statement.query()?;
        let open = self.open()?;
        let mut stream = open.execute(query).await.map_err(translate)?;
        let mut rows = Vec::new();
        while let Some(row) = stream.next(open.handle()).await.map_err(translate)? {
            rows.push(row.to_strict().map_err(|error| StoreError::Defect(error.to_string()))?);
        }
        Ok(rows)
    }

    pub async fn run(&mut self, statement: Statement) -> StoreResult<()> {
        let query = statement.query()?;
        self.open()?.run(query).await.map_err(translate)
    }

    /// Runs a statement on `$rows`, unless there are none.
    pub async fn run_rows(&mut self, text: impl Into<String>, rows: Vec<Value>) -> StoreResult<()> {
        if rows.is_empty() {
            return Ok(());
        }
        self.run(Statement::new(text).with("rows", rows)).await
    }

    /// Runs a statement on `$rows` and returns the stored row number of each offered one; they are equal for a new row.
    pub async fn stored_rows(&mut self, text: impl Into<String>, rows: Vec<Value>) -> StoreResult<HashMap<i64, i64>> {
        #[derive(Deserialize)]
        struct Row {
            offered: i64,
            n: i64,
        }
        let rows: Vec<Row> = self.read(Statement::new(text).with("rows", rows)).await?;
        Ok(rows.into_iter().map(|row| (row.offered, row.n)).collect())
    }

    /// Commits. A commit without an answer may still have happened: the caller repeats the whole write, which is harmless.
    pub async fn commit(mut self) -> StoreResult<()> {
        match self.transaction.take() {
            Some(transaction) => transaction.commit().await.map_err(translate),
            None => Err(StoreError::Defect("the transaction is over".into())),
        }
    }

    /// Commits after success; rolls back after an error and passes it on.
    pub async fn finish<T>(self, outcome: StoreResult<T>) -> StoreResult<T> {
        match outcome {
            Ok(done) => self.commit().await.map(|()| done),
            Err(error) => {
                self.roll_back().await;
                Err(error)
            }
        }
    }

    /// Rolls back at once, so that no other writer waits for its locks.
    pub async fn roll_back(mut self) {
        if let Some(transaction) = self.transaction.take()
            && let Err(error) = transaction.rollback().await
        {
            tracing::debug!(%error, "rollback failed, resetting connections");
            self.client.look_at_all().await;
        }
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if let Some(transaction) = self.transaction.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            drop(transaction);
            let client = self.client.clone();
            runtime.spawn(async move { client.look_at_all().await });
        }
    }
}

/// Waits before another attempt, or returns the error when none may help. Nothing was written.
pub(super) async fn wait_out(error: StoreError, backoff: &mut Backoff<'_>) -> StoreResult<()> {
    let again = if matches!(error, StoreError::Unavailable(_)) { RetryAdvice::Soon } else { RetryAdvice::Never };
    match backoff.next_ms(again) {
        Some(wait_ms) => {
            tracing::warn!(%error, wait_ms, "neo4j query failed, retrying");
            tokio::time::sleep(Duration::from_millis(wait_ms)).await;
            Ok(())
        }
        None => Err(error),
    }
}

/// Translates errors of the driver into `StoreError`. No other function does.
fn translate(error: neo4rs::Error) -> StoreError {
    match error {
        neo4rs::Error::Neo4j(error) => of_server(error.kind(), error.code(), error.message()),
        neo4rs::Error::AuthenticationError(message) => {
            StoreError::Invalid(format!("Neo4j rejected the user or the password: {message}"))
        }
        neo4rs::Error::IncompleteBoltExchange | neo4rs::Error::Ignored(_) | neo4rs::Error::RequestIgnoredError => {
            StoreError::Unavailable(format!("Neo4j: {error}"))
        }
        neo4rs::Error::ConnectionError => StoreError::Unavailable("Neo4j: no connection is free".into()),
        error if is_outage(&error) => StoreError::Unavailable(format!("Neo4j: {error}")),
        other => StoreError::Defect(format!("Neo4j: {other}")),
    }
}

/// Whether the server does not answer. A deadlock or a lost transaction is an answer; the driver's `ConnectionError` says that all
/// connections were busy.
fn is_outage(error: &neo4rs::Error) -> bool {
    matches!(
        error,
        neo4rs::Error::IOError { .. } | neo4rs::Error::ConnectionTimedOut | neo4rs::Error::ServerUnavailableError(_)
    )
}

fn of_server(kind: Neo4jErrorKind, code: &str, message: &str) -> StoreError {
    let said = format!("Neo4j: {message} ({code})");
    match kind {
        Neo4jErrorKind::Transient => StoreError::Unavailable(said),
        Neo4jErrorKind::Client(
            Neo4jClientErrorKind::SessionExpired
            | Neo4jClientErrorKind::TransactionTerminated
            | Neo4jClientErrorKind::FatalDiscovery,
        ) => StoreError::Unavailable(said),
        Neo4jErrorKind::Client(Neo4jClientErrorKind::Security(_)) => StoreError::Invalid(said),
        Neo4jErrorKind::Client(_) if code.starts_with("Neo.ClientError.Schema.Constraint") => StoreError::Invalid(said),
        // Its own words for a disk that is full.
        Neo4jErrorKind::Database if message.contains("No space left") => StoreError::Full,
        Neo4jErrorKind::Database if code.contains("DatabaseUnavailable") => StoreError::Unavailable(said),
        _ => StoreError::Defect(said),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transient_errors_are_unavailable_and_permanent_errors_are_not() {
        let of = |code: &str| of_server(Neo4jErrorKind::from(code), code, "m");
        assert!(matches!(of("Neo.TransientError.Transaction.DeadlockDetected"), StoreError::Unavailable(_)));
        assert!(matches!(of("Neo.TransientError.Transaction.Terminated"), StoreError::Unavailable(_)));
        assert!(matches!(of("Neo.ClientError.Schema.ConstraintValidationFailed"), StoreError::Invalid(_)));
        assert!(matches!(of("Neo.ClientError.Security.Unauthorized"), StoreError::Invalid(_)));
        assert!(matches!(of("Neo.ClientError.Statement.SyntaxError"), StoreError::Defect(_)));
    }

    #[test]
    fn a_moment_before_1970_keeps_its_fraction() {
        assert_eq!(moment(domain::Timestamp::from_micros(-4_876_544)), [-5, 123_456_000]);
        assert_eq!(moment(domain::Timestamp::from_micros(1_500_000)), [1, 500_000_000]);
    }

    #[test]
    fn an_invalid_address_is_refused_and_its_setting_is_named() {
        let refused = |url: &str| {
            let url = Address::try_from(url.to_owned()).unwrap();
            Client::new(&Neo4jConfig::default(), &url, None).err().map(|error| error.to_string()).unwrap()
        };
        let error = refused("http://127.0.0.1:1");
        assert!(error.contains("graph.neo4j.url"), "{error}");
        for with_password in ["bolt://neo4j:secret@127.0.0.1:7687", "bolt://:secret@127.0.0.1:7687"] {
            let error = refused(with_password);
            assert!(error.contains("AUTOSINT_NEO4J_PASSWORD") && !error.contains("secret"), "{error}");
        }
    }
}
