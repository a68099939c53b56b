//! `autosint replay`: what it says of a run that is recorded, and how it ends.

use super::{Ended, autosint, run};
use serde_json::Value;
use std::{fs, path::Path};

const REPORT: &str = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire at the \
                      grain store in Port Halen. The harbour master denied that the store had been guarded.";

/// Investigates one report and gives the assessment.
fn recorded(folder: &Path) -> Value {
    fs::write(folder.join("report.txt"), REPORT).unwrap();
    let arguments =
        ["investigate", "Who set the fire at the grain store of Port Halen?", "--documents", "report.txt", "--json"];
    let ended = run(autosint(folder).args(arguments), "");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap()
}

fn replay(folder: &Path, id: &Value, more: &[&str]) -> Ended {
    run(autosint(folder).args(["replay", id.as_str().unwrap()]).args(more), "")
}

#[test]
fn a_replay_says_that_it_is_identical_or_what_was_changed() {
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

#[test]
fn the_same_model_on_the_same_documents_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let assessment = recorded(folder.path());
    fs::remove_file(folder.path().join("report.txt")).unwrap();
    let rerun = replay(folder.path(), &assessment["investigation_id"], &["--provider", "extractive", "--json"]);
    assert_eq!(rerun.code, Some(0), "{}", rerun.stderr);
    let comparison: Value = serde_json::from_str(&rerun.stdout).unwrap();
    assert_eq!(comparison["recorded"], comparison["rerun"]);
    assert_eq!(comparison["citations_kept"].as_u64(), Some(assessment["citations"].as_array().unwrap().len() as u64));
    assert_eq!(comparison["citations_added"], Value::Array(vec![]));
    let unknown = replay(folder.path(), &"01890000-0000-7000-8000-000000000001".into(), &[]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.stderr);
}
