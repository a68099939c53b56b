//! Mail over a real connection, with a clock that the test moves.

use super::{SCHEMAS, mail_server, markup::assert_valid_mail, store, subscribe};
use crate::{
    links::{LinkSigner, PersonLinks},
    mail::{Mail, MailProblem, MailState},
    mail_server::{Encryption, MailServer},
    outbox::{mailer, run_once},
    probe::check,
    render::render_test,
    schedule::Frequency,
    smtp::{Mailer, OutgoingMail},
    store::{DeliveryStore, Outlet},
};
use domain::{ObjectId, Timestamp, UserId, user::User};
use engine::{StoreError, models::Secret};
use feature::{Feature, FoundNotifications, InterestPort, NamedInterest, NotificationItem, Web, testing::TestSite};
use mail_parser::{Message, MessageParser};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use std::{sync::Arc, time::Duration};
use testkit::{SmtpBehaviour, SmtpServer, TestBackend};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer},
};

const MINUTE_MS: i64 = 60_000;
/// Interest that the news of the lock belong to.
const INTEREST: ObjectId = ObjectId(uuid::Uuid::from_u128(7));

/// Person whose news cannot be read.
pub const UNREADABLE: &str = "mallory";

/// Two news of each person: of the gate ten minutes after their account was made, and of the lock ten minutes later.
fn find(_: Web, user: User, since: Timestamp, _: u32) -> FoundNotifications {
    let item = |topic: &str, minutes: i64| NotificationItem {
        topic: topic.to_owned(),
        interest: (topic == "lock").then_some(INTEREST),
        title: format!("The {topic} <is> open"),
        text: "Two papers say so & a log.".into(),
        href: format!("/watching#{topic}"),
        at: user.created_at.plus_ms(minutes * MINUTE_MS),
        actions: vec![],
    };
    let news: Vec<NotificationItem> = [item("lock", 20), item("gate", 10)].into_iter().filter(|item| item.at > since).collect();
    let is_readable = user.name != UNREADABLE;
    Box::pin(async move { if is_readable { Ok(news) } else { Err(StoreError::Defect("a test".into())) } })
}

pub const fn feature_with_news() -> Feature {
    crate::feature().notification_list(find).interests(InterestPort {
        propose: |_, _, _| Box::pin(async { Ok(0) }),
        list: |_, _| Box::pin(async { Ok(vec![NamedInterest { id: INTEREST, sentence: "Locks & gates".into() }]) }),
    })
}

pub struct Scene {
    pub backend: TestBackend,
    pub site: TestSite,
    pub store: DeliveryStore,
    pub ada: UserId,
}

impl Scene {
    pub async fn new(port: u16) -> Self {
        let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
        let (site, store) = (TestSite::new(feature_with_news(), &backend), store(&backend));
        let ada = backend.user("ada").await;
        store.put_server(&mail_server(port)).await.unwrap();
        Self { backend, site, store, ada }
    }

    /// A scene in which the mail of a person is confirmed.
    pub async fn subscribed(port: u16) -> Self {
        let scene = Self::new(port).await;
        subscribe(&scene.store, scene.ada, scene.backend.now()).await;
        scene
    }

    pub async fn run_after_minutes(&self, minutes: i64) {
        self.backend.clock.forward_ms(minutes * MINUTE_MS);
        run_once(&self.site.web).await.unwrap();
    }

    async fn newest_mail(&self) -> Mail {
        self.store.mails(self.ada, Outlet::Mail, 9).await.unwrap().remove(0)
    }

    /// Returns path and query of a signed link.
    async fn path(&self, link: impl Fn(&PersonLinks<'_>) -> String) -> String {
        let signer = LinkSigner::load(&self.site.web).await.unwrap();
        link(&PersonLinks { signer: &signer, site: "", person: self.ada })
    }
}

fn parsed(mail: &[u8]) -> Message<'_> {
    MessageParser::default().parse(mail).unwrap()
}

