//! Carries news between the processes on one PostgreSQL database by its notices, where there is no Redis.
//!
//! Invariant: a notice is a transaction of its own, after the commit that it tells of. Inside, each commit would wait for the one before,
//! as those that send notices are put into an order.

use super::{Carrier, Wake, messages, sender, understood};
use engine::Ids;
use sqlx::{PgPool, postgres::PgListener};
use std::time::Duration;

const CHANNEL: &str = "autosint_news";

/// How long nothing is done after …
pub(crate) struct Pauses {
    /// … something was told: what is said meanwhile is one notice.
    pub told: Duration,
    /// … the connection that listens was lost.
    pub lost: Duration,
}

pub(crate) fn carry(pool: &PgPool, wake: &Wake, chance: &dyn Ids, pauses: Pauses) -> Carrier {
    let me = sender(chance);
    let publish = publish_forever(pool.clone(), wake.clone(), me.clone(), pauses.told);
    Carrier::new(publish, hear_forever(pool.clone(), wake.clone(), me, pauses.lost))
}

async fn publish_forever(pool: PgPool, wake: Wake, me: String, pause: Duration) {
    let mut news = wake.carry();
    while news.changed().await.is_ok() {
        let said = wake.take_said();
        if said.is_empty() {
            continue;
        }
        for message in messages(&me, &said) {
            let told = sqlx::query("select pg_notify($1, $2)").bind(CHANNEL).bind(message).execute(&pool).await;
            if let Err(error) = told {
                tracing::debug!(%error, "other processes were not told; they look by themselves");
            }
        }
        tokio::time::sleep(pause).await;
    }
}

async fn hear_forever(pool: PgPool, wake: Wake, me: String, pause: Duration) {
    while !pool.is_closed() {
        if let Err(error) = hear(&pool, &wake, &me).await {
            tracing::debug!(%error, "the database carries no news; it is tried again");
        }
        tokio::time::sleep(pause).await;
    }
}

/// Until the connection is lost or the pool is closed.
async fn hear(pool: &PgPool, wake: &Wake, me: &str) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    // What was said before.
    wake.hear_all();
    while let Some(notice) = listener.try_recv().await? {
        if let Some((_, said)) = understood(notice.payload()).filter(|(sender, _)| *sender != me) {
            wake.hear_from_others(&said);
        }
    }
    Ok(())
}
