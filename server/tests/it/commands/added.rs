//! Tests of the commands that features add.

use super::{autosint, run};

#[test]
fn a_command_of_a_feature_is_in_the_help_and_runs_on_existing_data() {
    let folder = tempfile::tempdir().unwrap();
    let autosint = |arguments: &[&str], input: &str| run(autosint(folder.path()).args(arguments), input);
    let help = autosint(&["help"], "").stdout;
    let is_listed = |line: &str| line.trim().starts_with("watching ") && line.ends_with("Search for watched indicators");
    assert!(help.lines().any(is_listed), "{help}");
    for arguments in [["watching", "--help"], ["help", "watching"]] {
        let help = autosint(&arguments, "").stdout;
        assert!(help.contains("autosint watching search") && help.contains("Exit codes:"), "{help}");
    }
    let early = autosint(&["watching", "search"], "");
    assert!(early.code == Some(2) && early.stderr.contains("no data yet"), "{}", early.stderr);
    let password = "correct horse battery\n";
    autosint(&["user", "add", "ada", "--role", "admin", "--password-stdin"], password);
    let searched = autosint(&["watching", "search"], "");
    assert_eq!(
        (searched.code, searched.stdout.as_str()),
        (Some(0), "indicators searched: 0\nobjects compared: 0\n"),
        "{}",
        searched.stderr
    );
    assert_eq!(autosint(&["watching", "look"], "").code, Some(2));
}
