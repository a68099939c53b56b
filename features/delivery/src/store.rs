//! Statements of the feature.

mod link_key;
mod outbox;
mod webhooks;

pub use outbox::Outlet;

use crate::{
    mail::{FeedId, Mail, TopicAnswer},
    mail_server::{Encryption, MailServer},
    schedule::{Frequency, Schedule},
    subscription::{MailChoice, Subscription},
};
use adapters::sql::{
    Store,
    archive::{
        ScopeColumn::{Owner, Unscoped},
        Table, tables,
    },
    execute,
    fault::{Fault, defect},
    read, rows,
    types::{Moment, count, word},
    values, write,
};
use chrono_tz::Tz;
use domain::{Timestamp, UserId};
use engine::StoreResult;
use feature::{NotificationAnswer, Schema, Web};
use sqlx::migrate::Migrator;
use uuid::Uuid;

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Tables of the feature.
pub static SCHEMA: Schema = Schema { name: "delivery", sqlite: &SQLITE, postgres: &POSTGRES, tables: TABLES };

const TABLES: &[Table] = tables! {
    delivery_server 1: name Text, site Text, host Text, port Number, encryption Text, username Text, sender Text,
        sender_name Text
        .scope(&[Unscoped("the mail server of the installation, which administrators set")]);
    delivery_link_key 1: name Text, key_id Id
        .scope(&[Unscoped("the id of the installation's key of links, whose bytes are an encrypted secret")]);
    delivery_subscriptions 1: user_id Id, address Text, confirmed_at Moment, frequency Text, weekday Number, minute Number,
        zone Text, quiet_from Number, quiet_to Number, budget Number, names_in_subject Flag, is_paused Flag, covered_at Moment
        .scope(&[Owner("user_id")]);
    delivery_mails 1: id Id, user_id Id, kind Text, address Text, since_at Moment, until_at Moment, state Text, attempts Number,
        uncertain Number, next_at Moment, problem Text, items Number, created_at Moment, ended_at Moment
        .scope(&[Owner("user_id")]);
    delivery_webhooks 2: user_id Id, address Text, webhook_id Id, format Text, is_paused Flag, covered_at Moment,
        created_at Moment
        .scope(&[Owner("user_id")]);
    delivery_answers 2: user_id Id, topic Text, answer Text, answered_at Moment, until_at Moment
        .scope(&[Owner("user_id")]);
    delivery_feeds 1: user_id Id, feed_id Id, created_at Moment .scope(&[Owner("user_id")]);
};

/// Columns of a subscription `s`, in the order of `SubscriptionRow`.
macro_rules! subscriptions {
    ($rest:literal) => {
        concat!(
            "select s.user_id, s.address, s.confirmed_at, s.frequency, s.weekday, s.minute, s.zone, s.quiet_from, s.quiet_to, s.budget,
                    s.names_in_subject, s.is_paused, s.covered_at
               from delivery_subscriptions s ",
            $rest
        )
    };
}

const SUBSCRIPTION: &str = subscriptions!("where s.user_id = $1");
/// Selects the subscriptions for which a digest can be planned, by person.
const PLANNED: &str = subscriptions!(
    "where s.confirmed_at is not null and not s.is_paused and s.frequency <> 'off' and s.user_id > $1
       and not exists (select 1 from delivery_mails m where m.user_id = s.user_id and m.kind = 'digest' and m.state = 'waiting')
     order by s.user_id limit $2"
);
/// Stores a choice. Another address has to be confirmed; a confirmed one keeps the time up to which news are covered.
const PUT_CHOICE: &str = "
    insert into delivery_subscriptions (user_id, address, frequency, weekday, minute, zone, quiet_from, quiet_to, budget,
                                        names_in_subject, is_paused, covered_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false, $11)
    on conflict (user_id) do update set
        confirmed_at = case when delivery_subscriptions.address = excluded.address then delivery_subscriptions.confirmed_at end,
        covered_at = case when delivery_subscriptions.frequency = 'off' then excluded.covered_at else delivery_subscriptions.covered_at end,
        address = excluded.address, frequency = excluded.frequency, weekday = excluded.weekday, minute = excluded.minute,
        zone = excluded.zone, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, budget = excluded.budget,
        names_in_subject = excluded.names_in_subject, is_paused = excluded.is_paused";
const PUT_SERVER: &str = "
    insert into delivery_server (name, site, host, port, encryption, username, sender, sender_name)
    values ('main', $1, $2, $3, $4, $5, $6, $7)
    on conflict (name) do update set site = excluded.site, host = excluded.host, port = excluded.port, encryption = excluded.encryption,
        username = excluded.username, sender = excluded.sender, sender_name = excluded.sender_name";