/// Returns the path of the first link of the text part that begins with `start`.
fn link_path(mail: &[u8], start: &str) -> String {
    let text = parsed(mail).body_text(0).unwrap().into_owned();
    let link = text.split_whitespace().find(|word| word.contains(start)).unwrap();
    link.trim_start_matches("https://osint.example").to_owned()
}

#[tokio::test]
async fn an_address_is_confirmed_then_gets_news_once_until_one_click_ends_them() {
    let smtp = SmtpServer::start(SmtpBehaviour::Accept, None).await;
    let scene = Scene::new(smtp.port).await;
    let (browser, stranger) = (scene.site.signed_in(scene.ada).await, scene.site.stranger());
    let form = [
        ("address", "ada@mail.example"),
        ("frequency", "immediate"),
        ("weekday", "0"),
        ("time", "07:00"),
        ("zone", "Europe/Berlin"),
        ("quiet_from", "0"),
        ("quiet_to", "0"),
        ("budget", "1"),
    ];
    assert_eq!(browser.post("/delivery", &form).await.location(), "/delivery");
    assert!(browser.get("/delivery").await.text().contains("Send the link again"));
    scene.run_after_minutes(0).await;
    let confirm = link_path(&smtp.mails()[0], "/mail/confirm");
    assert!(stranger.get(&confirm).await.text().contains("Confirm your address"));
    scene.run_after_minutes(1).await;
    assert_eq!(scene.store.subscription(scene.ada).await.unwrap().unwrap().confirmed_at, None, "a GET changes nothing");
    assert!(stranger.post(&confirm, &[]).await.text().contains("Done"));

    scene.run_after_minutes(7).await;
    assert_eq!(smtp.mails().len(), 1, "nothing new, no mail");
    scene.run_after_minutes(25).await;
    scene.run_after_minutes(10).await;
    let mails = smtp.mails();
    assert_eq!(mails.len(), 2, "news are mailed once");
    let mail = parsed(&mails[1]);
    let (text, html) = (mail.body_text(0).unwrap(), mail.body_html(0).unwrap());
    assert_eq!(mail.subject(), Some("2 changes"));
    assert!(
        text.contains("The lock <is> open") && text.contains("1 more change: https://osint.example/notifications"),
        "{text}"
    );
    assert!(html.contains("The lock &lt;is&gt; open") && html.contains("color-scheme"), "{html}");
    assert_valid_mail(&html);
    for loaded in ["<img", "src=", "@import", "url(", "<script", "<link"] {
        assert!(!html.contains(loaded), "{loaded} in {html}");
    }
    let links = html.matches("<a href=\"https://").count();
    assert!(links > 0 && links == html.matches("://").count(), "every address is that of a link: {html}");
    assert!(html.contains("max-width:600px"), "{html}");
    assert_eq!(mail.message_id(), Some(format!("{}@mail.example", scene.newest_mail().await.id).as_str()));
    assert_eq!(mail.header_raw("List-Unsubscribe-Post").map(str::trim), Some("List-Unsubscribe=One-Click"));
    let unsubscribe = mail.header_raw("List-Unsubscribe").unwrap().trim().trim_matches(['<', '>']);
    let unsubscribe = unsubscribe.trim_start_matches("https://osint.example");
    assert_eq!(unsubscribe, link_path(&mails[1], "action=off"));
    assert!(stranger.post(unsubscribe, &[("List-Unsubscribe", "One-Click")]).await.text().contains("Done"));
    let ended = scene.store.subscription(scene.ada).await.unwrap().unwrap();
    assert_eq!(ended.choice.schedule.frequency, Frequency::Off);
    let forged = unsubscribe.replace("action=off", "action=weekly");
    assert_eq!(stranger.post(&forged, &[]).await.status, 404);
    let late = scene.backend.now().plus_ms(MINUTE_MS).as_micros();
    let weekly = scene.path(|links| links.change("weekly", "ada@mail.example", late)).await;
    assert_eq!(stranger.post(&weekly, &[]).await.status, 404, "an old mail orders none again");
    assert!(stranger.post(unsubscribe, &[]).await.text().contains("Done"), "a second time");
    scene.backend.close().await;
}

