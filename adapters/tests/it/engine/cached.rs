//! The prompt cache of a provider: a session sends the same beginning each time, so that most of what is read was read before.

use super::prelude::*;

/// The share of the tokens read that came from the cache.
fn share(calls: &[ModelCall]) -> f64 {
    let read: u64 = calls.iter().map(|call| call.spent.tokens_in).sum();
    calls.iter().map(|call| call.cache_read).sum::<u64>() as f64 / read as f64
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn most_of_what_an_analyst_reads_again_comes_from_the_cache() {
    for wire in [ApiKind::Anthropic, ApiKind::Openai] {
        let server = Server::start(Options::default()).await.unwrap();
        let chain = chain(wire, &server);
        let mut world = World::playing(120, chain.clone(), chain).await;
        let (ended, _) = world.investigate(&sample(), SAMPLE_QUESTION).await;
        let mut long = 0;
        for session in world.engine.sessions.sessions(ended.id).await.unwrap() {
            let calls = world.engine.ledger.model_calls(session.id).await.unwrap();
            assert!(calls.iter().all(|call| call.outcome == CallOutcome::Answered));
            let shares: Vec<String> = calls.iter().map(|call| format!("{:.2}", share(std::slice::from_ref(call)))).collect();
            println!("{wire:?} {} {:.2}: {}", session.role.as_str(), share(&calls), shares.join(" "));
            if session.role == AgentRole::Analyst && calls.len() > 2 {
                assert!(share(&calls[1..]) > 0.5, "{wire:?}: {shares:?}");
                long += 1;
            }
        }
        assert!(long > 0, "{wire:?}: no session of several requests");
        // The server counts the same.
        let entries = server.log().entries;
        let kept: u64 = entries.iter().map(|entry| entry.kept_tokens).sum();
        let sessions = world.engine.sessions.sessions(ended.id).await.unwrap();
        let mut recorded = 0;
        for session in sessions {
            recorded +=
                world.engine.ledger.model_calls(session.id).await.unwrap().iter().map(|call| call.cache_read).sum::<u64>();
        }
        assert_eq!(recorded, kept, "{wire:?}");
        world.close().await;
    }
}
