//! What any way of carrying news between processes has in common: what is told, how often, and until when.

use super::{Said, Wake, message::messages};
use engine::Ids;
use std::{
    fmt::Display,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};
use tokio::task::JoinSet;

/// Carries news between processes until it is dropped.
pub(crate) struct Carrier {
    _tasks: JoinSet<()>,
}

impl Carrier {
    /// `publish` tells the others what this process says, `hear` tells this process what they say; both go on for ever.
    pub(crate) fn new(
        publish: impl Future<Output = ()> + Send + 'static,
        hear: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let mut tasks = JoinSet::new();
        tasks.spawn(publish);
        tasks.spawn(hear);
        Self { _tasks: tasks }
    }
}

/// How long …
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pauses {
    /// … nothing is told after something was told: what is said meanwhile is told together.
    pub told: Duration,
    /// … nothing is tried after something went wrong.
    pub lost: Duration,
    /// … a connection that listens is trusted without a word.
    pub silence: Duration,
}

/// Tells the others what this process says, with `tell`. What could not be told is told again: those who listen may be well connected, and
/// would not look by themselves.
pub(crate) async fn tell_forever<E: Display, F: Future<Output = Result<(), E>>>(
    wake: Wake,
    me: String,
    pauses: Pauses,
    tell: impl Fn(String) -> F,
) {
    let mut news = wake.carry();
    let mut untold = Said::default();
    loop {
        if untold.is_empty() && news.changed().await.is_err() {
            return;
        }
        untold.join(wake.take_said());
        let mut told = Ok(());
        for message in messages(&me, &untold) {
            told = tell(message).await;
            if told.is_err() {
                break;
            }
        }
        let pause = match told {
            Ok(()) => {
                untold = Said::default();
                pauses.told
            }
            Err(error) => {
                tracing::debug!(%error, "other processes are not told yet");
                pauses.lost
            }
        };
        tokio::time::sleep(pause).await;
    }
}

/// By what others know that something was said by this store, and by no other of this or any process.
pub(crate) fn sender(chance: &dyn Ids) -> String {
    static STORES: AtomicU64 = AtomicU64::new(0);
    format!("{}.{}.{}", std::process::id(), STORES.fetch_add(1, Ordering::Relaxed), chance.next())
}
