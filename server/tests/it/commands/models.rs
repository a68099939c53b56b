//! Tests of models over HTTP on the command line: the sample over both protocols, doctor, and invalid names.

use super::{CommandOutput, autosint, run};
use crate::prelude::*;
use scripted::{FaultKind, FaultPlan, RequestLog, Server};
use std::collections::HashMap;

const QUESTION: &str = "Who was behind the explosion at the Varrow Lock?";
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../config/samples/varrow-lock/documents");
const KEY: &str = "sk-of-this-test";

/// Writes a configuration that uses the model server for all roles.
fn configure(folder: &Path, server: &Server, wire: &str) {
    let base = if wire == "anthropic" { server.url() } else { format!("{}/v1", server.url()) };
    let text = format!(
        "[models]\nanalyst = \"local:scripted\"\nprocessor = [\"local:scripted\"]\n\
         [models.providers.local]\nkind = \"{wire}\"\nbase_url = \"{base}\"\nkey_env = \"LOCAL_KEY\"\n\
         [models.prices.\"local:scripted\"]\ninput = 1.0\noutput = 2.0\ncurrency = \"USD\"\n"
    );
    fs::create_dir_all(folder.join("config")).unwrap();
    fs::write(folder.join("config/autosint.toml"), text).unwrap();
}

fn investigate(folder: &Path, more: &[&str]) -> CommandOutput {
    let mut command = autosint(folder);
    command.env("LOCAL_KEY", KEY).args(["investigate", QUESTION, "--documents", SAMPLE, "--json"]).args(more);
    tokio::task::block_in_place(|| run(&mut command, ""))
}

/// Returns the assessment without run-specific values, producer and cost.
fn comparable(ended: &CommandOutput) -> String {
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let mut assessment: Value = serde_json::from_str(&ended.stdout).unwrap();
    for key in ["producer", "cost", "created_at"] {
        assessment.as_object_mut().unwrap().remove(key);
    }
    number_ids(&mut assessment, &mut HashMap::new());
    serde_json::to_string_pretty(&assessment).unwrap()
}

