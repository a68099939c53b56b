//! Tracker of cleanup tasks that outlive a cancelled call.

use tokio::runtime::Handle;
use tokio_util::task;

/// Tracker of background cleanup tasks. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct TaskTracker(task::TaskTracker);

impl TaskTracker {
    /// Spawns a cleanup task. Without a runtime, at process exit, it is skipped and left to recovery.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Ok(runtime) = Handle::try_current() {
            self.0.spawn_on(work, &runtime);
        }
    }

    /// Waits until every tracked task has finished.
    pub async fn drain(&self) {
        // A closed tracker accepts more tasks; only an open one is never done.
        self.0.close();
        self.0.wait().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn draining_waits_for_spawned_tasks() {
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
    fn a_task_without_a_runtime_is_not_started() {
        TaskTracker::default().spawn(async { unreachable!("nobody can do it") });
    }
}
