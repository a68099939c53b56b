//! Tests of log lines: JSON, with the id of their investigation.

use super::run;
use crate::prelude::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_about_an_investigation_carry_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let level = [("AUTOSINT__LOG__LEVEL", "info,engine=debug,fetch=debug,server=debug,adapters=debug")];
    let run = run::to_the_end(folder.path(), &level).await;
    let id = run.investigation.clone();
    let lines: Vec<Value> =
        run.stop().iter().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect();
    let has = |line: &&Value, message: &str| line["message"].as_str().is_some_and(|text| text.contains(message));
    for message in ["work order started", "model call failed", "work order ended", "investigation ended"] {
        let line = lines.iter().find(|line| has(line, message)).unwrap_or_else(|| panic!("no line '{message}': {lines:#?}"));
        assert_eq!(line["investigation_id"], *id, "{line}");
    }
    let ended = lines.iter().find(|line| has(line, "work order ended")).unwrap();
    assert!(ended["work_order_id"].is_string() && ended["status"] == "completed", "{ended}");
    // Lines about a work order name it and its session.
    let failed = lines.iter().find(|line| has(line, "model call failed")).unwrap();
    assert!(failed["session_id"].is_string() && failed["provider"] == "local", "{failed}");
    // All engine lines belong to the only investigation, except those of shared services.
    let unnamed: Vec<&Value> = lines
        .iter()
        .filter(|line| line["target"].as_str().is_some_and(|target| target.starts_with("engine")))
        .filter(|line| !line["target"].as_str().unwrap().starts_with("engine::embeddings"))
        .filter(|line| line["investigation_id"].is_null())
        .collect();
    assert!(unnamed.is_empty(), "{unnamed:#?}");
}