#[derive(sqlx::FromRow)]
struct SubscriptionRow {
    user_id: Uuid,
    address: String,
    confirmed_at: Option<Moment>,
    frequency: String,
    weekday: i64,
    minute: i64,
    zone: String,
    quiet_from: i64,
    quiet_to: i64,
    budget: i64,
    names_in_subject: bool,
    is_paused: bool,
    covered_at: Moment,
}

impl SubscriptionRow {
    fn subscription(self) -> Result<Subscription, Fault> {
        let schedule = Schedule {
            frequency: word("frequency", &self.frequency, Frequency::parse)?,
            weekday: count(self.weekday)?,
            minute: count(self.minute)?,
            zone: self.zone.parse::<Tz>().map_err(|_| defect("time zone", &self.zone))?,
            quiet: (count(self.quiet_from)?, count(self.quiet_to)?),
        };
        let choice = MailChoice {
            address: self.address,
            schedule,
            budget: count(self.budget)?,
            names_in_subject: self.names_in_subject,
        };
        Ok(Subscription {
            user: UserId(self.user_id),
            choice,
            confirmed_at: self.confirmed_at.map(|at| at.0),
            is_paused: self.is_paused,
            covered_at: self.covered_at.0,
        })
    }
}

#[derive(sqlx::FromRow)]
struct ServerRow {
    site: String,
    host: String,
    port: i64,
    encryption: String,
    username: String,
    sender: String,
    sender_name: String,
}

impl ServerRow {
    fn server(self) -> Result<MailServer, Fault> {
        Ok(MailServer {
            site: self.site,
            host: self.host,
            port: count(self.port)?,
            encryption: word("encryption", &self.encryption, Encryption::parse)?,
            username: self.username,
            sender: self.sender,
            sender_name: self.sender_name,
        })
    }
}

/// The tables of the feature in the state store. A cheap clone.
#[derive(Clone)]
pub struct DeliveryStore(Store);

impl From<Store> for DeliveryStore {
    fn from(store: Store) -> Self {
        Self(store)
    }
}

impl DeliveryStore {
    pub fn new(web: &Web) -> Self {
        Self::from(web.store.clone())
    }

    /// Returns the mail server and public address, if they are set.
    pub async fn server(&self) -> StoreResult<Option<MailServer>> {
        read!(self.0, conn => {
            let row: Option<ServerRow> = rows!(conn.fetch_optional,
                "select site, host, port, encryption, username, sender, sender_name from delivery_server where name = 'main'");
            row.map(ServerRow::server).transpose()?
        })
    }

