//! Tests of configuration errors: one line, before anything is opened.

use super::{autosint, run};
use crate::prelude::*;

#[test]
fn an_unknown_key_is_named_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("config")).unwrap();
    fs::write(folder.path().join("config/autosint.toml"), "[server]\nlisen = \"127.0.0.1:1\"\n").unwrap();
    let ended = run(autosint(folder.path()).args(["serve"]), "");
    assert_eq!(ended.code, Some(78));
    let (named, known) = ended.stderr.split_once("; known there: ").unwrap();
    assert!(named.starts_with("autosint: configuration: unknown key 'server.lisen' in "), "{named}");
    assert!(named.ends_with("config/autosint.toml (did you mean 'listen'?)"), "{named}");
    assert!(known.contains("listen, data_dir"), "{known}");
    assert_eq!(ended.stderr.lines().count(), 1);
    assert!(!folder.path().join("data").exists());
}

#[test]
fn the_environment_is_checked_too() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(autosint(folder.path()).env("AUTOSINT__ENGINE__MAX_CYCLES", "0").args(["doctor"]), "");
    assert_eq!(
        (ended.code, ended.stderr.as_str()),
        (Some(78), "autosint: configuration: engine.max_cycles is 0; it must be at least 1\n")
    );
    let ended = run(autosint(folder.path()).env("AUTOSINT__ENGINE__MAX_CICLES", "1").args(["doctor"]), "");
    assert_eq!(ended.code, Some(78));
    assert!(ended.stderr.contains("'engine.max_cicles' in the environment (AUTOSINT__ENGINE__MAX_CICLES)"), "{}", ended.stderr);
}

#[test]
fn a_variable_may_be_given_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let doctor = |name: &str, path: &std::path::Path| run(autosint(folder.path()).arg("doctor").env(name, path), "");
    let told = doctor("AUTOSINT__FETCH__CONTACT_FILE", &file("contact", "desk@osint.example\n"));
    assert!(told.stdout.contains("desk@osint.example, sent with every request"), "{} {}", told.stdout, told.stderr);
    let ended = doctor("AUTOSINT__ENGINE__MAX_CYCLES_FILE", &file("cycles", "0"));
    assert!(ended.stderr.contains("engine.max_cycles is 0"), "{}", ended.stderr);
    let ended = doctor("AUTOSINT_SECRET_KEY_FILE", &file("key", "short"));
    assert!(ended.code == Some(78) && ended.stderr.contains("64 hexadecimal digits"), "{}", ended.stderr);
    for name in ["AUTOSINT__SQL__URL_FILE", "AUTOSINT_SECRET_KEY_FILE"] {
        let ended = doctor(name, &folder.path().join("missing"));
        assert_eq!((ended.code, ended.stderr.lines().count()), (Some(78), 1), "{}", ended.stderr);
        assert!(ended.stderr.contains(&format!("{name} names ")), "{}", ended.stderr);
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(autosint(folder.path()).args(["--config", "nowhere.toml", "doctor"]), "");
    assert_eq!(ended.code, Some(78));
    assert!(ended.stderr.contains("configuration file nowhere.toml not found"), "{}", ended.stderr);
}
