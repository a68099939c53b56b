//! How many statements a page costs, of the database and of the graph together: their lines in the log are counted.

use super::{autosint, run};
use crate::{client::Browser, scaled::Services};
use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Most statements of one page.
const MOST: usize = 10;
const REPORT: &str = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire.";
/// Where the log has them.
const TARGETS: [&str; 2] = ["sqlx::query", "neo4j::query"];
/// What the store asks by itself, for nobody's page.
const BESIDE: [&str; 2] = ["pragma ", "select id from investigations where status not in"];

/// A server that says every statement, and how many it has said.
struct Talking {
    child: Child,
    address: String,
    said: Arc<Counted>,
}

/// How many were said, in the order of `TARGETS`.
type Counted = [AtomicUsize; TARGETS.len()];

impl Talking {
    fn start(command: &mut Command) -> Self {
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .env("AUTOSINT__LOG__LEVEL", "warn,sqlx::query=debug,neo4j::query=debug");
        command.env("AUTOSINT__LOG__FORMAT", "json").env("AUTOSINT__ENGINE__WORKERS", "0");
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("autosint serves http://")?.split(' ').next().map(str::to_owned));
        let said = Arc::new(Counted::default());
        let counted = said.clone();
        std::thread::spawn(move || count(lines, &counted));
        Self { child, address: address.expect("the server says where it serves"), said }
    }

    /// The statements of one page.
    async fn statements(&self, browser: &mut Browser, path: &str) -> usize {
        self.quiet().await;
        let before = self.all();
        let answer = browser.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        self.quiet().await;
        self.all() - before
    }

    fn all(&self) -> usize {
        self.said.iter().map(|said| said.load(Ordering::SeqCst)).sum()
    }

    /// Waits until nothing has been said for a moment.
    async fn quiet(&self) {
        let mut before = usize::MAX;
        while before != self.all() {
            before = self.all();
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
    }
}

impl Drop for Talking {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn count(lines: std::io::Lines<BufReader<ChildStderr>>, said: &Counted) {
    for line in lines.map_while(Result::ok) {
        let is_beside = BESIDE.into_iter().any(|statement| line.to_lowercase().contains(statement));
        if let (Some(of), false) = (TARGETS.into_iter().position(|target| line.contains(target)), is_beside) {
            if std::env::args().any(|argument| argument == "--nocapture") {
                println!("{}", line.chars().take(400).collect::<String>());
            }
            said[of].fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_needs_more_than_ten_statements() {
    let folder = tempfile::tempdir().unwrap();
    let (counts, _) = counts(folder.path(), |_| {}).await;
    check(&counts);
}

#[tokio::test(flavor = "multi_thread")]
async fn nor_does_one_on_postgresql_and_neo4j() {
    let Some(services) = Services::new().await else { return };
    let service = |command: &mut Command| {
        services.apply(command);
        // A lease that lasts is renewed after the last page.
        command.env("AUTOSINT__ENGINE__LEASE_MS", "600000");
    };
    let (counts, of_graph) = counts(services.folder(), service).await;
    check(&counts);
    assert!(of_graph > 0, "nothing is counted of what Neo4j is asked");
}

fn check(counts: &[(String, usize)]) {
    let over: Vec<_> = counts.iter().filter(|(_, count)| *count > MOST).collect();
    println!("{counts:#?}");
    assert!(over.is_empty(), "{over:#?}");
}

/// Every page of an installation with one finished investigation, and how many statements it took; and of all of them those to Neo4j.
async fn counts(folder: &Path, service: impl Fn(&mut Command)) -> (Vec<(String, usize)>, usize) {
    let command = || {
        let mut command = autosint(folder);
        service(&mut command);
        command
    };
    for n in 0..6 {
        let name = folder.join(format!("report{n}.txt"));
        fs::write(name, format!("{REPORT}\n\nReport number {n}: the mayor of Port Halen denied it.")).unwrap();
    }
    let asked =
        ["investigate", "Who was behind the fire?", "--json", "--documents", "report0.txt", "report1.txt", "report2.txt"];
    let asked = run(command().args(asked).args(["report3.txt", "report4.txt", "report5.txt"]), "");
    assert_eq!(asked.code, Some(0), "{}", asked.stderr);
    let assessment: serde_json::Value = serde_json::from_str(&asked.stdout).unwrap();
    let added = run(command().args(["user", "add", "ada", "--role", "admin", "--password-stdin"]), "correct horse battery");
    assert_eq!(added.code, Some(0), "{}", added.stderr);

    let server = Talking::start(&mut command());
    let mut browser = Browser::new(server.address.parse().unwrap());
    browser.post("/sign-in", &[("username", "ada"), ("password", "correct horse battery")]).await;
    let id = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let investigation = id(&assessment["investigation_id"]);
    let listed = browser.get(&format!("/investigations/{investigation}/sessions")).await.text();
    let session = listed.split("/sessions/").nth(1).and_then(|rest| rest.get(..36)).expect("a session is linked").to_owned();
    let document = id(&assessment["citations"][0]["document_id"]);
    let pages = [
        "/".to_owned(),
        "/?q=fire".to_owned(),
        "/documents".to_owned(),
        "/documents?q=fire".to_owned(),
        format!("/documents/{document}"),
        format!("/investigations/{investigation}"),
        format!("/assessments/{}", id(&assessment["id"])),
        format!("/sessions/{session}"),
        format!("/investigations/{investigation}/sessions"),
        "/investigations/new".to_owned(),
        "/settings".to_owned(),
        "/people".to_owned(),
        "/tools".to_owned(),
        "/sources".to_owned(),
        format!("/assessments/{}/export.md", id(&assessment["id"])),
        format!("/assessments/{}/export.json", id(&assessment["id"])),
        "/api/v1/investigations".to_owned(),
        format!("/api/v1/investigations/{investigation}"),
        format!("/api/v1/assessments/{}", id(&assessment["id"])),
        format!("/api/v1/documents/{document}"),
    ];
    let of_graph = || server.said[1].load(Ordering::SeqCst);
    server.quiet().await;
    let before = of_graph();
    let mut counts = vec![];
    for path in pages {
        let count = server.statements(&mut browser, &path).await;
        counts.push((path, count));
    }
    (counts, of_graph() - before)
}
