//! Rate limits: what a bucket holds, how it refills.

use super::bench::Bench;

async fn takes(bench: &Bench, bucket: &str, per_minute: u32, times: usize) -> Vec<bool> {
    let mut taken = vec![];
    for _ in 0..times {
        taken.push(bench.limits.take(bucket, per_minute).await.unwrap());
    }
    taken
}

pub async fn a_bucket_holds_a_minutes_worth_and_refills_evenly(bench: &Bench) {
    assert_eq!(takes(bench, "ada", 3, 4).await, [true, true, true, false]);
    bench.let_pass_ms(14_000).await;
    assert_eq!(takes(bench, "ada", 3, 1).await, [false]);
    bench.let_pass_ms(6_000).await;
    assert_eq!(takes(bench, "ada", 3, 2).await, [true, false]);
    bench.let_pass_ms(3_600_000).await;
    assert_eq!(takes(bench, "ada", 3, 4).await, [true, true, true, false], "it never holds more");
}

pub async fn buckets_know_nothing_of_each_other(bench: &Bench) {
    assert_eq!(takes(bench, "ada", 1, 2).await, [true, false]);
    assert_eq!(takes(bench, "bob", 1, 2).await, [true, false]);
}
