//! Tests of the limit of unfinished investigations per person.

use crate::prelude::*;
use engine::{
    accounts,
    investigations::{self, InvestigationRequest, StartError},
};
use protocol::model::Model;

const REPORT: [(&str, &str); 1] =
    [("one.txt", "PORT HALEN, March 3, 2031 -- A fire destroyed the grain store on Monday night.")];

/// Model that never answers.
struct Silent;

#[async_trait]
impl Model for Silent {
    fn provider(&self) -> &'static str {
        "silent"
    }

    fn model(&self) -> &'static str {
        "silent-1"
    }

    async fn call(&self, _: &ModelRequest) -> Result<ModelReply, ModelError> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_person_has_so_many_unfinished_investigations_and_no_more() {
    let app = spawn_playing(Silent, Silent, |config| config.engine.max_open_investigations = 2).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    for _ in 0..2 {
        assert!(ada.ask("Who?", &REPORT).await.location().starts_with("/investigations/0"));
    }
    assert_eq!(ada.ask("Who?", &REPORT).await.location(), "/investigations/new?error=too_many_open&kept=1");
    assert_eq!(ada.post("/sample", &[]).await.location(), "/?error=too_many_open");
    let mut boss = app.signed_in("boss", Role::Admin).await;
    assert!(boss.ask("Who?", &REPORT).await.location().starts_with("/investigations/0"), "each has a limit of their own");

    // The command line takes the same way; the user `system` has no limit.
    let engine = &app.program.engine;
    let ada = engine.accounts.user_by_name("ada").await.unwrap().unwrap().0;
    let system = accounts::system_user(engine).await.unwrap();
    let shared = accounts::own_collection(engine, &system, CollectionKind::Shared, "Command line").await.unwrap();
    let uploads = accounts::upload_collection(engine, &ada).await.unwrap();
    let refused = investigations::start(engine, InvestigationRequest::new(&ada, "Who?", uploads.id), |_| {}).await;
    assert!(matches!(refused, Err(StartError::TooManyOpen { open: 2, max: 2 })), "{refused:?}");
    for _ in 0..3 {
        let request =
            InvestigationRequest { scope: uploads.id.into(), ..InvestigationRequest::new(&system, "Who?", shared.id) };
        investigations::start(engine, request, |_| {}).await.unwrap();
    }
}
