//! Suite of the tables, on every backend.

mod feeds;
mod keys;
mod markup;
mod routes;
mod sending;
mod webhooks;

use crate::{
    mail::{FeedId, LinkKeyId, Mail, MailId, MailKind, MailProblem, MailState, TopicAnswer, WebhookId},
    mail_server::{Encryption, MailServer},
    schedule::Frequency,
    store::{DeliveryStore, Outlet, SCHEMA},
    subscription::MailChoice,
    webhook::{Webhook, WebhookFormat},
};
use domain::{Timestamp, UserId};
use feature::{NotificationAnswer, Schema};
use testkit::{TestBackend, assert_no_other_person_reads, assert_rows_go_with_their_objects, assert_transfer, id};

static SCHEMAS: [&Schema; 1] = [&SCHEMA];

testkit::on_every_backend! { crate::tests::SCHEMAS;
    everything_survives_a_transfer
    no_row_is_read_by_another_person
    rows_go_with_their_person
    another_address_has_to_be_confirmed
    the_first_key_of_links_stays_until_it_is_replaced
    a_digest_is_planned_once_and_claimed_once
    old_mails_are_removed_and_waiting_ones_kept
}

fn store(backend: &TestBackend) -> DeliveryStore {
    DeliveryStore::from(backend.store.clone())
}

fn mail_server(port: u16) -> MailServer {
    MailServer {
        site: "https://osint.example".into(),
        host: "127.0.0.1".into(),
        port,
        encryption: Encryption::Plain,
        username: String::new(),
        sender: "osint@mail.example".into(),
        sender_name: "AutOSINT".into(),
    }
}

fn choice(address: &str) -> MailChoice {
    let mut choice = MailChoice { address: address.into(), ..MailChoice::default() };
    (choice.schedule.frequency, choice.schedule.quiet) = (Frequency::Immediate, (0, 0));
    choice
}

/// Stores a confirmed subscription.
async fn subscribe(store: &DeliveryStore, user: UserId, now: Timestamp) {
    store.put_choice(user, &choice("ada@mail.example"), now, None).await.unwrap();
    assert!(store.confirm(user, "ada@mail.example", now).await.unwrap());
}

fn digest(user: UserId, since: Timestamp, until: Timestamp) -> Mail {
    Mail::new(MailId(id()), user, MailKind::Digest, "ada@mail.example".into(), since, until, until)
}

async fn everything_survives_a_transfer(backend: &TestBackend) {
    let (store, ada, now) = (store(backend), backend.user("ada").await, backend.now());
    store.put_server(&mail_server(25)).await.unwrap();
    assert!(store.add_link_key(LinkKeyId(id())).await.unwrap());
    subscribe(&store, ada, now).await;
    store.add_digest(&digest(ada, now, now.plus_ms(1))).await.unwrap();
    let answer = TopicAnswer { topic: "gate".into(), answer: NotificationAnswer::Mute, at: now, until: Some(now.plus_ms(5)) };
    store.put_answer(ada, &answer).await.unwrap();
    store.put_feed(ada, FeedId(id()), now).await.unwrap();
    let (format, is_paused, covered_at) = (WebhookFormat::Teams, true, now);
    let webhook =
        Webhook { id: WebhookId(id()), user: ada, address: "https://hooks.example".into(), format, is_paused, covered_at };
    assert!(store.put_webhook(&webhook, 1).await.unwrap());
    assert_transfer(backend, &SCHEMAS).await;
}

async fn no_row_is_read_by_another_person(backend: &TestBackend) {
    assert_no_other_person_reads(backend, &SCHEMA, &[]).await;
}

async fn rows_go_with_their_person(backend: &TestBackend) {
    assert_rows_go_with_their_objects(backend, &SCHEMA, &[]).await;
}

