//! Suite of circuits: the first writer of a state wins, and other processes are notified.

use super::{backends::SequentialIds, prelude::*};
use async_trait::async_trait;
use engine::{
    StoreResult,
    queue::{Delivery, GuardedQueue, Queue},
    reliability::{Admission, BreakerConfig, CallIdentity, Circuit, CircuitState, Circuits, DependencyGuard, Failure, breaker},
};
use std::sync::atomic::Ordering::SeqCst;

fn config() -> BreakerConfig {
    BreakerConfig { failure_threshold: 1, cooldown_ms: 100, ..BreakerConfig::default() }
}

fn anybody() -> CallIdentity {
    CallIdentity { turn: id(), call: id() }
}

fn opened(backend: &TestBackend, circuit: &Circuit) -> Circuit {
    circuit.failed(id(), Failure::NoAnswer { retry_after_ms: None }, "it is gone", backend.now(), &config()).unwrap()
}

pub async fn an_unknown_circuit_is_closed_and_a_stored_one_comes_back(backend: &TestBackend) {
    let store = &backend.store;
    let closed = store.circuit("model").await.unwrap();
    assert_eq!(closed, Circuit::closed("model"));
    let open = opened(backend, &closed);
    assert!(store.put_circuit(&open).await.unwrap());
    assert_eq!(store.circuit("model").await.unwrap(), open);
    assert_eq!(backend.other_process().await.circuits().await.unwrap(), [open]);
}

pub async fn a_circuit_of_a_stale_version_is_refused(backend: &TestBackend) {
    let store = &backend.store;
    let open = opened(backend, &Circuit::closed("model"));
    assert!(store.put_circuit(&open).await.unwrap());
    assert!(!store.put_circuit(&open).await.unwrap(), "not twice");
    let unborn = Circuit { version: 5, ..Circuit::closed("other") };
    assert!(!store.put_circuit(&unborn).await.unwrap());
    assert_eq!(store.circuits().await.unwrap(), [open]);
}

pub async fn one_of_many_processes_sends_the_probe(backend: &TestBackend) {
    let open = opened(backend, &Circuit::closed("model"));
    assert!(backend.store.put_circuit(&open).await.unwrap());
    backend.clock.forward_ms(100);
    let stores = [backend.store.clone(), backend.other_process().await];
    let won = join_all((0..20).map(|n| {
        let store = stores[n % 2].clone();
        let now = backend.now();
        async move {
            match store.circuit("model").await.unwrap().admit(anybody(), now, &config()) {
                Admission::Probe(probing) => store.put_circuit(&probing).await.unwrap(),
                _ => false,
            }
        }
    }))
    .await;
    assert_eq!(won.iter().filter(|won| **won).count(), 1);
    assert_eq!(backend.store.circuit("model").await.unwrap().state, CircuitState::HalfOpen);
}

pub async fn a_change_wakes_those_who_wait_in_other_processes(backend: &TestBackend) {
    let other = backend.other_process().await;
    let closed = Circuit::closed("model");
    let seen = [closed.clone(), Circuit::closed("another")];
    let waiting = other.circuit_changed(&seen);
    tokio::pin!(waiting);
    not_yet(&mut waiting).await;
    backend.store.put_circuit(&opened(backend, &closed)).await.unwrap();
    soon(waiting).await.unwrap();
    soon(backend.store.circuit_changed(&seen)).await.unwrap();
}

pub async fn a_circuit_that_needs_a_person_closes_after_the_repair(backend: &TestBackend) {
    let store = &backend.store;
    let refused = |name: &str| {
        Circuit::closed(name).failed(id(), Failure::Misconfigured, "no key", backend.now(), &BreakerConfig::default()).unwrap()
    };
    let down = opened(backend, &Circuit::closed("mine small"));
    for circuit in [refused("mine large"), refused("yours"), down.clone()] {
        assert!(store.put_circuit(&circuit).await.unwrap());
    }
    breaker::reset_misconfigured(store, Some("mine")).await.unwrap();
    assert_eq!(store.circuit("mine large").await.unwrap().state, CircuitState::Closed);
    assert_eq!(store.circuit("mine small").await.unwrap(), down);
    assert_eq!(store.circuit("yours").await.unwrap(), refused("yours"));
    breaker::reset_misconfigured(store, None).await.unwrap();
    assert_eq!(store.circuit("yours").await.unwrap().state, CircuitState::Closed);
}

pub async fn forgetting_the_dead_frees_the_probe(backend: &TestBackend) {
    use engine::investigations::Investigations;
    let open = opened(backend, &Circuit::closed("model"));
    assert!(backend.store.put_circuit(&open).await.unwrap());
    let claimed = open.claimed(id(), backend.now().plus_ms(100), &config());
    assert!(backend.store.put_circuit(&claimed).await.unwrap());
    backend.store.forget_holders().await.unwrap();
    let free = backend.store.circuit("model").await.unwrap();
    assert!(matches!(free.admit(anybody(), backend.now().plus_ms(101), &config()), Admission::Probe(_)), "{free:?}");
}