    pub async fn put_server(&self, server: &MailServer) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, PUT_SERVER; &server.site, &server.host, i64::from(server.port), server.encryption.as_str(),
                &server.username, &server.sender, &server.sender_name);
        })
    }

    /// Returns the subscription of a person.
    pub async fn subscription(&self, user: UserId) -> StoreResult<Option<Subscription>> {
        read!(self.0, conn => {
            let row: Option<SubscriptionRow> = rows!(conn.fetch_optional, SUBSCRIPTION; user.0);
            row.map(SubscriptionRow::subscription).transpose()?
        })
    }

    /// Returns the subscriptions for which a digest can be planned, by person, after one of an earlier page.
    pub async fn subscriptions_after(&self, last: Option<UserId>, limit: u32) -> StoreResult<Vec<Subscription>> {
        let last = last.map_or(Uuid::nil(), |user| user.0);
        read!(self.0, conn => {
            let rows: Vec<SubscriptionRow> = rows!(conn.fetch_all, PLANNED; last, i64::from(limit));
            rows.into_iter().map(SubscriptionRow::subscription).collect::<Result<_, Fault>>()?
        })
    }

    /// Stores the choice of a person; it ends a pause. The mail with the confirmation link of another address, if any, is added in the same
    /// transaction.
    pub async fn put_choice(
        &self,
        user: UserId,
        choice: &MailChoice,
        now: Timestamp,
        confirmation: Option<&Mail>,
    ) -> StoreResult<()> {
        let schedule = &choice.schedule;
        write!(self.0, conn => {
            execute!(conn, PUT_CHOICE; user.0, &choice.address, schedule.frequency.as_str(), i64::from(schedule.weekday),
                i64::from(schedule.minute), schedule.zone.name(), i64::from(schedule.quiet.0), i64::from(schedule.quiet.1),
                i64::from(choice.budget), choice.names_in_subject, Moment(now));
            if let Some(mail) = confirmation {
                outbox::insert_mail!(conn, mail);
            }
        })
    }

    /// Confirms the address of a person; news count from then on. Returns false when the address is another one now.
    pub async fn confirm(&self, user: UserId, address: &str, now: Timestamp) -> StoreResult<bool> {
        write!(self.0, conn => {
            let confirmed = execute!(conn, "update delivery_subscriptions
                    set covered_at = case when confirmed_at is null then $3 else covered_at end,
                        confirmed_at = coalesce(confirmed_at, $3)
                  where user_id = $1 and address = $2"; user.0, address, Moment(now));
            confirmed.rows_affected() > 0
        })
    }

    /// Resumes the mail of a person; returns whether there is a subscription.
    pub async fn resume(&self, user: UserId) -> StoreResult<bool> {
        write!(self.0, conn => {
            let changed = execute!(conn, "update delivery_subscriptions set is_paused = false where user_id = $1"; user.0);
            changed.rows_affected() > 0
        })
    }

    /// Pauses the mail of a person to an address; returns whether mail goes to it.
    pub async fn pause_address(&self, user: UserId, address: &str) -> StoreResult<bool> {
        write!(self.0, conn => {
            let changed = execute!(conn,
                "update delivery_subscriptions set is_paused = true where user_id = $1 and address = $2"; user.0, address);
            changed.rows_affected() > 0
        })
    }

    /// Changes the frequency of a person's mail to an address; returns whether there is such a subscription. One that ended stays so: only
    /// its person orders mail again.
    pub async fn set_frequency(&self, user: UserId, address: &str, frequency: Frequency) -> StoreResult<bool> {
        write!(self.0, conn => {
            let changed = execute!(conn, "update delivery_subscriptions set frequency = $2
                  where user_id = $1 and address = $3 and (frequency <> 'off' or $2 = 'off')";
                user.0, frequency.as_str(), address);
            changed.rows_affected() > 0
        })
    }

    /// Returns the answers of a person, newest first.
    pub async fn answers(&self, user: UserId) -> StoreResult<Vec<TopicAnswer>> {
        read!(self.0, conn => {
            let rows: Vec<(String, String, Moment, Option<Moment>)> = rows!(conn.fetch_all,
                "select topic, answer, answered_at, until_at from delivery_answers where user_id = $1
                  order by answered_at desc, topic limit 1000"; user.0);
            let topic_answer = |(topic, answer, at, until): (String, String, Moment, Option<Moment>)| -> Result<TopicAnswer, Fault> {
                let answer = word("answer", &answer, NotificationAnswer::parse)?;
                Ok(TopicAnswer { topic, answer, at: at.0, until: until.map(|until| until.0) })
            };
            rows.into_iter().map(topic_answer).collect::<Result<_, Fault>>()?
        })
    }

    /// Stores the answer of a person, the last one per topic.
    pub async fn put_answer(&self, user: UserId, answer: &TopicAnswer) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn,
                "insert into delivery_answers (user_id, topic, answer, answered_at, until_at) values ($1, $2, $3, $4, $5)
                 on conflict (user_id, topic) do update
                    set answer = excluded.answer, answered_at = excluded.answered_at, until_at = excluded.until_at";
                user.0, &answer.topic, answer.answer.as_str(), Moment(answer.at), answer.until.map(Moment));
        })
    }

    /// Removes the answer of a person to a topic; returns whether there was one.
    pub async fn remove_answer(&self, user: UserId, topic: &str) -> StoreResult<bool> {
        write!(self.0, conn => {
            let removed = execute!(conn, "delete from delivery_answers where user_id = $1 and topic = $2"; user.0, topic);
            removed.rows_affected() > 0
        })
    }

    /// Returns the feed of a person.
    pub async fn feed(&self, user: UserId) -> StoreResult<Option<FeedId>> {
        read!(self.0, conn => {
            let id: Option<Uuid> = values!(conn.fetch_optional, "select feed_id from delivery_feeds where user_id = $1";
                user.0);
            id.map(FeedId)
        })
    }

    /// Returns the person of a feed.
    pub async fn person_of_feed(&self, feed: FeedId) -> StoreResult<Option<UserId>> {
        read!(self.0, conn => {
            let id: Option<Uuid> = values!(conn.fetch_optional, "select user_id from delivery_feeds where feed_id = $1";
                feed.0);
            id.map(UserId)
        })
    }

    /// Gives a person a feed; an earlier one ends.
    pub async fn put_feed(&self, user: UserId, feed: FeedId, now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "insert into delivery_feeds (user_id, feed_id, created_at) values ($1, $2, $3)
                 on conflict (user_id) do update set feed_id = excluded.feed_id, created_at = excluded.created_at";
                user.0, feed.0, Moment(now));
        })
    }

    /// Ends the feed of a person.
    pub async fn remove_feed(&self, user: UserId) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "delete from delivery_feeds where user_id = $1"; user.0);
        })
    }
}
