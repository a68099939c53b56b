//! Statements on the mails of the outbox.

use super::DeliveryStore;
use crate::mail::{Mail, MailId, MailKind, MailProblem, MailState};
use adapters::sql::{
    execute,
    fault::Fault,
    read, rows,
    types::{Moment, count, word},
    values, write,
};
use domain::{Timestamp, UserId};
use engine::StoreResult;
use uuid::Uuid;

/// Adds a mail, which waits for its first attempt. The same one is added once.
pub(super) const ADD_MAIL: &str = "
    insert into delivery_mails (id, user_id, kind, address, since_at, until_at, state, attempts, uncertain, next_at, problem, items,
                                created_at)
    values ($1, $2, $3, $4, $5, $6, 'waiting', 0, 0, $7, '', 0, $7)
    on conflict (user_id, kind, address, until_at) do nothing";

/// Columns of a mail `m`, in the order of `MailRow`.
macro_rules! mails {
    ($rest:literal) => {
        concat!(
            "select m.id, m.user_id, m.kind, m.address, m.since_at, m.until_at, m.state, m.attempts, m.uncertain, m.problem, m.items,
                    m.created_at
               from delivery_mails m ",
            $rest
        )
    };
}

/// Selects what waits for an outlet, the longest first.
const WAITING: &str =
    mails!("where m.state = 'waiting' and m.next_at <= $1 and (m.kind = 'webhook') = $2 order by m.next_at, m.id limit $3");
const OF_PERSON: &str =
    mails!("where m.user_id = $1 and (m.kind = 'webhook') = $2 order by m.created_at desc, m.id desc limit $3");

/// Runs the statement that adds a mail.
macro_rules! insert_mail {
    ($conn:expr, $mail:expr) => {
        adapters::sql::execute!($conn, $crate::store::outbox::ADD_MAIL; $mail.id.0, $mail.user.0, $mail.kind.as_str(), &$mail.address,
            Moment($mail.since), Moment($mail.until), Moment($mail.created_at))
    };
}
pub(super) use insert_mail;

/// Way out of the building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outlet {
    Mail,
    Webhook,
}

#[derive(sqlx::FromRow)]
struct MailRow {
    id: Uuid,
    user_id: Uuid,
    kind: String,
    address: String,
    since_at: Moment,
    until_at: Moment,
    state: String,
    attempts: i64,
    uncertain: i64,
    problem: String,
    items: i64,
    created_at: Moment,
}

impl MailRow {
    fn mail(self) -> Result<Mail, Fault> {
        Ok(Mail {
            id: MailId(self.id),
            user: UserId(self.user_id),
            kind: word("kind of mail", &self.kind, MailKind::parse)?,
            address: self.address,
            since: self.since_at.0,
            until: self.until_at.0,
            state: word("state of a mail", &self.state, MailState::parse)?,
            attempts: count(self.attempts)?,
            uncertain: count(self.uncertain)?,
            problem: MailProblem::parse(&self.problem),
            items: count(self.items)?,
            created_at: self.created_at.0,
        })
    }
}

impl DeliveryStore {
    /// Notes the period between two times as covered, and adds its digest, if any, unless the first is no longer the last one covered.
    pub async fn cover(&self, user: UserId, covered: Timestamp, until: Timestamp, digest: Option<&Mail>) -> StoreResult<()> {
        write!(self.0, conn => {
            let covered = execute!(conn,
                "update delivery_subscriptions set covered_at = $3 where user_id = $1 and covered_at = $2"; user.0,
                Moment(covered), Moment(until));
            if let (true, Some(mail)) = (covered.rows_affected() > 0, digest) {
                insert_mail!(conn, mail);
            }
        })
    }

    /// Adds a digest and notes its period as covered, unless another one covers it already.
    pub async fn add_digest(&self, mail: &Mail) -> StoreResult<()> {
        self.cover(mail.user, mail.since, mail.until, Some(mail)).await
    }

