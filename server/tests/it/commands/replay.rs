//! Tests of `autosint replay`: output and exit codes.

use super::{CommandOutput, autosint, run, succeed};
use crate::prelude::*;
use domain::budget::BudgetLevel;
use engine::{
    accounts,
    budget::{LevelUsage, day_keys},
};
use scripted::Server;

const REPORT: &str = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire at the \
                      grain store in Port Halen. The harbour master denied that the store had been guarded.";

/// Investigates one report; returns the assessment.
fn recorded(folder: &Path) -> Value {
    fs::write(folder.join("report.txt"), REPORT).unwrap();
    let arguments =
        ["investigate", "Who set the fire at the grain store of Port Halen?", "--documents", "report.txt", "--json"];
    let ended = succeed(autosint(folder).args(arguments), "");
    serde_json::from_str(&ended.stdout).unwrap()
}

fn replay(folder: &Path, id: &Value, more: &[&str]) -> CommandOutput {
    run(autosint(folder).env("LOCAL_KEY", "sk-of-this-test").args(["replay", id.as_str().unwrap()]).args(more), "")
}

#[test]
fn a_replay_is_identical_or_reports_the_change() {
    let folder = tempfile::tempdir().unwrap();
    let assessment = recorded(folder.path());
    for id in [&assessment["investigation_id"], &assessment["id"]] {
        let same = replay(folder.path(), id, &[]);
        assert_eq!(same.code, Some(0), "{}", same.stdout);
        assert!(same.stdout.contains("Identical: 3 sessions"), "{}", same.stdout);
    }
    let own = folder.path().join("own");
    fs::create_dir_all(own.join("prompts")).unwrap();
    fs::write(own.join("autosint.toml"), "").unwrap();
    fs::write(own.join("prompts/extractor.md"), "Read.").unwrap();
    let id = assessment["investigation_id"].as_str().unwrap();
    let changed = run(autosint(folder.path()).args(["--config", "own/autosint.toml", "replay", id, "--json"]), "");
    assert_eq!(changed.code, Some(5), "{}", changed.stderr);
    let report: Value = serde_json::from_str(&changed.stdout).unwrap();
    let processor = report["sessions"].as_array().unwrap().iter().find(|session| session["role"] == "processor").unwrap();
    let reason = &processor["difference"]["reasons"][0];
    assert_eq!((&reason["changed"], &reason["name"]), (&"prompt".into(), &"extract".into()), "{reason}");
}

/// Returns today's usage by user from the ledger.
async fn used_today(folder: &Path) -> Vec<LevelUsage> {
    let program = open_folder(folder).await;
    let system = accounts::system_user(&program.engine).await.unwrap();
    let mut used = vec![];
    for (level, key) in [BudgetLevel::Day, BudgetLevel::User].into_iter().zip(day_keys(program.engine.clock.now(), system.id)) {
        used.push(program.engine.ledger.used(level, &key).await.unwrap());
    }
    program.store.close().await;
    used
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rerun_is_billed_to_the_owner() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start(Options::default()).await.unwrap());
    let assessment = tokio::task::block_in_place(|| recorded(folder.path()));
    assert_eq!(used_today(folder.path()).await, [LevelUsage::default(); 2], "the built-in provider uses none");
    fs::create_dir_all(folder.path().join("config")).unwrap();
    let configure = |budget: &str| {
        let text = format!(
            "[models.providers.local]\nkind = \"openai\"\nbase_url = \"{}/v1\"\nkey_env = \"LOCAL_KEY\"\n\
             [models.prices.\"local:scripted\"]\ninput = 1.0\noutput = 2.0\ncurrency = \"USD\"\n{budget}",
            server.url()
        );
        fs::write(folder.path().join("config/autosint.toml"), text).unwrap();
    };
    let with_local = || {
        let more = ["--provider", "local", "--model", "scripted", "--json"];
        tokio::task::block_in_place(|| replay(folder.path(), &assessment["investigation_id"], &more))
    };
    configure("");
    let rerun = with_local();
    assert_eq!(rerun.code, Some(0), "{}", rerun.stderr);
    let used = used_today(folder.path()).await;
    assert!(used[0].tokens > 1_000 && used[0].micros > 1_000, "{used:?}");
    assert_eq!(used[0], used[1], "all of it is that person's");
    // The budget is exhausted, so no further call is made.
    let asked = server.log().requests;
    configure(&format!("[budget.user]\ntokens = {}\n", used[1].tokens));
    let refused = with_local();
    assert_ne!(refused.code, Some(0), "{}", refused.stdout);
    assert_eq!(server.log().requests, asked, "{}", refused.stderr);
    assert_eq!(used_today(folder.path()).await, used);
}

#[test]
fn the_same_model_gives_the_same_assessment_of_the_same_documents() {
    let folder = tempfile::tempdir().unwrap();
    let assessment = recorded(folder.path());
    fs::remove_file(folder.path().join("report.txt")).unwrap();
    let rerun = replay(folder.path(), &assessment["investigation_id"], &["--provider", "extractive", "--json"]);
    assert_eq!(rerun.code, Some(0), "{}", rerun.stderr);
    let comparison: Value = serde_json::from_str(&rerun.stdout).unwrap();
    assert_eq!(comparison["earlier"], comparison["later"]);
    assert_eq!(comparison["citations_kept"].as_u64(), Some(assessment["citations"].as_array().unwrap().len() as u64));
    assert_eq!(comparison["citations_added"], Value::Array(vec![]));
    let unknown = replay(folder.path(), &"01890000-0000-7000-8000-000000000001".into(), &[]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.stderr);
}
