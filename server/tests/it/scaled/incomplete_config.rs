//! Tests of incomplete configurations of services.

use crate::commands::{autosint, run};
use std::net::TcpListener;

#[test]
fn an_incomplete_set_of_services_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(autosint(folder.path()).arg("worker"), "");
    assert_eq!(ended.code, Some(78));
    assert!(ended.stderr.contains("a separate worker needs sql.url"), "{}", ended.stderr);
    let ended = run(autosint(folder.path()).arg("doctor").env("AUTOSINT__REDIS__URL", "redis://127.0.0.1:1"), "");
    assert_eq!(ended.code, Some(78));
    assert!(ended.stderr.contains("redis.url is set and sql.url is not"), "{}", ended.stderr);
}

/// Runs doctor against a missing PostgreSQL; returns its last line.
fn without_postgresql(port: u16) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut doctor = autosint(folder.path());
    doctor.arg("doctor").env("AUTOSINT__SQL__URL", format!("postgres://ada:secret@127.0.0.1:{port}/none"));
    doctor.env("AUTOSINT__GRAPH__NEO4J__URL", "bolt://127.0.0.1:1");
    let ended = run(doctor.env("AUTOSINT__SQL__ACQUIRE_TIMEOUT_MS", "1500"), "");
    assert_eq!(ended.code, Some(74), "{}", ended.stderr);
    assert!(!ended.stderr.contains("secret"), "{}", ended.stderr);
    let last = ended.stderr.lines().last().unwrap_or_default().to_owned();
    assert!(last.starts_with("autosint: cannot use") && last.contains("sql.url"), "{last}");
    last
}

#[test]
fn an_unreachable_postgresql_is_reported_with_the_reason() {
    let said = without_postgresql(1);
    assert!(said.to_lowercase().contains("connection refused"), "{said}");
    // Accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let said = without_postgresql(silent.local_addr().unwrap().port());
    assert!(said.contains("nobody there answered as PostgreSQL does"), "{said}");
}
