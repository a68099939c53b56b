//! Tests of `autosint list`, and of unfinished investigations in `doctor`.

use super::{autosint, run, succeed};
use crate::prelude::*;

#[test]
fn investigations_are_listed_with_their_status() {
    let folder = tempfile::tempdir().unwrap();
    let said = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group set the fire at the grain store \
        in Port Halen.";
    fs::write(folder.path().join("one.txt"), said).unwrap();
    let list = |more: &[&str]| run(autosint(folder.path()).arg("list").args(more), "");
    let early = list(&[]);
    assert!(early.code == Some(2) && early.stderr.contains("no data yet"), "{}", early.stderr);
    assert!(!folder.path().join("data").exists(), "what only reads makes nothing");
    let asked = ["investigate", QUESTION, "--documents", "one.txt", "--provider", "extractive", "--json"];
    let ended = succeed(autosint(folder.path()).args(asked), "");
    let assessment: Value = serde_json::from_str(&ended.stdout).unwrap();
    let (id, listed) = (assessment["investigation_id"].as_str().unwrap(), list(&[]));
    assert_eq!(listed.stdout, format!("{id}\tcompleted\tjust now\t{QUESTION}\n"), "{}", listed.stderr);
    let lines: Value = serde_json::from_str(&list(&["--json"]).stdout).unwrap();
    assert_eq!(lines[0]["assessment_id"], assessment["id"]);
    assert_eq!((&lines[0]["status"], &lines[0]["question"]), (&"completed".into(), &QUESTION.into()));
    assert_eq!(list(&["--unfinished"]).stdout, "");

    // A model without its key suspends the investigation.
    let keyless = ["investigate", QUESTION, "--provider", "anthropic:m"];
    let kept = run(autosint(folder.path()).args(keyless), "");
    assert_eq!(kept.code, Some(78), "{}", kept.stderr);
    let waiting: Value = serde_json::from_str(&list(&["--unfinished", "--json"]).stdout).unwrap();
    assert_eq!(waiting[0]["model"], "anthropic:m", "it waits for the model that it named");
    let unfinished = list(&["--unfinished"]).stdout;
    assert!(unfinished.contains("\tsuspended\t") && unfinished.lines().count() == 1, "{unfinished}");
    let doctor = run(autosint(folder.path()).arg("doctor"), "").stdout;
    let open = unfinished.split_once('\t').unwrap().0;
    assert!(doctor.contains("ok  unfinished      1: ") && doctor.contains(open), "{doctor}");
}

#[test]
fn the_doctor_creates_no_data() {
    let folder = tempfile::tempdir().unwrap();
    let doctor = |place: &str| run(autosint(folder.path()).args(["doctor", "--data-dir", place]), "");
    let ended = doctor("nowhere/data");
    assert!(ended.stdout.contains("ok  data directory  nowhere/data does not exist yet"), "{}{}", ended.stdout, ended.stderr);
    fs::create_dir(folder.path().join("empty")).unwrap();
    let ended = doctor("empty");
    assert!(ended.stdout.contains("ok  data directory  empty contains no database yet"), "{}{}", ended.stdout, ended.stderr);
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["empty"]);
    assert_eq!(fs::read_dir(folder.path().join("empty")).unwrap().count(), 0);
    fs::write(folder.path().join("file"), "").unwrap();
    let ended = doctor("file/data");
    assert_eq!(ended.code, Some(74), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("cannot use the data directory"), "{}", ended.stderr);
}
