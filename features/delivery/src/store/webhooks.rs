//! Statements on webhooks and their messages.

use super::{DeliveryStore, outbox::insert_mail};
use crate::{
    mail::{Mail, MailId, WebhookId},
    webhook::{Webhook, WebhookFormat},
};
use adapters::sql::{
    execute,
    fault::Fault,
    read, rows,
    types::{Moment, word},
    write,
};
use domain::{Timestamp, UserId};
use engine::StoreResult;
use uuid::Uuid;

/// Columns of a webhook `w`, in the order of `WebhookRow`.
macro_rules! webhooks {
    ($rest:literal) => {
        concat!(
            "select w.webhook_id, w.user_id, w.address, w.format, w.is_paused, w.covered_at from delivery_webhooks w ",
            $rest
        )
    };
}

const OF_PERSON: &str = webhooks!("where w.user_id = $1 order by w.created_at, w.address");
const BY_ADDRESS: &str = webhooks!("where w.user_id = $1 and w.address = $2");
/// Selects webhooks for which a message can be planned, after one of an earlier page.
const PLANNED: &str = webhooks!(
    "where not w.is_paused and (w.user_id > $1 or (w.user_id = $1 and w.address > $2))
       and not exists (select 1 from delivery_mails m
                        where m.user_id = w.user_id and m.address = w.address and m.kind = 'webhook' and m.state = 'waiting')
     order by w.user_id, w.address limit $3"
);
/// Adds a webhook within a limit per person. A known address gets the format, a new secret, and goes on.
const PUT: &str = "
    insert into delivery_webhooks (user_id, address, webhook_id, format, is_paused, covered_at, created_at)
    select $1, $2, $3, $4, $5, $6, $6
     where (select count(*) from delivery_webhooks o where o.user_id = $1 and o.address <> $2) < $7
    on conflict (user_id, address) do update
       set webhook_id = excluded.webhook_id, format = excluded.format, is_paused = excluded.is_paused";

#[derive(sqlx::FromRow)]
struct WebhookRow {
    webhook_id: Uuid,
    user_id: Uuid,
    address: String,
    format: String,
    is_paused: bool,
    covered_at: Moment,
}

impl WebhookRow {
    fn webhook(self) -> Result<Webhook, Fault> {
        Ok(Webhook {
            id: WebhookId(self.webhook_id),
            user: UserId(self.user_id),
            format: word("format of a webhook", &self.format, WebhookFormat::parse)?,
            address: self.address,
            is_paused: self.is_paused,
            covered_at: self.covered_at.0,
        })
    }
}

impl DeliveryStore {
    /// Returns the webhooks of a person.
    pub async fn webhooks(&self, user: UserId) -> StoreResult<Vec<Webhook>> {
        read!(self.0, conn => {
            let rows: Vec<WebhookRow> = rows!(conn.fetch_all, OF_PERSON; user.0);
            rows.into_iter().map(WebhookRow::webhook).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns a webhook of a person.
    pub async fn webhook(&self, user: UserId, address: &str) -> StoreResult<Option<Webhook>> {
        read!(self.0, conn => {
            let row: Option<WebhookRow> = rows!(conn.fetch_optional, BY_ADDRESS; user.0, address);
            row.map(WebhookRow::webhook).transpose()?
        })
    }

    /// Returns webhooks for which a message can be planned, after one of an earlier page.
    pub async fn webhooks_after(&self, last: Option<&Webhook>, limit: u32) -> StoreResult<Vec<Webhook>> {
        let (user, address) = last.map_or((Uuid::nil(), ""), |one| (one.user.0, one.address.as_str()));
        read!(self.0, conn => {
            let rows: Vec<WebhookRow> = rows!(conn.fetch_all, PLANNED; user, address, i64::from(limit));
            rows.into_iter().map(WebhookRow::webhook).collect::<Result<_, Fault>>()?
        })
    }

    /// Stores a webhook, one per person and address; news count from now on. Returns false when the person has `limit` others.
    pub async fn put_webhook(&self, webhook: &Webhook, limit: u32) -> StoreResult<bool> {
        let lock = self.0.lock_of_person();
        write!(self.0, conn => {
            sqlx::query(lock).bind(webhook.user.0).fetch_optional(&mut *conn).await?;
            let stored = execute!(conn, PUT; webhook.user.0, &webhook.address, webhook.id.0, webhook.format.as_str(),
                webhook.is_paused, Moment(webhook.covered_at), i64::from(limit));
            stored.rows_affected() > 0
        })
    }

    /// Pauses a webhook, or resumes it; returns whether there is one.
    pub async fn pause_webhook(&self, user: UserId, address: &str, is_paused: bool) -> StoreResult<bool> {
        write!(self.0, conn => {
            let changed = execute!(conn, "update delivery_webhooks set is_paused = $3 where user_id = $1 and address = $2";
                user.0, address, is_paused);
            changed.rows_affected() > 0
        })
    }

    /// Removes a webhook with its messages, as its address may be a secret; returns whether there was one.
    pub async fn remove_webhook(&self, user: UserId, address: &str) -> StoreResult<bool> {
        write!(self.0, conn => {
            execute!(conn, "delete from delivery_mails where user_id = $1 and address = $2 and kind = 'webhook'"; user.0,
                address);
            let removed = execute!(conn, "delete from delivery_webhooks where user_id = $1 and address = $2"; user.0, address);
            removed.rows_affected() > 0
        })
    }

    /// Notes the news of a webhook as covered up to a time, and adds their message, if any, unless another process did.
    pub async fn cover_webhook(&self, webhook: &Webhook, until: Timestamp, message: Option<&Mail>) -> StoreResult<()> {
        write!(self.0, conn => {
            let covered = execute!(conn,
                "update delivery_webhooks set covered_at = $4 where user_id = $1 and address = $2 and covered_at = $3";
                webhook.user.0, &webhook.address, Moment(webhook.covered_at), Moment(until));
            if let (true, Some(message)) = (covered.rows_affected() > 0, message) {
                insert_mail!(conn, message);
            }
        })
    }

    /// Makes an ended message of a person wait for another attempt with the same id; returns whether there was one.
    pub async fn repeat_message(&self, user: UserId, id: MailId, now: Timestamp) -> StoreResult<bool> {
        write!(self.0, conn => {
            let repeated = execute!(conn, "update delivery_mails
                    set state = 'waiting', attempts = 0, uncertain = 0, problem = '', next_at = $3, created_at = $3, ended_at = null
                  where id = $1 and user_id = $2 and kind = 'webhook' and state <> 'waiting'"; id.0, user.0, Moment(now));
            repeated.rows_affected() > 0
        })
    }
}
