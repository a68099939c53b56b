//! Tests of two web servers and two workers as one installation.

use super::{REPORTS, Services, ended};
use crate::prelude::*;

#[tokio::test(flavor = "multi_thread")]
async fn events_of_remote_workers_are_visible() {
    let Some(services) = Services::new().await else { return };
    services.add_user("ada");
    let (one, other) = (services.serve("web1"), services.serve("web2"));
    let (first, _second) = (services.worker("work1"), services.worker("work2"));
    let mut ada = one.signed_in("ada").await;
    let address = ada.ask(QUESTION, &REPORTS).await.location().to_owned();
    // Same session on the other server, which may or may not drive the investigation.
    let mut elsewhere = other.visited_by(&ada);
    let events = format!("/api/v1{address}/events");
    let (here, there) =
        tokio::join!(async { ada.get(&events).await.events() }, async { elsewhere.get(&events).await.events() });
    assert_eq!(here, there, "both saw every event");
    assert!(here.iter().any(|(_, event)| event.to_string().contains("work_order_changed")), "{here:#?}");
    assert_eq!(elsewhere.get(&format!("/api/v1{address}")).await.json()["status"], "completed");
    assert_eq!(services.attempts(&address).await, 1, "one server drove it from beginning to end");

    assert_eq!(elsewhere.post("/sign-out", &[]).await.status, 303);
    assert!(ada.get("/").await.location().starts_with("/sign-in"), "who signs out on one is out on all");
    let (took, code) = first.stop();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(5), "a worker without an order stops at once: {took:?}");
    let doctor = services.run(&["doctor", "--json"], "");
    for service in ["PostgreSQL 16", "Redis 7", "Neo4j 5"] {
        assert!(doctor.stdout.contains(service), "{service}: {}{}", doctor.stdout, doctor.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn work_of_killed_processes_is_taken_over() {
    let Some(services) = Services::new().await else { return };
    services.add_user("ada");
    let (one, worker) = (services.serve("web1"), services.worker("work1"));
    let mut ada = one.signed_in("ada").await;
    let address = ada.ask(QUESTION, &REPORTS).await.location().to_owned();
    drop((one, worker));
    let (other, _worker) = (services.serve("web2"), services.worker("work2"));
    let line = ended(&mut other.visited_by(&ada), &address).await;
    assert_eq!(line["status"], "completed", "{line}");
}
