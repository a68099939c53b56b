//! Connections of a listener: how many are open, and how long clients may take to send and to read.
//!
//! Invariant: a client that neither sends nor reads keeps no connection, so that idle clients cannot use up the open files.

mod client_slots;
mod client_stream;
mod timed_body;

use super::prelude::*;
use crate::config::{ConnectionConfig, Network};
use axum::{Router, extract::ConnectInfo, serve::Listener};
use client_slots::ClientSlots;
use client_stream::ClientStream;
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{net::SocketAddr, pin::pin, sync::Arc};
use timed_body::TimedBody;
use tokio::{net::TcpListener, sync::Semaphore};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower_service::Service;

/// Serves a router until `stop`, then waits for the open requests. `unlimited`: clients without a limit of their own, such as reverse
/// proxies.
pub async fn serve_connections(
    mut listener: TcpListener,
    router: Router,
    config: &ConnectionConfig,
    unlimited: &[Network],
    stop: CancellationToken,
) {
    let slots = Arc::new(Semaphore::new(config.max_open));
    let clients = ClientSlots::new(config.max_per_client, unlimited);
    let connections = TaskTracker::new();
    loop {
        let next = async {
            let slot = slots.clone().acquire_owned().await;
            (slot, Listener::accept(&mut listener).await)
        };
        let (slot, (stream, client)) = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            next = next => next,
        };
        // The semaphore is never closed.
        let Ok(slot) = slot else { break };
        // Closed at once, so that one client cannot keep the others waiting for a place.
        let Some(client_slot) = clients.acquire(client.ip()) else {
            tracing::debug!(%client, "connection closed: too many from this client");
            continue;
        };
        let stream = ClientStream::new(stream, config.write_idle(), (slot, client_slot));
        connections.spawn(serve_connection(stream, client, router.clone(), config.clone(), stop.clone()));
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

async fn serve_connection(
    stream: ClientStream,
    client: SocketAddr,
    router: Router,
    config: ConnectionConfig,
    stop: CancellationToken,
) {
    let header_timeout = config.header_timeout();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(client));
        let body_times = (config.body_idle(), config.body_timeout());
        router.clone().call(request.map(|body| Body::new(TimedBody::new(body, body_times.0, body_times.1))))
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(header_timeout);
    // Upgrades carry the browser sessions of `module fetch`.
    let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, %client, "connection ended early");
    }
}
