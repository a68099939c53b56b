//! Crash test of the cycle of tensions: `serve` is killed at seeded SQL statements, while the agents of the cycle work with a model
//! and a web on loopback. The final state must equal that of an undisturbed run.
//!
//! `make chaos` kills it twenty times, other test runs three times.

use super::{faults::SeededRandom, size::Size};
use crate::{
    commands::{add_user, autosint, database, succeed},
    prelude::*,
    web::site::{Page, Site},
};
use axum::routing::post;
use sqlx::Connection;
use std::{io::Lines, process::ChildStderr, sync::atomic::AtomicUsize};
use tokio::net::TcpListener;

/// One report states a strain, the other leaves statements that no tension explains.
const REPORTS: [(&str, &str); 2] = [
    (
        "strike.txt",
        "PORT HALEN (Coast Gazette) -- Dockers of Port Halen went on strike over wages on Monday, said the dockers' union. The \
         union said that wages in the port of Port Halen are lower than in Tessin.",
    ),
    (
        "quay.txt",
        "PORT HALEN (Inland Post) -- The Harbour Authority opened a second quay in Port Halen on Monday, said director Jonas Vael. \
         The Harbour Authority said that the town of Port Halen paid for the quay.",
    ),
];
const CAMPAIGN: &str = "/campaign";
const CLINIC: &str = "/clinic";
const THREATS: &str = "Organisers of the campaign received threats at their homes.";
/// Id of the search service.
const SEARCH: &str = "coast_search";
/// Message of a server that is ready.
const SERVES: &str = "autosint serves http://";
/// Statement with which an order ends.
const ORDER_ENDS: &str = "update cycle_orders set ended_at";
/// Statements after which a cycle counts as endless.
pub const MAX_STATEMENTS: usize = 20_000;
/// No statement begins so.
pub const NEVER: &str = "no statement";

