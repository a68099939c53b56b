//! Half of an installation.

use crate::commands::{autosint, run};

#[test]
fn half_of_the_services_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(autosint(folder.path()).arg("worker"), "");
    assert_eq!(ended.code, Some(78));
    assert!(ended.stderr.contains("a worker of its own needs sql.url"), "{}", ended.stderr);
    let ended = run(autosint(folder.path()).arg("doctor").env("AUTOSINT__REDIS__URL", "redis://127.0.0.1:1"), "");
    assert_eq!(ended.code, Some(78));
    assert!(ended.stderr.contains("redis.url is set and sql.url is not"), "{}", ended.stderr);
    let unreachable = ("AUTOSINT__SQL__URL", "postgres://ada:secret@127.0.0.1:1/none");
    let ended = run(autosint(folder.path()).arg("doctor").env(unreachable.0, unreachable.1), "");
    assert!(ended.code == Some(78) || ended.code == Some(74), "{:?}", ended.code);
    assert!(!ended.stderr.contains("secret"), "{}", ended.stderr);
}

#[test]
fn nothing_is_measured_on_services_that_are_not_named() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["bench", "--at-once", "1", "--on-services", "--model-server", "http://127.0.0.1:1"];
    let ended = run(autosint(folder.path()).args(arguments), "");
    assert_eq!(ended.code, Some(78), "{}", ended.stderr);
    assert!(ended.stderr.contains("--on-services needs sql.url"), "{}", ended.stderr);
}
