//! Tests of `autosint user`.

use super::{autosint, run};

#[test]
fn people_are_added_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let add = |name: &str, role: &str, password: &str| {
        run(autosint(folder.path()).args(["user", "add", name, "--role", role, "--password-stdin"]), password)
    };
    let ended = add("ada", "analyst", "correct horse battery\n");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "added ada as analyst\n"), "{}", ended.stderr);
    for (name, role, password, message) in [
        ("Ada", "reader", "correct horse battery", "user name already taken"),
        ("bob", "reader", "short", "use at least 12 characters"),
        ("bob", "reader", "letmein123456", "among the first to be guessed"),
        ("b\u{202e}ob", "reader", "correct horse battery", "visible characters"),
        ("bob", "king", "correct horse battery", "one of: reader, analyst, admin"),
    ] {
        let ended = add(name, role, password);
        assert_eq!(ended.code, Some(2));
        assert!(ended.stderr.contains(message), "{}", ended.stderr);
    }
    let listed = run(autosint(folder.path()).args(["user", "list"]), "").stdout;
    assert!(listed.starts_with("ada\tanalyst\t"), "{listed}");
    assert_eq!(listed.lines().count(), 1);
}

#[test]
fn a_password_never_comes_as_an_argument() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(autosint(folder.path()).args(["user", "add", "ada", "--role", "reader"]), "");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("--password-stdin"), "{}", ended.stderr);
}

#[test]
fn a_password_is_set_by_the_operator_and_the_log_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let autosint = |arguments: &[&str], input: &str| run(autosint(folder.path()).args(arguments), input);
    autosint(&["user", "add", "ada", "--role", "analyst", "--password-stdin"], "correct horse battery\n");
    let set = |name: &str, password: &str| autosint(&["user", "password", name, "--password-stdin", "--must-change"], password);
    let ended = set("Ada", "a heron over the weir\n");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.starts_with("set the password of ada"), "{}", ended.stdout);
    assert!(autosint(&["user", "list"], "").stdout.contains("must change the password"));
    for (name, password, message) in [
        ("bob", "a heron over the weir", "user 'bob' not found"),
        ("system", "a heron over the weir", "not found"),
        ("ada", "short", "use at least 12 characters"),
    ] {
        let ended = set(name, password);
        assert!(ended.code == Some(2) && ended.stderr.contains(message), "{}", ended.stderr);
    }
    let tar = autosint(&["backup", "kept.tar"], "");
    assert_eq!(tar.code, Some(0), "{}", tar.stderr);
    let restored = autosint(&["restore", "kept.tar", "--data-dir", "new"], "");
    assert_eq!(restored.code, Some(0), "{}", restored.stderr);
    let acts = |place: &str, arguments: &[&str]| {
        let printed = autosint(&[&["audit", "--data-dir", place], arguments].concat(), "").stdout;
        printed.lines().map(|line| line.split('\t').nth(2).unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(acts("data", &[]), ["backup", "reset_password", "create_account"]);
    assert_eq!(acts("new", &["--limit", "2"]), ["restore", "reset_password"]);
    let json: serde_json::Value = serde_json::from_str(&autosint(&["audit", "--json"], "").stdout).unwrap();
    assert_eq!((json[2]["actor"].as_str(), json[2]["object"].as_str()), (Some("ada"), Some("ada as analyst")));
    assert_eq!(autosint(&["user", "list", "--data-dir", "new"], "").stdout.matches("must change").count(), 1);
}
