//! The cache of tool results.

use super::bench::Bench;

pub async fn a_result_lives_until_it_expires(bench: &Bench) {
    let cached = async || bench.tool_cache.cached("key", bench.now()).await.unwrap();
    assert_eq!(cached().await, None);
    bench.tool_cache.keep("key", "result", bench.now().plus_ms(60_000)).await.unwrap();
    bench.let_pass_ms(50_000).await;
    assert_eq!(cached().await.as_deref(), Some("result"));
    bench.let_pass_ms(10_000).await;
    assert_eq!(cached().await, None);
}

pub async fn the_newest_word_counts_for_every_process(bench: &Bench) {
    let other = bench.other_tool_cache().await;
    bench.tool_cache.keep("key", "result", bench.now().plus_ms(20_000)).await.unwrap();
    other.keep("key", "newer: é\u{0}", bench.now().plus_ms(90_000)).await.unwrap();
    bench.let_pass_ms(30_000).await;
    for cache in [&bench.tool_cache, &other] {
        assert_eq!(cache.cached("key", bench.now()).await.unwrap().as_deref(), Some("newer: é\u{0}"));
        assert_eq!(cache.cached("another", bench.now()).await.unwrap(), None);
    }
}
