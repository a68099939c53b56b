//! Tests of behaviour shared by all commands: global options, help, and closed pipes.

use super::{autosint, run, succeed};
use crate::prelude::*;

const REPORT: &str = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire.";
const QUESTION: &str = "Who was behind the fire?";

#[test]
fn the_data_directory_and_the_configuration_are_named_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("report.txt"), REPORT).unwrap();
    fs::write(folder.path().join("own.toml"), "").unwrap();
    let autosint = |arguments: &[&str]| run(autosint(folder.path()).args(arguments), "");
    let asked = autosint(&["investigate", "--data-dir", "kept", QUESTION, "--documents", "report.txt", "--json"]);
    assert_eq!(asked.code, Some(0), "{}", asked.stderr);
    let assessment: serde_json::Value = serde_json::from_str(&asked.stdout).unwrap();
    let id = assessment["id"].as_str().unwrap();
    let places: [&[&str]; 4] = [
        &["--data-dir", "kept", "--config", "own.toml", "export", "assessment", id],
        &["export", "--data-dir", "kept", "assessment", id, "--config", "own.toml"],
        &["export", "assessment", id, "--config", "own.toml", "--data-dir", "kept"],
        &["export", "assessment", "--data-dir=kept", id],
    ];
    for arguments in places {
        let ended = autosint(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), asked.stdout.as_str()), "{arguments:?}: {}", ended.stderr);
    }
    assert_eq!(autosint(&["user", "list", "--data-dir", "kept"]).code, Some(0));
    assert!(!folder.path().join("data").exists());
}

#[test]
fn the_help_of_a_command_has_an_example_and_the_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["help"][..], &["help", "investigate"], &["user", "add", "--help"], &["export", "document", "-h"]] {
        let help = succeed(autosint(folder.path()).args(arguments), "");
        for words in ["Example", "Exit codes:", "\n  78   ", "\n  130  ", "--data-dir <DIR>", "--config <FILE>"] {
            assert!(help.stdout.contains(words), "{arguments:?} lacks {words}: {}", help.stdout);
        }
    }
}

#[test]
fn a_closed_pipe_does_not_stop_a_command() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("report.txt"), REPORT).unwrap();
    let cases: [&[&str]; 4] = [
        &["investigate", QUESTION, "--documents", "report.txt"],
        &["investigate", "?"],
        &["user", "list"],
        &["help", "investigate"],
    ];
    for (arguments, code) in cases.into_iter().zip([0, 2, 0, 0]) {
        let mut child = autosint(folder.path()).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        assert_eq!(child.wait().unwrap().code(), Some(code), "{arguments:?}");
    }
    let kept = run(autosint(folder.path()).args(["investigate", QUESTION, "--json"]), "");
    assert!(kept.stdout.contains("Red Tide"), "what was under way was carried to its end: {}", kept.stderr);
}
