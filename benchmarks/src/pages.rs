//! Time of pages over HTTP, with many assessments: the recorded assessment of the sample, copied, and one copy with many citations.

use crate::resources;
use anyhow::{Context, ensure};
use domain::{
    AssessmentId, InvestigationId,
    assessment::Marker,
    investigation::Investigation,
    user::{Role, User},
};
use engine::{
    accounts::{self, Actor, NewAccount},
    assessments::StoredAssessment,
};
use futures::TryStreamExt;
use serde::Serialize;
use server::{Config, Program, Runner, http, sample};
use std::{net::SocketAddr, time::Instant};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use tokio_util::sync::CancellationToken;

/// Citations of the long report.
const CITATIONS: Marker = 500;
const WARM_UP: usize = 20;
const REQUESTS: usize = 200;
const NAME: &str = "bench";
const PASSWORD: &str = "forty lanterns by the lock";

/// Figures of one page.
#[derive(Debug, Serialize)]
pub struct PageTime {
    pub page: &'static str,
    pub p50_ms: f64,
    pub p95_ms: f64,
    /// CPU time per request of this process, the client included.
    pub cpu_ms: f64,
    /// Size without compression.
    pub kib: f64,
}

impl PageTime {
    pub fn to_text(&self) -> String {
        format!(
            "{:<24} {:>7.1} ms median {:>7.1} ms p95 {:>7.1} ms CPU {:>8.1} KiB\n",
            self.page, self.p50_ms, self.p95_ms, self.cpu_ms, self.kib
        )
    }
}

/// Measures pages with `assessments` assessments, in a temporary folder or on the services.
pub async fn run(config: &Config, assessments: u32, on_services: bool) -> anyhow::Result<Vec<PageTime>> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let mut config = config.clone();
    match on_services {
        true => config.server.data_dir = folder.path().to_owned(),
        false => config = config.in_folder(folder.path()),
    }
    let program = Program::open(config, None).await?;
    let account = NewAccount { name: NAME, password: PASSWORD, role: Role::Admin, must_change_password: false };
    let user = accounts::create(&program.engine, &program.passwords, account, Actor::default()).await?;
    let (investigation, report) = sample_report(&program, &user).await?;
    let mut long = None;
    for n in 1..assessments {
        let copy = copy(&investigation, &report, n);
        long = long.or(Some(copy.1.assessment.id));
        program.engine.investigations.add(&copy.0).await?;
        program.engine.assessments.put(&copy.1).await?;
    }
    let long = long.context("at least two assessments")?;

    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let shutdown = CancellationToken::new();
    let (served, token) = (program.clone(), shutdown.clone());
    let server = tokio::spawn(async move { http::serve(&served, listener, token).await });
    let cookie = sign_in(address).await?;
    let pages = [
        ("home", "/".to_owned()),
        ("assessments", "/assessments".to_owned()),
        ("assessments by word", "/assessments?q=lock&sort=oldest".to_owned()),
        ("brief", format!("/assessments/{}", report.assessment.id)),
        ("brief, 500 citations", format!("/assessments/{long}")),
        ("analysis, 500 citations", format!("/assessments/{long}/analysis")),
        ("evidence, 500 citations", format!("/assessments/{long}/evidence")),
        ("work, 500 citations", format!("/assessments/{long}/work")),
    ];
    let mut times = vec![];
    for (page, path) in pages {
        times.push(measure(address, &cookie, page, &path).await?);
    }
    shutdown.cancel();
    server.await??;
    program.store.close().await;
    Ok(times)
}

/// Investigates the sample with its first recording.
async fn sample_report(program: &Program, user: &User) -> anyhow::Result<(Investigation, StoredAssessment)> {
    let runner = Runner::start(program, 1).await?;
    let (investigation, _) = sample::start(program, user, |_| {}).await?;
    program.engine.events.follow(investigation.id, 0).try_for_each(|_| std::future::ready(Ok(()))).await?;
    runner.stop().await;
    let ended = program.engine.investigations.investigation(investigation.id).await?.context("the sample is gone")?;
    let report = program.engine.assessments.of_investigation(&ended.scope, ended.id).await?;
    Ok((ended, report.context("the sample ended without an assessment")?))
}

/// Copy number `n` of a report; the first has `CITATIONS` citations.
fn copy(investigation: &Investigation, report: &StoredAssessment, n: u32) -> (Investigation, StoredAssessment) {
    let id = |of: u64| uuid::Uuid::from_u64_pair(0x0190_0000_0000_7000 + of, 0x8000_0000_0000_0000 + u64::from(n));
    let (mut investigation, mut report) = (investigation.clone(), report.clone());
    investigation.id = InvestigationId(id(1));
    investigation.question = format!("{} (copy {n})", investigation.question);
    let assessment = &mut report.assessment;
    (assessment.id, assessment.investigation_id) = (AssessmentId(id(2)), investigation.id);
    if n == 1 {
        let citations = assessment.citations.clone();
        assessment.citations = (1..=CITATIONS)
            .zip(citations.into_iter().cycle())
            .map(|(marker, one)| domain::assessment::Citation { marker, ..one })
            .collect();
    }
    (investigation, report)
}

/// Sends a request on a connection of its own; returns status line with headers, and the size of the body.
async fn send(address: SocketAddr, request: &str) -> anyhow::Result<(String, usize)> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = vec![];
    stream.read_to_end(&mut answer).await?;
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").context("an answer without headers")?;
    Ok((String::from_utf8_lossy(&answer[..end]).into_owned(), answer.len() - end - 4))
}

/// Returns the session cookie.
async fn sign_in(address: SocketAddr) -> anyhow::Result<String> {
    let form = format!("username={NAME}&password={}", PASSWORD.replace(' ', "+"));
    let request = format!(
        "POST /sign-in HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nConnection: close\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    );
    let (head, _) = send(address, &request).await?;
    let cookies = head.lines().filter_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next());
    let cookies: Vec<&str> = cookies.collect();
    ensure!(!cookies.is_empty(), "sign-in failed: {head}");
    Ok(cookies.join("; "))
}

async fn measure(address: SocketAddr, cookie: &str, page: &'static str, path: &str) -> anyhow::Result<PageTime> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nCookie: {cookie}\r\n\r\n");
    let mut times = vec![];
    let (mut bytes, mut cpu) = (0, 0.0);
    for count in 0..WARM_UP + REQUESTS {
        if count == WARM_UP {
            cpu = resources::cpu_ms();
        }
        let began = Instant::now();
        let (head, size) = send(address, &request).await?;
        ensure!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        bytes = size;
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    let cpu_ms = (resources::cpu_ms() - cpu) / REQUESTS as f64;
    let mut times = times.split_off(WARM_UP);
    times.sort_by(f64::total_cmp);
    let share = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    Ok(PageTime { page, p50_ms: share(50), p95_ms: share(95), cpu_ms, kib: bytes as f64 / 1_024.0 })
}
