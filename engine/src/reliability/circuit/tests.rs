//! Tests of every circuit state with every event.

use super::*;

const NO_ANSWER: Failure = Failure::NoAnswer { retry_after_ms: None };

fn config() -> BreakerConfig {
    BreakerConfig { failure_threshold: 2, cooldown_ms: 100, probe_ms: 50, claim_ms: 20, ..BreakerConfig::default() }
}

fn at(ms: i64) -> Timestamp {
    Timestamp::from_micros(ms * 1_000)
}

fn identity(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

/// Call `call` of investigation `turn`.
fn call_of(turn: u128, call: u128) -> CallIdentity {
    CallIdentity { turn: identity(turn), call: identity(call) }
}

fn fail(circuit: &Circuit, by: Uuid, ms: i64) -> Option<Circuit> {
    circuit.failed(by, NO_ANSWER, "no answer", at(ms), &config())
}

/// Circuit open since 0, to be probed from 100 on.
fn open() -> Circuit {
    let once = fail(&Circuit::closed("m"), identity(1), 0).unwrap();
    assert_eq!((once.state, once.failures), (CircuitState::Closed, 1));
    fail(&once, identity(1), 0).unwrap()
}

fn probing(by: CallIdentity, ms: i64) -> Circuit {
    let Admission::Probe(circuit) = open().admit(by, at(ms), &config()) else { panic!("it may be tried") };
    *circuit
}

#[test]
fn a_circuit_opens_at_the_threshold_until_the_cooldown_is_over() {
    let open = open();
    assert_eq!((open.state, open.retry_at, open.version), (CircuitState::Open, Some(at(100)), 2));
    assert_eq!(open.admit(call_of(1, 11), at(99), &config()), Admission::Denied(at(100)));
    assert!(matches!(open.admit(call_of(1, 11), at(100), &config()), Admission::Probe(_)));
}

#[test]
fn an_answer_between_failures_clears_the_count() {
    let once = fail(&Circuit::closed("m"), identity(1), 0).unwrap();
    let cleared = once.succeeded().unwrap();
    assert_eq!((cleared.failures, cleared.version), (0, 2));
    assert_eq!(cleared.succeeded(), None, "no news");
}

#[test]
fn one_call_probes_and_the_others_wait_for_its_outcome() {
    let probing = probing(call_of(1, 11), 100);
    for other in [call_of(1, 11), call_of(1, 12), call_of(2, 21)] {
        assert_eq!(probing.admit(other, at(149), &config()), Admission::Probing(at(150)));
    }
    assert!(matches!(probing.admit(call_of(2, 21), at(150), &config()), Admission::Probe(_)), "a probe that died is replaced");
}

#[test]
fn the_probe_closes_or_opens_and_a_late_failure_of_another_does_not() {
    let probing = probing(call_of(1, 11), 100);
    assert_eq!(fail(&probing, identity(21), 110), None);
    let closed = probing.succeeded().unwrap();
    assert_eq!((closed.state, closed.failures, closed.opened_at), (CircuitState::Closed, 0, None));
    let again = fail(&probing, identity(11), 120).unwrap();
    assert_eq!((again.state, again.retry_at, again.opened_at), (CircuitState::Open, Some(at(220)), Some(at(0))));
    assert_eq!(again.prober, None);
}

#[test]
fn an_open_circuit_ignores_late_outcomes() {
    assert_eq!(open().succeeded(), None);
    assert_eq!(fail(&open(), identity(1), 10), None);
}

#[test]
fn a_claimed_probe_is_reserved_for_one_waiting_call() {
    let claimed = open().claimed(identity(1), at(100), &config());
    assert_eq!(claimed.admit(call_of(2, 21), at(119), &config()), Admission::Denied(at(120)));
    assert!(matches!(claimed.admit(call_of(1, 11), at(119), &config()), Admission::Probe(_)));
    assert!(
        matches!(claimed.admit(call_of(2, 21), at(120), &config()), Admission::Probe(_)),
        "a claim that is not used lapses"
    );
}

#[test]
fn a_named_time_is_believed_and_a_refused_key_opens_at_once() {
    let asked = |ms| Failure::NoAnswer { retry_after_ms: Some(ms) };
    let once = fail(&Circuit::closed("m"), identity(1), 0).unwrap();
    let opened = |failure| once.failed(identity(1), failure, "w", at(0), &config()).unwrap().retry_at;
    assert_eq!(opened(asked(5_000)), Some(at(5_000)));
    assert_eq!(opened(asked(5)), Some(at(100)));
    assert_eq!(opened(asked(u64::MAX)), Some(at(3_600_000)));
    let refused = Circuit::closed("m").failed(identity(1), Failure::Misconfigured, "w", at(0), &config()).unwrap();
    assert_eq!((refused.state, refused.retry_at), (CircuitState::Open, Some(at(300_000))));
}

#[test]
fn a_misconfigured_dependency_is_tried_again_after_the_repair() {
    let refused = Circuit::closed("m").failed(identity(1), Failure::Misconfigured, "w", at(0), &config()).unwrap();
    assert!(refused.needs_person);
    let mended = refused.after_repair().unwrap();
    assert_eq!((mended.state, mended.needs_person, mended.version), (CircuitState::Closed, false, refused.version + 1));
    let Admission::Probe(probing) = refused.admit(call_of(1, 11), at(300_000), &config()) else { panic!("it may be tried") };
    assert_eq!(probing.after_repair(), None, "its probe is under way");
    let gone = fail(&probing, identity(11), 300_001).unwrap();
    assert!(!gone.needs_person && gone.after_repair().is_none(), "now it is merely down");
}

#[test]
fn a_probe_belongs_to_one_call_of_an_investigation() {
    let probing = probing(call_of(1, 11), 100);
    assert_eq!(fail(&probing, identity(12), 110), None, "it went out before the circuit opened");
    assert_eq!(probing.released_probe(identity(12), None), None);
    assert_eq!(probing.released_probe(identity(1), None), None, "the investigation is no call");
    let free = probing.released_probe(identity(11), None).unwrap();
    assert_eq!((free.state, free.prober), (CircuitState::Open, None));
    assert!(matches!(free.admit(call_of(2, 21), at(110), &config()), Admission::Probe(_)), "the next one probes at once");
    let told = probing.released_probe(identity(11), Some(at(900))).unwrap();
    assert_eq!(
        told.admit(call_of(2, 21), at(110), &config()),
        Admission::Denied(at(900)),
        "a time that was named is named to all"
    );
    assert_eq!(free.released_probe(identity(11), None), None, "once");
}
