//! Leader election: the oldest live process leads, and the next one succeeds it.

use super::prelude::*;
use engine::leader::Leadership;

const LEASE: Duration = Duration::from_millis(1_500);

/// Waits until this process leads.
async fn wait_for_leadership(leadership: Leadership, world: &World) {
    let leads = eventually(async || leadership.is_leader(&world.engine).await.unwrap()).await;
    assert!(leads, "never became the leader: {leadership:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_oldest_live_process_leads() {
    let world = World::open(&folder(), 1, |parts| parts.config.lease_ms = LEASE.as_millis() as u64).await;
    let processes = [1, 2, 3].map(|n| Leadership::for_holder(HolderId(Uuid::from_u128(n))));
    // A worker-only process never leads.
    let until = world.engine.clock.now().plus_ms(600_000);
    world.engine.investigations.register_holder(HolderId(Uuid::nil()), ProcessRole::WorkerOnly, until).await.unwrap();
    let mut tasks = vec![];
    for leadership in processes.into_iter().rev() {
        let token = CancellationToken::new();
        tasks.push((token.clone(), tokio::spawn(leadership.stay_registered(world.engine.clone(), token))));
        // Each is older than the earlier ones.
        wait_for_leadership(leadership, &world).await;
    }
    assert!(!processes[1].is_leader(&world.engine).await.unwrap());
    assert!(Leadership::SOLE.is_leader(&world.engine).await.unwrap());

    let (_, oldest) = tasks.pop().unwrap();
    oldest.abort();
    wait_for_leadership(processes[1], &world).await;
    let (token, second) = tasks.pop().unwrap();
    token.cancel();
    second.await.unwrap();
    assert!(processes[2].is_leader(&world.engine).await.unwrap(), "a process that ends deregisters itself");
    world.close().await;
}
