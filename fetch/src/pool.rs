//! A small set of child processes that parse files, reused until one is killed, and replaced then.
//!
//! Invariant: a child holds one file at a time, so whatever ends it costs exactly that file.

use crate::{
    config::{FetchConfig, ParseConfig, PoolConfig},
    refusal::{Refusal, amount},
    sniff::Kind,
    wire,
};
use bytes::Bytes;
use domain::fetch::RejectReason;
use std::{
    ffi::OsString,
    io,
    path::PathBuf,
    process::Stdio,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::Semaphore,
    time::timeout,
};

/// How a parser child is started: the running program with `parse-child`, or a test's own.
#[derive(Debug, Clone)]
pub struct ParserCommand {
    pub program: PathBuf,
    pub args: Vec<OsString>,
}

/// A cheap handle to the pool; children are started when first needed.
#[derive(Debug, Clone)]
pub struct ParserPool {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    command: ParserCommand,
    pool: PoolConfig,
    parse: ParseConfig,
    turns: Semaphore,
    idle: Mutex<Vec<Parser>>,
}

#[derive(Debug)]
struct Parser {
    process: Child,
    input: ChildStdin,
    output: ChildStdout,
    files: usize,
}

impl ParserPool {
    pub fn new(command: ParserCommand, config: &FetchConfig) -> Self {
        let inner = Inner {
            command,
            turns: Semaphore::new(config.pool.children.max(1)),
            pool: config.pool.clone(),
            parse: config.parse.clone(),
            idle: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Process ids of the children that wait for work, for diagnosis and tests.
    pub fn idle_ids(&self) -> Vec<u32> {
        self.idle().iter().filter_map(|parser| parser.process.id()).collect()
    }

    /// Parses one file in a child; the bytes of its parts come back joined.
    pub(crate) async fn parse(
        &self,
        kind: Kind,
        charset: Option<String>,
        address: Option<String>,
        bytes: &Bytes,
    ) -> Result<(wire::Outline, Bytes), Refusal> {
        let began = Instant::now();
        let parsed = self.parse_in_child(kind, charset, address, bytes).await;
        let outcome = match &parsed {
            Ok(_) => "read",
            Err(refusal) if refusal.reason == RejectReason::TimedOut => "timed_out",
            Err(refusal) if refusal.reason == RejectReason::Crashed => "crashed",
            Err(_) => "refused",
        };
        metrics::counter!("autosint_parser_files_total", "media_type" => kind.media_type(), "outcome" => outcome).increment(1);
        metrics::histogram!("autosint_parser_seconds", "media_type" => kind.media_type()).record(began.elapsed().as_secs_f64());
        parsed
    }

    async fn parse_in_child(
        &self,
        kind: Kind,
        charset: Option<String>,
        address: Option<String>,
        bytes: &Bytes,
    ) -> Result<(wire::Outline, Bytes), Refusal> {
        let pool = &self.inner.pool;
        let request = wire::Request {
            kind,
            charset,
            address,
            limits: self.inner.parse.clone(),
            stack_bytes: pool.stack_bytes,
            max_memory_bytes: pool.max_memory_bytes,
            timeout_ms: pool.parse_timeout_ms,
        };
        let _turn = self.inner.turns.acquire().await.map_err(|_| no_parser(&io::ErrorKind::Other.into()))?;
        let mut parser = self.take().map_err(|error| no_parser(&error))?;
        let patience = Duration::from_millis(pool.parse_timeout_ms);
        match timeout(patience, parser.exchange(&request, bytes)).await {
            Ok(Ok((reply, body))) => {
                self.give_back(parser);
                reply.outcome.map(|outline| (outline, body))
            }
            Ok(Err(error)) => {
                let status = parser.end("crashed").await;
                tracing::warn!(%error, ?status, "a parser child ended before it answered");
                Err(Refusal::new(RejectReason::Crashed, self.crash_message()))
            }
            Err(_) => {
                parser.end("timed_out").await;
                Err(Refusal::new(
                    RejectReason::TimedOut,
                    format!(
                        "Reading it took longer than {} ms and was stopped; simplify the file, or raise `fetch.pool.parse_timeout_ms`.",
                        pool.parse_timeout_ms
                    ),
                ))
            }
        }
    }

    fn crash_message(&self) -> String {
        format!(
            "The parser stopped while reading it: the file is damaged, or needs more memory than {} \
             (`fetch.pool.max_memory_bytes`); save it in another format.",
            amount(self.inner.pool.max_memory_bytes)
        )
    }

    /// An idle child that still runs, or a new one.
    fn take(&self) -> io::Result<Parser> {
        loop {
            let Some(mut parser) = self.idle().pop() else { return Parser::start(&self.inner.command) };
            if matches!(parser.process.try_wait(), Ok(None)) {
                return Ok(parser);
            }
        }
    }

    fn give_back(&self, mut parser: Parser) {
        parser.files += 1;
        if parser.files < self.inner.pool.max_files_per_child {
            self.idle().push(parser);
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Parser>> {
        self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Parser {
    /// The child inherits no environment: no key can leak into the process that reads foreign files.
    fn start(command: &ParserCommand) -> io::Result<Self> {
        let mut process = Command::new(&command.program)
            .args(&command.args)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        metrics::counter!("autosint_parser_children_started_total").increment(1);
        Ok(Self { process, input, output, files: 0 })
    }

    async fn exchange(&mut self, request: &wire::Request, bytes: &Bytes) -> io::Result<(wire::Reply, Bytes)> {
        self.input.write_all(&wire::head(request, bytes.len())?).await?;
        self.input.write_all(bytes).await?;
        self.input.flush().await?;
        let mut prefix = [0; wire::PREFIX_BYTES];
        self.output.read_exact(&mut prefix).await?;
        let (header_bytes, body_bytes) = wire::lengths(&prefix)?;
        let header = self.read(header_bytes).await?;
        let body = self.read(body_bytes).await?;
        Ok((serde_json::from_slice(&header)?, body.into()))
    }

    async fn read(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut buffer = Vec::new();
        (&mut self.output).take(length as u64).read_to_end(&mut buffer).await?;
        if buffer.len() == length { Ok(buffer) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    async fn end(mut self, why: &'static str) -> Option<std::process::ExitStatus> {
        metrics::counter!("autosint_parser_children_killed_total", "reason" => why).increment(1);
        let _ = self.process.start_kill();
        self.process.wait().await.ok()
    }
}

fn no_parser(error: &io::Error) -> Refusal {
    tracing::error!(%error, "no parser child could be started");
    Refusal::new(
        RejectReason::Crashed,
        "The program that reads such files could not be started; see the log, and run `autosint doctor`.",
    )
}
