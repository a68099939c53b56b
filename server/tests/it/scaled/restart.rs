//! Test of a database restart during a request.

use super::{REPORTS, Services, backend, ended, stands};
use crate::{
    prelude::*,
    service::{self, Kind, Service},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_database_restart_is_transparent() {
    if backend("AUTOSINT_TEST_POSTGRES").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    service::open_to_all(folder.path());
    let mut postgres = Service::start(Kind::Postgres, folder.path());
    postgres.wait();
    let Some(services) = Services::on(&format!("postgres://autosint@127.0.0.1:{}", postgres.port)).await else { return };
    services.add_user("ada");
    let (web, _worker) = (services.serve("web"), services.worker("work"));
    let mut ada = web.signed_in("ada").await;
    let address = ada.ask(QUESTION, &REPORTS).await.location().to_owned();
    stands(&mut ada, &address, |status| status != "pending").await;
    postgres.kill();
    let is_noticed = eventually(async || ada.get("/readyz").await.status != 200).await;
    assert!(is_noticed, "the server says that its database is away");
    postgres.start_again();
    let line = ended(&mut ada, &address).await;
    assert_eq!(line["status"], "completed", "{line}");
    assert_eq!(ada.get("/").await.status, 200, "who was signed in still is");
}
