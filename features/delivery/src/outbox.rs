//! The outbox: mails are planned as rows, then sent, retried, and marked.
//!
//! Invariant: an attempt is recorded before it is made. One whose outcome is not known is repeated once, with the same id.

mod webhooks;

use crate::{
    digest::{Digest, find_news},
    links::{LinkEnds, LinkSigner, PersonLinks},
    mail::{Mail, MailId, MailKind, MailProblem, MailState},
    mail_server::{MailServer, PASSWORD},
    render::{MailText, render_confirmation, render_digest},
    settings::DeliverySettings,
    smtp::{Mailer, OutgoingMail, SendFailure},
    store::{DeliveryStore, Outlet},
    subscription::Subscription,
};
use domain::{Timestamp, UserId};
use engine::{StoreError, StoreResult, accounts::active_user};
use feature::Web;
use std::time::Duration;

pub const DAY_MS: i64 = 86_400_000;
const HOUR_MS: i64 = 3_600_000;
/// Validity of a confirmation link.
const CONFIRM_MS: i64 = 2 * DAY_MS;
/// Pause until a late mail is looked at again in quiet hours.
const QUIET_MS: i64 = DAY_MS / 96;
/// Attempts without a known outcome after which a mail is given up.
const MAX_UNCERTAIN: u32 = 2;

/// Runs one round: plans the digests and webhook messages that are due, sends what waits, and removes old mails from the list.
pub async fn run_once(web: &Web) -> StoreResult<()> {
    let (store, settings) = (DeliveryStore::new(web), web.settings.get::<DeliverySettings>());
    let Some(server) = store.server().await? else { return Ok(()) };
    if server.sends_mail() {
        plan_digests(web, &store, &settings).await?;
        send_waiting(web, &store, &settings, &server).await?;
    }
    webhooks::run(web, &store, &settings, &server.site).await?;
    store.remove_ended(web.engine.clock.now().plus_ms(-DAY_MS * i64::from(settings.keep_days))).await
}

/// Plans the digests that are due. A person with a digest on its way gets no other.
async fn plan_digests(web: &Web, store: &DeliveryStore, settings: &DeliverySettings) -> StoreResult<()> {
    let mut last: Option<UserId> = None;
    loop {
        let page = store.subscriptions_after(last, settings.per_round).await?;
        let Some(end) = page.last() else { return Ok(()) };
        last = Some(end.user);
        for subscription in &page {
            tolerate(subscription.user, plan_digest(web, store, settings, subscription).await)?;
        }
    }
}

async fn plan_digest(web: &Web, store: &DeliveryStore, settings: &DeliverySettings, one: &Subscription) -> StoreResult<()> {
    let now = web.engine.clock.now();
    let until = now.plus_ms(-signed_ms(settings.settle_ms));
    if !one.choice.schedule.is_due(one.covered_at, until, settings.immediate_ms) {
        return Ok(());
    }
    let Some(user) = active_user(&web.engine, one.user).await? else { return Ok(()) };
    if find_news(web, &user, one.covered_at, until).await?.news.is_empty() {
        return store.cover(one.user, one.covered_at, until, None).await;
    }
    let planned = store.count_mails(one.user, MailKind::Digest, now.plus_ms(-DAY_MS)).await?;
    if planned >= u64::from(settings.per_person_per_day) {
        return Ok(());
    }
    let (id, address) = (MailId(web.engine.ids.next()), one.choice.address.clone());
    store.add_digest(&Mail::new(id, one.user, MailKind::Digest, address, one.covered_at, until, now)).await
}

/// Leaves out a person whose news cannot be read, so that the others get theirs. A store that fails for all ends the round.
fn tolerate<T>(person: UserId, done: StoreResult<T>) -> StoreResult<Option<T>> {
    match done {
        Err(error @ (StoreError::Defect(_) | StoreError::Invalid(_))) => {
            tracing::error!(%person, %error, "news of a person not delivered");
            Ok(None)
        }
        done => done.map(Some),
    }
}

