//! Rate limits: what a bucket holds, how it refills.

use super::backends::TestBackend;
use engine::limits::{Attempt, Pauses};

async fn takes(backend: &TestBackend, bucket: &str, per_minute: u32, times: usize) -> Vec<bool> {
    let mut taken = vec![];
    for _ in 0..times {
        taken.push(backend.limits.take(bucket, per_minute).await.unwrap());
    }
    taken
}

pub async fn a_bucket_holds_a_minutes_worth_and_refills_evenly(backend: &TestBackend) {
    assert_eq!(takes(backend, "ada", 3, 4).await, [true, true, true, false]);
    backend.let_pass_ms(14_000).await;
    assert_eq!(takes(backend, "ada", 3, 1).await, [false]);
    backend.let_pass_ms(6_000).await;
    assert_eq!(takes(backend, "ada", 3, 2).await, [true, false]);
    backend.let_pass_ms(3_600_000).await;
    assert_eq!(takes(backend, "ada", 3, 4).await, [true, true, true, false], "it never holds more");
}

pub async fn buckets_are_independent(backend: &TestBackend) {
    assert_eq!(takes(backend, "ada", 1, 2).await, [true, false]);
    assert_eq!(takes(backend, "bob", 1, 2).await, [true, false]);
}

pub async fn failures_bring_growing_pauses_until_one_succeeds(backend: &TestBackend) {
    let pauses = Pauses { after_failures: 2, first_ms: 60_000, max_ms: 200_000, forget_ms: 3_600_000 };
    let attempt = async || backend.limits.attempt("ada", &pauses).await.unwrap();
    let refused = async |is_first| {
        let refused = attempt().await;
        assert!(matches!(refused, Attempt::Paused { is_first: first, .. } if first == is_first), "{refused:?}");
    };
    assert_eq!([attempt().await, attempt().await], [Attempt::Allowed; 2]);
    refused(true).await;
    refused(false).await;
    assert_eq!(backend.limits.attempt("bob", &pauses).await.unwrap(), Attempt::Allowed);
    backend.let_pass_ms(60_000).await;
    assert_eq!(attempt().await, Attempt::Allowed);
    backend.let_pass_ms(60_000).await;
    refused(true).await;
    backend.let_pass_ms(60_000).await;
    assert_eq!(attempt().await, Attempt::Allowed, "twice as long");
    backend.let_pass_ms(200_000).await;
    assert_eq!(attempt().await, Attempt::Allowed, "and no longer than the longest");
    backend.limits.reset("ada").await.unwrap();
    assert_eq!([attempt().await, attempt().await], [Attempt::Allowed; 2]);
    refused(true).await;
    backend.let_pass_ms(3_600_000).await;
    assert_eq!([attempt().await, attempt().await], [Attempt::Allowed; 2], "forgotten");
}
