//! `autosint module fetch`: runs Fetch as a service until a stop signal.

use super::{Exit, Failure, help, output::write_status, serve::cannot_listen, shutdown::cancel_on_stop_signal};
use crate::{
    config::{LoadedConfig, Network, environment},
    http::{AllowedHosts, request_span, restrict_hosts, serve_connections},
    metrics,
    system::SystemClock,
    wiring,
};
use clap::{Args, Subcommand};
use fetch::{Documents, FetchApi, ParserPool};
use secrecy::ExposeSecret;
use std::{net::SocketAddr, sync::Arc};
use tokio::net::TcpListener;
use tower_http::trace::TraceLayer;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["module fetch"]))]
pub(super) struct ModuleArgs {
    #[command(subcommand)]
    module: Module,
}

#[derive(Debug, Subcommand)]
enum Module {
    /// Fetch service: sources, pages and the browser over HTTP, for the `fetch.url` of another autosint
    Fetch(FetchArgs),
}

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["module fetch", "module fetch --listen 127.0.0.1:3010"]))]
struct FetchArgs {
    /// Address to listen on; outside loopback a token is required (AUTOSINT_FETCH_TOKEN)
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:3010")]
    listen: SocketAddr,
}

pub(super) async fn run(loaded: LoadedConfig, args: ModuleArgs) -> Result<Exit, Failure> {
    let Module::Fetch(FetchArgs { listen }) = args.module;
    let token = environment::fetch_token();
    if token.is_none() && !listen.ip().is_loopback() {
        let message = format!(
            "{listen} is not loopback: set {} to a long secret, here and for the autosint whose `fetch.url` names this service",
            environment::FETCH_TOKEN
        );
        return Err(Failure::new(Exit::Configuration, message));
    }
    let listener = TcpListener::bind(listen).await.map_err(|error| cannot_listen(listen, &error))?;
    let config = loaded.config;
    let data_dir = wiring::open_folder(&config)?;
    let clock = Arc::new(SystemClock);
    let documents = Documents::new(config.fetch.clone(), ParserPool::new(wiring::parser_command()?, &config.fetch));
    let cache = data_dir.cache();
    let web = wiring::web(&config, &documents, clock.clone(), cache.clone(), None)?;
    // Recording starts now rather than at the first scrape.
    metrics::recorder();
    let service = FetchApi {
        catalogue: wiring::catalogue(&config, &documents, &web, clock),
        browser: wiring::browser(&config, &web, cache.join("module-browser")),
        web,
        key_of: Arc::new(|source| environment::source_key(source).map(|key| key.expose_secret().to_owned())),
        metrics: Some(Arc::new(metrics::render_process)),
        token: token.map(|token| token.expose_secret().into()),
    };
    let browser = service.browser.clone();
    let bound = listener.local_addr().unwrap_or(listen);
    write_status(&format!("autosint Fetch service on http://{bound}; API at /openapi.json (Ctrl-C stops it)"));
    let router = fetch::router(service).layer(TraceLayer::new_for_http().make_span_with(request_span));
    let router = restrict_hosts(router, AllowedHosts::new(&config.server, bound));
    // Its clients are our own workers, which send a token.
    let stop = cancel_on_stop_signal("stopping");
    serve_connections(listener, router, &config.server.connections, &Network::ALL, stop).await;
    browser.stop().await;
    Ok(Exit::Done)
}
