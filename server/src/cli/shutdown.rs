//! Stop signals, handled the same way by every command.

use tokio_util::sync::CancellationToken;

/// Returns a token that a stop signal cancels, with this log message.
pub(super) fn cancel_on_stop_signal(words: &'static str) -> CancellationToken {
    let told = CancellationToken::new();
    let shutdown = told.clone();
    tokio::spawn(async move {
        wait_for_stop_signal().await;
        tracing::info!("{words}");
        shutdown.cancel();
    });
    told
}

/// Waits for Ctrl-C, or SIGTERM from a service manager.
pub(super) async fn wait_for_stop_signal() {
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
