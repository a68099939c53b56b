//! The key of links: one for all processes, and never replaced without a word.

use super::{SCHEMAS, routes::admin, sending::Scene};
use crate::{
    links::LinkSigner,
    outbox::run_once,
    pages::{feeds, server, webhooks},
};
use adapters::sql::{MasterKey, SealedSecrets};
use engine::StoreError;
use feature::testing::TestSite;
use std::sync::Arc;

#[tokio::test]
async fn two_processes_that_make_the_first_key_use_the_same() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let site = TestSite::new(crate::feature(), &backend);
    let (first, second) = tokio::join!(LinkSigner::load(&site.web), LinkSigner::load(&site.web));
    let later = LinkSigner::load(&site.web).await.unwrap();
    for signer in [first.unwrap(), second.unwrap()] {
        assert_eq!(signer.sign("feed", &["a"]), later.sign("feed", &["a"]));
    }
    assert_eq!(site.web.secrets.names().await.unwrap().len(), 1, "the unused key is removed");
    backend.close().await;
}

#[tokio::test]
async fn another_master_key_is_refused_until_an_administrator_makes_a_new_link_key() {
    let scene = Scene::subscribed(25).await;
    let before = LinkSigner::load(&scene.site.web).await.unwrap();
    let mut web = scene.site.web.clone();
    let other = MasterKey::from_hex(&"6b".repeat(32)).unwrap();
    web.secrets = Arc::new(SealedSecrets::new(scene.backend.store.clone(), other));
    scene.backend.clock.forward_ms(3_600_000);
    assert!(matches!(run_once(&web).await, Err(StoreError::Invalid(_))), "the round that sends refuses");
    let problem = LinkSigner::find_problem(&web).await.unwrap().unwrap();
    assert!(problem.contains("Restore the master key") && problem.contains("make a new link key"), "{problem}");
    let kept = LinkSigner::load(&scene.site.web).await.unwrap();
    assert_eq!(kept.sign("feed", &["a"]), before.sign("feed", &["a"]), "the key is as before");

    let (ada, root) = (scene.site.signed_in(scene.ada).await, scene.site.signed_in(admin(&scene.backend).await).await);
    assert!(root.get(server::PAGE).await.text().contains("ends every feed address"));
    assert_eq!(ada.post(server::NEW_KEY, &[]).await.location(), "/delivery?error=not_allowed");
    assert_eq!(root.post(server::NEW_KEY, &[]).await.location(), server::PAGE);
    let after = LinkSigner::load(&scene.site.web).await.unwrap();
    assert_ne!(after.sign("feed", &["a"]), before.sign("feed", &["a"]));
    scene.backend.close().await;
}

#[test]
fn a_feed_a_webhook_the_server_and_its_key_ask_for_the_password() {
    assert_eq!(crate::feature().confirmed, [server::PAGE, server::NEW_KEY, feeds::PAGE, webhooks::PAGE]);
}
