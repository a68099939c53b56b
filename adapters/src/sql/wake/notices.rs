//! Carries news between the processes on one PostgreSQL database by its notices, where there is no Redis.
//!
//! Invariant: a notice is a transaction of its own, after the commit that it tells of. Inside, each commit would wait for the one before,
//! as those that send notices are put into an order.

use super::{Carrier, Pauses, Wake, sender, tell_forever};
use engine::Ids;
use sqlx::{
    PgPool,
    postgres::{PgListener, PgPoolOptions},
};
use std::time::Duration;
use tokio::time::timeout;

const CHANNEL: &str = "autosint_news";

pub(crate) fn carry(pool: &PgPool, wake: &Wake, chance: &dyn Ids, pauses: Pauses) -> Carrier {
    let me = sender(chance);
    let database = pool.clone();
    let tell = move |message: String| {
        let database = database.clone();
        async move {
            let told = sqlx::query("select pg_notify($1, $2)").bind(CHANNEL).bind(message);
            told.execute(&database).await.map(drop)
        }
    };
    let publish = tell_forever(wake.clone(), me.clone(), pauses, tell);
    Carrier::new(publish, hear_forever(pool.clone(), wake.clone(), me, pauses))
}

async fn hear_forever(pool: PgPool, wake: Wake, me: String, pauses: Pauses) {
    while !pool.is_closed() {
        if let Err(error) = hear(&pool, &wake, &me, pauses.silence).await {
            tracing::debug!(%error, "the database carries no news; it is tried again");
        }
        tokio::time::sleep(pauses.lost).await;
    }
}

/// Until the connection is lost, or has been silent for too long to be trusted.
async fn hear(pool: &PgPool, wake: &Wake, me: &str, silence: Duration) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(&beside(pool)).await?;
    listener.listen(CHANNEL).await?;
    // What was said before.
    wake.hear_all();
    while let Ok(heard) = timeout(silence, listener.try_recv()).await {
        let Some(notice) = heard? else { return Ok(()) };
        wake.hear_message(me, notice.payload());
    }
    Ok(())
}

/// One connection beside the pool: one whose wire is gone would keep its place in there until the network gives up.
fn beside(pool: &PgPool) -> PgPool {
    let options = PgPoolOptions::new().max_connections(1).acquire_timeout(pool.options().get_acquire_timeout());
    options.connect_lazy_with((*pool.connect_options()).clone())
}
