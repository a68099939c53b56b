//! Messages of webhooks in the outbox. The id of a message is the same for each attempt, so that receivers know a repeated one.

use super::{keep_lasting, signed_ms, tolerate};
use crate::{
    digest::{Digest, find_news},
    links::LinkSigner,
    mail::{Mail, MailId, MailKind, MailProblem, MailState},
    settings::DeliverySettings,
    store::{DeliveryStore, Outlet},
    webhook::{Webhook, WebhookSecret},
};
use domain::{
    Timestamp,
    fetch::{FetchError, FetchFailure},
};
use engine::{StoreResult, accounts::active_user};
use feature::{MessagePort, Web, WebMessage};
use futures::{StreamExt, stream};
use std::time::Duration;
use tokio::time::timeout;

/// Most news of one message.
const MAX_ITEMS: u32 = 30;
/// Messages on their way at the same time.
const AT_ONCE: usize = 8;
/// Status of an address that ended.
const GONE: u16 = 410;

/// Plans the messages that are due, and sends what waits.
pub async fn run(web: &Web, store: &DeliveryStore, settings: &DeliverySettings, site: &str) -> StoreResult<()> {
    let Some(port) = web.messages.clone() else { return Ok(()) };
    let mut last: Option<Webhook> = None;
    loop {
        let page = store.webhooks_after(last.as_ref(), settings.per_round).await?;
        for webhook in &page {
            tolerate(webhook.user, plan(web, store, settings, webhook).await)?;
        }
        match page.into_iter().next_back() {
            Some(end) => last = Some(end),
            None => break,
        }
    }
    let waiting = store.waiting_mails(web.engine.clock.now(), Outlet::Webhook, settings.per_round).await?;
    if waiting.is_empty() {
        return Ok(());
    }
    let signer = LinkSigner::load(web).await?;
    let sending = Sending { web, store, settings, site, signer, port };
    // A slow receiver does not hold up the others.
    let sent = stream::iter(waiting).map(|message| {
        let sending = &sending;
        async move { tolerate(message.user, sending.send(&message).await) }
    });
    let mut sent = std::pin::pin!(sent.buffer_unordered(AT_ONCE));
    while let Some(done) = sent.next().await {
        done?;
    }
    Ok(())
}

async fn plan(web: &Web, store: &DeliveryStore, settings: &DeliverySettings, webhook: &Webhook) -> StoreResult<()> {
    let now = web.engine.clock.now();
    let until = now.plus_ms(-signed_ms(settings.settle_ms));
    if until.ms_since(webhook.covered_at) < signed_ms(settings.immediate_ms) {
        return Ok(());
    }
    let Some(user) = active_user(&web.engine, webhook.user).await? else { return Ok(()) };
    let news = find_news(web, &user, webhook.covered_at, until).await?.news;
    let (id, address) = (MailId(web.engine.ids.next()), webhook.address.clone());
    let message = Mail::new(id, webhook.user, MailKind::Webhook, address, webhook.covered_at, until, now);
    store.cover_webhook(webhook, until, Some(&message).filter(|_| !news.is_empty())).await
}

/// Parts of a round that each message needs.
struct Sending<'a> {
    web: &'a Web,
    store: &'a DeliveryStore,
    settings: &'a DeliverySettings,
    site: &'a str,
    signer: LinkSigner,
    port: MessagePort,
}

impl Sending<'_> {
    async fn send(&self, message: &Mail) -> StoreResult<()> {
        let now = self.web.engine.clock.now();
        let next_at = now.plus_ms(signed_ms(self.settings.backoff_ms(message.attempts + 1)));
        let composed = keep_lasting(self.compose(message).await)?;
        if !self.store.claim_mail(message, next_at).await? {
            return Ok(());
        }
        let (outgoing, items) = match composed {
            Ok(Some(composed)) => composed,
            Ok(None) => return self.store.end_mail(message.id, MailState::Dropped, None, 0, now).await,
            Err(error) => {
                tracing::error!(webhook_message = %message.id, %error, "webhook message not composed");
                return self.record_failure(message, 0, &MailProblem::Unreadable, now).await;
            }
        };
        let answer = timeout(Duration::from_millis(self.settings.timeout_ms), (self.port)(outgoing)).await;
        let Some(problem) = answer.map_or(Some(MailProblem::Unanswered), read_problem) else {
            return self.store.end_mail(message.id, MailState::Sent, None, items, self.web.engine.clock.now()).await;
        };
        let attempt = message.attempts + 1;
        tracing::warn!(webhook_message = %message.id, attempt, problem = %problem.to_text(), "webhook message not sent");
        self.record_failure(message, items, &problem, now).await
    }

    /// Marks a failed attempt. An address that ended or is forbidden is paused.
    async fn record_failure(&self, message: &Mail, items: u32, problem: &MailProblem, now: Timestamp) -> StoreResult<()> {
        let is_ended = *problem == MailProblem::Forbidden || *problem == MailProblem::Refused(GONE.to_string());
        let is_late = now.ms_since(message.created_at) >= signed_ms(self.settings.give_up_ms);
        if is_ended {
            self.store.pause_webhook(message.user, &message.address, true).await?;
        }
        match is_ended || is_late {
            true => self.store.end_mail(message.id, MailState::Failed, Some(problem), items, now).await,
            false => self.store.postpone_mail(message.id, message.uncertain, problem).await,
        }
    }

    /// Composes a message as its person reads the news now, with their number; none when there is nothing to send any more.
    async fn compose(&self, message: &Mail) -> StoreResult<Option<(WebMessage, u32)>> {
        let webhook = self.store.webhook(message.user, &message.address).await?.filter(|one| !one.is_paused);
        let (Some(webhook), Some(user)) = (webhook, active_user(&self.web.engine, message.user).await?) else {
            return Ok(None);
        };
        let found = find_news(self.web, &user, message.since, message.until).await?;
        let digest = Digest::new(found.news, &found.useful, MAX_ITEMS);
        if digest.items.is_empty() {
            return Ok(None);
        }
        let now = self.web.engine.clock.now();
        let json = webhook.format.payload(&digest, self.site, now).to_string();
        let headers = WebhookSecret::new(&self.signer, webhook.id).headers(&message.id.to_string(), now, &json);
        let items = u32::try_from(digest.items.len()).unwrap_or(u32::MAX);
        Ok(Some((WebMessage { url: webhook.address, headers, json }, items)))
    }
}

/// Returns the problem of an attempt; none where the receiver took the message.
fn read_problem(answer: Result<u16, FetchError>) -> Option<MailProblem> {
    match answer {
        Ok(200..=299) => None,
        Ok(status) => Some(MailProblem::Refused(status.to_string())),
        Err(error) => Some(match error.reason {
            FetchFailure::Refused | FetchFailure::BadAddress => MailProblem::Forbidden,
            FetchFailure::Unreachable => MailProblem::Unreachable,
            _ => MailProblem::Unanswered,
        }),
    }
}
