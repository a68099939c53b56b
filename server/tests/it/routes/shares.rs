//! Tests of public links with what other features offer to their readers.

use crate::{
    commands::{autosint, succeed},
    prelude::*,
};

#[tokio::test]
async fn a_reader_of_a_link_downloads_a_bundle_that_verifies_itself() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let address = ada.ask(QUESTION, &[("inbox-7.txt", POLICE_REPORT.1)]).await.location().to_owned();
    ada.get(&format!("/api/v1{address}/events")).await;
    let report = ada.get(&format!("/api/v1{address}")).await.json()["assessment_id"].as_str().unwrap().to_owned();
    let mut bundles = vec![];
    for quotes in ["1", ""] {
        let (kind, object) = (("kind", "assessment"), ("object", report.as_str()));
        let fields = [kind, object, ("quotes", quotes), ("bundle", "1"), ("days", "30")];
        let made = ada.post("/shares", &fields).await.location().to_owned();
        let token = made.strip_prefix("/shares?link=").expect("a token");
        let mut stranger = ada.stranger();
        let page = stranger.get(&format!("/s/{token}")).await.text();
        assert_eq!(page.contains(&format!("/s/{token}/bundle.html")), quotes == "1", "{page}");
        bundles.push(stranger.get(&format!("/s/{token}/bundle.html")).await);
    }
    let [bundle, refused] = [&bundles[0], &bundles[1]];
    assert_eq!((bundle.status, refused.status), (200, 404));
    let file = bundle.text();
    for hidden in [report.as_str(), address.trim_start_matches("/investigations/"), "inbox-7"] {
        assert!(!file.contains(hidden), "{hidden}: {file}");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("report.html"), &file).unwrap();
    let verified = succeed(autosint(folder.path()).args(["verify", "report.html"]), "");
    assert!(verified.stdout.contains("parts: unchanged"), "{}", verified.stdout);
    let log = app.program.engine.accounts.audit_log(20).await.unwrap();
    let shared = log.iter().filter(|entry| entry.act == "share_link").count();
    assert_eq!(shared, 2, "{log:?}");
}