async fn another_address_has_to_be_confirmed(backend: &TestBackend) {
    let (store, ada, now) = (store(backend), backend.user("ada").await, backend.now());
    subscribe(&store, ada, now).await;
    let later = now.plus_ms(60_000);
    let found = async || store.subscription(ada).await.unwrap().unwrap();
    store.put_choice(ada, &MailChoice { budget: 9, ..choice("ada@mail.example") }, later, None).await.unwrap();
    let kept = found().await;
    assert_eq!((kept.confirmed_at, kept.covered_at, kept.choice.budget), (Some(now), now, 9));
    store.put_choice(ada, &choice("new@mail.example"), later, None).await.unwrap();
    assert_eq!(found().await.confirmed_at, None);
    assert_eq!(store.subscriptions_after(None, 9).await.unwrap(), [], "nothing is planned before");
    assert!(!store.confirm(ada, "ada@mail.example", later).await.unwrap(), "the link of the old address");
    assert!(store.confirm(ada, "new@mail.example", later).await.unwrap());
    assert_eq!(found().await.covered_at, later, "news count from the confirmation on");
}

async fn the_first_key_of_links_stays_until_it_is_replaced(backend: &TestBackend) {
    let (store, first, second) = (store(backend), LinkKeyId(id()), LinkKeyId(id()));
    assert!(store.add_link_key(first).await.unwrap());
    assert!(!store.add_link_key(second).await.unwrap());
    assert_eq!(store.link_key().await.unwrap(), Some(first));
    store.put_link_key(second).await.unwrap();
    assert_eq!(store.link_key().await.unwrap(), Some(second));
}

async fn a_digest_is_planned_once_and_claimed_once(backend: &TestBackend) {
    let (store, ada, now) = (store(backend), backend.user("ada").await, backend.now());
    subscribe(&store, ada, now).await;
    let until = now.plus_ms(60_000);
    let (first, second) = (digest(ada, now, until), digest(ada, now, until.plus_ms(1)));
    store.add_digest(&first).await.unwrap();
    store.add_digest(&second).await.unwrap();
    let waiting = store.waiting_mails(until, Outlet::Mail, 9).await.unwrap();
    assert_eq!(waiting, std::slice::from_ref(&first), "the second leader finds the period covered");
    assert_eq!(store.subscriptions_after(None, 9).await.unwrap(), [], "one digest at a time");
    assert!(store.claim_mail(&first, until.plus_ms(1_000)).await.unwrap());
    assert!(!store.claim_mail(&first, until.plus_ms(1_000)).await.unwrap());
    assert_eq!(store.waiting_mails(until, Outlet::Mail, 9).await.unwrap(), []);
    store.postpone_mail(first.id, 0, &MailProblem::Refused("451".into())).await.unwrap();
    let again = store.waiting_mails(until.plus_ms(1_000), Outlet::Mail, 9).await.unwrap().remove(0);
    assert_eq!((again.attempts, again.uncertain, again.problem), (1, 0, Some(MailProblem::Refused("451".into()))));
    store.end_mail(first.id, MailState::Sent, None, 2, until).await.unwrap();
    let sent = store.mails(ada, Outlet::Mail, 9).await.unwrap().remove(0);
    assert_eq!((sent.state, sent.items, sent.problem), (MailState::Sent, 2, None));
    assert_eq!(store.count_sent(now).await.unwrap(), 1);
    assert_eq!(store.subscriptions_after(None, 9).await.unwrap().len(), 1);
}

async fn old_mails_are_removed_and_waiting_ones_kept(backend: &TestBackend) {
    let (store, ada, now) = (store(backend), backend.user("ada").await, backend.now());
    subscribe(&store, ada, now).await;
    let until = now.plus_ms(1_000);
    let (old, waiting) = (digest(ada, now, until), digest(ada, until, until.plus_ms(1)));
    store.add_digest(&old).await.unwrap();
    store.end_mail(old.id, MailState::Failed, Some(&MailProblem::Unanswered), 1, until).await.unwrap();
    store.add_digest(&waiting).await.unwrap();
    store.remove_ended(until.plus_ms(1)).await.unwrap();
    assert_eq!(store.mails(ada, Outlet::Mail, 9).await.unwrap(), [waiting]);
    assert_eq!((store.count_waiting().await.unwrap(), store.count_mails(ada, MailKind::Digest, now).await.unwrap()), (1, 1));
}
