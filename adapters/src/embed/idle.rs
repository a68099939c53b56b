//! Lazy value that is freed after some time without use, so that an idle process does not hold the weights of a model.

use domain::Timestamp;
use engine::Clock;
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicI64, Ordering::SeqCst},
    },
    time::Duration,
};

/// Value that is loaded on demand and freed when idle.
pub(super) struct IdleValue<T> {
    clock: Arc<dyn Clock>,
    /// Time without use after which the value is freed; zero keeps it.
    idle: Duration,
    /// The value. Its lock is held during a load, and therefore taken on blocking threads alone.
    value: Mutex<Option<Arc<T>>>,
    /// Time of the last use, in microseconds.
    used_at: AtomicI64,
    /// Whether a task runs that will free the value.
    is_watched: AtomicBool,
}

impl<T: Send + Sync + 'static> IdleValue<T> {
    pub fn new(idle: Duration, clock: Arc<dyn Clock>) -> Self {
        let used_at = AtomicI64::new(clock.now().as_micros());
        Self { clock, idle, value: Mutex::new(None), used_at, is_watched: AtomicBool::new(false) }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<T>>> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value, loaded where it is missing. Blocks while another thread loads it.
    pub fn get_or_load<E>(&self, load: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let mut kept = self.lock();
        let value = match &*kept {
            Some(value) => value.clone(),
            None => Arc::new(load()?),
        };
        *kept = Some(value.clone());
        self.note_use();
        Ok(value)
    }

    /// Starts the task that frees the value, unless it runs already. Called on a runtime, before each use; never waits for a load.
    pub fn watch(self: &Arc<Self>) {
        if self.idle.is_zero() {
            return;
        }
        self.note_use();
        if self.is_watched.swap(true, SeqCst) {
            return;
        }
        let (watched, mut wait) = (Arc::downgrade(self), self.idle);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(wait).await;
                let Some(value) = watched.upgrade() else { return };
                match tokio::task::spawn_blocking(move || value.free_if_idle()).await {
                    Ok(Some(remaining)) => wait = remaining,
                    Ok(None) | Err(_) => return,
                }
            }
        });
    }

    fn note_use(&self) {
        self.used_at.store(self.clock.now().as_micros(), SeqCst);
    }

    /// Returns the time after which the value is idle, if it is not used again.
    fn remaining(&self) -> Duration {
        let used_at = Timestamp::from_micros(self.used_at.load(SeqCst));
        let unused = Duration::from_millis(u64::try_from(self.clock.now().ms_since(used_at)).unwrap_or_default());
        self.idle.saturating_sub(unused)
    }

    /// Frees the value if it is idle; otherwise returns the time after which it could be.
    fn free_if_idle(&self) -> Option<Duration> {
        let mut kept = self.lock();
        if kept.as_ref().is_some_and(|value| Arc::strong_count(value) > 1) {
            self.note_use();
        }
        let remaining = self.remaining();
        if !remaining.is_zero() {
            return Some(remaining);
        }
        self.is_watched.store(false, SeqCst);
        // A use since the check found the value still watched.
        let remaining = self.remaining();
        if !remaining.is_zero() {
            return (!self.is_watched.swap(true, SeqCst)).then_some(remaining);
        }
        let freed = kept.take();
        drop(kept);
        if freed.is_some() {
            drop(freed);
            return_memory();
            tracing::debug!("idle model freed");
        }
        None
    }
}

/// Returns freed memory to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code, reason = "glibc keeps small freed allocations unless it is asked")]
fn return_memory() {
    // SAFETY: the function takes a number of bytes to keep and locks the allocator by itself.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
const fn return_memory() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        convert::Infallible,
        sync::{
            atomic::{AtomicUsize, Ordering},
            mpsc,
        },
        thread,
    };
    use tokio::time::{Instant, sleep};

    /// Clock that follows the paused time of the runtime.
    struct PausedClock(Instant);

    impl Clock for PausedClock {
        fn now(&self) -> Timestamp {
            Timestamp::from_micros(i64::try_from(self.0.elapsed().as_micros()).unwrap())
        }
    }

    struct Fixture {
        value: Arc<IdleValue<u8>>,
        loads: AtomicUsize,
    }

    impl Fixture {
        fn new(idle: Duration) -> Self {
            let value = Arc::new(IdleValue::new(idle, Arc::new(PausedClock(Instant::now()))));
            Self { value, loads: AtomicUsize::new(0) }
        }

        fn use_value(&self) -> Arc<u8> {
            self.value.watch();
            let load = || {
                self.loads.fetch_add(1, Ordering::Relaxed);
                Ok::<_, Infallible>(7)
            };
            self.value.get_or_load(load).unwrap()
        }

        fn is_loaded(&self) -> bool {
            self.value.lock().is_some()
        }

        fn loads(&self) -> usize {
            self.loads.load(Ordering::Relaxed)
        }
    }

    const fn minutes(minutes: u64) -> Duration {
        Duration::from_secs(60 * minutes)
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_value_is_freed_and_loaded_again_on_demand() {
        let fixture = Fixture::new(minutes(10));
        assert!(!fixture.is_loaded());
        fixture.use_value();
        sleep(minutes(6)).await;
        fixture.use_value();
        sleep(minutes(9)).await;
        assert!(fixture.is_loaded(), "unused for 9 minutes only");
        assert_eq!(fixture.loads(), 1);
        sleep(minutes(2)).await;
        assert!(!fixture.is_loaded(), "unused for 11 minutes");
        assert_eq!(*fixture.use_value(), 7);
        assert_eq!(fixture.loads(), 2);
        sleep(minutes(11)).await;
        assert!(!fixture.is_loaded(), "freed a second time");
    }

    #[tokio::test(start_paused = true)]
    async fn a_value_in_use_is_not_freed() {
        let fixture = Fixture::new(minutes(10));
        let held = fixture.use_value();
        sleep(minutes(25)).await;
        assert!(fixture.is_loaded());
        drop(held);
        sleep(minutes(21)).await;
        assert!(!fixture.is_loaded());
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_time_of_zero_keeps_the_value() {
        let fixture = Fixture::new(Duration::ZERO);
        fixture.use_value();
        sleep(minutes(600)).await;
        assert!(fixture.is_loaded());
    }

    #[tokio::test]
    async fn a_load_does_not_hold_up_the_runtime() {
        let value = Arc::new(IdleValue::new(minutes(10), Arc::new(PausedClock(Instant::now()))));
        let ((begin, begun), (go_on, may_go_on)) = (mpsc::channel(), mpsc::channel());
        let loaded = value.clone();
        let load = move || {
            begin.send(()).unwrap();
            may_go_on.recv().unwrap();
            Ok::<_, Infallible>(7)
        };
        let loading = thread::spawn(move || loaded.get_or_load(load).unwrap());
        begun.recv().unwrap();
        value.watch();
        go_on.send(()).unwrap();
        assert_eq!(*loading.join().unwrap(), 7);
    }
}
