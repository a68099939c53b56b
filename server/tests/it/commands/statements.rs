//! Limits on database and graph statements per page, counted on PostgreSQL and Neo4j from the log lines of its request. On SQLite
//! a statement's log line does not name its request, so that those of jobs cannot be told from those of a page.

use super::{add_user, autosint, succeed};
use crate::{prelude::*, scaled::Services};
use serde::Deserialize;
use std::{collections::HashMap, process::ChildStderr, sync::Mutex};

/// Maximum statements of one page: two of them count for the bell, one of notifications and one of matches.
const MOST: usize = 12;
/// Maximum statements of a search over all kinds: two of them search tensions, and one names the outlets of claims.
const MOST_OF_A_SEARCH: usize = 15;
/// Maximum statements of the question form: two of them read the sources.
const MOST_OF_THE_QUESTION_FORM: usize = 14;
/// Maximum statements of the home page while it shows the steps of the first start, for which it reads the sources, the rising tensions,
/// and the days that are due.
const MOST_OF_HOME_WITH_STEPS: usize = 17;
/// Maximum statements of the page of an outlet: seven of them read its record, and three its newest claims.
const MOST_OF_AN_OUTLET: usize = 21;
const REPORT: &str = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire.";
/// Log targets of statements.
const TARGETS: [&str; 2] = ["sqlx::query", "neo4j::query"];
/// Log line of a response; the statements of its request precede it.
const ANSWERED: &str = "tower_http::trace::on_response";
/// Silence after which the log lines of a response are complete.
const QUIET: Duration = Duration::from_millis(120);

/// Server that logs every statement, with the counts by page.
struct LoggingServer {
    child: Child,
    address: String,
    counts: Arc<Mutex<StatementCounts>>,
}

/// Statement counts in the order of `TARGETS`.
type Count = [usize; TARGETS.len()];

#[derive(Default)]
struct StatementCounts {
    /// Statements by request path.
    statements: HashMap<String, Count>,
    /// Responses by request path.
    answers: HashMap<String, usize>,
}

/// Fields of a log line.
#[derive(Deserialize)]
struct LogLine {
    target: String,
    method: Option<String>,
    path: Option<String>,
}

impl LoggingServer {
    fn start(command: &mut Command) -> Self {
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .env("AUTOSINT__LOG__LEVEL", "warn,sqlx::query=debug,neo4j::query=debug,tower_http::trace=debug");
        command.env("AUTOSINT__LOG__FORMAT", "json").env("AUTOSINT__ENGINE__WORKERS", "0");
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("autosint serves http://")?.split(' ').next().map(str::to_owned));
        let counts = Arc::new(Mutex::new(StatementCounts::default()));
        let counted = counts.clone();
        std::thread::spawn(move || count(lines, &counted));
        Self { child, address: address.expect("the server says where it serves"), counts }
    }

    /// Counts the statements of one page.
    async fn statements(&self, browser: &mut Browser, page: &str) -> Count {
        let path = page.split('?').next().unwrap_or_default();
        let answers = || self.counts.lock().unwrap().answers.get(path).copied();
        let (before, answered) = (self.settled_count(path).await, answers());
        let answer = browser.get(page).await;
        assert_eq!(answer.status, 200, "{page}: {}", answer.text());
        assert!(eventually(async || answers() != answered).await, "the log has no answer for {page}");
        let after = self.settled_count(path).await;
        std::array::from_fn(|target| after[target] - before[target])
    }

    /// Returns the count of a path once it stops changing.
    async fn settled_count(&self, path: &str) -> Count {
        let counts = || self.counts.lock().unwrap().statements.get(path).copied().unwrap_or_default();
        loop {
            let before = counts();
            pause(QUIET).await;
            if before == counts() {
                return before;
            }
        }
    }
}

