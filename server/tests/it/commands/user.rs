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
        ("bob", "reader", "short", "use at least 10 characters"),
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