    /// Returns what waits for an attempt by an outlet.
    pub async fn waiting_mails(&self, now: Timestamp, outlet: Outlet, limit: u32) -> StoreResult<Vec<Mail>> {
        read!(self.0, conn => {
            let rows: Vec<MailRow> = rows!(conn.fetch_all, WAITING; Moment(now), outlet == Outlet::Webhook, i64::from(limit));
            rows.into_iter().map(MailRow::mail).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns what was sent to a person lately by an outlet, newest first.
    pub async fn mails(&self, user: UserId, outlet: Outlet, limit: u32) -> StoreResult<Vec<Mail>> {
        read!(self.0, conn => {
            let rows: Vec<MailRow> = rows!(conn.fetch_all, OF_PERSON; user.0, outlet == Outlet::Webhook, i64::from(limit));
            rows.into_iter().map(MailRow::mail).collect::<Result<_, Fault>>()?
        })
    }

    /// Records an attempt before it is made, with the time of the next one. Returns false when another process makes it.
    pub async fn claim_mail(&self, mail: &Mail, next_at: Timestamp) -> StoreResult<bool> {
        write!(self.0, conn => {
            let claimed = execute!(conn,
                "update delivery_mails set attempts = attempts + 1, uncertain = uncertain + 1, next_at = $3
                  where id = $1 and attempts = $2 and state = 'waiting'"; mail.id.0, i64::from(mail.attempts), Moment(next_at));
            claimed.rows_affected() > 0
        })
    }

    /// Delays a mail without an attempt, unless another process makes one.
    pub async fn delay_mail(&self, mail: &Mail, next_at: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "update delivery_mails set next_at = $3 where id = $1 and attempts = $2 and state = 'waiting'";
                mail.id.0, i64::from(mail.attempts), Moment(next_at));
        })
    }

    /// Records a failed attempt, with the number of attempts whose outcome is not known.
    pub async fn postpone_mail(&self, id: MailId, uncertain: u32, problem: &MailProblem) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "update delivery_mails set uncertain = $2, problem = $3 where id = $1 and state = 'waiting'"; id.0,
                i64::from(uncertain), problem.to_text());
        })
    }

    /// Ends a mail.
    pub async fn end_mail(
        &self,
        id: MailId,
        state: MailState,
        problem: Option<&MailProblem>,
        items: u32,
        now: Timestamp,
    ) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "update delivery_mails set state = $2, problem = $3, items = $4, ended_at = $5
                  where id = $1 and state = 'waiting'";
                id.0, state.as_str(), problem.map(MailProblem::to_text).unwrap_or_default(), i64::from(items), Moment(now));
        })
    }

    /// Counts the mails of a kind that were planned for a person since a time.
    pub async fn count_mails(&self, user: UserId, kind: MailKind, since: Timestamp) -> StoreResult<u64> {
        read!(self.0, conn => {
            let mails: i64 = values!(conn.fetch_one,
                "select count(*) from delivery_mails where user_id = $1 and kind = $2 and created_at > $3"; user.0,
                kind.as_str(), Moment(since));
            count(mails)?
        })
    }

    /// Counts the mails that were sent since a time.
    pub async fn count_sent(&self, since: Timestamp) -> StoreResult<u64> {
        read!(self.0, conn => {
            let mails: i64 = values!(conn.fetch_one,
                "select count(*) from delivery_mails where state = 'sent' and kind <> 'webhook' and ended_at > $1";
                Moment(since));
            count(mails)?
        })
    }

    /// Counts the mails that wait, for the metric. Messages of webhooks do not count: each has a receiver of its own.
    pub async fn count_waiting(&self) -> StoreResult<u64> {
        read!(self.0, conn => {
            let mails: i64 = values!(conn.fetch_one,
                "select count(*) from delivery_mails where state = 'waiting' and kind <> 'webhook'");
            count(mails)?
        })
    }

    /// Removes mails that ended before a time.
    pub async fn remove_ended(&self, before: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "delete from delivery_mails where ended_at < $1"; Moment(before));
        })
    }
}