#[tokio::test]
async fn a_link_that_changes_the_mail_holds_for_its_address_and_a_time() {
    let scene = Scene::subscribed(25).await;
    let stranger = scene.site.stranger();
    let until = scene.backend.now().plus_ms(60 * MINUTE_MS).as_micros();
    let pause = async |address: &str| {
        let link = scene.path(|links| links.change("pause", address, until)).await;
        stranger.post(&link, &[]).await.status
    };
    assert_eq!(pause("eve@mail.example").await, 404, "the address of another mail");
    assert_eq!(pause("ada@mail.example").await, 200);
    assert!(scene.store.subscription(scene.ada).await.unwrap().unwrap().is_paused);
    scene.store.put_choice(scene.ada, &super::choice("new@mail.example"), scene.backend.now(), None).await.unwrap();
    assert_eq!(pause("ada@mail.example").await, 404, "mail goes elsewhere now");
    assert_eq!(pause("new@mail.example").await, 200);
    scene.backend.clock.forward_ms(61 * MINUTE_MS);
    assert_eq!(pause("new@mail.example").await, 404, "it is late");
    scene.backend.close().await;
}

#[tokio::test]
async fn news_that_stay_unreadable_end_with_that_problem() {
    let smtp = SmtpServer::start(SmtpBehaviour::Accept, None).await;
    let scene = Scene::new(smtp.port).await;
    let (person, now) = (scene.backend.user(UNREADABLE).await, scene.backend.now());
    subscribe(&scene.store, person, now).await;
    scene.store.add_digest(&super::digest(person, now, now)).await.unwrap();
    let newest = async || scene.store.mails(person, Outlet::Mail, 9).await.unwrap().remove(0);
    scene.run_after_minutes(1).await;
    let mail = newest().await;
    assert_eq!((mail.state, mail.attempts, mail.uncertain), (MailState::Waiting, 1, 0));
    assert_eq!(mail.problem, Some(MailProblem::Unreadable));
    scene.run_after_minutes(5_000).await;
    assert_eq!((newest().await.state, newest().await.problem), (MailState::Failed, Some(MailProblem::Unreadable)));
    scene.backend.close().await;
}

#[tokio::test]
async fn a_mail_server_that_was_changed_meanwhile_gets_no_password() {
    let scene = Scene::new(25).await;
    let read_before = mail_server(25);
    scene.store.put_server(&mail_server(26)).await.unwrap();
    let refused = mailer(&scene.site.web, &read_before).await.unwrap().err().unwrap();
    assert_eq!(refused.problem, MailProblem::Unreachable);
    assert!(mailer(&scene.site.web, &mail_server(26)).await.unwrap().is_ok());
    scene.backend.close().await;
}

#[tokio::test]
async fn a_mail_server_that_is_down_for_an_hour_delays_a_mail() {
    // The port of a server that is gone.
    let port = {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listener.local_addr().unwrap().port()
    };
    let scene = Scene::subscribed(port).await;
    scene.run_after_minutes(30).await;
    for _ in 0..6 {
        scene.run_after_minutes(10).await;
    }
    let mail = scene.newest_mail().await;
    assert_eq!((mail.state, mail.uncertain, mail.problem), (MailState::Waiting, 0, Some(MailProblem::Unreachable)));
    assert!(mail.attempts > 2, "{}", mail.attempts);
    assert!(!check(&scene.site.web).await.unwrap().unwrap().is_ok);
    let smtp = SmtpServer::start(SmtpBehaviour::Accept, None).await;
    scene.store.put_server(&mail_server(smtp.port)).await.unwrap();
    for _ in 0..3 {
        scene.run_after_minutes(60).await;
    }
    assert_eq!((smtp.mails().len(), scene.newest_mail().await.state), (1, MailState::Sent));
    assert!(check(&scene.site.web).await.unwrap().unwrap().is_ok, "the test of the doctor arrives");
    scene.backend.close().await;
}