/// Replaces ids by numbers in order of appearance.
fn number_ids(value: &mut Value, seen: &mut HashMap<String, usize>) {
    match value {
        Value::String(text) if uuid::Uuid::parse_str(text).is_ok() => {
            let next = seen.len();
            *text = format!("id {}", seen.entry(text.clone()).or_insert(next));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| number_ids(value, seen)),
        Value::Object(fields) => fields.values_mut().for_each(|value| number_ids(value, seen)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sample_gives_one_assessment_over_each_wire() {
    let mut first: Option<String> = None;
    for wire in ["anthropic", "openai"] {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(Options::default()).await.unwrap();
        configure(folder.path(), &server, wire);
        let ended = investigate(folder.path(), &[]);
        let found = comparable(&ended);
        let expected = first.get_or_insert_with(|| found.clone());
        for (n, (a, b)) in expected.lines().zip(found.lines()).enumerate() {
            assert_eq!(a, b, "{wire}, line {n}");
        }
        assert_eq!(expected.lines().count(), found.lines().count(), "{wire}");
        let assessment: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(
            (&assessment["producer"]["provider"], &assessment["producer"]["model"]),
            (&"local".into(), &"scripted".into())
        );
        assert!(
            assessment["cost"]["tokens_in"].as_u64() > Some(1000) && assessment["cost"]["amount"].as_f64() > Some(0.01),
            "{}",
            assessment["cost"]
        );
        let RequestLog { requests, entries, .. } = server.log();
        let refused: Vec<_> = entries.iter().filter(|entry| entry.refused.is_some()).collect();
        assert!(refused.is_empty(), "{wire}: {refused:?}");
        println!("{wire}: {requests} calls, cost {}", assessment["cost"]);
        assert!(!ended.stderr.contains(KEY));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_doctor_tries_models_out() {
    let server = Server::start(Options::default()).await.unwrap();
    for wire in ["anthropic", "openai"] {
        let folder = tempfile::tempdir().unwrap();
        configure(folder.path(), &server, wire);
        let doctor = |more: &[&str], key: &str, plan: FaultPlan| {
            server.follow(plan);
            let mut command = autosint(folder.path());
            command.env("LOCAL_KEY", key).arg("doctor").args(more);
            tokio::task::block_in_place(|| run(&mut command, ""))
        };
        let without = doctor(&[], "", FaultPlan::default());
        assert_eq!(without.code, Some(1));
        assert!(without.stdout.contains("no key for local: set LOCAL_KEY"), "{}", without.stdout);
        let line = |ended: &CommandOutput| {
            ended.stdout.lines().find(|line| line.contains("local:scripted (")).unwrap_or_default().to_owned()
        };
        let good = line(&doctor(&["--probe"], KEY, FaultPlan::default()));
        assert!(good.starts_with("ok ") && good.contains("analyst, processor"), "{good}");
        assert!(good.contains("structured answers, tools, streams, 200000 tokens of context"), "{good}");
        // The probes above were billed to the command line, so its own cap can be below the amount used.
        let cap = |more: &[&str]| run(autosint(folder.path()).args(["user", "cap", "system"]).args(more), "").stdout;
        assert_eq!(cap(&["--tokens", "10"]), "system may use 10 tokens a day\n");
        let capped = line(&doctor(&["--probe"], KEY, FaultPlan::default()));
        assert!(capped.starts_with("BAD") && capped.contains("not probed: this user's daily budget is used up"), "{capped}");
        let refused = investigate(folder.path(), &[]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        let told = refused.stderr.lines().last().unwrap_or_default();
        assert!(
            told.contains("the investigation was not started") && told.contains("of 10 tokens spent or reserved"),
            "{told}"
        );
        assert!(told.contains("raise budget.user.tokens or the user's own cap (autosint user cap)"), "{told}");
        assert_eq!(cap(&[]), "system may use the amount of budget.user a day\n");
        let plan = FaultPlan::single(FaultKind::Hostile { text: "No.".into() });
        let poor = doctor(&["--probe"], KEY, plan);
        assert_eq!(poor.code, Some(1));
        assert!(line(&poor).starts_with("BAD") && line(&poor).contains("no session can run on it"), "{}", poor.stdout);
        assert!(!poor.stdout.contains(KEY) && !poor.stderr.contains(KEY));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_key_is_reported_at_once_and_used_once_it_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Options::default()).await.unwrap();
    configure(folder.path(), &server, "openai");
    let ask = |key: &str| {
        let mut command = autosint(folder.path());
        command.env("LOCAL_KEY", key).args(["investigate", QUESTION, "--documents", SAMPLE, "--json"]);
        tokio::task::block_in_place(|| run(&mut command, ""))
    };
    for _ in 0..2 {
        let without = ask("");
        assert_eq!((without.code, without.stdout.as_str()), (Some(78), ""), "{}", without.stderr);
        assert!(without.stderr.contains("the investigation needs your action: "), "{}", without.stderr);
        assert!(without.stderr.contains("set LOCAL_KEY"), "{}", without.stderr);
        assert!(
            without.stderr.contains("is kept: fix the problem, and it resumes with the next `autosint serve`"),
            "{}",
            without.stderr
        );
    }
    assert_eq!(server.log().requests, 0);
    let with = ask(KEY);
    assert_eq!(with.code, Some(0), "{}", with.stderr);
    assert!(!with.stderr.contains("suspended"), "{}", with.stderr);
}

#[test]
fn a_model_that_is_down_is_waited_for_with_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let config = "[models]\nanalyst = \"house:m\"\n[models.providers.house]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\n\
        [reliability.model]\nmax_attempts = 1\n[reliability.breaker]\nfailure_threshold = 1\ncooldown_ms = 60000\n\
        [engine]\nmax_suspended_ms = 500\n";
    fs::write(folder.path().join("down.toml"), config).unwrap();
    let arguments = ["investigate", QUESTION, "--documents", SAMPLE, "--config", "down.toml"];
    let ended = run(autosint(folder.path()).args(arguments), "");
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    let line = ended.stderr.lines().find(|line| line.contains("waiting for house m: next attempt in 60 s, at "));
    assert!(line.is_some_and(|line| line.ends_with(" UTC")), "{}", ended.stderr);
}

#[test]
fn an_unknown_provider_stops_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(autosint(folder.path()).env("AUTOSINT__MODELS__ANALYST", "oracle:delphi").arg("doctor"), "");
    assert_eq!(ended.code, Some(78));
    assert!(ended.stderr.contains("models.analyst: there is no provider 'oracle'; known: anthropic, "), "{}", ended.stderr);
    assert!(!folder.path().join("data").exists());
}