/// Keeps apart the errors that last for one person. Those of a store that fails for all are returned at once.
fn keep_lasting<T>(done: StoreResult<T>) -> StoreResult<StoreResult<T>> {
    match done {
        Err(error @ (StoreError::Unavailable(_) | StoreError::Full | StoreError::Stale(_))) => Err(error),
        done => Ok(done),
    }
}

/// Client of the mail server, with the password and authorities that are stored. A password is stored after its server: when the
/// server is the same after the password was read, they belong together.
pub async fn mailer(web: &Web, server: &MailServer) -> StoreResult<Result<Mailer, SendFailure>> {
    let settings = web.settings.get::<DeliverySettings>();
    let password = match server.username.is_empty() {
        true => None,
        false => match web.secrets.reveal(PASSWORD).await {
            Ok(password) => password,
            // Encrypted with another master key.
            Err(StoreError::Invalid(problem)) => return Ok(Err(SendFailure::unreachable(problem))),
            Err(error) => return Err(error),
        },
    };
    if DeliveryStore::new(web).server().await?.as_ref() != Some(server) {
        return Ok(Err(SendFailure::unreachable("the mail server was changed meanwhile")));
    }
    let authorities = match settings.ca_file.as_str() {
        "" => None,
        path => match tokio::fs::read(path).await {
            Ok(pem) => Some(pem),
            Err(error) => return Ok(Err(SendFailure::unreachable(format!("features.delivery.ca_file: {error}")))),
        },
    };
    let timeout = Duration::from_millis(settings.timeout_ms);
    Ok(Mailer::new(server, password.as_ref(), authorities.as_deref(), timeout))
}

/// Sends the mails that wait, within the limit per hour. A mail server that cannot be reached ends the round.
async fn send_waiting(web: &Web, store: &DeliveryStore, settings: &DeliverySettings, server: &MailServer) -> StoreResult<()> {
    let now = web.engine.clock.now();
    let sent = store.count_sent(now.plus_ms(-HOUR_MS)).await?;
    let room = u64::from(settings.per_hour).saturating_sub(sent).min(u64::from(settings.per_round));
    let waiting = store.waiting_mails(now, Outlet::Mail, u32::try_from(room).unwrap_or(u32::MAX)).await?;
    if waiting.is_empty() {
        return Ok(());
    }
    let sending =
        Sending { web, store, settings, server, signer: LinkSigner::load(web).await?, mailer: mailer(web, server).await? };
    for mail in waiting {
        if tolerate(mail.user, sending.send(&mail).await)? == Some(ServerState::Unreachable) {
            break;
        }
    }
    Ok(())
}

/// State of the mail server after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ServerState {
    Reachable,
    Unreachable,
}

/// Parts of a round that each mail needs.
struct Sending<'a> {
    web: &'a Web,
    store: &'a DeliveryStore,
    settings: &'a DeliverySettings,
    server: &'a MailServer,
    signer: LinkSigner,
    mailer: Result<Mailer, SendFailure>,
}

