//! What must still be done when a call is dropped in the middle and nobody waits for it any more.

use std::sync::Arc;
use tokio::{runtime::Handle, sync::watch};

/// Work that outlives whoever left it. Cheap to clone.
#[derive(Clone)]
pub(crate) struct TaskTracker {
    open: Arc<watch::Sender<usize>>,
}

impl Default for TaskTracker {
    fn default() -> Self {
        Self { open: Arc::new(watch::Sender::new(0)) }
    }
}

impl TaskTracker {
    /// Does it in a task of its own. At the end of the process, when nothing runs any more, it is left to whoever recovers.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let Ok(runtime) = Handle::try_current() else { return };
        let open = Open::new(self.open.clone());
        runtime.spawn(async move {
            work.await;
            drop(open);
        });
    }

    /// Waits until nothing is left to be done.
    pub async fn drain(&self) {
        // The sender lives as long as this does.
        let _ = self.open.subscribe().wait_for(|open| *open == 0).await;
    }
}

/// One piece of it, counted until it is dropped.
struct Open(Arc<watch::Sender<usize>>);

impl Open {
    fn new(open: Arc<watch::Sender<usize>>) -> Self {
        open.send_modify(|open| *open += 1);
        Self(open)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.send_modify(|open| *open -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_was_left_is_done_and_waited_for() {
        let (tracker, (told, hear)) = (TaskTracker::default(), tokio::sync::oneshot::channel());
        tracker.drain().await;
        tracker.spawn(async move {
            tokio::task::yield_now().await;
            told.send(()).unwrap();
        });
        tracker.drain().await;
        assert_eq!(hear.await, Ok(()));
    }

    #[test]
    fn without_a_runtime_nothing_is_begun() {
        TaskTracker::default().spawn(async { unreachable!("nobody can do it") });
    }
}
