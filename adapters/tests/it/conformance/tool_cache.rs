//! The cache of tool results.

use super::backends::TestBackend;

pub async fn a_result_lives_until_it_expires(backend: &TestBackend) {
    let cached = async || backend.tool_cache.cached("key", backend.now()).await.unwrap();
    assert_eq!(cached().await, None);
    backend.tool_cache.keep("key", "result", backend.now().plus_ms(60_000)).await.unwrap();
    backend.let_pass_ms(50_000).await;
    assert_eq!(cached().await.as_deref(), Some("result"));
    backend.let_pass_ms(10_000).await;
    assert_eq!(cached().await, None);
}

pub async fn the_newest_result_counts_for_every_process(backend: &TestBackend) {
    let other = backend.other_tool_cache().await;
    backend.tool_cache.keep("key", "result", backend.now().plus_ms(20_000)).await.unwrap();
    other.keep("key", "newer: é\u{0}", backend.now().plus_ms(90_000)).await.unwrap();
    backend.let_pass_ms(30_000).await;
    for cache in [&backend.tool_cache, &other] {
        assert_eq!(cache.cached("key", backend.now()).await.unwrap().as_deref(), Some("newer: é\u{0}"));
        assert_eq!(cache.cached("another", backend.now()).await.unwrap(), None);
    }
}