impl Sending<'_> {
    async fn send(&self, mail: &Mail) -> StoreResult<ServerState> {
        let now = self.web.engine.clock.now();
        let next_at = now.plus_ms(signed_ms(self.settings.backoff_ms(mail.attempts + 1)));
        if mail.uncertain >= MAX_UNCERTAIN {
            self.store.end_mail(mail.id, MailState::Failed, Some(&MailProblem::Unanswered), mail.items, now).await?;
            return Ok(ServerState::Reachable);
        }
        if mail.kind == MailKind::Digest && self.is_quiet(mail.user, now).await? {
            self.store.delay_mail(mail, now.plus_ms(QUIET_MS)).await?;
            return Ok(ServerState::Reachable);
        }
        // Before the claim: a store that fails makes no attempt of which the outcome is not known.
        let composed = keep_lasting(self.compose(mail, now).await)?;
        if !self.store.claim_mail(mail, next_at).await? {
            return Ok(ServerState::Reachable);
        }
        let (text, items, unsubscribe) = match composed {
            Ok(Some(composed)) => composed,
            Ok(None) => {
                self.store.end_mail(mail.id, MailState::Dropped, None, 0, now).await?;
                return Ok(ServerState::Reachable);
            }
            Err(error) => {
                tracing::error!(mail = %mail.id, %error, "mail not composed");
                let (problem, cause) = (MailProblem::Unreadable, error.to_string());
                return self.record_failure(mail, 0, &SendFailure { problem, is_permanent: false, cause }, now).await;
            }
        };
        let message_id = format!("<{}@{}>", mail.id, self.server.domain());
        let outgoing = OutgoingMail { message_id, to: &mail.address, text, date: mail.created_at, unsubscribe };
        let outcome = match &self.mailer {
            Ok(mailer) => mailer.send(outgoing).await,
            Err(failure) => Err(SendFailure::unreachable(&failure.cause)),
        };
        let Err(failure) = outcome else {
            self.store.end_mail(mail.id, MailState::Sent, None, items, self.web.engine.clock.now()).await?;
            return Ok(ServerState::Reachable);
        };
        // Servers repeat the address, which the log does not need.
        let cause = failure.cause.replace(&mail.address, "(address)");
        tracing::warn!(mail = %mail.id, attempt = mail.attempts + 1, %cause, "mail not sent");
        self.record_failure(mail, items, &failure, now).await
    }

    /// Returns whether a person has quiet hours, which hold for a mail that is late as for its plan.
    async fn is_quiet(&self, person: UserId, now: Timestamp) -> StoreResult<bool> {
        let at = now.plus_ms(-signed_ms(self.settings.settle_ms));
        Ok(self.store.subscription(person).await?.is_some_and(|one| one.choice.schedule.is_quiet(at)))
    }

    /// Marks a failed attempt. A person whose address refuses mail for good gets no more at it until they say so.
    async fn record_failure(&self, mail: &Mail, items: u32, failure: &SendFailure, now: Timestamp) -> StoreResult<ServerState> {
        let problem = Some(&failure.problem);
        let is_late = now.ms_since(mail.created_at) >= signed_ms(self.settings.give_up_ms);
        if failure.is_permanent || is_late {
            self.store.end_mail(mail.id, MailState::Failed, problem, items, now).await?;
        }
        if failure.is_permanent {
            self.store.pause_address(mail.user, &mail.address).await?;
        } else if !is_late {
            // A known failure takes the attempt back from those without an outcome.
            let uncertain = mail.uncertain + u32::from(failure.problem == MailProblem::Unanswered);
            self.store.postpone_mail(mail.id, uncertain, &failure.problem).await?;
        }
        Ok(if failure.problem == MailProblem::Unreachable { ServerState::Unreachable } else { ServerState::Reachable })
    }

    /// Composes a mail as its person reads the news now, with the number of news and the link that unsubscribes; none when there is nothing
    /// to send any more.
    async fn compose(&self, mail: &Mail, now: Timestamp) -> StoreResult<Option<(MailText, u32, Option<String>)>> {
        let Some(subscription) = self.store.subscription(mail.user).await?.filter(|one| one.choice.address == mail.address)
        else {
            return Ok(None);
        };
        let Some(user) = active_user(&self.web.engine, mail.user).await? else { return Ok(None) };
        let links = PersonLinks { signer: &self.signer, site: &self.server.site, person: mail.user };
        if mail.kind == MailKind::Confirmation {
            let until = mail.created_at.plus_ms(CONFIRM_MS);
            let is_wanted = subscription.confirmed_at.is_none() && until > now;
            let link = links.confirm(&mail.address, until.as_micros());
            return Ok(is_wanted.then(|| (render_confirmation(&user.name, &self.server.site, &link), 0, None)));
        }
        if !subscription.is_wanted() {
            return Ok(None);
        }
        let found = find_news(self.web, &user, mail.since, mail.until).await?;
        let digest = Digest::new(found.news, &found.useful, subscription.choice.budget);
        if digest.items.is_empty() {
            return Ok(None);
        }
        let ends = LinkEnds::new(mail.created_at, self.settings);
        let text = render_digest(&digest, &subscription.choice, &links, mail.until, ends);
        let items = u32::try_from(digest.items.len()).unwrap_or(u32::MAX);
        let unsubscribe = links.change("off", &mail.address, ends.changes.as_micros());
        Ok(Some((text, items, Some(unsubscribe))))
    }
}

/// Returns a duration of the settings as a signed number.
fn signed_ms(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}
