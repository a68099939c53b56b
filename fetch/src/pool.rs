//! Pool of parser child processes, reused until killed and then replaced.
//!
//! Invariant: a child holds one file at a time, so its end costs exactly that file; and it reads the files of one owner only.
//! Invariant: a job is a task of its own, which starts no other job. So it holds its child at most for the timeout of one file,
//! also while its caller waits for something else; members of an archive are jobs of their own, after that of the archive.

use crate::{
    child::Confinement,
    config::{FetchConfig, ParseConfig, PoolConfig},
    refusal::{Refusal, amount},
    sniff::FileKind,
    wire,
};
use bytes::Bytes;
use domain::fetch::RejectReason;
use std::{
    ffi::OsString,
    io,
    path::PathBuf,
    process::Stdio,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::Semaphore,
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;

/// Command line of a parser child: the running program with `parse-child`, or a test's own.
#[derive(Debug, Clone)]
pub struct ParserCommand {
    pub program: PathBuf,
    pub args: Vec<OsString>,
}

/// Cheap handle to the pool; children start on demand.
#[derive(Debug, Clone)]
pub struct ParserPool {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    command: ParserCommand,
    pool: PoolConfig,
    parse: ParseConfig,
    permits: Semaphore,
    idle: Mutex<Vec<ParserChild>>,
    /// Number of imports so far.
    imports: AtomicU64,
    confinement: Mutex<Option<Confinement>>,
}

/// Files that may share a child: pages of the web, or the files of one import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOwner {
    Web,
    Import(u64),
}

/// File to be parsed, with what is known from outside its bytes.
pub(crate) struct ParseJob {
    pub owner: FileOwner,
    pub kind: FileKind,
    pub charset: Option<String>,
    pub address: Option<String>,
    pub bytes: Bytes,
}

#[derive(Debug)]
struct ParserChild {
    process: Child,
    input: ChildStdin,
    output: ChildStdout,
    owner: FileOwner,
    files: usize,
}

