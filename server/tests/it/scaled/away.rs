//! Redis is away when a process starts, or does not let it in.

use super::{
    QUESTION, REPORTS, Services, backend, ended,
    service::{Kind, Service},
};
use std::{
    io::{Read, Write},
    net::TcpStream,
};
use tempfile::TempDir;

/// A Redis of this test's own, and services with it.
async fn with_own_redis() -> Option<(Services, Service, TempDir)> {
    backend("AUTOSINT_TEST_REDIS")?;
    let folder = tempfile::tempdir().unwrap();
    let mut redis = Service::start(Kind::Redis, folder.path());
    tokio::task::block_in_place(|| redis.wait());
    let mut services = Services::new().await?;
    services.use_redis(format!("redis://127.0.0.1:{}", redis.port));
    Some((services, redis, folder))
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_that_is_away_at_the_start_is_waited_for() {
    let Some((services, mut redis, _folder)) = with_own_redis().await else { return };
    redis.kill();
    services.add_user("ada");
    let doctor = services.run(&["doctor"], "");
    assert_eq!(doctor.code, Some(1), "{}", doctor.stderr);
    let says = |words: &str| doctor.stdout.lines().any(|line| line.starts_with(words));
    assert!(says("ok  database") && says("ok  graph") && says("BAD redis"), "{}", doctor.stdout);

    let (web, _worker) = (services.serve("web"), services.worker("work"));
    let mut ada = web.signed_in("ada").await;
    assert_eq!(ada.get("/").await.status, 200);
    let address = ada.ask(QUESTION, &REPORTS).await.location().to_owned();
    redis.start_again();
    let line = ended(&mut ada, &address).await;
    assert_eq!(line["status"], "completed", "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_that_does_not_let_it_in_is_a_matter_of_configuration() {
    let Some((mut services, redis, _folder)) = with_own_redis().await else { return };
    let mut wire = TcpStream::connect(("127.0.0.1", redis.port)).unwrap();
    wire.write_all(b"CONFIG SET requirepass the-right-one\r\n").unwrap();
    let mut answer = [0; 5];
    wire.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"+OK\r\n");
    for password in ["", ":some-other@"] {
        services.use_redis(format!("redis://{password}127.0.0.1:{}", redis.port));
        let refused = services.run(&["doctor"], "");
        assert_eq!(refused.code, Some(78), "{password}: {}", refused.stderr);
        let says = |words: &str| refused.stderr.contains(words);
        assert!(says("refuses the user or password of redis.url") && !says("some-other"), "{}", refused.stderr);
    }
    services.use_redis(format!("redis://:the-right-one@127.0.0.1:{}", redis.port));
    services.add_user("ada");
}
