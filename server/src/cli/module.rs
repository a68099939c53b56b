//! `autosint module fetch`: a part of the program as a service of its own, until the order to stop.

use super::{Exit, Failure, help, output::say, serve::cannot_listen, stopping::stop_signal};
use crate::{
    config::{Loaded, environment},
    system::SystemClock,
    wiring,
};
use clap::{Args, Subcommand};
use fetch::{Documents, FetchApi, ParserPool};
use secrecy::ExposeSecret;
use std::{net::SocketAddr, sync::Arc};
use tokio::net::TcpListener;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["module fetch"]))]
pub(super) struct ModuleArgs {
    #[command(subcommand)]
    module: Module,
}

#[derive(Debug, Subcommand)]
enum Module {
    /// Sources, pages and the browser over HTTP; `fetch.url` of another autosint names it
    Fetch(FetchArgs),
}

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["module fetch", "module fetch --listen 127.0.0.1:3010"]))]
struct FetchArgs {
    /// Address to listen on; beyond loopback a token is needed (AUTOSINT_FETCH_TOKEN)
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:3010")]
    listen: SocketAddr,
}

pub(super) async fn run(loaded: Loaded, args: ModuleArgs) -> Result<Exit, Failure> {
    let Module::Fetch(FetchArgs { listen }) = args.module;
    let token = environment::fetch_token();
    if token.is_none() && !listen.ip().is_loopback() {
        let message = format!(
            "whoever reaches {listen} could use it to fetch: set {} to a long secret, here and where `fetch.url` names this",
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
    let service = FetchApi {
        catalogue: wiring::catalogue(&config, &documents, &web, clock),
        browser: wiring::browser(&config, &web, cache.join("module-browser")),
        web,
        key_of: Arc::new(|source| environment::source_key(source).map(|key| key.expose_secret().to_owned())),
        token: token.map(|token| token.expose_secret().into()),
    };
    let browser = service.browser.clone();
    let bound = listener.local_addr().unwrap_or(listen);
    say(&format!("autosint fetches for others on http://{bound}; what it takes is at /openapi.json (Ctrl-C stops it)"));
    let served = axum::serve(listener, fetch::router(service)).with_graceful_shutdown(stop_signal()).await;
    browser.stop().await;
    served.map_err(|error| Failure::new(Exit::Io, format!("serving ended: {error}")))?;
    Ok(Exit::Done)
}