/// Rows that must not depend on kills.
const STATE: [&str; 10] = [
    "select t.origin || ' ' || t.title || ' ' || t.confidence || ' ' ||
            (select count(*) from tension_evidence e where e.tension_id = t.id) from tensions t order by 1",
    "select kind || ' ' || title || ' ' || url from responses order by 1",
    "select p.title || ' eases ' || t.title from responds_to l
       join responses p on p.id = l.response_id join tensions t on t.id = l.tension_id order by 1",
    "select t.title || ' sprang from ' || p.title from spawned_from s
       join tensions t on t.id = s.tension_id join tensions p on p.id = s.parent_id order by 1",
    "select t.title || ' asks for ' || q.query from future_queries q join tensions t on t.id = q.tension_id order by 1",
    "select 'story of ' || t.title || ': ' || y.part || ' ' || y.text from story_sentences y
       join tensions t on t.id = y.tension_id order by 1",
    "select 'stage ' || stage || ' ' || (ended_at is not null) || ' ' || error || ' ' || counts from cycle_runs order by 1",
    "select 'task of ' || stage || ' ' || (ended_at is not null) || ' ' || counts from cycle_tasks order by 1",
    "select s.role || ' ' || s.status || ' ' || count(distinct s.id) || ' sessions ' || count(*) || ' steps' from agent_sessions s
       join session_steps p on p.session_id = s.id where s.owner_kind is not null group by s.role, s.status order by 1",
    "select (select count(*) from cycle_orders) || ' orders ' || (select count(*) from documents) || ' documents ' ||
            (select count(*) from claims) || ' claims'",
];
/// Beginnings of rows that show that every agent has worked.
const ROWS_OF_ALL_AGENTS: [&str; 8] = [
    "curiosity Fear of empty shops",
    "scout Threats against organisers",
    "ask Boycott of a company",
    "event Vigil on the quay",
    "give Law clinic",
    "Threats against organisers sprang from",
    "story of",
    "stage corroboration 1",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_cycle_of_tensions_survives_killed_processes() {
    let size = Size::given().unwrap_or(Size::SMALL);
    let (folders, deaths): (usize, usize) = if size == Size::SMALL { (1, 3) } else { (5, 4) };
    let site = Site::serve(pages()).await;
    let model = LoopbackModel::serve(site.address("")).await;
    let base = tempfile::tempdir().unwrap();
    let config = configuration(base.path(), site.port, model.port);
    prepare(base.path(), &config).await;

    let undisturbed = copy_of(base.path());
    let mut server = Server::logging(undisturbed.path(), &config);
    let whole = server.read_statements(MAX_STATEMENTS, ORDER_ENDS);
    assert!(whole < MAX_STATEMENTS, "the cycle does not end");
    let expected = final_state(undisturbed.path()).await;
    drop(server);
    for row in ROWS_OF_ALL_AGENTS {
        assert!(expected.iter().any(|found| found.starts_with(row)), "{row}: {expected:#?}");
    }
    let answers = model.take_count();
    println!("seed {}: {whole} statements and {answers} answers of the model", size.seed);

    let (mut chance, mut in_time) = (SeededRandom(size.seed), 0);
    for _ in 0..folders {
        let folder = copy_of(base.path());
        let (mut left, mut kills) = (whole, vec![]);
        for _ in 0..deaths {
            let most = 1 + chance.below(left as u64) as usize;
            let mut server = Server::logging(folder.path(), &config);
            in_time += usize::from(server.read_statements(most, ORDER_ENDS) == most);
            drop(server);
            left = left.saturating_sub(most).max(1);
            kills.push(most);
        }
        let server = Server::start(&mut serve(folder.path(), &config));
        let state = final_state(folder.path()).await;
        drop(server);
        let asked = model.take_count();
        println!("killed after {kills:?} statements: {asked} answers");
        assert_eq!(state, expected, "killed after {kills:?} of {whole} statements");
        // Of each killed process, the answer that was on its way is lost.
        assert!(asked <= answers + deaths, "{asked} answers instead of {answers}: a stored one was paid for again ({kills:?})");
    }
    println!("{in_time} of {} kills came before the end of the cycle", folders * deaths);
    assert!(in_time > 0, "no kill came before the end of the cycle");
}

/// Report of an event without strain.
pub const QUAY_REPORT: (&str, &str) = (
    "quay.txt",
    "PORT HALEN (Coast Gazette) -- The Harbour Authority opened a second quay in Port Halen on Monday, said director Jonas Vael.",
);

/// Fills a data folder by a question about reports, and adds the person ada.
pub fn fill(folder: &Path, question: &str, reports: &[(&str, &str)], role: &str) {
    let documents = folder.join("reports");
    fs::create_dir(&documents).unwrap();
    for (name, text) in reports {
        fs::write(documents.join(name), text).unwrap();
    }
    succeed(autosint(folder).args(["investigate", question, "--workers", "1", "--documents", "reports"]), "");
    add_user(autosint(folder), "ada", role);
}

/// Stores a tension, statements without one, and an order to run the cycle.
async fn prepare(folder: &Path, config: &Path) {
    fill(folder, "What strain do these reports state?", &REPORTS, "admin");
    let mut command = serve(folder, config);
    command.env("AUTOSINT__FEATURES__TENSIONS__CHECK_MS", "1000");
    command.env("AUTOSINT__FEATURES__TENSIONS__ORDER_CHECK_MS", "3600000");
    let mut server = Server::start(&mut command);
    let mut browser = Browser::new(server.address());
    let hot = "select title from tensions where cause_heat > 0";
    assert!(eventually(async || !rows(folder, hot).await.is_empty()).await, "no tension was found");
    browser.post("/sign-in", &[("username", "ada"), ("password", PASSWORD)]).await;
    assert_eq!(browser.post("/tensions/run", &[]).await.location(), "/tensions/runs");
}

/// Configuration of a server that searches and reads the site, and whose agents use the model.
fn configuration(folder: &Path, site: u16, model: u16) -> PathBuf {
    let text = format!(
        r#"
[server]
listen = "127.0.0.1:0"

[engine]
workers = 0
embedding_backfill = false

[engine.web]
sources = ["{SEARCH}"]

[models.features]
curiosity = "loopback:m"
response_scout = "loopback:m"
tension_story = "loopback:m"

[models.providers.loopback]
kind = "openai"
base_url = "http://127.0.0.1:{model}/v1"
structured = "schema"

[fetch.browser]
enabled = false

[fetch.rate_limit]
interval_ms = 0

[fetch.http]
exceptions = [
    {{ source = "web", host = "127.0.0.1", port = {site} }},
    {{ source = "{SEARCH}", host = "127.0.0.1", port = {site} }},
]

[[fetch.sources.searches]]
id = "{SEARCH}"
name = "Coast Search"
description = "Pages of the coast."
coverage = "In English."
address = "http://127.0.0.1:{site}/find?q={{words}}&n={{limit}}&page={{page}}"
page_size = 3
paging = "page"
hits = "data.items"
total = "data.count"
hit_address = "link"
hit_title = "head.line"

[features.tensions]
check_ms = 0
order_check_ms = 50
order_lease_ms = 500
situation_least = 1
curiosity_situations = 1
"#
    );
    let file = folder.join("cycle.toml");
    fs::write(&file, text).unwrap();
    file
}

fn pages() -> BTreeMap<String, Page> {
    let page = |title: &str, paragraphs: [&str; 2]| Page {
        title: title.into(),
        is_listed: true,
        body: paragraphs.map(|text| format!("<p>{text}</p>")).concat(),
    };
    let campaign = format!(
        "Do not buy from shops that ship with the company until it pays the dockers, asks the boycott campaign. {THREATS}"
    );
    let vigil =
        "A vigil for the dockers takes place on the second quay on the evening of 14 June, and all of the town may come.";
    let clinic =
        "The law clinic of Port Halen explains their rights to dockers and to all others who work in the port, free of charge.";
    let hours =
        "It is open every Tuesday from nine in the morning until noon, in the old customs house beside the harbour office.";
    BTreeMap::from([
        (CAMPAIGN.to_owned(), page("A boycott for the dockers", [campaign.as_str(), vigil])),
        (CLINIC.to_owned(), page("Law clinic for dockers", [clinic, hours])),
    ])
}

/// Model with chat completions. Its answer depends on the request alone, so that a repeated request gets the same one.
struct LoopbackModel {
    port: u16,
    requests: Arc<AtomicUsize>,
}

impl LoopbackModel {
    /// Starts the model; `site` is the address of the pages that it reads.
    async fn serve(site: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests: Arc<AtomicUsize> = Arc::default();
        let counted = requests.clone();
        let answer = move |Json(request): Json<Value>| {
            counted.fetch_add(1, Ordering::SeqCst);
            let completion = completion(&request, &site);
            async move { Json(completion) }
        };
        let router = Router::new().route("/v1/chat/completions", post(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { port, requests }
    }

    /// Returns the number of requests since the last call.
    fn take_count(&self) -> usize {
        self.requests.swap(0, Ordering::SeqCst)
    }
}

/// Returns the completion of a request: one search, two pages, then the structured answer.
fn completion(request: &Value, site: &str) -> Value {
    let results = request["messages"].as_array().into_iter().flatten().filter(|message| message["role"] == "tool").count();
    let call = |name: &str, arguments: Value| {
        let function = json!({"name": name, "arguments": arguments.to_string()});
        let calls = json!([{"id": format!("call_{results}"), "type": "function", "function": function}]);
        (json!({"role": "assistant", "content": "", "tool_calls": calls}), "tool_calls")
    };
    let text = |text: String| (json!({"role": "assistant", "content": text}), "stop");
    let (message, finish) = match (request["response_format"]["json_schema"]["name"].as_str(), results) {
        (Some(schema), _) => text(structured_answer(schema, site).to_string()),
        (None, 0) => call("web_search", json!({"query": "boycott clinic dockers"})),
        (None, 1) => call("read_page", json!({"url": format!("{site}{CAMPAIGN}")})),
        (None, 2) => call("read_page", json!({"url": format!("{site}{CLINIC}")})),
        (None, _) => text("Enough.".into()),
    };
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    })
}

fn structured_answer(schema: &str, site: &str) -> Value {
    let response = |kind: &str, title: &str, page: &str, date: Option<&str>| {
        json!({
            "kind": kind, "title": title, "summary": format!("{title}, in short."), "url": format!("{site}{page}"),
            "explanation": "It takes force from it.", "diffusion_mechanism": "leverage", "effect": "diffuses",
            "match_strength": 0.8, "event_date": date, "place": null, "also_addresses": [],
        })
    };
    let tension = |title: &str, theme: &str, quotes: Value| {
        json!({
            "title": title, "statement": format!("{title} is on the rise."), "theme": theme, "severity": "minor", "place": null,
            "claims": [1], "quotes": quotes,
        })
    };
    match schema {
        "strain_finding" => json!({"tensions": [tension("Fear of empty shops", "food", json!([]))]}),
        "response_finding" => json!({
            "responses": [
                response("ask", "Boycott of a company", CAMPAIGN, None),
                response("event", "Vigil on the quay", CAMPAIGN, Some("2099-06-14")),
                response("give", "Law clinic", CLINIC, None),
            ],
            "emergent_tensions": [tension(
                "Threats against organisers",
                "safety",
                json!([{"url": format!("{site}{CAMPAIGN}"), "quote": THREATS}]),
            )],
            "future_queries": ["wages of dockers in Tessin"],
        }),
        "tension_story" => json!({
            "what_happened": [{"text": "The port stands still.", "source": 1}],
            "what_feeds_it": [],
            "what_eases_it": [{"text": "A boycott takes away the money.", "source": 1}],
        }),
        other => panic!("no answer of the shape {other}"),
    }
}

/// Returns the command that serves a folder.
pub fn serve(folder: &Path, config: &Path) -> Command {
    let mut command = autosint(folder);
    command.args(["serve", "--config"]).arg(config).env("AUTOSINT__LOG__LEVEL", "warn");
    command
}

/// Process that serves; killed on drop.
pub struct Server {
    child: Child,
    lines: Lines<BufReader<ChildStderr>>,
}

impl Server {
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Starts a server that logs its statements, and waits until it serves.
    pub fn logging(folder: &Path, config: &Path) -> Self {
        let mut server = Self::start(serve(folder, config).env("AUTOSINT__LOG__LEVEL", "warn,sqlx::query=debug"));
        server.address();
        server
    }

    /// Waits until it serves.
    fn address(&mut self) -> SocketAddr {
        let mut lines = self.lines.by_ref().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix(SERVES)?.split(' ').next()?.parse().ok());
        address.expect("the server says where it serves")
    }

    /// Reads logged statements up to a number, or to one that begins with `end`; returns how many it read.
    pub fn read_statements(&mut self, most: usize, end: &str) -> usize {
        let lines = self.lines.by_ref().map_while(Result::ok);
        let statements = lines.filter(|line| line.contains("sqlx::query")).take(most);
        statements.take_while(|line| !line.contains(end)).count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }
}

/// Returns a new folder with the data of another one.
pub fn copy_of(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    let copied = Command::new("cp").arg("-R").arg(folder.join("data")).arg(copy.path()).status().unwrap();
    assert!(copied.success());
    copy
}

/// Waits for the end of the order, and returns the rows of `STATE`.
async fn final_state(folder: &Path) -> Vec<String> {
    let open = "select reason from cycle_orders where ended_at is null";
    let has_ended = eventually(async || rows(folder, open).await.is_empty()).await;
    assert!(has_ended, "the cycle does not end");
    let mut state = vec![];
    for sql in STATE {
        state.extend(rows(folder, sql).await);
    }
    state
}

pub async fn rows(folder: &Path, sql: &'static str) -> Vec<String> {
    let mut connection = database(folder).await;
    let rows = sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    rows
}