#[tokio::test]
async fn an_attempt_without_an_outcome_is_repeated_once_with_the_same_id() {
    let smtp = SmtpServer::start(SmtpBehaviour::Vanish, None).await;
    let scene = Scene::subscribed(smtp.port).await;
    scene.run_after_minutes(30).await;
    for _ in 0..4 {
        scene.run_after_minutes(60).await;
    }
    let mails = smtp.mails();
    let ids: Vec<_> = mails.iter().map(|mail| parsed(mail).message_id().unwrap().to_owned()).collect();
    assert!(ids.len() == 2 && ids[0] == ids[1], "{ids:?}");
    let mail = scene.newest_mail().await;
    assert_eq!((mail.state, mail.problem), (MailState::Failed, Some(MailProblem::Unanswered)));
    scene.backend.close().await;
}

#[tokio::test]
async fn a_process_that_dies_between_sending_and_marking_repeats_one_mail() {
    let smtp = SmtpServer::start(SmtpBehaviour::Accept, None).await;
    let scene = Scene::subscribed(smtp.port).await;
    let (since, until) = (scene.backend.now(), scene.backend.now().plus_ms(30 * MINUTE_MS));
    scene.store.add_digest(&super::digest(scene.ada, since, until)).await.unwrap();
    scene.backend.clock.forward_ms(30 * MINUTE_MS);
    let mail = scene.newest_mail().await;
    // The first process claimed the mail and died, before or after it was sent.
    assert!(scene.store.claim_mail(&mail, scene.backend.now().plus_ms(MINUTE_MS)).await.unwrap());
    scene.run_after_minutes(0).await;
    assert_eq!(smtp.mails().len(), 0, "the claim holds for its pause");
    for _ in 0..3 {
        scene.run_after_minutes(2).await;
    }
    assert_eq!((smtp.mails().len(), scene.newest_mail().await.state), (1, MailState::Sent));
    scene.backend.close().await;
}

#[tokio::test]
async fn a_person_whose_news_cannot_be_read_does_not_hold_up_others() {
    let smtp = SmtpServer::start(SmtpBehaviour::Accept, None).await;
    let scene = Scene::subscribed(smtp.port).await;
    let unreadable = scene.backend.user(UNREADABLE).await;
    subscribe(&scene.store, unreadable, scene.backend.now()).await;
    scene.run_after_minutes(30).await;
    assert_eq!((smtp.mails().len(), scene.newest_mail().await.state), (1, MailState::Sent));
    assert_eq!(scene.store.mails(unreadable, Outlet::Mail, 9).await.unwrap(), []);
    scene.backend.close().await;
}

#[tokio::test]
async fn a_late_mail_waits_for_the_end_of_quiet_hours() {
    let smtp = SmtpServer::start(SmtpBehaviour::Accept, None).await;
    let scene = Scene::subscribed(smtp.port).await;
    let (since, until) = (scene.backend.now(), scene.backend.now().plus_ms(30 * MINUTE_MS));
    scene.store.add_digest(&super::digest(scene.ada, since, until)).await.unwrap();
    scene.backend.clock.forward_ms(30 * MINUTE_MS);
    let now = scene.backend.now();
    let hour = u8::try_from(now.as_micros() / 3_600_000_000 % 24).unwrap();
    let mut choice = super::choice("ada@mail.example");
    choice.schedule.quiet = ((hour + 23) % 24, (hour + 2) % 24);
    scene.store.put_choice(scene.ada, &choice, now, None).await.unwrap();
    scene.run_after_minutes(0).await;
    assert_eq!((smtp.mails().len(), scene.newest_mail().await.attempts), (0, 0));
    scene.run_after_minutes(180).await;
    assert_eq!((smtp.mails().len(), scene.newest_mail().await.state), (1, MailState::Sent));
    scene.backend.close().await;
}

