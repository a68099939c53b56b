//! Complete run of `autosint serve`: a model over HTTP that fails once, and a question with files for every parser.

use crate::{
    commands::{autosint, first_line, signal},
    prelude::*,
};
use scripted::{Fault, FaultKind, FaultPlan, Server};
use std::{io::Read, sync::mpsc, thread};

const KEY: &str = "sk-of-this-test";
const REPORT: &str = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire.";

/// Server after one finished question.
pub struct Run {
    child: Child,
    pub investigation: String,
    pub browser: Browser,
    /// Lines of standard error.
    lines: mpsc::Receiver<String>,
    _model: Server,
}

/// Starts a server with extra settings, asks, and waits for the end.
pub async fn to_the_end(folder: &Path, settings: &[(&str, &str)]) -> Run {
    let fails_once = Fault {
        at: vec![1],
        every: None,
        probability: None,
        from: None,
        until: None,
        role: None,
        kind: FaultKind::ServerError,
    };
    let plan = FaultPlan { faults: vec![fails_once], ..FaultPlan::default() };
    let model = Server::start(Options { plan, ..Options::default() }).await.unwrap();
    configure(folder, &model);
    let mut command = autosint(folder);
    command.envs(settings.iter().copied()).env("LOCAL_KEY", KEY).env("AUTOSINT__METRICS__ON_WEB", "true").args([
        "serve",
        "--listen",
        "127.0.0.1:0",
    ]);
    let (child, address, printed, lines) = start(command);
    let mut browser = Browser::new(address.parse().unwrap());
    browser.make_first_account("ada", &printed).await;
    let page = format!("<html><head><title>Fire</title></head><body><article><p>{REPORT}</p></article></body></html>");
    let files = [("report.txt", REPORT), ("page.html", &page), ("broken.pdf", "%PDF-1.4 no more")];
    let asked = browser.ask("Who was behind the fire?", &files).await.location().to_owned();
    let events = browser.get(&format!("/api/v1{asked}/events")).await.events();
    assert!(events.len() > 5, "{events:?}");
    let line = browser.get(&format!("/api/v1{asked}")).await.json();
    assert_eq!(line["status"], "completed", "{line}");
    let investigation = asked.rsplit('/').next().unwrap().to_owned();
    Run { child, investigation, browser, lines, _model: model }
}

impl Run {
    /// Stops the server with SIGTERM; returns its log.
    pub fn stop(mut self) -> Vec<String> {
        signal(&self.child, "-TERM");
        assert!(self.child.wait().unwrap().success());
        self.lines.iter().collect()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn configure(folder: &Path, model: &Server) {
    let text = format!(
        "[models]\nanalyst = \"local:scripted\"\nprocessor = \"local:scripted\"\n\
         [models.providers.local]\nkind = \"anthropic\"\nbase_url = \"{}\"\nkey_env = \"LOCAL_KEY\"\n\
         [models.prices.\"local:scripted\"]\ninput = 1.0\noutput = 2.0\ncurrency = \"USD\"\n\
         [budget.day]\ntokens = 100000000\nmoney = 1000.0\n\
         [embed]\nprovider = \"hashing\"\n",
        model.url()
    );
    std::fs::create_dir_all(folder.join("config")).unwrap();
    std::fs::write(folder.join("config/autosint.toml"), text).unwrap();
}

/// Returns the process, its address, the address of the first account, and its later output.
fn start(mut command: Command) -> (Child, String, String, mpsc::Receiver<String>) {
    // The configuration selects the embedder.
    command.env_remove("AUTOSINT__EMBED__PROVIDER");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (tell, lines) = mpsc::channel();
    let stderr: Box<dyn Read + Send> = Box::new(child.stderr.take().unwrap());
    thread::spawn(move || BufReader::new(stderr).lines().map_while(Result::ok).all(|line| tell.send(line).is_ok()));
    let address = lines.iter().find_map(|line| {
        let rest = line.strip_prefix("autosint serves http://")?;
        rest.split(' ').next().map(str::to_owned)
    });
    let address = address.expect("the server says where it serves");
    let printed = first_line(&mut child);
    (child, address, printed, lines)
}
