//! Circuits: whoever stores a state first wins, and the others hear of it.

use super::bench::{Bench, id, not_yet, soon};
use engine::reliability::{Admission, BreakerConfig, CallIdentity, Circuit, CircuitState, Circuits, Failure, breaker};
use futures::future::join_all;

fn config() -> BreakerConfig {
    BreakerConfig { failure_threshold: 1, cooldown_ms: 100, ..BreakerConfig::default() }
}

fn anybody() -> CallIdentity {
    CallIdentity { turn: id(), call: id() }
}

fn opened(bench: &Bench, circuit: &Circuit) -> Circuit {
    circuit.failed(id(), Failure::NoAnswer { retry_after_ms: None }, "it is gone", bench.now(), &config()).unwrap()
}

pub async fn an_unknown_circuit_is_closed_and_a_stored_one_comes_back(bench: &Bench) {
    let store = &bench.store;
    let closed = store.circuit("model").await.unwrap();
    assert_eq!(closed, Circuit::closed("model"));
    let open = opened(bench, &closed);
    assert!(store.put_circuit(&open).await.unwrap());
    assert_eq!(store.circuit("model").await.unwrap(), open);
    assert_eq!(bench.other_process().await.circuits().await.unwrap(), [open]);
}

pub async fn a_state_made_from_an_old_one_is_refused(bench: &Bench) {
    let store = &bench.store;
    let open = opened(bench, &Circuit::closed("model"));
    assert!(store.put_circuit(&open).await.unwrap());
    assert!(!store.put_circuit(&open).await.unwrap(), "not twice");
    let unborn = Circuit { version: 5, ..Circuit::closed("other") };
    assert!(!store.put_circuit(&unborn).await.unwrap());
    assert_eq!(store.circuits().await.unwrap(), [open]);
}

pub async fn one_of_many_processes_sends_the_probe(bench: &Bench) {
    let open = opened(bench, &Circuit::closed("model"));
    assert!(bench.store.put_circuit(&open).await.unwrap());
    bench.clock.forward_ms(100);
    let stores = [bench.store.clone(), bench.other_process().await];
    let won = join_all((0..20).map(|n| {
        let store = stores[n % 2].clone();
        let now = bench.now();
        async move {
            match store.circuit("model").await.unwrap().admit(anybody(), now, &config()) {
                Admission::Probe(probing) => store.put_circuit(&probing).await.unwrap(),
                _ => false,
            }
        }
    }))
    .await;
    assert_eq!(won.iter().filter(|won| **won).count(), 1);
    assert_eq!(bench.store.circuit("model").await.unwrap().state, CircuitState::HalfOpen);
}

pub async fn a_change_wakes_those_who_wait_in_other_processes(bench: &Bench) {
    let other = bench.other_process().await;
    let closed = Circuit::closed("model");
    let seen = [closed.clone(), Circuit::closed("another")];
    let waiting = other.circuit_changed(&seen);
    tokio::pin!(waiting);
    not_yet(&mut waiting).await;
    bench.store.put_circuit(&opened(bench, &closed)).await.unwrap();
    soon(waiting).await.unwrap();
    soon(bench.store.circuit_changed(&seen)).await.unwrap();
}

pub async fn what_waits_for_a_person_is_tried_again_when_one_has_acted(bench: &Bench) {
    let store = &bench.store;
    let refused = |name: &str| {
        Circuit::closed(name).failed(id(), Failure::Misconfigured, "no key", bench.now(), &BreakerConfig::default()).unwrap()
    };
    let down = opened(bench, &Circuit::closed("mine small"));
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

pub async fn forgetting_the_dead_frees_the_probe(bench: &Bench) {
    use engine::investigations::Investigations;
    let open = opened(bench, &Circuit::closed("model"));
    assert!(bench.store.put_circuit(&open).await.unwrap());
    let claimed = open.claimed(id(), bench.now().plus_ms(100), &config());
    assert!(bench.store.put_circuit(&claimed).await.unwrap());
    bench.store.forget_holders().await.unwrap();
    let free = bench.store.circuit("model").await.unwrap();
    assert!(matches!(free.admit(anybody(), bench.now().plus_ms(101), &config()), Admission::Probe(_)), "{free:?}");
}
