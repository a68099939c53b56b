//! Tests of starting without Redis, or with wrong credentials.

use super::{REPORTS, Services, backend, ended, stands};
use crate::{
    prelude::*,
    service::{Kind, Service},
};
use std::{
    io::{Read, Write},
    net::TcpStream,
};

/// Returns services with a private Redis.
async fn with_own_redis() -> Option<(Services, Service, TempDir)> {
    backend("AUTOSINT_TEST_REDIS")?;
    let folder = tempfile::tempdir().unwrap();
    let mut redis = Service::start(Kind::Redis, folder.path());
    redis.wait();
    Some((Services::new().await?, redis, folder))
}

/// Sets the only accepted Redis password.
fn want(redis: &Service, password: &str) {
    let mut wire = TcpStream::connect(("127.0.0.1", redis.port)).unwrap();
    wire.write_all(format!("CONFIG SET requirepass {password}\r\n").as_bytes()).unwrap();
    let mut answer = [0; 5];
    wire.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"+OK\r\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_started_without_redis_works_once_redis_accepts_it() {
    let Some((mut services, mut redis, _folder)) = with_own_redis().await else { return };
    redis.kill();
    services.use_redis(format!("redis://:the-right-one@127.0.0.1:{}", redis.port));
    services.add_user("ada");
    let doctor = services.run(&["doctor"], "");
    assert!(doctor.code == Some(1) && doctor.stderr.contains("redis unavailable"), "{}", doctor.stderr);
    let says = |words: &str| doctor.stdout.lines().any(|line| line.starts_with(words));
    assert!(says("ok  database") && says("ok  graph") && says("BAD redis"), "{}", doctor.stdout);

    let (web, _worker) = (services.serve("web"), services.worker("work"));
    let mut ada = web.signed_in("ada").await;
    assert_eq!(ada.get("/").await.status, 200);
    let address = ada.ask(QUESTION, &REPORTS).await.location().to_owned();
    stands(&mut ada, &address, |status| status == "suspended").await;
    // Redis has no password yet, and refuses clients that send one.
    redis.start_again();
    let is_said = eventually(async || ada.get("/readyz").await.text().contains("the queue does not answer")).await;
    assert!(is_said, "the server does not miss its queue");
    want(&redis, "the-right-one");
    let line = ended(&mut ada, &address).await;
    assert_eq!(line["status"], "completed", "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_refuses_the_process_is_a_configuration_error() {
    let Some((mut services, redis, _folder)) = with_own_redis().await else { return };
    want(&redis, "the-right-one");
    for (who, database) in [("", ""), (":some-other@", ""), (":the-right-one@", "/99")] {
        services.use_redis(format!("redis://{who}127.0.0.1:{}{database}", redis.port));
        let refused = services.run(&["doctor"], "");
        assert_eq!(refused.code, Some(78), "{who}: {}", refused.stderr);
        let says = |words: &str| refused.stderr.contains(words);
        assert!(says("rejected the user, the password or the database in redis.url"), "{}", refused.stderr);
        assert!(!says("some-other") && !says("the-right-one"), "{}", refused.stderr);
    }
    services.use_redis(format!("redis://:the-right-one@127.0.0.1:{}", redis.port));
    let doctor = services.run(&["doctor"], "");
    assert!(doctor.stdout.lines().any(|line| line.starts_with("ok  redis")), "{}", doctor.stdout);
}
