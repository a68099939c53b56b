//! Tracker of cleanup tasks that outlive a cancelled call.

use std::sync::Arc;
use tokio::{runtime::Handle, sync::watch};

/// Tracker of background cleanup tasks. Cheap to clone.
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
    /// Spawns a cleanup task. Without a runtime, at process exit, it is skipped and left to recovery.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let Ok(runtime) = Handle::try_current() else { return };
        let open = Open::new(self.open.clone());
        runtime.spawn(async move {
            work.await;
            drop(open);
        });
    }

    /// Waits until every tracked task has finished.
    pub async fn drain(&self) {
        // The sender lives as long as this does.
        let _ = self.open.subscribe().wait_for(|open| *open == 0).await;
    }
}

/// Guard of one open task, counted until dropped.
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
