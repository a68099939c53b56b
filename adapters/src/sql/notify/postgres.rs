//! Transport over PostgreSQL's `notify`, for installations without Redis.
//!
//! Invariant: a notification is a transaction of its own, after the commit that it reports. Inside that transaction every commit would
//! wait for the one before, since PostgreSQL puts notifying transactions into an order.

use super::{ChangeNotifier, Transport, TransportTimings, publish_forever, sender_id};
use engine::Ids;
use sqlx::{
    PgPool,
    postgres::{PgListener, PgPoolOptions},
};
use std::time::Duration;
use tokio::time::timeout;

const CHANNEL: &str = "autosint_news";

pub(crate) fn start(pool: &PgPool, notifier: &ChangeNotifier, jitter: &dyn Ids, timings: TransportTimings) -> Transport {
    let own_id = sender_id(jitter);
    let database = pool.clone();
    let publish_message = move |message: String| {
        let database = database.clone();
        async move {
            let sent = sqlx::query("select pg_notify($1, $2)").bind(CHANNEL).bind(message);
            sent.execute(&database).await.map(drop)
        }
    };
    let publish_message = publish_forever(notifier.clone(), own_id.clone(), timings, publish_message);
    Transport::new(publish_message, receive_forever(pool.clone(), notifier.clone(), own_id, timings))
}

async fn receive_forever(pool: PgPool, notifier: ChangeNotifier, own_id: String, timings: TransportTimings) {
    while !pool.is_closed() {
        if let Err(error) = receive_until_lost(&pool, &notifier, &own_id, timings.max_silence).await {
            tracing::debug!(%error, "postgres listener lost, reconnecting");
        }
        tokio::time::sleep(timings.after_error).await;
    }
}

/// Receives until the connection is lost or silent for too long.
async fn receive_until_lost(
    pool: &PgPool,
    notifier: &ChangeNotifier,
    own_id: &str,
    silence: Duration,
) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(&dedicated_connection(pool)).await?;
    listener.listen(CHANNEL).await?;
    // What was said before.
    notifier.notify_all();
    while let Ok(heard) = timeout(silence, listener.try_recv()).await {
        let Some(notice) = heard? else { return Ok(()) };
        notifier.receive(own_id, notice.payload());
    }
    Ok(())
}

/// Returns a connection outside the pool: a dead listener would block a place in the pool until the network gives up.
fn dedicated_connection(pool: &PgPool) -> PgPool {
    let options = PgPoolOptions::new().max_connections(1).acquire_timeout(pool.options().get_acquire_timeout());
    options.connect_lazy_with((*pool.connect_options()).clone())
}