fn guard(backend: &TestBackend, name: &str) -> DependencyGuard {
    let config = BreakerConfig { failure_threshold: 3, ..config() };
    DependencyGuard::new(name, Arc::new(backend.store.clone()), backend.clock.clone(), Arc::new(SequentialIds), config)
}

pub async fn a_working_dependency_stores_no_circuit_and_a_failed_one_gets_no_call(backend: &TestBackend) {
    let guard = guard(backend, "service");
    let calls = AtomicU64::new(0);
    let call = async |answer: Result<u8, &'static str>| {
        let made = async {
            calls.fetch_add(1, SeqCst);
            answer
        };
        guard.call(made, |result| result.err().map(str::to_owned)).await
    };
    assert_eq!(call(Ok(1)).await, Ok(Ok(1)));
    assert_eq!(backend.store.circuits().await.unwrap(), [], "nothing is stored while it works");
    for _ in 0..3 {
        assert_eq!(call(Err("gone")).await, Ok(Err("gone")));
    }
    assert_eq!(call(Ok(2)).await.unwrap_err().reason, "gone");
    assert_eq!(calls.load(SeqCst), 4, "an open circuit makes no call");
    backend.clock.forward_ms(100);
    assert_eq!(call(Err("still gone")).await, Ok(Err("still gone")), "one probe");
    assert_eq!(call(Ok(3)).await.unwrap_err().reason, "still gone");
    backend.clock.forward_ms(100);
    assert_eq!((call(Ok(4)).await, call(Ok(5)).await), (Ok(Ok(4)), Ok(Ok(5))));
    assert_eq!(backend.store.circuit("service").await.unwrap().state, CircuitState::Closed);
}

/// Queue that does not answer so many times, and then holds nothing.
#[derive(Default)]
struct FlakyQueue {
    outages: AtomicU64,
    asked: AtomicU64,
}

impl FlakyQueue {
    fn answer<T>(&self, answer: T) -> StoreResult<T> {
        self.asked.fetch_add(1, SeqCst);
        match self.outages.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)) {
            Ok(_) => Err(StoreError::Unavailable("connection refused".into())),
            Err(_) => Ok(answer),
        }
    }
}

#[async_trait]
impl Queue for FlakyQueue {
    async fn push(&self, _: WorkOrderId, _: Priority) -> StoreResult<()> {
        self.answer(())
    }

    async fn take(&self, _: HolderId, _: u64) -> StoreResult<Delivery> {
        self.answer(())?;
        std::future::pending().await
    }

    async fn beat(&self, _: &Delivery, _: Timestamp) -> StoreResult<bool> {
        self.answer(true)
    }

    async fn acknowledge(&self, _: &Delivery) -> StoreResult<()> {
        self.answer(())
    }

    async fn forget_workers(&self) -> StoreResult<()> {
        self.answer(())
    }

    async fn remove(&self, _: WorkOrderId) -> StoreResult<()> {
        self.answer(())
    }

    async fn depth(&self) -> StoreResult<[u64; 3]> {
        self.answer([0; 3])
    }
}

pub async fn a_queue_that_does_not_answer_is_left_alone_until_a_short_call_probes_it(backend: &TestBackend) {
    let flaky = Arc::new(FlakyQueue { outages: AtomicU64::new(3), ..FlakyQueue::default() });
    let queue = GuardedQueue::new(flaky.clone(), guard(backend, "redis queue"));
    let worker = HolderId(id());
    assert!(matches!(queue.take(worker, 1_000).await, Err(StoreError::Unavailable(_))));
    assert!(queue.depth().await.is_err() && queue.depth().await.is_err());
    let state = async || backend.store.circuit("redis queue").await.unwrap().state;
    assert_eq!((state().await, flaky.asked.load(SeqCst)), (CircuitState::Open, 3));
    let order = WorkOrderId(id());
    for denied in [queue.push(order, Priority::Normal).await, queue.take(worker, 1_000).await.map(drop)] {
        assert!(matches!(denied, Err(StoreError::Unavailable(why)) if why == "connection refused"));
    }
    assert_eq!(flaky.asked.load(SeqCst), 3, "an open circuit is not asked");
    backend.clock.forward_ms(100);
    // A worker that waits for orders does not block a push.
    let taken = queue.take(worker, 1_000);
    tokio::pin!(taken);
    assert!(futures::poll!(&mut taken).is_pending());
    while state().await != CircuitState::Closed {
        assert!(futures::poll!(&mut taken).is_pending());
        tokio::task::yield_now().await;
    }
    queue.push(order, Priority::Normal).await.unwrap();
}