impl ParserPool {
    pub fn new(command: ParserCommand, config: &FetchConfig) -> Self {
        let inner = Inner {
            command,
            permits: Semaphore::new(config.pool.children.max(1)),
            pool: config.pool.clone(),
            parse: config.parse.clone(),
            idle: Mutex::default(),
            imports: AtomicU64::new(0),
            confinement: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Process ids of idle children, for diagnosis and tests.
    pub fn idle_ids(&self) -> Vec<u32> {
        self.idle().iter().filter_map(|parser| parser.process.id()).collect()
    }

    /// Owner of the files of a new import.
    pub(crate) fn new_import(&self) -> FileOwner {
        FileOwner::Import(self.inner.imports.fetch_add(1, Ordering::Relaxed))
    }

    /// Confinement that the last child reported.
    pub(crate) fn confinement(&self) -> Option<Confinement> {
        *self.inner.confinement.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Parses one file in a child; the bytes of its parts are returned concatenated.
    pub(crate) async fn parse(&self, job: ParseJob) -> Result<(wire::Outline, Bytes), Refusal> {
        let (began, kind) = (Instant::now(), job.kind);
        let this = self.clone();
        let task = AbortOnDropHandle::new(tokio::spawn(async move { this.parse_in_child(job).await }));
        let parsed = task.await.unwrap_or_else(|error| Err(start_failure(&io::Error::other(error))));
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

    async fn parse_in_child(&self, job: ParseJob) -> Result<(wire::Outline, Bytes), Refusal> {
        let ParseJob { owner, kind, charset, address, bytes } = job;
        let pool = &self.inner.pool;
        let request = wire::ParseRequest {
            kind,
            charset,
            address,
            limits: self.inner.parse.clone(),
            stack_bytes: pool.stack_bytes,
            max_memory_bytes: pool.max_memory_bytes,
            timeout_ms: pool.parse_timeout_ms,
        };
        let wait = Duration::from_millis(pool.wait_timeout_ms);
        let _permit = match timeout(wait, self.inner.permits.acquire()).await {
            Ok(permit) => permit.map_err(|_| start_failure(&io::ErrorKind::Other.into()))?,
            Err(_) => return Err(all_busy(pool.wait_timeout_ms)),
        };
        let mut parser = self.take(owner).map_err(|error| start_failure(&error))?;
        let patience = Duration::from_millis(pool.parse_timeout_ms);
        match timeout(patience, parser.exchange(&request, &bytes)).await {
            Ok(Ok((reply, body))) => {
                self.give_back(parser);
                self.note_confinement(reply.confinement);
                reply.outcome.map(|outline| (outline, body))
            }
            Ok(Err(error)) => {
                let status = parser.end("crashed").await;
                tracing::warn!(%error, ?status, "parser child exited without a reply");
                Err(Refusal::new(RejectReason::Crashed, self.crash_message()))
            }
            Err(_) => {
                parser.end("timed_out").await;
                Err(Refusal::new(
                    RejectReason::TimedOut,
                    format!(
                        "Parsing took longer than {} ms and was stopped; simplify the file, or raise `fetch.pool.parse_timeout_ms`.",
                        pool.parse_timeout_ms
                    ),
                ))
            }
        }
    }

    fn crash_message(&self) -> String {
        format!(
            "The parser crashed: the file is damaged, or needs more memory than {} \
             (`fetch.pool.max_memory_bytes`); save it in another format.",
            amount(self.inner.pool.max_memory_bytes)
        )
    }

    /// A running idle child of this owner, or a new one.
    fn take(&self, owner: FileOwner) -> io::Result<ParserChild> {
        loop {
            let found = {
                let mut idle = self.idle();
                idle.iter().position(|parser| parser.owner == owner).map(|at| idle.remove(at))
            };
            let Some(mut parser) = found else { return ParserChild::start(&self.inner.command, owner) };
            if matches!(parser.process.try_wait(), Ok(None)) {
                return Ok(parser);
            }
        }
    }

    fn give_back(&self, mut parser: ParserChild) {
        parser.files += 1;
        if parser.files >= self.inner.pool.max_files_per_child {
            return;
        }
        let mut idle = self.idle();
        idle.push(parser);
        // The child that has waited longest; its owner is probably done.
        if idle.len() > self.inner.pool.children.max(1) {
            idle.remove(0);
        }
    }

    /// Keeps the confinement of a child for `doctor`, and warns once where the kernel lacks a part of it.
    fn note_confinement(&self, confinement: Confinement) {
        let mut kept = self.inner.confinement.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_none() && !confinement.is_complete() {
            tracing::warn!(%confinement, "parser children are not fully confined, this kernel lacks a part");
        }
        *kept = Some(confinement);
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<ParserChild>> {
        self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ParserChild {
    /// Starts a child without environment variables, so that no key reaches the process that reads untrusted files. Its working
    /// folder is empty, and removed as soon as the child is in it.
    fn start(command: &ParserCommand, owner: FileOwner) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut process = Command::new(&command.program)
            .args(&command.args)
            .env_clear()
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        metrics::counter!("autosint_parser_children_started_total").increment(1);
        Ok(Self { process, input, output, owner, files: 0 })
    }

    async fn exchange(&mut self, request: &wire::ParseRequest, bytes: &Bytes) -> io::Result<(wire::ParseReply, Bytes)> {
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

fn all_busy(wait_timeout_ms: u64) -> Refusal {
    Refusal::new(
        RejectReason::TimedOut,
        format!(
            "All parsers were busy with other files for {wait_timeout_ms} ms; add this one again, \
             or raise `fetch.pool.wait_timeout_ms` or `fetch.pool.children`."
        ),
    )
}

fn start_failure(error: &io::Error) -> Refusal {
    tracing::error!(%error, "parser child failed to start");
    Refusal::new(
        RejectReason::Crashed,
        "The parser for such files could not be started; see the log, and run `autosint doctor`.",
    )
}
