//! The order to stop, which every command hears in the same way.

use tokio_util::sync::CancellationToken;

/// A token that is cancelled by the order to stop, with these words in the log.
pub(super) fn told_to_stop(words: &'static str) -> CancellationToken {
    let told = CancellationToken::new();
    let stopping = told.clone();
    tokio::spawn(async move {
        stop_signal().await;
        tracing::info!("{words}");
        stopping.cancel();
    });
    told
}

/// Ctrl-C, or SIGTERM from a service manager.
pub(super) async fn stop_signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