#[tokio::test]
async fn a_refused_recipient_pauses_the_mail_and_is_shown() {
    let smtp = SmtpServer::start(SmtpBehaviour::RefuseRecipient, None).await;
    let scene = Scene::subscribed(smtp.port).await;
    scene.run_after_minutes(30).await;
    let page = scene.site.signed_in(scene.ada).await.get("/delivery").await.text();
    assert!(page.contains("Your mail is paused.") && page.contains("refused this (code 550)"), "{page}");
    assert_eq!(scene.newest_mail().await.state, MailState::Failed);
    scene.run_after_minutes(60).await;
    assert_eq!(scene.store.mails(scene.ada, Outlet::Mail, 9).await.unwrap().len(), 1);
    scene.backend.close().await;
}

#[tokio::test]
async fn answers_of_a_mail_hide_mute_and_put_first() {
    let smtp = SmtpServer::start(SmtpBehaviour::Accept, None).await;
    let scene = Scene::subscribed(smtp.port).await;
    let stranger = scene.site.stranger();
    let until = scene.backend.now().plus_ms(60 * MINUTE_MS).as_micros();
    let hide = scene.path(|links| links.answer("lock", "hide", until)).await;
    assert!(stranger.get(&hide).await.text().contains("Not this"));
    assert!(stranger.post(&hide, &[]).await.text().contains("Done"));
    scene.run_after_minutes(30).await;
    let mails = smtp.mails();
    let mail = parsed(&mails[0]);
    assert_eq!(mail.subject(), Some("1 change"));
    let page = scene.site.signed_in(scene.ada).await.get("/delivery").await.text();
    assert!(page.contains("The lock &lt;is") && page.contains("Take back"), "{page}");
    let mute = scene.path(|links| links.answer("lock", "mute", until)).await;
    assert!(stranger.post(&mute, &[]).await.text().contains("30 days"));
    let answer = scene.store.answers(scene.ada).await.unwrap().remove(0);
    assert!(answer.hides_at(scene.backend.now()) && !answer.hides_at(scene.backend.now().plus_ms(31 * 86_400_000)));
    scene.backend.clock.forward_ms(61 * MINUTE_MS);
    assert_eq!(stranger.post(&hide, &[]).await.status, 404, "links accept answers for a time");
    scene.backend.close().await;
}

#[tokio::test]
async fn starttls_is_required_with_a_known_authority_before_the_password() {
    let mut params = CertificateParams::new(vec![]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap().signed_by(&key, &issuer).unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let config = config.with_single_cert(vec![certificate.der().clone()], key).unwrap();
    let smtp = SmtpServer::start(SmtpBehaviour::Accept, Some(TlsAcceptor::from(Arc::new(config)))).await;
    let server = MailServer { encryption: Encryption::StartTls, username: "robot".into(), ..mail_server(smtp.port) };
    let send = async |authorities: Option<&[u8]>| {
        let password = Secret::from("secret".to_owned());
        let mailer = Mailer::new(&server, Some(&password), authorities, Duration::from_secs(20)).unwrap();
        let text = render_test("https://osint.example");
        let date = Timestamp::from_micros(1_900_000_000_000_000);
        mailer
            .send(OutgoingMail { message_id: "<1@mail.example>".into(), to: "ada@mail.example", text, date, unsubscribe: None })
            .await
    };
    assert_eq!(send(None).await.unwrap_err().problem, MailProblem::Unreachable, "an unknown authority");
    assert!(smtp.credentials().is_empty());
    send(Some(issuer.pem().as_bytes())).await.unwrap();
    assert_eq!(smtp.mails().len(), 1);
    let credentials = smtp.credentials();
    assert!(!credentials.is_empty() && credentials.iter().all(|(line, is_tls)| line.starts_with("AUTH PLAIN") && *is_tls));
}