impl Drop for LoggingServer {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn count(lines: std::io::Lines<BufReader<ChildStderr>>, counts: &Mutex<StatementCounts>) {
    for line in lines.map_while(Result::ok) {
        let Ok(LogLine { target, method, path }) = serde_json::from_str(&line) else { continue };
        let (Some("GET"), Some(path)) = (method.as_deref(), path) else { continue };
        if std::env::args().any(|argument| argument == "--nocapture") {
            println!("{line}");
        }
        let mut counts = counts.lock().unwrap();
        match TARGETS.into_iter().position(|one| one == target) {
            Some(of) => counts.statements.entry(path).or_default()[of] += 1,
            None if target == ANSWERED => *counts.answers.entry(path).or_default() += 1,
            None => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_needs_more_statements_than_its_limit() {
    let Some(services) = Services::new().await else { return };
    let counts = counts(&services).await;
    check(&counts);
    assert!(counts.iter().any(|(_, [_, of_graph])| *of_graph > 0), "nothing is counted of what Neo4j is asked");
}

fn check(counts: &[(String, Count)]) {
    println!("{counts:?}");
    for (page, count) in counts {
        let most = match page.as_str() {
            "/" => MOST_OF_HOME_WITH_STEPS,
            page if page.starts_with("/investigations/new") => MOST_OF_THE_QUESTION_FORM,
            page if page.starts_with("/entities/") => MOST_OF_AN_OUTLET,
            page if page.starts_with("/search?") => MOST_OF_A_SEARCH,
            _ => MOST,
        };
        // Signed-in users need a look-up, so a page without statements was not counted.
        assert!((1..=most).contains(&count.iter().sum()), "{page}: {count:?}");
    }
}

/// Checks every page of an installation with one finished investigation.
async fn counts(services: &Services) -> Vec<(String, Count)> {
    let folder = services.folder();
    let command = || {
        let mut command = autosint(folder);
        services.apply(&mut command);
        command
    };
    for n in 0..6 {
        let name = folder.join(format!("report{n}.txt"));
        fs::write(name, format!("{REPORT}\n\nReport number {n}: the mayor of Port Halen denied it.")).unwrap();
    }
    let asked =
        ["investigate", "Who was behind the fire?", "--json", "--documents", "report0.txt", "report1.txt", "report2.txt"];
    let asked = succeed(command().args(asked).args(["report3.txt", "report4.txt", "report5.txt"]), "");
    let assessment: serde_json::Value = serde_json::from_str(&asked.stdout).unwrap();
    add_user(command(), "ada", "admin");

    let server = LoggingServer::start(&mut command());
    let mut browser = Browser::new(server.address.parse().unwrap());
    browser.post("/sign-in", &[("username", "ada"), ("password", "correct horse battery")]).await;
    let id = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let investigation = id(&assessment["investigation_id"]);
    let listed = browser.get(&format!("/investigations/{investigation}/sessions")).await.text();
    let session = listed.split("/sessions/").nth(1).and_then(|rest| rest.get(..36)).expect("a session is linked").to_owned();
    let document = id(&assessment["citations"][0]["document_id"]);
    let entities = browser.get("/entities").await.text();
    let entity = entities.split("/entities/").nth(1).and_then(|rest| rest.get(..36)).expect("an entity is linked").to_owned();
    let claims = browser.get(&format!("/entities/{entity}/claims?published=1")).await.text();
    let claim = claims.split("/claims/").nth(1).and_then(|rest| rest.get(..36)).expect("a claim is linked").to_owned();
    let overview = browser.get(&format!("/entities/{entity}")).await.text();
    let relationship =
        overview.split("/relationships/").nth(1).and_then(|rest| rest.get(..36)).map(|id| format!("/relationships/{id}"));
    let pages = [
        "/".to_owned(),
        "/entities".to_owned(),
        "/entities?q=mayor".to_owned(),
        format!("/entities/{entity}"),
        format!("/entities/{entity}/claims"),
        format!("/entities/{entity}/claims?mode=asserted&month=2031-03&outlet={entity}&page=2"),
        format!("/entities/{entity}/split"),
        format!("/claims/{claim}"),
        "/reviews".to_owned(),
        "/reviews/apart".to_owned(),
        "/reviews/merges".to_owned(),
        format!("/graph?seed={entity}"),
        format!("/graph/export.json?seed={entity}"),
        "/assessments?q=fire&owner=me&sort=oldest".to_owned(),
        "/search?q=fire".to_owned(),
        "/search?q=mayor".to_owned(),
        "/search?q=fire&sort=newest".to_owned(),
        "/search?q=fire&kind=claims".to_owned(),
        "/search?q=mayor&kind=entities".to_owned(),
        "/search?q=fire&kind=relationships".to_owned(),
        "/search?q=fire&mode=asserted&sort=newest".to_owned(),
        "/documents".to_owned(),
        "/documents?q=fire".to_owned(),
        format!("/documents/{document}"),
        format!("/investigations/{investigation}"),
        format!("/investigations/{investigation}/plan"),
        format!("/assessments/{}", id(&assessment["id"])),
        format!("/assessments/{}/evidence", id(&assessment["id"])),
        format!("/assessments/{}/evidence?q=fire&attribution=primary", id(&assessment["id"])),
        format!("/assessments/{}/evidence?view=matrix", id(&assessment["id"])),
        format!("/assessments/{}/evidence?view=unused", id(&assessment["id"])),
        format!("/assessments/{}/contest?item=c1", id(&assessment["id"])),
        format!("/assessments/{}/work", id(&assessment["id"])),
        "/watching".to_owned(),
        "/notifications".to_owned(),
        format!("/sessions/{session}"),
        format!("/investigations/{investigation}/sessions"),
        "/investigations/new".to_owned(),
        format!("/investigations/new?follows={investigation}&kind=rerun"),
        "/investigations/clarify?draft=Who".to_owned(),
        "/settings".to_owned(),
        "/people".to_owned(),
        "/teams".to_owned(),
        "/tools".to_owned(),
        "/sources".to_owned(),
        format!("/assessments/{}/export.md", id(&assessment["id"])),
        format!("/assessments/{}/export.json", id(&assessment["id"])),
        "/api/v1/investigations".to_owned(),
        format!("/api/v1/investigations/{investigation}"),
        format!("/api/v1/assessments/{}", id(&assessment["id"])),
        format!("/api/v1/documents/{document}"),
    ];
    let mut counts = vec![];
    for page in pages.into_iter().chain(relationship) {
        let count = server.statements(&mut browser, &page).await;
        counts.push((page, count));
    }
    counts
}
